"""Rolls that nobody told: which of them would explain what is seen on the board, and asking for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from companion.games.contract import Game
from companion.model import DueKind, Kind, Position, Roll, Seat
from companion.referee import wording
from companion.referee.accusing import accuse
from companion.referee.announcing import in_trouble, said
from companion.referee.belief import Bench, Ruled
from companion.referee.explain import Foul, pieces_apart, put_back
from companion.referee.settle import Settled
from companion.referee.turn import State, Turn

MOST_BETWEEN = 5
"""From how many ends of the play of a roll it is looked for one of the roll that its player has once more."""
MOST_OF_ONE_DIE = 6
"""The same where one die is thrown, which takes no time: so many ends of a 6 has a marble on a star, all of them as
near to what is seen (AGG-10)."""


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
    stood, movers = game.position(state), (game.due(state).seat, game.mover(state))
    if not all(kept(stood, seen, seat) for seat in game.seats if seat not in movers):
        return ()
    return tuple(roll for roll in game.rolls(state) if _goes_on(game, Turn.of(game, state, roll), seen))


def _goes_on(game: Game[Any], turn: Turn, seen: Position) -> bool:
    """Whether a play of that turn gives its player another roll, which may have led to what is seen."""
    again = [node for node in turn.nodes if node.complete and node.steps and game.due(node.after).seat == turn.seat]
    nearest = sorted(again, key=lambda node: pieces_apart(game.position(node.state), seen))
    most = MOST_OF_ONE_DIE if len(turn.dice) == 1 else MOST_BETWEEN
    return any(of_untold_roll(game, node.after, seen) for node in nearest[:most])


def kept(before: Position, after: Position, seat: Seat) -> bool:
    """Whether the pieces of `seat` stand as they did, but for those that were sent back to their base."""
    stood = dict(before.items_)
    return all(
        content.count(seat) <= stood.get(name, ()).count(seat)
        for name, content in after.items_
        if not name.startswith("base")
    )


def unheard(bench: Bench) -> bool:
    """Whether the dice may have been thrown, though nobody told what they show, nor what the answer before them was."""
    return bench.due.kind in (DueKind.ROLL, DueKind.QUESTION) and not bench.dice_work


def ask_for_roll(bench: Bench, settled: Settled, seen: Position, found: Foul) -> Ruled:
    """The dice are away: which rolls would explain the move, or what there is of it?"""
    if said(bench, Kind.UNCLEAR, seen):
        return bench, []
    alone = _without_others(bench, seen, found)
    ready = to_roll(bench.game, bench.state)
    rolls = explaining_rolls(bench.game, ready, alone)
    if not rolls and not rolls_begun(bench.game, ready, alone):
        rolls = rolls_before_another(bench.game, ready, alone) or rolls_before_another(bench.game, ready, seen)
        if not rolls:
            passed = not found.astray and after_untold_passes(bench.game, bench.state, seen)
            return _ask_for_pass(bench, settled, seen) if passed else accuse(bench, settled.at, seen, found)
    words = ", or ".join(wording.dice_words(roll.dice) for roll in rolls[:4])
    text = _not_heard(f"Was the roll {words}?" if rolls else "What was rolled?")
    if bench.due.kind is DueKind.QUESTION:  # a phone takes no roll before that
        rolls, text = (), "I did not hear the dice, nor whether the answer was right. Please say both on the phone."
    if bench.trouble is not None and bench.trouble.text == text:
        return replace(bench, trouble=replace(bench.trouble, seen=seen)), []  # the same question, as play goes on
    return _ask(bench, settled, seen, text, rolls)


def ask_for_next_roll(bench: Bench, settled: Settled, seen: Position) -> Ruled:
    """Two plays lie one upon the other, and only the second roll, which nobody told, says how the first one ended."""
    if said(bench, Kind.UNCLEAR, seen):
        return bench, []
    return _ask(bench, settled, seen, _not_heard("What was rolled after that?"))


def _ask_for_pass(bench: Bench, settled: Settled, seen: Position) -> Ruled:
    """The dice are away, and the next player moved: what whoever is due rolled could not be played, perhaps."""
    who = wording.name_of(bench.names, bench.due.seat)
    answered = "answered and " if bench.due.kind is DueKind.QUESTION else ""
    text = f"I did not hear what {who} {answered}rolled. Please enter it on the phone."
    return _ask(bench, settled, seen, text)


def _not_heard(what: str) -> str:
    return f"I did not hear the dice. {what} Please enter it on the phone."


def _ask(bench: Bench, settled: Settled, seen: Position, text: str, rolls: Sequence[Roll] = ()) -> Ruled:
    """Ask for a roll; rolls: the likely ones, which a phone offers."""
    facts = {"rolls": [list(roll.dice) for roll in rolls], "untold": True}
    return in_trouble(bench, Kind.UNCLEAR, settled.at, seen, text=text, facts=facts)


def _without_others(bench: Bench, seen: Position, found: Foul) -> Position:
    """What is seen, but for what the next players moved with rolls of theirs that nobody told either: that is asked
    about once it is their turn. All that is seen where whoever is due did not move."""
    others = [step for step in found.moves if step.seat != bench.game.mover(bench.state)]
    return seen if found.astray or len(others) == len(found.moves) else put_back(seen, others)
