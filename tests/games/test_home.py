"""How many pieces are home, as the page counts them."""

import pytest

from companion.games.catalogue import state_from_json

RACE = {"options": {}, "seats": [0, 2], "due": 0}
CENTER = {"home": "center"}
CASES = [
    ({**RACE, "game": "parcheesi", "doublets": 0, "pieces": {"0": [-1, 70, 71, 71], "2": [-1, -1, -1, 3]}}, 2),
    ({**RACE, "game": "parcheesi-print", "pieces": {"0": [-1, 70, 71, 71], "2": [-1, -1, -1, 3]}}, 2),
    ({**RACE, "game": "gloria", "pieces": {"0": [-1, 40, 41, 44], "2": [-1, -1, -1, 3]}}, 2),
    ({**RACE, "game": "gloria", "options": CENTER, "pieces": {"0": [41, 45, 45, 45], "2": [-1, -1, -1, 5]}}, 3),
    ({**RACE, "game": "aggravation", "pieces": {"0": [-1, 54, 55, 58], "2": [-1, -1, -1, 3]}}, 2),
]


@pytest.mark.parametrize(("state", "count"), CASES, ids=lambda case: case["game"] if isinstance(case, dict) else "")
def test_pieces_that_came_home_are_counted(state: dict, count: int) -> None:
    state["pieces"] = {seat: sorted(pieces) for seat, pieces in state["pieces"].items()}
    game, now = state_from_json(state)
    assert game.home(now, 0) == count and game.home(now, 2) == 0


def test_in_game_of_god_they_stand_in_opponents_goal_areas() -> None:
    squares = {"a8": "NN", "b1": "NN", "c5": "SS", "d8": "S", "e1": "S"}
    state = {"game": "game-of-god", "options": {"pairs": 2}, "seats": ["N", "S"], "due": "N", "squares": squares}
    game, now = state_from_json(state)
    assert (game.home(now, 0), game.home(now, 2)) == (2, 1)
