"""The fixed part of what is looked at: the sheet, its picture, and the empty board where there is a photo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from companion.model import ImageError, Piece, Seat, Sheet, why_not
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats, Frame, Pose
from companion.vision.view.surface import Surface

PIXELS_PER_MM = 1.25
"""Resolution of the view straight down in which the board is read."""
FINE_PER_MM = 1.5
"""Resolution of the view in which it is found, and of the picture of the empty board."""
_BEGINNINGS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")  # of a JPEG and a PNG picture
_OWN_BASE, _NOBODYS = 2.0, 5.0  # nats for a colour in its own base; against one that nobody plays, elsewhere


@dataclass(frozen=True, eq=False)
class Scene:
    """What does not change while a board is watched.

    empty: the empty board straight down, uint8 BGR (rows, cols, 3), `FINE_PER_MM`: the sheet's texture, or
    the reference photo seen from above. printed: the texture in the same frame, None where there is none.
    photo: the reference photo, uint8 BGR, None where there is none; pose: where its camera stood. lens: of the camera
    that watches, where it was measured. players: the seats of which pieces may be on the board; None if any may.
    most: how many pieces of one seat may stand on one space; pieces: how many a seat has, 0 if not known.
    """

    sheet: Sheet
    empty: Frame
    printed: Frame | None = None
    photo: Frame | None = None
    pose: Pose | None = None
    lens: Lens | None = None
    players: frozenset[Seat] | None = None
    most: int = 4
    pieces: int = 4

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

    def of(self, body: Piece | None) -> Scene:
        """The scene as it is with pieces of that body, as it was measured: itself, unless they are of another kind than
        its sheet says, as coins in place of pawns."""
        if body is None or body.kind == self.sheet.piece.kind:
            return self
        if body not in self._others:
            other = replace(self, sheet=replace(self.sheet, piece=body))
            vars(other).update(surface=self.surface, print=self.print)
            self._others[body] = other
        return self._others[body]

    @cached_property
    def _others(self) -> dict[Piece, Scene]:
        return {}

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
    def colors_in_play(self) -> list[str]:
        """The colours of the pieces that may be on the board, "#rrggbb"."""
        colors = self.sheet.colors
        return [color for seat, color in colors.items() if self.players is None or seat in self.players]

    @property
    def places(self) -> Floats:
        """Middles of the spaces in the sheet's order, mm, float64 (N, 2)."""
        return np.array([(s.x, s.y) for s in self.sheet.spaces.values()])


def read_image(path: Path | str) -> Frame:
    """Read a picture as uint8 BGR. Raises ImageError if the file is missing or no picture."""
    path = Path(path)
    try:
        if path.is_dir():
            raise ImageError(f"{path}: this is a folder: name a picture in it")
        if not path.is_file():
            raise ImageError(f"{path}: there is no such picture")
        data = path.read_bytes()
    except OSError as error:
        raise ImageError(why_not(error, path)) from error
    try:
        image = cv2.imdecode(np.frombuffer(data or b"\0", np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise ImageError(f"{path}: this picture is larger than any that a camera takes, or damaged") from error
    if image is None and data.startswith(_BEGINNINGS):
        raise ImageError(f"{path}: this picture is damaged, or not all of it is here: copy it, or take it, once more")
    if image is None:
        raise ImageError(f"{path}: this file is no picture that can be read (expected JPEG or PNG)")
    return np.asarray(image, np.uint8)
