"""What is wrong, or asked: the verdicts that stop play until the board is put right or seen better."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.model import DueKind, Kind, Objection, Position, Seat, Step, Verdict
from companion.referee import wording
from companion.referee.belief import Asked, Bench, Ruled
from companion.referee.decide import FOUL, Decision
from companion.referee.evidence import MISREAD, SURELY, adds_up
from companion.referee.explain import Foul, explain, pieces_apart, put_back, put_right
from companion.referee.explain_stacks import MOST_CHANGED, explain_stacks
from companion.referee.miscolored import Recolored, recolored
from companion.referee.playing import came, examples, learnt
from companion.referee.settle import HAND, SURE, Settled
from companion.referee.turn import Candidate, Look, Node, caught_by
from companion.referee.untold import (
    after_untold_passes,
    explaining_rolls,
    led_here,
    rolls_before_another,
    rolls_begun,
    to_roll,
)

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
LEAST_WITNESS = 2.5
"""A foul needs a witness at each space that it changed: each speaks by so many nats against the board as it stood."""
HARDLY, RATHER = 1.0, 1.5
"""As many are enough to be looked at again: the eyes may be surer once they have looked afresh; and to ask whether a
piece is gone, or one too many, if it rather is so for long after the last touch."""
SOON = 6.0
"""Seconds after the board came to rest in which they do so: what they see first then was done by the last touch."""
GUESSED, MANY_GUESSED = 0.5, 3
"""A space whose best reading is less likely than this is guessed at; so many at once, or one where more changed than a
play does, are rather something that lies over the board, as an arm that rests."""
UNSURE = 0.9
"""A space whose best reading is less likely says little of a board on which very much changed."""
RULED_OUT = 9.5
"""Nats by which a space must speak against a play to rule it out, though a piece stands just where it would have gone:
nobody adds one there. No base or home speaks by as many (see `folding`)."""
CANNOT_JUDGE = (
    "I was told that the board is set up, but much looks otherwise to me, so I cannot judge this move. "
    "If all agree on it, accept it as played."
)
MARGIN_ADRIFT, MARGIN_SURE = 1.0, 4.0
"""Nats by which the best explanation must beat the next: for one that a single space bears (a piece gone or too
many), to ask, and to be sure of it."""


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
    who is meant, if not who is due."""
    if kind is Kind.ILLEGAL and bench.taken:
        if said(bench, Kind.UNCLEAR, seen):
            return bench, []
        kind, words = Kind.UNCLEAR, {"text": CANNOT_JUDGE, "put_right": words.get("put_right", ())}
    if kind is Kind.ILLEGAL:
        if bench.accused and words.get("text") in named(bench):
            return bench, []
        bench = replace(bench, named=(bench.stillness.rested, named(bench) | {words.get("text", "")}))
    meant = bench.due.seat if seat is None else seat
    verdict = Verdict(kind, at, meant, position=wanted or bench.position, seen=seen, **words)
    asked = _question(bench, seen) if kind is Kind.UNCLEAR else bench.asked
    return replace(bench, trouble=verdict, asked=asked), [verdict]


def named(bench: Bench) -> frozenset[str]:
    """What was said to be wrong since the board came to rest: a foul that stands is named once, whatever another space
    is read as meanwhile."""
    return bench.named[1] if bench.named is not None and bench.named[0] == bench.stillness.rested else frozenset()


def unseen(bench: Bench, spaces: Sequence[str]) -> str:
    """The request to show what stands on some spaces; on the board if there are none."""
    named = wording.listed(wording.places(spaces, bench.names)) or "the board"
    free = f"Please make sure that the {bench.names.nouns.pieces} stand free."
    return f"I cannot see for sure what stands on {named}. {free}"


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


def lies_over(bench: Bench, settled: Settled, decision: Decision) -> bool:
    """Whether so much is guessed at, or changed with a guess among it, that something lies over the board."""
    evidence = settled.evidence.forgiving(bench.misread)
    changed = bench.position.changed(decision.position)
    guessed = sum(evidence.sureness(name) < GUESSED for name in changed)
    if guessed == 0 or guessed >= MANY_GUESSED:
        return guessed > 0
    found = explained(bench, decision.position)
    return found.upset or (bench.game.stacks and found.astray and len(changed) > MOST_CHANGED)


