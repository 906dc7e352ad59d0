"""Pretend players: they throw, move pawns by hand, cheat now and then, and put right what the referee objects to.

The script is a generator that yields what it waits for; `Players.advance` goes on when that has come. Times are
seconds of the table's clock. The players know the rules and the truth; they learn the rulings as people would, from
what is announced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from companion.games.catalogue import roll_off
from companion.games.contract import Game
from companion.model import Kind, Outcome, Position, Roll, Seat, Step, Verdict
from companion.referee.explain import put_right
from companion.referee.turn import Turn
from companion.virtual.cheats import Cheat, Move, cheats_after_roll, cheats_before_roll
from companion.virtual.tabletop import Hand, Pawn, Tabletop, shoulder_of
from companion.virtual.tally import Tally

MANY = 1_000_000
"""So many turns are one whole game, however long."""
PATIENCE = 20.0
"""Seconds that players wait for a ruling before they help themselves."""
REACH, CARRY = 0.45, 0.5
"""Seconds for a hand to come or go, and to carry a pawn to its place."""

Wait = Callable[[], bool]
Script = Generator[Wait, None, None]


class Dice(Protocol):
    """The dice as players see them."""

    def ready(self) -> bool:
        """Whether the lamp breathes: a throw is asked for."""
        ...

    def throw(self) -> tuple[int, ...]:
        """Press the button; what the dice then show."""
        ...


class Voice(Protocol):
    """What players can tell the referee."""

    def done(self) -> None:
        """Press the button "done"."""
        ...

    def accept(self) -> None:
        """Accept the board as it stands, on the phone."""
        ...

    def again(self) -> None:
        """Begin a new game, on the phone."""
        ...


@dataclass
class Players:
    """Everybody at the table. turns: how many rolls are played. cheat: probability that a turn begins with a foul.

    whims: probability of each thing that honest players do and a referee must not mind: a pawn taken back and
    played otherwise, slid on, nudged; a captured pawn returned late or early; a resting hand; a needless "done".
    start: the state to play from, in which a roll is due; None: from the throws for who begins.
    """

    game: Game[Any]
    table: Tabletop
    dice: Dice
    voice: Voice
    rng: random.Random
    tally: Tally
    turns: int
    cheat: float
    first: Seat
    whims: float = 0.0
    start: Any = None
    now: float = 0.0
    heard: list[Verdict] = field(default_factory=list)
    over: bool = False
    _script: Script | None = None
    _waits: Wait = field(default=lambda: True)

    def hear(self, verdict: Verdict) -> None:
        """A ruling was announced."""
        self.heard.append(verdict)
        self.tally.ruled(verdict)

    def advance(self, now: float) -> None:
        """Live on until `now`."""
        self.now = now
        self._script = self._script or self._play()
        while not self.over and self._waits():
            try:
                self._waits = next(self._script)
            except StopIteration:
                self.over = True

    # --- the game ---

    def _play(self) -> Script:
        """One game, and further ones until the turns are played; one that was begun elsewhere is played alone."""
        yield from self._game(self.start)
        while self.start is None and self.tally.turns < self.turns < MANY:
            self.heard.clear()
            self.voice.again()
            yield self._after(2.0)
            yield from self._game(None)

    def _game(self, state: Any) -> Script:
        self.table.set_up(self.game.position(self.game.opening(self.first) if state is None else state))
        yield self._after(1.0)
        self.tally.playing()
        if state is None:
            state = yield from self._who_begins()
        while self.tally.turns < self.turns and not self.game.winners(state):
            state = yield from self._turn(state)
        yield self._after(1.5)

    def _who_begins(self) -> Generator[Wait, None, Any]:
        throws = roll_off(self.game, self.first)
        while throws.due is not None:
            dice = yield from self._throw(throws.due)
            throws = throws.thrown(throws.due, sum(dice))
        assert throws.first is not None
        return self.game.opening(throws.first)

    def _turn(self, state: Any) -> Generator[Wait, None, Any]:
        if self.rng.random() < self.cheat / 4:
            yield from self._cheat(cheats_before_roll(self.game, state, self.rng), state)
        dice = yield from self._throw(self.game.due(state).seat)
        self.tally.turns += 1
        turn = Turn.of(self.game, state, Roll(dice))
        if turn.must_pass:
            return self.game.stop(turn.root)
        if self.rng.random() < self.cheat:
            yield from self._cheat(cheats_after_roll(turn, self.rng), turn.root)
        if self._whim():
            yield from self._fidget(turn.seat)
        outcomes = self.game.outcomes(turn.root)
        outcome = self.rng.choice(outcomes)
        yield from self._play_steps(outcome.steps)
        if self._whim():
            self.voice.done()
        yield from self._until_accepted(outcome.state)
        if self._whim() and not self.game.winners(outcome.state):
            outcome = yield from self._change_mind(turn, outcome, self.rng.choice(outcomes))
        return outcome.state

    def _play_steps(self, steps: tuple[Step, ...]) -> Script:
        self.tally.playing()
        for number, step in enumerate(steps):
            yield from self._play_step(step)
            if number + 1 < len(steps) and self.rng.random() < 0.6:
                yield from self._leave()
                yield self._after(self.rng.uniform(0.3, 1.6))
        yield from self._leave()

    def _play_step(self, step: Step) -> Script:
        """A captured pawn goes back first or last, at once or after a moment with the hand away."""
        moves: list[Move] = [(step.seat, step.origin, step.target)]
        moves += [(seat, step.target, base) for seat, base in step.captures]
        if step.captures and self.rng.random() < 0.5:
            moves.reverse()
        for number, move in enumerate(moves):
            if number and self._whim():
                yield from self._leave()
                yield self._after(self.rng.uniform(0.2, 1.0))
            yield from self._move_all((move,), step.seat)

    # --- honest whims ---

    def _whim(self) -> bool:
        return self.rng.random() < self.whims

    def _change_mind(self, turn: Turn, played: Outcome, other: Outcome) -> Generator[Wait, None, Outcome]:
        """While the turn is open: take the play back and play otherwise, or slide on to another legal play."""
        before, after = self.game.position(played.state), self.game.position(other.state)
        same = self.game.due(other.state) == self.game.due(played.state)
        if before == after or self.game.winners(other.state) or not same:
            return played
        if self.rng.random() < 0.5:
            yield from self._bring(before, self.game.position(turn.root), turn.seat)
            yield self._after(self.rng.uniform(0.2, 2.5))
            yield from self._play_steps(other.steps)
        else:
            yield from self._bring(before, after, turn.seat)
        yield self._after(1.2)
        yield from self._until_accepted(other.state)
        return other

    def _bring(self, before: Position, after: Position, seat: Seat) -> Script:
        """Move pawns so that the board shows `after`."""
        yield from self._move_all(put_right(before, after), seat)
        yield from self._leave()

    def _fidget(self, seat: Seat) -> Script:
        """Something that is no move at all."""
        yield from self.rng.choice((self._nudge, self._rearrange, self._rest))(seat)
        yield from self._leave()
        yield self._after(self.rng.uniform(0.1, 1.5))

    def _nudge(self, seat: Seat) -> Script:
        """Put one pawn down again where it stands."""
        pawn = self.rng.choice(self.table.pawns)
        yield from self._carry(pawn.seat, pawn.space, pawn.space, seat)

    def _rearrange(self, seat: Seat) -> Script:
        """Put the pawns of the circle down again."""
        own = f"base{seat}"
        for _ in range(sum(pawn.space == own and pawn.seat == seat for pawn in self.table.pawns)):
            yield from self._carry(seat, own, own, seat)

    def _rest(self, seat: Seat) -> Script:
        """Leave the hand on the board for a while."""
        yield from self._reach(self.rng.choice(self.table.pawns).at, seat)
        yield self._after(self.rng.uniform(1.0, 9.0))

    def _until_accepted(self, state: Any) -> Script:
        """Wait until the referee goes on: the dice are asked for, or the game is over."""
        since = self.now

        def goes_on() -> bool:
            return self.dice.ready() or self._was_said(Kind.OVER) or self.now - since > PATIENCE

        self.heard.clear()
        yield goes_on
        accepted = self.dice.ready() or bool(self.game.winners(state))
        self.tally.played(accepted)
        if not accepted:
            self.voice.accept()
            yield self._after(1.0)

    def _was_said(self, kind: Kind) -> bool:
        return any(verdict.kind is kind for verdict in self.heard)

    def _throw(self, seat: Seat) -> Generator[Wait, None, tuple[int, ...]]:
        yield self.dice.ready
        yield self._after(self.rng.uniform(0.2, 0.8))
        dice = self.dice.throw()
        self.tally.thrown += 1
        yield self._after(0.3)
        return dice

    # --- fouls ---

    def _cheat(self, cheats: list[Cheat], state: Any) -> Script:
        if not cheats:
            return
        kinds = sorted(cheats, key=lambda cheat: self.tally.shown_of(cheat.kind))
        cheat = kinds[0] if self.rng.random() < 0.5 else self.rng.choice(cheats)
        before = list(self.table.pawns)
        seat = cheat.moves[0][0] if cheat.kind == "out_of_turn" else self.game.due(state).seat
        yield from self._move_all(cheat.moves, seat)
        yield from self._leave()
        self.heard.clear()
        self.tally.foul(cheat)
        if cheat.says_done:
            yield self._after(self.rng.uniform(0.0, 1.5))
            self.voice.done()
        since = self.now
        yield lambda: self.tally.is_flagged() or self.now - since > PATIENCE
        yield self._after(0.8)
        yield from self._put_back(before, seat)
        yield self._after(1.0)
        self.tally.put_right()
        self.heard.clear()
        yield self._after(0.5)

    def _put_back(self, before: list[Pawn], seat: Seat) -> Script:
        for pawn in list(self.table.pawns):
            if pawn not in before:
                yield from self._reach(pawn.at, seat)
                self.table.pawns.remove(pawn)
        for pawn in before:
            if pawn not in self.table.pawns:
                yield from self._reach(pawn.at, seat)
                self.table.pawns.append(pawn)
        yield from self._leave()

    # --- hands ---

    def _move_all(self, moves: tuple[Move, ...], seat: Seat) -> Script:
        for owner, origin, target in moves:
            yield from self._carry(owner, origin, target, seat)

    def _carry(self, owner: Seat, origin: str, target: str, seat: Seat) -> Script:
        """One pawn by hand; from or to "" is from beside the board."""
        pawn = next((p for p in self.table.pawns if p.seat == owner and p.space == origin), None)
        start = pawn.at if pawn else shoulder_of(self.table.sheet, seat)
        yield from self._reach(start, seat)
        lifted = Pawn(owner, "", start, lift=25.0)
        if pawn:
            self.table.pawns.remove(pawn)
        self.table.pawns.append(lifted)
        place = self.table.placed(owner, target) if target else None
        end = place.at if place else shoulder_of(self.table.sheet, seat)
        yield from self._glide(lifted, end, seat)
        self.table.pawns = [p for p in self.table.pawns if not p.lift]
        if place:
            self.table.pawns.append(place)
        yield self._after(0.15)

    def _reach(self, place: tuple[float, float], seat: Seat) -> Script:
        """Bring the hand to a place: from beside the board, or from where it is."""
        shoulder = shoulder_of(self.table.sheet, seat)
        hand = self.table.hand
        start = hand.at if hand is not None and hand.seat == seat else shoulder
        yield from self._sweep(start, place, seat, REACH)

    def _leave(self) -> Script:
        hand = self.table.hand
        if hand is not None:
            yield from self._sweep(hand.at, hand.shoulder, hand.seat, REACH)
            self.table.hand = None

    def _glide(self, pawn: Pawn, end: tuple[float, float], seat: Seat) -> Script:
        start, since = pawn.at, self.now
        held = pawn
        while self.now < since + CARRY:
            at = _between(start, end, (self.now - since) / CARRY)
            moved = replace(held, at=at)
            self.table.pawns[self.table.pawns.index(held)] = moved
            held = moved
            self.table.hand = Hand(seat, at, shoulder_of(self.table.sheet, seat))
            yield self._after(0.05)

    def _sweep(self, start: tuple[float, float], end: tuple[float, float], seat: Seat, seconds: float) -> Script:
        since = self.now
        while self.now < since + seconds:
            at = _between(start, end, (self.now - since) / seconds)
            self.table.hand = Hand(seat, at, shoulder_of(self.table.sheet, seat))
            yield self._after(0.05)
        self.table.hand = Hand(seat, end, shoulder_of(self.table.sheet, seat))

    def _after(self, seconds: float) -> Wait:
        until = self.now + seconds
        return lambda: self.now >= until


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """A place on the way, slow at both ends."""
    smooth = share * share * (3 - 2 * share)
    return start[0] + (end[0] - start[0]) * smooth, start[1] + (end[1] - start[1]) * smooth
