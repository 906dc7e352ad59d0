"""Earlier games without a journal."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import BinaryIO

from companion.model import CompanionError
from companion.model.past import PastGame, PastLine, PastStory
from companion.model.table import PlayLine

EVENING = 1_795_000_000.0
OPEN = PastGame(3, "Parcheesi", ("red", "yellow"), EVENING + 90_000)
WON = PastGame(2, "Aggravation", ("red", "<b>Anna</b>", "blue"), EVENING, EVENING + 4_000, ("red", "blue"))
LEFT = PastGame(1, "Gloria", ("red", "blue"), 3_000.0, 4_000.0)


def line(number: int, verdict: str, text: str, picture: str | None = None, **more: object) -> PastLine:
    return PastLine(PlayLine(number, EVENING + 60 * number, 0, verdict, text, **more), picture)  # type: ignore[arg-type]


LINES = (
    line(1, "legal", "Red moved 6, then moved 1.", dice=(6, 1)),
    line(2, "illegal", "Blue's marble moved 4 spaces & not 3.", "2/00003100-after.jpg", dice=(3,), rules=("AGG-4",)),
    line(3, "restored", "Thank you, all is in order again."),
    line(4, "over", "Red and blue have won."),
)


class FakePast:
    """Those games, or what is raised."""

    def __init__(self, *games: PastGame) -> None:
        self.known = games
        self.error: CompanionError | None = None

    def games(self) -> Sequence[PastGame]:
        if self.error is not None:
            raise self.error
        return self.known

    def packed(self, number: int) -> BinaryIO | None:
        there = any(game.number == number for game in self.games())
        return BytesIO(b"PK of game %d" % number) if there else None

    def story(self, number: int) -> PastStory | None:
        found = [game for game in self.games() if game.number == number]
        return PastStory(found[0], LINES if found[0] is WON else ()) if found else None
