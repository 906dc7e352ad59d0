"""The actions: what phones and buttons ask for, one after the other: a word to the referee, a throw, a new game."""

from __future__ import annotations

import contextlib
import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future

from companion.model import (
    FAILURES,
    AcceptedAsPlayed,
    AgreedToStop,
    Answered,
    BadInput,
    Challenged,
    CompanionError,
    Confirmed,
    Declared,
    DiceCorrected,
    DueKind,
    PositionSet,
    Seat,
    TakenBack,
    Undone,
    Word,
)
from companion.model.table import Action, Answer
from companion.model.words import BUTTON
from companion.panel import Press, no_press
from companion.service.table.by_space import state_told
from companion.service.table.desk import Desk
from companion.service.table.faults import Faults, said
from companion.service.table.parts import Parts
from companion.service.table.presenter import headline, refusal, to_do
from companion.service.table.rolls import roll_of
from companion.service.table.throws import Tell, Throws

LOG = logging.getLogger(__name__)
ONE_PRESS = 0.6
"""Seconds within which a button that is pressed again was pressed once, by a thumb that trembled: what comes next is
another player's question, or another play to take back. So are both answers, under one thumb."""
ANSWERS = (Press.RIGHT, Press.WRONG)
PATIENCE = 5.0
"""Seconds that a phone waits for the loop."""
SLOW = "The referee is busy: that was not done. Please try again in a moment."
AT_WORK = "The referee is still at it: look what the page shows before you ask again."
ENDED = "The referee is ending or beginning anew: ask again in a moment."
QUICKER = "Somebody was quicker: the table has changed. Look again, and press once more if it is still to be done."
UNSEEN = "Nobody watches the board: say where the pieces stand now (More, Set the position)."


