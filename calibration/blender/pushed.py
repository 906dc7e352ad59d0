"""A table whose board is pushed while it is filmed: by some mm, by an elbow, or turned for somebody else to see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.blender.film import BlenderFilm
from calibration.evidence.lens import Camera, Floats
from calibration.evidence.sensor import Frame
from companion.virtual.tabletop import Hand, Pawn

LASTS = (25, 120)
"""Pictures between one push and the next."""
WAYS = ((0.5, 8.0, 2.0), (0.35, 40.0, 15.0), (0.15, 30.0, 180.0))
"""How often, by up to how many mm each way, and by up to how many degrees."""
AWAY = 1.2
"""So much farther off stands the camera, so that there is room for pushes in its picture."""
_TRIES, _WITHIN = 40, 4
"""A board stays in the picture, by so many pixels; so many pushes are tried for one that leaves it there."""


class PushedFilm:
    """Now here, now there before the same camera, pieces and all; its light is pushed with it."""

    def __init__(self, film: BlenderFilm, rng: np.random.Generator) -> None:
        self.sheet, self._rng, self.pushes = film.sheet, rng, 0
        self._home = np.array([film.sheet.width / 2, film.sheet.height / 2, 0.0])
        camera = film.day.camera
        self._film = _before(film, replace(camera, eye=self._home + (camera.eye - self._home) * AWAY))
        self._left = self._pause()

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, uint8 BGR."""
        self._left -= 1
        if self._left < 0:
            self._film, self._left = self._pushed(self._film), self._pause()
        return self._film.frame(pawns, hand)

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise."""
        return self._film.corners()

    def _pushed(self, film: BlenderFilm) -> BlenderFilm:
        """The same table after a push, or as it was, if none that was tried leaves the board in the picture."""
        _, far, turn = WAYS[int(self._rng.choice(len(WAYS), p=[share for share, *_ in WAYS]))]
        for _ in range(_TRIES):
            angle, by = math.radians(self._rng.uniform(-turn, turn)), self._rng.uniform(-far, far, 2)
            camera = seen_from(film.day.camera, self._home, angle, by)
            corners = camera.corners(self.sheet.width, self.sheet.height)
            if (corners >= _WITHIN).all() and (corners <= np.array(camera.size) - 1 - _WITHIN).all():
                self.pushes += 1
                return _before(film, camera)
        return film

    def _pause(self) -> int:
        return int(self._rng.integers(*LASTS))


def seen_from(camera: Camera, home: Floats, angle: float, by: Floats) -> Camera:
    """The camera as it stands to a board that was turned about `home`, mm (3,), by an angle, radians, and pushed `by`
    mm (2,)."""
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])  # of rows, that is the other way
    return replace(camera, eye=home + (camera.eye - home - [*by, 0.0]) @ turn, axes=camera.axes @ turn)


def _before(film: BlenderFilm, camera: Camera) -> BlenderFilm:
    """The same table before a camera that stands elsewhere."""
    return film.on(replace(film.day, camera=camera))
