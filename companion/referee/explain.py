"""What went wrong: from a board that no play explains to the moves that made it and the rules they break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from operator import attrgetter, itemgetter
from typing import Any

from companion.games.contract import Game
from companion.model import Content, DueKind, Objection, Position, Seat, Step
from companion.model.board import owner_of
from companion.referee.turn import Node

MOST_BASES = 6
"""From how many of the nearest nodes of the turn a foul is explained."""
MOST_MOVES = 4
"""More pieces of one player than this were not moved but upset."""

Place = tuple[Seat, str]


@dataclass(frozen=True, slots=True)
class Foul:
    """The best explanation. moves: what was moved since the turn's start, legal steps first.

    objections: of the moves that are not legal, `illegal` of them. seat: who made the first of these; None if nobody
    knows whose hand it was (COM-3). missing: pieces and where they should stand; extra: pieces too many and where they
    stand. upset: more was changed than a play can change. mended: how the board should look, where not as it stood
    before (None): a play that is right stays, whatever was moved besides. spare: those moves that the player made when
    all of the roll that can be played was played already.
    """

    moves: tuple[Step, ...] = ()
    objections: tuple[Objection, ...] = ()
    missing: tuple[Place, ...] = ()
    extra: tuple[Place, ...] = ()
    illegal: int = 0
    seat: Seat | None = None
    upset: bool = False
    mended: Position | None = None
    spare: tuple[Step, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules broken, the most telling first, each once."""
        return tuple(dict.fromkeys(objection.rule for objection in self.objections))

    @property
    def astray(self) -> bool:
        """Whether pieces are gone or too many, which no move explains."""
        return bool(self.missing or self.extra)

    @property
    def cost(self) -> tuple[int, int]:
        """What speaks against the explanation: pieces it leaves unexplained, then moves it has to call illegal."""
        return len(self.missing) + len(self.extra), self.illegal

    @property
    def moved(self) -> int:
        """How many pieces were moved, captured ones too; a piece that goes on from where it came is one."""
        came: Counter[Place] = Counter()
        for step in self.moves:
            here = step.seat, step.origin
            came[here] -= came[here] > 0
            came[step.seat, step.target] += 1
        return came.total() + sum(len(step.captures) for step in self.moves)


def explain(game: Game[Any], nodes: Sequence[Node], standing: Sequence[Node], observed: Position) -> Foul:
    """The likeliest foul. nodes: all of the turn, or the state in which a roll is due. standing: where play was.

    From the nearest nodes; and from where play was, if fewer pieces had to be moved from there: who captures with a
    piece that may not has hardly captured with the one that may, and then put the other in its place.
    """

    def foul(node: Node) -> Foul:
        return _from_node(game, node, with_left(game, node, nodes), observed)

    found = min(map(foul, _nearest(game, nodes, standing, observed)), key=attrgetter("cost"))
    stood = (node for node in nodes if node in standing)
    fewer = [n for n in stood if pieces_apart(game.position(n.state), observed) < 2 * found.moved]
    return min((found, *map(foul, fewer)), key=attrgetter("cost", "moved"))


def with_left(game: Game[Any], node: Node, nodes: Sequence[Node]) -> Node:
    """The node; where the play is complete though some of the roll is left, at the moment before that lapses."""
    before = next((n for n in nodes if node.steps and n.steps == node.steps[:-1]), None)
    left = None if before is None else game.lapsed(before.state, node.steps[-1])
    return node if left is None else replace(node, state=left)


def _nearest(
    game: Game[Any], nodes: Sequence[Node], standing: Sequence[Node], observed: Position
) -> list[Node]:
    """The nodes that differ least from the board; of equals those where play stood, then the earliest."""

    def distance(node: Node) -> tuple[int, bool, int]:
        return pieces_apart(game.position(node.state), observed), node not in standing, len(node.steps)

    ranked = sorted(nodes, key=distance)
    least = distance(ranked[0])[0]
    return [node for node in ranked[:MOST_BASES] if distance(node)[0] == least]


def pieces_apart(position: Position, observed: Position) -> int:
    """How many pieces would have to be put down or taken away to turn one into the other."""
    return sum(1 for _ in _gone(position, observed)) + sum(1 for _ in _gone(observed, position))


