"""Honest people who take back, correct, accept, set and undo in any order: what the referee believes is what is true.

The truth is kept beside the bench as a list of what was done; after each word the two are compared.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest
from soak import SETTINGS, midgame
from test_taken_back import Table

from companion.games.catalogue import game_for
from companion.model import (
    AcceptedAsPlayed,
    Answered,
    BadInput,
    Confirmed,
    DiceCorrected,
    Due,
    DueKind,
    Kind,
    Position,
    PositionSet,
    Roll,
    Rolled,
    TakenBack,
    Undone,
    Verdict,
)

Dice = tuple[int, ...]


@dataclass(frozen=True)
class Done:
    """Something that was done. word: what began it, None for a change by hand. root: where it is to be played. end:
    the state after it, None while it is to be played. moved: pieces were moved for it."""

    word: Rolled | Answered | None
    root: Any = None
    end: Any = None
    moved: bool = False


class People:
    """People at a table, who play by the rules but for fouls that they put right."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = random.Random(f"{name} {seed}")
        self.game = game_for(*SETTINGS[name][seed % len(SETTINGS[name])])
        start = midgame(self.game, self.rng)
        while self.game.due(start).kind is DueKind.OVER:
            start = midgame(self.game, self.rng)
        self.table = Table(self.game, start)
        self.done = [Done(None, end=start)]
        self.waiting: list[Rolled | Answered] = []
        self.log: list[str] = []

    # --- the truth ---

    @property
    def state(self) -> Any:
        """Where the game stands: at the beginning of a play, or where something else is due."""
        return self.done[-1].root if self.in_play else self.done[-1].end

    @property
    def in_play(self) -> bool:
        return self.done[-1].end is None

    @property
    def stands(self) -> Position:
        return self.game.position(self.state)

    def begun(self, word: Rolled | Answered) -> Done:
        """What that word begins from where the game stands."""
        game = self.game
        if isinstance(word, Answered):
            return Done(word, end=game.answer(self.state, word.right))
        root = game.hear(self.state, word.roll)
        if game.due(root).kind is not DueKind.PLAY:
            return Done(word, end=root)
        return Done(word, root, None if game.legal_steps(root) else game.stop(root))

    def so(self) -> None:
        """The referee believes all that."""
        bench, due = self.table.bench, self.game.due(self.state)
        assert (bench.accused, bench.due, bench.position) == (False, due, self.stands), self.story()
        assert len(bench.early) == len(self.waiting), self.story()
        if self.in_play:
            assert bench.turn is not None and Rolled(0.0, Roll(bench.turn.dice)) == self.done[-1].word, self.story()
        else:
            assert self.game.to_json(bench.state) == self.game.to_json(self.state), self.story()

    def story(self) -> str:
        return "\n".join(self.log[-30:])

    # --- what is said and seen ---

    def tell(self, word: Any) -> list[Verdict]:
        self.log.append(f"<< {word}")
        return self.heard(self.table.tell(replace(word, at=self.table.now)))

    def heard(self, said: list[Verdict], fair: bool = True) -> list[Verdict]:
        self.log += [f"    {verdict.kind} {verdict.text}" for verdict in said]
        accused = fair and any(verdict.kind in (Kind.ILLEGAL, Kind.UNCLEAR) for verdict in said)
        assert not accused, self.story()
        return said

    def show(self, position: Position, seconds: float = 2.0, fair: bool = True) -> list[Verdict]:
        self.log.append(f"-- {self.table.bench.position.changed(position)}")
        return self.heard(self.table.shows(position, seconds=seconds), fair)

    def throw(self, count: int) -> Rolled:
        return Rolled(0.0, Roll(tuple(self.rng.randint(1, 6) for _ in range(count))))

    # --- what people do ---

    def carry_on(self) -> None:
        """Roll, or answer."""
        due = self.game.due(self.state)
        if self.waiting or due.kind not in (DueKind.ROLL, DueKind.QUESTION):
            return
        right = self.rng.random() < 0.8
        word = Answered(0.0, right) if due.kind is DueKind.QUESTION else self.throw(self.rng.choice(due.dice))
        self.done.append(self.begun(word))
        self.tell(word)

    def play(self) -> None:
        """Play what was rolled; then what waits counts."""
        if not self.in_play:
            return
        root = self.state
        outcome = self.rng.choice(self.game.outcomes(root))
        moved = self.game.position(outcome.state) != self.stands
        if len(outcome.steps) > 1 and self.rng.random() < 0.4:
            self.show(self.game.position(self.game.take(root, outcome.steps[0])))
        self.done[-1] = replace(self.done[-1], end=outcome.state, moved=moved)
        self.show(self.stands)
        if not moved:
            self.tell(Confirmed(0.0))
            self.show(self.stands, 4.0)
        self._what_waits()
        self.heard(self.table.shows(self.stands, hand=False, seconds=0.4))

    def _what_waits(self) -> None:
        while self.waiting and not self.in_play:
            word = self.waiting.pop(0)
            try:
                self.done.append(self.begun(word))
            except BadInput:  # as it is not due any more
                continue

    def roll_early(self) -> None:
        """The next player rolls before the play; perhaps that is taken back."""
        if not self.in_play or self.waiting:
            return
        dues = {self.game.due(outcome.state) for outcome in self.game.outcomes(self.state)}
        if len(dues) == 1 and (due := dues.pop()).kind is DueKind.ROLL:
            word = self.throw(max(due.dice))
            self.tell(word)
            self.waiting = [word]
            if self.rng.random() < 0.4:
                self.tell(Undone(0.0))
                self.waiting = []

    def take_back(self) -> None:
        """The last play, or what was said since; the pieces are put back."""
        done, waiting = [*self.done], [*self.waiting]
        while done[-1].word is not None and not done[-1].moved:
            word = done.pop().word
            if isinstance(word, Answered) and waiting == self.waiting == []:
                break  # what was said last is taken back by itself
            waiting.insert(0, word)  # type: ignore[arg-type]
        else:
            if done[-1].word is None:
                return
            done[-1] = replace(done[-1], end=None, moved=False)
        self.tell(TakenBack(0.0))
        self.done, self.waiting = done, waiting
        self.show(self.stands, 3.0)

    def correct(self) -> None:
        """The dice showed something else; perhaps they did not."""
        last = self.done[-1]
        if not isinstance(last.word, Rolled) or self.waiting:
            return
        before, word = self.believed, self.throw(len(last.word.roll.dice))
        self.done.pop()
        self.done.append(self.begun(word))
        self.tell(DiceCorrected(0.0, word.roll))
        if self.rng.random() < 0.4:
            self.tell(Undone(0.0))
            self.done[-1] = last
            assert self.believed == before, self.story()
        self.show(self.stands, 3.0)

    def set_by_hand(self) -> None:
        """What stands is accepted, or set as it is."""
        if self.in_play or self.waiting or self.game.due(self.state).kind is DueKind.OVER:
            return
        self.tell(self.rng.choice((AcceptedAsPlayed(0.0), PositionSet(0.0, self.game.to_json(self.state)))))
        self.show(self.stands)
        if self.rng.random() < 0.4:
            self.tell(Undone(0.0))
        else:
            self.done.append(Done(None, end=self.state))

    def foul(self) -> None:
        """A foul is named once, whatever is said meanwhile, and then put right."""
        wrong = self._wrong()
        if wrong is None or self.game.due(self.state).kind is DueKind.OVER:
            return
        said = self.show(wrong, 4.0, fair=False)
        assert [verdict.kind for verdict in said] == [Kind.ILLEGAL], self.story()
        for _ in range(self.rng.randint(0, 2)):
            before, word = self.believed, self.rng.choice((TakenBack(0.0), Confirmed(0.0), PositionSet))
            if word is not PositionSet:
                self.tell(word)
            elif not self.in_play and not self.waiting:
                self.tell(PositionSet(0.0, self.game.to_json(self.state)))
                self.heard(self.table.tell(Undone(self.table.now)), fair=False)
            assert self.believed == before, self.story()
            assert self.show(wrong, 2.0, fair=False) == [], self.story()
        assert [verdict.kind for verdict in self.show(self.stands)] == [Kind.RESTORED], self.story()

    def _wrong(self) -> Position | None:
        """A board on which a piece stands where nobody may put it now."""
        turns, spaces = self.table.bench.turns, [n for n in self.game.spaces() if not n.startswith(("base", "home"))]
        for _ in range(30):
            origin, target = self.rng.choice([*self.stands]), self.rng.choice(spaces)
            seat = self.rng.choice(self.stands.at(origin))
            shown = self.stands.moved(seat, origin, target)
            if not self.stands.at(target) and not any(shown in turn.by_position for turn in turns):
                return shown
        return None

    @property
    def believed(self) -> Any:
        """All that the referee believes, but for how still the board is."""
        return replace(self.table.bench, stillness=None)  # type: ignore[arg-type]


