"""Naming a foul: how the board may have come to be so, what rule forbids that, and how to put it right."""

from __future__ import annotations

from dataclasses import replace

from companion.model import DueKind, Kind, Objection, Position, Seat, Step, Verdict
from companion.referee import wording
from companion.referee.announcing import CANNOT_JUDGE, in_trouble
from companion.referee.belief import Bench, Ruled
from companion.referee.explain import Foul, explain, put_right, with_left
from companion.referee.explain_stacks import explain_stacks
from companion.referee.playing import examples
from companion.referee.turn import Node


def explained(bench: Bench, seen: Position) -> Foul:
    """How the board may have come to be as it is."""
    if bench.game.stacks:
        return explain_stacks(bench.game, _explaining_nodes(bench), bench.standing, seen)
    found, own = explain(bench.game, _explaining_nodes(bench), bench.standing, seen), _open_nodes(bench)
    if not own or not found.objections or found.seat != bench.played_by:
        return found
    told = explain(bench.game, own, bench.standing, seen)
    if bench.turns[0].must_pass and bench.due.seat == bench.turns[0].seat and _miscounted(told):
        return found
    return told if told.objections and told.cost <= found.cost else found


def _miscounted(foul: Foul) -> bool:
    """Whether a piece moved by a number that the roll does not give: who rolls again has rather done so unheard."""
    return any(o.facts.get("exact") or {"count", "dice"} <= o.facts.keys() for o in foul.objections)


def _open_nodes(bench: Bench) -> tuple[Node, ...]:
    """The turn that was played, or passed, where its player may still go on with it, or could not move all of the roll:
    a move of theirs is judged by that roll, and not called one out of turn. Who rolls again has rather done so unheard.
    """
    if bench.due.kind is DueKind.PLAY or not bench.turns:
        return ()
    nodes = tuple(n for turn in bench.turns for n in turn.nodes)
    goes_on = any(bench.game.legal_steps(node.state) for node in bench.standing if node.state != node.after)
    lapsed = any(with_left(bench.game, node, nodes) is not node for node in bench.standing)
    over = bench.due.seat != bench.turns[0].seat
    return nodes if goes_on or (lapsed and over) or bench.turns[0].must_pass else ()


def _explaining_nodes(bench: Bench) -> tuple[Node, ...]:
    """From where a foul is explained: the play in progress, the next without dice, or where the last one ended."""
    if bench.due.kind is DueKind.PLAY:
        return tuple(node for turn in bench.turns for node in turn.nodes)
    ends = tuple(Node(node.after, (), node.after) for node in bench.standing if node.complete)
    if not bench.coming:
        return ends or bench.standing
    here = ends if bench.due.kind is DueKind.CHALLENGE else ()
    return here + tuple(node for turn in bench.coming for node in turn.nodes)


def played_so_far(bench: Bench) -> tuple[Step, ...]:
    """What was played of the play in progress."""
    return bench.node.steps if bench.due.kind is DueKind.PLAY else ()


def mending(
    bench: Bench, seen: Position, wanted: Position | None = None, moves: tuple[Step, ...] = ()
) -> tuple[tuple[Seat, str, str], ...]:
    """How to put the board right. wanted: how it should look, if not as before. moves: what explains what is seen.

    From where a piece came the board does not say, of two of a colour or where pieces hide each other; the moves do.
    """
    wanted = wanted or bench.position
    if not bench.game.stacks:
        return put_right(seen, wanted, moved=moves)
    stood = played_so_far(bench)
    if len(moves) > len(stood) and moves[: len(stood)] == stood:
        return tuple((step.seat, step.target, step.origin) for step in reversed(moves[len(stood) :]))
    return put_right(seen, wanted, bench.game.everything(bench.state))


def accuse(bench: Bench, at: float, seen: Position, found: Foul) -> Ruled:
    """Name what is wrong, and how to put it right."""
    return in_trouble(
        bench,
        Kind.ILLEGAL,
        at,
        seen,
        text=wording.foul_sentence(found, bench.due.seat, bench.names),
        rules=found.rules,
        seat=found.seat,
        steps=found.moves,
        put_right=mending(bench, seen, found.mended, found.moves),
        wanted=found.mended,
        legal=_right_plays(bench, found),
        facts={o.rule: dict(o.facts) for o in reversed(found.objections)},
    )


def _right_plays(bench: Bench, found: Foul) -> tuple[tuple[Step, ...], ...]:
    """What would be right of who is to play; where a play that was made stays, what may follow it, if anything."""
    if found.seat not in (None, bench.due.seat, bench.mover):
        return ()
    stays = bench.turns[0].by_position.get(found.mended, ()) if bench.turns and found.mended else ()
    return examples(replace(bench, standing=stays) if stays else bench)


def unfinished(bench: Bench, at: float) -> Verdict:
    """Somebody says "done", and the rules ask for more; of a board that was never seen to agree that is not known."""
    if bench.taken:
        return Verdict(Kind.UNCLEAR, at, bench.due.seat, text=CANNOT_JUDGE, position=bench.position)
    objections = [_with_optional(bench, objection) for objection in bench.game.unfinished(bench.node.state)]
    mover = bench.game.mover(bench.node.state)  # a partner's marbles move by the partner (AGG-20)
    return Verdict(
        Kind.ILLEGAL,
        at,
        mover,
        bench.node.steps,
        rules=tuple(dict.fromkeys(o.rule for o in objections)),
        text=wording.objection_sentence(objections[0], mover, bench.names),
        position=bench.position,
        seen=bench.position,
        legal=examples(bench),
        facts={o.rule: dict(o.facts) for o in reversed(objections)},
    )


def _with_optional(bench: Bench, objection: Objection) -> Objection:
    """The objection, with whether a step may be left that leads through Aggravation's shortcuts (AGG-15)."""
    steps = bench.game.legal_steps(bench.node.state)
    return replace(objection, facts={**objection.facts, "optional": True}) if any(map(_shortcut, steps)) else objection


def _shortcut(step: Step) -> bool:
    return step.by.startswith("star run") or step.target == "center"
