"""What pretend players do wrong: each kind of foul as moves of real pawns, and the rules that a referee may cite.

A foul is only taken where no legal play, nor any part of one, looks like it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.contract import Game
from companion.model import Position, Seat, Step
from companion.referee.turn import Node, Turn

Move = tuple[Seat, str, str]
"""(seat, from, to); "" is off the board."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """A foul. moves: in order. rules: any one of them is right; () where none fits. says_done: presses the button."""

    kind: str
    moves: tuple[Move, ...]
    rules: frozenset[str]
    says_done: bool = False


DUTIES = frozenset({"PAR-2", "PAR-4", "PAR-5", "PAR-15", "PAR-16", "PAR-17", "PAR-18", "PAR-19", "COM-4"})
"""Rules that most fouls break as well: the count does not fit, or something else had to be done."""


TURN = frozenset({"COM-2", "COM-3"})
"""A move after the roll is played to its end is a move out of turn."""


def cheats_after_roll(turn: Turn, rng: random.Random) -> list[Cheat]:
    """One foul of each kind that this roll allows, in random order."""
    found = [cheat for make in _AFTER_ROLL for cheat in _first(make(turn, rng), _shows(turn))]
    rng.shuffle(found)
    return found


def cheats_before_roll(game: Game[Any], state: Any, rng: random.Random) -> list[Cheat]:
    """Fouls while a roll is due: the player moves at once, or somebody else does."""
    position, due = game.position(state), game.due(state).seat
    movable = [(s, n) for n, c in position.items() for s in c if n.startswith("t")]
    found = []
    for seat, name in rng.sample(movable, len(movable)):
        target = f"t{(int(name[1:]) + rng.randint(1, 12)) % 68}"
        if position.at(target):
            continue
        if seat == due:
            found.append(Cheat("before_roll", ((seat, name, target),), TURN | DUTIES | {"PAR-12"}))
        else:
            found.append(Cheat("out_of_turn", ((seat, name, target),), TURN | DUTIES | {"PAR-1"}))
    return found[:3]


def _first(cheats: Iterator[Cheat], allowed: Callable[[Cheat], bool]) -> list[Cheat]:
    """The first of some cheats that no legal play looks like."""
    return next(([cheat] for cheat, _ in zip(cheats, range(60), strict=False) if allowed(cheat)), [])


def _shows(turn: Turn) -> Callable[[Cheat], bool]:
    legal = turn.by_position
    before = turn.game.position(turn.root)

    def allowed(cheat: Cheat) -> bool:
        after = moved(before, cheat.moves)
        return after is not None and (cheat.says_done or after not in legal)

    return allowed


def moved(position: Position, moves: tuple[Move, ...]) -> Position | None:
    """The position after the moves; None where a piece is not where it should be."""
    for seat, origin, target in moves:
        if origin and seat not in position.at(origin):
            return None
        position = position.without(seat, origin) if origin else position
        position = position.with_piece(seat, target) if target else position
    return position


def _own(turn: Turn, rng: random.Random) -> list[str]:
    """Spaces with a pawn of the player on turn, in random order."""
    position = turn.game.position(turn.root)
    places = [name for name, content in position.items() if turn.seat in content]
    return rng.sample(places, len(places))


def _single(turn: Turn, rng: random.Random) -> Iterator[tuple[Step, tuple[str, ...]]]:
    """Single moves of a pawn of the player to a track or lane space nearby, each with the rules it breaks."""
    spaces = [name for name in turn.game.spaces() if not name.startswith("base")]
    for origin in _own(turn, rng):
        for target in rng.sample(spaces, len(spaces)):
            step = Step(turn.seat, origin, target)
            rules = tuple(objection.rule for objection in turn.game.objections(turn.root, step))
            if rules:
                yield step, rules


def _by_rule(kind: str, rule: str, fact: str = "") -> Callable[[Turn, random.Random], Iterator[Cheat]]:
    """Fouls of one move that break `rule`, with a fact where the rule has several faces."""

    def make(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
        for step, rules in _single(turn, rng):
            objections = turn.game.objections(turn.root, step)
            facts = next((objection.facts for objection in objections if objection.rule == rule), {})
            near = abs(int(objections[0].facts.get("count", 1))) <= 14
            if rule in rules[:2] and near and (not fact or (fact in facts and facts[fact] is not False)):
                yield Cheat(kind, (_move(step),), frozenset(rules) | DUTIES & {rule, "PAR-4", "PAR-5"})

    return make


def _together(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    """Both pawns of a blockade moved on by doublets."""
    pairs = [name for name, content in turn.game.position(turn.root).items() if content == (turn.seat, turn.seat)]
    for step in turn.game.legal_steps(turn.root) if len(set(turn.dice)) == 1 else ():
        if step.origin in pairs and not step.origin.startswith("base") and not step.captures:
            yield Cheat("together", (_move(step), _move(step)), TURN | {"PAR-11"})


def _wrong_count(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    for step, rules in _single(turn, rng):
        facts = turn.game.objections(turn.root, step)[0].facts
        if rules[0] == "PAR-4" and 0 < int(facts.get("count", 0)) <= 14 and not facts.get("backwards"):
            yield Cheat("wrong_count", (_move(step),), frozenset(rules) | DUTIES)


def _move(step: Step) -> Move:
    return step.seat, step.origin, step.target


def _others_pawn(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    position = turn.game.position(turn.root)
    names = [(s, n) for n, c in position.items() for s in c if s != turn.seat and n.startswith("t")]
    for seat, name in rng.sample(names, len(names)):
        target = f"t{(int(name[1:]) + rng.choice(turn.dice)) % 68}"
        if not position.at(target):
            yield Cheat("others_pawn", ((seat, name, target),), frozenset({"COM-3", "COM-2"}))


CAPTURES = frozenset({"PAR-7", "PAR-9"})


def _captured(kind: str, where: Callable[[Step], str]) -> Callable[[Turn, random.Random], Iterator[Cheat]]:
    """Captures after which the captured pawn does not go back to its base, but to `where`."""

    def make(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
        for node in turn.nodes[:1] + turn.nodes[1:][:20]:
            for step in () if node.complete else turn.game.legal_steps(node.state):
                before = [move for earlier in node.steps for move in _with_captures(earlier)]
                for seat, _ in step.captures:
                    away = (seat, step.target, where(step))
                    gone = () if where(step) == step.target else (away,)
                    yield Cheat(kind, (*before, *gone, _move(step)), CAPTURES)

    return make


def _beyond(step: Step) -> str:
    """The next space of the track."""
    return f"t{(int(step.target[1:]) + 1) % 68}"


def _left(kind: str, asked: Callable[[Node, Turn], bool]) -> Callable[[Turn, random.Random], Iterator[Cheat]]:
    """A part of the play, and then "done"; `asked`: at which moments."""

    def make(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
        partial = [node for node in turn.nodes if not node.complete and asked(node, turn)]
        for node in rng.sample(partial, min(len(partial), 5)):
            if any(twin.complete for twin in turn.by_position[turn.game.position(node.state)]):
                continue
            moves = tuple(move for step in node.steps for move in _with_captures(step))
            rules = frozenset(objection.rule for objection in turn.game.unfinished(node.state))
            yield Cheat(kind, moves, rules, says_done=True)

    return make


def _bonus_due(node: Node, turn: Turn) -> bool:
    return all(step.by.startswith("bonus") for step in turn.game.legal_steps(node.state))


def _one_of_four(node: Node, turn: Turn) -> bool:
    return 0 < len(node.steps) < 4 and len(turn.game.left(turn.root)) == 4


def _some_dice(node: Node, turn: Turn) -> bool:
    return bool(node.steps) and not _bonus_due(node, turn) and not _one_of_four(node, turn)


def _third_doublets(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    """The third doublets played as if they were the first."""
    steps = turn.game.legal_steps(turn.root)
    if not any(step.by == "penalty" for step in steps):
        return
    for origin in _own(turn, rng):
        for count in (turn.dice[0], sum(turn.dice)):
            if origin.startswith("t"):
                target = f"t{(int(origin[1:]) + count) % 68}"
                yield Cheat("third_doublets", ((turn.seat, origin, target),), frozenset({"PAR-16"}))


def _with_captures(step: Step) -> list[Move]:
    return [*((seat, step.target, base) for seat, base in step.captures), _move(step)]


def _two_moved(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    """Two pawns by the same die."""
    steps = [s for s in turn.game.legal_steps(turn.root) if s.by.isdigit() and not s.captures]
    for one in steps:
        for other in steps:
            if one.origin != other.origin and one.by == other.by:
                yield Cheat("two_moved", (_move(one), _move(other)), DUTIES | TURN)


def _bonus_by_two(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    """A bonus of 20 or 10 split between two pawns."""
    for node in turn.nodes:
        bonus = [s for s in turn.game.legal_steps(node.state) if s.by.startswith("bonus")] if not node.complete else []
        pawns = sorted({s.origin for s in bonus if s.origin.startswith("t")})
        if len(pawns) < 2:
            continue
        half = int(bonus[0].by.split()[1]) // 2
        targets = [f"t{(int(name[1:]) + half) % 68}" for name in pawns[:2]]
        before = [move for step in node.steps for move in _with_captures(step)]
        split = [(turn.seat, a, b) for a, b in zip(pawns[:2], targets, strict=True)]
        if not any(turn.game.position(node.state).at(t) for t in targets):
            yield Cheat("bonus_split", (*before, *split), DUTIES | TURN | {"PAR-12"})


def _removed(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    """A pawn of anybody taken off the board."""
    position = turn.game.position(turn.root)
    pawns = [(seat, name) for name, content in position.items() for seat in content]
    for seat, name in rng.sample(pawns, len(pawns)):
        yield Cheat("removed", ((seat, name, ""),), frozenset())


def _added(turn: Turn, rng: random.Random) -> Iterator[Cheat]:
    free = [n for n in turn.game.spaces() if n.startswith("t") and not turn.game.position(turn.root).at(n)]
    yield Cheat("added", ((rng.choice(turn.game.seats), "", rng.choice(free)),), frozenset())


_AFTER_ROLL: tuple[Callable[[Turn, random.Random], Iterator[Cheat]], ...] = (
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
    _captured("captured_kept", lambda step: step.target),
    _captured("captured_gone", lambda step: ""),
    _captured("captured_astray", _beyond),
    _left("unfinished", _some_dice),
    _left("one_of_four", _one_of_four),
    _left("bonus_left", _bonus_due),
    _left("not_moved", lambda node, turn: not node.steps),
    _third_doublets,
    _two_moved,
    _bonus_by_two,
    _removed,
    _added,
)


KINDS: Mapping[str, str] = {
    "wrong_count": "a pawn moved by a number not on the dice",
    "wrong_way": "a pawn moved backwards",
    "others_pawn": "another player's pawn moved",
    "blockade": "through or onto a blockade",
    "onto_blockade": "onto a blockade",
    "safe_space": "onto an occupied safety space",
    "third_pawn": "a third pawn on a space",
    "captured_kept": "a captured pawn left on the board",
    "captured_gone": "a captured pawn kept in the hand",
    "captured_astray": "a captured pawn put elsewhere",
    "no_five": "entered without a five",
    "must_enter": "a five not used to enter",
    "unfinished": "said done while dice were left",
    "one_of_four": "said done before all four of doublets",
    "bonus_left": "a bonus not taken",
    "not_moved": "said done without a move",
    "third_doublets": "third doublets played",
    "more_dice": "played so that fewer dice can be used",
    "doublets": "doublets played in part",
    "together": "a blockade moved on together",
    "wrong_lane": "onto another's lane",
    "past_home": "past the own lane",
    "wrong_home": "HOME without the exact count",
    "two_moved": "two pawns moved by one die",
    "bonus_split": "a bonus split between two pawns",
    "before_roll": "moved before rolling",
    "out_of_turn": "moved out of turn",
    "removed": "a pawn removed",
    "added": "a pawn added",
}
