"""Hearing the dice: throws for who begins, rolls, and whether the dice work."""

from __future__ import annotations

from dataclasses import replace

from companion.model import DiceState, Kind, NotDue, Rolled, Thrown, Verdict
from companion.referee import wording
from companion.referee.belief import Bench, Ruled
from companion.referee.decide import PLAIN
from companion.referee.playing import arrived, at_rest, begin, begin_turn
from companion.referee.turn import Look

MARGIN_PLAY = 2.5
"""Nats by which that play must fit better than the board as it stood."""
ONE_MISREAD = -15.0
"""When the table goes on, a whole play that fits this well is believed, though one space looks otherwise."""


def thrown(bench: Bench, word: Thrown) -> Ruled:
    """A throw for who begins."""
    if bench.rolloff is None:
        raise NotDue(f"a throw of {word.value}: it is decided who begins; a roll is due")
    rolloff = bench.rolloff.thrown(word.seat, word.value)
    if rolloff.first is None:
        return replace(bench, rolloff=rolloff), []
    text = f"{wording.name_of(bench.names, rolloff.first)} threw highest and begins."
    begun = replace(bench, rolloff=None).at(bench.game.opening(rolloff.first))
    return begun, [Verdict(Kind.NOTE, word.at, rolloff.first, text=text, position=begun.position)]


def rolled(bench: Bench, word: Rolled) -> Ruled:
    """A roll: it counts as soon as the play before it is done."""
    if bench.rolloff is not None:
        raise NotDue(f"a roll of {word.roll.dice}: first each player throws for who begins")
    if bench.game.winners(bench.state):
        raise NotDue(f"a roll of {word.roll.dice}: the game is over")
    ready, verdicts = whole_play(bench if bench.begun else begin(bench), word.at)
    if not at_rest(ready):
        text = f"{wording.name_of(ready.names, ready.due.seat)} has not finished the last move; the new roll waits."
        waiting = replace(ready, early=word)
        return waiting, [*verdicts, Verdict(Kind.NOTE, word.at, ready.due.seat, text=text)]
    begun, more = begin_turn(ready, word)
    return begun, [*verdicts, *more]


def whole_play(bench: Bench, at: float) -> Ruled:
    """The table goes on, so the play is done: believe the board that was last seen still, if it shows a whole one."""
    settled = bench.stillness.settled()
    if settled is None or not bench.turns:
        return bench, []
    evidence = settled.evidence.forgiving(bench.misread)
    if at_rest(bench) and evidence.score(bench.position) > PLAIN:
        return bench, []
    plays = [(evidence.score(p), p, c.nodes) for p, c in bench.candidates.items() if c.look is Look.THERE]
    score, position, nodes = max(plays, key=lambda play: play[0])
    sure = score - evidence.score(bench.position) >= MARGIN_PLAY
    if score < ONE_MISREAD or not nodes[0].complete or not sure:
        return bench, []
    return arrived(bench, position, nodes, at)


def dice_state(bench: Bench, word: DiceState) -> Ruled:
    """The dice work, or they are away."""
    return replace(bench, dice_work=word.working), []