def _too_early(bench: Bench, settled: Settled, decision: Decision) -> bool:
    """Whether to wait before asking: longer where a play that shows explains all but a guess, which is read afresh,
    and while the eyes change their mind about what is doubted."""
    if settled.held < HOLD_ASTRAY or settled.held >= HOLD_GUESSED:
        return settled.held < HOLD_ASTRAY
    seen, evidence = decision.position, settled.evidence
    if any(evidence.wavers(name) for name in decision.doubtful):
        return True
    guessed = {name for name in bench.position.changed(seen) if evidence.least_sure(name) < GUESSED}
    plays = (play for play in bench.candidates if not guessed.issuperset(play.changed(bench.position)))
    return any(guessed.issuperset(play.changed(seen)) for play in plays)


def unwitnessed(bench: Bench, settled: Settled, after: Position) -> bool:
    """Whether every space that a play changed rather looks otherwise than the play would have it: only that fouls are
    rare speaks for it. Where pieces hide each other, that may be one space: the one below the piece shows its like."""
    evidence, changed = settled.evidence.forgiving(bench.misread), bench.position.changed(after)
    return all(evidence.of(name, after.at(name)) < -MISREAD for name in changed)


def unmoved(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether one space alone looks otherwise that was read for sure as it stood, and nobody touched the board since:
    nothing moved, so it is misread. Not where it looks as before the last play: that one may have been misread."""
    changed, stood = bench.position.changed(seen), bench.position
    if settled.touched or len(changed) != 1 or seen in bench.trail:
        return False
    return all(settled.known.get(name) == stood.at(name) for name in changed)


def ask(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """Nothing explains the board well enough: ask, once, and never accuse."""
    if _too_early(bench, settled, decision) or bench.accused or said(bench, Kind.UNCLEAR, decision.position):
        return bench, []
    covered = settled.evidence.covered.issuperset(decision.doubtful[:2]) and decision.doubtful
    text = wording.covered(covered, bench.names) if covered else unseen(bench, decision.doubtful[:2])
    facts = {"spaces": list(decision.doubtful)}
    away = _not_home(bench, decision)
    if away is None:
        return in_trouble(bench, Kind.UNCLEAR, settled.at, decision.position, text=text, facts=facts)
    seat, stands, home = away
    seen, text = decision.position, wording.captured(bench.names, seat)
    if bench.trouble is not None and bench.trouble.text == text:
        return bench, []
    wanted = seen.moved(seat, stands, home) if stands else seen.with_piece(seat, home)
    return in_trouble(bench, Kind.UNCLEAR, settled.at, seen, wanted, text=text, facts=facts, put_right=(away,))


def _not_home(bench: Bench, decision: Decision) -> tuple[Seat, str, str] | None:
    """The captured piece that is not back, where it stands or "", and its base: where bases alone are doubted, as one
    in which it was put that is not its own. None where there is none, or that it is back is the doubt."""
    seen, found, doubtful = decision.position, decision.candidate, decision.doubtful
    if not doubtful or not all(name.startswith("base") for name in doubtful):
        return None
    if found is not None:
        if found.piece is None or found.look not in (Look.CAPTURED_IN_HAND, Look.CAPTURED_KEPT):
            return None
        seat, home, stands = found.piece
        return None if home in doubtful else (seat, stands, home)
    moves = ((seat, base, f"base{seat}") for base in doubtful for seat in seen.at(base) if base != f"base{seat}")
    return next((move for move in moves if _brought_home(bench, seen, move)), None)


def _brought_home(bench: Bench, seen: Position, move: tuple[Seat, str, str]) -> bool:
    """Whether that move of a captured piece makes a play of what is seen."""
    play = bench.candidates.get(seen.moved(*move))
    return play is not None and any(seat == move[0] for seat, *_ in caught_by(play.nodes[0].steps))


def astray(bench: Bench, settled: Settled, decision: Decision, candidate: Candidate) -> Ruled:
    """A piece is on its way: in the hand, captured and not back in its base, or back before the capture."""
    seen = decision.position
    kind = _kind_astray(settled, decision, candidate)
    if kind is None or said(bench, kind, seen) or said(bench, Kind.ILLEGAL, seen):
        return bench, []
    if candidate.look is Look.RETURNED_EARLY and kind is Kind.ILLEGAL:
        return accuse(bench, settled.at, seen, explained(bench, seen))
    assert candidate.piece is not None
    seat, home, stands = candidate.piece
    if candidate.look is Look.IN_HAND:
        gone = Foul(missing=((seat, home),))
        text = wording.doubt(gone, bench.names) if kind is Kind.UNCLEAR else wording.missing(bench.names, seat, home)
        return in_trouble(bench, kind, settled.at, seen, text=text, put_right=((seat, "", home),))
    if candidate.look is Look.RETURNED_EARLY:
        text = wording.returned_early(bench.names, seat, bench.due.seat)
        return in_trouble(bench, kind, settled.at, seen, text=text)
    rules = _capture_rules(candidate, bench) if kind is Kind.ILLEGAL else ()
    moved = seen.moved(seat, stands, home) if stands else seen.with_piece(seat, home)
    text, right, steps = wording.captured(bench.names, seat), ((seat, stands, home),), candidate.nodes[0].steps
    return in_trouble(bench, kind, settled.at, seen, moved, text=text, put_right=right, rules=rules, steps=steps)


def _kind_astray(settled: Settled, decision: Decision, candidate: Candidate) -> Kind | None:
    """Whether to wait (None), to ask or to say that it is wrong."""
    if candidate.look is Look.RETURNED_EARLY:
        patience = HOLD_ABSENT, 2 * HOLD_ABSENT
    elif candidate.look is Look.CAPTURED_KEPT:
        patience = HOLD_ASTRAY, HOLD_ASTRAY
    else:
        patience = HOLD_ASTRAY, _absent(decision)
    if settled.held < patience[0]:
        return None
    return Kind.ILLEGAL if settled.held >= patience[1] else Kind.UNCLEAR


def _absent(decision: Decision) -> float:
    """For how long the board must hold still to say that a piece is gone or too many, seconds."""
    return HOLD_ABSENT if decision.margin >= MARGIN_SURE else HOLD_GUESSED


def _capture_rules(candidate: Candidate, bench: Bench) -> tuple[str, ...]:
    """The rules by which the piece astray was captured."""
    assert candidate.piece is not None
    seat = candidate.piece[0]
    steps = [s for s in candidate.nodes[0].steps if any(seat == caught for caught, _ in s.captures)]
    return tuple(dict.fromkeys(bench.game.capture_rule(step) for step in steps))


def adrift(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """Pieces are gone, or there are too many: first ask; say that it is wrong only when it stays so."""
    if decision.margin < MARGIN_ADRIFT:
        return ask(bench, settled, decision)
    seen, found = decision.position, explained(bench, decision.position)
    other = miscolored(bench, settled, seen)
    doubted = _exchanged(found) or not settled.touched or _beside_a_play(bench, seen) or _guess(bench, settled, seen)
    doubted = doubted or _legal_but_for_guesses(bench, settled, seen) or _rather_played(bench, settled, seen)
    doubted = doubted or _perhaps_played(bench, settled, found) or other is not None
    doubted = doubted or _hardly_upset(bench, settled, seen, found)
    kind = Kind.ILLEGAL if settled.held >= _absent(decision) and not doubted else Kind.UNCLEAR
    if _too_early(bench, settled, decision) or said(bench, kind, seen) or said(bench, Kind.ILLEGAL, seen):
        return bench, []
    if _unheard(bench) and led_here(bench.game, to_roll(bench.game, bench.state), seen):
        return _ask_for_roll(bench, settled, seen, found)
    if kind is Kind.ILLEGAL:
        return accuse(bench, settled.at, seen, found)
    if bench.accused and named(bench):
        return bench, []  # nobody touched the board since a foul was named, which stands there yet
    text = wording.doubt(found, bench.names) if other is None else wording.of_another_color(other, bench.names)
    return in_trouble(bench, kind, settled.at, seen, text=text, put_right=mending(bench, seen))


def miscolored(bench: Bench, settled: Settled, seen: Position) -> Recolored | None:
    """The piece that is rather of the colour that is missing: see `recolored`. Or that is so where the spaces that bear
    no witness are as they were."""
    sure = but_for_the_weak(bench, settled, seen)
    found = (recolored(one, bench.candidates, bench.pieces) for one in dict.fromkeys((seen, sure)))
    return next((one for one in found if one is not None), None)


def _guess(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether no piece is gone, and none too many, if the spaces that bear no witness are as they were: that it stays
    so when it was asked about makes a guess no surer. (In stacks a single space bears it.)"""
    return not bench.game.stacks and adds_up(but_for_the_weak(bench, settled, seen), bench.pieces)


def _legal_but_for_guesses(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether, where nothing is guessed at, something legal looks nearly as likely as that pieces are gone or too many:
    a colour may be misread there, and the guesses bear no witness."""
    evidence = settled.evidence.forgiving(bench.misread)
    guessed = {name for name in bench.position.changed(seen) if evidence.sureness(name) < GUESSED}
    if not guessed:
        return False

    def behind(legal: Position) -> float:
        changed = (name for name in legal.changed(seen) if name not in guessed)
        return sum(evidence.of(name, seen.at(name)) - evidence.of(name, legal.at(name)) for name in changed)

    return min(map(behind, bench.candidates)) + FOUL < MARGIN_ADRIFT


def _rather_played(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether the one piece too many stands where a legal play would have brought it, and that it left its space is not
    ruled out: an empty hole may look like a marble of its colour, and nobody adds a piece just there. (In stacks most
    places are such.)"""
    evidence = settled.evidence.forgiving(bench.misread)
    for play in bench.candidates:
        if bench.game.stacks or play == bench.position or pieces_apart(play, seen) != 1:
            continue
        (left,) = play.changed(seen)
        behind = evidence.of(left, seen.at(left)) - evidence.of(left, play.at(left))
        if len(seen.at(left)) > len(play.at(left)) and behind < RULED_OUT:
            return True
    return False


def _perhaps_played(bench: Bench, settled: Settled, found: Foul) -> bool:
    """Whether a piece that seems to be gone may have been played: no space that a legal play of it changes speaks
    against that, such as a home whose pieces hide each other. (In stacks most places are such.)"""
    evidence, gone = settled.evidence.forgiving(bench.misread), {name for _, name in found.missing}
    if bench.game.stacks or not gone:
        return False
    plays = ((play, play.changed(bench.position)) for play in bench.candidates if play != bench.position)
    return any(
        not gone.isdisjoint(changed) and all(evidence.of(name, play.at(name)) > -LEAST_WITNESS for name in changed)
        for play, changed in plays
    )


def _exchanged(found: Foul) -> bool:
    """Whether a piece seems to be gone, and another to be in its place."""
    return not {name for _, name in found.missing}.isdisjoint(name for _, name in found.extra)


def adrift_anyway(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether pieces are gone, or there are too many, if the spaces that bear no witness are as they were."""
    late = _wrong_anyway(bench, settled, seen)
    return late and not _exchanged(explained(bench, but_for_the_weak(bench, settled, seen)))


def _beside_a_play(bench: Bench, seen: Position) -> bool:
    """Whether all but one piece is as after a legal play: that one is rather misread than added or taken meanwhile."""
    return pieces_apart(bench.position, seen) > 1 and any(pieces_apart(play, seen) == 1 for play in bench.candidates)


def foul(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """All pieces are there, and no play explains where they stand."""
    seen, patience = decision.position, _patience(bench, decision)
    if said(bench, Kind.ILLEGAL, seen) or settled.held < HOLD_FOUL:
        return bench, []
    if settled.held < patience:
        named_soon = patience <= HOLD_GUESSED and _read_for_sure(bench, settled, seen)
        return (bench, []) if named_soon else ask(bench, settled, decision)
    if not _witnessed(bench, settled, seen):
        if not _wrong_anyway(bench, settled, seen):
            return ask(bench, settled, decision)
        seen = _as_best_read(bench, settled, bench.position.changed(seen))
        if said(bench, Kind.ILLEGAL, seen):
            return bench, []
    if bench.blurred or bench.doubted:
        return _ask_for_stacks(bench, settled, seen)
    found = explained(bench, seen)
    if _hardly_upset(bench, settled, seen, found):
        return ask(bench, settled, decision)
    if _unheard(bench):
        return _ask_for_roll(bench, settled, seen, found)
    if (covered := _beneath(bench, settled, seen)) is not None:
        return covered
    return accuse(bench, settled.at, seen, found)


def _beneath(bench: Bench, settled: Settled, seen: Position) -> Ruled | None:
    """Wait for spaces that are covered since the last touch, then ask about them, where pieces seem to be gone and none
    to have come: in stacks they may have gone anywhere, but as likely something lies over them, a hand of the board's
    colour. None where all is seen."""
    stood, covered = bench.position, sorted(settled.evidence.covered - bench.veiled)
    if not bench.game.stacks or not covered or any(seen.at(name) for name in stood.changed(seen)):
        return None
    return _wait_to_see(bench, settled, seen, covered)


def _hardly_upset(bench: Bench, settled: Settled, seen: Position, found: Foul) -> bool:
    """Whether much seems to be otherwise, and of a good part of that it is not known what stands there: one dim lamp
    may make it so all over the board, so that many spaces say no more than one."""
    if not found.upset:
        return False
    evidence = settled.evidence.forgiving(bench.misread)
    return sum(evidence.sureness(name) < UNSURE for name in bench.position.changed(seen)) >= MANY_GUESSED


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
    astray = doubts and explained(bench, _as_best_read(bench, settled, doubts)).astray
    return frozenset() if astray else doubts


def _otherwise(bench: Bench, settled: Settled, fresh: Iterable[str], least: float) -> frozenset[str]:
    """Those of the spaces that speak against the board as it stands, by so many nats, if as they are read pieces are
    gone or too many, or one was moved; none where a piece seems to have changed its colour."""
    doubts = _speaking(bench, settled, fresh, least)
    seen = _as_best_read(bench, settled, doubts)
    several = adds_up(seen, bench.pieces) and pieces_apart(bench.position, seen) > 2
    return frozenset() if not doubts or several or _exchanged(explained(bench, seen)) else doubts


def wondering_no_more(bench: Bench) -> Bench:
    """The bench when the board is touched again."""
    none = frozenset[str]()
    wonders = bench.wondered or bench.puzzled or bench.leaning
    return replace(bench, wondered=none, puzzled=none, leaning=none) if wonders else bench


def wonders(bench: Bench, settled: Settled) -> Ruled | None:
    """Ask about what the last touch made look otherwise, once the eyes have looked afresh; after long patience about
    what rather does, too, or what they guess at since then: a piece may have been put there, or taken. None where there
    is nothing to ask about."""
    seen, spaces = _as_best_read(bench, settled, bench.wondered), sorted(bench.wondered)
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
    seen = _as_best_read(bench, settled, spaces)
    if seen != bench.position:
        return seen, sorted(spaces)
    return bench.position, sorted(bench.puzzled & _rather_taken(bench, settled))


def _as_best_read(bench: Bench, settled: Settled, spaces: Collection[str]) -> Position:
    """The position that is believed, but for some spaces, which are as they are read."""
    return Position.of({**bench.position, **{name: settled.evidence.best(name) for name in spaces}})


def _ask_for_stacks(bench: Bench, settled: Settled, seen: Position) -> Ruled:
    """What hides in the stacks is not known for sure any more: nobody is accused, the table says how it stands."""
    if said(bench, Kind.UNCLEAR, seen):
        return bench, []
    text = "I have lost count of a stack, and cannot judge this move. If all agree on it, accept it as played."
    return in_trouble(bench, Kind.UNCLEAR, settled.at, seen, text=text)


def _patience(bench: Bench, decision: Decision) -> float:
    """For how long the board must hold still to name a foul, seconds.

    Where pieces hide each other their number bears no witness: a foul that rests on one space, or is a legal play but
    for one, is waited for, until the eyes have looked afresh, and asked about first where a space is not read for sure.
    Where a whole play is seen, and a foul would be one more move of which one space tells, that one is rather misread,
    and longest waited for; it is only asked about where it is not read for sure.
    """
    if not bench.game.stacks:
        return HOLD_FOUL
    seen = decision.position
    short = [play for play in bench.candidates if play != bench.position and len(play.changed(seen)) == 1]
    if short and len(explained(bench, seen).moves) > len(_played(bench)) + 1:
        return HOLD_DOUBTED if decision.margin >= MARGIN_SURE else math.inf
    if decision.margin < MARGIN_SURE:
        return HOLD_GUESSED
    if short:
        return HOLD_ABSENT
    return HOLD_SINGLE if len(bench.position.changed(seen)) == 1 else HOLD_FOUL


def _read_for_sure(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether each space that changed is read for sure: to ask what stands there, and name the foul a moment later,
    would only confuse."""
    evidence = settled.evidence.forgiving(bench.misread)
    return all(evidence.sureness(name) > SURE for name in bench.position.changed(seen))


def _witnessed(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether each space that a foul changed speaks against the board as it stood, or those that do are a foul without
    the others, as where a base that a captured piece went back to is doubted. (In stacks a single space makes a foul.)
    """
    sure = but_for_the_weak(bench, settled, seen)
    if sure == seen or bench.game.stacks:
        return sure == seen
    return bool(explained(bench, sure).objections)


def _wrong_anyway(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether a piece is gone, or one too many, if those spaces are as they were that bear no witness to a foul, as
    where the base is doubted that a piece came from: the board is wrong in any case, and named as late as that is."""
    sure = but_for_the_weak(bench, settled, seen)
    late = settled.touched and settled.held >= HOLD_GUESSED
    return late and not adds_up(sure, bench.pieces) and not _beside_a_play(bench, sure)


def but_for_the_weak(bench: Bench, settled: Settled, seen: Position) -> Position:
    """What is seen, but where a space hardly speaks against the board as it stood, that."""
    evidence, stood = settled.evidence.forgiving(bench.misread), bench.position
    changed = [name for name in stood.changed(seen) if name not in evidence.covered]
    weak = {name: stood.at(name) for name in changed if -evidence.of(name, stood.at(name)) < LEAST_WITNESS}
    return Position.of({**seen, **weak}) if weak else seen


def explained(bench: Bench, seen: Position) -> Foul:
    """How the board may have come to be as it is."""
    if bench.game.stacks:
        return explain_stacks(bench.game, _explaining_nodes(bench), bench.standing, seen)
    found, own = explain(bench.game, _explaining_nodes(bench), bench.standing, seen), _open_nodes(bench)
    if not own or not found.objections or found.seat != bench.game.mover(bench.turns[0].root):
        return found
    told = explain(bench.game, own, bench.standing, seen)
    return told if told.objections and told.cost <= found.cost else found


def _open_nodes(bench: Bench) -> tuple[Node, ...]:
    """The turn that was played, or passed, where its player may still go on with it, or could move nothing: a move of
    theirs is judged by that roll, and not called one out of turn."""
    if bench.due.kind is DueKind.PLAY or not bench.turns:
        return ()
    goes_on = any(bench.game.legal_steps(node.state) for node in bench.standing if node.state != node.after)
    return tuple(n for turn in bench.turns for n in turn.nodes) if goes_on or bench.turns[0].must_pass else ()


def _explaining_nodes(bench: Bench) -> tuple[Node, ...]:
    """From where a foul is explained: the play in progress, the next without dice, or where the last one ended."""
    if bench.due.kind is DueKind.PLAY:
        return tuple(node for turn in bench.turns for node in turn.nodes)
    ends = tuple(Node(node.after, (), node.after) for node in bench.standing if node.complete)
    if not bench.coming:
        return ends or bench.standing
    here = ends if bench.due.kind is DueKind.CHALLENGE else ()
    return here + tuple(node for turn in bench.coming for node in turn.nodes)


def _played(bench: Bench) -> tuple[Step, ...]:
    """What was played of the play in progress."""
    return bench.node.steps if bench.due.kind is DueKind.PLAY else ()


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
        legal=() if found.seat not in (None, bench.due.seat) else examples(bench),
        facts={o.rule: dict(o.facts) for o in reversed(found.objections)},
    )


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


def mending(
    bench: Bench, seen: Position, wanted: Position | None = None, moves: tuple[Step, ...] = ()
) -> tuple[tuple[Seat, str, str], ...]:
    """How to put the board right. wanted: how it should look, if not as before. moves: what explains what is seen.

    From where a piece came the board does not say, of two of a colour or where pieces hide each other; the moves do.
    """
    wanted = wanted or bench.position
    if not bench.game.stacks:
        return put_right(seen, wanted, moved=moves)
    stood = _played(bench)
    if len(moves) > len(stood) and moves[: len(stood)] == stood:
        return tuple((step.seat, step.target, step.origin) for step in reversed(moves[len(stood) :]))
    return put_right(seen, wanted, bench.game.everything(bench.state))


def _unheard(bench: Bench) -> bool:
    """Whether the dice may have been thrown, though nobody told what they show, nor what the answer before them was."""
    return bench.due.kind in (DueKind.ROLL, DueKind.QUESTION) and not bench.dice_work


def _ask_for_roll(bench: Bench, settled: Settled, seen: Position, found: Foul) -> Ruled:
    """The dice are away: which rolls would explain the move, or what there is of it?"""
    if said(bench, Kind.UNCLEAR, seen):
        return bench, []
    alone = _without_others(bench, seen, found)
    ready = to_roll(bench.game, bench.state)
    rolls = explaining_rolls(bench.game, ready, alone)
    if not rolls and not rolls_begun(bench.game, ready, alone):
        rolls = rolls_before_another(bench.game, ready, alone) or rolls_before_another(bench.game, ready, seen)
        if not rolls:
            passed = not found.astray and after_untold_passes(bench.game, bench.state, seen)
            return _ask_for_pass(bench, settled, seen) if passed else accuse(bench, settled.at, seen, found)
    words = ", or ".join(wording.dice_words(roll.dice) for roll in rolls[:4])
    what = f"Was the roll {words}?" if rolls else "What was rolled?"
    text = f"I did not hear the dice. {what} Please enter it on the phone."
    if bench.due.kind is DueKind.QUESTION:  # a phone takes no roll before that
        rolls, text = (), "I did not hear the dice, nor whether the answer was right. Please say both on the phone."
    if bench.trouble is not None and bench.trouble.text == text:
        return replace(bench, trouble=replace(bench.trouble, seen=seen)), []  # the same question, as play goes on
    facts = {"rolls": [list(roll.dice) for roll in rolls], "untold": True}
    return in_trouble(bench, Kind.UNCLEAR, settled.at, seen, text=text, facts=facts)


def _ask_for_pass(bench: Bench, settled: Settled, seen: Position) -> Ruled:
    """The dice are away, and the next player moved: what whoever is due rolled could not be played, perhaps."""
    who = wording.name_of(bench.names, bench.due.seat)
    answered = "answered and " if bench.due.kind is DueKind.QUESTION else ""
    text = f"I did not hear what {who} {answered}rolled. Please enter it on the phone."
    return in_trouble(bench, Kind.UNCLEAR, settled.at, seen, text=text, facts={"rolls": [], "untold": True})


def _without_others(bench: Bench, seen: Position, found: Foul) -> Position:
    """What is seen, but for what the next players moved with rolls of theirs that nobody told either: that is asked
    about once it is their turn. All that is seen where whoever is due did not move."""
    others = [step for step in found.moves if step.seat != bench.game.mover(bench.state)]
    return seen if found.astray or len(others) == len(found.moves) else put_back(seen, others)
