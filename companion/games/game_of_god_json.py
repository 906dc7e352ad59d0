"""Game of God as STATE of FORMATS: squares with their pieces from bottom to top, seats as N, E, S, W.

A state in which something else than a move is due has fields of its own, so that a saved game loses nothing:
expects: "play", "challenge", "throws", "placing" or "nothing"; moved and target: squares; throws: those of the
challenge, the challenger's first. "throws" without moved means those for who begins, of which a state knows nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.games.game_of_god_board import ACTIVE, LETTERS
from companion.games.game_of_god_stacks import Codes, closed, coded, pieces, top
from companion.games.game_of_god_state import CHALLENGE, MOVE, OVER, PLACE, PLAY, THROW, State
from companion.games.state_json import is_whole, shown
from companion.model import Seat, StateError

if TYPE_CHECKING:
    from companion.games.game_of_god import GameOfGod

EXPECTS = {PLAY: "play", CHALLENGE: "challenge", THROW: "throws", PLACE: "placing", OVER: "nothing"}
PHASES = {word: phase for phase, word in EXPECTS.items()}


@lru_cache(maxsize=1024)
def written(code: int) -> str:
    """The letters of a stack from bottom to top."""
    return "".join(LETTERS[seat] for seat in pieces(code))


def plain(game: GameOfGod, due: Seat, codes: Codes) -> dict[str, Any]:
    """STATE where a move of `due` is due, or would be."""
    named = zip(game.board.names, codes, strict=True)
    return {
        "game": game.name,
        "options": dict(game.options),
        "seats": [LETTERS[seat] for seat in game.seats],
        "due": LETTERS[due],
        "squares": {name: written(code) for name, code in named if code},
    }


def to_json(game: GameOfGod, state: State) -> dict[str, Any]:
    """STATE, with the fields of what is pending."""
    data = plain(game, state.due, state.codes)
    if state.phase != MOVE and game.standing(state.due, state.codes) != state:
        data["expects"] = EXPECTS[state.phase]
    if state.phase in (CHALLENGE, THROW, PLACE):
        data["moved"] = game.board.names[state.moved]
    if state.phase in (THROW, PLACE):
        data |= {"target": game.board.names[state.target], "throws": list(state.throws)}
    return data


def seat_of(game: GameOfGod, data: Mapping[str, Any], key: str) -> Seat:
    """The seat whose letter stands under `key`. Raises StateError."""
    letters = [LETTERS[seat] for seat in game.seats]
    if data.get(key) not in letters:
        raise StateError(f"{key} {shown(data.get(key))}: expected one of {letters}")
    return LETTERS.index(data[key])


def square_of(game: GameOfGod, data: Mapping[str, Any], key: str) -> int:
    """The square whose name stands under `key`. Raises StateError."""
    name = data.get(key)
    if not isinstance(name, str) or name not in game.board.index:
        raise StateError(f"{key} {shown(name)}: expected a square, a1 to {_last(game)}")
    return game.board.index[name]


def _last(game: GameOfGod) -> str:
    return max(game.board.names, key=lambda name: game.board.at[game.board.index[name]])


def codes_of(game: GameOfGod, data: Mapping[str, Any]) -> Codes:
    """The stacks under `squares`. Raises StateError."""
    squares = data.get("squares")
    if not isinstance(squares, Mapping):
        raise StateError(f"squares {shown(squares)}: expected an object, square to its pieces from bottom to top")
    codes = [0] * len(game.board.names)
    letters = {LETTERS[seat]: seat for seat in game.seats}
    for name, stack in squares.items():
        if name not in game.board.index:
            raise StateError(f"square {shown(name)}: the squares are a1 to {_last(game)}")
        if not isinstance(stack, str) or not set(stack) <= letters.keys():
            raise StateError(f"{name} {shown(stack)}: expected a string of the letters {', '.join(letters)}")
        codes[game.board.index[name]] = coded([letters[letter] for letter in stack], name)
    return tuple(codes)


def from_json(game: GameOfGod, data: Mapping[str, Any]) -> State:
    """The state that STATE describes, with what is pending. Raises StateError."""
    due, codes = seat_of(game, data, "due"), codes_of(game, data)
    state = game.standing(due, codes)
    word = data.get("expects")
    won = state.phase == OVER and any(game.brought(codes, seat) == 2 * game.pairs for seat in game.seats)
    if word is None or won or (word == "throws" and "moved" not in data):
        return state
    if not isinstance(word, str) or word not in PHASES:
        raise StateError(f"expects {shown(word)}: expected {', '.join(PHASES)}")
    phase = PHASES[word]
    if phase == OVER:
        return state if state.phase == OVER else game.stopped(due, codes)
    if phase == PLAY:
        return state if state.phase == OVER else game.begin(state)
    return _challenge(game, data, State(due, phase, codes))


def _challenge(game: GameOfGod, data: Mapping[str, Any], state: State) -> State:
    """What is pending of a challenge, played from its beginning so that nothing impossible can be said."""
    moved = square_of(game, data, "moved")
    begun = challenging(game, state.codes, moved)
    if state.phase > CHALLENGE:
        begun = game.challenge(begun, game.board.names[square_of(game, data, "target")])
        for value in _throws(data, 1 if state.phase == THROW else 2):
            begun = game.throw(begun, begun.due, value)
    if begun.phase != state.phase or begun.due != state.due:
        raise StateError(f"due {LETTERS[state.due]}: after what the state says, {LETTERS[begun.due]} is due")
    return begun


def _throws(data: Mapping[str, Any], most: int) -> list[int]:
    throws = data.get("throws", [])
    if not isinstance(throws, list) or len(throws) > most or not all(is_whole(v) and 1 <= v <= 6 for v in throws):
        raise StateError(f"throws {shown(throws)}: expected a list of at most {most}, each 1 to 6")
    return throws


def challenging(game: GameOfGod, codes: Codes, moved: int) -> State:
    """The moment after a piece was moved to `moved` and may challenge. Raises StateError where none can have."""
    code, name = codes[moved], game.board.names[moved]
    if not code or closed(code) or game.board.area[moved] != ACTIVE:
        raise StateError(f"moved {name}: no piece that was just moved there can challenge (GOD-11)")
    state = State(top(code), CHALLENGE, codes, moved)
    if not game.targets(state):
        raise StateError(f"moved {name}: no lone opponent's piece stands beside it (GOD-11)")
    return state
