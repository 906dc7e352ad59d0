"""What the page says of a bench."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.catalogue import game_from_json
from companion.model import Roll, Rolled
from companion.referee.bench import Bench, tell
from companion.service.presenter import headline

NAMES = {0: "red", 2: "yellow"}


@pytest.mark.parametrize(("pieces", "where"), [([-1, -1, 5, 20], "on space 20"), ([-1, 3, 20, 66], "in red's lane")])
def test_at_the_third_doublets_the_page_says_which_pawn_goes_back(pieces: list[int], where: str) -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 2}
    state |= {"pieces": {"0": pieces, "2": [5, 6, 7, 8]}}
    game = game_from_json(state)
    bench, _ = tell(Bench.opening(game, NAMES, game.from_json(state), 0), Rolled(1.0, Roll((4, 4))))
    said = f"Red, these are your third doublets in a row: the pawn {where} goes back to the circle."
    assert headline(bench) == said


def test_while_a_play_that_was_taken_back_stands_there_the_page_says_to_put_it_back() -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state |= {"pieces": {"0": [10, 20, 30, 50], "2": [5, -1, -1, -1]}}
    game = game_from_json(state)
    bench, _ = tell(Bench.opening(game, NAMES, game.from_json(state), 0), Rolled(1.0, Roll((3, 1))))
    played = game.position(bench.state).moved(0, "t10", "t14")
    seen = replace(bench, begun=True, watched=True, ignored=played)
    assert headline(seen) == "Red, please put the pawns back, or say “Done” if you play so after all."
    assert headline(replace(seen, ignored=None)) == "Red, move 1 and 3."
