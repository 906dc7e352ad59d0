"""A tray seen straight down, and the tops of the dice in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LEANING, FLAT, ON_TOP, UNDER = 0, 1, 2, 3
"""How a die lies. What is `UNDER` another die, or hidden, or hardly leans, is nobody's to learn from."""


class Top(NamedTuple):
    """The face of a die that looks up: its middle and edge, pixels of the view, its value, and how the die lies."""

    x: float
    y: float
    size: float
    value: int
    kind: int


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """A tray. picture: uint8 BGR, straight down on the table. camera: (x, y, height) over the table, pixels of it."""

    picture: npt.NDArray[np.uint8]
    camera: npt.NDArray[np.float64]
    tops: tuple[Top, ...]


def keep(shown: Shown, path: Path) -> None:
    """Write a tray to a file, *.npz."""
    np.savez_compressed(path, picture=shown.picture, camera=shown.camera, tops=np.array(shown.tops).reshape(-1, 5))


def kept(path: Path) -> Shown:
    """A tray that was written."""
    with np.load(path) as file:
        tops = (Top(x, y, size, int(value), int(kind)) for x, y, size, value, kind in file["tops"].tolist())
        return Shown(file["picture"], file["camera"], tuple(tops))