def _gone(before: Position, after: Position) -> Iterator[Place]:
    """The pieces that stand in `before` and not in `after`."""
    for name, content in before.items_:
        for seat in (Counter(content) - Counter(after.at(name))).elements():
            yield seat, name


def _from_node(game: Game[Any], node: Node, left: Node, observed: Position) -> Foul:
    """left: the same, see `with_left`: by what is left of the roll its player's own moves are judged; those of others
    by whose turn it is."""
    position = game.position(node.state)
    due = node.steps[-1].seat if node.steps else game.mover(node.state)
    gone, came = list(_gone(position, observed)), list(_gone(observed, position))
    taken = _Pairs(due, tuple(_taken_by_others(due, gone, came)), (), ())
    for origin, base in taken.moves:
        gone.remove((due, origin))
        came.remove((due, base))
    others = [_pair_simply(seat, gone, came) for seat in sorted({s for s, _ in gone + came} - {due})] + [taken]
    mine = _places(gone, due), _places(came, due)
    if max(len(mine[0]), len(mine[1])) > MOST_MOVES:
        return Foul(node.steps, (), tuple(gone), tuple(came), upset=True)
    ways = (_own(game, left, pairs) for pairs in _pairings(due, *mine))
    own = min(ways, key=_weight)
    return _with_others(game, node, own, others, observed)


def _taken_by_others(due: Seat, gone: Iterable[Place], came: Iterable[Place]) -> Iterator[tuple[str, str]]:
    """The pieces of who is to move, as (space, base), that went to their base while another player's came where they
    stood: that one captured them, and they did not go backwards."""
    home, base = Counter(came), f"base{due}"
    for seat, name in gone:
        if seat == due and home[due, base] and any(at == name and other != due for other, at in came):
            home[due, base] -= 1
            yield name, base


def _weight(foul: Foul) -> tuple[tuple[int, int], int, int, int]:
    """What speaks against one way in which a player's pieces were moved: people rather miscount than go backwards, and
    of two ways that else are alike, they went the shorter one."""
    counts = [count for o in foul.objections if isinstance(count := o.facts.get("count"), int)]
    backwards = sum(bool(o.facts.get("backwards")) for o in foul.objections)
    return foul.cost, backwards, len(foul.objections), sum(counts)


