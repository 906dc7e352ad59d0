"""What light rooms give: Blender's Python opens their pictures, and brings some rooms of its own.

    blender/bin/python room_light.py [FILE ...]

A room is an equirectangular picture of linear light. Answered is JSON of each: its file; level, what a level thing gets
of it, linear red, green, blue; bright, where most of that comes from: [[azimuth, height, its part of level], …], the
most first, radians; an azimuth goes from x, the sheet's right, towards y, down the sheet. Like `server` it knows
nothing of Companion.
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

Told = dict[str, Any]
GREY = (0.3, 0.6, 0.1)
"""How bright red, green and blue look."""
CELLS = (32, 64)
"""Rows and columns in which bright places are looked for: 5.6° each."""
PLACES, APART, WIDE, LOWEST = 3, math.radians(30), math.radians(12), math.radians(4)
"""So many bright places at most, so far from each other, this wide on either side, none lower."""
LEAST = 0.08
"""Of all the light: what a bright place but the first gives."""


def own_rooms() -> list[Path]:
    """The rooms that Blender brings."""
    kept = bpy.utils.system_resource("DATAFILES", path="studiolights/world")
    return sorted(Path(kept).glob("*.exr")) if kept else []


def picture(file: Path) -> Any:
    """The room's light, (rows, cols, 3), red, green, blue; its first row is straight below. None if it is no
    picture."""
    try:
        image = bpy.data.images.load(str(file))
    except RuntimeError:
        return None
    width, height = image.size
    flat = np.empty(4 * width * height, np.float32)
    image.pixels.foreach_get(flat)
    bpy.data.images.remove(image)
    return flat.reshape(height, width, 4)[..., :3].astype(np.float64) if len(flat) else None


def on_level(light: Any) -> Any:
    """What a level thing gets from each pixel, (rows, cols, 3): of what is lower than itself nothing."""
    rows, cols = light.shape[:2]
    height = (np.arange(rows) + 0.5) / rows * math.pi - math.pi / 2
    share = np.clip(np.sin(height), 0, None) * np.cos(height) * (math.pi / rows) * (2 * math.pi / cols)
    return light * share[:, None, None]


def bright_places(given: Any) -> list[Any]:
    """Where most of what a level thing gets comes from. given: (rows, cols, 3), see `on_level`."""
    cells = gathered(given)
    high, side = np.meshgrid(*((np.arange(n) + 0.5) / n - 0.5 for n in CELLS), indexing="ij")
    high, side = high * math.pi, side * 2 * math.pi
    ways = np.stack([np.cos(high) * np.cos(side), np.cos(high) * np.sin(side), np.sin(high)], axis=-1)
    left, total = np.where(high > LOWEST, cells @ GREY, 0.0), float((cells @ GREY).sum())
    found: list[Any] = []
    while len(found) < PLACES and left.any():
        peak = np.unravel_index(left.argmax(), left.shape)
        far = np.arccos(np.clip(ways @ ways[peak], -1, 1))
        near = (far < WIDE) & (high > LOWEST)
        if found and left[near].sum() < LEAST * total:
            break
        middle = (ways[near] * left[near][:, None]).sum(axis=0)
        at = [math.atan2(middle[1], middle[0]), math.atan2(middle[2], math.hypot(middle[0], middle[1]))]
        found.append([*at, cells[near].sum(axis=0).tolist()])
        left = np.where(far < APART, 0.0, left)
    return found


def gathered(given: Any) -> Any:
    """The sums of a picture's pixels in CELLS, (rows, cols, 3)."""
    row, col = (np.arange(n) * cells // n for n, cells in zip(given.shape[:2], CELLS, strict=True))
    sums = np.zeros((*CELLS, 3))
    np.add.at(sums, (row[:, None], col[None, :]), given)
    return sums


def told(file: Path) -> Told:
    """What is answered of a room; of what is no picture, the file alone."""
    light = picture(file)
    if light is None:
        return {"file": str(file)}
    given = on_level(light)
    return {"file": str(file), "level": given.sum(axis=(0, 1)).tolist(), "bright": bright_places(given)}


def main() -> None:
    """From the command line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Blender itself says there what it cannot read
    files = [Path(name) for name in sys.argv[1:]] or own_rooms()
    answers.write(json.dumps([told(file) for file in files]) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
