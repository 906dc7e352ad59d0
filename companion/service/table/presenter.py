"""From the bench to what players see: a pure function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from companion.model import BadInput, DueKind, Position, Seat, Sheet, Step, Untimely, Verdict
from companion.model.table import MARKS, DeviceView, Move, PlayLine, SeatView, TableView, TroubleView
from companion.model.verdict import WITH_DICE
from companion.page.colors import shown as drawn_in
from companion.referee import wording
from companion.referee.beginning import chooses
from companion.referee.bench import Bench
from companion.referee.folding import places_of_bases, spread

MOST_HINTS = 240


def present(
    bench: Bench,
    sheet: Sheet,
    *,
    version: int,
    plays: Sequence[PlayLine],
    devices: Sequence[DeviceView],
    notice: TroubleView | None = None,
    extra_actions: Sequence[str] = (),
    shown: Position | None = None,
    throwing: int = 0,
    deck: bool = False,
    members: Mapping[Seat, str] | None = None,
    marks: Mapping[str, str] | None = None,
) -> TableView:
    """The table now.

    plays: newest first. notice: what is wrong or asked, if anything, with its pictures. shown: the position in the
    sheet's own spaces. throwing: how many dice are asked for. deck: questions come from a digital deck. members: who
    of each team acts next (GLO-12). marks: what each action is about now.
    """
    due, game = bench.due, bench.game
    playing = _playing(bench)
    shown = bench.position if shown is None else shown
    view = TableView(
        version=version,
        game=bench.game.name,
        title=bench.game.title,
        seats=tuple(_seat(bench, sheet, seat, (members or {}).get(seat, "")) for seat in game.seats),
        due=due.seat,
        due_kind=due.kind,
        headline=headline(bench),
        roll=_rolled(bench),
        left=_left(bench),
        position=dict(shown.items()),
        last=on_sheet(((step.origin, step.target) for step in bench.node.steps), sheet, shown),
        hints=on_sheet(_hints(bench), sheet, shown) if playing else (),
        plays=tuple(plays),
        trouble=notice,
        devices=tuple(devices),
        actions=(*_actions(bench), *extra_actions),
        throwing=throwing,
        deck=deck,
        nouns=asdict(game.nouns),
        marks=marks or {},
        winner=game.winners(bench.state),
        watched=bench.watched,
    )
    return _asking(view, bench)


def _asking(view: TableView, bench: Bench) -> TableView:
    """The view with what the game waits for, beside a play."""
    due, game = bench.due, bench.game
    return replace(
        view,
        dice=throwable(bench),
        thrown=_thrown(bench),
        done=_done(bench),
        reader=game.reader(bench.state) if due.kind is DueKind.QUESTION else None,
        partners=game.partners(bench.state) if due.kind is DueKind.DECLARATION else (),
        targets=_targets(bench),
        stacks=_stacks(bench),
    )


def _rolled(bench: Bench) -> tuple[int, ...]:
    """The dice of this turn; before one began, those of the roll that waits for it."""
    if bench.turn is not None:
        return bench.turn.dice
    return bench.waiting_roll.roll.dice if bench.waiting_roll is not None else ()


def _thrown(bench: Bench) -> tuple[int, ...]:
    """How many dice the roll may have had that can be corrected: who threw both may have told of one (PRN-1)."""
    rolled = _rolled(bench)
    if not rolled:
        return ()
    due = bench.due if bench.turn is None else bench.game.due(bench.turn.before)
    return tuple(sorted({*due.dice, len(rolled)}))


def plays_next(bench: Bench) -> Seat | None:
    """Who plays after the play or move that is due, challenges aside; None where that depends on how it is played."""
    game, due = bench.game, bench.due
    if due.kind is DueKind.MOVE:  # who puts the piece of a challenge moves after that (GOD-13)
        return None if bench.may_go_on(bench.node) else game.next_seat(due.seat)
    if due.kind is not DueKind.PLAY:
        return None
    ends = (outcome.state for outcome in game.outcomes(bench.node.state))
    seats = {game.due(end).seat for end in ends if not game.winners(end)}
    return seats.pop() if len(seats) == 1 else None


def throwable(bench: Bench) -> tuple[int, ...]:
    """The numbers of dice that may be thrown now: a roll, a throw, or one that announces the only challenge.

    What stands hidden in a stack may leave only one; who knows it throws, and must not wait for ever. But it must be
    known whose piece is meant. None while a word waits that was said before: it comes first.
    """
    due = bench.due
    if bench.early:
        return ()
    if due.kind is DueKind.CHALLENGE:
        return (1,) if len(bench.challenged) == 1 else ()
    return due.dice if due.kind in (DueKind.ROLL, DueKind.THROW) else ()


def _targets(bench: Bench) -> tuple[str, ...]:
    """All that may be challenged, as far as can be seen."""
    if bench.due.kind is not DueKind.CHALLENGE:
        return ()
    return tuple(dict.fromkeys(space for targets in bench.challenges for space in targets))


def _playing(bench: Bench) -> bool:
    """Whether pieces may be moved now by the rules: a play is due, may go on, or begins without dice."""
    if bench.rolloff is not None or bench.accused:
        return False
    return bench.due.kind in (DueKind.PLAY, DueKind.MOVE) or bench.may_go_on(bench.node)


def _left(bench: Bench) -> tuple[int, ...]:
    """The numbers that are still to be played; a foul that stands on the board has used none of them."""
    unfinished = bench.rolloff is None and (bench.due.kind is DueKind.PLAY or bench.may_go_on(bench.node))
    return bench.game.left(bench.node.state) if unfinished else ()


def _steps(bench: Bench) -> tuple[Step, ...]:
    begins = bench.due.kind is DueKind.MOVE and bench.coming and not bench.may_go_on(bench.node)
    return bench.game.legal_steps(bench.coming[0].root if begins else bench.node.state)


def _seat(bench: Bench, sheet: Sheet, seat: Seat, member: str) -> SeatView:
    name, color = bench.names.get(seat, str(seat)), drawn_in(sheet).get(seat, "#777777")
    return SeatView(seat, name, color, MARKS[seat], bench.game.home(bench.state, seat), member)


def _hints(bench: Bench) -> tuple[Move, ...]:
    return tuple(dict.fromkeys((step.origin, step.target) for step in _steps(bench)))[:MOST_HINTS]


def _stacks(bench: Bench) -> Mapping[str, tuple[Seat, ...]]:
    """The squares with several pieces on each other, bottom to top."""
    if not bench.game.stacks:
        return {}
    return {name: pieces for name, pieces in bench.game.everything(bench.state).items() if len(pieces) > 1}


def on_sheet(moves: Iterable[Move], sheet: Sheet, shown: Position) -> tuple[Move, ...]:
    """Moves in the sheet's own spaces: from a place of the base where a piece waits, to one that is free."""
    groups = places_of_bases(sheet.spaces)

    def place(area: str, occupied: bool) -> str:
        names = groups.get(area, [area])
        return next((name for name in names if bool(shown.at(name)) == occupied), names[0])

    return tuple((place(origin, True), place(target, False)) for origin, target in moves)


