"""Why a step is not legal in Aggravation: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices, `dice` is a list of the one number rolled. Facts by rule:

COM-2   seat (moved), due (whose turn it is)
COM-3   seat (moved), due (whose marbles may be moved); or no_pawn: true, seat, space (where no such marble stands)
COM-4   dice, parts (the same), bonuses ([]), unfinished: true; where another's marbles play it due, plays, as AGG-20
COM-6   winner (a seat), winners (all of its side)
AGG-1   dice, start (the seat's START); space, where it was put elsewhere
AGG-3   space (START), own: true
AGG-4   before_roll: true
        count, dice · backwards: true, count (0 where it was put into BASE), dice
        nowhere: true, space (where this marble can never stand)
AGG-5   space (where one's own marble stands), landing: whether the step ends there
AGG-8   space (beyond one's own mouth)
AGG-9   exact: true, count, dice · lane_of: seat, space · from_home: true, space
AGG-10  beyond: true, star (one's own section's) · hops, count (with the rest), dice: a star run of another count
AGG-11  star (passed in mid-move)
AGG-12  on_star: true, dice · count (what leads into the centre; 0 where no star lies ahead), dice
AGG-13  dice, where no 1 was rolled · space, where it is no star
AGG-20  seat (moved), due (the roller), plays (whose marbles the roll moves)
AGG-22  the same, in teams · declare: true, due, seat, teammates (of whom one is to be declared)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.games.aggravation_board import BASE, CENTER, SECTION, START
from companion.games.aggravation_walk import BITS, STARTING, ways
from companion.model import Objection, Seat, Step

if TYPE_CHECKING:
    from companion.games.aggravation import Aggravation, State

LONGEST = 12
"""Holes up to which a move is taken for a walk along the track, with a wrong count at worst."""
RUN_OUT = 6
"""Holes behind a star up to which a marble may have come from it by a roll that it reached by a hop."""


def objections(game: Aggravation, state: State, step: Step) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal."""
    found = tuple(_of_turn(game, state, step))
    return found or tuple(_Play(game, state, step).objections())


def unfinished(game: Aggravation, state: State) -> tuple[Objection, ...]:
    """The rule broken by leaving the play here, where something other than a shortcut can be moved."""
    facts = {"dice": [state.roll], "parts": [state.roll], "bonuses": [], "unfinished": True}
    plays = game.mover(state)
    return (Objection("COM-4", facts if plays == state.due else facts | {"due": state.due, "plays": plays}),)


def _of_turn(game: Aggravation, state: State, step: Step) -> Iterator[Objection]:
    """COM-2, COM-3, COM-6, AGG-20 and AGG-22: not that player's marbles now, or no such marble."""
    won = game.winners(state)
    if won:
        yield Objection("COM-6", {"winner": won[0], "winners": list(won)})
    mates = game.partners(state)
    if mates and not won:
        yield from _before_declaring(state, step, mates)
    elif step.seat != game.mover(state):
        yield from _not_the_mover(game, state, step)
    if not _stands(game, state, step.seat, step.origin):
        yield Objection("COM-3", {"no_pawn": True, "seat": step.seat, "space": step.origin})


def _before_declaring(state: State, step: Step, mates: tuple[Seat, ...]) -> Iterator[Objection]:
    due = state.due
    if step.seat not in (due, *mates):
        yield Objection("COM-2", {"seat": step.seat, "due": due})
    yield Objection("AGG-22", {"declare": True, "due": due, "seat": step.seat, "teammates": list(mates)})


def _not_the_mover(game: Aggravation, state: State, step: Step) -> Iterator[Objection]:
    mover, due = game.mover(state), state.due
    if mover != due and (state.roll or step.seat == due):
        rule = "AGG-22" if len(game.sides[0]) > 2 else "AGG-20"
        yield Objection(rule, {"seat": step.seat, "due": due, "plays": mover})
    yours = Objection("COM-3", {"seat": step.seat, "due": mover})
    turn = Objection("COM-2", {"seat": step.seat, "due": due})
    if step.seat == due:
        yield yours
    else:
        yield from (yours, turn) if state.roll else (turn, yours)


def _stands(game: Aggravation, state: State, seat: Seat, space: str) -> bool:
    return seat in game.seats and game.board.progress[seat].get(space) in state.pieces[seat]


