"""The first paint: what the page shows before its scripts run, and without them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from companion.model import Content, DueKind, Seat
from companion.model.past import SET_SINCE
from companion.model.table import MARKS, SeatView, TableView
from companion.page.answers import capital
from companion.page.plan import Plan, nouns_of

RIM, MOST_RIMS = 0.11, 4
"""The width of a rim by the diameter of a piece, and how many are drawn; the scripts of the page draw the same."""
EVENING = 12 * 3600
"""What is older than an evening, seconds, has its date; the scripts know it too."""
MOST_ARROWS = 4
"""With more moves than these to put the board right, it is drawn as it should be; the scripts know the same number."""


@dataclass(frozen=True, slots=True)
class Pawn:
    """A piece to draw: whose, with which mark, where (mm).

    rims: of the pieces under it, the lowest first, as (seat, radius in mm). height: of its stack.
    """

    seat: Seat
    mark: str
    x: float
    y: float
    rims: tuple[tuple[Seat, float], ...] = ()
    height: int = 1


@dataclass(frozen=True, slots=True)
class Paint:
    """What templates need beside the view. due: whose turn, None when the game is over. spoken: the board in words.

    faces: the dice of the roll as (value, whether it is played already). extra: numbers left that are no dice (a
    bonus). times: of the plays, by `clock`.
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
        times=[clock(play.wall, time.time()) for play in view.plays],
    )


def clock(wall: float, now: float) -> str:
    """When a play was: "21:05", of another evening "20 Nov 21:05", "" where the clock was not set yet."""
    if wall < SET_SINCE:
        return ""
    at = time.localtime(wall)
    date = "" if abs(now - wall) < EVENING else f"{at.tm_mday} {time.strftime('%b', at)} "
    return f"{date}{time.strftime('%H:%M', at)}"


def _shown(view: TableView) -> dict[str, Any]:
    """What stands on the board: as the referee takes it, and as seen where that is wrong; not where much is wrong."""
    trouble = view.trouble
    few = trouble is not None and len(trouble.put_right) <= MOST_ARROWS
    return {**view.position, **(trouble.seen if trouble is not None and few else {})}


def _pawns(view: TableView, plan: Plan) -> list[Pawn]:
    marks = {seat.seat: seat.mark for seat in view.seats}
    found = []
    for name, content in sorted(_shown(view).items()):
        place, stack = plan.place(name), _stack(view, name, content)
        for seat, (x, y) in zip(content, place.spots(len(content)), strict=True) if place else ():
            mark, at = marks.get(seat, MARKS[seat % len(MARKS)]), (round(x, 2), round(y, 2))
            found.append(Pawn(seat, mark, *at, rims(stack, plan.diameter), max(1, len(stack))))
    return found


def _stack(view: TableView, name: str, content: Content) -> Content:
    """The stack of which the top is seen there; () where there is none."""
    stack = view.stacks.get(name, ())
    return tuple(stack) if len(content) == 1 and stack and stack[-1] == content[0] else ()


def rims(stack: Content, diameter: float) -> tuple[tuple[Seat, float], ...]:
    """What is seen of the pieces under the top of a stack: a rim each, the uppermost few."""
    below = stack[:-1][-MOST_RIMS:]
    return tuple((seat, round(diameter * (0.5 + RIM * (len(below) - i)), 2)) for i, seat in enumerate(below))


def spoken(view: TableView, plan: Plan) -> list[str]:
    """The board in words, one sentence a seat: "Red: 2 on red's circle, 1 on space 12."."""
    nouns, playing = nouns_of(view.nouns), players(view)
    board = {**_shown(view), **view.stacks}
    sentences = []
    for seat in view.seats:
        where: Counter[str] = Counter()
        for name, content in board.items():
            where[plan.label(name, nouns, playing)] += Counter(content)[seat.seat]
        parts = [f"{count} on {label}" for label, count in where.items() if count]
        sentences.append(f"{capital(seat.name)}: {', '.join(parts) or 'no pieces on the board'}.")
    return sentences


def players(view: TableView) -> frozenset[Seat]:
    """The seats that play."""
    return frozenset(seat.seat for seat in view.seats)


def faces(view: TableView) -> list[tuple[int, bool]]:
    """The dice of the roll, each with whether it is played already; none where they are another player's past."""
    left = Counter(view.left)
    shown = []
    for value in view.roll if view.due_kind is DueKind.PLAY else ():
        shown.append((value, left[value] <= 0))
        left[value] -= 1
    return shown
