"""Judging what is seen: which explanation of a still board is the best, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from heapq import nlargest
from operator import itemgetter

from companion.model import BoardLost, DueKind, Kind, Position, Saw, StateError, Verdict
from companion.referee import accusing, announcing, questions, trouble, witnesses, wonder, wording
from companion.referee.announcing import HOLD_ABSENT, HOLD_ASTRAY, HOLD_DOUBTED, HOLD_FOUL, HOLD_GUESSED
from companion.referee.beginning import agrees, as_seen, chooses, compared, fits, is_plain, never_agreed, surely_seen
from companion.referee.belief import Bench, Ruled
from companion.referee.decide import FOUL, MARGIN_FOUL, MARGIN_LEGAL, NEAR, PASSING, Decision, decide
from companion.referee.evidence import Evidence, adds_up, free_reading
from companion.referee.played_on import played_after_all, played_on, played_on_unheard, two_moves
from companion.referee.playing import (
    HOLD_PLAY,
    LAG,
    arrived,
    as_it_was,
    before_turn,
    begin,
    begun_by,
    learnt,
    said_unseen,
    took_back,
)
from companion.referee.settle import Settled
from companion.referee.turn import Candidate, Look, caught_by, in_hand
from companion.referee.untold import of_untold_roll, unheard
from companion.referee.witnesses import MARGIN_ADRIFT, MARGIN_SURE, RULED_OUT

HOLD_LOST = 1.0
RESTLESS = 30.0
"""Seconds for which the board never holds still until that is said; four times as many while many hands set it up."""
DONE_LASTS = 1.5
"""Seconds in which a hand leaves the board after "done"; who is over it for longer plays on."""


def saw(bench: Bench, word: Saw) -> Ruled:
    """One more look at the board. Where all goes by hand it is not watched again before it is seen still."""
    watched = bench.watched or not bench.lost
    bench = replace(bench, stillness=bench.stillness.seen(word.sighting), watched=watched)
    if isinstance(word.sighting, BoardLost):
        return _cannot_see(bench, word.sighting)
    settled = bench.stillness.settled()
    if settled is None:
        return _never_still(wonder.wondering_no_more(bench), word.sighting.at)
    if bench.lost and not _restless(bench, word.sighting.at):
        bench = replace(bench, lost=False, restless=False, watched=True)
    if bench.rolloff is not None:
        return _set_up_meanwhile(bench, settled), []
    if bench.unshown:
        bench = _shown_now(bench, settled)
    return _judge(bench, settled) if bench.begun else _judge_setup(bench, settled)


def _shown_now(bench: Bench, settled: Settled) -> Bench:
    """What was covered when the game began comes free: where it looks otherwise the game has not begun yet."""
    if never_agreed(bench, settled):
        return replace(bench, begun=False, unlike=None, unshown=frozenset())
    return replace(bench, unshown=bench.unshown & settled.evidence.covered)


def _restless(bench: Bench, at: float) -> bool:
    """Whether the board has not held still for so long that players must wonder why nothing is judged."""
    since = bench.stillness.stirred
    return since is not None and at - since >= (4 * RESTLESS if bench.setting_up else RESTLESS)


def _never_still(bench: Bench, at: float) -> Ruled:
    """Say why nothing is judged, once, until the board is seen still: the shadow of leaves, or a screen, never rests,
    and no more is seen of what is played than on a board that is lost."""
    told = bench.restless or bench.trouble is not None or bench.rolloff is not None
    if told or bench.due.kind is DueKind.OVER or not _restless(bench, at):
        return bench, []
    text = wording.restless(sorted(bench.stillness.covered), bench.names)
    return replace(bench, lost=True, restless=True), [Verdict(Kind.LOST, at, text=text)]


def _cannot_see(bench: Bench, lost: BoardLost) -> Ruled:
    since = bench.stillness.lost_since
    if bench.blind or since is None or lost.at - since < HOLD_LOST:
        return bench, []
    return replace(bench, lost=True, restless=False), [Verdict(Kind.LOST, lost.at, text=lost.reason)]


def decided(bench: Bench, evidence: Evidence, *, stays: bool = False) -> Decision:
    """The best explanation of the board. stays: of one that stays as it is, so that no hand is at work any more."""
    forgiving, legal = evidence.forgiving(bench.misread), bench.candidates
    decision = decide(forgiving, legal, lambda near: _between(bench, near), bench.position, bench.pieces, stays=stays)
    if bench.game.stacks and decision.candidate is None:
        return replace(decision, adds_up=not accusing.explained(bench, decision.position).astray)
    return decision


def _as_it_stays(bench: Bench, settled: Settled, decision: Decision) -> Decision:
    """The decision where a piece has been in the hand for too long, or may stand where no play leads: wrong in either
    case, though it cannot be told which, as where it stands half behind another one. Then it is taken to stand there.
    """
    late = settled.touched and settled.held >= HOLD_GUESSED
    tied = decision.candidate is not None and decision.candidate.look in PASSING and decision.margin < MARGIN_LEGAL
    if bench.game.stacks or not (late and tied):
        return decision
    found = decided(bench, settled.evidence, stays=True)
    return found if found.candidate is None and found.adds_up and found.margin >= MARGIN_FOUL else decision


def _between(bench: Bench, near: Iterable[Position]) -> dict[Position, Candidate]:
    """What the board shows in the middle of a step: a piece in the hand, a captured one not home or home too soon."""
    found: dict[Position, Candidate] = {}
    for turn in bench.turns:
        for position in near:
            if position in turn.by_position:
                for shown, candidate in turn.between(position):
                    found.setdefault(shown, candidate)
    if bench.due.kind in (DueKind.PLAY, DueKind.MOVE):
        state, seat = bench.state, bench.game.mover(bench.state)
        for position, name in in_hand(bench.game, state, seat):
            found.setdefault(position, Candidate(Look.IN_HAND, bench.standing[:1], (seat, name, "")))
    return found


def _judge(bench: Bench, settled: Settled) -> Ruled:
    if bench.taken and agrees(bench, settled):
        bench = replace(bench, taken=False)
    if not bench.screened <= settled.evidence.covered:
        bench = replace(bench, screened=bench.screened & settled.evidence.covered)
    if bench.due.kind is DueKind.OVER:
        return bench, []  # the board is packed away
    if (asked := questions.screened(bench, settled) or questions.torn(bench, settled)) is not None:
        return asked
    decision = _as_it_stays(bench, settled, decided(bench, settled.evidence))
    candidate = decision.candidate
    if witnesses.unmoved(bench, settled, decision.position):
        return _unseen(bench, settled, decision)
    if candidate is not None and candidate.look is Look.THERE:
        return _judge_play(bench, settled, decision, candidate)
    if _ignored(bench, settled, decision.position):
        return bench, []
    if bench.early and bench.turns and (further := played_on(bench, settled, decision)) is not None:
        return further
    if candidate is None:
        return _judge_unexplained(bench, settled, decision)
    if decision.margin < MARGIN_LEGAL:
        return trouble.ask(bench, settled, decision)
    return trouble.astray(bench, settled, decision, candidate)


def _judge_unexplained(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """What is seen is no play, nor one with a piece on its way: two plays, a play with a piece of a colour misread,
    something that lies over the board, pieces gone or too many, or else a foul."""
    two_plays = played_on_unheard(bench, settled, decision) or played_after_all(bench, settled, decision)
    further = two_plays or _never_moved(bench, settled) or two_moves(bench, settled, decision)
    if further is not None:
        return further
    if (recolored := _but_for_a_color(bench, settled, decision)) is not None:
        return _judge_play(bench, settled, recolored, bench.candidates[recolored.position])
    if settled.touched and witnesses.lies_over(bench, settled, decision):
        return (bench, []) if settled.held < HOLD_DOUBTED else trouble.ask(bench, settled, decision)
    if not decision.adds_up and settled.touched:
        decision = _but_for_guesses(bench, settled, decision)
    if not decision.adds_up:
        return trouble.adrift(bench, settled, decision) if settled.touched else _unseen(bench, settled, decision)
    if decision.margin < _least_margin(bench, settled, decision):
        return (bench, []) if _wrong_if_it_stays(settled, decision) else trouble.ask(bench, settled, decision)
    return trouble.foul(bench, settled, decision)


def _never_moved(bench: Bench, settled: Settled) -> Ruled | None:
    """A turn that began with what was seen never began: its move was taken back, or was no move but the wrong place for
    what the same player could do before it. So all that stands there is explained, and not otherwise. None where it is
    not."""
    before = before_turn(bench)
    if before is None or len(bench.trail) != 2:
        return None
    decision, (stood, shown) = decided(before, settled.evidence), bench.trail
    found, seen = decision.candidate, decision.position
    if found is None or found.look is not Look.THERE or decision.margin < MARGIN_LEGAL:
        return None
    back = all(seen.at(name) == stood.at(name) for name in stood.changed(shown))
    if not back and not (bench.past[-1].node == before.node and _plays_on(bench, found, seen)):
        return None
    ruled, verdicts = _judge(before, settled)
    return (ruled, [took_back(bench, settled.at), *verdicts]) if verdicts else (bench, [])


def _plays_on(bench: Bench, found: Candidate, seen: Position) -> bool:
    """Whether the piece that was moved stands there no more, and what is seen is a play of the same player."""
    (stood, shown), steps = bench.trail, found.nodes[0].steps
    left = all(seen.at(name) != shown.at(name) for name in stood.changed(shown) if shown.at(name))
    return left and bool(steps) and steps[-1].seat == bench.turns[0].seat


def _but_for_a_color(bench: Bench, settled: Settled, decision: Decision) -> Decision | None:
    """The decision where one piece is not of the colour that is seen, if that makes a play of it, or all as it stood,
    and is not ruled out. None where it does not."""
    found = witnesses.miscolored(bench, settled, decision.position) if settled.touched else None
    if found is None:
        return None
    evidence, position = settled.evidence.forgiving(bench.misread), found.position
    if any(evidence.of(n, position.at(n)) < -RULED_OUT for n in position.changed(decision.position)):
        return None
    others = max((evidence.score(other) for other in bench.candidates if other != position), default=-math.inf)
    margin = evidence.score(position) - others
    return replace(decision, position=position, candidate=bench.candidates[position], margin=margin, adds_up=True)


def _but_for_guesses(bench: Bench, settled: Settled, decision: Decision) -> Decision:
    """The decision where pieces are gone, or too many, if that is so by guesses alone: without these it is a foul of
    which every space bears witness, by so many nats against all that would be legal. Else as it was."""
    seen = witnesses.but_for_the_weak(bench, settled, decision.position)
    if bench.game.stacks or seen == bench.position or not adds_up(seen, bench.pieces):
        return decision
    evidence = settled.evidence.forgiving(bench.misread)
    legal = nlargest(NEAR, ((evidence.score(position), position) for position in bench.candidates), key=itemgetter(0))
    if seen in bench.candidates or seen in _between(bench, [position for _, position in legal]):
        return decision
    margin = evidence.score(seen) + FOUL - legal[0][0]
    return replace(decision, position=seen, adds_up=True, margin=margin) if margin >= MARGIN_FOUL else decision


def _least_margin(bench: Bench, settled: Settled, decision: Decision) -> float:
    """By how much a foul must beat what else may be; less where a single space may bear it, after long patience, or
    pieces are gone or too many, whatever a doubted base is read as, or one is in the hand for too long if it is none.
    """
    single = bench.game.stacks and settled.touched
    late = settled.held >= HOLD_GUESSED and _wrong_if_it_stays(settled, decision)
    adrift = single or late or witnesses.adrift_anyway(bench, settled, decision.position)
    return MARGIN_ADRIFT if adrift else MARGIN_FOUL


def _wrong_if_it_stays(settled: Settled, decision: Decision) -> bool:
    """Whether a foul is doubted only because a hand may be at work still: nothing that may stay so looks like it."""
    doubted = decision.margin < MARGIN_FOUL <= decision.ahead
    return settled.touched and decision.candidate is None and doubted and decision.margin >= MARGIN_ADRIFT


def _unseen(bench: Bench, settled: Settled, decision: Decision) -> Ruled:
    """A piece seems to come or go, and no hand was seen: mostly misread; what is sure and stays is asked about once."""
    if settled.held < HOLD_PLAY or bench.accused:
        return bench, []
    if decision.margin < MARGIN_SURE or settled.held >= HOLD_DOUBTED:
        return replace(learnt(bench), trouble=None), []
    return trouble.adrift(bench, settled, decision) if settled.held >= HOLD_ABSENT else (bench, [])


def _judge_setup(bench: Bench, settled: Settled) -> Ruled:
    """Before the first agreement: the board is compared with the game, and nobody is accused."""
    if chooses(bench):
        return _judge_choice(bench, settled)
    if agrees(bench, settled):
        return begin(bench), []
    bench = compared(bench, settled)
    if fits(bench, settled):
        return questions.screened(bench, settled) or (bench, [])
    decision = decided(bench, settled.evidence)
    if (played := _played_already(bench, settled, decision)) is not None:
        return played
    if settled.held < HOLD_FOUL or announcing.asked_alike(bench, settled, decision.position):
        return bench, []
    moves = accusing.mending(bench, decision.position)
    unlike = sorted(bench.unlike.misread) if bench.unlike else ()
    text = wording.to_set_up(unlike, bench.position, bench.names, played=bool(bench.past))
    return announcing.in_trouble(bench, Kind.UNCLEAR, settled.at, decision.position, text=text, put_right=moves)


def _played_already(bench: Bench, settled: Settled, decision: Decision) -> Ruled | None:
    """The game began, and the first play was made, before the board was seen still.

    Where a position was said by hand and nobody touched the board since, what looks otherwise is no play; nor is what
    looked so before it was thrown who begins, as a lamp's image. Where no play is ruled, as one that was taken back
    before a power cut, the board does not agree yet.
    """
    candidate = decision.candidate
    if not settled.touched or settled.rested < bench.thrown_at or candidate is None:
        return None
    if candidate.look is not Look.THERE or decision.margin < MARGIN_LEGAL:
        return None
    if settled.held < HOLD_PLAY:
        return bench, []
    ruled, verdicts = _judge_play(replace(bench, begun=True, unlike=None), settled, decision, candidate)
    return replace(ruled, begun=ruled.position != bench.position), verdicts


def _set_up_meanwhile(bench: Bench, settled: Settled) -> Bench:
    """While the players throw for who begins: a board that agrees already is known from now on."""
    if bench.begun or bench.game.chooses_setup:
        return bench
    return begin(bench) if agrees(bench, settled) else compared(bench, settled)


def _judge_choice(bench: Bench, settled: Settled) -> Ruled:
    """The players choose how they set up: read it from the board, and check it.

    A square in doubt is known by the one that faces it; where that is not known either it is asked about.
    """
    if settled.held < HOLD_FOUL:
        return bench, []
    bench, other, margin = as_seen(bench, settled)
    seen = free_reading(settled.evidence, bench.position, bench.pieces)
    if margin >= MARGIN_LEGAL:
        if is_plain(bench, settled):
            patience = HOLD_FOUL if seen == bench.position else HOLD_ABSENT
            return _begun_as_chosen(bench, settled) if settled.held >= patience else (bench, [])
        decision = decided(bench, settled.evidence)
        played = _played_already(bench, settled, decision) if decision.position != bench.position else None
        if played is not None:
            return played
    if announcing.said(bench, Kind.UNCLEAR, seen):
        return bench, []
    text, rules = _unlike_a_set_up(bench, settled, other)
    return announcing.in_trouble(bench, Kind.UNCLEAR, settled.at, seen, text=f"To begin: {text}", rules=rules)


def _begun_as_chosen(bench: Bench, settled: Settled) -> Ruled:
    text = f"The board is set up. {wording.name_of(bench.names, bench.due.seat)} moves first."
    note = Verdict(Kind.NOTE, settled.at, bench.due.seat, text=text, position=bench.position)
    return begin(bench), [note]


def _unlike_a_set_up(bench: Bench, settled: Settled, other: Position) -> tuple[str, tuple[str, ...]]:
    """What is wrong with what is seen for sure, and by which rule; where nothing is, what is not seen for sure.

    other: the set-up that fits nearly as well.
    """
    try:
        bench.game.set_up(surely_seen(bench, settled), bench.due.seat)
    except StateError as error:
        return wording.set_up_sentence(error, bench.names)
    unsure = sorted(settled.evidence.misread_of(bench.position)) or bench.position.changed(other)
    return announcing.unseen(bench, unsure), ()


def _judge_play(bench: Bench, settled: Settled, decision: Decision, candidate: Candidate) -> Ruled:
    if decision.position == bench.position:
        if announcing.unanswered(bench, settled):
            return bench, []
        bench = questions.standing_since(bench, settled)
        asked = wonder.wonders(bench, settled) or questions.under_cover(bench, settled)
        calm, verdicts = asked or as_it_was(bench, settled, decision.fit)
        ruled, more = _judge_done(wonder.wondering(bench, calm, settled), settled)
        return ruled, [*verdicts, *more]
    if decision.margin < MARGIN_LEGAL and not _only_home_in_doubt(decision, candidate):
        return trouble.ask(bench, settled, decision)
    if decision.margin < MARGIN_LEGAL and settled.held < HOLD_GUESSED:
        return bench, []
    awaited = bool(bench.early) and candidate.nodes[0].complete
    if (settled.held < HOLD_PLAY and not awaited) or _ignored(bench, settled, decision.position):
        return bench, []
    if witnesses.unwitnessed(bench, settled, decision.position):
        return (bench, []) if settled.held < HOLD_GUESSED else trouble.ask(bench, settled, decision)
    if (asked := questions.elsewhere(bench, settled, decision.position)) is not None:
        return asked
    if (asked := questions.out_of_sight(bench, settled, candidate.nodes, decision.position)) is not None:
        return asked
    begun, verdicts = begun_by(bench, candidate, settled.at)
    ruled, more = arrived(begun, decision.position, candidate.nodes, settled.at)
    return ruled if bench.game.stacks else wonder.wondering(bench, ruled, settled), [*verdicts, *more]


def _ignored(bench: Bench, settled: Settled, seen: Position) -> bool:
    """Whether it is what was taken back and still stands there, or what is left of it: of two plays each is put back in
    turn. A hand that came to the board since put it back, and played the same again; but that of who takes back leaves
    the board just then, and pictures are late."""
    stands = bench.ignored
    if stands is None or seen != stands:
        return stands is not None and _put_back_in_part(bench, stands, seen)
    return settled.rested - bench.ignored_since <= LAG or settled.held < HOLD_ASTRAY


def _put_back_in_part(bench: Bench, stands: Position, seen: Position) -> bool:
    """Whether some of what was taken back is where it was before, and the rest stands as it did."""
    return all(seen.at(name) == bench.position.at(name) for name in stands.changed(seen))


def _only_home_in_doubt(decision: Decision, candidate: Candidate) -> bool:
    """Whether a play is seen, and only that a captured piece is back in its base is not sure, though rather it is: a
    base that is always read with doubt does not hold up play."""
    homes = {base for _, base, _ in caught_by(candidate.nodes[0].steps)}
    return decision.margin >= MARGIN_ADRIFT and homes.issuperset(decision.doubtful)


def as_it_stood(bench: Bench) -> bool:
    """Whether the board is still, and shows what stood there before."""
    settled = bench.stillness.settled()
    return settled is not None and decided(bench, settled.evidence).position == bench.position


def played_further(bench: Bench) -> bool:
    """Whether the board is still, and shows a play on top of what is ruled, of a roll that nobody told yet."""
    settled = bench.stillness.settled()
    if settled is None or not unheard(bench):
        return False
    seen = decided(bench, settled.evidence).position
    return seen != bench.position and of_untold_roll(bench.game, bench.state, seen)


def _judge_done(bench: Bench, settled: Settled) -> Ruled:
    """The board shows what it should, and somebody said "done": right where the play may end here."""
    if bench.done is None or settled.held < HOLD_FOUL or settled.at - bench.done.at < LAG:
        return bench, []
    calm = replace(bench, done=None)
    moved_on = settled.rested - bench.done.at > DONE_LASTS
    if bench.due.kind is DueKind.MOVE and bench.trouble is None and not moved_on and bench.hidden:
        return said_unseen(calm, settled.at)
    if bench.due.kind is not DueKind.PLAY or bench.trouble is not None or moved_on:
        return calm, []
    if (played := _perhaps_played(bench, settled)) is not None:
        return questions.perhaps_played(calm, settled, played)
    return calm, [accusing.unfinished(bench, settled.at)]


def _perhaps_played(bench: Bench, settled: Settled) -> Position | None:
    """The whole play that the board most likely shows, if it shows one nearly as well as none: nobody is accused of
    leaving out what may have been played, and not been seen."""
    evidence = settled.evidence.forgiving(bench.misread)
    stood = evidence.score(bench.position)
    plays = ((evidence.score(p), p) for p, found in bench.candidates.items() if any(n.complete for n in found.nodes))
    best, position = max(plays, key=itemgetter(0), default=(-math.inf, bench.position))
    return position if stood - best < MARGIN_FOUL else None
