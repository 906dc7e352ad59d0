"""Seating: the game that was left goes on, whatever became of it and of the configuration; else one begins."""

from __future__ import annotations

import contextlib
import logging
import time
from typing import Any

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import Game as Played
from companion.journal import Journal
from companion.model import FAILURES, DueKind, JournalError, OptionError, reason_of
from companion.service.boards.configured import Table
from companion.service.config import Config
from companion.service.naming import board_names
from companion.service.table.desk import Desk, in_short
from companion.service.table.presenter import present

LOG = logging.getLogger(__name__)
EVENING = 12 * 3600.0
"""Seconds for which the page shows who won, also after a restart."""
SET_BY_HAND = "To play on from where it was, set the position (More, Set the position)."
STUMBLED = "Part of what was told in this game could not be heard again: compare the board with the picture."


def seat_down(config: Config, game: Game[Any], table: Table, journal: Journal) -> Desk:
    """Go on with the game that was left, also if its players chose other seats than the configuration names; begin one
    where there is none, where another has been configured since, or where that one cannot go on. A game that was won
    this evening stays until another is begun."""
    _end_the_others(journal)
    left = journal.open_game()
    desk = _won(journal, game, table) if left is None else _gone_on(journal, left, game, table)
    if desk is not None:
        return desk
    first = config.game.first if config.game.first is not None else game.seats[0]
    return Desk.new(journal, game, board_names(table.sheet, game.seats), first, table.name, configured=game.seats)


def _end_the_others(journal: Journal) -> None:
    """A power cut while a new game is begun leaves the one before open, though nobody can go on with it."""
    for game in journal.games()[:-1]:
        if game.ended is None:
            with contextlib.suppress(JournalError):  # a disk that is full says so elsewhere
                journal.end_game(game.id, {"left": True})


def _gone_on(journal: Journal, left: Played, game: Game[Any], table: Table) -> Desk | None:
    """The game that was left; None where it was put aside, which is said, but keeps nobody waiting."""
    try:
        changed = _changed(left, game)
        if changed:
            told = f"{changed} configured since game {left.id} was begun: it is in the journal, and a new one begins."
            _put_aside(journal, left, told)
            return None
        desk = Desk.resume(journal, board_names(table.sheet, left.seats))
        assert desk is not None
        present(desk.bench, table.sheet, version=0, plays=(), devices=())
        if desk.bench.due.kind is DueKind.OVER:  # it was won while the disk was full, and the end was not written
            desk.end({"winners": list(desk.bench.game.winners(desk.bench.state))})
    except FAILURES as error:  # whatever is wrong with that game, it must not be so again at every start
        LOG.exception("the game that was left cannot go on")
        why = reason_of(error)
        told = f"Game {left.id} could not go on ({why}); it is in the journal, and a new one begins. {SET_BY_HAND}"
        _put_aside(journal, left, told, why)
        return None
    journal.notes += (STUMBLED,) if desk.stumbled else ()
    LOG.info("the game %d goes on", left.id)
    return desk


def _won(journal: Journal, game: Game[Any], table: Table) -> Desk | None:
    """The last game, if it was won lately, or won and then taken back; None where the next one may begin."""
    last = next(iter(journal.games()[-1:]), None)
    if last is None or not last.result or last.result.get("left") or _changed(last, game):
        return None
    try:
        entries = in_short(journal, last.id)
        desk = Desk.of(journal, last, board_names(table.sheet, last.seats), entries)
        present(desk.bench, table.sheet, version=0, plays=(), devices=())
    except FAILURES:  # it is over: nobody waits for it
        LOG.exception("who won the last game cannot be shown")
        return None
    over = desk.bench.due.kind is DueKind.OVER
    return None if over and abs(time.time() - entries[-1].wall) > EVENING else desk.gone_on()


def _changed(left: Played, game: Game[Any]) -> str:
    """What is configured otherwise than when the game began, as a sentence begins; "" where nothing is.

    The players choose the seats of a game on the page: only those that were configured then tell of a change. Journals
    of old do not say which.
    """
    if left.game != game.name:
        return "Another game was"
    if dict(left.options) != dict(game.options) and _other_rules(left, game):
        return "Other options were"
    then = left.start.get("configured")
    return "" if then is None or set(then) == set(game.seats) else "Other colours were"


def _other_rules(left: Played, game: Game[Any]) -> bool:
    """Whether options were configured that are not merely the usual ones spelt out, or left out again."""
    try:
        then = game_for(left.game, list(game.seats), dict(left.options))
    except OptionError:
        return True
    return dict(then.all_options) != dict(game.all_options)


def _put_aside(journal: Journal, left: Played, told: str, why: str = "") -> None:
    """End that game, and say so. A disk that is full says so elsewhere."""
    journal.notes += (told,)
    with contextlib.suppress(JournalError):
        journal.end_game(left.id, {"left": True} | ({"why": why} if why else {}))
