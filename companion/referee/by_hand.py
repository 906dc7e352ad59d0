"""A position told by hand that is a play of the roll: so pieces are moved where no camera looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from companion.model import Content, DueKind, Position, StateError
from companion.referee import wording
from companion.referee.belief import Bench, State
from companion.referee.turn import Node, Turn

Told = Mapping[str, Any]
"""STATE, as FORMATS gives it."""


def played_by_hand(bench: Bench, state: State) -> Node | None:
    """The play that is due, where it leads to the state that the table told; None where that is a correction.

    Its `after` is the game's own: who tells where the pieces stand cannot know how many doublets were thrown in a row,
    and may challenge first (GOD-11). Who plays on declines a challenge.
    """
    if bench.rolloff is not None or bench.due.kind not in (DueKind.PLAY, DueKind.MOVE, DueKind.CHALLENGE):
        return None
    told = bench.game.to_json(state)
    return min((node for node in _ends(bench) if _shows(bench, node, told)), key=lambda n: len(n.steps), default=None)


def chooses_by_hand(bench: Bench, state: State) -> bool:
    """Whether the state that the table told is the set-up that is chosen (GOD-1 to GOD-3) before it is thrown who
    begins: where no camera looks it cannot be told otherwise. Who names another seat than whose throw is due, or was
    named before, says who begins. Raises StateError where it is meant, and not as the rules want it."""
    game, due = bench.game, bench.game.due(state).seat
    if bench.rolloff is None or not game.chooses_setup or due not in (bench.due.seat, game.due(bench.state).seat):
        return False
    try:
        return bool(game.set_up(game.position(state), due) == state)
    except StateError as error:
        if _as_many(game.everything(state)) != _as_many(game.everything(bench.state)):
            return False
        raise StateError(wording.set_up_sentence(error, bench.names)[0]) from None


def _as_many(stacks: Position) -> Counter[Content]:
    """How many stacks there are of each kind: as long as nothing was moved but whole ones, these."""
    return Counter(stacks.values())


def with_doublets(bench: Bench, state: State) -> State:
    """The state that the table told, with the doublets of the roll that was being played (PAR-16), which nobody tells:
    the page gives back what was counted before that roll. Who gives back all of that state wants to roll anew."""
    game, told = bench.game, bench.game.to_json(state)
    if bench.rolloff is not None or bench.due.kind is not DueKind.PLAY or told.get("doublets") not in _before(bench):
        return state
    if any(game.to_json(turn.before) == told for turn in bench.turns):
        return state
    counted = game.with_position(game.position(state), game.due(state).seat, bench.state)
    more = game.to_json(counted)
    fits = {**more, "doublets": 0} == {**told, "doublets": 0}
    return counted if fits and (more.get("doublets") or 0) > (told.get("doublets") or 0) else state


def _ends(bench: Bench) -> Iterator[Node]:
    """The ends of every play that is due."""
    for turn in _turns(bench):
        yield from (node for node in turn.nodes if node.complete and node.steps)


def _turns(bench: Bench) -> tuple[Turn, ...]:
    """Those whose plays may be told: before a move also the piece of a won challenge, which may be left (GOD-13)."""
    if bench.due.kind is DueKind.PLAY:
        return bench.turns
    return (*bench.turns, *bench.coming) if bench.may_go_on(bench.node) else bench.coming


def _shows(bench: Bench, node: Node, told: Told) -> bool:
    """Whether the end of a play is what was told, but for the doublets, which may be those before the roll; and for a
    challenge, which may come before whoever is said to be next."""
    after = bench.game.stop(node.after) if bench.game.due(node.after).kind is DueKind.CHALLENGE else node.after
    end = bench.game.to_json(after)
    if bench.game.winners(after):
        return all(told.get(what) == end.get(what) for what in ("pieces", "squares"))
    counted = {*_before(bench), end.get("doublets")}
    return {**told, "doublets": 0} == {**end, "doublets": 0} and told.get("doublets") in counted


def _before(bench: Bench) -> set[int | None]:
    """The doublets that were counted before the play that is due; of games that count none, None."""
    return {bench.game.to_json(turn.before).get("doublets") for turn in _turns(bench)}
