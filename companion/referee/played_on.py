"""Two plays that lie one upon the other: the board was never seen still between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.model import DueKind, Position, Rolled
from companion.referee import questions
from companion.referee.announcing import HOLD_GUESSED
from companion.referee.belief import Bench, Ruled, Waiting
from companion.referee.decide import MARGIN_FOUL, MARGIN_LEGAL, Decision
from companion.referee.explain_stacks import MOST_CHANGED
from companion.referee.hearing import with_early
from companion.referee.playing import HOLD_PLAY, LAG, arrived, begun_by, came
from companion.referee.settle import Settled
from companion.referee.turn import Candidate, Look, Node, turn_after
from companion.referee.untold import MOST_OF_ONE_DIE, ask_for_next_roll, kept, of_untold_roll

MOST_ENDS = 8
"""From how many ends of a play the play of an early roll is looked for."""
MOST_UNHEARD = 4
"""The same for one whose roll nobody told: every roll is tried."""


def played_on(bench: Bench, settled: Settled, decision: Decision) -> Ruled | None:
    """A roll came early and is played already: the end of the last play was never seen still, the next lies on it."""
    if settled.held < HOLD_PLAY or decision.margin < MARGIN_LEGAL:
        return None
    ways = list(_ways_on(bench, decision.position, settled.at))
    if len({way[0].node.complete for way in ways}) > 1:
        return bench, []  # whether the second play is done depends on how the first one ended: what follows will tell
    return ways[0] if ways else None


def played_on_unheard(bench: Bench, settled: Settled, decision: Decision) -> Ruled | None:
    """Dice that are not heard: the play is done, and on it lies one of the next player, or of the same one again, of a
    roll that nobody told yet: it is asked about then, or at once where only that roll tells how the first play ended.
    None where none explains it."""
    optional = _not_played_yet(bench)
    if bench.dice_work or not (bench.due.kind is DueKind.PLAY or optional) or bench.turns[0].roll is None:
        return None
    if settled.held < HOLD_PLAY or decision.margin < MARGIN_LEGAL:
        return None
    game, seen = bench.game, decision.position
    most = MOST_OF_ONE_DIE if len(bench.turns[0].dice) == 1 else MOST_UNHEARD
    ends = _likely_ends(bench, seen)[:most]
    ends = [(position, nodes) for position, nodes in ends if of_untold_roll(game, nodes[0].after, seen)]
    if len(ends) > 1:
        return None if optional else ask_for_next_roll(bench, settled, seen)  # the answer would leave the shortcut
    for position, nodes in ends:
        ruled, verdicts = arrived(bench, position, nodes, settled.at)
        return replace(ruled, misread=bench.misread, stillness=bench.stillness), verdicts  # what lies on it is none
    return None


def played_after_all(bench: Bench, settled: Settled, decision: Decision) -> Ruled | None:
    """The roll before this one seemed to be left alone, as it may be (AGG-15), and was played: the board shows that
    only now, perhaps with a play of this roll on it. None where it does not."""
    before, seen = _before_it_was_left(bench), decision.position
    if before is None or bench.act is None or settled.held < HOLD_PLAY or decision.margin < MARGIN_LEGAL:
        return None
    if bench.turns[0].seat != before.turns[0].seat and settled.rested > bench.act.at + LAG:
        return None  # another player has the dice, and whoever left the roll moves too late
    found = before.candidates.get(seen)
    if found is None:
        return played_on(before, settled, decision)
    return with_early(arrived(before, seen, found.nodes, settled.at), settled.at)


def _before_it_was_left(bench: Bench) -> Bench | None:
    """Where play stood when the roll of which nothing is played came, which waits; None where no roll was left then."""
    if not bench.past or not isinstance(bench.act, Rolled) or bench.node.steps or not _not_played_yet(bench.past[-1]):
        return None
    early = (Waiting(bench.act), *bench.early)
    left = replace(bench.back_at(bench.past[-1]), past=bench.past[:-1], early=early, trouble=None, begun=bench.begun)
    return replace(left, unlike=bench.unlike, misread=bench.misread, blurred=bench.blurred, doubted=bench.doubted)


def _not_played_yet(bench: Bench) -> bool:
    """Whether the roll may be left, but something can be moved with it (AGG-15): that may have been done meanwhile."""
    node = bench.node
    return bool(bench.turns) and not node.steps and node.complete and bool(bench.game.legal_steps(node.state))


def _ways_on(bench: Bench, seen: Position, at: float) -> Iterator[Ruled]:
    """Each likely end of the play in progress from which the roll that waits leads to what is seen."""
    for position, nodes in _likely_ends(bench, seen):
        begun, verdicts = with_early(arrived(bench, position, nodes, at), at)
        found = begun.candidates.get(seen) if not begun.early else None
        if found is not None:
            further, more = arrived(begun, seen, found.nodes, at)
            yield further, [*verdicts, *more]


def two_moves(bench: Bench, settled: Settled, decision: Decision) -> Ruled | None:
    """Two moves were made one after the other, without dice, and the board was never seen still between them: of two
    players, or of one who puts a piece on another (GOD-13) and moves next.

    One of the two pieces must be seen where it went. The other may only have left, as onto a stack of its own: that may
    be misread until the eyes have looked afresh.
    """
    if settled.held < HOLD_PLAY or decision.margin < MARGIN_FOUL:
        return None
    seen = decision.position
    for begun in _without_dice(bench, settled.at):
        first, second = _one_after_another(begun, seen)
        if first:
            left = next((some for some in (first, second) if not any(came(node, begun, seen) for node in some)), ())
            if left and settled.held < HOLD_GUESSED:
                return bench, []
            if left and (asked := questions.out_of_sight(bench, settled, left, seen)) is not None:
                return asked
            moved, verdicts = arrived(begun, bench.game.position(first[0].state), first, settled.at)
            begun, _ = begun_by(moved, Candidate(Look.THERE, second, turns=moved.coming), settled.at)
            ruled, more = arrived(begun, seen, second, settled.at)
            return ruled, [*verdicts, *more]
    return None


def _without_dice(bench: Bench, at: float) -> Iterator[Bench]:
    """The bench in the turn that may begin without dice, and in the one in play, where that needs none."""
    if bench.coming:
        yield begun_by(bench, Candidate(Look.THERE, (), turns=bench.coming), at)[0]
    if bench.turn is not None and bench.turn.roll is None:
        yield bench


def _one_after_another(bench: Bench, seen: Position) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """The ends of the turn in play, and those of the one after it, that together show what is seen, where one of the
    two pieces is seen to have come; those alone where both are, if there are any."""
    found: list[tuple[bool, Node, tuple[Node, ...]]] = []
    for node in (node for turn in bench.turns for node in turn.nodes if node.complete and _shows(node, bench, seen)):
        turn = turn_after(bench.game, node.after) if _near(bench.game.position(node.state), seen) else None
        after = () if turn is None else turn.by_position.get(seen, ())
        come = came(node, bench, seen), any(came(further, bench, seen) for further in after)
        if after and any(come):
            found.append((all(come), node, after))
    both = [one for one in found if one[0]] or found
    return tuple(node for _, node, _ in both), tuple(further for _, _, after in both for further in after)


def _shows(node: Node, bench: Bench, seen: Position) -> bool:
    """Whether the first of two moves is seen: its piece has come, or it left. One on which another stands now did not:
    it was rather trapped there."""
    if not node.steps or came(node, bench, seen):
        return bool(node.steps)
    position = bench.game.position(node.state)
    changed = bench.position.changed(position)
    return bool(changed) and all(seen.at(name) == position.at(name) for name in changed)


def _near(position: Position, seen: Position) -> bool:
    """Whether one move by hand may lie between the two."""
    return len(position.changed(seen)) <= MOST_CHANGED


def _likely_ends(bench: Bench, seen: Position) -> list[tuple[Position, tuple[Node, ...]]]:
    """The ends of the play from which the next player, or the same one again, most likely came to what is seen."""
    seat = bench.turns[0].seat
    ends = [(p, nodes) for p, nodes in bench.turns[0].by_position.items() if nodes[0].complete]
    again = [end for end in ends if bench.game.due(end[1][0].after).seat == seat or kept(end[0], seen, seat)]
    return sorted(again, key=lambda end: len(end[0].changed(seen)))[:MOST_ENDS]