@pytest.mark.long(but=("parcheesi-0",))
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["parcheesi", "parcheesi-print", "gloria", "aggravation"])
def test_what_is_changed_by_hand_in_any_order_is_believed_and_undone(name: str, seed: int) -> None:
    people = People(name, seed)
    acts = people.take_back, people.correct, people.set_by_hand, people.roll_early, people.foul
    for _ in range(24):
        if people.game.due(people.state).kind is DueKind.OVER:
            return
        act = people.rng.choice((*[people.carry_on, people.play] * 4, *acts))
        people.log.append(f"== {act.__name__}")
        act()
        people.so()


def test_god_15_done_out_of_habit_ends_no_game() -> None:
    """Where a move that nobody saw would leave the other without one, the page said who won, and no move was judged."""
    squares = {"a1": "SS", "a2": "NN", "b2": "N", "c1": "SS", "c2": "NN", "c6": "SS", "d1": "S", "d2": "SN", "d3": "N"}
    squares |= {"e5": "N", "e6": "N", "f4": "N", "f6": "SS"}
    small = game_for("game-of-god", (0, 2), {"size": 6})
    told = {"game": "game-of-god", "options": {"size": 6}, "seats": ["N", "S"], "due": "N", "squares": squares}
    table = Table(small, small.from_json(told))
    assert any(small.winners(node.after) for node in table.bench.hidden)
    assert [v.text for v in table.tell(Confirmed(table.now))] == ["Red moved a piece from one stack to another."]
    assert table.bench.due == Due(DueKind.MOVE, 0)
    said = table.shows(table.bench.position.moved(0, "f4", "f3"))
    assert [(v.kind, v.seat) for v in said] == [(Kind.LEGAL, 0), (Kind.OVER, 2)], "yellow can move no more"