def _actions(bench: Bench) -> tuple[str, ...]:
    """The actions that make sense now, the likeliest first."""
    due, turn = bench.due.kind, bench.turn
    possible = {
        "answer": due is DueKind.QUESTION,
        "declare": due is DueKind.DECLARATION,
        "challenge": due is DueKind.CHALLENGE,
        "roll": bool(throwable(bench)),
        "dice": due is DueKind.ROLL and len(bench.due.dice) > 1,
        "confirm": bool(_done(bench)),
        "takeback": _may_be_taken_back(bench),
        "accept": bench.trouble is not None and bench.rolloff is None and not (bench.setting_up and chooses(bench)),
        "correct": bench.waiting_roll is not None if turn is None else turn.roll is not None,
        "undo": any((bench.before_override, bench.early, bench.last_throw)),
        "position": True,
        "stop": bench.game.stacks and due in (DueKind.MOVE, DueKind.CHALLENGE),
        "newgame": True,
    }
    return tuple(name for name, makes_sense in possible.items() if makes_sense)


def _may_be_taken_back(bench: Bench) -> bool:
    """Whether there is a play, a word, or something said by hand, to be taken back."""
    played = bench.unseen or (bool(bench.turns) and len(bench.trail) > 1)
    return played or bench.by_hand or bench.spoken is not None or any(before.turns for before in bench.past)


def _done(bench: Bench) -> str:
    """What the button "done" means now."""
    due = bench.due.kind
    if bench.rolloff is not None:
        return ""
    if bench.setting_up:
        return "The board is set up"
    if due is DueKind.CHALLENGE:
        return "No challenge"
    unseen = due is DueKind.MOVE and bench.watched and bench.hidden  # else players say where the pieces stand
    return "Done" if due is DueKind.PLAY or unseen else ""


def headline(bench: Bench) -> str:
    """What the table waits for, in one sentence."""
    who = wording.name_of(bench.names, bench.due.seat)
    if bench.due.kind is DueKind.OVER:
        return wording.winning(bench.game.winners(bench.state), bench.names)
    if bench.rolloff is not None:
        dice = "die" if bench.game.opening_dice == 1 else "dice"
        return f"{'Who chooses the set-up' if bench.choosing else 'Who begins'}? {who}, throw the {dice}."
    if bench.setting_up:
        how = "; which squares stay vacant is yours to choose." if chooses(bench) else " as the picture shows."
        return f"Please set up the board{how}"
    if bench.ignored is not None and bench.watched:
        return f"{who}, please put the {bench.names.nouns.pieces} back, or say “Done” if you play so after all."
    if bench.may_go_on(bench.node) and not bench.left:
        return f"{_more(bench)} {_waits_for(bench, who)}"
    return _waits_for(bench, who)


def to_do(bench: Bench) -> str:
    """What comes before anything else, for who asked for something else: a foul is put right first."""
    return f"First please put the {bench.names.nouns.pieces} right." if bench.accused else headline(bench)