def _places(places: Iterable[Place], seat: Seat) -> list[str]:
    return [name for owner, name in places if owner == seat]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pieces of one seat: the moves (origin, target), and what is missing or too many."""

    seat: Seat
    moves: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def _pair_simply(seat: Seat, gone: list[Place], came: list[Place]) -> _Pairs:
    return next(iter(_pairings(seat, _places(gone, seat), _places(came, seat))))


def _pairings(seat: Seat, gone: list[str], came: list[str]) -> Iterator[_Pairs]:
    """Every way in which the pieces that are gone can be those that came."""
    moved = min(len(gone), len(came))
    for origins, targets in product(permutations(gone, moved), _ordered(came, moved, len(gone))):
        rest = tuple((Counter(gone) - Counter(origins)).elements())
        more = tuple((Counter(came) - Counter(targets)).elements())
        yield _Pairs(seat, tuple(zip(origins, targets, strict=True)), rest, more)


def _ordered(came: list[str], moved: int, gone: int) -> Iterable[tuple[str, ...]]:
    """Targets in one order where the origins are permuted already, else in each."""
    return permutations(came, moved) if len(came) > gone else [tuple(came)]


def _own(game: Game[Any], node: Node, pairs: _Pairs) -> Foul:
    """The moves of the player on turn in the order that breaks the fewest rules."""
    walks = (_walk(game, node, pairs.seat, order) for order in permutations(pairs.moves))
    foul = min(walks, key=_weight)
    missing, extra = (tuple((pairs.seat, name) for name in names) for names in (pairs.missing, pairs.extra))
    return replace(foul, moves=(*node.steps, *foul.moves), missing=missing, extra=extra)


def _walk(game: Game[Any], node: Node, seat: Seat, moves: Iterable[tuple[str, str]]) -> Foul:
    """Go on from a node as far as the rules allow, and collect what they say to the rest."""
    state, begun = node.state, bool(node.steps)
    steps: list[Step] = []
    objections: list[Objection] = []
    wrong: list[Step] = []
    all_over = True
    for origin, target in moves:
        way = _legal_way(game, state, seat, origin, target)
        if way is None:
            over = (begun or bool(steps)) and not game.legal_steps(state)
            steps.append(Step(seat, origin, target))
            wrong.append(steps[-1])
            all_over = all_over and over
            objections += _said_of(game, state, steps[-1], over and game.due(state).kind is not DueKind.PLAY)
        else:
            state = way[0]
            steps += way[1]
    spare = tuple(wrong) if all_over else ()
    who = seat if objections else None
    return Foul(tuple(steps), tuple(objections), illegal=len(wrong), seat=who, spare=spare)


def _said_of(game: Game[Any], state: Any, step: Step, over: bool) -> Iterator[Objection]:
    """The rules that a step breaks; "played" where what was moved before played the roll to its end: `over`."""
    for objection in _against(game, state, step):
        yield Objection(objection.rule, {**objection.facts, "played": True}) if over else objection


def _against(game: Game[Any], state: Any, step: Step) -> tuple[Objection, ...]:
    """The rules that a step breaks. A piece that goes to its own base without a roll was rather sent there by another,
    who passed it, than moved by its owner (COM-3); unless some roll would take it there."""
    said = game.objections(state, step)
    home = step.target.startswith("base") and owner_of(step.target) == step.seat
    if not home or not said or said[0].rule == "COM-3" or game.due(state).kind is DueKind.PLAY:
        return said
    if _of_some_roll(game, state, step):
        return said
    facts = {"seat": step.seat, "due": game.due(state).seat, "not_captured": True, "space": step.origin}
    return (Objection("COM-3", facts),)


def _of_some_roll(game: Game[Any], state: Any, step: Step) -> bool:
    """Whether the player whose roll is due may make that step with some roll, as that of a third doublets (PAR-16)."""
    if game.due(state).kind is not DueKind.ROLL:
        return False
    rolled = (game.hear(state, roll) for roll in game.rolls(state))
    ways = (way for after in rolled if game.due(after).kind is DueKind.PLAY for way in game.legal_steps(after))
    return any((way.seat, way.origin, way.target) == (step.seat, step.origin, step.target) for way in ways)


def _legal_way(
    game: Game[Any], state: Any, seat: Seat, origin: str, target: str
) -> tuple[Any, tuple[Step, ...]] | None:
    """How the piece gets from origin to target by legal steps of its own, if it can."""
    if game.due(state).kind is not DueKind.PLAY:
        return None
    for step in game.legal_steps(state):
        if step.seat == seat and step.origin == origin:
            after = game.lapsed(state, step) or game.take(state, step)
            if step.target == target:
                return after, (step,)
            further = _legal_way(game, after, seat, step.target, target)
            if further is not None:
                return further[0], (step, *further[1])
    return None


def _with_others(game: Game[Any], node: Node, own: Foul, others: list[_Pairs], observed: Position) -> Foul:
    """Add what happened to other players' pieces: captured and put elsewhere than home, or touched without cause."""
    moved = [Step(pairs.seat, *move) for pairs in others for move in pairs.moves]
    captures = [(step, _capture(step, own.moves)) for step in moved]
    astray = [(step, by) for step, by in captures if by is not None and step.target != by[1]]
    astray += _left_standing(own.moves[len(node.steps) :], observed)
    touched = [step for step, by in captures if by is None]
    first = [step for step in touched if not _taken_along(step, touched)]
    against = [(_hand(game, node, step), o) for step in first for o in _against(game, node.state, step)]
    missing = [(pairs.seat, name) for pairs in others for name in pairs.missing]
    extra = [(pairs.seat, name) for pairs in others for name in pairs.extra]
    alone = [step for step in first if not _taken_along(step, own.moves)]
    spoilt = missing or extra or own.missing or own.extra or (own.objections and not own.spare)
    mended = put_back(_sent_home(observed, astray), [*own.spare, *touched])
    faults = [(own.seat, o) for o in own.objections] + [(by[0].seat, _not_home(game, step, by)) for step, by in astray]
    faults += against
    return replace(
        own,
        moves=(*own.moves, *(step for step, _ in astray), *touched),
        objections=tuple(objection for _, objection in faults),
        missing=(*own.missing, *missing),
        extra=(*own.extra, *extra),
        illegal=own.illegal + len(alone) + len(astray),
        seat=next((seat for seat, objection in faults[:1] if objection.rule != "COM-3"), None),
        mended=None if spoilt or not (astray or own.moves) else mended,
    )


