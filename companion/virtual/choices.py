"""What pretend players choose: how to set up, and which legal play to make, so that games come to an end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.games.contract import Game
from companion.games.game_of_god import GameOfGod
from companion.model import Outcome, Position, Seat, Step

FORWARD = ((0, -1), (-1, 0), (0, 1), (1, 0))
"""Game of God: the way across the board, of N, E, S and W."""


def choose(
    game: Game[Any], outcomes: Sequence[Outcome], last: Sequence[Step], rng: random.Random
) -> Outcome:
    """A legal play by chance. last: the player's last one, which nobody takes straight back."""
    if not isinstance(game, GameOfGod):
        return rng.choice(outcomes)
    back = {(step.target, step.origin) for step in last}
    fresh = [one for one in outcomes if not any((s.origin, s.target) in back for s in one.steps)] or outcomes
    return rng.choices(fresh, [_weight(game, one.steps) for one in fresh])[0]


def _weight(game: GameOfGod, steps: Sequence[Step]) -> float:
    """Forward moves are liked best, moves back least."""
    weight = 1.0
    for step in steps:
        (x, y), (u, v) = (game.board.at[game.board.index[name]] for name in (step.origin, step.target))
        across, up = FORWARD[step.seat]
        forward = (u - x) * across + (v - y) * up
        weight *= 1 + 2 * forward if forward > 0 else 0.6 if forward == 0 else 0.15
    return weight


def a_set_up(game: GameOfGod, rng: random.Random, mirrored: bool = True) -> Position:
    """All pieces as a player who chooses the vacant squares sets them up; wrongly where they are not mirrored."""
    contents: dict[str, tuple[Seat, ...]] = {}
    goals, number = game.board.goals, len(game.board.goals[0])
    for one, facing in ((0, 2), (1, 3)):
        if one in game.seats:
            vacant = set(rng.sample(range(number), number - game.pairs))
            other = vacant if mirrored else {(n + 1) % number for n in vacant}
            for seat, free in ((one, vacant), (facing, other)):
                for n, square in enumerate(goals[seat]):
                    if n not in free:
                        contents[game.board.names[square]] = (seat, seat)
    return Position.stacked(contents)


def tops(position: Position) -> Position:
    """What a camera sees of stacks."""
    return Position.stacked({name: content[-1:] for name, content in position.items()})
