"""Dice of one's own as one roll: what counts, what does not, and what is said of it. Stories in simulated time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dice.book import MemoryBook
from companion.dice.cup import UNHEARD, Cup
from companion.dice.die import Charge, Cocked, Feigned, Rested, Tumbling, Turned, Word
from companion.dice.events import (
    BoxArmed,
    BoxNoticed,
    DiceEvent,
    DiceSaid,
    DiceUnfit,
    LinkLost,
    LinkReady,
    RollApart,
    RollHeard,
)
from companion.dice.host import State
from companion.model import AIR


class Table:
    """A cup whose owner writes each roll down."""

    def __init__(self, *names: str, book: MemoryBook | None = None) -> None:
        self.book = book or MemoryBook()
        self.cup = Cup(self.book)
        self.at = 100.0
        self.events: list[DiceEvent] = []
        for name in names:
            self.note(self.cup.come(name, self.at))

    def note(self, events: list[DiceEvent]) -> list[DiceEvent]:
        for event in events:
            if isinstance(event, RollHeard | RollApart):
                self.book.write(event.dev, event.roll.id, event.roll.turn, event.roll.faces)
        self.events += events
        return events

    def arm(self, turn: int = 7, dice: int = 2) -> list[DiceEvent]:
        return self.note(self.cup.arm(turn, dice, self.at))

    def hear(self, name: str, *words: Word, after: float = 0.2) -> list[DiceEvent]:
        heard: list[DiceEvent] = []
        for word in words:
            self.at += after
            heard += self.note(self.cup.hear(name, word, self.at))
        return heard

    def wait(self, seconds: float) -> list[DiceEvent]:
        start = len(self.events)
        for _ in range(round(seconds / 0.5)):
            self.at += 0.5
            self.note(self.cup.tick(self.at))
        return self.events[start:]

    def roll(self, name: str, face: int) -> list[DiceEvent]:
        return self.hear(name, Tumbling(), Rested(face))

    @property
    def counted(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(event.roll.turn, event.roll.faces) for event in self.events if isinstance(event, RollHeard)]

    @property
    def said(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, DiceSaid | RollApart)]


def test_two_dice_make_one_roll() -> None:
    table = Table("Ruby", "Opal")
    assert isinstance(table.arm()[-1], BoxArmed) and table.cup.state is State.ARMED
    assert [type(event) for event in table.hear("Ruby", Tumbling())] == [BoxNoticed]
    assert table.hear("Opal", Tumbling(), Rested(3)) == []
    [roll] = table.hear("Ruby", Rested(5))
    assert isinstance(roll, RollHeard)
    assert (roll.dev, roll.roll.id, roll.roll.faces, roll.roll.ms) == (AIR, 1, (3, 5), 600)
    assert table.cup.state is State.READY and table.said == []


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_as_many_dice_as_are_due(dice: int) -> None:
    table = Table("A", "B", "C")
    table.arm(9, dice)
    for name, face in zip("ABC"[:dice], (6, 2, 2), strict=False):
        table.roll(name, face)
    assert table.counted == [(9, (6, 2, 2)[:dice])]


def test_numbers_go_on_after_a_restart() -> None:
    table = Table("A")
    for turn in (1, 2):
        table.arm(turn, 1)
        table.roll("A", 4)
    again = Table("A", book=table.book)
    assert again.events == [LinkReady(100.0, AIR, 2)]
    again.arm(3, 1)
    again.roll("A", 5)
    assert [e.roll.id for e in again.events if isinstance(e, RollHeard)] == [3]


def test_a_throw_that_nobody_asked_for_is_said_once_and_never_counts() -> None:
    table = Table("Ruby", "Opal")
    table.roll("Ruby", 6)
    table.roll("Opal", 6)
    table.roll("Ruby", 6)
    assert table.counted == [] and table.said == ["Ruby showed 6, but no throw is due: that does not count."]
    table.arm(7, 1)
    table.roll("Ruby", 2)
    table.roll("Ruby", 6)
    assert table.counted == [(7, (2,))] and len(table.said) == 2


def test_a_die_that_lay_before_the_throw_was_due_does_not_count() -> None:
    table = Table("Ruby", "Opal")
    table.roll("Ruby", 6)
    table.arm()
    table.roll("Opal", 3)
    assert table.counted == []
    table.roll("Ruby", 1)
    assert table.counted == [(7, (3, 1))]


def test_a_die_that_tumbles_when_the_throw_becomes_due_counts() -> None:
    table = Table("Ruby")
    table.hear("Ruby", Tumbling())
    table.arm(7, 1)
    table.hear("Ruby", Rested(4))
    assert table.counted == [(7, (4,))]


def test_a_die_thrown_twice_before_the_others_counts_as_it_fell_first() -> None:
    table = Table("Ruby", "Opal")
    table.arm()
    table.roll("Ruby", 1)
    table.roll("Ruby", 6)
    table.roll("Ruby", 5)
    table.roll("Opal", 2)
    assert table.counted == [(7, (1, 2))]
    assert table.said == ["Ruby was thrown twice: the first time counts, when it showed 1."]


def test_a_die_too_many_is_left_to_the_players() -> None:
    table = Table("A", "B", "C")
    table.arm(7, 2)
    table.hear("A", Tumbling())
    table.hear("B", Tumbling())
    table.hear("C", Tumbling())
    table.hear("A", Rested(1))
    assert table.hear("B", Rested(2)) == []
    [apart] = table.hear("C", Rested(3))
    assert isinstance(apart, RollApart) and (apart.why, apart.roll.faces) == ("dice", (1, 2, 3))
    table.roll("A", 4)
    table.roll("B", 4)
    assert table.counted == [(7, (4, 4))]


def test_a_die_too_many_that_never_rests_is_not_waited_for_long() -> None:
    table = Table("A", "B")
    table.arm(7, 1)
    table.hear("B", Tumbling())
    table.roll("A", 1)
    assert table.counted == []
    table.wait(6)
    assert table.counted == [(7, (1,))]


def shake(table: Table, name: str, seconds: float) -> list[DiceEvent]:
    """A die in the hand says again and again that it tumbles."""
    start = len(table.events)
    for _ in range(round(seconds / 0.5)):
        table.hear(name, Tumbling(), after=0.0)
        table.wait(0.5)
    return table.events[start:]


def test_a_die_too_many_that_is_shaken_on_is_not_waited_for_long() -> None:
    table = Table("A", "B", "C")
    table.arm()
    table.hear("C", Tumbling())
    table.roll("A", 3)
    table.roll("B", 5)
    assert table.counted == []
    shake(table, "C", 6)
    assert table.counted == [(7, (3, 5))]


def test_a_die_that_is_shaken_on_is_asked_after_once() -> None:
    table = Table("Ruby", "Opal")
    table.arm()
    table.roll("Ruby", 3)
    shake(table, "Opal", UNHEARD - 1)
    assert table.said == []
    shake(table, "Opal", 20)
    assert table.said == ["I have not heard how Opal came to rest. If it lies still, throw it again."]
    table.hear("Opal", Rested(4))
    assert table.counted == [(7, (3, 4))]


def test_a_die_that_was_shaken_long_before_its_throw_was_due_is_asked_after_as_late_as_any_other() -> None:
    table = Table("Ruby")
    shake(table, "Ruby", 2 * UNHEARD)
    table.arm(7, 1)
    assert [type(event) for event in shake(table, "Ruby", UNHEARD - 1)] == [BoxNoticed] and table.said == []
    shake(table, "Ruby", 5)
    assert len(table.said) == 1


@pytest.mark.parametrize(
    ("word", "says"),
    [
        (Cocked(), "Ruby lies crooked: throw it again."),
        (Feigned(), "Ruby was not really thrown: throw it again."),
        (Turned(6), "Ruby was turned, not thrown: that does not count."),
    ],
)
def test_what_is_no_roll_is_said_and_may_be_thrown_again(word: Word, says: str) -> None:
    table = Table("Ruby")
    table.arm(7, 1)
    table.hear("Ruby", Tumbling(), word)
    assert table.said == [says] and table.counted == []
    table.hear("Ruby", word)
    assert table.said == [says], "said again without having been thrown again: nothing new"
    table.roll("Ruby", 2)
    assert table.counted == [(7, (2,))]


def test_a_die_that_was_put_on_a_face_by_hand_does_not_count() -> None:
    table = Table("Ruby")
    table.arm(7, 1)
    table.hear("Ruby", Rested(6), Turned(6), Rested(6))
    assert table.counted == [] and table.said == ["Ruby was turned, not thrown: that does not count."]


def test_what_happens_to_a_die_that_has_fallen_changes_nothing() -> None:
    table = Table("Ruby", "Opal")
    table.arm()
    table.roll("Ruby", 3)
    table.hear("Ruby", Rested(3), Turned(6), Cocked(), Feigned())
    table.roll("Opal", 4)
    assert table.counted == [(7, (3, 4))] and table.said == []


def test_nothing_is_said_of_dice_that_are_put_away() -> None:
    table = Table("Ruby")
    table.hear("Ruby", Turned(2), Tumbling(), Cocked(), Tumbling(), Feigned(), Turned(5))
    assert table.said == []


def test_a_die_lost_while_it_rolls_is_thrown_again_and_the_other_stands() -> None:
    table = Table("Ruby", "Opal")
    table.arm()
    table.roll("Ruby", 5)
    table.hear("Opal", Tumbling())
    [lost] = table.note(table.cup.gone("Opal", table.at))
    assert isinstance(lost, DiceUnfit) and "Opal is out of reach" in lost.text and "only Ruby is" in lost.text
    assert "How it comes to rest will not be heard" in lost.text
    [back] = table.note(table.cup.come("Opal", table.at))
    assert isinstance(back, LinkReady)
    table.hear("Opal", Rested(6))
    assert table.counted == [], "its roll was not heard whole"
    table.roll("Opal", 2)
    assert table.counted == [(7, (5, 2))]


def test_the_last_die_lost_and_a_spare_one_lost() -> None:
    table = Table("Ruby", "Opal")
    table.arm(7, 1)
    [spare] = table.note(table.cup.gone("Opal", table.at))
    assert isinstance(spare, DiceSaid) and table.cup.state is State.ARMED
    [lost] = table.note(table.cup.gone("Ruby", table.at))
    assert isinstance(lost, LinkLost) and "enter the dice on the phone" in lost.text
    assert table.cup.state is State.CLOSED
    assert table.cup.gone("Ruby", table.at) == []
    assert table.cup.hear("Ruby", Rested(1), table.at) == []


def test_too_few_dice_are_said_when_the_throw_becomes_due_and_enough_again_when_fewer_are() -> None:
    table = Table("Ruby")
    [unfit] = table.arm(7, 2)
    assert isinstance(unfit, DiceUnfit) and unfit.text == "2 dice are due, but only Ruby is in reach."
    assert table.cup.state is State.CLOSED
    assert [type(event) for event in table.arm(8, 1)] == [LinkReady, BoxArmed]


def test_more_dice_than_a_cup_holds_are_left_to_the_phone() -> None:
    """A game of one's own may throw six cowries: it was said in code that the dice cannot be asked."""
    table = Table(*"ABCDEF")
    (unfit,) = table.arm(7, dice=6)
    assert isinstance(unfit, DiceUnfit) and unfit.text == "6 dice are due, and these dice are 3 at most."
    for name in "ABCDEF":
        table.roll(name, 3)
    assert table.wait(10.0) == [] and table.counted == []
    assert [type(event) for event in table.arm(8, dice=3)] == [LinkReady, BoxArmed]


