"""A table at which dice are thrown on the board itself: they lie between the pieces until they are thrown again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.blender.dice import a_look, die_of
from calibration.blender.film import BlenderFilm
from calibration.evidence.dice_making import lying
from calibration.evidence.dice_solids import CastDie
from calibration.evidence.lens import Floats
from calibration.evidence.sensor import Frame
from companion.virtual.tabletop import Hand, Pawn

THROWN = 0.6
"""How often, once a hand has gone, the dice are thrown: most turns, of which some take two touches."""
CLEAR = 0.2
"""How many sets of dice one can look through."""
BESIDE = 0.35
"""Of the throws so many go beside the board."""


class ThrownFilm:
    """The same table; dice come to lie on its board when a hand goes, and go when a piece is put where one lies."""

    def __init__(self, film: BlenderFilm, rng: np.random.Generator) -> None:
        self.sheet, self._film, self._rng, self.throws = film.sheet, film, rng, 0
        self._look = a_look(bool(rng.random() < CLEAR), rng)
        self._count = int(rng.integers(1, 3))
        self._dice: list[CastDie] = []
        self._hand: Hand | None = None

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, uint8 BGR."""
        stand = np.array([pawn.at for pawn in pawns if not pawn.lift]).reshape(-1, 2)
        if hand is None and self._hand is not None and self._rng.random() < THROWN:
            self._dice = self._thrown(stand)
        self._hand = hand
        self._dice = [die for die in self._dice if self._is_free(die.center[:2], stand)]
        self._film.dice = [die_of(die, self._look) for die in self._dice]
        return self._film.frame(pawns, hand)

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise."""
        return self._film.corners()

    def _thrown(self, stand: Floats) -> list[CastDie]:
        """The dice where they may lie now; stand: where pieces do, mm (N, 2)."""
        if self._rng.random() < BESIDE:
            return []
        self.throws += 1
        edge, found = self._look.make.edge, list[CastDie]()
        for _ in range(40):
            at = self._rng.uniform(edge, np.array([self.sheet.width, self.sheet.height]) - edge)
            taken = np.vstack([stand, *(die.center[None, :2] for die in found)])
            if len(found) < self._count and self._is_free(at, taken):
                found.append(lying(self._look.make, at, 0.0, self._rng))
        return found

    def _is_free(self, at: Floats, taken: Floats) -> bool:
        room = 0.75 * self._look.make.edge + 0.6 * self.sheet.piece.diameter
        return bool((np.linalg.norm(taken - at, axis=1) > room).all())
