"""A position told by hand that is a play of the roll: so pieces are moved where no camera looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.model import DueKind
from companion.referee.belief import Bench, State
from companion.referee.turn import Node, Turn

Told = Mapping[str, Any]
"""STATE, as FORMATS gives it."""


def played_by_hand(bench: Bench, state: State) -> Node | None:
    """The play that is due, where it leads to the state that the table told; None where that is a correction.

    Its `after` is the game's own: who tells where the pieces stand cannot know how many doublets were thrown in a row.
    """
    if bench.rolloff is not None or bench.due.kind not in (DueKind.PLAY, DueKind.MOVE):
        return None
    told = bench.game.to_json(state)
    return min((node for node in _ends(bench) if _shows(bench, node, told)), key=lambda n: len(n.steps), default=None)


def _ends(bench: Bench) -> Iterator[Node]:
    """The ends of every play that is due; what may be challenged then is left alone."""
    for turn in _turns(bench):
        for node in turn.nodes:
            if node.complete and node.steps:
                challenge = bench.game.due(node.after).kind is DueKind.CHALLENGE
                yield replace(node, after=bench.game.stop(node.after)) if challenge else node


def _turns(bench: Bench) -> tuple[Turn, ...]:
    return bench.turns if bench.due.kind is DueKind.PLAY else bench.coming


def _shows(bench: Bench, node: Node, told: Told) -> bool:
    """Whether the end of a play is what was told, but for the doublets, which may be those before the roll."""
    end = bench.game.to_json(node.after)
    if bench.game.winners(node.after):
        return all(told.get(what) == end.get(what) for what in ("pieces", "squares"))
    before = {bench.game.to_json(turn.before).get("doublets") for turn in _turns(bench)}
    return {**told, "doublets": 0} == {**end, "doublets": 0} and told.get("doublets") in {*before, end.get("doublets")}
