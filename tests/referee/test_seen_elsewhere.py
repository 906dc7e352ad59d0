"""A play of which only the space that a piece left is seen: the piece may have gone where no play leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.games.catalogue import game_for
from companion.model import Kind, Roll, Rolled, Saw, SpaceSeen, Verdict
from companion.model.observation import BoardSeen
from companion.referee.bench import Bench, tell

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
GAME = game_for("parcheesi", [0, 2])
ANYTHING = SpaceSeen((), 0.29, likelihoods={(): 0.0, (0,): -0.5, (2,): -0.5})
"""In the image of a lamp: nobody can say what is there."""
OR_RED = SpaceSeen((), 0.48, likelihoods={(): 0.0, (0,): -0.1, (2,): -3.0})
RED = SpaceSeen((0,), 0.7, likelihoods={(0,): 0.0, (): -1.2, (2,): -4.0})


class Table:
    """Red rolled 3 and 1, and a hand took its pawn from t10."""

    def __init__(self) -> None:
        pieces = {"0": [10, 20, 30, 40], "2": [-1] * 4}
        data = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0, "pieces": pieces}
        self.bench = Bench.opening(GAME, NAMES, GAME.from_json(data), 0)
        self.now, self.stood = 0.0, self.bench.position
        self.shown: Mapping[str, SpaceSeen] = {}
        self.look({}, 2.0)
        self.bench, _ = tell(self.bench, Rolled(self.now, Roll((3, 1))))

    def look(self, readings: Mapping[str, SpaceSeen], seconds: float) -> list[Verdict]:
        """What is said meanwhile. readings: of the spaces that are not read as all stood, for sure."""
        spaces = {name: _surely(self.stood.at(name)) for name in GAME.spaces()} | dict(readings)
        said = self.tell(replace(BoardSeen(self.now, spaces), moving=True)) if readings != self.shown else []
        self.shown = readings
        for _ in range(round(seconds * 5)):
            self.now += 0.2
            said += self.tell(BoardSeen(self.now, spaces))
        return said

    def tell(self, seen: BoardSeen) -> list[Verdict]:
        self.bench, verdicts = tell(self.bench, Saw(seen.at, seen))
        return verdicts


def _surely(content: tuple[int, ...]) -> SpaceSeen:
    return SpaceSeen(content, 0.999, likelihoods={(): -10.0, (0,): -10.0, (2,): -10.0, content: 0.0})


def test_it_is_asked_about_after_a_while_and_no_play_is_told() -> None:
    """Beside the image of a lamp a pawn that went to another's HOME was taken for one that moved on (109891)."""
    table = Table()
    readings = {"t10": _surely(()), "t13": ANYTHING, "t16": OR_RED}
    assert table.look(readings, 4.0) == []
    [asked] = table.look(readings, 2.0)
    assert asked.kind is Kind.UNCLEAR and set(asked.facts["spaces"]) == {"t13", "t16"}
    assert "space 13 and space 16" in asked.text
    assert table.look(readings, 20.0) == [], "it is asked once"


def test_nor_is_it_seen_to_have_come_where_its_place_is_covered() -> None:
    table = Table()
    [asked] = table.look({"t10": _surely(()), "t13": SpaceSeen((), 0.0, True), "t16": OR_RED}, 6.0)
    assert asked.kind is Kind.UNCLEAR and set(asked.facts["spaces"]) == {"t13", "t16"}


def test_one_of_two_that_were_moved_is_asked_about_though_the_other_is_seen() -> None:
    table = Table()
    [asked] = table.look(
        {"t10": _surely(()), "t13": ANYTHING, "t16": OR_RED, "t20": _surely(()), "t21": _surely((0,))}, 6.0
    )
    assert asked.kind is Kind.UNCLEAR and set(asked.facts["spaces"]) == {"t13", "t16"}


def test_who_goes_on_says_that_the_play_was_made() -> None:
    table = Table()
    readings = {"t10": _surely(()), "t13": ANYTHING, "t16": OR_RED, "t20": _surely(()), "t21": _surely((0,))}
    table.look(readings, 6.0)
    table.bench, said = tell(table.bench, Rolled(table.now, Roll((2, 5))))
    assert [verdict.kind for verdict in said] == [Kind.LEGAL] and table.bench.due.seat == 2
    assert table.bench.position.at("t13") == (0,)


@pytest.mark.parametrize("better", [{"t13": RED}, {"t16": _surely(())}], ids=["seen to have come", "nowhere else"])
def test_the_play_is_told_once_it_is_seen_to_have_come_or_nowhere_else(better: Mapping[str, SpaceSeen]) -> None:
    table = Table()
    readings = {"t10": _surely(()), "t13": ANYTHING, "t16": OR_RED}
    table.look(readings, 2.0)
    assert [verdict.kind for verdict in table.look({**readings, **better}, 3.0)] == [Kind.PARTIAL]


def test_what_was_in_doubt_for_long_is_a_foul_once_it_is_seen() -> None:
    table = Table()
    readings = {"t10": _surely(()), "t13": ANYTHING, "t16": OR_RED}
    table.look(readings, 6.0)
    said = table.look({"t10": _surely(()), "t13": _surely(()), "t16": _surely((0,))}, 3.0)
    assert [verdict.kind for verdict in said] == [Kind.ILLEGAL] and "PAR-4" in said[0].rules


HALF_HIDDEN = SpaceSeen((0,), 0.65, likelihoods={(0,): 0.0, (): -2.0, (2,): -2.0})
"""A pawn behind another one, of which the head alone is seen."""


def test_a_piece_that_left_and_rather_stands_where_no_play_leads_is_named_in_the_end() -> None:
    """It may be in a hand as well, which explained the board about as well for ever (109905): both are wrong by now."""
    table = Table()
    readings = {"t10": _surely(()), "t22": HALF_HIDDEN}
    said = table.look(readings, 4.4)
    assert [verdict.kind for verdict in said] == [Kind.UNCLEAR]
    [named] = table.look(readings, 4.0)
    assert named.kind is Kind.ILLEGAL and named.rules == ("PAR-4",)
    assert named.put_right == ((0, "t22", "t10"),)


@pytest.mark.parametrize("there", [ANYTHING, OR_RED, SpaceSeen((), 0.0, True)])
def test_nobody_is_accused_where_a_play_may_have_led_to_a_space_in_doubt(there: SpaceSeen) -> None:
    table = Table()
    said = table.look({"t10": _surely(()), "t14": there, "t22": HALF_HIDDEN}, 20.0)
    assert Kind.ILLEGAL not in {verdict.kind for verdict in said}, [verdict.text for verdict in said]
