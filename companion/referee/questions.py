"""Questions about what is covered, guessed at, or read now so and now otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.model import DueKind, Kind, Position
from companion.referee import wording
from companion.referee.announcing import HOLD_DOUBTED, HOLD_GUESSED, in_trouble, said, unseen
from companion.referee.belief import Bench, Ruled
from companion.referee.evidence import MISREAD
from companion.referee.playing import came
from companion.referee.settle import HAND, Settled
from companion.referee.turn import Node
from companion.referee.witnesses import GUESSED


def screened(bench: Bench, settled: Settled) -> Ruled | None:
    """Ask to free spaces that were seen before and have been covered for long, though nothing moves: what is done there
    is not seen. Once, until they are seen again. None where there are none."""
    covered = bench.stillness.covered
    fresh = sorted(n for n, since in covered.items() if settled.at - since >= HOLD_DOUBTED and n not in bench.screened)
    if len(fresh) < HAND or bench.trouble is not None or bench.due.kind is DueKind.OVER:
        return None
    told = replace(bench, screened=bench.screened | frozenset(fresh))
    text, facts = wording.covered(fresh, bench.names), {"spaces": fresh, "covered": fresh}
    return in_trouble(told, Kind.UNCLEAR, settled.at, bench.position, text=text, facts=facts)


def standing_since(bench: Bench, settled: Settled) -> Bench:
    """The bench that knows since when the board rested when it was first seen as play stands."""
    stood = bench.stood
    return bench if stood and stood[0] == bench.standing else replace(bench, stood=(bench.standing, settled.rested))


def under_cover(bench: Bench, settled: Settled) -> Ruled | None:
    """Ask once more to free what they know is covered, where a hand came since play stands so, all looks as it did, and
    a play may have been made where nothing is seen: else they wait for a word that never comes. Once as play stands.
    None where there is nothing to ask for."""
    covered = settled.evidence.covered
    came = bench.stood is not None and bench.stood[1] < settled.rested <= settled.at - HOLD_DOUBTED
    if not came or len(covered) < HAND or not bench.screened or bench.trouble is not None:
        return None
    plays = (play.changed(bench.position) for play in bench.candidates)
    hidden = {name for changed in plays if covered.issuperset(changed) for name in changed}
    if not hidden:
        return None
    text, facts = wording.covered(sorted(covered), bench.names), {"spaces": sorted(hidden), "covered": sorted(covered)}
    told = replace(bench, stood=(bench.standing, math.inf))
    return in_trouble(told, Kind.UNCLEAR, settled.at, bench.position, text=text, facts=facts)


def torn(bench: Bench, settled: Settled) -> Ruled | None:
    """Ask about spaces that have been read otherwise again and again for long: nothing could be judged meanwhile. Once,
    until a hand was there. None where there are none."""
    if settled.torn is None or settled.at - settled.torn.since < HOLD_DOUBTED or bench.trouble is not None:
        return None
    spaces = sorted(settled.torn.spaces)
    if said(bench, Kind.UNCLEAR, bench.position):
        return None
    text = unseen(bench, spaces[:2])
    return in_trouble(bench, Kind.UNCLEAR, settled.at, bench.position, text=text, facts={"spaces": spaces})


def out_of_sight(bench: Bench, settled: Settled, nodes: Sequence[Node], after: Position) -> Ruled | None:
    """Wait for spaces that are covered, or guessed at, since the last touch, then ask about them, where a play is shown
    only by the space that a piece left: it may have gone there. None where the piece is seen to have come, or all is
    seen."""
    evidence, movers = settled.evidence, {node.steps[-1].seat for node in nodes if node.steps}
    if not bench.game.stacks or not movers or any(_seen_to_come(node, bench, settled, after) for node in nodes):
        return None
    covered = sorted(evidence.covered - bench.veiled)
    guessed = [(name, (seat,)) for name in sorted(evidence.guessed(GUESSED) - bench.vague) for seat in movers]
    perhaps = [name for name, top in guessed if after.at(name) != top and evidence.of(name, top) > -MISREAD]
    if not covered and not perhaps:
        return None
    return _wait_to_see(bench, settled, after, covered, perhaps)


def _wait_to_see(
    bench: Bench, settled: Settled, seen: Position, covered: Sequence[str], perhaps: Sequence[str] = ()
) -> Ruled:
    """Wait for spaces that are covered, or else `perhaps` otherwise, then ask about them, once."""
    asked = bench.trouble is not None and "covered" in bench.trouble.facts
    if settled.held < HOLD_GUESSED or asked or said(bench, Kind.UNCLEAR, seen):
        return bench, []
    text = wording.covered(covered, bench.names) if covered else unseen(bench, perhaps[:2])
    told = replace(bench, screened=bench.screened | frozenset(covered))
    facts = {"spaces": covered or perhaps, "covered": covered}
    return in_trouble(told, Kind.UNCLEAR, settled.at, seen, text=text, facts=facts)


def _seen_to_come(node: Node, bench: Bench, settled: Settled, after: Position) -> bool:
    return came(node, bench, after) and node.steps[-1].target not in settled.evidence.covered


def elsewhere(bench: Bench, settled: Settled, after: Position) -> Ruled | None:
    """Wait for what is guessed at, then ask about it, where a piece that a play moved is not seen to have come, be its
    place covered or read otherwise, and a space on which the play puts none as likely shows it. None where all are seen
    to have come, or nowhere else."""
    evidence, before = settled.evidence.forgiving(bench.misread), bench.position
    changed = [name for name in before.changed(after) if not name.startswith("base")]  # those are often in doubt
    come = {n: Counter(after.at(n)) - Counter(before.at(n)) for n in changed if evidence.best(n) != after.at(n)}
    targets = sorted(name for name, pieces in come.items() if pieces)
    seats = {seat for name in targets for seat in come[name]}
    there = ((name, tuple(sorted((*before.at(name), seat)))) for name in evidence.guessed(GUESSED) for seat in seats)
    perhaps = {name for name, more in there if after.at(name) != more and evidence.of(name, more) > -MISREAD}
    others = sorted(perhaps.difference(targets))
    if not others:
        return None
    if settled.held < HOLD_GUESSED or said(bench, Kind.UNCLEAR, after):
        return bench, []
    spaces = [*targets, *others]
    facts = {"spaces": spaces}
    return in_trouble(bench, Kind.UNCLEAR, settled.at, after, text=unseen(bench, spaces[:3]), facts=facts)


def beneath(bench: Bench, settled: Settled, seen: Position) -> Ruled | None:
    """Wait for spaces that are covered since the last touch, then ask about them, where pieces seem to be gone and none
    to have come: in stacks they may have gone anywhere, but as likely something lies over them, a hand of the board's
    colour. None where all is seen."""
    stood, covered = bench.position, sorted(settled.evidence.covered - bench.veiled)
    if not bench.game.stacks or not covered or any(seen.at(name) for name in stood.changed(seen)):
        return None
    return _wait_to_see(bench, settled, seen, covered)


def perhaps_played(bench: Bench, settled: Settled, played: Position) -> Ruled:
    """Somebody says "done", and a whole play may stand there as well as none: ask what stands where they differ, first
    where a piece would have come to."""
    if said(bench, Kind.UNCLEAR, played):
        return bench, []
    stood = bench.position
    spaces = sorted(stood.changed(played), key=lambda name: len(stood.at(name)) - len(played.at(name)))
    hidden = [name for name in spaces if name in settled.evidence.covered]
    text = wording.covered(hidden, bench.names) if hidden else unseen(bench, spaces[:2])
    return in_trouble(bench, Kind.UNCLEAR, settled.at, played, text=text, facts={"spaces": hidden or spaces})