class Actions:
    """What is asked of a service: its loop hears, in its thread; `ask` from any.

    desk: of the game that is played. tell, say: to the referee, and to the table. new_game: begins another game.
    """

    def __init__(
        self,
        parts: Parts,
        throws: Throws,
        desk: Callable[[], Desk],
        tell: Tell,
        say: Callable[[str], None],
        new_game: Callable[[Action], Answer],
    ) -> None:
        self.parts = parts
        self._desk, self._tell, self._say = desk, tell, say
        self._asked: queue.SimpleQueue[tuple[Action, Future[Answer]]] = queue.SimpleQueue()
        self._press: tuple[Press | None, float] = (None, 0.0)
        self._faults = Faults(LOG)
        self._doing: dict[str, Callable[[Action], Answer]] = {
            "roll": throws.typed,
            "dice": throws.choose,
            "adopt": throws.answered,
            "dismiss": throws.answered,
            "newgame": new_game,
            "confirm": self._confirm,
        }

    @property
    def _now(self) -> float:
        return self.parts.clock.now()

    # --- phones ---

    def ask(self, action: Action, over: Callable[[], bool] = lambda: False) -> Answer:
        """Ask the loop, and wait for what it says. over: whether it has ended. From any thread."""
        answer: Future[Answer] = Future()
        self._asked.put((action, answer))
        if over():
            self.turn_away()
        try:
            return answer.result(timeout=PATIENCE)
        except TimeoutError:  # once the loop has taken it, it is done, or refused, in any case
            return Answer(False, SLOW if answer.cancel() else AT_WORK)

    def hear_phones(self) -> bool:
        """Do what was asked for since. Returns whether there was anything."""
        heard = False
        while not self._asked.empty():
            action, answer = self._asked.get()
            if answer.set_running_or_notify_cancel():  # else who asked was told that it is not done
                answer.set_result(self._answer(action))
                heard = True
        return heard

    def turn_away(self) -> None:
        """Nobody waits for an answer of a loop that has ended."""
        with contextlib.suppress(queue.Empty):
            while True:
                answer = self._asked.get_nowait()[1]
                if answer.set_running_or_notify_cancel():
                    answer.set_result(Answer(False, ENDED))

    def _answer(self, action: Action) -> Answer:
        try:
            return self._done_or_refused(action)
        except CompanionError as error:
            return Answer(False, str(error))
        except FAILURES as error:
            self._faults.note(f"action {action.name}", error)
            return Answer(False, said(error, self._desk().bench.game))

    def _done_or_refused(self, action: Action) -> Answer:
        try:
            return self.do(action)
        except BadInput as error:
            return Answer(False, refusal(self._desk().bench, error))

    def do(self, action: Action) -> Answer:
        """Do it now. Raises CompanionError where the game, the disk or a device refuses it."""
        if self._was_done(action):
            return Answer(False, QUICKER)
        if action.name in self._doing:
            return self._doing[action.name](action)
        word = word_of(action, self._desk(), self._now)
        return Answer(False, f"There is no action {action.name!r}.") if word is None else self._told(word)

    def _was_done(self, action: Action) -> bool:
        """Whether somebody was quicker. A game that fails in its own code can be left all the same."""
        with contextlib.suppress(*FAILURES):
            return bool(action.mark) and action.mark != self._desk().marks.get(action.name, action.mark)
        return False

    def _told(self, word: Word) -> Answer:
        """Tell the referee, whose last word is the answer. Raises BadInput."""
        before = self._desk().bench
        verdicts = self._tell(word, strict=True)
        if self._desk().bench is before and not verdicts:
            return Answer(False, to_do(before))  # nothing came of it
        return Answer(True, verdicts[-1].text if verdicts else "Done.")

    def _confirm(self, action: Action) -> Answer:
        """"Done": no dice can be thrown by it, and where nobody sees what is played it must be plain."""
        bench = self._desk().bench
        if bench.rolloff is not None or (bench.due.kind is DueKind.THROW and not bench.setting_up):
            return Answer(False, headline(bench))
        return self._played_unseen(action.by) if self._plays_unseen else self._told(Confirmed(self._now, action.by))

    @property
    def _plays_unseen(self) -> bool:
        """Whether a play or a move is due, and no camera will show it."""
        bench = self._desk().bench
        return not bench.watched and bench.due.kind in (DueKind.PLAY, DueKind.MOVE)

    def _played_unseen(self, by: str) -> Answer:
        """"Done" where no camera looks: the only play that there is was played; of several the players say which."""
        bench = self._desk().bench
        if bench.due.kind is DueKind.MOVE:  # any may have been made, and no more likely one from stack to stack
            return Answer(False, UNSEEN)
        ends = tuple(dict.fromkeys(outcome.state for outcome in bench.game.outcomes(bench.node.state)))
        if len(ends) != 1:
            return Answer(False, UNSEEN)
        self._tell(PositionSet(self._now, bench.game.to_json(ends[0]), by), strict=True)
        return Answer(True, "There was only one way to play this, so that is how it stands now.")

    # --- buttons ---

    def hear_buttons(self) -> bool:
        """Do what was pressed since. Returns whether there was anything."""
        heard = False
        while not self.parts.presses.empty():
            press, (last, at) = self.parts.presses.get(), self._press
            self._press = (press, self._now)
            again = press == last or (press in ANSWERS and last in ANSWERS)
            if not again or self._now - at >= ONE_PRESS:
                self._hear_button(press)
            heard = True
        return heard

    def _hear_button(self, press: Press) -> None:
        """One that nobody waits for is answered by a note."""
        if why := no_press(press):
            self._say(why)
        elif press != Press.CONFIRM or not self._plays_unseen:
            self._tell(pressed(press, self._now))
        elif not (answer := self._played_unseen(BUTTON)).ok:
            self._say(answer.text)


def word_of(action: Action, desk: Desk, at: float) -> Word | None:
    """What an action tells the referee of the game that is played, at `at` seconds; None where it is no such action.
    Raises BadInput."""
    by = action.by
    match action.name:
        case "correct":
            return DiceCorrected(at, roll_of(action.dice), by)
        case "position":
            return PositionSet(at, state_told(desk.bench.game, action.state or {}, desk.editable), by)
        case "takeback":
            return TakenBack(at, by)
        case "accept":
            return AcceptedAsPlayed(at, by)
        case "undo":
            return Undone(at, by)
        case "answer":
            return Answered(at, bool(action.right), by)
        case "declare":
            return Declared(at, desk.bench.due.seat, _given(action.seat, "seat"), by)
        case "challenge":
            return Challenged(at, action.space, by)
        case "stop":
            return AgreedToStop(at, by)
    return None


def pressed(press: Press, at: float) -> Word:
    """What a button tells the referee, at `at` seconds; a panel of one's own may say it as text, "right"."""
    match press:
        case Press.TAKE_BACK:
            return TakenBack(at)
        case Press.RIGHT | Press.WRONG:
            return Answered(at, press == Press.RIGHT)
        case Press.CHALLENGE:
            return Challenged(at, by=BUTTON)
        case _:
            return Confirmed(at)


def _given(value: Seat | None, what: str) -> Seat:
    if value is None:
        raise BadInput(f"{what} is missing: say which one")
    return value
