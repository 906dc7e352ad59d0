"""Fouls that pretend players showed the referee, and that it once named wrongly or missed."""

from __future__ import annotations

import random

import pytest
import soak

from companion.games.catalogue import game_for
from companion.model import DueKind, Position, Roll, Step
from companion.referee import accusing
from companion.referee.bench import Bench
from companion.referee.explain import explain
from companion.referee.turn import Turn


def test_a_captured_piece_put_elsewhere_is_not_taken_for_the_next_players_move() -> None:
    """AGG-6: it is the next player's marble, and that player has not rolled yet."""
    game = game_for("aggravation", (0, 1), {})
    opening = game.position(game.opening(0))
    start = opening.without(0, "base0").without(1, "base1").with_piece(0, "t20").with_piece(1, "t23")
    turn = Turn.of(game, game.with_position(start, 0), Roll((3,)))
    astray = start.moved(0, "t20", "t23").moved(1, "t23", "t24")
    found = explain(game, turn.nodes, turn.nodes[:1], astray)
    assert found.rules == ("AGG-6",) and found.mended == astray.moved(1, "t24", "base1")


def test_a_piece_placed_before_the_challenge_is_thrown_for_is_named_so() -> None:
    """GOD-12 and GOD-5 are said of it, rather than that it is another's turn."""
    game, rng = game_for("game-of-god", (0, 2), {}), random.Random(1)
    state = game.opening(0)
    while game.due(state).kind is not DueKind.CHALLENGE:
        state = soak._random_step(game, state, rng)
    seat, target = game.due(state).seat, game.targets(state)[0]
    bench = Bench.opening(game, {0: "White", 2: "Black"}, state, 0)
    moved = game.spaces()[state.moved]
    seen: Position = game.disturbed(state, Step(seat, moved, target))
    assert accusing.explained(bench, seen).rules[:2] == ("GOD-12", "GOD-5")


@pytest.mark.long
def test_after_a_move_taken_back_fouls_are_called_again() -> None:
    """A take-back is in doubt only until its player has moved again."""
    result = soak.Result()
    for seed in (3, 11):
        soak.play(seed, 10, whims=0.6, result=result, of="game-of-god")
    assert result.tally.clean and sum(result.tally.shown.values()) > 3, result.tally.table()
    assert result.texts.keys() & {"takeback: White took the move back.", "takeback: Black took the move back."}


def test_a_pawn_that_took_some_of_four_moves_at_once_is_told_that_not_all_can_be_played() -> None:
    """PAR-15, not that it could not land (PAR-4): with 2, 2, 5 and 5 it cannot move at all."""
    game = game_for("parcheesi", (0, 1), {})
    before = game.from_json({
        **{"game": "parcheesi", "options": {}, "seats": [0, 1], "due": 0, "doublets": 0},
        "pieces": {"0": [63, 71, 71, 71], "1": [-1, -1, -1, -1]},
    })
    turn = Turn.of(game, before, Roll((2, 2)))
    for target in ("lane0.4", "lane0.7"):
        found = explain(game, turn.nodes, turn.nodes[:1], game.position(before).moved(0, "t63", target))
        assert found.rules == ("PAR-15",)


@pytest.mark.parametrize(
    ("other", "moved", "target", "roll", "rule"),
    [("t24", "t27", "t26", 2, "AGG-4"), ("base1", "t18", "t23", 6, "AGG-8")],
)
def test_who_captures_with_a_marble_that_may_not_is_told_so(
    other: str, moved: str, target: str, roll: int, rule: str
) -> None:
    """Its rule (AGG-4, AGG-8), not that the marble which could captured and this one moved without a roll."""
    game = game_for("aggravation", (0, 1), {})
    start = game.position(game.opening(0)).without(0, "base0").with_piece(0, target)
    for name in {moved, other} - {"base1"}:
        start = start.without(1, "base1").with_piece(1, name)
    turn = Turn.of(game, game.with_position(start, 1), Roll((roll,)))
    ends = [game.position(node.state) for node in turn.nodes]
    seen = start.moved(1, moved, target).moved(0, target, "base0")
    assert start.moved(1, other, target).moved(0, target, "base0") in ends and seen not in ends
    found = explain(game, turn.nodes, turn.nodes[:1], seen)
    assert found.rules[0] == rule and found.moves == (Step(1, moved, target), Step(0, target, "base0"))


def test_a_pawn_that_a_move_captures_and_that_stays_there_is_told_of() -> None:
    """PAR-7: also where the move is found by going on from where play was."""
    game = game_for("parcheesi", (0, 1), {})
    opening = game.position(game.opening(0)).without(0, "base0").without(1, "base1")
    start = opening.with_piece(0, "t52").with_piece(1, "t54")
    turn = Turn.of(game, game.with_position(start, 0), Roll((2, 1)))
    landed = start.moved(0, "t52", "t54")
    found = explain(game, turn.nodes[:1], turn.nodes[:1], landed)
    assert found.rules == ("PAR-7",) and found.mended == landed.moved(1, "t54", "base1")
