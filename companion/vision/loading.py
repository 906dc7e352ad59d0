"""A scene made from its parts: the sheet, its texture, the photo of the empty board and where that was taken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.model import ImageError, Sheet, SheetError, sheet_from_json
from companion.vision.finding.registration import pose_from_landmarks, register
from companion.vision.view.pose import Floats, Frame, Pose, flat_maps, flatten
from companion.vision.view.scene import FINE_PER_MM, Scene, read_image

_MADE_BY = "A sheet.json is made by companion sheet (a board to print) or companion calibrate board (your own)"


def make_scene(
    sheet: Sheet, texture: Frame | None = None, photo: Frame | None = None, landmarks: Floats | None = None
) -> Scene:
    """A scene from pictures in memory, uint8 BGR. landmarks: places of the sheet in `photo`, at least four rows
    (x mm, y mm, x px, y px); without them the photo is matched with the markers or the texture.

    Raises ImageError if the board cannot be found in `photo`, or there is neither texture nor photo;
    SheetError if the sheet names no colours.
    """
    if not sheet.colors:
        raise SheetError(f"{sheet.title}: the sheet gives no colours of pieces (colors), so none can be told apart")
    size = (round(sheet.width * FINE_PER_MM), round(sheet.height * FINE_PER_MM))
    printed = None if texture is None else np.asarray(cv2.resize(texture, size, interpolation=cv2.INTER_AREA), np.uint8)
    if photo is None:
        if printed is None:
            raise ImageError(f"{sheet.title}: a texture or a photo of the empty board is needed")
        return Scene(sheet, printed, printed)
    base = Scene(sheet, printed if printed is not None else np.zeros((size[1], size[0], 3), np.uint8), printed)
    pose = _pose_of_photo(base, photo, landmarks)
    maps = flat_maps(pose, sheet.width, sheet.height, FINE_PER_MM)
    return replace(base, empty=flatten(photo, maps), photo=photo, pose=pose)


def _pose_of_photo(scene: Scene, photo: Frame, landmarks: Floats | None) -> Pose:
    found = pose_from_landmarks(scene, photo, landmarks) if landmarks is not None else register(photo, scene)
    if isinstance(found, str):
        raise ImageError(f"the photo of the empty board cannot be used: {found}")
    return found


def load_scene(
    sheet_path: Path | str, reference: Path | str | None = None, landmarks: Path | str | None = None
) -> Scene:
    """Read a sheet, its texture and the photo of the empty board.

    landmarks: a JSON file `{"landmarks": [{"x_mm", "y_mm", "px": [x, y]}, …]}` that says where places of the
    sheet lie in the photo; where it is None, a file named like the photo but ending in .json is used if there, and if
    it is not the sheet.
    Raises SheetError or ImageError.
    """
    sheet_path = Path(sheet_path)
    sheet = load_sheet(sheet_path)
    texture = None
    if sheet.texture:
        texture = read_image(sheet_path.parent / sheet.texture)
    if reference is None:
        if sheet.markers is None:
            raise SheetError(f"{sheet_path.name} has no markers: a photo of the empty board is needed (reference)")
        return make_scene(sheet, texture)
    if landmarks is None:
        landmarks = _landmarks_beside(Path(reference), sheet_path)
    corners = None if landmarks is None else _read_landmarks(Path(landmarks))
    return make_scene(sheet, texture, read_image(reference), corners)


def load_sheet(path: Path) -> Sheet:
    """The sheet in a file. Raises SheetError."""
    try:
        return sheet_from_json(_read_json(path), path.name)
    except SheetError as error:
        raise SheetError(f"{error}. {_MADE_BY}") from error


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except OSError as error:
        raise SheetError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise SheetError(f"{path}: this is no JSON that can be read ({error})") from error


def _landmarks_beside(photo: Path, sheet: Path) -> Path | None:
    """The file of landmarks that is named like a photo; the sheet itself may be named so, too, and has none."""
    if not photo.is_file():
        return None
    beside = photo.with_suffix(".json")
    return beside if beside.is_file() and not beside.samefile(sheet) else None


def _read_landmarks(path: Path) -> Floats:
    data = _read_json(path)
    try:
        marks = data["landmarks"] if isinstance(data, dict) else data
        rows = np.array([(m["x_mm"], m["y_mm"], *m["px"]) for m in marks], np.float64)
    except (TypeError, ValueError, KeyError, OverflowError):
        rows = np.empty((0, 0))
    if rows.ndim != 2 or rows.shape[1] != 4 or len(rows) < 4 or not np.isfinite(rows).all():
        raise ImageError(f"{path}: expected at least four landmarks, each x_mm, y_mm and px")
    return rows
