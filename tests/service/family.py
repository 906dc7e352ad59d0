"""A family at a table whose board is seen truly, which does what a test tells it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from any_order import Party

from companion.decks import Question
from companion.games.catalogue import game_for
from companion.model import Seat, Verdict
from companion.model.table import TableView


class Family(Party):
    """One table. said: what the referee said; start: what of STATE tells where the game begins."""

    def __init__(
        self,
        folder: Path,
        name: str,
        seats: Sequence[Seat],
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        members: Mapping[Seat, Sequence[str]] | None = None,
        questions: tuple[Question, ...] = (),
    ) -> None:
        self.rng, self.said = random.Random(1), list[Verdict]()
        self.members, self.questions = members or {}, questions
        self.sit_down(folder, game_for(name, list(seats), options or {}))
        if start is not None:
            assert self.act("position", state={"game": name, "options": options or {}, "seats": list(seats), **start})
        self.set_up()
        self.live(6)
        self.said.clear()

    def hear(self, verdict: Verdict) -> None:
        self.said.append(verdict)
        super().hear(verdict)

    @property
    def last(self) -> Verdict:
        """What was said last."""
        return self.said[-1]

    @property
    def view(self) -> TableView:
        """What phones show."""
        self.step()
        return self.shown

    def named(self) -> list[str]:
        """Who of each colour plays next."""
        return [seat.member for seat in self.view.seats]

    def roll(self, *dice: int) -> bool:
        return self.act("roll", dice=list(dice))

    def move(self, seat: Seat, origin: str, target: str, seconds: float = 3.0) -> None:
        """The top piece of a seat goes from one of the game's spaces to another, seen for so long."""
        mine = [pawn for pawn in self.top.pawns if pawn.seat == seat and pawn.space.partition(".")[0] == origin]
        mine = mine or [pawn for pawn in self.top.pawns if pawn.seat == seat and pawn.space == origin]
        pawn = max(mine, key=lambda one: one.z)
        self.top.pawns.remove(pawn)
        taken = {one.space for one in self.top.pawns}
        places = [name for name in self.sheet.spaces if name.startswith(f"{target}.") and name not in taken]
        self.top.pawns.append(self.top.placed(seat, target if target in self.sheet.spaces else places[0]))
        if seconds:
            self.live(seconds)

    def begin_again(self) -> None:
        """A power cut; the board is as it was."""
        self.begin()
        self.live(3)
