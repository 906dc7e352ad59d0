"""Hearing dice, buttons and phones: throws, rolls, answers, declarations and challenges, once the play is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.catalogue import roll_off
from companion.games.contract import Game
from companion.games.rolloff import RollOff
from companion.model import (
    AgreedToStop,
    Answered,
    BadInput,
    Challenged,
    Confirmed,
    Declared,
    DiceState,
    DueKind,
    Kind,
    NotDue,
    OptionError,
    Rolled,
    Seat,
    Thrown,
    Verdict,
)
from companion.model.verdict import WITH_DICE
from companion.model.words import BUTTON, DICE
from companion.referee import wording
from companion.referee.beginning import begun_by_word, waits_for_board
from companion.referee.belief import Act, Bench, Ruled, State, Waiting
from companion.referee.decide import PLAIN
from companion.referee.phrases import sentence_case
from companion.referee.playing import (
    arrived,
    at_rest,
    begin_turn,
    begun_by,
    left_alone,
    moved_unseen,
    over,
    remembered,
    with_turns,
)
from companion.referee.turn import Node, Turn

MARGIN_PLAY = 2.5
"""Nats by which that play must fit better than the board as it stood."""
SLOWER = 3.0
"""Seconds after dice that were thrown before the answer was told, in which it is told: nobody asks and answers in less.
"""
ONE_MISREAD = -15.0
"""When the table goes on, a whole play that fits this well is believed, though one space looks otherwise."""


def thrown(bench: Bench, word: Thrown) -> Ruled:
    """A throw for who begins, or in a challenge."""
    if bench.rolloff is None:
        return acted(bench, word)
    rolloff = bench.rolloff.thrown(word.seat, word.value)
    _check_shown(bench.game.opening_dice, word.value)
    bench = replace(bench, before_throw=bench)
    if rolloff.first is None:
        text = f"{wording.name_of(bench.names, word.seat)} threw {word.value}.{_again(bench, rolloff)}"
        note = Verdict(Kind.NOTE, word.at, word.seat, text=text, position=bench.position)
        return replace(bench, rolloff=rolloff), [note]
    who = wording.name_of(bench.names, rolloff.first)
    if bench.choosing:
        text = f"{who} threw highest. {who_choose(bench, rolloff.first)} Now throw for who begins."
        again = replace(bench, rolloff=roll_off(bench.game, rolloff.first), choosing=False)
        return again, [Verdict(Kind.NOTE, word.at, rolloff.first, text=text, position=bench.position)]
    begun = replace(bench, rolloff=None, thrown_at=word.at).at(_start(bench, rolloff.first))
    text = f"{who} threw highest and begins."
    return begun, [Verdict(Kind.NOTE, word.at, rolloff.first, text=text, position=begun.position)]


def _start(bench: Bench, first: Seat) -> State:
    """The game as that seat begins it, set up as was said by hand meanwhile."""
    game = bench.game
    return game.set_up(bench.position, first) if game.chooses_setup else game.opening(first)


def _check_shown(dice: int, value: int) -> None:
    """Raises OptionError where so many dice cannot show `value` together."""
    if not dice <= value <= 6 * dice:
        who = "one die shows" if dice == 1 else f"{dice} dice show"
        raise OptionError(f"throw {value}: {who} {dice} to {6 * dice}")


def _again(bench: Bench, rolloff: RollOff) -> str:
    """Who throws once more, after a round in which some threw the same (COM-1)."""
    if rolloff.values:
        return ""
    tied = wording.listed([wording.name_of(bench.names, seat) for seat in rolloff.throwing])
    return f" {tied} threw the most, and throw again."


def who_choose(bench: Bench, first: Seat) -> str:
    """Who chooses the set-up, and who mirrors it (GOD-1 to GOD-3)."""
    who = wording.name_of(bench.names, first)
    which = "which square stays vacant" if bench.game.vacant == 1 else "which squares stay vacant"
    if len(bench.game.seats) < 4:
        return f"{who} chooses {which}."
    left, *others = (wording.name_of(bench.names, seat) for seat in _after(bench, first))
    return f"{who} and {left} choose {which}. {wording.listed(others)} leave the squares vacant that face those."


def _after(bench: Bench, seat: Seat) -> Iterator[Seat]:
    """The other seats, in the order of their turns."""
    for _ in bench.game.seats[1:]:
        seat = bench.game.next_seat(seat)
        yield seat


def acted(bench: Bench, word: Act) -> Ruled:
    """A word that carries the game on: it counts as soon as the play before it is done."""
    if bench.rolloff is not None:
        raise NotDue(f"{named(word)} does not count: first each player throws for who begins")
    if bench.due.kind is DueKind.OVER:
        raise NotDue(f"{named(word)} does not count: the game is over")
    _refuse_unknown(bench, word)
    bench = begun_by_word(bench, word)
    if waits_for_board(bench, word):
        return _until_set_up(bench, word)
    if isinstance(word, Answered) and _rolled_before(bench, word):
        return _answered_late(bench, word)
    if _told_late(bench, word):
        return _carried_on(replace(bench, trouble=None), word)
    ready, verdicts = whole_play(bench, word.at)
    if _tells_of(word, bench) and not _tells_of(word, ready):
        ready, verdicts = bench, []  # a look in doubt showed that play, which leaves nothing to challenge
    if ready.early or not at_rest(ready):
        waiting = replace(ready, early=(*ready.early, Waiting(word)))
        return waiting, [*verdicts, Verdict(Kind.NOTE, word.at, ready.due.seat, text=_waits(ready, word))]
    begun, more = _carried_on(ready, word)
    return begun, [*_with_dice(ready, verdicts), *more]


def _refuse_unknown(bench: Bench, word: Act) -> None:
    """Raises NotDue for a word for which this game never waits: it must not wait itself, and hold up what counts."""
    game, state = bench.game, bench.node.state
    match word:
        case Answered() if type(game).answer is Game.answer:
            game.answer(state, word.right)
        case Declared() if type(game).declare is Game.declare:
            game.declare(state, word.plays)
        case Challenged() if type(game).challenge is Game.challenge:
            game.challenge(state, word.target)
        case AgreedToStop() if type(game).agree_to_stop is Game.agree_to_stop:
            game.agree_to_stop(state)


def _told_late(bench: Bench, word: Act) -> bool:
    """Whether it is the roll of a move that stands there already and was called one before the dice: they were thrown
    in time, and only typed late. Dice that speak for themselves are not late."""
    if not isinstance(word, Rolled) or word.by == DICE or bench.early or bench.trouble is None or not bench.accused:
        return False
    if not bench.node.complete or len(word.roll.dice) not in bench.due.dice:
        return False
    seen, ends = bench.trouble.seen, dict.fromkeys(node.after for node in bench.standing if node.complete)
    if seen is None or seen == bench.position:
        return False
    return any(Turn.of(bench.game, state, word.roll).leads_through(seen) for state in ends)


def _waits(bench: Bench, word: Act) -> str:
    """That a word waits, and for what."""
    if bench.accused:
        return f"{sentence_case(named(word))} waits: first please put the {bench.names.nouns.pieces} right."
    who, dice = wording.name_of(bench.names, bench.due.seat), bench.turn.dice if bench.turn is not None else ()
    if dice and bench.due.kind is DueKind.PLAY and not bench.node.steps:
        return f"{who} has not played {wording.dice_words(dice)} yet; {named(word)} waits."
    return f"{who} has not finished the last move; {named(word)} waits."


def _tells_of(word: Act, bench: Bench) -> bool:
    """Whether it is a challenge that can be made after what was played, as it is believed."""
    return isinstance(word, Challenged | Thrown) and bool(_challengers(bench, bench.standing, _target(word)))


def _target(word: Challenged | Thrown) -> str:
    """The space whose piece is challenged; "" where it is not said."""
    return word.target if isinstance(word, Challenged) else ""


def _until_set_up(bench: Bench, word: Act) -> Ruled:
    """A word that carries the game on waits while the board is another than the one that it would be judged on."""
    text = f"{sentence_case(named(word))} waits: first set up the board as the picture shows, or say that it is set up."
    waiting = replace(bench, early=(*bench.early, Waiting(word)))
    return waiting, [Verdict(Kind.NOTE, word.at, bench.due.seat, text=text)]


def with_early(ruled: Ruled, at: float) -> Ruled:
    """Let the words that came too early count, as far as the play before them is done and the board is set up."""
    bench, verdicts = ruled[0], _with_dice(*ruled)
    if bench.early and not bench.begun:
        bench = begun_by_word(bench)
    while bench.early and not waits_for_board(bench):
        (word, seat), rest = bench.early[0], bench.early[1:]
        ready = replace(bench, early=rest)
        if late := _told_late(ready, word):
            ready = replace(ready, trouble=None)
        if not (late or at_rest(bench)):
            break
        if seat not in (None, ready.due.seat) and ready.due.kind is not DueKind.OVER:
            bench, verdicts = ready, [*verdicts, Verdict(Kind.NOTE, at, text=_of_another(ready, word, seat))]
            continue
        try:
            bench, more = _carried_on(ready, replace(word, at=at))
        except BadInput as error:
            bench, more = ready, [Verdict(Kind.NOTE, at, text=f"{sentence_case(named(word))} does not count: {error}")]
        verdicts = [*verdicts, *_with_dice(bench, more)]
    return bench, verdicts


def _with_dice(bench: Bench, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """What was ruled, with the dice of the turn that is in play, or just played: the word that is told may begin the
    next turn."""
    dice = () if bench.turn is None else bench.turn.dice
    new = [verdict.dice is None and verdict.kind in WITH_DICE for verdict in verdicts]
    return [replace(verdict, dice=dice) if is_new else verdict for verdict, is_new in zip(verdicts, new, strict=True)]


def _of_another(bench: Bench, word: Act, seat: Seat) -> str:
    """That a word counts no more, as another player's turn comes now than when it was told."""
    then, now = (bench.names.get(one, f"player {one}") for one in (seat, bench.due.seat))
    return f"{sentence_case(named(word))} does not count any more: it was told in {then}'s turn, and now it is {now}'s."


