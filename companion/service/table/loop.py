"""The loop: eyes, dice, phones and buttons in; verdicts to the journal, the page, the lamps and whoever listens."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from companion.decks import deal
from companion.games.catalogue import game_for
from companion.journal import bring_home
from companion.model import (
    FAILURES,
    BadInput,
    DiceCorrected,
    DueKind,
    Kind,
    Rolled,
    Saw,
    Seat,
    Thrown,
    Verdict,
    Word,
)
from companion.model.board import seat_value
from companion.model.table import (
    Action,
    Answer,
    DeviceView,
    QuestionView,
    TableView,
    TroubleView,
)
from companion.panel import Lamps, lamps
from companion.referee import wording
from companion.referee.bench import Bench
from companion.referee.hearing import who_choose
from companion.service.addons.breaches import blamed, suspected
from companion.service.boards.configured import board_options
from companion.service.naming import board_names, told_apart
from companion.service.table.actions import Actions
from companion.service.table.by_space import with_stands
from companion.service.table.desk import Desk
from companion.service.table.devices import devices
from companion.service.table.faults import Faults, said
from companion.service.table.held_up import Watch
from companion.service.table.lookout import Lookout
from companion.service.table.notices import Notices
from companion.service.table.parts import Parts
from companion.service.table.presenter import plays_next, present, refusal
from companion.service.table.throws import Throws

LOG = logging.getLogger(__name__)
STUMBLED = 0.2
"""Seconds until the next round after one that failed."""
FAULT_SHOWN = 10.0
"""Seconds for which the page shows that a round failed: a fault may come with every look at the board."""
MEND_AFTER, MEND_REST = 1.0, 10.0
"""Seconds until a disk that cannot be written is tried again, and how many times as long as that took."""
ANSWERED = 0.5
"""Seconds in which an answer has come to a phone."""


class Service:
    """The referee at work. `run` in one thread; the methods of Hub from any."""

    def __init__(self, parts: Parts, desk: Desk) -> None:
        self.parts, self.desk = parts, desk
        self.anew = False
        self._ending, self._over = threading.Event(), threading.Event()
        self._changed = threading.Condition()
        self._lit: Lamps | None = None
        self._faults = Faults(LOG)
        self._fault = ("", float("-inf"))
        self._mended = float("-inf")
        self.notices = Notices(parts.journal.entries(desk.number, looks=False))
        self.throws = Throws(parts, lambda: self.desk, self._tell, self._say, self._announce)
        self.lookout = Lookout(parts, self.throws, lambda: self.desk, self._tell, self._say)
        self.actions = Actions(parts, self.throws, lambda: self.desk, self._tell, self._say, self._new_game)
        for note in parts.journal.notes:
            self._say(note)
        self._view = self._present(1)

    # --- the hub: from any thread ---

    def view(self) -> TableView:
        """The table now."""
        return self._view

    def wait(self, version: int, timeout: float) -> TableView | None:
        """The table as soon as its version is another."""
        with self._changed:
            self._changed.wait_for(lambda: self._view.version != version, timeout)
        return self._view if self._view.version != version else None

    def act(self, action: Action) -> Answer:
        """Ask the loop, and wait for what it says."""
        return self.actions.ask(action, self._over.is_set)

    def question(self, seat: Seat) -> QuestionView | None:
        """The question that is due, for the phone of whoever reads it."""
        view, desk = self._view, self.desk
        if view.reader != seat or not self.parts.questions:
            return None
        return deal(self.parts.questions, desk.number, desk.asked)

    def picture(self, name: str) -> bytes | None:
        """A kept picture as JPEG; None where it is gone."""
        return self.lookout.picture(name)

    def live(self) -> bytes | None:
        """What the camera sees, with what was read drawn over it."""
        return self.lookout.live()

    def state(self) -> Mapping[str, Any]:
        """STATE of the moment at which the last roll was due; next: who plays after what is due, if that is sure;
        stands: what stands where, where the page needs it."""
        desk = self.desk
        bench = desk.bench
        data = with_stands(bench.game, desk.editable, bench.game.to_json(desk.editable))
        seat = plays_next(bench)
        return data if seat is None else data | {"next": seat_value(bench.game.name, seat)}

    # --- the loop ---

    def run(self) -> None:
        """Work until `stop`, or until the parts say that it has ended. An error costs one round and is logged."""
        watch = Watch(self._held_up)
        with watch.watching():
            while not (self._ending.is_set() or self.parts.ended()):
                watch.round()
                self._round()
        self._over.set()
        self.actions.turn_away()

    def _round(self) -> None:
        try:
            busy = self.step()
            self.parts.alive(self._view.headline)
        except FAILURES as error:
            self._stumble(error)
            self._ending.wait(STUMBLED)
            busy = False
        if not busy:
            self._ending.wait(0.01)

    def _held_up(self, text: str, where: str) -> None:
        """A round takes too long: log where it is, and say on the page who is to blame, if that is known; the loop,
        once it comes back, shows how the table is. From the watch's thread."""
        LOG.error("%s\n%s", text or "the loop is held up", where)
        if text:
            self._show(replace(self._view, trouble=TroubleView(Kind.UNCLEAR.value, text)))

    def _stumble(self, error: BaseException) -> None:
        """A round failed, perhaps like those before: say so once, and on the page as long as it goes on. What the
        round had still to do is done, as far as it can be: else players would see a page that stands still."""
        new = self._faults.note("the loop stumbled; it goes on", error)
        game = self.desk.bench.game
        text = said(error, game)
        todos: list[Callable[[], object]] = [partial(self._say, text)] if new else []
        todos += [self._mend_journal, self.throws.acknowledge, self.throws.arm, self._publish]
        self._fault = (text, self._now + FAULT_SHOWN)
        for todo in todos:
            with contextlib.suppress(*FAILURES):  # the same game is asked, for what the page shows of it too
                todo()
        if self._view.trouble != self._fault_shown:
            told, how = tuple(self.notices.story), tuple(self._devices())
            self._show(replace(self._view, plays=told, devices=how, trouble=self._fault_shown))
        if blamed(error) or suspected(error, game):
            self.parts.alive(self._view.headline)  # to be begun anew would not mend it

    @property
    def _fault_shown(self) -> TroubleView | None:
        """What went wrong inside, while it may come again."""
        text, until = self._fault
        return TroubleView(Kind.UNCLEAR.value, text) if self._now < until else None

    def stop(self) -> None:
        """End the loop and let every part go."""
        self._ending.set()

    def begin_anew(self) -> None:
        """End the loop, so that the table is assembled again, once whoever asked for it has the answer."""
        self.anew = True
        threading.Timer(ANSWERED, self.stop).start()

    def close(self) -> None:
        """Let every part go, after the loop has ended. One that cannot be let go, as dice of one's own whose port is
        gone, does not keep the others."""
        for part in (self.parts.camera, self.parts.dice, self.parts.panel):
            try:
                if part is not None:
                    part.close()
            except FAILURES:
                LOG.exception("%s cannot be closed", type(part).__name__)
        self.parts.journal.close()

    def step(self) -> bool:
        """One round: whatever has come, in order. Returns whether there was anything."""
        busy = any([self.throws.hear(), self.actions.hear_buttons(), self.actions.hear_phones(), self.lookout.look()])
        self._mend_journal()
        self.throws.acknowledge()
        self.throws.arm()
        self._publish()
        return busy

    @property
    def _now(self) -> float:
        return self.parts.clock.now()

    def _mend_journal(self) -> None:
        """While the disk cannot be written, try again now and then."""
        journal = self.parts.journal
        if (journal.healthy and journal.home is None) or self._now < self._mended + MEND_AFTER:
            return
        began = self._mended = self._now
        numbers = bring_home(journal)
        if numbers is not None:
            self.desk.number = numbers.get(self.desk.number, self.desk.number)
            journal.flush()
        self._mended += MEND_REST * (self._now - began)  # a large journal is read through: the table must not wait

    # --- ruling ---

    def _new_game(self, action: Action) -> Answer:
        bench = self.desk.bench
        seats = action.seats or bench.game.seats
        # the board stays: who leaves six arms to fewer players plays on six
        game = game_for(bench.game.name, seats, {**bench.game.options, **board_options(bench.game)})
        if self.parts.camera is not None and (why := told_apart(self.parts.sheet, game.seats)):
            return Answer(False, why)
        names = board_names(self.parts.sheet, game.seats)
        usual = self.parts.first if self.parts.first in game.seats else game.seats[0]
        first = usual if action.first is None else action.first
        state = None if action.first is None else game.opening(first)  # which may refuse
        desk = Desk.new(self.parts.journal, game, names, first, self.parts.board, state, self.parts.configured)
        self._leave()  # only now: where the disk is full the old game goes on
        self.desk = desk
        self.lookout.begin_anew(game)
        self.notices.begin_anew()
        if self.parts.recorder is not None:
            self.parts.recorder = self.parts.recorder.anew(self.desk.as_it_stands, self._now)
        self.throws.begin_anew()
        return Answer(True, f"A new game begins.{_to_set_up(self.desk.bench)}")

    def _leave(self) -> None:
        """Write down that the game was left; who won was written down, or waits, since it was won."""
        bench, left = self.desk.bench, {"left": True, "winners": list[Seat]()}
        with contextlib.suppress(*FAILURES):  # a game that fails in its own code can be left all the same
            if bench.due.kind is DueKind.OVER:
                return
            left["winners"] = list(bench.game.winners(bench.state))
        self.desk.end(left)

    def _tell(self, word: Word, roll: Mapping[str, Any] | None = None, *, strict: bool = False) -> list[Verdict]:
        """Journal, judge, announce. strict: raise BadInput instead of saying it to the table."""
        before, throwing = self.desk.bench.begun, self.desk.bench.rolloff is not None
        try:
            verdicts = self.desk.tell(word, roll)
        except BadInput as error:
            if strict:
                raise
            self._say(refusal(self.desk.bench, error))
            return []
        finally:
            if self.parts.recorder is not None and not isinstance(word, Saw):
                self.parts.recorder.word(word)
        if isinstance(word, Rolled | Thrown | DiceCorrected) or self.throws.drop_outdated():
            self._dice_are_clear()
        if not isinstance(word, Saw):
            self.lookout.asked_for()
        bench = self.desk.bench
        if self.parts.recorder is not None and throwing and bench.rolloff is None:
            self.parts.recorder.begins(bench.due.seat)
        self.lookout.eyes.ruled(word, verdicts, bench, began=bench.begun and not before)
        for verdict in verdicts:
            self._announce(verdict)
        self.notices.settle(bench, self.throws.unclear)
        return verdicts

    def _announce(self, verdict: Verdict) -> None:
        self.notices.add(verdict, self.desk.bench, self.parts.sheet, self.lookout.keep(verdict))
        if verdict.kind is Kind.OVER:
            self.desk.end({"winners": list(verdict.winner)})
        LOG.info("%s", json.dumps({"verdict": verdict.kind.value, "text": verdict.text, "rules": verdict.rules}))
        self.parts.hear(verdict)

    def _dice_are_clear(self) -> None:
        """A roll was told, or none is due any more: what lay in the tray is no question any more."""
        self.notices.drop(self.throws.unclear)
        self.throws.unclear = None

    def _say(self, text: str) -> None:
        note = Verdict(Kind.NOTE, self._now, text=text)
        self.desk.note(note)
        self._announce(note)

    # --- what players see ---

    def _publish(self) -> None:
        view = self._present(self._view.version)
        if view != self._view:
            self._show(view)
        if self.parts.panel is not None:
            bench = self.desk.bench
            lit = lamps(bench.game.seats, bench.due, self.notices.standing, read_phone=not bench.dice_work)
            if lit != self._lit:
                self._lit = lit
                self.parts.panel.show(lit)

    def _show(self, view: TableView) -> None:
        with self._changed:
            self._view = replace(view, version=self._view.version + 1)
            self._changed.notify_all()

    def _present(self, version: int) -> TableView:
        return present(
            self.desk.bench,
            self.parts.sheet,
            version=version,
            plays=self.notices.story,
            devices=self._devices(),
            notice=self._fault_shown or self.notices.trouble,
            extra_actions=self.throws.asks,
            shown=self.lookout.eyes.shown(self.desk.bench.position),
            throwing=self.throws.count,
            deck=bool(self.parts.questions),
            members=self._members(),
            marks=self.desk.marks,
        )

    def _members(self) -> dict[Seat, str]:
        """Who of each team acts next: the members take the team's turns in rotation (GLO-12). A game that is over was
        played by all of them."""
        over, due, members = self.desk.bench.rotation.over, self.desk.bench.due, self.parts.members
        if due.kind is DueKind.OVER:
            return {seat: wording.listed(names) for seat, names in members.items() if names}
        return {seat: names[over(seat, due) % len(names)] for seat, names in members.items() if names}

    def _devices(self) -> list[DeviceView]:
        return devices(self.parts, self.throws, self.lookout.trouble)


def _to_set_up(bench: Bench) -> str:
    """How a game that begins is to be set up; where that is chosen, by whoever throws highest, or was said to begin."""
    if not bench.game.chooses_setup:
        return " Set up the board as the picture shows."
    if bench.rolloff is not None:
        return ""
    first = bench.due.seat
    return f" {who_choose(bench, first)} {wording.name_of(bench.names, first)} begins."

