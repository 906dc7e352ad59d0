"""The fouls of Parcheesi, each of a kind that players of it know."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.model import Step
from companion.referee.turn import Node, Turn
from companion.virtual.cheats_special import TURN, added, beyond, captured, left, removed
from companion.virtual.foul import Cheat, Make, ahead, move_of, on_track, with_captures
from companion.virtual.occasion import Occasion

DUTIES = frozenset({"PAR-2", "PAR-4", "PAR-5", "PAR-15", "PAR-16", "PAR-17", "PAR-18", "PAR-19", "COM-4"})
"""Rules that most fouls break as well: the count does not fit, or something else had to be done."""


def _own(occasion: Occasion, rng: random.Random) -> list[str]:
    """Spaces with a pawn of the player on turn, in random order."""
    turn = occasion.turn
    position = turn.game.position(turn.root)
    places = [name for name, content in position.items() if turn.seat in content]
    return rng.sample(places, len(places))


def _single(occasion: Occasion, rng: random.Random) -> Iterator[tuple[Step, tuple[str, ...]]]:
    """Single moves of a pawn of the player to a track or lane space nearby, each with the rules it breaks."""
    turn = occasion.turn
    spaces = [name for name in turn.game.spaces() if not name.startswith("base")]
    for origin in _own(occasion, rng):
        for target in rng.sample(spaces, len(spaces)):
            step = Step(turn.seat, origin, target)
            rules = tuple(objection.rule for objection in turn.game.objections(turn.root, step))
            if rules:
                yield step, rules


def _by_rule(kind: str, rule: str, fact: str = "") -> Make:
    """Fouls of one move that break `rule`, with a fact where the rule has several faces."""

    def make(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
        turn = occasion.turn
        for step, rules in _single(occasion, rng):
            objections = turn.game.objections(turn.root, step)
            facts = next((objection.facts for objection in objections if objection.rule == rule), {})
            near = abs(int(objections[0].facts.get("count", 1))) <= 14
            if rule in rules[:2] and near and (not fact or (fact in facts and facts[fact] is not False)):
                yield Cheat(kind, (move_of(step),), frozenset(rules) | DUTIES & {rule, "PAR-4", "PAR-5"})

    return make


def _together(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Both pawns of a blockade moved on by doublets."""
    turn = occasion.turn
    pairs = [name for name, content in turn.game.position(turn.root).items() if content == (turn.seat, turn.seat)]
    for step in turn.game.legal_steps(turn.root) if len(set(turn.dice)) == 1 else ():
        if step.origin in pairs and not step.origin.startswith("base") and not step.captures:
            yield Cheat("together", (move_of(step), move_of(step)), TURN | {"PAR-11"})


def _wrong_count(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    turn = occasion.turn
    for step, rules in _single(occasion, rng):
        facts = turn.game.objections(turn.root, step)[0].facts
        if rules[0] == "PAR-4" and 0 < int(facts.get("count", 0)) <= 14 and not facts.get("backwards"):
            yield Cheat("wrong_count", (move_of(step),), frozenset(rules) | DUTIES)


def _others_pawn(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    turn = occasion.turn
    position = turn.game.position(turn.root)
    names = [(s, n) for n, c in position.items() for s in c if s != turn.seat and on_track(n)]
    for seat, name in rng.sample(names, len(names)):
        target = ahead(occasion, name, rng.choice(turn.dice))
        if not position.at(target):
            yield Cheat("others_pawn", ((seat, name, target),), frozenset({"COM-3", "COM-2"}))


def _bonus_due(node: Node, turn: Turn) -> bool:
    return all(step.by.startswith("bonus") for step in turn.game.legal_steps(node.state))


def _one_of_four(node: Node, turn: Turn) -> bool:
    return 0 < len(node.steps) < 4 and len(turn.game.left(turn.root)) == 4


def _some_dice(node: Node, turn: Turn) -> bool:
    return bool(node.steps) and not _bonus_due(node, turn) and not _one_of_four(node, turn)


def _third_doublets(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """The third doublets played as if they were the first."""
    turn = occasion.turn
    steps = turn.game.legal_steps(turn.root)
    if not any(step.by == "penalty" for step in steps):
        return
    for origin in _own(occasion, rng):
        for count in (turn.dice[0], sum(turn.dice)):
            if on_track(origin):
                target = ahead(occasion, origin, count)
                yield Cheat("third_doublets", ((turn.seat, origin, target),), frozenset({"PAR-16"}))


def _two_moved(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Two pawns by the same die."""
    turn = occasion.turn
    steps = [s for s in turn.game.legal_steps(turn.root) if s.by.isdigit() and not s.captures]
    for one in steps:
        for other in steps:
            if one.origin != other.origin and one.by == other.by:
                yield Cheat("two_moved", (move_of(one), move_of(other)), DUTIES | TURN)


def _bonus_by_two(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """A bonus of 20 or 10 split between two pawns."""
    turn = occasion.turn
    for node in turn.nodes:
        bonus = [s for s in turn.game.legal_steps(node.state) if s.by.startswith("bonus")] if not node.complete else []
        pawns = sorted({s.origin for s in bonus if on_track(s.origin)})
        if len(pawns) < 2:
            continue
        half = int(bonus[0].by.split()[1]) // 2
        targets = [ahead(occasion, name, half) for name in pawns[:2]]
        before = [move for step in node.steps for move in with_captures(step)]
        split = [(turn.seat, a, b) for a, b in zip(pawns[:2], targets, strict=True)]
        if not any(turn.game.position(node.state).at(t) for t in targets):
            yield Cheat("bonus_split", (*before, *split), DUTIES | TURN | {"PAR-12"})


def before_roll(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """While a roll is due: the player moves at once, or somebody else does."""
    position, due = occasion.game.position(occasion.state), occasion.seat
    movable = [(s, n) for n, c in position.items() for s in c if on_track(n)]
    for seat, name in rng.sample(movable, len(movable)):
        target = ahead(occasion, name, rng.randint(1, 12))
        if not position.at(target):
            kind, rules = ("before_roll", "PAR-12") if seat == due else ("out_of_turn", "PAR-1")
            yield Cheat(kind, ((seat, name, target),), TURN | DUTIES | {rules})


AFTER_ROLL: tuple[Make, ...] = (
    _wrong_count,
    _by_rule("wrong_way", "PAR-4", "backwards"),
    _by_rule("blockade", "PAR-10"),
    _by_rule("onto_blockade", "PAR-10", "landing"),
    _by_rule("safe_space", "PAR-8"),
    _by_rule("third_pawn", "PAR-6"),
    _by_rule("no_five", "PAR-1", "dice"),
    _by_rule("must_enter", "PAR-2"),
    _together,
    _by_rule("wrong_lane", "PAR-12", "lane_of"),
    _by_rule("past_home", "PAR-12", "past_mouth"),
    _by_rule("wrong_home", "PAR-12", "exact"),
    _by_rule("doublets", "PAR-15"),
    _by_rule("more_dice", "PAR-5"),
    _others_pawn,
    captured("captured_kept", lambda _, step: step.target),
    captured("captured_gone", lambda _, step: ""),
    captured("captured_astray", beyond),
    left("unfinished", _some_dice),
    left("one_of_four", _one_of_four),
    left("bonus_left", _bonus_due),
    left("not_moved", lambda node, turn: not node.steps),
    _third_doublets,
    _two_moved,
    _bonus_by_two,
    removed,
    added,
)