def named(word: Act) -> str:
    """The word as a sentence names it."""
    match word:
        case Rolled():
            return f"the new roll of {wording.dice_words(word.roll.dice)}"
        case Answered():
            return "the answer"
        case Thrown():
            return f"the throw of {word.value}"
        case Declared():
            return "the declaration"
        case Challenged():
            return "the challenge"
        case Confirmed():
            return "“Done”"
        case AgreedToStop():
            return "the agreement to stop"


def _carried_on(bench: Bench, word: Act) -> Ruled:
    """Do what the word says; the play before it is final. Raises NotDue or BadInput."""
    bench, passed = left_alone(bench, word.at)
    if isinstance(word, Rolled):
        if bench.due.kind is DueKind.DECLARATION:
            raise NotDue(_who_plays(bench))
        bench, verdicts = _asked_first(bench, word)
        begun, more = begin_turn(bench, word)
        return begun, [*passed, *verdicts, *more]
    bench, verdicts = _narrowed(bench, word)
    begun, more = _ACTS[type(word)](bench, word)
    return begun, [*passed, *verdicts, *more]


def _narrowed(bench: Bench, word: Act) -> Ruled:
    """Who challenges can challenge: of all that may have been played, only that is believed; perhaps it was unseen."""
    if not isinstance(word, Challenged | Thrown) or bench.due.kind is DueKind.THROW:
        return bench, []
    target = _target(word)
    if not target and len(bench.challenged) > 1:
        raise NotDue(_which(sorted({space for targets in bench.challenges for space in targets})))
    seen, hidden = _challengers(bench, bench.standing, target), _challengers(bench, bench.hidden, target)
    if seen or not hidden:
        return replace(bench, standing=seen or bench.standing), []
    moved, verdicts = moved_unseen(bench, word.at)
    return replace(moved, standing=hidden), verdicts