class _Play:
    """A marble of the mover was moved from `origin`, where it stood, to a space."""

    def __init__(self, game: Aggravation, state: State, step: Step) -> None:
        self.board, self.seat, self.space = game.board, step.seat, step.target
        self.names, self.roll = game.board.names[step.seat], state.roll
        known = game.board.progress[step.seat]
        self.origin, self.target = known[step.origin], known.get(step.target)
        self.own = set(state.pieces[step.seat]) - {BASE}
        self.dice = {"dice": [state.roll]}

    def objections(self) -> Iterator[Objection]:
        if not self.roll:
            yield Objection("AGG-4", {"before_roll": True})
        elif self.target == self.origin:
            yield Objection("AGG-4", {"count": 0, **self.dice})
        elif self.origin == BASE:
            yield from self.starting()
        elif self.origin == CENTER:
            yield from self.leaving_center()
        elif self.target is None or self.target < self.origin or self.target == CENTER:
            yield from self.elsewhere()
        else:
            yield from self.forward(self.target)

    def starting(self) -> Iterator[Objection]:
        """AGG-1 and AGG-3: a marble out of BASE."""
        facts = {**self.dice, "start": self.names[START]}
        if self.roll not in STARTING:
            yield Objection("AGG-1", facts)
        elif self.target != START:
            yield Objection("AGG-1", {**facts, "space": self.space})
        if self.target == START and START in self.own:
            yield Objection("AGG-3", {"space": self.space, "own": True})

    def leaving_center(self) -> Iterator[Objection]:
        """AGG-13: a marble out of the centre."""
        if self.roll != 1:
            yield Objection("AGG-13", self.dice)
        if self.target not in self.board.stars:
            yield Objection("AGG-13", {"space": self.space})
        elif self.target in self.own:
            yield self.own_marble(self.target)

    def elsewhere(self) -> Iterator[Objection]:
        """A marble of the track or HOME was put into the centre, back, past its HOME or where it cannot stand."""
        if self.space.startswith("lane") and self.target is None and self.space in self.board.spaces:
            yield Objection("AGG-9", {"lane_of": int(self.space[4]), "space": self.space})
        elif self.space.startswith("base") and self.target == BASE:
            yield Objection("AGG-4", {"backwards": True, "count": 0, **self.dice})
        elif self.space not in self.board.spaces or self.space.startswith("base"):
            yield Objection("AGG-4", {"nowhere": True, "space": self.space})
        elif self.space.startswith("lane"):
            yield self.backwards(self.origin - (self.target or 0))
        elif self.origin > self.board.mouth:
            yield Objection("AGG-9", {"from_home": True, "space": self.space})
        elif self.target == CENTER:
            yield from self.into_center()
        else:
            yield from self.back_or_past()

    def into_center(self) -> Iterator[Objection]:
        """AGG-12, and AGG-5 where the count is right."""
        if self.origin in self.board.stars and self.roll != 1:
            yield Objection("AGG-12", {"on_star": True, **self.dice})
            return
        star = next((star for star in self.board.stars if star >= self.origin), None)
        count = 0 if star is None else star + 1 - self.origin
        if star is None or count != self.roll:
            yield Objection("AGG-12", {"count": count, **self.dice})
        else:
            yield from self.closed((*range(self.origin + 1, star + 1), CENTER))

    def back_or_past(self) -> Iterator[Objection]:
        """A track hole that is not ahead of the marble: past its own star or mouth, or the shorter way back."""
        track = self.board.track
        ahead = (int(self.space[1:]) - self.board.hole(self.seat, self.origin)) % track
        if self.origin in self.board.stars and self.runs_beyond(ahead):
            yield Objection("AGG-10", {"beyond": True, "star": self.names[self.board.own_star]})
        elif ahead <= track - ahead:
            yield Objection("AGG-8", {"space": self.space})
        else:
            yield self.backwards(track - ahead)

    def runs_beyond(self, ahead: int) -> bool:
        """Whether a star run of this roll, with no end at the own section's star, would go so far ahead."""
        return ahead in (self.roll + (SECTION - 1) * hops for hops in range(1, self.roll + 1))

    def backwards(self, count: int) -> Objection:
        return Objection("AGG-4", {"backwards": True, "count": count, **self.dice})

    def forward(self, target: int) -> Iterator[Objection]:
        """Ahead on its own way: another count than that of the roll, or a marble of one's own in the way."""
        way = next((way for way in ways(self.board, self.origin, self.roll) if way.target == target), None)
        if way is not None:
            yield from self.closed(tuple(p for p in sorted((*self.own, target)) if way.held & BITS[p]))
            return
        yield from self.miscounted(target)
        walked = range(self.origin + 1, target + 1) if target - self.origin <= LONGEST else (target,)
        yield from self.closed(tuple(walked))

    def miscounted(self, target: int) -> Iterator[Objection]:
        """No way of this roll leads there: a star run that is none, or the wrong count."""
        count, star = target - self.origin, self.star_passed(target)
        run = self.run_to(target) if self.origin in self.board.stars else None
        if star is not None:
            yield Objection("AGG-11", {"star": self.names[star]})
        elif run is not None:
            yield Objection("AGG-10", {"hops": run[0], "count": sum(run), **self.dice})
        if target > self.board.mouth:
            yield Objection("AGG-9", {"exact": True, "count": count, **self.dice})
        back = self.board.track - count
        if run is None and target <= self.board.mouth and back < count:
            yield self.backwards(back)  # over its START hole
        elif run is None:
            yield Objection("AGG-4", {"count": count, **self.dice})

    def star_passed(self, target: int) -> int | None:
        """The star that the marble came to in mid-move, if it then ran the stars with the rest of the roll."""
        for star in self.board.stars:
            reached = star - self.origin
            if 0 < reached < self.roll:
                later = ways(self.board, star, self.roll - reached)
                return star if any(w.shortcut and w.target == target for w in later) else None
        return None

    def run_to(self, target: int) -> tuple[int, int] | None:
        """How a marble on a star may have run to `target` by another count: hops, and holes along the track."""
        last = max(star for star in self.board.stars if star <= target)
        hops = (last - self.origin) // SECTION
        return (hops, target - last) if hops and target - last < RUN_OUT else None

    def closed(self, holes: tuple[int, ...]) -> Iterator[Objection]:
        """AGG-5: the first of the mover's own marbles on the way, `holes`, the last being where the step ends."""
        first = next((hole for hole in holes if hole in self.own), None)
        if first is not None:
            yield self.own_marble(first, landing=first == holes[-1])

    def own_marble(self, progress: int, landing: bool = True) -> Objection:
        facts: dict[str, Any] = {"space": self.names[progress], "landing": landing}
        return Objection("AGG-5", facts)
