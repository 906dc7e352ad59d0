"""Rolls that nobody told: which of them would explain what is seen on the board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.games.contract import Game
from companion.model import DueKind, Position, Roll
from companion.referee.explain import pieces_apart
from companion.referee.turn import State, Turn

MOST_BETWEEN = 8
"""From how many ends of the play of a roll it is looked for one of the roll that its player has once more."""


def to_roll(game: Game[Any], state: State) -> State:
    """The state in which the roll is due, as the question before it was answered rightly."""
    return game.answer(state, True) if game.due(state).kind is DueKind.QUESTION else state


def of_untold_roll(game: Game[Any], state: State, seen: Position) -> bool:
    """Whether some roll that is due, once the question before it is answered, may have led to what is seen."""
    ready = to_roll(game, state)
    return game.due(ready).kind is DueKind.ROLL and bool(rolls_begun(game, ready, seen))


@lru_cache(maxsize=16)
def after_untold_passes(game: Game[Any], state: State, seen: Position) -> bool:
    """Whether what is seen may be played with a roll that is due once some players could move nothing with theirs."""
    states = {state}
    for _ in game.seats[1:]:
        states = {after for one in states for after in _passes(game, to_roll(game, one))}
        if any(of_untold_roll(game, after, seen) for after in states):
            return True
    return False


def _passes(game: Game[Any], state: State) -> set[State]:
    """What is due after the rolls with which nothing can be moved."""
    if game.due(state).kind is not DueKind.ROLL:
        return set()
    turns = (Turn.of(game, state, roll) for roll in game.rolls(state))
    return {turn.nodes[0].after for turn in turns if turn.must_pass and turn.nodes[0].complete}


@lru_cache(maxsize=16)
def explaining_rolls(game: Game[Any], state: State, seen: Position) -> tuple[Roll, ...]:
    """The rolls of which what is seen would be a whole play; a roll is due."""
    return tuple(roll for roll in game.rolls(state) if Turn.of(game, state, roll).ends_with(seen))


@lru_cache(maxsize=16)
def rolls_begun(game: Game[Any], state: State, seen: Position) -> tuple[Roll, ...]:
    """The rolls of which what is seen would be a part of the play; a roll is due."""
    return tuple(roll for roll in game.rolls(state) if Turn.of(game, state, roll).leads_through(seen))


def led_here(game: Game[Any], state: State, seen: Position) -> bool:
    """Whether some roll, or two of the same player, may have led to what is seen; a roll is due."""
    return bool(rolls_begun(game, state, seen) or rolls_before_another(game, state, seen))


@lru_cache(maxsize=16)
def rolls_before_another(game: Game[Any], state: State, seen: Position) -> tuple[Roll, ...]:
    """The rolls after whose play the same player rolls again, of which what is seen would be at least a part, too; a
    roll is due, and nobody told either."""
    return tuple(roll for roll in game.rolls(state) if _goes_on(game, Turn.of(game, state, roll), seen))


def _goes_on(game: Game[Any], turn: Turn, seen: Position) -> bool:
    """Whether a play of that turn gives its player another roll, which may have led to what is seen."""
    again = [node for node in turn.nodes if node.complete and node.steps and game.due(node.after).seat == turn.seat]
    nearest = sorted(again, key=lambda node: pieces_apart(game.position(node.state), seen))[:MOST_BETWEEN]
    return any(of_untold_roll(game, node.after, seen) for node in nearest)