def _challengers(bench: Bench, nodes: Iterable[Node], target: str) -> tuple[Node, ...]:
    """The nodes at which a challenge (of the piece on `target`) may be made. Who does not say of which has no choice:
    where there are nodes at which one piece alone can be meant, those."""
    able = [(node, bench.game.targets(node.after)) for node in nodes if node.complete]
    fit = tuple(node for node, targets in able if (target in targets if target else targets))
    return fit if target else tuple(node for node, targets in able if len(targets) == 1) or fit


def _who_plays(bench: Bench) -> str:
    """That a declaration comes before the roll (AGG-22)."""
    who, mates = wording.name_of(bench.names, bench.due.seat), bench.game.partners(bench.state)
    plays = wording.listed([wording.name_of(bench.names, seat) for seat in mates], "or")
    return f"{who} is all HOME: first say on the phone who plays the roll, {plays}; then roll"


def _asked_first(bench: Bench, word: Rolled) -> Ruled:
    """Who rolls while a question is due has answered it, though nobody said so."""
    if bench.due.kind is not DueKind.QUESTION:
        return bench, []
    return _answered(bench, Answered(word.at, True, word.by))


def _rolled_before(bench: Bench, word: Answered) -> bool:
    """Whether it is the answer to the question that the roll in play took for answered: the dice were quicker than the
    reader. Not once something was played; where nothing can be, a button alone, and just after the roll: a phone shows
    the next question by then."""
    rolled, said = bench.act, bench.past[-1].act if bench.past else None
    if not isinstance(rolled, Rolled) or not isinstance(said, Answered) or len(bench.trail) > 1:
        return False
    untold = (said.at, said.by) == (rolled.at, rolled.by)
    just_now = word.by == BUTTON and word.at - rolled.at < SLOWER
    return untold and (bench.due.kind is DueKind.PLAY or just_now)


