"""Pretend players: each game is played from the first throw to the end, and everything due is said by somebody."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from calibration.sheet import board_for
from companion.games.catalogue import game_for
from companion.model import DueKind, Kind, Position, Roll, Verdict
from companion.referee.turn import Turn
from companion.service.boards.configured import board_options
from companion.virtual.choices import tops
from companion.virtual.players import Players
from companion.virtual.tabletop import Tabletop
from companion.virtual.tally import Tally


@dataclass
class Trusting:
    """Dice, phone and referee in one, that believe everything at once."""

    rng: random.Random
    said: list[tuple[Any, ...]] = field(default_factory=list)
    players: Players | None = None

    def ready(self, count: int) -> bool:
        return True

    def throw(self, count: int) -> tuple[int, ...]:
        self.said.append(("throw", count))
        return tuple(self.rng.randint(1, 6) for _ in range(count))

    def done(self) -> None:
        self.said.append(("done",))

    def answer(self, reader: int, right: bool) -> None:
        self.said.append(("answer", right))

    def declare(self, seat: int, plays: int) -> None:
        self.said.append(("declare", seat, plays))

    def challenge(self, target: str) -> None:
        self.said.append(("challenge", target))

    def choose(self, count: int) -> None:
        self.said.append(("choose", count))

    def accept(self, state: Any) -> None:
        raise AssertionError("everything was believed")

    def again(self) -> None:
        self.said.append(("again",))

    def rule(self, position: Position) -> None:
        """Say of the board as it stands that all is well."""
        assert self.players is not None
        for kind in (Kind.LEGAL, Kind.PASS, Kind.OVER):
            self.players.hear(Verdict(kind, self.players.now, position=position))


def played(name: str, seats: tuple[int, ...], options: dict[str, Any], turns: int, start: Any = None) -> Players:
    """A game of honest players, with everybody believed."""
    game = game_for(name, seats, options)
    table = Tabletop(board_for(name, board_options(game)).sheet(), random.Random(1))
    world = Trusting(random.Random(2))
    state = game.from_json(start) if start else None
    world.players = players = Players(
        game, table, world, world, random.Random(3), random.Random(4), Tally(), turns, 0.0, seats[0], start=state
    )
    for number in range(400 * turns):
        players.advance(number * 0.1)
        if players.over:
            return players
        stands = table.folded()
        world.rule(tops(stands) if game.stacks else stands)
    raise AssertionError(f"stuck after {players.tally.turns} turns")


class Deaf(Trusting):
    """A referee that goes on only when the players say by hand how the game stands."""

    def accept(self, state: Any) -> None:
        self.said.append(("accept",))

    def rule(self, position: Position) -> None:
        """Say nothing."""


@pytest.mark.parametrize("name", ["game-of-god", "aggravation"])
def test_who_said_by_hand_how_the_game_stands_takes_no_move_back(name: str) -> None:
    """Filmed: Game of God, desk (759), where the move after that was called wrong, and rightly so."""
    game = game_for(name, (0, 2), {})
    table = Tabletop(board_for(name, board_options(game)).sheet(), random.Random(1))
    world, start = Deaf(random.Random(2)), game.opening(0)
    players = Players(
        game, table, world, world, random.Random(3), random.Random(4), Tally(), 4, 0.0, 0, whims=1.0, start=start
    )
    movers: list[int] = []
    carry = players.hands.carry

    def carried(owner: int, origin: str, target: str, seat: int) -> Any:
        movers.extend([owner] if origin != target else [])
        return carry(owner, origin, target, seat)

    players.hands.carry = carried  # type: ignore[method-assign]
    for number in range(3000):
        players.advance(number * 0.1)
    assert players.over and movers == [0, 2, 0, 2]
    assert len(said(players, "accept")) == 4


def said(players: Players, what: str) -> list[tuple[Any, ...]]:
    world = players.voice
    assert isinstance(world, Trusting)
    return [one for one in world.said if one[0] == what]


GAMES: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
    ("gloria", (0, 1, 2, 3), {"opening_dice": 3, "six_again": True}),
    ("parcheesi", (0, 2), {}),
    ("parcheesi-print", (0, 1, 3), {}),
    ("aggravation", (0, 1, 2, 3, 4, 5), {"play": "teams"}),
    ("game-of-god", (0, 1, 2, 3), {}),
]


@pytest.mark.parametrize(("name", "seats", "options"), GAMES, ids=[name for name, _, _ in GAMES])
def test_pieces_stand_where_the_rules_allow_after_any_game(
    name: str, seats: tuple[int, ...], options: dict[str, Any]
) -> None:
    players = played(name, seats, options, 25)
    tally, state = players.tally, players._alike[0]
    shown = players.table.folded()
    assert shown == players.game.everything(state)
    assert tally.turns >= 25 and not tally.refused and not tally.shown


def test_questions_are_answered_and_sometimes_not_known() -> None:
    answers = said(played("gloria", (0, 1, 2), {}, 30), "answer")
    assert {right for _, right in answers} == {True, False}


def test_one_die_or_both_are_chosen_in_print_and_cut() -> None:
    players = played("parcheesi-print", (0, 2), {}, 20)
    assert {count for _, count in said(players, "choose")} == {1, 2}
    assert {count for _, count in said(players, "throw")[6:]} == {1, 2}


def test_a_game_of_god_is_played_to_its_end_with_challenges() -> None:
    players = played("game-of-god", (0, 2), {"size": 6}, 1_000_000)
    assert players.game.due(players._alike[0]).kind is DueKind.OVER
    assert said(players, "challenge") and said(players, "throw")


def test_who_is_all_home_declares_who_plays() -> None:
    start: dict[str, Any] = {"game": "aggravation", "options": {"play": "teams"}, "seats": [0, 1, 2, 3, 4, 5], "due": 0}
    start["pieces"] = {str(seat): [-1, 0, 5, 9] for seat in range(1, 6)} | {"0": [83, 84, 85, 86]}
    players = played("aggravation", (0, 1, 2, 3, 4, 5), {"play": "teams"}, 8, start)
    assert {plays for _, _, plays in said(players, "declare")} <= {2, 4}
    assert said(players, "declare")


@pytest.mark.long
def test_nobody_moves_straight_back_where_there_is_another_way() -> None:
    players = played("game-of-god", (0, 2), {}, 60)
    assert all(len(steps) == 1 for steps in players._last.values())


def test_a_turn_without_a_move_is_passed() -> None:
    game = game_for("aggravation", (0, 1), {})
    turn = Turn.of(game, game.opening(0), Roll((3,)))
    assert turn.must_pass
