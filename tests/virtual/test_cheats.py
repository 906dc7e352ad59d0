"""What pretend players do wrong: only what no legal play looks like, each kind with the rules that it breaks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.model import DueKind, Position, Roll, Step
from companion.referee.turn import Turn
from companion.virtual.cheats import Cheat, cheats_at, text_of
from companion.virtual.cheats_parcheesi import AFTER_ROLL
from companion.virtual.cheats_single import after_legal_moves
from companion.virtual.cheats_special import beyond
from companion.virtual.cheats_words import KINDS
from companion.virtual.choices import a_set_up, choose, tops
from companion.virtual.occasion import NO_RULE, Occasion, between, in_play

GAMES: dict[str, tuple[tuple[int, ...], dict[str, Any], int]] = {
    "parcheesi": ((0, 1, 2, 3), {}, 100),
    "parcheesi-print": ((0, 2), {}, 150),
    "gloria": ((0, 1, 2, 3), {"opening_dice": 2}, 200),
    "aggravation": ((0, 1, 2, 3), {"play": "partners"}, 160),
    "game-of-god": ((0, 2), {}, 120),
}
"""Game → seats, options, and for how many of its moments a game is played here."""


def occasions(name: str) -> Iterator[Occasion]:
    """Every moment of a random game at which somebody could cheat."""
    seats, options, moments = GAMES[name]
    game, rng = game_for(name, seats, options), random.Random(5)
    state, played = game.opening(seats[0]), ()
    for _ in range(moments):
        if game.due(state).kind is DueKind.OVER:
            return
        turn = turn_of(game, state, rng)
        if turn is None:
            yield between(game, (state,), played)
            state = without_pieces(game, state, rng)
        else:
            yield in_play((turn,))
            outcomes = game.outcomes(turn.root)
            state = choose(game, outcomes, (), rng).state if outcomes else game.stop(turn.root)
            played = (turn,)


def turn_of(game: Game[Any], state: Any, rng: random.Random) -> Turn | None:
    due = game.due(state)
    if due.kind is DueKind.ROLL:
        return Turn.of(game, state, Roll(tuple(rng.randint(1, 6) for _ in range(max(due.dice)))))
    return Turn.without_dice(game, state) if due.kind in (DueKind.MOVE, DueKind.PLAY) else None


def without_pieces(game: Game[Any], state: Any, rng: random.Random) -> Any:
    due = game.due(state)
    if due.kind is DueKind.QUESTION:
        return game.answer(state, True)
    if due.kind is DueKind.CHALLENGE:
        return game.challenge(state, rng.choice(game.targets(state)))
    return game.throw(state, due.seat, rng.randint(1, 6))


of_each_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(f"cheats in {name}")) for name in sorted(GAMES)]
)


@cache
def fouls(name: str) -> list[tuple[Occasion, Cheat]]:
    rng = random.Random(6)
    return [(now, cheat) for now in occasions(name) for cheat in cheats_at(now, rng)]


@pytest.mark.long
@of_each_game
def test_no_foul_looks_like_anything_legal(name: str) -> None:
    found = fouls(name)
    assert len({cheat.kind for _, cheat in found}) >= 12
    for now, cheat in found:
        after = now.shows(cheat.moves)
        assert after is not None, cheat
        assert cheat.says_done or after not in now.explained, cheat
        assert cheat.says_done or after != now.game.position(now.state), cheat


@pytest.mark.long(but=("gloria",))
@of_each_game
def test_the_rules_of_a_foul_are_rules_of_the_game(name: str) -> None:
    named = set()
    for now, cheat in fouls(name):
        assert cheat.rules - {NO_RULE} <= set(now.game.sentences), cheat
        assert cheat.rules or cheat.kind in ("removed", "added"), cheat
        named |= cheat.rules
    assert len(named) > 5


@pytest.mark.long(but=("gloria", "parcheesi-print"))
@of_each_game
def test_every_kind_has_words_of_its_own(name: str) -> None:
    kinds = {cheat.kind for _, cheat in fouls(name)}
    texts = {text_of(kind) for kind in kinds}
    assert len(texts) == len(kinds) and all(text and "_" not in text for text in texts)


@pytest.mark.long
@pytest.mark.xdist_group("cheats in parcheesi")
def test_parcheesi_keeps_its_kinds() -> None:
    assert len(AFTER_ROLL) + 2 == 29
    shown = {cheat.kind for _, cheat in fouls("parcheesi")}
    assert shown <= set(KINDS) and len(shown) > 15


def test_a_piece_captured_and_moved_by_the_capturer_may_be_called_one_that_never_went_home() -> None:
    game = game_for("parcheesi-print", (0, 2), {})
    state = game.with_position(Position.of({"t1": (0,), "base0": (0,) * 3, "t5": (2,), "base2": (2,) * 3}), 0)
    now = in_play((Turn.of(game, state, Roll((4,))),))
    found = [cheat for seed in range(30) for cheat in after_legal_moves(now, random.Random(seed))]
    astray = [cheat for cheat in found if (2, "t5", "base2") in cheat.moves and cheat.moves[-1][:2] == (2, "base2")]
    assert astray and all("PRN-7" in cheat.rules and len(cheat.rules) > 1 for cheat in astray)


def test_only_the_opponents_of_god_that_stand_as_mirrors_are_set_up_rightly() -> None:
    game = game_for("game-of-god", (0, 1, 2, 3), {})
    for seed in range(20):
        right = a_set_up(game, random.Random(seed))
        assert game.set_up(tops(right), 0) is not None
        with pytest.raises(ValueError, match="GOD-2"):
            game.set_up(tops(a_set_up(game, random.Random(seed), mirrored=False)), 0)


class Board:
    """Of a game of other people: its spaces, and where a piece stands."""

    stood = Position.of({"b1": [0], "home0": [1]})

    def __init__(self, *spaces: str) -> None:
        self.game, self.state, self.spaces = self, None, lambda: spaces

    def position(self, state: Any) -> Position:
        return self.stood


@pytest.mark.parametrize(("target", "place"), [("a1", "c1"), ("c1", "a1"), ("base0", "a1")])
def test_a_captured_piece_goes_astray_on_a_board_without_a_track_too(target: str, place: str) -> None:
    """Squares were counted as a track of none, which ended the demo."""
    board: Any = Board("a1", "b1", "c1", "base0", "home0")
    assert beyond(board, Step(0, "base1", target)) == place
    full: Any = Board("b1", "home0")
    assert beyond(full, Step(0, "base1", "b1")) == "b1", "there is nowhere else to go"