def test_a_throw_that_is_interrupted_goes_on() -> None:
    """A foul on the board disarms the dice; put right, the same throw is due again, and what fell stands."""
    table = Table("Ruby", "Opal")
    table.arm()
    table.roll("Ruby", 5)
    table.note(table.cup.disarm(table.at))
    table.arm()
    table.roll("Opal", 1)
    assert table.counted == [(7, (5, 1))]
    table.arm(8)
    table.roll("Opal", 2)
    assert len(table.counted) == 1, "what fell for another throw is forgotten"


def test_the_same_throw_counts_once() -> None:
    table = Table("Ruby")
    table.arm(7, 1)
    table.roll("Ruby", 5)
    assert table.arm(7, 1) == []
    table.roll("Ruby", 6)
    assert table.counted == [(7, (5,))]


def test_a_low_battery_is_said_once_until_it_was_charged() -> None:
    table = Table("Ruby")
    table.hear("Ruby", Charge(9, True), Charge(8, True), Charge(90, False), Charge(9, True))
    assert table.said == ["The battery of Ruby is low (9 %): charge it soon."] * 2


def test_a_die_that_is_not_heard_to_rest_is_asked_after_once() -> None:
    table = Table("Ruby")
    table.arm(7, 1)
    table.hear("Ruby", Tumbling())
    table.wait(UNHEARD + 10)
    assert table.said == ["I have not heard how Ruby came to rest. If it lies still, throw it again."]
    table.hear("Ruby", Rested(4))
    assert table.counted == [(7, (4,))], "it was shaken for long"


