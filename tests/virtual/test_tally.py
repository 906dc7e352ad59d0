"""The score of the demo: what counts as flagged, asked about, missed and falsely accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.model import Kind, Position, Verdict
from companion.virtual.cheats import text_of
from companion.virtual.foul import Cheat
from companion.virtual.occasion import NO_RULE
from companion.virtual.tally import Tally

REMOVED = Cheat("removed", ((0, "t5", ""),), frozenset())
DRAWN = Cheat("removed", ((0, "t5", ""),), frozenset({"GOD-5", NO_RULE}))
BACKWARDS = Cheat("wrong_way", ((0, "t5", "t3"),), frozenset({"PAR-4"}))


def verdict(kind: Kind, rules: tuple[str, ...] = (), gone: str = "t5") -> Verdict:
    position = Position.of({gone: (0,)})
    return Verdict(kind, 1.0, 0, rules=rules, position=position, seen=Position.of({}))


def settled(cheat: Cheat, *verdicts: Verdict) -> Tally:
    tally = Tally()
    tally.foul(cheat)
    for one in verdicts:
        tally.ruled(one)
    tally.put_right()
    return tally


def test_a_foul_with_its_rule_is_right_and_another_rule_is_said() -> None:
    assert settled(BACKWARDS, verdict(Kind.ILLEGAL, ("PAR-4",))).right_rule == {"wrong_way": 1}
    other = settled(BACKWARDS, verdict(Kind.ILLEGAL, ("PAR-8",)))
    assert other.other_rule == {"wrong_way": 1} and other.clean and "PAR-8" in other.table()


def test_a_kind_of_foul_is_told_whole_however_long_it_is() -> None:
    told = settled(replace(BACKWARDS, kind="PAR-17, later"), verdict(Kind.ILLEGAL, ("PAR-4",))).table().splitlines()
    head, row = told[-2:]
    assert row.split("  ")[0] == text_of("PAR-17, later") and row.endswith("1     1     0      0")
    assert len(head) == len(row) and head.endswith("shown right other missed")


def test_a_foul_that_nobody_speaks_of_is_missed() -> None:
    tally = settled(BACKWARDS)
    assert tally.missed == ["wrong_way"] and not tally.clean


def test_a_question_is_no_flag_where_a_rule_is_broken() -> None:
    assert settled(BACKWARDS, verdict(Kind.UNCLEAR)).missed == ["wrong_way"]


def test_a_question_about_the_right_space_is_told_apart_and_is_still_not_clean() -> None:
    for cheat in (REMOVED, DRAWN):
        asked = settled(cheat, verdict(Kind.UNCLEAR))
        assert asked.asked == ["removed"] and not asked.missed and not asked.clean
    assert settled(REMOVED, verdict(Kind.UNCLEAR, gone="t40")).missed == ["removed"]


def test_an_accusation_without_a_foul_is_false() -> None:
    tally = Tally()
    tally.ruled(verdict(Kind.ILLEGAL, ("PAR-4",)))
    assert len(tally.false_accusations) == 1 and not tally.clean


def test_a_lost_roll_or_a_refused_play_is_not_clean() -> None:
    tally = Tally(thrown=3, rolls=2)
    assert not tally.clean
    refused = Tally()
    refused.played(False)
    assert not refused.clean


@pytest.mark.parametrize(("thrown", "rolls"), [(4, 3), (3, 4), (4, 4)], ids=["unheard", "heard first", "done"])
def test_a_roll_under_way_when_the_players_leave_is_not_lost(thrown: int, rolls: int) -> None:
    tally = Tally(thrown=3, rolls=3)
    tally.throwing()
    tally.thrown, tally.rolls, tally.broken_off = thrown, rolls, True
    assert tally.lost_rolls == 0 and tally.clean


@pytest.mark.parametrize("rolls", [2, 3])
def test_a_roll_that_was_lost_before_the_last_one_stays_lost(rolls: int) -> None:
    tally = Tally(thrown=3, rolls=2)
    tally.throwing()
    tally.thrown, tally.rolls, tally.broken_off = 4, rolls, True
    assert tally.lost_rolls == 1 and not tally.clean
