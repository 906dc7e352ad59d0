"""Who plays a colour: its players take its turns one after the other, in every game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from table import TestTable

from companion.games.catalogue import game_for
from companion.model import BoardSeen, Due, DueKind, Kind, Roll, Rolled, Saw, Seat, SpaceSeen, Verdict
from companion.referee.bench import Bench, tell
from companion.referee.rotation import Rotation

MEMBERS = {0: ("Ann", "Bob"), 2: ("Cleo", "Dan", "Eve")}
PIECES = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}


def playing(table: TestTable) -> list[str]:
    """Whose name stands at each colour."""
    table.service.step()
    return [seat.member for seat in table.service.view().seats]


@pytest.mark.long
def test_the_players_change_when_the_turn_has_left_their_colour(tmp_path: Path) -> None:
    table = TestTable(tmp_path, PIECES, members=MEMBERS)
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok and playing(table) == ["Ann", "Cleo"]
    table.move(0, "t10", "t14")
    assert table.live(2.0) == ["legal"] and playing(table) == ["Bob", "Cleo"]
    assert table.ask("roll", dice=(1, 2)).ok and playing(table) == ["Bob", "Cleo"]
    table.move(2, "t39", "t42")
    assert table.live(2.0) == ["legal"] and playing(table) == ["Bob", "Dan"]
    table.start()
    assert playing(table) == ["Bob", "Dan"]
    assert table.ask("takeback").ok and playing(table) == ["Bob", "Cleo"]
    assert table.ask("takeback").ok and playing(table) == ["Ann", "Cleo"]


def test_glo_12_one_player_of_a_team_answers_rolls_and_plays(tmp_path: Path) -> None:
    pieces = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 9]}
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces}
    table = TestTable(tmp_path, game="gloria", start=start, members=MEMBERS)
    table.camera.fault = "unplugged"
    table.start()
    assert table.ask("answer", right=True).ok and playing(table) == ["Ann", "Cleo"]
    assert table.ask("roll", dice=(2,)).ok and playing(table) == ["Ann", "Cleo"]
    assert table.ask("position", state={**start, "due": 2, "pieces": {**pieces, "0": [-1, -1, -1, 7]}}).ok
    assert playing(table) == ["Bob", "Cleo"]
    assert table.ask("answer", right=False).ok and playing(table) == ["Bob", "Dan"]
    assert table.service.desk.asked == 2


def test_glo_12_a_turn_that_a_wrong_answer_ended_was_one_of_the_team(tmp_path: Path) -> None:
    """Who of the team that is not due acts next is shown, too."""
    pieces = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 9]}
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces}
    table = TestTable(tmp_path, game="gloria", start=start, members=MEMBERS)
    table.camera.fault = "unplugged"
    table.start()
    seen = []
    for _ in range(5):
        assert table.ask("answer", right=False).ok
        seen.append(playing(table))
    assert seen == [["Bob", "Cleo"], ["Bob", "Dan"], ["Ann", "Dan"], ["Ann", "Eve"], ["Bob", "Eve"]]


def test_glo_12_a_game_was_won_by_all_of_a_team(tmp_path: Path) -> None:
    """The one who had played last stood beside its colour as the winner."""
    pieces = {"0": [39, 42, 43, 44], "2": [-1, -1, -1, 9]}
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces}
    table = TestTable(tmp_path, game="gloria", start=start, members=MEMBERS)
    table.camera.fault = "unplugged"
    table.start()
    assert table.ask("answer", right=True).ok and table.ask("roll", dice=(2,)).ok and table.ask("confirm").ok
    assert playing(table) == ["Ann and Bob", "Cleo, Dan and Eve"] and table.service.view().winner == (0,)
    assert table.ask("takeback").ok and playing(table) == ["Ann", "Cleo"]


@pytest.mark.parametrize(
    ("played", "taken"),
    [((0,), {}), ((0, 0, 0), {}), ((0, 2), {0: 1}), ((0, 2, 0), {0: 1, 2: 1}), ((2, 0, 2, 0), {2: 2, 0: 1})],
)
def test_turns_are_counted_by_who_plays(played: Sequence[Seat], taken: Mapping[Seat, int]) -> None:
    found = reduce(Rotation.played, played, Rotation())
    assert found == Rotation(taken, played[-1])
    assert Rotation.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_a_turn_is_over_as_soon_as_it_has_left_the_seat() -> None:
    rotation, still = Rotation({0: 2}, 0), (DueKind.THROW, DueKind.CHALLENGE, DueKind.OVER)
    assert rotation.over(0, Due(DueKind.ROLL, 2)) == 3 and rotation.over(0, Due(DueKind.ROLL, 0)) == 2
    assert [rotation.over(0, Due(kind, 2)) for kind in still] == [2, 2, 2], "these are due within a turn"
    assert rotation.over(2, Due(DueKind.ROLL, 0)) == 0
    assert Rotation.from_json({}) == Rotation(), "journals of old"


def test_agg_20_the_turn_is_of_who_rolled_and_not_of_the_partner_who_plays_it() -> None:
    """Where red was all HOME always the same one of red's players rolled, and always the same one of yellow's."""
    rules = game_for("aggravation", (0, 1, 2, 3), {"play": "partners"})
    told: dict[str, Any] = {"game": "aggravation", "options": {"play": "partners"}, "seats": [0, 1, 2, 3], "due": 0}
    told["pieces"] = {"0": [55, 56, 57, 58]} | {str(seat): [-1, -1, -1, 5] for seat in (1, 2, 3)}
    bench = Bench.opening(rules, {0: "red", 1: "green", 2: "yellow", 3: "blue"}, rules.from_json(told), 0)
    bench, _ = tell(bench, Rolled(0.0, Roll((3,))))
    moved = rules.position(rules.take(bench.node.state, rules.legal_steps(bench.node.state)[-1]))
    said: list[Verdict] = []
    for at in range(40):
        shown = bench.position if at < 20 else moved
        seen = {name: SpaceSeen(shown.at(name), 0.999, likelihoods={shown.at(name): 0.0}) for name in rules.spaces()}
        bench, more = tell(bench, Saw(0.2 * at, BoardSeen(0.2 * at, seen, moving=at == 20)))
        said += more
    [verdict] = said
    assert (verdict.kind, verdict.seat) == (Kind.LEGAL, 2)
    assert bench.rotation == Rotation({}, 0)
