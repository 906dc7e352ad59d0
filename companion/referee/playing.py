"""Play that goes on: a turn begins, the board shows a play or one taken back, the board agrees with the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.model import DueKind, Kind, Position, Rolled, Verdict
from companion.referee import wording
from companion.referee.belief import Bench, Ruled
from companion.referee.settle import Settled
from companion.referee.turn import Candidate, Node, Turn, way_between

HOLD_PLAY, HOLD_DOUBTFUL = 0.35, 1.3
"""Seconds that a board must hold still: to show a play; to agree with the game though a space looks otherwise."""
LAG = 2.0
"""Seconds by which the pictures of a camera on the network may be late: what was played may show after "done", or after
the next roll."""
PLAIN_FIT, DOUBTFUL_FIT = -1.0, -5.0
"""A board that fits this well (log-likelihood) agrees with the game at once; in the end."""
MOST_BELIEVED = 40
"""How many states that look alike are kept in mind."""
EXAMPLES = 4
"""Plays that are told of those that would be right."""
DEPTH = 48
"""How many words that carried the game on can be taken back."""


def at_rest(bench: Bench) -> bool:
    """Whether the play is done and nothing is wrong, so that the next word may count."""
    return bench.node.complete and not bench.accused and bench.due.kind is not DueKind.PLAY


def remembered(bench: Bench) -> tuple[Bench, ...]:
    """The past of what follows `bench`."""
    return (*bench.past, replace(bench, past=(), before_override=None))[-DEPTH:]


def begin_turn(bench: Bench, word: Rolled) -> Ruled:
    """The roll counts: the play before it is final. Raises NotDue or BadInput where it cannot be."""
    afters = dict.fromkeys(node.after for node in bench.standing if node.complete)
    turns = tuple(Turn.of(bench.game, state, word.roll) for state in afters)
    past = remembered(bench)
    bench = replace(bench, asked=bench.open_question)
    begun = with_turns(replace(bench, act=word, past=past, before_override=None), turns)
    return announced(begun, word.at)


def with_turns(bench: Bench, turns: tuple[Turn, ...]) -> Bench:
    """The bench at the beginning of `turns`."""
    roots = tuple(turn.nodes[0] for turn in turns)
    trail = (bench.game.position(roots[0].state),)
    fresh = replace(bench, standing=roots, turns=turns, trail=trail, trouble=None)
    return replace(fresh, done=None, ignored=None, once_more=None, left=False)


def announced(bench: Bench, at: float) -> Ruled:
    """A roll that cannot be played is a pass at once."""
    turn = bench.turns[0]
    if not turn.must_pass:
        return bench, []
    text = f"{wording.name_of(bench.names, turn.seat)} rolled {wording.dice_words(turn.dice)} and cannot move."
    forbidden = bench.game.forbidden(turn.root)
    if forbidden:
        text = wording.objection_sentence(forbidden[0], turn.seat, bench.names)
    facts = {o.rule: dict(o.facts) for o in forbidden}
    passed = Verdict(Kind.PASS, at, turn.seat, text=text, rules=tuple(facts), position=bench.position, facts=facts)
    return bench.counting(turn.seat), [passed]


def left_alone(bench: Bench, at: float) -> Ruled:
    """The table goes on, and the roll in play was not played, though it could be: as a rule allows, that is a pass."""
    turn, node = bench.turn, bench.node
    if turn is None or turn.roll is None or turn.must_pass or node.steps or not node.complete:
        return bench, []
    rules = (bench.game.passing,) if bench.game.passing else ()
    text = wording.left_alone(turn.seat, turn.dice, bench.game.passing, bench.names)
    passed = Verdict(Kind.PASS, at, turn.seat, text=text, rules=rules, position=bench.position)
    return bench.counting(turn.seat), [passed]


def begin(bench: Bench) -> Bench:
    """The board agrees with the game, or the players say so."""
    covered = frozenset(bench.stillness.covered)
    unshown = covered & frozenset(bench.position)
    return learnt(replace(bench, begun=True, unlike=None, trouble=None, screened=covered, unshown=unshown))


def learnt(bench: Bench) -> Bench:
    """Remember what is misread on a board that is taken to be right."""
    settled = bench.stillness.settled()
    if settled is None:
        return bench
    evidence = settled.evidence
    kept = {name: pair for name, pair in bench.misread.items() if name in evidence.covered}
    misread = {**kept, **evidence.misread_of(bench.position)}
    if misread == bench.misread and not bench.stillness.touched:
        return bench
    return replace(bench, misread=misread, stillness=bench.stillness.untouched())


def as_it_was(bench: Bench, settled: Settled, fit: float) -> Ruled:
    """The board shows what it should. If something was wrong, it has been put right. fit: its log-likelihood.

    What looks otherwise counts as misread where each look says so: on average a few in doubt hide what others see.
    """
    doubtful = fit > DOUBTFUL_FIT and settled.held >= HOLD_DOUBTFUL
    plain = fit > PLAIN_FIT or (doubtful and _fits_each_look(bench, settled))
    calm = learnt(bench) if plain else bench
    if settled.held < HOLD_PLAY or (calm.trouble is None and calm.ignored is None):
        return calm, []
    verdicts = [_restored(bench, settled.at)] if bench.to_put_right else []
    return replace(calm, trouble=None, ignored=None), verdicts


def _fits_each_look(bench: Bench, settled: Settled) -> bool:
    return settled.evidence.forgiving(bench.misread).worst(bench.position) > DOUBTFUL_FIT


def _restored(bench: Bench, at: float) -> Verdict:
    text = "Thank you, all is in order again."
    return Verdict(Kind.RESTORED, at, bench.due.seat, bench.node.steps, text=text, position=bench.position)


def begun_by(bench: Bench, candidate: Candidate, at: float) -> Ruled:
    """The turn in which `candidate` can be seen: that in play, or one that begins without dice."""
    if not candidate.turns:
        return bench, []
    if candidate.turns == bench.coming:
        return _next_turn(bench, candidate.turns), []
    moved, verdicts = moved_unseen(bench, at)
    return _next_turn(moved, moved.coming), verdicts


def moved_unseen(bench: Bench, at: float) -> Ruled:
    """The player who is due moved a piece from one own stack to another: nothing changed that can be seen."""
    moved = believing(_next_turn(bench, bench.coming), _challenges_first(bench, bench.hidden))
    who = wording.name_of(bench.names, bench.coming[0].seat)
    text = f"{who} moved a {bench.names.nouns.piece} from one stack to another."
    steps = moved.node.steps if len(bench.hidden) == 1 else ()
    seat = bench.coming[0].seat
    return moved.counting(seat), [Verdict(Kind.LEGAL, at, seat, steps, text=text, position=bench.position)]


def said_unseen(bench: Bench, at: float) -> Ruled:
    """"Done" where a move that changes nothing on the board may have been made; or who moved last pressed out of habit,
    and nothing was moved since: a game that only the former would end is not over yet."""
    moved, verdicts = moved_unseen(bench, at)
    alike = sorted((*moved.standing, *bench.standing), key=lambda node: _is_over(bench, node))
    return replace(moved, standing=tuple(alike), done=None), verdicts


def _is_over(bench: Bench, node: Node) -> bool:
    return bench.game.due(node.state if node.after is None else node.after).kind is DueKind.OVER


def believing(bench: Bench, nodes: tuple[Node, ...]) -> Bench:
    """The bench where play stands at `nodes`, those that differ; more than can be kept in mind blur the belief."""
    different = tuple({(node.state, node.after): node for node in reversed(nodes)}.values())[::-1]
    blurred = bench.blurred or len(different) > MOST_BELIEVED
    return replace(bench, standing=different[:MOST_BELIEVED], blurred=blurred)


def _next_turn(bench: Bench, turns: tuple[Turn, ...]) -> Bench:
    return with_turns(replace(bench, past=remembered(bench), act=None, before_override=None), turns)


def arrived(bench: Bench, position: Position, nodes: tuple[Node, ...], at: float) -> Ruled:
    """The board shows other nodes of the turn: further on, another way, or back."""
    back = position in bench.trail
    doubtful = back and position in bench.going_on
    if position == bench.trail[0] and (before := before_turn(bench)) is not None:
        again = learnt(replace(before, doubted=doubtful or bench.doubted))
        return again, [_restored(before, at) if bench.to_put_right else took_back(bench, at)]
    trail = bench.trail[: bench.trail.index(position) + 1] if back else (*bench.trail, position)
    turns = _of_who_moved(bench.turns, position)
    now = replace(believing(bench, _as_played(bench, nodes)), turns=turns, trail=trail, trouble=None, ignored=None)
    now = replace(now, doubted=doubtful or (now.doubted and back), once_more=None, left=False)
    now = now if back else replace(now, shown_at=bench.stillness.rested)
    now = learnt(now if not now.node.complete else replace(now, done=None))
    if back and bench.to_put_right:
        return now, [_restored(now, at)]
    if back and not nodes[0].steps:
        return now, [took_back(now, at)]
    return _ruled_legal(now, at)


def before_turn(bench: Bench) -> Bench | None:
    """Where play stood before a turn that needs no dice and began with what was seen: where that is taken back, the
    turn never began, and what could be done before it still can. A move that nobody saw, from which it went on, may
    never have been made either, and what follows will tell; unless somebody said "done" to it. None where another turn
    is played."""
    if not bench.turns or bench.turns[0].roll is not None or bench.act is not None or not bench.past:
        return None
    found, past = bench.past[-1], bench.past[:-1]
    if found.unseen and past and set(past[-1].standing).isdisjoint(found.standing):
        found, past = past[-1], past[:-1]
    kept = replace(bench.back_at(found), past=past, early=bench.early, trouble=None, begun=bench.begun)
    return replace(kept, unlike=bench.unlike, misread=bench.misread, blurred=bench.blurred, doubted=bench.doubted)


def _of_who_moved(turns: tuple[Turn, ...], position: Position) -> tuple[Turn, ...]:
    """The turns of those who can have played what is seen: where a move may have been made unseen, or not, who moves
    next tells whose turn it is."""
    seats = {turn.seat for turn in turns if position in turn.by_position}
    return tuple(turn for turn in turns if turn.seat in seats) or turns


def came(node: Node, bench: Bench, seen: Position) -> bool:
    """Whether the piece that the node's last step moved is seen where none of its colour was on top before."""
    if not node.steps:
        return False
    step = node.steps[-1]
    return seen.at(step.target) == (step.seat,) != bench.position.at(step.target)


