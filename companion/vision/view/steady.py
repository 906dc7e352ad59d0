"""Several pictures of a table that lies still, in the mean of which the noise of a weak lamp is less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.view.pose import Frame

MOST, ENOUGH = 6, 3
"""Pictures of which the mean is taken, the latest ones; and so many at least."""
NOISY = 3.0
"""Grey levels by which pixels stray: from here on the mean of some pictures is read, not the last one. In drawn
pictures of good light (`companion evidence`) they do so by 1.2 to 1.6, in dim ones by 4 to 12."""
_SOME = 7  # of so many rows and columns one tells how noisy a picture is
_SPREAD = 1.128  # times as far as one stray two such pictures from each other, on average (of normal noise, 2 / √π)


@dataclass(frozen=True, eq=False, slots=True)
class Steady:
    """The latest pictures, uint8 BGR (rows, cols, 3), of a table on which nothing moves. noise: grey levels by which a
    pixel of one strays; 0 before the second."""

    pictures: tuple[Frame, ...] = ()
    noise: float = 0.0

    def mean(self) -> Frame | None:
        """Their mean; None where one alone is as good, or where these are too few."""
        if len(self.pictures) < ENOUGH or self.noise < NOISY:
            return None
        total = np.zeros(self.pictures[0].shape, np.uint16)
        for picture in self.pictures:
            total += picture
        total += len(self.pictures) // 2  # rounded, not cut off
        return (total // len(self.pictures)).astype(np.uint8)


def one_more(steady: Steady, picture: Frame) -> Steady:
    """The pictures with another one; that alone if it is of another size. Where there is no noise, the last is kept."""
    last = steady.pictures[-1:]
    if not last or last[0].shape != picture.shape:
        return Steady((picture,))
    noise = _noise(last[0], picture)
    return Steady((*steady.pictures[-MOST + 1 :], picture) if noise >= NOISY else (picture,), noise)


def _noise(one: Frame, other: Frame) -> float:
    """Grey levels by which a pixel strays from picture to picture."""
    few = [picture[::_SOME, ::_SOME].astype(np.int16) for picture in (one, other)]
    return float(np.abs(few[0] - few[1]).mean()) / _SPREAD

