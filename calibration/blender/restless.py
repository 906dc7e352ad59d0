"""Webcams that do more to a picture than to take it: each kind of restlessness as some show it, over any film.

What is drawn over each picture depends on those before it, as it does in the camera.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import cv2
import numpy as np

from calibration.evidence.lens import Floats, Plane
from calibration.evidence.sensor import Frame
from companion.model import Sheet
from companion.virtual.tabletop import Hand, Pawn

_NEW, _ALIKE, _OTHER = 0.3, 6.0, 30.0
"""Share of a new picture in what is shown, and grey levels up to which, and from which on all of it is: a camera that
takes noise out over time shows what is hardly other than before as a ghost."""
_HUNTS, _SETTLES, _REST, _BREATH, _SOFT = 0.5, 0.45, 0.25, 0.012, 1 / 320
"""How fast the focus goes astray with a hand, and back; how far it may stay off; by what the picture grows then, and so
many of its widths it is soft."""
_CONTRAST, _PARTS = 2.0, 4  # of the tone that each part of a picture gets, and parts each way
_GREYS, _FOLLOWS = 0.6, 0.2  # how much of what is not grey on average is taken out, and how fast


class Filmed(Protocol):
    """Any film: pictures, uint8 BGR, of a table, and where the board's corners lie in them."""

    sheet: Sheet

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame: ...

    def corners(self) -> Floats: ...


class RestlessFilm:
    """A film by a webcam that is restless in one way: see `KINDS`."""

    def __init__(self, film: Filmed, kind: str, rng: np.random.Generator) -> None:
        self.sheet, self._film, self._rng = film.sheet, film, rng
        self._kind = KINDS[kind]
        self._before: Plane | None = None
        self._blur = self._rest = 0.0
        self._gains: Floats | None = None

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise."""
        return self._film.corners()

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, uint8 BGR."""
        return self._kind(self, self._film.frame(pawns, hand), hand is not None)

    def ghosts(self, picture: Frame, hand: bool) -> Frame:
        """Noise is taken out over time: what changed by little fades in."""
        now = picture.astype(np.float32)
        before = now if self._before is None else self._before
        apart = cv2.blur(np.abs(now - before).max(axis=2), (3, 3))
        share = _NEW + (1 - _NEW) * np.clip((apart - _ALIKE) / (_OTHER - _ALIKE), 0, 1)
        self._before = np.asarray(before + share[..., None] * (now - before), np.float32)
        return _rounded(self._before)

    def focus(self, picture: Frame, hand: bool) -> Frame:
        """A hand takes the focus away, with which the picture grows; it comes back in a second, not always wholly."""
        if hand:
            self._blur += _HUNTS * (self._rng.uniform() - self._blur)
            self._rest = self._rng.uniform(0, _REST) if self._rng.random() < 0.5 else 0.0
        else:
            self._blur += _SETTLES * (self._rest - self._blur)
        rows, cols = picture.shape[:2]
        size, soft = 1 + _BREATH * self._blur, _SOFT * cols * self._blur
        grown = np.array([[size, 0, (1 - size) * cols / 2], [0, size, (1 - size) * rows / 2]])
        seen = cv2.warpAffine(picture, grown, (cols, rows), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), soft) if soft > 0.25 else seen, np.uint8)

    def tone(self, picture: Frame, hand: bool) -> Frame:
        """Each part of the picture gets a contrast of its own, by what is in it: a hand changes what lies beside it."""
        parts = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
        even = cv2.createCLAHE(_CONTRAST, (_PARTS, _PARTS))
        parts[..., 0] = even.apply(np.ascontiguousarray(parts[..., 0]))
        return np.asarray(cv2.cvtColor(parts, cv2.COLOR_LAB2BGR), np.uint8)

    def balance(self, picture: Frame, hand: bool) -> Frame:
        """The white balance follows what is in the picture: a red sleeve makes the board bluish, for some seconds."""
        light = (picture / 255.0) ** 2.2
        mean = light.reshape(-1, 3).mean(axis=0)
        goal = (mean[1] / mean) ** _GREYS
        self._gains = goal if self._gains is None else self._gains * (goal / self._gains) ** _FOLLOWS
        return _rounded(255 * np.clip(light * self._gains, 0, 1) ** (1 / 2.2))


KINDS: Mapping[str, Callable[[RestlessFilm, Frame, bool], Frame]] = {
    "ghosts": RestlessFilm.ghosts,
    "focus": RestlessFilm.focus,
    "tone": RestlessFilm.tone,
    "balance": RestlessFilm.balance,
}
"""What each does to a picture, in which there may be a hand."""


def _rounded(levels: Floats | Plane) -> Frame:
    return np.asarray(np.clip(levels + 0.5, 0, 255), np.uint8)
