"""Saying that something is wrong, or asking, once: the trouble that a table is in, until the board changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.model import Kind, Position, Seat, Verdict
from companion.referee import wording
from companion.referee.belief import Asked, Bench, Ruled
from companion.referee.evidence import SURELY
from companion.referee.settle import Settled

HOLD_FOUL, HOLD_ASTRAY, HOLD_ABSENT = 0.8, 1.3, 4.0
"""Seconds that a board must hold still: a foul; a captured or lifted piece, to ask; to say that it is wrong."""
HOLD_SINGLE = 2.0
"""The same for a foul that one space alone bears witness to, read for sure; it is read afresh meanwhile."""
HOLD_GUESSED = 4.8
"""The same to ask about a guess beside a play, or for a foul, a piece gone or one too many to which one space bears
witness that is not read for sure: the eyes read a still board afresh after four seconds, and what they see then they
will see for long."""
HOLD_DOUBTED = 10.0
"""The same where something rather lies over the board, or is misread: beside a whole play, or where nobody touched it.
So long what is covered, or guessed at, may be an arm that rests."""
CANNOT_JUDGE = (
    "I was told that the board is set up, but much looks otherwise to me, so I cannot judge this move. "
    "If all agree on it, accept it as played."
)


def said(bench: Bench, kind: Kind, seen: Position) -> bool:
    """Whether this trouble is announced already; a question also where play went on without a touch since."""
    if kind is Kind.UNCLEAR and bench.asked == _question(bench, seen):
        return True
    return bench.trouble is not None and bench.trouble.kind is kind and bench.trouble.seen == seen


def _question(bench: Bench, seen: Position) -> Asked:
    """What a question is about: what looks otherwise since the board came to rest."""
    return bench.stillness.rested, frozenset((name, seen.at(name)) for name in bench.position.changed(seen))


def asked_alike(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether it was asked about a board that looked like `seen`, but for what is not seen for sure."""
    if bench.trouble is None or bench.trouble.kind is not Kind.UNCLEAR or bench.trouble.seen is None:
        return False
    asked = bench.trouble.seen
    return all(settled.evidence.of(name, asked.at(name)) > -SURELY for name in asked.changed(seen))


def unanswered(bench: Bench, settled: Settled) -> bool:
    """Whether a board that nobody touched since still looks as it did when it was asked about, though less surely: one
    look in doubt answers no question. Or what it was asked to free is covered still."""
    trouble = bench.trouble
    if trouble is None or trouble.kind is not Kind.UNCLEAR or trouble.seen is None:
        return False
    if not settled.evidence.covered.isdisjoint(trouble.facts.get("covered", ())):
        return True
    if bench.asked is None or bench.asked[0] != settled.rested:
        return False
    evidence, changed = settled.evidence.forgiving(bench.misread), bench.position.changed(trouble.seen)
    return any(evidence.best(name) == trouble.seen.at(name) for name in changed)


def in_trouble(
    bench: Bench,
    kind: Kind,
    at: float,
    seen: Position,
    wanted: Position | None = None,
    seat: Seat | None = None,
    **words: Any,
) -> Ruled:
    """Announce a trouble, and remember it until the board changes. wanted: how it should look, if not as before. seat:
    who is meant, if not who is to move."""
    if kind is Kind.ILLEGAL and bench.taken:
        if said(bench, Kind.UNCLEAR, seen):
            return bench, []
        kind, words = Kind.UNCLEAR, {"text": CANNOT_JUDGE, "put_right": words.get("put_right", ())}
    if kind is Kind.ILLEGAL:
        if bench.accused and words.get("text") in named(bench):
            return bench, []
        bench = replace(bench, named=(bench.stillness.rested, named(bench) | {words.get("text", "")}))
    meant = bench.mover if seat is None else seat
    verdict = Verdict(kind, at, meant, position=wanted or bench.position, seen=seen, **words)
    asked = _question(bench, seen) if kind is Kind.UNCLEAR else bench.asked
    return replace(bench, trouble=verdict, asked=asked), [verdict]


def named(bench: Bench) -> frozenset[str]:
    """What was said to be wrong since the board came to rest: a foul that stands is named once, whatever another space
    is read as meanwhile."""
    return bench.named[1] if bench.named is not None and bench.named[0] == bench.stillness.rested else frozenset()


def unseen(bench: Bench, spaces: Sequence[str]) -> str:
    """The request to show what stands on some spaces; on the board if there are none."""
    return wording.unseen(wording.places(spaces, bench.names) or ["the board"], bench.names)
