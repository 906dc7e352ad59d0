"""Pretend players of any game: they throw, answer, challenge and move by hand, and sometimes cheat.

What the referee objects to they put right.

The script is a generator that yields what it waits for; `Players.advance` goes on when that has come. Times are
seconds of the table's clock. The players know the rules and the truth; they learn the rulings as people would, from
what is announced. Their decisions come from `rng` alone, their pace from `pace`, and how they put pieces down from the
table's own chance: as long as the referee rules the same, the same seed is the same game, however slow the machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from companion.games.catalogue import roll_off
from companion.games.contract import Game
from companion.games.game_of_god import GameOfGod
from companion.model import BadInput, DueKind, Kind, Outcome, Position, Roll, Seat, Step, Verdict
from companion.referee.explain import put_right
from companion.referee.turn import Turn
from companion.virtual.cheats import Cheat, cheats_at
from companion.virtual.cheats_special import placed_anyway
from companion.virtual.choices import a_set_up, choose, tops
from companion.virtual.hands import Hands, Script, Wait
from companion.virtual.occasion import Move, Occasion, between, in_play
from companion.virtual.tabletop import Tabletop
from companion.virtual.tally import Tally

MANY = 1_000_000
"""So many turns are one whole game, however long."""
PATIENCE = 20.0
"""Seconds that players wait for a ruling before they help themselves."""
MOST_ALIKE = 12
"""How many states that look alike players keep in mind, so that they take nothing for a foul that might be legal."""
KNOWN, CHALLENGED, DECLINED_ALOUD = 0.75, 0.65, 0.5
"""How often an answer is right, a challenge is made, and one that is not made is said."""

State = Any
Next = Generator[Wait, None, State]


class Dice(Protocol):
    """The dice as players see them."""

    def ready(self, count: int) -> bool:
        """Whether a throw of so many dice is asked for; 0: of any number."""
        ...

    def throw(self, count: int) -> tuple[int, ...]:
        """Press the button; what the dice then show; () where they did not roll."""
        ...


class Voice(Protocol):
    """What players can tell the referee."""

    def done(self) -> None:
        """Press the button "done"."""
        ...

    def answer(self, reader: Seat, right: bool) -> None:
        """Whoever reads the question says whether it was known."""
        ...

    def declare(self, seat: Seat, plays: Seat) -> None:
        """Say whose pieces play the roll."""
        ...

    def challenge(self, target: str) -> None:
        """Challenge the piece on a space; "" where only one can be meant."""
        ...

    def choose(self, count: int) -> None:
        """Say how many dice will be thrown."""
        ...

    def accept(self, state: State) -> None:
        """The referee did not see it: say that the game goes on from `state`."""
        ...

    def again(self) -> None:
        """Begin a new game, on the phone."""
        ...


@dataclass
class Players:
    """Everybody at the table. turns: how many are played. cheat: probability that a turn begins with a foul.

    whims: probability of each thing that honest players do and a referee must not mind: a piece taken back and
    played otherwise, slid on, nudged; a captured piece returned late or early; a resting hand; a needless "done".
    start: the state to play from, in which a turn begins; None: from the throws for who begins. hasty: rolls by hand
    do not wait for the referee.
    """

    game: Game[Any]
    table: Tabletop
    dice: Dice
    voice: Voice
    rng: random.Random
    pace: random.Random
    tally: Tally
    turns: int
    cheat: float
    first: Seat
    whims: float = 0.0
    start: State = None
    hasty: bool = False
    heard: list[Verdict] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        self.hands = Hands(self.table)
        self._script: Script | None = None
        self._waits: Wait = lambda: True
        self._alike: tuple[State, ...] = ()
        self._open: tuple[Turn, ...] = ()
        self._last: dict[Seat, tuple[Step, ...]] = {}

    @property
    def now(self) -> float:
        """The table's time."""
        return self.hands.now

    def hear(self, verdict: Verdict) -> None:
        """A ruling was announced."""
        self.heard.append(verdict)
        self.tally.ruled(verdict)

    def advance(self, now: float) -> None:
        """Live on until `now`."""
        self.hands.now = now
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
            yield self.hands.after(2.0)
            yield from self._game(None)

    def _game(self, state: State) -> Script:
        shown = self.game.opening(self.first) if state is None else state
        self.table.set_up(self.game.everything(shown))
        self._open, self._last = (), {}
        yield self.hands.after(1.0)
        self.tally.playing()
        if state is None:
            state = yield from self._begin()
        self._alike = (state,)
        while self.tally.turns < self.turns and self.game.due(state).kind is not DueKind.OVER:
            state = yield from self._next(state)
        yield self.hands.after(1.5)

    def _begin(self) -> Next:
        """Throw for who begins; where the set-up is chosen, first for who chooses it."""
        if not isinstance(self.game, GameOfGod) or not self.game.chooses_setup:
            first = yield from self._who_is_first(self.first)
            return self.game.opening(first)
        chooser = yield from self._who_is_first(self.first)
        position = a_set_up(self.game, self.rng)
        wrong = a_set_up(self.game, self.rng, mirrored=False)
        cheats = self.rng.random() < self.cheat and wrong != position
        self.table.set_up(wrong if cheats else position)
        if cheats:
            self.tally.foul(Cheat("set_up", (), frozenset({self.game.setup_rule})))
        first = yield from self._who_is_first(chooser)
        if cheats:
            yield self._until(self.tally.is_flagged)
            self.table.set_up(position)
            yield from self._is_right_again()
        yield self.hands.after(3.0)
        return self.game.set_up(tops(position), first)

    def _who_is_first(self, begins: Seat) -> Generator[Wait, None, Seat]:
        throws = roll_off(self.game, begins)
        while throws.due is not None:
            dice = yield from self._throw(self.game.opening_dice)
            throws = throws.thrown(throws.due, sum(dice))
        assert throws.first is not None
        return throws.first

    def _next(self, state: State) -> Next:
        """What is due, whatever it is."""
        kind = self.game.due(state).kind
        if kind is not DueKind.PLAY:
            share = self.cheat if kind is DueKind.MOVE else self.cheat / 4
            yield from self._cheat_by(share, lambda: between(self.game, self._alike, self._open))
        script = {
            DueKind.QUESTION: self._question,
            DueKind.DECLARATION: self._declaration,
            DueKind.ROLL: self._roll,
            DueKind.MOVE: self._move,
            DueKind.CHALLENGE: self._challenge,
            DueKind.THROW: self._one_throw,
            DueKind.PLAY: self._placing,
        }[kind]
        return (yield from script(state))

    def _went_on(self, state: State, change: Callable[[State], State]) -> State:
        """The game after a word or a throw, in each state that it could be in."""
        found = [change(state)]
        for other in self._alike[1:]:
            try:
                found.append(change(other))
            except BadInput:
                continue
        self._alike = tuple(dict.fromkeys(found))
        return found[0]

    # --- words and throws ---

    def _question(self, state: State) -> Next:
        reader, right = self.game.reader(state), self.rng.random() < KNOWN
        yield self._pause(0.3, 1.5)
        self.heard.clear()
        self.voice.answer(reader, right)
        if not right:
            self.tally.turns += 1
            self._open = ()
            yield self._until(lambda: self._was_said(Kind.PASS))
        return self._went_on(state, lambda one: self.game.answer(one, right))

    def _declaration(self, state: State) -> Next:
        plays = self.rng.choice(self.game.partners(state))
        yield self._pause(0.3, 1.5)
        self.voice.declare(self.game.due(state).seat, plays)
        return self._went_on(state, lambda one: self.game.declare(one, plays))

    def _roll(self, state: State) -> Next:
        due = self.game.due(state)
        count = self.rng.choice(due.dice)
        dice = yield from self._throw(count, say=len(due.dice) > 1)
        self.tally.turns += 1
        turns = tuple(Turn.of(self.game, one, Roll(dice)) for one in self._alike)
        if turns[0].must_pass:
            self._open = turns
            yield self._until(lambda: self.hasty or self._was_said(Kind.PASS))
            return self._went_on(turns[0].root, self.game.stop)
        return (yield from self._turn(turns))

    def _move(self, state: State) -> Next:
        self.tally.turns += 1
        turns = tuple(Turn.without_dice(self.game, one) for one in self._alike if self._moves(one))
        return (yield from self._turn(turns))

    def _moves(self, state: State) -> bool:
        return self.game.due(state).kind is DueKind.MOVE

    def _challenge(self, state: State) -> Next:
        """Announce a challenge by phone, or just throw; or decline, aloud or by playing on."""
        seat, targets = self.game.due(state).seat, self.game.targets(state)
        yield self._pause(0.5, 2.0)
        if self.rng.random() >= CHALLENGED:
            if self.rng.random() < DECLINED_ALOUD:
                self.voice.done()
                yield self.hands.after(0.6)
            return self._went_on(state, self.game.stop)
        target = self.rng.choice(targets)
        plain = len(targets) == 1 and self._is_plain(state)
        by_throwing = plain and self.rng.random() < 0.5
        if not by_throwing:
            self.voice.challenge(target if not plain or self.rng.random() < 0.5 else "")
            yield self.hands.after(0.6)
        challenged = self._went_on(state, lambda one: self.game.challenge(one, target))
        if not by_throwing:
            return challenged
        value = sum((yield from self._throw(1)))
        return self._went_on(challenged, lambda one: self.game.throw(one, seat, value))

    def _is_plain(self, state: State) -> bool:
        """Whether it can be seen whose piece is challenged where nobody says which."""
        only = (targets[0] for targets in map(self.game.targets, self._alike) if len(targets) == 1)
        return len({self.game.position(state).at(space) for space in only}) == 1

    def _one_throw(self, state: State) -> Next:
        seat = self.game.due(state).seat
        value = sum((yield from self._throw(1)))
        after = self._went_on(state, lambda one: self.game.throw(one, seat, value))
        if self._moves(after):
            self._open = ()
            equal = partial(placed_anyway, before=state)
            yield from self._cheat_by(self.cheat, lambda: between(self.game, self._alike, ()), equal)
        return after

    def _placing(self, state: State) -> Next:
        """Put the piece on the other, or leave it where one may; whoever leaves it plays on."""
        turns = tuple(Turn.without_dice(self.game, one) for one in self._alike)
        if self.game.may_stop(state) and self.rng.random() < 0.4:
            self._open = turns
            return self._went_on(state, self.game.stop)
        return (yield from self._turn(turns))

    def _throw(self, count: int, say: bool = False) -> Generator[Wait, None, tuple[int, ...]]:
        """Throw so many dice, once they are asked for. say: the number is chosen."""
        dice: tuple[int, ...] = ()
        while not dice:
            self.heard.clear()
            if say:
                self.voice.choose(count)
            yield self._until(lambda: self.dice.ready(count))
            yield self._pause(0.2, 0.8)
            if self.dice.ready(count):
                self.tally.throwing()
                dice = self.dice.throw(count)
        self.tally.thrown += 1
        yield self.hands.after(0.3)
        return dice

    # --- playing ---

    def _turn(self, turns: tuple[Turn, ...]) -> Next:
        """Play, after a foul or a fidget perhaps; think better of it perhaps."""
        turn = turns[0]
        if turn.roll is not None or not self._moves(turn.before):
            yield from self._cheat_by(self.cheat, lambda: in_play(turns))
        if self._whim():
            yield from self._fidget(turn.seat)
        outcomes = [one for one in self.game.outcomes(turn.root) if self._is_chosen(turn, one)]
        outcome = choose(self.game, outcomes, self._last.get(turn.seat, ()), self.rng)
        accepted = yield from self._play_out(turns, outcome)
        if self._whim() and accepted and self.game.due(outcome.state).kind is not DueKind.OVER:
            outcome = yield from self._change_mind(turns, outcome, self.rng.choice(outcomes))
        self._open, self._last[turn.seat] = turns, outcome.steps
        self._alike = self._alike_after(turns, outcome)
        return outcome.state

    def _is_chosen(self, turn: Turn, outcome: Outcome) -> bool:
        """A piece is placed, or left: that is decided already."""
        return turn.roll is not None or bool(outcome.steps)

    def _alike_after(self, turns: Iterable[Turn], outcome: Outcome) -> tuple[State, ...]:
        """Every state that the table cannot tell from that after the play."""
        shown = self.game.position(outcome.state)
        nodes = (node for turn in turns for node in turn.by_position.get(shown, ()) if node.complete)
        return tuple(dict.fromkeys((outcome.state, *(node.after for node in nodes))))[:MOST_ALIKE]

    def _play_out(self, turns: tuple[Turn, ...], outcome: Outcome) -> Generator[Wait, None, bool]:
        """Play; whether the referee went on. Where it did not, the position was set by hand, and the turn is over."""
        self.tally.playing()
        self.heard.clear()
        yield from self._play_steps(outcome.steps)
        stands = self.game.position(turns[0].root)
        if outcome.steps and self.game.position(outcome.state) == stands:
            yield self._pause(0.3, 1.0)
            self.voice.done()
        elif self._whim() and not self.game.stacks:
            self.voice.done()
        return (yield from self._until_accepted(outcome))

    def _play_steps(self, steps: tuple[Step, ...]) -> Script:
        for number, step in enumerate(steps):
            yield from self._play_step(step)
            if number + 1 < len(steps) and self.rng.random() < 0.6:
                yield from self.hands.leave()
                yield self._pause(0.3, 1.6)
        yield from self.hands.leave()

    def _play_step(self, step: Step) -> Script:
        """A captured piece goes back first or last, at once or after a moment with the hand away."""
        moves: list[Move] = [(step.seat, step.origin, step.target)]
        moves += [(seat, step.target, base) for seat, base in step.captures]
        if step.captures and (self.rng.random() < 0.5 or self.game.nouns.space == "hole"):
            moves.reverse()
        for number, move in enumerate(moves):
            if number and self._whim():
                yield from self.hands.leave()
                yield self._pause(0.2, 1.0)
            yield from self.hands.move_all((move,), step.seat)

    def _until_accepted(self, outcome: Outcome) -> Generator[Wait, None, bool]:
        """Wait until the referee goes on: it says so, and dice that come next are asked for; or the game is over.

        Whether it did; where not, say how the game stands.
        """
        wanted, due = self.game.position(outcome.state), self.game.due(outcome.state)

        def accepted() -> bool:
            if due.kind is DueKind.OVER:
                return self._was_said(Kind.OVER)
            awaited = due.kind is DueKind.ROLL
            if self.hasty and awaited:
                return self.dice.ready(0)
            ruled = not outcome.steps or any(v.kind is Kind.LEGAL and v.position == wanted for v in self.heard)
            return ruled and (not awaited or self.dice.ready(0))

        yield self._until(accepted)
        went_on = due.kind is DueKind.OVER or accepted()
        self.tally.played(went_on)
        if not went_on:
            self.voice.accept(outcome.state)
            yield self.hands.after(1.0)
        return went_on

    def _was_said(self, kind: Kind) -> bool:
        return any(verdict.kind is kind for verdict in self.heard)

    # --- honest whims ---

    def _whim(self) -> bool:
        return self.rng.random() < self.whims

    def _change_mind(self, turns: tuple[Turn, ...], played: Outcome, other: Outcome) -> Generator[Wait, None, Outcome]:
        """While the turn is open: take the play back and play otherwise, or slide on to another legal play."""
        turn = turns[0]
        before, after, root = (self.game.position(one) for one in (played.state, other.state, turn.root))
        same = self.game.due(other.state) == self.game.due(played.state)
        if before in (after, root) or after == root or not same:
            return played
        self.heard.clear()
        if self.rng.random() < 0.5 or self.game.stacks:
            yield from self._bring(self._undoing(played, before, root), turn.seat)
            yield self._pause(0.2, 2.5)
            self.heard.clear()
            yield from self._play_steps(other.steps)
        else:
            yield from self._bring(put_right(before, after), turn.seat)
        yield self.hands.after(1.2)
        yield from self._until_accepted(other)
        return other

    def _undoing(self, played: Outcome, before: Position, root: Position) -> Sequence[Move]:
        """The moves that take a play back."""
        if self.game.stacks:
            return [(step.seat, step.target, step.origin) for step in reversed(played.steps)]
        return put_right(before, root)

    def _bring(self, moves: Iterable[Move], seat: Seat) -> Script:
        yield from self.hands.move_all(moves, seat)
        yield from self.hands.leave()

    def _fidget(self, seat: Seat) -> Script:
        """Something that is no move at all."""
        yield from self.rng.choice((self._nudge, self._rearrange, self._rest))(seat)
        yield from self.hands.leave()
        yield self._pause(0.1, 1.5)

    def _nudge(self, seat: Seat) -> Script:
        """Put one piece down again where it stands."""
        name, content = self.rng.choice(tops(self.game.everything(self._alike[0])).items_)
        yield from self.hands.carry(content[-1], name, name, seat)

    def _rearrange(self, seat: Seat) -> Script:
        """Put the pieces of the base down again."""
        own = f"base{seat}"
        for _ in self.game.position(self._alike[0]).at(own):
            yield from self.hands.carry(seat, own, own, seat)

    def _rest(self, seat: Seat) -> Script:
        """Leave the hand on the board for a while."""
        yield from self.hands.reach(self.rng.choice(self.table.pawns).at, seat)
        yield self._pause(1.0, 9.0)

    # --- fouls ---

    def _cheat_by(
        self, share: float, occasion: Callable[[], Occasion], more: Callable[[Occasion], list[Cheat]] | None = None
    ) -> Script:
        """With probability `share`, a foul that the occasion allows. more: finds others, which are liked best."""
        if self.rng.random() >= share:
            return
        if self.hasty:
            yield self.hands.after(3.0)
        now = occasion()
        cheats = (more(now) if more else []) or cheats_at(now, self.rng)
        if cheats:
            rarest = min(cheats, key=lambda cheat: self.tally.shown_of(cheat.kind))
            yield from self._cheat(rarest if self.rng.random() < 0.5 else self.rng.choice(cheats), now)

    def _cheat(self, cheat: Cheat, occasion: Occasion) -> Script:
        before = list(self.table.pawns)
        seat = cheat.moves[0][0] if cheat.kind == "out_of_turn" else occasion.seat
        yield from self._show(cheat, seat)
        yield from self.hands.put_back(before, seat)
        yield from self._is_right_again()

    def _show(self, cheat: Cheat, seat: Seat) -> Script:
        """Make a foul, and wait until it is called one."""
        yield from self.hands.move_all(cheat.moves, seat)
        yield from self.hands.leave()
        self.heard.clear()
        self.tally.foul(cheat)
        if cheat.says_done:
            yield self._pause(0.0, 1.5)
            self.voice.done()
        yield self._until(self.tally.is_flagged)
        yield self.hands.after(0.8)

    def _is_right_again(self) -> Script:
        yield self.hands.after(1.0)
        self.tally.put_right()
        self.heard.clear()
        yield self.hands.after(0.5)

    # --- waiting ---

    def _pause(self, least: float, most: float) -> Wait:
        return self.hands.after(self.pace.uniform(least, most))

    def _until(self, done: Wait) -> Wait:
        """Wait for something, but not for ever."""
        since = self.now
        return lambda: done() or self.now - since > PATIENCE
