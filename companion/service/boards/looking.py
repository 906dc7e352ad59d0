"""`companion look`: each picture by itself, knowing nothing of the game."""

from __future__ import annotations

import itertools
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from calibration.board_files import PHOTO
from calibration.files import write_one
from companion.model import BadInput, ImageError, Sheet
from companion.service.boards.configured import of_its_game
from companion.service.boards.pictures import read_picture, scene_with
from companion.service.boards.pointing import pointed_at
from companion.service.config import FARTHEST
from companion.vision import Memory, Scene, look, look_json
from companion.vision.dice.mat import INNER, on_sheet
from companion.vision.dice.reading import read_dice
from companion.vision.dice.seen import DiceSeen, DieSeen, Tray
from companion.vision.dice.tray import NO_TRAY, find_mat
from companion.vision.draw import annotate
from companion.vision.finding.shown import Shown
from companion.vision.view.lens import load_lens
from companion.vision.view.pose import Frame, Pose

SMALLEST = 20.0
"""mm: what is less wide or high is no tray: the largest dice are as wide."""


def look_at(arguments: Namespace) -> Iterator[dict[str, Any]]:
    """A result per picture; one that cannot be read is an entry with its error, and the others follow."""
    tray = None if arguments.tray is None else check_tray(arguments.tray)
    scene = of_its_game(scene_with(arguments.sheet, arguments.reference))
    if arguments.lens is not None:
        scene = replace(scene, lens=load_lens(arguments.lens))
    shown = _shown(arguments, scene)
    kept = (*arguments.images, *pictures_of(scene.sheet, arguments.sheet.parent, arguments.reference))
    for path, drawn in zip(arguments.images, drawings(arguments.images, arguments.draw, kept), strict=True):
        try:
            yield _one(path, scene, tray, shown, drawn)
        except ImageError as error:
            yield {"image": path.name, "registered": False, "error": str(error), "ms": 0.0, "spaces": {}, "dice": []}


def _shown(arguments: Namespace, scene: Scene) -> Shown | None:
    """Where the board lies, if that was given for the first picture. Raises BadInput."""
    if not arguments.corner:
        return None
    first = arguments.images[0]
    shown = pointed_at(arguments.corner, read_picture(first), scene, arguments.sheet.parent)
    if shown is not None and shown.doubt:
        print(f"companion: {first.name}: {shown.doubt}", file=sys.stderr)
    return shown


def check_tray(text: str) -> Tray:
    """The tray's x, y, width and height in mm of the sheet's frame. Raises BadInput."""
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"--tray must be x,y,w,h in millimetres like 430,180,90,90, not {text!r}") from None
    if not all(abs(value) <= FARTHEST for value in (x, y, width, height)):  # nor is NaN
        raise BadInput(f"--tray {text}: its four numbers must be at most {FARTHEST:g} mm")
    if width <= 0 or height <= 0:
        raise BadInput(f"--tray {text}: its width and height must be more than 0")
    if min(width, height) < SMALLEST:
        raise BadInput(f"--tray {text}: too small for dice: it must be at least {SMALLEST:g} mm wide and high")
    return Tray(x, y, width, height)


def _one(path: Path, scene: Scene, tray: Tray | None, shown: Shown | None, draw: Path | None) -> dict[str, Any]:
    image = read_picture(path)
    began = time.perf_counter()
    with named(path):
        sighting, memory = look(image, scene, Memory(shown=shown))
        seen = None if memory.view is None else _dice(image, memory.view.pose, tray)
    took = (time.perf_counter() - began) * 1000
    if draw is not None:
        write_one(draw, png(annotate(image, sighting, scene, memory)))
    line = look_json(path.name, sighting, scene, took)
    if seen is not None and line["registered"]:
        line["dice"] = [_die_json(die) for die in seen.dice]
        for doubt in seen.doubts:
            print(f"companion: {path.name}: {doubt}", file=sys.stderr)
    return line


def png(picture: Frame) -> bytes:
    """A drawn picture, uint8 BGR, as it is written."""
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


@contextmanager
def named(path: Path) -> Iterator[None]:
    """What is wrong with a picture is said with its name."""
    try:
        yield
    except ImageError as error:
        raise ImageError(f"{path}: {error}") from error


def _dice(image: Frame, board: Pose, tray: Tray | None) -> DiceSeen | None:
    """The dice in the tray that is given, or in the printed one if its markers are seen; places on the sheet."""
    if tray is not None:
        return read_dice(image, board, tray)
    pose = find_mat(image, board)
    if isinstance(pose, str):
        return None if pose == NO_TRAY else DiceSeen((), (pose,))
    seen = read_dice(image, pose, INNER)
    places = [on_sheet(pose, board, die.x_mm, die.y_mm) for die in seen.dice]
    moved = [die._replace(x_mm=round(x, 1), y_mm=round(y, 1)) for die, (x, y) in zip(seen.dice, places, strict=True)]
    return seen._replace(dice=tuple(moved))


def _die_json(die: DieSeen) -> dict[str, Any]:
    return {"value": die.value, "x_mm": die.x_mm, "y_mm": die.y_mm, "confidence": die.confidence}


def drawings(pictures: Sequence[Path], folder: Path | None, kept: Iterable[Path]) -> list[Path | None]:
    """Where each picture is drawn: called as that, and numbered where two are called alike, or where that is one of
    the pictures that are to be kept. None of all without a folder."""
    taken, found = {path.resolve() for path in kept}, list[Path | None]()
    for stem in (path.stem for path in pictures):
        if folder is None:
            found.append(None)
            continue
        tried = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        each = next(path for path in (folder / f"{name}.png" for name in tried) if path.resolve() not in taken)
        taken.add(each.resolve())
        found.append(each)
    return found


def pictures_of(sheet: Sheet, folder: Path, reference: Path | None) -> list[Path]:
    """The pictures by which a board is known, whose sheet lies in that folder: the photos of it empty, its print."""
    return [folder / name for name in (PHOTO, sheet.texture) if name] + ([reference] if reference else [])
