"""From the bench to what players see: a pure function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.model import DueKind, Kind, Position, Seat, Sheet, Verdict
from companion.model.table import MARKS, DeviceView, PlayLine, SeatView, TableView, TroubleView
from companion.referee import wording
from companion.referee.bench import Bench

MOST_HINTS = 60


def present(
    bench: Bench,
    sheet: Sheet,
    *,
    version: int,
    plays: Sequence[PlayLine],
    devices: Sequence[DeviceView],
    notice: TroubleView | None = None,
    extra_actions: Sequence[str] = (),
) -> TableView:
    """The table now. plays: newest first. notice: what is wrong or asked, if anything, with its pictures."""
    due = bench.due
    turn = bench.turn
    playing = turn is not None and due.kind is DueKind.PLAY
    return TableView(
        version=version,
        game=bench.game.name,
        title=bench.game.title,
        seats=tuple(_seat(bench, sheet, seat) for seat in bench.game.seats),
        due=due.seat,
        due_kind=due.kind,
        headline=headline(bench),
        roll=turn.dice if turn is not None else (),
        left=bench.game.left(bench.node.state) if playing else (),
        position=dict(bench.position.items()),
        last=tuple((step.origin, step.target) for step in bench.node.steps),
        hints=_hints(bench) if playing else (),
        plays=tuple(plays),
        trouble=notice,
        devices=tuple(devices),
        actions=(*_actions(bench), *extra_actions),
        dice=due.dice if due.kind in (DueKind.ROLL, DueKind.THROW) else (),
        winner=bench.game.winners(bench.state),
    )


def _seat(bench: Bench, sheet: Sheet, seat: Seat) -> SeatView:
    home = len(bench.position.at(f"home{seat}"))
    return SeatView(seat, bench.names.get(seat, str(seat)), sheet.colors.get(seat, "#777777"), MARKS[seat], home)


def _hints(bench: Bench) -> tuple[tuple[str, str], ...]:
    steps = bench.game.legal_steps(bench.node.state)
    return tuple(dict.fromkeys((step.origin, step.target) for step in steps))[:MOST_HINTS]


def _actions(bench: Bench) -> tuple[str, ...]:
    """The actions that make sense now, the likeliest first."""
    due, turn = bench.due.kind, bench.turn
    possible = {
        "roll": due in (DueKind.ROLL, DueKind.THROW),
        "confirm": due is DueKind.PLAY or not bench.begun,
        "takeback": bool(turn and len(bench.trail) > 1) or bool(bench.past and bench.past[-1].turns),
        "accept": bench.trouble is not None and bench.begun,
        "correct": turn is not None,
        "undo": bench.before_override is not None,
        "position": True,
        "newgame": True,
    }
    return tuple(name for name, makes_sense in possible.items() if makes_sense)


def headline(bench: Bench) -> str:
    """What the table waits for, in one sentence."""
    who = wording.name_of(bench.names, bench.due.seat)
    winners = bench.game.winners(bench.state)
    if winners:
        return f"{' and '.join(wording.name_of(bench.names, w) for w in winners)} wins!"
    if bench.rolloff is not None:
        return f"Who begins? {who}, throw the dice."
    if not bench.begun:
        return "Please set up the board as the picture shows."
    if bench.due.kind is DueKind.ROLL:
        again = bench.turn is not None and bench.turn.seat == bench.due.seat
        return f"{who}, roll {'again' if again else 'the dice'}."
    left = bench.game.left(bench.node.state)
    return f"{who}, move {wording.dice_words(left)}." if left else f"{who}, make your move."


def trouble_view(
    bench: Bench, verdict: Verdict, before: str | None = None, after: str | None = None
) -> TroubleView:
    """What is wrong or asked, for players: rules in words, and what stands where it should not."""
    rules = tuple((rule, bench.game.rule(rule)) for rule in verdict.rules)
    return TroubleView(
        kind=verdict.kind.value,
        text=verdict.text,
        rules=rules,
        put_right=verdict.put_right,
        legal=tuple(tuple((step.origin, step.target) for step in play) for play in verdict.legal),
        seen=_odd(verdict.position, verdict.seen),
        rolls=tuple(tuple(roll) for roll in verdict.facts.get("rolls", ())),
        before=before,
        after=after,
    )


def _odd(wanted: Position | None, seen: Position | None) -> Mapping[str, tuple[Seat, ...]]:
    if wanted is None or seen is None:
        return {}
    return {name: seen.at(name) for name in wanted.changed(seen)}


def line_of(number: int, wall: float, verdict: Verdict, dice: tuple[int, ...]) -> PlayLine:
    """A verdict as a line of the story."""
    shown = dice if verdict.kind in (Kind.LEGAL, Kind.PARTIAL, Kind.PASS, Kind.ILLEGAL) else ()
    return PlayLine(number, wall, verdict.seat, verdict.kind.value, verdict.text, shown, verdict.rules)
