"""What is wrong, or asked, where no play explains the board: pieces on their way, gone or too many, and fouls."""

from __future__ import annotations

import math

from companion.model import Kind, Position, Seat
from companion.referee import wording
from companion.referee.accusing import accuse, explained, mending, played_so_far
from companion.referee.announcing import (
    HOLD_ABSENT,
    HOLD_ASTRAY,
    HOLD_DOUBTED,
    HOLD_FOUL,
    HOLD_GUESSED,
    HOLD_SINGLE,
    in_trouble,
    named,
    said,
    unseen,
)
from companion.referee.belief import Bench, Ruled
from companion.referee.decide import Decision
from companion.referee.explain import Foul
from companion.referee.questions import beneath
from companion.referee.settle import Settled
from companion.referee.turn import Candidate, Look, caught_by
from companion.referee.untold import ask_for_roll, led_here, to_roll, unheard
from companion.referee.witnesses import (
    GUESSED,
    MARGIN_ADRIFT,
    MARGIN_SURE,
    as_best_read,
    beside_a_play,
    exchanged,
    hardly_upset,
    legal_but_for_guesses,
    may_have_been_played,
    miscolored,
    rather_played,
    read_for_sure,
    rests_on_guesses,
    witnessed,
    wrong_anyway,
)


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
        text = wording.returned_early(bench.names, seat, bench.mover)
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
    doubted = other is not None or _perhaps_misread(bench, settled, seen, found)
    kind = Kind.ILLEGAL if settled.held >= _absent(decision) and not doubted else Kind.UNCLEAR
    if _too_early(bench, settled, decision) or said(bench, kind, seen) or said(bench, Kind.ILLEGAL, seen):
        return bench, []
    if unheard(bench) and led_here(bench.game, to_roll(bench.game, bench.state), seen):
        return ask_for_roll(bench, settled, seen, found)
    if kind is Kind.ILLEGAL:
        return accuse(bench, settled.at, seen, found)
    if bench.accused and named(bench):
        return bench, []  # nobody touched the board since a foul was named, which stands there yet
    text = wording.doubt(found, bench.names) if other is None else wording.of_another_color(other, bench.names)
    return in_trouble(bench, kind, settled.at, seen, text=text, put_right=mending(bench, seen))


def _perhaps_misread(bench: Bench, settled: Settled, seen: Position, found: Foul) -> bool:
    """Whether what seems to be gone or too many may be misread: that is only asked about."""
    return (
        not settled.touched
        or exchanged(found)
        or beside_a_play(bench, seen)
        or rests_on_guesses(bench, settled, seen)
        or legal_but_for_guesses(bench, settled, seen)
        or rather_played(bench, settled, seen)
        or may_have_been_played(bench, settled, found)
        or hardly_upset(bench, settled, seen, found)
    )


def foul(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """All pieces are there, and no play explains where they stand."""
    seen, patience = decision.position, _patience(bench, decision)
    if said(bench, Kind.ILLEGAL, seen) or settled.held < HOLD_FOUL:
        return bench, []
    if settled.held < patience:
        named_soon = patience <= HOLD_GUESSED and read_for_sure(bench, settled, seen)
        return (bench, []) if named_soon else ask(bench, settled, decision)
    if not witnessed(bench, settled, seen):
        if not wrong_anyway(bench, settled, seen):
            return ask(bench, settled, decision)
        seen = as_best_read(bench, settled, bench.position.changed(seen))
        if said(bench, Kind.ILLEGAL, seen):
            return bench, []
    if bench.blurred or bench.doubted:
        return _ask_for_stacks(bench, settled, seen)
    found = explained(bench, seen)
    if hardly_upset(bench, settled, seen, found):
        return ask(bench, settled, decision)
    if unheard(bench):
        return ask_for_roll(bench, settled, seen, found)
    if (covered := beneath(bench, settled, seen)) is not None:
        return covered
    return accuse(bench, settled.at, seen, found)


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
    if short and len(explained(bench, seen).moves) > len(played_so_far(bench)) + 1:
        return HOLD_DOUBTED if decision.margin >= MARGIN_SURE else math.inf
    if decision.margin < MARGIN_SURE:
        return HOLD_GUESSED
    if short:
        return HOLD_ABSENT
    return HOLD_SINGLE if len(bench.position.changed(seen)) == 1 else HOLD_FOUL