def _answered_late(bench: Bench, word: Answered) -> Ruled:
    """The answer after its roll: where it is wrong, the roll does not count (GLO-1)."""
    if word.right:
        return replace(bench, past=(*bench.past[:-1], replace(bench.past[-1], act=word))), []
    asked = replace(bench.back_at(bench.past[-2]), past=bench.past[:-2], early=bench.early)
    return _answered(replace(asked, begun=bench.begun, unlike=bench.unlike), word)


def _moved_on(bench: Bench, word: Act, change: Callable[[State], State]) -> Bench:
    """The bench after `change` of every state that can be; what cannot be is dropped. Raises where none can."""
    states, refused = [], None
    for state in dict.fromkeys(node.after for node in bench.standing if node.complete):
        try:
            states.append(change(state))
        except BadInput as error:
            refused = error
    if refused is not None and not states:
        raise refused
    fresh = replace(bench.at(*states), past=remembered(bench), act=word, before_override=None, early=bench.early)
    if fresh.game.due(states[0]).kind is DueKind.PLAY:
        return with_turns(fresh, tuple(Turn.without_dice(fresh.game, state) for state in states))
    return fresh


def _note(bench: Bench, word: Act, seat: Seat | None, text: str) -> Ruled:
    """A remark about what that seat said or threw."""
    return bench, [Verdict(Kind.NOTE, word.at, seat, text=text, position=bench.position), *over(bench, word.at)]


def _answered(bench: Bench, word: Answered) -> Ruled:
    seat, who = bench.due.seat, wording.name_of(bench.names, bench.due.seat)
    fresh = _moved_on(bench, word, lambda state: bench.game.answer(state, word.right))
    fresh = replace(fresh, asked=bench.open_question)
    if word.right:
        return _note(fresh, word, seat, f"{who} knew the answer, and rolls.")
    text = f"{who} did not know the answer: the turn is over."
    return fresh.counting(seat), [Verdict(Kind.PASS, word.at, seat, text=text, position=fresh.position)]


def _declared(bench: Bench, word: Declared) -> Ruled:
    if word.seat != bench.due.seat:
        raise NotDue(f"seat {word.seat} declares, but it is the turn of seat {bench.due.seat}")
    who, plays = wording.name_of(bench.names, word.seat), wording.name_of(bench.names, word.plays)
    fresh = _moved_on(bench, word, lambda state: bench.game.declare(state, word.plays))
    return _note(fresh, word, word.seat, f"{who} rolls, and {plays} plays it.")


