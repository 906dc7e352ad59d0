"""What the last touch made look otherwise, though rather all is as it was: asked about while play goes on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from companion.model import Kind, Position
from companion.referee import wording
from companion.referee.accusing import explained
from companion.referee.announcing import HOLD_DOUBTED, HOLD_GUESSED, in_trouble, said, unseen
from companion.referee.belief import Bench, Ruled
from companion.referee.evidence import SURELY, adds_up
from companion.referee.explain import pieces_apart
from companion.referee.playing import learnt
from companion.referee.settle import Settled
from companion.referee.witnesses import GUESSED, LEAST_WITNESS, MANY_GUESSED, as_best_read, exchanged

HARDLY, RATHER = 1.0, 1.5
"""As many are enough to be looked at again: the eyes may be surer once they have looked afresh; and to ask whether a
piece is gone, or one too many, if it rather is so for long after the last touch."""
SOON = 6.0
"""Seconds after the board came to rest in which they do so: what they see first then was done by the last touch."""


def wondering(before: Bench, bench: Bench, settled: Settled) -> Bench:
    """The bench with what the last touch made look otherwise, though rather all is as it was: where pieces hide each
    other a foul to which no other space may bear witness; elsewhere a piece gone, too many or moved, or an empty space
    on which something rather stands. It is asked about, but play goes on.

    before: the bench when it was not known yet what is misread on this board.
    """
    soon = settled.touched or (not bench.game.stacks and settled.at - settled.rested <= SOON)
    fresh = settled.evidence.misread_of(bench.position).keys() - before.misread.keys() if soon else ()
    if not bench.game.stacks:
        bench = _with_filled(bench, settled, soon)
        if not settled.touched:  # what was hardly doubted when the board came to rest may be seen better since
            leaning = bench.leaning | _otherwise(bench, settled, fresh, HARDLY)
            late = bench.wondered | _otherwise(bench, settled, leaning, SURELY)
            same = late == bench.wondered and leaning == bench.leaning
            return bench if same else replace(bench, wondered=late, leaning=leaning)
        surely, rather = (_otherwise(bench, settled, fresh, least) for least in (SURELY, HARDLY))
        return replace(bench, wondered=surely, leaning=rather)
    guessed, covered = settled.evidence.guessed(GUESSED), frozenset(bench.stillness.covered)
    if not settled.touched:  # what was guessed at when the board came to rest may be seen better since
        late = bench.wondered | _speaking(bench, settled, bench.puzzled, SURELY)
        same = bench.vague == guessed and bench.veiled == covered and bench.wondered == late
        return bench if same else replace(bench, vague=guessed, veiled=covered, wondered=late)
    doubts, rather = (_not_astray(bench, settled, fresh, least) for least in (LEAST_WITNESS, HARDLY))
    surely = doubts or _speaking(bench, settled, fresh, SURELY)
    leaning = rather if len(rather) < MANY_GUESSED else frozenset[str]()
    return replace(bench, wondered=surely, puzzled=guessed - bench.vague, leaning=leaning)


def _with_filled(bench: Bench, settled: Settled, soon: bool) -> Bench:
    """The bench with the empty spaces on which something rather stands, since the last touch or for longer."""
    now = _rather_taken(bench, settled)
    puzzled, vague = (bench.puzzled | now - bench.vague, bench.vague) if soon else (bench.puzzled, now)
    same = puzzled == bench.puzzled and vague == bench.vague
    return bench if same else replace(bench, puzzled=puzzled, vague=vague)


def _rather_taken(bench: Bench, settled: Settled) -> frozenset[str]:
    """The spaces that are empty as the board stands, and rather are not, though what is there cannot be told."""
    evidence = settled.evidence
    empty = (name for name in evidence.guessed(GUESSED) if not bench.position.at(name))
    return frozenset(n for n in empty if evidence.sureness(n) * math.exp(evidence.of(n, ())) < GUESSED)


def _speaking(bench: Bench, settled: Settled, spaces: Iterable[str], least: float) -> frozenset[str]:
    """Those of the spaces that speak against the board as it stands, by so many nats."""
    return frozenset(n for n in spaces if settled.evidence.of(n, bench.position.at(n)) <= -least)


def _not_astray(bench: Bench, settled: Settled, fresh: Iterable[str], least: float) -> frozenset[str]:
    """Those of the spaces of a board of stacks that speak against it as it stands, by so many nats; none if they show a
    piece gone, or one too many."""
    doubts = _speaking(bench, settled, fresh, least)
    astray = doubts and explained(bench, as_best_read(bench, settled, doubts)).astray
    return frozenset() if astray else doubts


def _otherwise(bench: Bench, settled: Settled, fresh: Iterable[str], least: float) -> frozenset[str]:
    """Those of the spaces that speak against the board as it stands, by so many nats, if as they are read pieces are
    gone or too many, or one was moved; none where a piece seems to have changed its colour."""
    doubts = _speaking(bench, settled, fresh, least)
    seen = as_best_read(bench, settled, doubts)
    several = adds_up(seen, bench.pieces) and pieces_apart(bench.position, seen) > 2
    return frozenset() if not doubts or several or exchanged(explained(bench, seen)) else doubts


def wondering_no_more(bench: Bench) -> Bench:
    """The bench when the board is touched again."""
    none = frozenset[str]()
    wonders = bench.wondered or bench.puzzled or bench.leaning
    return replace(bench, wondered=none, puzzled=none, leaning=none) if wonders else bench


def wonders(bench: Bench, settled: Settled) -> Ruled | None:
    """Ask about what the last touch made look otherwise, once the eyes have looked afresh; after long patience about
    what rather does, too, or what they guess at since then: a piece may have been put there, or taken. None where there
    is nothing to ask about."""
    seen, spaces = as_best_read(bench, settled, bench.wondered), sorted(bench.wondered)
    if seen == bench.position:
        seen, spaces = _puzzling(bench, settled) if settled.held >= HOLD_DOUBTED else (seen, [])
    if not spaces or settled.held < HOLD_GUESSED or bench.to_put_right:
        return None
    if said(bench, Kind.UNCLEAR, seen):
        return bench, []
    guess, facts = bench.game.stacks or seen == bench.position, {"spaces": spaces}
    astray = not guess and not adds_up(seen, bench.pieces)
    text = wording.doubt(explained(bench, seen), bench.names) if astray else unseen(bench, spaces[:2])
    asked = bench if guess else learnt(bench)  # what they leave as it is was misread
    return in_trouble(asked, Kind.UNCLEAR, settled.at, seen, text=text, facts=facts)


def _puzzling(bench: Bench, settled: Settled) -> tuple[Position, list[str]]:
    """What is seen where the last touch left a puzzle that is not solved yet, and the spaces."""
    if bench.game.stacks:
        rather = _speaking(bench, settled, bench.leaning, HARDLY)
        return bench.position, sorted(bench.puzzled & settled.evidence.guessed(GUESSED) | rather)
    spaces = _speaking(bench, settled, bench.leaning, RATHER)
    seen = as_best_read(bench, settled, spaces)
    if seen != bench.position:
        return seen, sorted(spaces)
    return bench.position, sorted(bench.puzzled & _rather_taken(bench, settled))