def _hand(game: Game[Any], node: Node, touched: Step) -> Seat | None:
    """Who touched a piece of somebody else than who is to move: its owner, rather; None where it went to its base while
    a roll is played, as a piece that is to be captured does."""
    due, home = game.due(node.state), touched.target == f"base{touched.seat}"
    return None if home and due.kind is DueKind.PLAY and touched.seat != due.seat else touched.seat


def _taken_along(touched: Step, moves: Iterable[Step]) -> bool:
    """Whether a piece went to its base since a move that no rule allows ended where it stood: one foul with that."""
    home = touched.target == f"base{touched.seat}"
    return home and any(not m.by and m.seat != touched.seat and m.target == touched.origin for m in moves)


Captured = tuple[Step, str]
"""The step that captures, and the base to which it sends the piece."""


def _capture(moved: Step, steps: Iterable[Step]) -> Captured | None:
    """What captured a piece that was moved, if anything did."""
    for step in steps:
        for seat, base in step.captures:
            if seat == moved.seat and moved.origin in (step.target, base):
                return step, base
    return None


def _left_standing(steps: Iterable[Step], observed: Position) -> Iterator[tuple[Step, Captured]]:
    """The pieces that these steps capture and that stand where they stood, as if put back there from the base."""
    for step in steps:
        for seat, base in step.captures:
            if seat in observed.at(step.target):
                yield Step(seat, base, step.target), (step, base)


def _not_home(game: Game[Any], moved: Step, by: Captured) -> Objection:
    facts = {"astray": True, "seat": moved.seat, "space": moved.target}
    return Objection(game.capture_rule(by[0]), facts)


def _sent_home(observed: Position, astray: Iterable[tuple[Step, Captured]]) -> Position:
    for step, (_, base) in astray:
        observed = observed.moved(step.seat, step.target, base)
    return observed


def put_back(observed: Position, touched: Iterable[Step]) -> Position:
    """The position once what was moved by some steps is where it was."""
    for step in touched:
        observed = observed.moved(step.seat, step.target, step.origin)
    return observed


def put_right(
    observed: Position, wanted: Position, stacks: Mapping[str, Content] | None = None, moved: Iterable[Step] = ()
) -> tuple[tuple[Seat, str, str], ...]:
    """The moves that turn `observed` into `wanted`: (seat, from, to); "" is beside the board.

    stacks: where the positions show tops only, what should stand on each space, bottom to top. moved: how pieces came
    to where they are, so that each goes back to where it came from.
    """
    wrong, lacking = list(_gone(observed, wanted)), list(_gone(wanted, observed))
    if stacks is not None:
        wrong, lacking = _tops(wrong, lacking, stacks)
    moves: list[tuple[Seat, str, str]] = []
    for step in moved:
        here, back = (step.seat, step.target), (step.seat, step.origin)
        if here in wrong and back in lacking:
            wrong.remove(here)
            lacking.remove(back)
            moves.append((step.seat, step.target, step.origin))
    for seat in sorted({seat for seat, _ in wrong + lacking}):
        origins, targets = _places(wrong, seat), _places(lacking, seat)
        size = max(len(origins), len(targets))
        origins += [""] * (size - len(origins))
        targets += [""] * (size - len(targets))
        moves += [(seat, origin, target) for origin, target in zip(origins, targets, strict=True)]
    return tuple(sorted(moves, key=itemgetter(0)))


def _tops(
    wrong: list[Place], lacking: list[Place], stacks: Mapping[str, Content]
) -> tuple[list[Place], list[Place]]:
    """Without the pieces that stay where they are: one that is uncovered, or that another stands on now."""
    both = {name for _, name in wrong} & {name for _, name in lacking}
    uncovered = {name for seat, name in wrong if name in both and seat in stacks.get(name, ())[:-1]}
    stay = [place for place in wrong if place[1] not in uncovered]
    return stay, [place for place in lacking if place[1] not in both - uncovered]
