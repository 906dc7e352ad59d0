"""Rules by machine: one JSON request a line, one JSON answer a line (FORMATS, "Rules by machine")."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import TextIOWrapper
from typing import Any, TextIO

from companion.games import game_of_god_plays
from companion.games.catalogue import game_from_json
from companion.games.contract import Game
from companion.games.game_of_god import GameOfGod
from companion.games.state_json import is_whole, shown
from companion.model import FAILURES, BadInput, DueKind, OptionError, Outcome, Roll, StateError, raised


def answer(line: str) -> str:
    """The answer to one request line: the outcomes of a roll, or an error. Never raises."""
    try:
        return json.dumps(_answer(_request(line)))
    except BadInput as error:
        return json.dumps({"error": str(error)})
    except FAILURES as error:  # games of other people raise whatever they like
        return json.dumps({"error": f"the game failed: {raised(error)}"})


def serve(in_stream: TextIO, out_stream: TextIO) -> None:
    """Answer each line of `in_stream` at once, until it ends; bytes that are no text are an error too. What a game of
    other people prints is no answer."""
    if isinstance(in_stream, TextIOWrapper):
        in_stream.reconfigure(errors="replace")
    for line in in_stream:
        with redirect_stdout(sys.stderr):
            answered = answer(line)
        out_stream.write(answered + "\n")
        out_stream.flush()


def _request(line: str) -> Mapping[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StateError(f"this line is no JSON ({error}): expected an object with state and roll") from None
    if not isinstance(request, dict):
        raise StateError(f"request {shown(request)}: expected an object with state and roll")
    if "state" not in request:
        raise StateError("state is missing in the request")
    return request


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    game = game_from_json(request["state"])
    if isinstance(game, GameOfGod):
        return game_of_god_plays.answer(game, request)
    outcomes = game.outcomes(_begun(game, request))
    passed = len(outcomes) == 1 and not outcomes[0].steps
    return {"outcomes": [_outcome(game, outcome) for outcome in outcomes], "pass": passed}


def _begun(game: Game[Any], request: Mapping[str, Any]) -> Any:
    """The state in which the play of the request begins: that of its roll, or of a turn that needs no dice."""
    before = game.from_json(request["state"])
    if game.due(before).kind is DueKind.MOVE:
        return game.begin(before)
    if "roll" not in request:
        raise StateError("roll is missing in the request")
    if game.due(before).kind is DueKind.OVER:
        raise StateError(f"the game is over, won by {list(game.winners(before))}: no roll is due")
    if game.due(before).kind is DueKind.QUESTION:
        before = game.answer(before, True)  # a request is made after the right answer
    return game.hear(before, _roll(request["roll"]))


def _roll(dice: object) -> Roll:
    if not isinstance(dice, list) or not dice or not all(is_whole(d) and 1 <= d <= 6 for d in dice):
        raise OptionError(f"roll {shown(dice)}: expected a list of dice, each 1 to 6")
    return Roll(tuple(dice))


def _outcome(game: Game[Any], outcome: Outcome) -> dict[str, Any]:
    state = game.to_json(outcome.state)
    state.pop("expects", None)  # only saved games say what they wait for
    return {
        "state": state,
        "steps": [[step.origin, step.target] for step in outcome.steps],
        "winner": list(game.winners(outcome.state)) or None,
    }