def _challenges_first(bench: Bench, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes, those first after which one may challenge: who plays on declines it."""
    return tuple(sorted(nodes, key=lambda node: bench.game.due(node.state).kind is not DueKind.CHALLENGE))


def _as_played(bench: Bench, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes, the first with the steps that were seen where these lead to it."""
    nodes = _challenges_first(bench, nodes)
    first = nodes[0]
    if not bench.node.steps:
        return nodes
    way = way_between(bench.game, bench.node.state, first.state)
    if way is None:
        return nodes
    return replace(first, steps=(*bench.node.steps, *way)), *nodes[1:]


def took_back(bench: Bench, at: float) -> Verdict:
    """That who moved took the move back, as the board shows."""
    seat = bench.played_by
    text = f"{wording.name_of(bench.names, seat)} took the move back."
    return Verdict(Kind.TAKEBACK, at, seat, text=text, position=bench.position)


def _ruled_legal(bench: Bench, at: float) -> Ruled:
    node = bench.node
    turn = bench.turns[0].seat
    seat = node.steps[0].seat if node.steps else turn  # a partner's marbles move by the partner (AGG-20)
    kind = Kind.LEGAL if node.complete else Kind.PARTIAL
    text = wording.play_sentence(seat, node.steps, bench.names, more=not node.complete)
    ruled = Verdict(kind, at, seat, node.steps, text=text, position=bench.position)
    return bench.counting(turn), [ruled, *over(bench, at)]


def over(bench: Bench, at: float) -> list[Verdict]:
    """The end of the game, if it is reached."""
    if bench.due.kind is not DueKind.OVER:
        return []
    winners, ending = bench.game.winners(bench.state), bench.game.ending(bench.state)
    text, rules = f"{wording.winning(winners, bench.names)} Well played, everybody!", tuple[str, ...]()
    if ending is not None:
        text = f"{wording.objection_sentence(ending, ending.facts.get('seat'), bench.names)} {text}"
        rules = (ending.rule,)
    end = Verdict(Kind.OVER, at, bench.due.seat, text=text, rules=rules, position=bench.position, winner=winners)
    return [end]


def examples(bench: Bench) -> tuple[Any, ...]:
    """Some plays that would be legal now, each as its steps: one more than the page shows, that it can say so."""
    if bench.node.complete or bench.due.kind is not DueKind.PLAY:
        return ()
    return tuple(outcome.steps for outcome in bench.game.outcomes(bench.node.state)[:EXAMPLES])
