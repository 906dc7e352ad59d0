"""The fixed part of what is looked at: the sheet, its picture, and the empty board where there is a photo."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.model import ImageError, Seat, Sheet, SheetError, sheet_from_json
from companion.vision.lens import Lens
from companion.vision.pose import Floats, Frame, Pose, flat_maps, flatten
from companion.vision.surface import Surface

PIXELS_PER_MM = 1.25
"""Resolution of the view straight down in which the board is read."""
FINE_PER_MM = 1.5
"""Resolution of the view in which it is found, and of the picture of the empty board."""
_OWN_BASE, _NOBODYS = 2.0, 5.0  # nats for a colour in its own base; against one that nobody plays, elsewhere
_MADE_BY = "A sheet.json is made by companion sheet (a board to print) or companion calibrate board (your own)"


@dataclass(frozen=True, eq=False)
class Scene:
    """What does not change while a board is watched.

    empty: the empty board straight down, uint8 BGR (rows, cols, 3), `FINE_PER_MM`: the sheet's texture, or
    the reference photo seen from above. printed: the texture in the same frame, None where there is none.
    photo: the reference photo, uint8 BGR, None where there is none; pose: where its camera stood. lens: of the camera
    that watches, where it was measured. players: the seats of which pieces may be on the board; None if any may.
    """

    sheet: Sheet
    empty: Frame
    printed: Frame | None = None
    photo: Frame | None = None
    pose: Pose | None = None
    lens: Lens | None = None
    players: frozenset[Seat] | None = None

    def lens_for(self, size: tuple[int, int]) -> Lens | None:
        """The lens for pictures of this size. Raises ImageError if they have another shape than those measured."""
        return None if self.lens is None else self.lens.scaled(size)

    @cached_property
    def surface(self) -> Surface:
        """The empty board, prepared."""
        return Surface(self._to_read(self.empty), of_photo=self.photo is not None)

    @cached_property
    def print(self) -> Surface:
        """The board in the colours it was printed with: those in which the pieces' colours are given too."""
        return self.surface if self.printed is None or self.photo is None else Surface(self._to_read(self.printed))

    def _to_read(self, picture: Frame) -> Frame:
        size = (round(self.sheet.width * PIXELS_PER_MM), round(self.sheet.height * PIXELS_PER_MM))
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def usual(self) -> Floats:
        """Nats for the colours, in the seats' order, that pieces on each space usually have, float64 (S, K): in a base
        those of its own seat, which may be spare ones, and nowhere else those of a seat that does not play."""
        bases, nats = [name.split(".")[0] for name in self.sheet.spaces], []
        for seat in sorted(self.sheet.colors):
            elsewhere = 0.0 if self.players is None or seat in self.players else -_NOBODYS
            nats.append([_OWN_BASE if base == f"base{seat}" else elsewhere for base in bases])
        return np.array(nats).T

    @property
    def places(self) -> Floats:
        """Middles of the spaces in the sheet's order, mm, float64 (N, 2)."""
        return np.array([(s.x, s.y) for s in self.sheet.spaces.values()])


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
    from companion.vision.registration import pose_from_landmarks, register

    found = pose_from_landmarks(scene, photo, landmarks) if landmarks is not None else register(photo, scene)
    if isinstance(found, str):
        raise ImageError(f"the photo of the empty board cannot be used: {found}")
    return found


def read_image(path: Path | str) -> Frame:
    """Read a picture as uint8 BGR. Raises ImageError if the file is missing or no picture."""
    path = Path(path)
    if not path.is_file():
        raise ImageError(f"{path}: there is no such picture")
    image = cv2.imdecode(np.frombuffer(path.read_bytes() or b"\0", np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ImageError(f"{path}: this file is no picture that can be read (expected JPEG or PNG)")
    return np.asarray(image, np.uint8)


def load_scene(
    sheet_path: Path | str, reference: Path | str | None = None, landmarks: Path | str | None = None
) -> Scene:
    """Read a sheet, its texture and the photo of the empty board.

    landmarks: a JSON file `{"landmarks": [{"x_mm", "y_mm", "px": [x, y]}, …]}` that says where places of the
    sheet lie in the photo; where it is None, a file named like the photo but ending in .json is used if there.
    Raises SheetError or ImageError.
    """
    sheet_path = Path(sheet_path)
    try:
        sheet = sheet_from_json(_read_json(sheet_path), sheet_path.name)
    except SheetError as error:
        raise SheetError(f"{error}. {_MADE_BY}") from error
    texture = None
    if sheet.texture:
        texture = read_image(sheet_path.parent / sheet.texture)
    if reference is None:
        if sheet.markers is None:
            raise SheetError(f"{sheet_path.name} has no markers: a photo of the empty board is needed (reference)")
        return make_scene(sheet, texture)
    beside = Path(reference).with_suffix(".json")
    if landmarks is None and beside.is_file():
        landmarks = beside
    corners = None if landmarks is None else _read_landmarks(Path(landmarks))
    return make_scene(sheet, texture, read_image(reference), corners)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SheetError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise SheetError(f"{path}: this is no JSON ({error})") from error


def _read_landmarks(path: Path) -> Floats:
    data = _read_json(path)
    try:
        marks = data["landmarks"] if isinstance(data, dict) else data
        rows = np.array([(m["x_mm"], m["y_mm"], *m["px"]) for m in marks], np.float64)
    except (TypeError, ValueError, KeyError):
        rows = np.empty((0, 0))
    if rows.ndim != 2 or rows.shape[1] != 4 or len(rows) < 4 or not np.isfinite(rows).all():
        raise ImageError(f"{path}: expected at least four landmarks, each x_mm, y_mm and px")
    return rows
