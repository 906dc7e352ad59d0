"""Rules by machine for Game of God: every move from a state, and what a challenge can come to (FORMATS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.game_of_god import GameOfGod, moved
from companion.games.game_of_god_board import ACTIVE, LETTERS
from companion.games.game_of_god_json import challenging, codes_of, plain, seat_of, square_of, written
from companion.games.game_of_god_stacks import Codes, top
from companion.games.game_of_god_state import CHALLENGE, OVER, PLACE, State
from companion.games.state_json import is_whole, shown
from companion.model import Seat, StateError, Step

CHALLENGE_KEYS = ("challenger", "moved", "target", "throws")


def answer(game: GameOfGod, request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request about moves, or about a challenge. Raises StateError, OptionError."""
    data = request["state"]
    if request.get("roll") is not None:
        raise StateError(f"roll {shown(request['roll'])}: {game.title} has no rolls, only the throws of a challenge")
    state = game.standing(seat_of(game, data, "due"), codes_of(game, data))
    won = [seat for seat in game.seats if game.brought(state.codes, seat) == 2 * game.pairs]
    if won:
        raise StateError(f"the game is over, won by {LETTERS[won[0]]}: no move is due")
    if any(key in request for key in CHALLENGE_KEYS):
        return {"outcomes": [_ended(game, after) for after in _challenge(game, state, request)]}
    if state.phase == OVER:
        return {"outcomes": [], "winner": [LETTERS[seat] for seat in state.winners]}
    after = plain(game, game.next_seat(state.due), state.codes)
    return {"outcomes": [_moved(game, state, after, step) for step in game.legal_steps(state)]}


def _moved(game: GameOfGod, state: State, after: Mapping[str, Any], step: Step) -> dict[str, Any]:
    """One move. after: STATE of the next player's turn, but for what has moved."""
    origin, target = game.board.index[step.origin], game.board.index[step.target]
    codes = moved(state.codes, origin, target)
    squares = {**after["squares"], step.origin: written(codes[origin]), step.target: written(codes[target])}
    if not codes[origin]:
        del squares[step.origin]
    return {
        "state": {**after, "squares": squares},
        "moved": [step.origin, step.target],
        "challenges": game.targets(State(state.due, CHALLENGE, codes, target)),
        "winner": _winner(game, state.due, codes, target),
    }


def _winner(game: GameOfGod, seat: Seat, codes: Codes, target: int) -> list[str] | None:
    """GOD-14. A stalemate (GOD-15) is found by who is on turn then, and is the answer to that request."""
    arrived = game.board.area[target] != ACTIVE
    return [LETTERS[seat]] if arrived and game.brought(codes, seat) == 2 * game.pairs else None


def _challenge(game: GameOfGod, state: State, request: Mapping[str, Any]) -> list[State]:
    """The states that the throws can lead to. Raises StateError where the challenge cannot be."""
    for key in CHALLENGE_KEYS:
        if key not in request:
            raise StateError(f"{key} is missing in the request: a challenge has {', '.join(CHALLENGE_KEYS)}")
    challenger, square = seat_of(game, request, "challenger"), square_of(game, request, "moved")
    target, throws = square_of(game, request, "target"), request["throws"]
    if not isinstance(throws, list) or len(throws) != 2 or not all(is_whole(v) and 1 <= v <= 6 for v in throws):
        raise StateError(f"throws {shown(throws)}: expected two numbers of 1 to 6, the challenger's first")
    if not state.codes[square] or top(state.codes[square]) != challenger:
        raise StateError(f"moved {request['moved']}: no piece of {LETTERS[challenger]} is on top there")
    if state.due != game.next_seat(challenger):
        due = LETTERS[game.next_seat(challenger)]
        raise StateError(f"due {LETTERS[state.due]}: after a move of {LETTERS[challenger]} it is {due}")
    pending = challenging(game, state.codes, square)
    return _thrown(game, game.challenge(pending, game.board.names[target]), throws)


def _thrown(game: GameOfGod, state: State, throws: list[int]) -> list[State]:
    for value in throws:
        state = game.throw(state, state.due, value)
    return [outcome.state for outcome in game.outcomes(state)] if state.phase == PLACE else [state]


def _ended(game: GameOfGod, state: State) -> dict[str, Any]:
    return {"state": plain(game, state.due, state.codes), "winner": None}