def test_a_throw_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="dice=0"):
        Cup(MemoryBook()).arm(1, 0, 0.0)


WORDS = st.one_of(
    st.just(Tumbling()), st.integers(1, 6).map(Rested), st.just(Cocked()), st.just(Feigned()),
    st.integers(1, 6).map(Turned), st.integers(0, 100).map(lambda p: Charge(p, p < 10)),
)  # fmt: skip
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("hear"), st.sampled_from("ABC"), WORDS),
        st.tuples(st.sampled_from(["come", "gone"]), st.sampled_from("ABC"), st.none()),
        st.tuples(st.just("arm"), st.integers(1, 3), st.none()),
        st.tuples(st.sampled_from(["disarm", "tick"]), st.none(), st.none()),
    ),
    max_size=60,
)


@pytest.mark.long
@settings(max_examples=300)
@given(STEPS, st.integers(0, 2**32))
def test_whatever_happens_each_roll_is_of_a_throw_that_was_due_with_as_many_dice(steps: list[tuple], seed: int) -> None:
    """And each throw counts once; numbers only rise; a face was shown by a die that was heard to tumble."""
    chance, table, turn, due = random.Random(seed), Table(), 0, {}
    tumbled: set[str] = set()
    rests = 0
    for what, who, word in steps:
        table.at += chance.uniform(0, 4)
        if what == "hear":
            rests += isinstance(word, Rested) and who in tumbled
            (tumbled.add if word == Tumbling() else tumbled.discard)(who)
            table.note(table.cup.hear(who, word, table.at))
        elif what in ("come", "gone"):
            tumbled.discard(who)
            table.note(getattr(table.cup, what)(who, table.at))
        elif what == "arm":
            turn += chance.randrange(2) if turn else 1
            due.setdefault(turn, set()).add(who)
            table.arm(turn, who)
        else:
            table.note(getattr(table.cup, what)(table.at))
    turns = [turn for turn, _ in table.counted]
    assert len(turns) == len(set(turns))
    assert all(len(faces) in due[turn] for turn, faces in table.counted)
    ids = [event.roll.id for event in table.events if isinstance(event, RollHeard | RollApart)]
    assert ids == list(range(1, len(ids) + 1))
    assert sum(len(faces) for _, faces in table.counted) <= rests


def test_a_die_that_is_let_go_says_why_and_is_not_called_out_of_reach() -> None:
    table = Table("Ruby", "Odd")
    why = "Odd is a d20: only dice of six faces can be used."
    assert table.cup.gone("Odd", table.at, why) == [DiceSaid(table.at, why)]
    assert table.cup.gone("Odd", table.at, why) == [DiceSaid(table.at, why)], "though it had not come"
    [lost, said] = table.cup.gone("Ruby", table.at, "Ruby is a d8.")
    assert isinstance(lost, LinkLost) and "out of reach" not in lost.text and isinstance(said, DiceSaid)
