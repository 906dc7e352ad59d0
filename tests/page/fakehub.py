"""A hub without a service: the views that a test gives it, and what pages asked of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.model import DueKind, Seat
from companion.model.table import (
    MARKS,
    Action,
    Answer,
    DeviceView,
    PlayLine,
    QuestionView,
    SeatView,
    TableView,
    TroubleView,
)

PIN = "2468"
NAMES = ("red", "green", "yellow", "blue")
COLORS = ("#c8102e", "#0a7d33", "#e8a800", "#1450a0")
STATE = {
    "game": "parcheesi",
    "options": {},
    "seats": [0, 1, 2, 3],
    "due": 0,
    "pieces": {"0": [-1, -1, 4, 66], "1": [-1, -1, -1, 0], "2": [-1, 12, 12, 71], "3": [-1, -1, 30, 71]},
    "doublets": 1,
}
POSITION = {
    "base0": (0, 0), "t4": (0,), "lane0.3": (0,), "base1": (1, 1, 1), "t17": (1,),
    "base2": (2,), "t46": (2, 2), "home2": (2,), "base3": (3, 3), "t13": (3,), "home3": (3,),
}  # fmt: skip
ALWAYS = ("position", "newgame")


class FakeHub:
    """A Hub that shows what `show` is given. answer: what every action is answered."""

    def __init__(self, view: TableView | None = None) -> None:
        self._changed = threading.Condition()
        self._view = view or roll_due()
        self.actions: list[Action] = []
        self.answer: Answer | Exception = Answer(True, "Done.")
        self.pictures: dict[str, bytes] = {}
        self.camera: bytes | None = None
        self.card: QuestionView | None = None
        self.stored: Mapping[str, Any] = STATE

    def show(self, view: TableView) -> None:
        with self._changed:
            self._view = replace(view, version=self._view.version + 1)
            self._changed.notify_all()

    def view(self) -> TableView:
        return self._view

    def wait(self, version: int, timeout: float) -> TableView | None:
        with self._changed:
            self._changed.wait_for(lambda: self._view.version != version, timeout)
            return self._view if self._view.version != version else None

    def act(self, action: Action) -> Answer:
        self.actions.append(action)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def picture(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def live(self) -> bytes | None:
        return self.camera

    def question(self, seat: Seat) -> QuestionView | None:
        return self.card if seat == self._view.reader else None

    def state(self) -> Mapping[str, Any]:
        return self.stored


def seats() -> tuple[SeatView, ...]:
    homes = (0, 0, 1, 1)
    rows = zip(range(4), NAMES, COLORS, MARKS[:4], homes, strict=True)
    return tuple(SeatView(seat, name, color, mark, home) for seat, name, color, mark, home in rows)


def story() -> tuple[PlayLine, ...]:
    told = [
        (0, "legal", "Red moves 5 and 3: space 1 to space 4, and into its lane.", (5, 3)),
        (3, "legal", "Blue brings a pawn out of its circle with a 5.", (5, 2)),
        (2, "restored", "Thank you. The board is right again.", ()),
        (2, "illegal", "A pawn may not pass the two green pawns on space 17: that is a blockade.", (6, 4)),
        (1, "pass", "Green rolled 2 and 3 and cannot move.", (2, 3)),
        (None, "note", "The dice are back.", ()),
        (0, "legal", "Red moves 6 and 1.", (6, 1)),
    ]
    now = time.time()
    lines = [PlayLine(len(told) - i, now - 40 * i, *row) for i, row in enumerate(told)]
    return tuple(lines)


def devices() -> tuple[DeviceView, ...]:
    return (
        DeviceView("camera", "ok", "sees the board"),
        DeviceView("dice", "warn", "looking for the dice"),
        DeviceView("lamps", "off", "no lamps here"),
        DeviceView("journal", "ok", "written"),
    )


def roll_due() -> TableView:
    return TableView(
        version=1, game="parcheesi", title="Parcheesi", seats=seats(), due=0, due_kind=DueKind.ROLL,
        headline="Red, roll the dice.", position=POSITION, last=(("t9", "t13"),), plays=story(), devices=devices(),
        actions=("roll", "takeback", *ALWAYS), dice=(2,),
    )  # fmt: skip


def roll_off() -> TableView:
    start = {f"base{seat}": (seat,) * 4 for seat in range(4)}
    none_home = tuple(replace(seat, home=0) for seat in seats())
    return replace(
        roll_due(), seats=none_home, due=2, due_kind=DueKind.THROW, headline="Who begins? Yellow, throw the dice.",
        done="The board is set up", position=start, last=(), plays=(), actions=("roll", "confirm", *ALWAYS),
    )  # fmt: skip


def playing() -> TableView:
    return replace(
        roll_due(), due_kind=DueKind.PLAY, headline="Red, move 3.", roll=(5, 3), left=(3,), dice=(), done="Done",
        hints=(("t4", "t7"), ("lane0.3", "lane0.6")), actions=("confirm", "takeback", "correct", *ALWAYS),
        position={**POSITION, "base0": (0,), "t0": (0,)}, last=(("base0", "t0"),),
    )  # fmt: skip


def illegal() -> TableView:
    trouble = TroubleView(
        kind="illegal",
        text="Red counted 5 spaces, but the die that is left shows 3.",
        rules=(("PAR-4", "Each die moves one pawn by exactly its number; both may move the same pawn."),),
        put_right=((0, "t9", "t4"),),
        legal=((("t4", "t7"),), (("lane0.3", "lane0.6"),)),
        seen={"t4": (), "t9": (0,)},
        before="1/00001000-before.jpg",
        after="1/00002000-after.jpg",
    )
    return replace(playing(), trouble=trouble, actions=("takeback", "accept", "correct", *ALWAYS))


def unclear() -> TableView:
    trouble = TroubleView(
        kind="unclear",
        text="The dice were not heard. Was it 5 and 3, or 4 and 4?",
        rolls=((5, 3), (4, 4)),
        seen={"t4": (), "t12": (0,)},
    )
    return replace(roll_due(), trouble=trouble)


def setting_up() -> TableView:
    """Much stands elsewhere; the players' names are long."""
    start = {f"base{seat}": (seat,) * 4 for seat in range(4)}
    moves = tuple((seat, f"t{5 + 9 * seat + k}", f"base{seat}") for seat in range(4) for k in range(3))
    seen = {f"t{5 + 9 * seat + k}": (seat,) for seat in range(4) for k in range(3)}
    text = "To begin, please set up the board as the picture shows."
    trouble = TroubleView(kind="unclear", text=text, put_right=moves, seen=seen)
    members = ("Bartholomew" * 3, "Ann Bob Cleo Dora Emil Fritz Gustav Hans", "Ann", "")
    named = tuple(replace(seat, member=member) for seat, member in zip(seats(), members, strict=True))
    return replace(roll_off(), seats=named, due=0, due_kind=DueKind.ROLL, position=start, trouble=trouble)


def lost() -> TableView:
    trouble = TroubleView(kind="lost", text="The camera cannot see the board. Is something in front of it?")
    return replace(playing(), trouble=trouble)


def over() -> TableView:
    position = {**POSITION, "base0": (), "t4": (), "lane0.3": (), "home0": (0, 0, 0, 0)}
    return replace(
        roll_due(), due_kind=DueKind.OVER, headline="Red wins!", position=position, winner=(0,), dice=(),
        last=(("lane0.3", "home0"),), actions=("takeback", "newgame"),
    )  # fmt: skip


STATES = {
    "rolloff": roll_off, "roll": roll_due, "playing": playing, "illegal": illegal,
    "unclear": unclear, "setup": setting_up, "lost": lost, "over": over,
}  # fmt: skip
