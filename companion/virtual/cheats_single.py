"""Fouls of one illegal move, for any game: the kinds are the rules that the game names first, each by its face."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.games.contract import Game
from companion.model import Objection, Position, Seat, Step
from companion.referee.turn import Node
from companion.virtual.foul import Cheat, move_of, with_captures
from companion.virtual.occasion import Move, Occasion

ORIGINS = 7
"""From so many spaces a foul is tried."""
FARTHEST = 14
"""No player miscounts by more."""
LATER = ", after a legal move"
"""What is added to the kind of a foul that follows legal moves."""

FACES = (
    *("before_answer", "before_roll", "before_throws", "declare", "unfinished", "played"),
    *("nowhere", "backwards", "lane_of", "past_mouth", "past_start", "no_round", "at_rest", "from_home", "hops"),
    *("beyond", "on_star", "star", "no_six", "second_six", "one_used", "five_used", "at_once", "other"),
    *("exact", "third"),
    *("forward", "entered", "trapped", "closed", "again", "bent", "over", "onto", "must", "own", "total", "landing"),
)
"""Facts that give a rule one of its faces, the most telling first."""


def kind_of(objection: Objection) -> str:
    """The kind of foul: the rule, and which face of it."""
    face = next((fact for fact in FACES if objection.facts.get(fact)), "")
    return f"{objection.rule} {face}".strip()


def single_moves(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Single illegal moves from where play stands: of pieces of whoever is due, and of others."""
    for step, objections in _illegal(occasion, occasion.state, rng):
        yield _cheat(occasion, kind_of(objections[0]), (move_of(step),))


def after_legal_moves(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """The same after a part of a legal play, or after all of it."""
    if not occasion.rolled or occasion.game.stacks:
        return
    nodes = [node for node in occasion.turn.nodes[1:200] if node.steps]
    for node in rng.sample(nodes, min(2, len(nodes))):
        played = tuple(move for step in node.steps for move in with_captures(step))
        for step, objections in _illegal(occasion, node.state, rng):
            kind, moves = kind_of(objections[0]) + LATER, (*played, move_of(step))
            yield _cheat(occasion, kind, moves, _never_home(occasion.game, node, step))


def _never_home(game: Game[Any], node: Node, step: Step) -> frozenset[str]:
    """The rules by which the piece that `step` moves was captured on the way to `node`: it looks as never sent home."""
    caught = {place: game.capture_rule(by) for by in node.steps for place in by.captures}
    return frozenset(rule for place, rule in caught.items() if place == (step.seat, step.origin))


def _cheat(occasion: Occasion, kind: str, moves: tuple[Move, ...], more: frozenset[str] = frozenset()) -> Cheat:
    after = occasion.shows(moves)
    return Cheat(kind, moves, frozenset() if after is None else occasion.rules(after) | more)


def _illegal(
    occasion: Occasion, state: Any, rng: random.Random
) -> Iterator[tuple[Step, tuple[Objection, ...]]]:
    """One illegal move of each kind, that people could make."""
    game, known = occasion.game, set[str]()
    stands, spaces = game.everything(state), list(game.spaces())
    for seat, origin in _origins(stands, occasion.seat, rng):
        for target in rng.sample(spaces, len(spaces)):
            step = Step(seat, origin, target)
            if origin == target or not _has_room(game, stands, step):
                continue
            objections = game.objections(state, step)
            if objections and kind_of(objections[0]) not in known and _is_likely(game, stands, step, objections[0]):
                known.add(kind_of(objections[0]))
                yield step, objections


def _origins(stands: Position, seat: Seat, rng: random.Random) -> list[tuple[Seat, str]]:
    """Pieces to move: mostly those of `seat`, each space once."""
    places = sorted({(owner, name) for name, content in stands.items() for owner in content})
    own = [place for place in places if place[0] == seat]
    others = [place for place in places if place[0] != seat]
    chosen = rng.sample(own, min(ORIGINS, len(own)))
    return chosen + rng.sample(others, min(2, len(others)))


def _has_room(game: Game[Any], stands: Position, step: Step) -> bool:
    """Whether the piece can be put there at all: a hole holds one marble; bases are for their own pieces."""
    if step.target.startswith("base"):
        return step.target == f"base{step.seat}"
    return game.nouns.space != "hole" or not stands.at(step.target)


def _is_likely(game: Game[Any], stands: Position, step: Step, objection: Objection) -> bool:
    """Whether people do so: no far miscounts, and onto others' pieces only where just that is the foul."""
    facts = objection.facts
    count = facts.get("count")
    if facts.get("nowhere") or (isinstance(count, int) and abs(count) > FARTHEST):
        return False
    strangers = any(seat != step.seat for seat in stands.at(step.target))
    return game.stacks or not strangers or facts.get("space") == step.target
