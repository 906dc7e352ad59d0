"""A table on which the light changes at once while it is filmed: a lamp is switched on or off, a blind goes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.blender.film import BlenderFilm
from calibration.blender.rooms import any_light
from calibration.blender.webcam import another_day
from calibration.evidence.lens import Floats
from calibration.evidence.sensor import Frame
from companion.virtual.tabletop import Hand, Pawn

LASTS = (30, 150)
"""Pictures between one switch and the next."""
BALANCES = 0.5
"""How often the camera balances the colour of the other light; else it is held, as ours are where they can be."""


class SwitchedFilm:
    """Now one light, now another, on the same table before the same camera, whose exposure follows as it can."""

    def __init__(self, film: BlenderFilm, rng: np.random.Generator) -> None:
        self.sheet, self._rng = film.sheet, rng
        day = film.day
        lit = any_light(film.sheet, film.studio.rooms, rng)
        webcam = another_day(day.webcam, lit.color, rng) if rng.random() < BALANCES else day.webcam
        self._films = [film, film.on(replace(day, lit=lit, webcam=webcam, heads=[]))]
        self._left = self._pause()

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, uint8 BGR."""
        self._left -= 1
        if self._left < 0:
            before, now = self._films
            now.gain = before.gain
            self._films, self._left = [now, before], self._pause()
        return self._films[0].frame(pawns, hand)

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise."""
        return self._films[0].corners()

    def _pause(self) -> int:
        return int(self._rng.integers(*LASTS))
