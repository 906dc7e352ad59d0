"""Which spaces bear witness against the board as it stood, and which are rather misread."""

from __future__ import annotations

from collections.abc import Collection

from companion.model import Position
from companion.referee.accusing import explained
from companion.referee.announcing import HOLD_GUESSED
from companion.referee.belief import Bench
from companion.referee.decide import FOUL, Decision
from companion.referee.evidence import MISREAD, adds_up
from companion.referee.explain import Foul, pieces_apart
from companion.referee.explain_stacks import MOST_CHANGED
from companion.referee.miscolored import Recolored, recolored
from companion.referee.settle import SURE, Settled

LEAST_WITNESS = 2.5
"""A foul needs a witness at each space that it changed: each speaks by so many nats against the board as it stood."""
GUESSED, MANY_GUESSED = 0.5, 3
"""A space whose best reading is less likely than this is guessed at; so many at once, or one where more changed than a
play does, are rather something that lies over the board, as an arm that rests."""
UNSURE = 0.9
"""A space whose best reading is less likely says little of a board on which very much changed."""
RULED_OUT = 9.5
"""Nats by which a space must speak against a play to rule it out, though a piece stands just where it would have gone:
nobody adds one there. No base or home speaks by as many (see `folding`)."""
MARGIN_ADRIFT, MARGIN_SURE = 1.0, 4.0
"""Nats by which the best explanation must beat the next: for one that a single space bears (a piece gone or too
many), to ask, and to be sure of it."""


def lies_over(bench: Bench, settled: Settled, decision: Decision) -> bool:
    """Whether so much is guessed at, or changed with a guess among it, that something lies over the board."""
    evidence = settled.evidence.forgiving(bench.misread)
    changed = bench.position.changed(decision.position)
    guessed = sum(evidence.sureness(name) < GUESSED for name in changed)
    if guessed == 0 or guessed >= MANY_GUESSED:
        return guessed > 0
    found = explained(bench, decision.position)
    return found.upset or (bench.game.stacks and found.astray and len(changed) > MOST_CHANGED)


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


def but_for_the_weak(bench: Bench, settled: Settled, seen: Position) -> Position:
    """What is seen, but where a space hardly speaks against the board as it stood, that."""
    evidence, stood = settled.evidence.forgiving(bench.misread), bench.position
    changed = [name for name in stood.changed(seen) if name not in evidence.covered]
    weak = {name: stood.at(name) for name in changed if -evidence.of(name, stood.at(name)) < LEAST_WITNESS}
    return Position.of({**seen, **weak}) if weak else seen


def as_best_read(bench: Bench, settled: Settled, spaces: Collection[str]) -> Position:
    """The position that is believed, but for some spaces, which are as they are read."""
    return Position.of({**bench.position, **{name: settled.evidence.best(name) for name in spaces}})


def read_for_sure(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether each space that changed is read for sure: to ask what stands there, and name the foul a moment later,
    would only confuse."""
    evidence = settled.evidence.forgiving(bench.misread)
    return all(evidence.sureness(name) > SURE for name in bench.position.changed(seen))


def witnessed(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether each space that a foul changed speaks against the board as it stood, or those that do are a foul without
    the others, as where a base that a captured piece went back to is doubted. (In stacks a single space makes a foul.)
    """
    sure = but_for_the_weak(bench, settled, seen)
    if sure == seen or bench.game.stacks:
        return sure == seen
    return bool(explained(bench, sure).objections)


def wrong_anyway(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether a piece is gone, or one too many, if those spaces are as they were that bear no witness to a foul, as
    where the base is doubted that a piece came from: the board is wrong in any case, and named as late as that is."""
    sure = but_for_the_weak(bench, settled, seen)
    late = settled.touched and settled.held >= HOLD_GUESSED
    return late and not adds_up(sure, bench.pieces) and not beside_a_play(bench, sure)


def adrift_anyway(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether pieces are gone, or there are too many, if the spaces that bear no witness are as they were."""
    late = wrong_anyway(bench, settled, seen)
    return late and not exchanged(explained(bench, but_for_the_weak(bench, settled, seen)))


def beside_a_play(bench: Bench, seen: Position) -> bool:
    """Whether all but one piece is as after a legal play: that one is rather misread than added or taken meanwhile."""
    return pieces_apart(bench.position, seen) > 1 and any(pieces_apart(play, seen) == 1 for play in bench.candidates)


def rests_on_guesses(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether no piece is gone, and none too many, if the spaces that bear no witness are as they were: that it stays
    so when it was asked about makes a guess no surer. (In stacks a single space bears it.)"""
    return not bench.game.stacks and adds_up(but_for_the_weak(bench, settled, seen), bench.pieces)


def legal_but_for_guesses(bench: Bench, settled: Settled, seen: Position) -> bool:
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


def rather_played(bench: Bench, settled: Settled, seen: Position) -> bool:
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


def may_have_been_played(bench: Bench, settled: Settled, found: Foul) -> bool:
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


def exchanged(found: Foul) -> bool:
    """Whether a piece seems to be gone, and another to be in its place."""
    return not {name for _, name in found.missing}.isdisjoint(name for _, name in found.extra)


def miscolored(bench: Bench, settled: Settled, seen: Position) -> Recolored | None:
    """The piece that is rather of the colour that is missing: see `recolored`. Or that is so where the spaces that bear
    no witness are as they were."""
    sure = but_for_the_weak(bench, settled, seen)
    found = (recolored(one, bench.candidates, bench.pieces) for one in dict.fromkeys((seen, sure)))
    return next((one for one in found if one is not None), None)


def hardly_upset(bench: Bench, settled: Settled, seen: Position, found: Foul) -> bool:
    """Whether much seems to be otherwise, and of a good part of that it is not known what stands there: one dim lamp
    may make it so all over the board, so that many spaces say no more than one."""
    if not found.upset:
        return False
    evidence = settled.evidence.forgiving(bench.misread)
    return sum(evidence.sureness(name) < UNSURE for name in bench.position.changed(seen)) >= MANY_GUESSED