def refusal(bench: Bench, error: BadInput) -> str:
    """Why a word cannot be, for players: seats by their names, and in words what is waited for instead."""
    if not isinstance(error, Untimely) or not error.waits_for:
        return wording.error_sentence(error, bench.names)
    return f"{wording.error_sentence(BadInput(error.text), bench.names)} {to_do(bench)}"


def _more(bench: Bench) -> str:
    """What the player who may stop here may also do."""
    seat, left = bench.turns[0].seat, bench.game.left(bench.node.state)
    who = wording.name_of(bench.names, seat)
    if bench.game.stacks:
        step = bench.game.legal_steps(bench.node.state)[0]
        return f"{who} may put the {bench.names.nouns.piece} from {step.origin} on {step.target}."
    return f"{who} may still move {wording.dice_words(left)}." if left else f"{who} may still move."


def _waits_for(bench: Bench, who: str) -> str:
    game, due, names = bench.game, bench.due, bench.names
    match due.kind:
        case DueKind.QUESTION:
            return f"{wording.name_of(names, game.reader(bench.state))}, read a question to {who}."
        case DueKind.DECLARATION:
            partners = [wording.name_of(names, seat) for seat in game.partners(bench.state)]
            return f"{who}, who plays your roll: {wording.listed(partners, 'or')}?"
        case DueKind.ROLL:
            again = bench.turn is not None and bench.turn.seat == due.seat
            return f"{who}, roll {'again' if again else _so_many(due.dice)}."
        case DueKind.CHALLENGE:
            after = game.due(game.stop(bench.state))
            else_ = "the game ends" if after.kind is DueKind.OVER else f"{wording.name_of(names, after.seat)} moves"
            return f"{who} may challenge {wording.listed(_targets(bench), 'or')}, or {else_}."
        case DueKind.THROW:
            return f"{who}, throw one die for the challenge."
        case DueKind.MOVE:
            return f"{who}, move a {names.nouns.piece}."
        case _:
            return _to_play(bench, who)


def _so_many(dice: Sequence[int]) -> str:
    """How many dice are to be rolled: (1, 2) → "one die or both"."""
    if len(dice) > 1:
        return "one die or both"
    return "the die" if dice == (1,) else "the dice"


def _to_play(bench: Bench, who: str) -> str:
    left, steps = bench.game.left(bench.node.state), bench.game.legal_steps(bench.node.state)
    mover, pieces = bench.game.mover(bench.node.state), bench.names.nouns.pieces
    if bench.game.stacks and bench.turn is not None and bench.game.due(bench.turn.before).kind is DueKind.MOVE:
        return f"{who}, move a {bench.names.nouns.piece}."  # it was taken back
    if bench.game.stacks and steps:
        return f"{who}, put the {bench.names.nouns.piece} from {steps[0].origin} on {steps[0].target}."
    if steps and (duty := wording.duty_sentence(bench.due.seat, steps[0], bench.names)):
        return duty
    whose = "" if mover == bench.due.seat else f" with {wording.name_of(bench.names, mover)}'s {pieces}"
    if rights := bench.game.declinable(bench.node.state):
        first = f"First the {bench.names.nouns.piece} that captured may move {wording.dice_words(rights)}."
        return f"{who}, move {wording.dice_words(left[: -len(rights)])}. {first}"
    return f"{who}, move {wording.dice_words(left)}{whose}." if left else f"{who}, make your move."


def trouble_view(
    bench: Bench, verdict: Verdict, sheet: Sheet, before: str | None = None, after: str | None = None
) -> TroubleView:
    """What is wrong or asked, for players: rules in words, and what stands where it should not."""
    stands = spread(verdict.seen or bench.position, sheet.spaces)
    ways = on_sheet([(a, b) for _, a, b in verdict.put_right], sheet, stands)
    rules = tuple((rule, bench.game.rule(rule)) for rule in verdict.rules)
    return TroubleView(
        kind=verdict.kind.value,
        text=verdict.text,
        rules=rules,
        put_right=tuple((seat, a, b) for (seat, _, _), (a, b) in zip(verdict.put_right, ways, strict=True)),
        legal=tuple(
            on_sheet(((step.origin, step.target) for step in play), sheet, spread(bench.position, sheet.spaces))
            for play in verdict.legal
        ),
        seen=_odd(verdict.position, verdict.seen, sheet),
        rolls=tuple(tuple(roll) for roll in verdict.facts.get("rolls", ())),
        told=bool(verdict.facts.get("told")),
        before=before,
        after=after,
    )


def _odd(wanted: Position | None, seen: Position | None, sheet: Sheet) -> Mapping[str, tuple[Seat, ...]]:
    if wanted is None or seen is None:
        return {}
    wanted, seen = spread(wanted, sheet.spaces), spread(seen, sheet.spaces)
    return {name: seen.at(name) for name in wanted.changed(seen)}


def line_of(number: int, wall: float, verdict: Verdict, dice: tuple[int, ...] = ()) -> PlayLine:
    """A verdict as a line of the story. dice: those of one that does not tell its own."""
    shown = (dice if verdict.dice is None else verdict.dice) if verdict.kind in WITH_DICE else ()
    return PlayLine(number, wall, verdict.seat, verdict.kind.value, verdict.text, shown, verdict.rules)
