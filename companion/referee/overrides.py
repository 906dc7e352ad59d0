"""Buttons and overrides: done, take back, accepted as played, corrected dice, a position set by hand, and undo."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

from companion.model import (
    AcceptedAsPlayed,
    BadInput,
    Challenged,
    Confirmed,
    DiceCorrected,
    DueKind,
    Kind,
    NotDue,
    Position,
    PositionSet,
    Rolled,
    Seat,
    StateError,
    Step,
    TakenBack,
    Thrown,
    Undone,
    Verdict,
)
from companion.model.board import seat_from_key
from companion.model.words import BUTTON
from companion.referee import wording
from companion.referee.accusing import explained, mending
from companion.referee.beginning import as_seen, chooses, fits
from companion.referee.belief import Bench, Ruled, Waiting
from companion.referee.by_hand import chooses_by_hand, played_by_hand, with_doublets
from companion.referee.decide import MARGIN_LEGAL
from companion.referee.evidence import free_reading, of_players
from companion.referee.hearing import acted, named, whole_play
from companion.referee.judging import as_it_stood, decided
from companion.referee.phrases import sentence_case
from companion.referee.playing import announced, begin, over, remembered, said_unseen, took_back, with_turns
from companion.referee.turn import Look, Node, State, Turn
from companion.referee.untold import explaining_rolls, rolls_before_another, rolls_begun
from companion.referee.witnesses import miscolored

ONCE_MORE = 4.0
"""Seconds after which "done" is said again, and not by a second player out of habit."""
BEFORE_PLAY = (DueKind.ROLL, DueKind.QUESTION, DueKind.DECLARATION)
UNDONE = "The last change by hand is undone."
SET_UP_SO = "The board is set up so."


def confirmed(bench: Bench, word: Confirmed) -> Ruled:
    """ "I am done": right where the play may end here, else the rule that asks for more. Judged by the pictures
    that follow."""
    if bench.rolloff is not None and bench.game.chooses_setup:  # who may choose it is not known yet
        what = "chooses the set-up" if bench.choosing else "begins"
        return bench, [Verdict(Kind.NOTE, word.at, text=f"First each player throws for who {what}.")]
    if bench.setting_up:
        return _set_up(bench, word)
    if bench.due.kind is DueKind.CHALLENGE and not bench.accused:
        declined, verdicts = acted(bench, word)
        if len(bench.trail) > 1 or declined.due.kind is not DueKind.MOVE or _untouched(bench):
            return declined, verdicts
        # The last move was not seen either: it is rather the next player who says "done", after another such move.
        moved, more = said_unseen(declined, word.at) if declined.hidden else (declined, [])
        return moved, more or verdicts
    if bench.due.kind is DueKind.MOVE and bench.trouble is None and bench.hidden:
        return _perhaps_moved(bench, word)
    if bench.due.kind is not DueKind.PLAY or bench.accused:
        return bench, []
    if bench.trouble is not None:
        believed, verdicts = whole_play(bench, word.at)
        if verdicts:
            return believed, verdicts
    return replace(bench, done=word, ignored=None), []  # what was taken back and stands there still is played after all


def _perhaps_moved(bench: Bench, word: Confirmed) -> Ruled:
    """A move may have been made that changes nothing on the board; or one that is not seen yet, which is waited for."""
    if _may_place(bench) and not bench.left:
        text = f"{wording.name_of(bench.names, bench.due.seat)} leaves the {bench.names.nouns.piece} where it is."
        return replace(bench, left=True), [Verdict(Kind.NOTE, word.at, bench.due.seat, text=text)]
    if _untouched(bench):
        return _unbelieved(bench, word)
    waits = bench.watched and not as_it_stood(bench)
    return (replace(bench, done=word), []) if waits else said_unseen(bench, word.at)


def _may_place(bench: Bench) -> bool:
    """Whether who won a challenge may still put the piece on the other: "done" says that it is left alone (GOD-13)."""
    node = bench.node
    return bool(bench.turns) and node.after not in (None, node.state) and bool(bench.game.legal_steps(node.state))


def _untouched(bench: Bench) -> bool:
    """Whether no hand came to the board since it showed the last play: rather nothing was moved unseen, and "done" is
    habit."""
    return bench.watched and bench.shown_at is not None and bench.stillness.rested == bench.shown_at


def _unbelieved(bench: Bench, word: Confirmed) -> Ruled:
    """ "Done" where no hand was seen: it counts if it is said again, and not at once, as by everybody at the table."""
    if bench.once_more is not None:
        return said_unseen(bench, word.at) if word.at - bench.once_more.at >= ONCE_MORE else (bench, [])
    who, piece = wording.name_of(bench.names, bench.due.seat), bench.names.nouns.piece
    text = f"{who}, I have seen no move yet. If a {piece} went from one stack to another, say “Done” once more."
    return replace(bench, once_more=word), [Verdict(Kind.NOTE, word.at, bench.due.seat, text=text)]


def _set_up(bench: Bench, word: Confirmed) -> Ruled:
    """ "The board is set up": what differs from the picture is misread, then.

    Where the players choose the set-up it is the one that fits best. A button at the table, which says "done" as well,
    cannot say so of a board on which much is otherwise.
    """
    if chooses(bench):
        bench = _as_chosen(bench)
    if _shows_a_play(bench):
        return replace(bench, begun=True, unlike=None, trouble=None, done=word, ignored=None), []
    much = bench.unlike is not None and not bench.unlike.little
    if word.by == BUTTON and (much or bench.due.kind is DueKind.PLAY):
        text = "First please set up the board as the picture shows. If it is, say so on the phone."
        return bench, [Verdict(Kind.NOTE, word.at, text=text)]
    begun = replace(begin(bench), taken=much, unshown=frozenset())
    if bench.unlike is None:
        return begun, []
    text = "The board is taken to be set up as the picture shows."
    return begun, [Verdict(Kind.NOTE, word.at, text=text, position=bench.position)]


def _shows_a_play(bench: Bench) -> bool:
    """Whether a play of the roll that is due to be played stands there already, plainly: one that was taken back before
    a power cut, say. It is judged, and not taken for misread."""
    settled = bench.stillness.settled()
    if settled is None or bench.due.kind is not DueKind.PLAY:
        return False
    found = decided(bench, settled.evidence)
    there = found.candidate is not None and found.candidate.look is Look.THERE
    return there and found.position != bench.position and found.margin >= MARGIN_LEGAL


def _as_chosen(bench: Bench) -> Bench:
    """The bench with the set-up that is seen, or was when the board was last seen still. Raises NotDue."""
    settled = bench.stillness.settled()
    if settled is None and bench.unlike is None:
        raise NotDue("the board cannot be seen well enough now; take the hands away and try again")
    return bench if settled is None else as_seen(bench, settled)[0]


def corrected(bench: Bench, word: DiceCorrected) -> Ruled:
    """The dice of this turn showed something else; before a turn began, the dice of the roll that waits for it."""
    if bench.turn is None:
        return _corrected_waiting(bench, word)
    rolled = [turn.before for turn in bench.turns if turn.roll is not None]
    if not rolled:
        raise NotDue("there is no roll to correct: this turn has no dice")
    _check_count(word, bench.game.due(rolled[0]).dice)
    turns = tuple(Turn.of(bench.game, before, word.roll) for before in rolled)
    # if the roll has to wait once more, as where the play before it is taken back, it waits as corrected
    act = replace(bench.act, roll=word.roll) if isinstance(bench.act, Rolled) else bench.act
    fresh = with_turns(replace(bench, before_override=bench, told=None, act=act), turns)
    text = f"The dice are corrected: {wording.dice_words(word.roll.dice)}."
    note = Verdict(Kind.NOTE, word.at, fresh.turns[0].seat, text=text, position=fresh.position)
    told, passed = announced(fresh, word.at)
    return told, [note, *passed]


def _corrected_waiting(bench: Bench, word: DiceCorrected) -> Ruled:
    roll = bench.waiting_roll
    if roll is None:
        raise NotDue("there is no roll to correct yet; roll first")
    _check_count(word, bench.due.dice)
    early = tuple(one._replace(word=replace(roll, roll=word.roll)) if one.word is roll else one for one in bench.early)
    text = f"The dice are corrected: {wording.dice_words(word.roll.dice)}. The roll waits."
    note = Verdict(Kind.NOTE, word.at, bench.due.seat, text=text, position=bench.position)
    return replace(bench, early=early, before_override=bench, told=None), [note]


def _check_count(word: DiceCorrected, counts: tuple[int, ...]) -> None:
    """Raises BadInput where so many dice are never thrown at once. counts: how many are, () where that is not known."""
    count = len(word.roll.dice)
    if counts and count not in counts:
        wanted = " or ".join(str(number) for number in counts)
        told, thrown = "1 die" if count == 1 else f"{count} dice", "1 is" if counts == (1,) else f"{wanted} are"
        values = "value" if counts == (1,) else "values"
        raise BadInput(f"{told} cannot be what was rolled: {thrown} thrown now; give the {values} of {wanted}")


def taken_back(bench: Bench, word: TakenBack) -> Ruled:
    """Take back what stands wrong; where nothing does, or it is the last play that is put back already, that play."""
    wrong = bench.trouble
    if wrong is None or not bench.accused:
        return _last_back(bench, word)
    with suppress(NotDue):
        back, verdicts = _last_back(bench, word)
        if back.position == wrong.seen:
            return back, verdicts
    return bench, [_wrong_back(bench, wrong, word.at)]


def _last_back(bench: Bench, word: TakenBack) -> Ruled:
    """Take back this turn's play; where there is none, the last word if no dice said it, or what was done before. What
    was said since waits."""
    without_the_move = tuple(one for one in bench.early if not _of_the_move(one))
    if bench.turns and len(bench.trail) > 1:
        return _play_back(replace(bench, early=without_the_move), bench.position, bench.node.steps, word.at)
    if not bench.past:
        raise NotDue("there is nothing to take back: no move has been made")
    early = bench.early
    if bench.act is not None:
        early = (Waiting(replace(bench.act, at=word.at), bench.past[-1].due.seat), *early)
    before = replace(bench.back_at(bench.past[-1]), past=bench.past[:-1], begun=_stands_yet(bench), unlike=bench.unlike)
    before = replace(before, ignored=bench.ignored, ignored_since=bench.ignored_since)
    if bench.unseen:
        return replace(before, early=without_the_move, trouble=None), [took_back(bench, word.at)]
    if bench.by_hand:
        return _by_hand_back(bench, before, word.at)
    if bench.spoken is not None:
        text = f"{sentence_case(named(bench.spoken))} is taken back."
        return replace(before, trouble=None), [Verdict(Kind.TAKEBACK, word.at, text=text, position=before.position)]
    return _last_back(replace(before, early=early), word)


def _of_the_move(one: Waiting) -> bool:
    """Whether it is of a challenge, or said that there is none: it goes with the move that is taken back (GOD-11)."""
    return one.seat is not None and isinstance(one.word, Challenged | Thrown | Confirmed)


def _wrong_back(bench: Bench, wrong: Verdict, at: float) -> Verdict:
    """Who takes a foul back means that, and no play before it, perhaps of another player: that stands."""
    text = f"The move is taken back: please put the {bench.names.nouns.pieces} back as they were."
    right = mending(bench, wrong.seen or bench.position, moves=wrong.steps)
    return Verdict(Kind.NOTE, at, wrong.seat, text=text, position=bench.position, put_right=right)


def _play_back(bench: Bench, stood: Position, steps: tuple[Step, ...], at: float) -> Ruled:
    """The roll is to be played anew. stood: what was played, by these steps, if they are known. Where a later play was
    taken back as well, and not put back yet, that stands there too."""
    stands, ways = (stood, steps) if bench.ignored is None else (bench.ignored, ())
    back = replace(with_turns(bench, bench.turns), ignored=stands, ignored_since=at)
    back = replace(back, begun=_stands_yet(bench))
    return back, [_to_put_back(back, stands, ways, at)]


def _by_hand_back(bench: Bench, before: Bench, at: float) -> Ruled:
    """What was said by hand is taken back: the play that it ended, if it did; else only that word."""
    waited = before.early if bench.early[: len(before.early)] == before.early else ()
    since = bench.early[len(waited) :]
    if before.turns and before.due.kind is DueKind.PLAY:
        return _play_back(replace(before, early=(*before.early, *since)), bench.position, (), at)
    if since:  # it would count for whoever was due before
        raise NotDue(f"{named(since[0].word)} came after what was said by hand, which cannot be taken back any more")
    back = Verdict(Kind.TAKEBACK, at, bench.told, text=UNDONE, position=before.position)
    return before, [back, *_wrong_yet(before, at)]


def _stands_yet(bench: Bench) -> bool:
    """Whether the board is known to show the game: after the last play it may be packed away, which nobody has looked
    for in a service that began again since."""
    return bench.begun and (bench.due.kind is not DueKind.OVER or not bench.past or bench.past[-1].begun)


def _to_put_back(bench: Bench, seen: Position, steps: tuple[Step, ...], at: float) -> Verdict:
    seat = bench.played_by
    pieces = bench.names.nouns.pieces
    text = f"{wording.name_of(bench.names, seat)} takes the move back: please put the {pieces} back as they were."
    moves = mending(bench, seen, moves=steps)
    return Verdict(Kind.TAKEBACK, at, seat, text=text, position=bench.position, put_right=moves)


def accepted(bench: Bench, word: AcceptedAsPlayed) -> Ruled:
    """The table accepts the board as it stands; the turn is over."""
    settled = bench.stillness.settled()
    if settled is None:
        raise NotDue("the board cannot be seen well enough now; take the hands away and try again")
    evidence = settled.evidence.forgiving(bench.misread)
    seen = of_players(free_reading(evidence, bench.position, bench.pieces), evidence, bench.game.seats)
    other = miscolored(bench, settled, seen) if bench.begun else None
    seen = seen if other is None else other.position
    try:
        state = bench.game.with_position(seen, *_due_after(bench, seen))
    except StateError as error:
        raise StateError(wording.error_sentence(error, bench.names)) from None
    text = "Accepted as played."
    seat = bench.due.seat
    ruled = Verdict(Kind.LEGAL, word.at, seat, text=text, position=seen, facts={"by": word.by})
    fresh = replace(_said_by_hand(bench).at(state), unlike=None, taken=False, blurred=False, doubted=False)
    fresh = replace(fresh.counting(seat), told=seat)
    return _still_waiting(bench, fresh), [ruled, *over(fresh, word.at)]


def _said_by_hand(bench: Bench) -> Bench:
    """The bench that somebody changes by a word, which can be undone, and taken back."""
    return replace(bench, before_override=bench, past=remembered(bench), act=None)


def _still_waiting(bench: Bench, fresh: Bench) -> Bench:
    """What waited for a foul to be put right waits on where the same is due as before, as a roll of who plays next."""
    return replace(fresh, early=bench.early) if fresh.due == bench.due else fresh


def _due_after(bench: Bench, seen: Position) -> tuple[Seat, State]:
    """Whose turn it is once the play in progress is over, however it was played; and the state before it. The roll that
    explains it may not have been told, nor what comes before a roll."""
    if bench.rolloff is None and bench.due.kind in BEFORE_PLAY and seen != bench.position:
        return _due_after_untold(bench, seen)
    return _due_after_told(bench, seen), bench.state


def _due_after_told(bench: Bench, seen: Position) -> Seat:
    """Whose turn it is once the play in progress is over; or the move that was made, the challenge whose throws were
    not told."""
    game, kind = bench.game, bench.due.kind
    if kind is DueKind.PLAY:
        return game.afterwards(bench.node.state)
    if bench.rolloff is not None:
        return bench.due.seat
    if kind is DueKind.THROW and (thrown := _due_after_throws(bench, seen)) is not None:
        return thrown
    if kind in (DueKind.MOVE, DueKind.CHALLENGE, DueKind.THROW) and seen != bench.position:
        found = explained(bench, seen)
        out_of_turn = found.rules[:1] == ("COM-2",)
        return bench.due.seat if found.seat is None or out_of_turn else game.next_seat(found.seat)
    if kind is DueKind.CHALLENGE:
        return game.due(game.stop(bench.state)).seat
    return bench.due.seat


def _due_after_untold(bench: Bench, seen: Position) -> tuple[Seat, State]:
    """Whose turn it is after a roll that was not told, nor what comes before it, and the state in which it was rolled;
    where no roll explains what is seen, that of whoever is to roll yet, and the state as it is."""
    game = bench.game
    states = _before_the_roll(bench)
    for rolls_of in (explaining_rolls, rolls_begun):
        after = {game.afterwards(game.hear(state, roll)) for state in states for roll in rolls_of(game, state, seen)}
        if after:
            return after.pop() if len(after) == 1 else game.next_seat(bench.due.seat), states[0]
    if any(rolls_before_another(game, state, seen) for state in states):
        return game.next_seat(bench.due.seat), states[0]
    return bench.due.seat, bench.state


def _before_the_roll(bench: Bench) -> list[State]:
    """The states in which a roll is due, of what is due now: after a right answer, and whoever is said to play it."""
    game, state = bench.game, bench.state
    match bench.due.kind:
        case DueKind.QUESTION:
            return [game.answer(state, True)]
        case DueKind.DECLARATION:
            return [game.declare(state, mate) for mate in game.partners(state)]
    return [state]


def _due_after_throws(bench: Bench, seen: Position) -> Seat | None:
    """Whose turn it is after the challenge that was made, if what is seen follows from throws that may have been; None
    where it does not."""
    game, dice = bench.game, range(1, 7)
    for throws in sorted(product(dice, dice), key=lambda pair: pair[0] != pair[1]):  # where nothing came of it, a tie
        state = bench.state
        for value in throws:  # one of them may have been told already
            due = game.due(state)
            state = game.throw(state, due.seat, value) if due.kind is DueKind.THROW else state
        ends = [outcome.state for outcome in game.outcomes(state)] if game.due(state).kind is DueKind.PLAY else [state]
        found = next((end for end in ends if game.position(end) == seen), None)
        if found is not None:
            return game.due(found).seat
    return None


def position_set(bench: Bench, word: PositionSet) -> Ruled:
    """The table says how the game stands; where that is a play of the roll, it was played. Where the board cannot be
    seen the game goes on by hand, as without a camera, until it can: there is no picture by which to set it up."""
    data = dict(word.state)
    if data.get("game", bench.game.name) != bench.game.name:
        raise StateError(f"the position is of {data['game']!r}; this game is {bench.game.name!r}")
    if sorted(_seats_told(bench, data)) != sorted(bench.game.seats):
        raise StateError(f"the position has the seats {data['seats']}; at this table sit {list(bench.game.seats)}")
    state = bench.game.from_json(data)
    if chooses_by_hand(bench, state):
        note = Verdict(Kind.NOTE, word.at, bench.due.seat, text=SET_UP_SO, position=bench.game.position(state))
        return replace(_looked_at_anew(bench), before_override=bench, told=None).at(state), [note]
    cleared = replace(_looked_at_anew(_said_by_hand(bench)), rolloff=None)
    played = played_by_hand(bench, state)
    fresh = _shown_already(bench, cleared.at(with_doublets(bench, state) if played is None else played.after))
    told = _set_by_hand(fresh, word.at) if played is None else _played_by_hand(fresh, played, word)
    fresh = replace(fresh, told=None if played is None else told.seat)
    if played is not None or bench.due.kind is DueKind.PLAY:  # so is played where no camera looks
        fresh = fresh.counting(bench.coming[0].seat if bench.due.kind is DueKind.CHALLENGE else bench.due.seat)
    return _still_waiting(bench, fresh), [told, *over(fresh, word.at)]


def _looked_at_anew(bench: Bench) -> Bench:
    """What was seen and doubted so far is not known of a position that is set by hand."""
    anew = replace(bench, begun=False, unlike=None, taken=False, blurred=False, doubted=False)
    return replace(anew, stillness=bench.stillness.untouched(), watched=bench.watched and not bench.lost)


def _shown_already(bench: Bench, fresh: Bench) -> Bench:
    """Who says what stands under something that covers it is believed, where the board shows the rest of it."""
    settled = None if bench.lost or not bench.begun else bench.stillness.settled()
    return fresh if settled is None or not fits(fresh, settled) else begin(fresh)


def _seats_told(bench: Bench, data: Mapping[str, Any]) -> list[Seat]:
    """The seats of a position that was told, those of the game where it names none. Raises StateError."""
    told = data.get("seats", list(bench.game.seats))
    try:
        return [seat_from_key(str(seat)) for seat in told]
    except (TypeError, ValueError):
        raise StateError(f"seats must be a list such as {list(bench.game.seats)}, not {told!r:.60}") from None


def _set_by_hand(fresh: Bench, at: float) -> Verdict:
    text = "The position was set by hand."
    return Verdict(Kind.NOTE, at, fresh.due.seat, text=text, position=fresh.position)


def _played_by_hand(fresh: Bench, played: Node, word: PositionSet) -> Verdict:
    seat = played.steps[0].seat
    text = wording.play_sentence(seat, played.steps, fresh.names, more=False)
    facts = {"by": word.by}
    return Verdict(Kind.LEGAL, word.at, seat, played.steps, text=text, position=fresh.position, facts=facts)


def undone(bench: Bench, word: Undone) -> Ruled:
    """The last change by hand is undone; a word that waits, if it came later, counts no more; nor does the last throw
    for who begins, or in a challenge, as long as nobody has played."""
    override = bench.before_override
    if bench.early and (override is None or len(override.early) < len(bench.early)):
        text = f"{sentence_case(named(bench.early[-1].word))} is taken back."
        note = Verdict(Kind.NOTE, word.at, bench.due.seat, text=text, position=bench.position)
        return replace(bench, early=bench.early[:-1]), [note]
    earlier = bench.undoable
    if earlier is not None and earlier is not override:
        return _throw_undone(bench, earlier, word.at)
    if override is None:
        raise NotDue("there is nothing to undo: nothing was set, corrected or accepted by hand since the last roll")
    before = bench.back_at(override)
    kind, seat = (Kind.NOTE, before.due.seat) if bench.told is None else (Kind.TAKEBACK, bench.told)
    said = Verdict(kind, word.at, seat, text=UNDONE, position=before.position)
    return before, [said, *_wrong_yet(before, word.at)]


def _throw_undone(bench: Bench, before: Bench, at: float) -> Ruled:
    back = bench.back_at(before)
    text = f"{wording.name_of(bench.names, back.due.seat)}'s throw does not count: please throw again."
    return back, [Verdict(Kind.NOTE, at, back.due.seat, text=text, position=back.position)]


def _wrong_yet(before: Bench, at: float) -> list[Verdict]:
    """What was wrong or asked before a change by hand that is no more: players are to know that it waits again."""
    return [] if before.trouble is None else [replace(before.trouble, at=at)]