def _challenged(bench: Bench, word: Challenged) -> Ruled:
    fresh = _moved_on(bench, word, lambda state: bench.game.challenge(state, word.target or _only(bench, state)))
    seat, target = bench.due.seat, word.target or _only(bench, bench.state)
    text = f"{wording.name_of(bench.names, seat)} challenges the {bench.names.nouns.piece} on {target}."
    return _note(fresh, word, seat, f"{text} Each throws one die.")


def _only(bench: Bench, state: State) -> str:
    """The one piece that can be meant. Raises NotDue."""
    targets = bench.game.targets(state)
    if len(targets) == 1:
        return targets[0]
    if not targets:
        raise NotDue("no piece can be challenged now")
    raise NotDue(_which(targets))


def _which(targets: Sequence[str]) -> str:
    """The question which of several pieces is challenged."""
    return f"which piece is challenged: {wording.listed(targets, 'or')}? Say it on the phone"


def _threw(bench: Bench, word: Thrown) -> Ruled:
    """A throw in a challenge; where only one piece can be challenged, throwing announces it (GOD-11)."""
    verdicts: list[Verdict] = []
    if bench.due.kind is DueKind.CHALLENGE:
        bench, verdicts = _challenged(bench, Challenged(word.at, by=word.by))
    who = wording.name_of(bench.names, word.seat)
    fresh = _moved_on(bench, word, lambda state: bench.game.throw(state, word.seat, word.value))
    fresh, more = _note(fresh, word, word.seat, f"{who} threw {word.value}.{_what_follows(fresh)}")
    return fresh, [*verdicts, *more]


def _what_follows(bench: Bench) -> str:
    """What the throws of a challenge lead to."""
    if bench.due.kind is DueKind.THROW:
        return ""
    steps = bench.game.legal_steps(bench.node.state) if bench.turns else ()
    if bench.due.kind is DueKind.OVER:
        return " Equal: nothing happens."
    if not steps:
        return f" Equal: nothing happens, and {wording.name_of(bench.names, bench.due.seat)} moves."
    who, piece = wording.name_of(bench.names, steps[0].seat), bench.names.nouns.piece
    may = "may put" if bench.node.complete else "puts"
    return f" {who} wins, and {may} the {piece} from {steps[0].origin} on {steps[0].target}."


def _declined(bench: Bench, word: Confirmed) -> Ruled:
    """Where a challenge is due in some of the states that look alike, "done" is no word against the others."""
    seat, game = bench.due.seat, bench.game

    def declined(state: State) -> State:
        return state if game.due(state).kind is DueKind.MOVE else game.stop(state)

    text = f"{wording.name_of(bench.names, seat)} does not challenge."
    return _note(_moved_on(bench, word, declined), word, seat, text)


def _agreed(bench: Bench, word: AgreedToStop) -> Ruled:
    return _note(_moved_on(bench, word, bench.game.agree_to_stop), word, None, "The players agree to stop.")


_ACTS: Mapping[type, Callable[[Bench, Any], Ruled]] = {
    Answered: _answered,
    Declared: _declared,
    Challenged: _challenged,
    Thrown: _threw,
    Confirmed: _declined,
    AgreedToStop: _agreed,
}


def whole_play(bench: Bench, at: float) -> Ruled:
    """The table goes on, so the play is done: believe the board that was last seen still, if it shows a whole one."""
    settled = bench.stillness.settled()
    if settled is None or not (bench.turns or bench.coming):
        return bench, []
    evidence = settled.evidence.forgiving(bench.misread)
    if at_rest(bench) and evidence.score(bench.position) > PLAIN:
        return bench, []
    plays = [(evidence.score(p), p, c) for p, c in bench.candidates.items()]
    score, position, candidate = max(plays, key=lambda play: play[0])
    sure = score - evidence.score(bench.position) >= MARGIN_PLAY
    if score < ONE_MISREAD or not candidate.nodes[0].complete or not sure:
        return bench, []
    begun, verdicts = begun_by(bench, candidate, at)
    ruled, more = arrived(begun, position, candidate.nodes, at)
    return ruled, [*verdicts, *more]


def dice_state(bench: Bench, word: DiceState) -> Ruled:
    """The dice work, or they are away."""
    return replace(bench, dice_work=word.working), []
