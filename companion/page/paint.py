"""The first paint: what the page shows before its scripts run, and without them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from companion.model import DueKind, Seat
from companion.model.table import MARKS, SeatView, TableView
from companion.page.plan import Plan


@dataclass(frozen=True, slots=True)
class Pawn:
    """A piece to draw: whose, with which mark, where (mm)."""

    seat: Seat
    mark: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Paint:
    """What templates need beside the view. due: whose turn, None when the game is over. spoken: the board in words.

    faces: the dice of the roll as (value, whether it is played already). extra: numbers left that are no dice (a
    bonus). times: of the plays, "21:05".
    """

    due: SeatView | None
    pawns: list[Pawn]
    spoken: list[str]
    faces: list[tuple[int, bool]]
    extra: list[int]
    times: list[str]


def first_paint(view: TableView, plan: Plan) -> Paint:
    """Everything drawn of `view`."""
    over = view.due_kind is DueKind.OVER
    return Paint(
        due=None if over else next((seat for seat in view.seats if seat.seat == view.due), None),
        pawns=_pawns(view, plan),
        spoken=spoken(view, plan),
        faces=faces(view),
        extra=sorted((Counter(view.left) - Counter(view.roll)).elements()) if view.due_kind is DueKind.PLAY else [],
        times=[time.strftime("%H:%M", time.localtime(play.wall)) for play in view.plays],
    )


def _shown(view: TableView) -> dict[str, Any]:
    """What stands on the board: as the referee takes it, and as seen where that is wrong."""
    return {**view.position, **(view.trouble.seen if view.trouble else {})}


def _pawns(view: TableView, plan: Plan) -> list[Pawn]:
    marks = {seat.seat: seat.mark for seat in view.seats}
    return [
        Pawn(seat, marks.get(seat, MARKS[seat % len(MARKS)]), round(x, 2), round(y, 2))
        for name, content in sorted(_shown(view).items())
        if (place := plan.place(name))
        for seat, (x, y) in zip(content, place.spots(len(content)), strict=True)
    ]


def spoken(view: TableView, plan: Plan) -> list[str]:
    """The board in words, one sentence a seat: "Red: 2 on red's circle, 1 on space 12."."""
    board = _shown(view)
    sentences = []
    for seat in view.seats:
        where = [(plan.label(name), Counter(content)[seat.seat]) for name, content in board.items()]
        parts = [f"{count} on {label}" for label, count in where if count]
        sentences.append(f"{seat.name.capitalize()}: {', '.join(parts) or 'no pieces on the board'}.")
    return sentences


def faces(view: TableView) -> list[tuple[int, bool]]:
    """The dice of the roll, each with whether it is played already; none where they are another player's past."""
    playing = view.due_kind is DueKind.PLAY
    left = Counter(view.left)
    shown = []
    for value in view.roll if playing or view.trouble else ():
        shown.append((value, not playing or left[value] <= 0))
        left[value] -= 1
    return shown
