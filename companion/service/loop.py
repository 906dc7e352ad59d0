"""The loop: eyes, dice, phones and buttons in; verdicts to the journal, the page, the lamps and whoever listens."""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

import cv2

from companion.camera import FROZEN, OK, Camera, Frame, Image
from companion.decks import deal
from companion.games.catalogue import game_for
from companion.journal import bring_home
from companion.model import (
    AcceptedAsPlayed,
    AgreedToStop,
    Answered,
    BadInput,
    BoardLost,
    BoardSeen,
    Challenged,
    CompanionError,
    Confirmed,
    Declared,
    DiceCorrected,
    DueKind,
    ImageError,
    Kind,
    Position,
    PositionSet,
    Rolled,
    Saw,
    Seat,
    Sighting,
    TakenBack,
    Thrown,
    Undone,
    Verdict,
    Word,
)
from companion.model.table import (
    Action,
    Answer,
    DeviceView,
    PlayLine,
    QuestionView,
    TableView,
    TroubleView,
)
from companion.model.words import BUTTON
from companion.panel import Lamps, Press, lamps
from companion.referee import wording
from companion.referee.bench import Bench
from companion.referee.hearing import who_choose
from companion.referee.turn import Turn
from companion.service.boards import board_options, of_game
from companion.service.breaches import blamed, suspected
from companion.service.by_space import state_told, with_stands
from companion.service.desk import Desk
from companion.service.eyes import Eyes
from companion.service.faults import Faults, said
from companion.service.held_up import Watch
from companion.service.naming import board_names, seat_key, told_apart
from companion.service.parts import Parts
from companion.service.presenter import headline, line_of, plays_next, present, refusal, to_do, trouble_view
from companion.service.story import told
from companion.service.thinning import MOVING, Thinner
from companion.service.throws import Throws, roll_of
from companion.vision.finding.shown import Shown

LOG = logging.getLogger(__name__)
STORY = 40
"""Lines of the story that the page shows."""
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 80]
STUMBLED = 0.2
"""Seconds until the next round after one that failed."""
FAULT_SHOWN = 10.0
"""Seconds for which the page shows that a round failed: a fault may come with every look at the board."""
MEND_AFTER, MEND_REST = 1.0, 10.0
"""Seconds until a disk that cannot be written is tried again, and how many times as long as that took."""
ONE_PRESS = 0.6
"""Seconds within which a button that is pressed again was pressed once, by a thumb that trembled: what comes next is
another player's question, or another play to take back."""
PATIENCE = 5.0
"""Seconds that a phone waits for the loop."""
SLOW = "The referee is busy: that was not done. Please try again in a moment."
AT_WORK = "The referee is still at it: look what the page shows before you ask again."
ANSWERED = 0.5
"""Seconds in which an answer has come to a phone."""
BLIND_AFTER = 3.0
"""Seconds without a picture of a camera that gave some, after which the board cannot be seen."""
UNWATCHED_AFTER = 10.0
"""Seconds without a first picture of a camera that is wanted, after which it is said that nobody watches."""
NEVER_CAME = (
    "The camera gives no pictures: is its cable in? Until it does nobody watches the board; say on the phone where the "
    "pieces stand (More, Set the position)."
)
NO_CAMERA = "The camera gives no pictures any more: is it plugged in? Meanwhile use “Set the position”."
FROZEN_CAMERA = "The camera shows the same frozen picture again and again: pull its plug, and put it back."
ENDED = "The referee is ending or beginning anew: ask again in a moment."
QUICKER = "Somebody was quicker: the table has changed. Look again, and press once more if it is still to be done."
WAITS = ". Memory is full too: throws wait in the dice box, and what else happens now is lost"
UNSEEN = "Nobody watches the board: say where the pieces stand now (More, Set the position)."
TROUBLES = (Kind.ILLEGAL, Kind.UNCLEAR, Kind.LOST)


class Service:
    """The referee at work. `run` in one thread; the methods of Hub from any."""

    def __init__(self, parts: Parts, desk: Desk) -> None:
        self.parts, self.desk = parts, desk
        self.anew = False
        self._ending, self._over = threading.Event(), threading.Event()
        self._changed = threading.Condition()
        self._asked: queue.SimpleQueue[tuple[Action, Future[Answer]]] = queue.SimpleQueue()
        self._thinner = Thinner()
        self._shown: queue.SimpleQueue[Shown | None] = queue.SimpleQueue()
        self._eyes = Eyes(of_game(parts.scene, desk.bench.game), parts.shown)
        self._frame: Frame | None = None
        self._sighting: Sighting | None = None
        self._looking = threading.Lock()
        self._live: tuple[tuple[Frame, Sighting | None] | None, bytes] = (None, b"")
        self._still: tuple[Frame, Position] | None = None
        self._story: deque[PlayLine] = deque(maxlen=STORY)
        self._lines = 0
        self._notice: TroubleView | None = None
        self._standing: Verdict | None = None
        self._asked_in: Turn | None = None
        self._lit: Lamps | None = None
        self.throws = Throws(parts, lambda: self.desk, self._tell, self._say, self._announce)
        self._press: tuple[Press | None, float] = (None, 0.0)
        self._frame_trouble = ""
        self._faults, self._faults_told = Faults(LOG), set[str]()
        self._fault = ("", float("-inf"))
        self._blind_told = self._mended = float("-inf")
        self._unwatched_from = parts.clock.now() + UNWATCHED_AFTER
        self._tell_the_story_again()
        if parts.recorder is not None and parts.shown is not None:
            parts.recorder.shown(parts.clock.now(), parts.shown.showing)
        for note in parts.journal.notes:
            self._say(note)
        self._view = self._present(1)

    def _tell_the_story_again(self) -> None:
        """A resumed game shows its last lines."""
        for _, line in told(self.parts.journal.entries(self.desk.number, looks=False)):
            self._lines = line.number
            self._story.appendleft(line)

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
        answer: Future[Answer] = Future()
        self._asked.put((action, answer))
        if self._over.is_set():
            self._turn_away()
        try:
            return answer.result(timeout=PATIENCE)
        except TimeoutError:  # once the loop has taken it, it is done, or refused, in any case
            return Answer(False, SLOW if answer.cancel() else AT_WORK)

    def question(self, seat: Seat) -> QuestionView | None:
        """The question that is due, for the phone of whoever reads it."""
        view, desk = self._view, self.desk
        if view.reader != seat or not self.parts.questions:
            return None
        return deal(self.parts.questions, desk.number, desk.asked)

    def picture(self, name: str) -> bytes | None:
        """A kept picture; None also where it was given up just now, since others needed its room."""
        path = self.parts.pictures.path(name)
        with contextlib.suppress(FileNotFoundError):
            return path.read_bytes() if path else None
        return None

    def live(self) -> bytes | None:
        """What the camera sees, with what was read drawn over it: made once for all who look."""
        with self._looking:
            frame, sighting = self._fresh, self._sighting
            if frame is None:
                return None
            of, picture = self._live
            if of is None or of[0] is not frame or of[1] is not sighting:
                picture = _jpeg(frame.image if sighting is None else self._eyes.draw(frame.image))
                self._live = (frame, sighting), picture
            return picture

    def state(self) -> Mapping[str, Any]:
        """STATE of the moment at which the last roll was due; next: who plays after what is due, if that is sure;
        stands: what stands where, where the page needs it."""
        desk = self.desk
        bench = desk.bench
        data = with_stands(bench.game, desk.editable, bench.game.to_json(desk.editable))
        seat = plays_next(bench)
        return data if seat is None else data | {"next": seat_key(bench.game.name, seat)}

    # --- the loop ---

    def run(self) -> None:
        """Work until `stop`, or until the parts say that it has ended. An error costs one round and is logged."""
        watch = Watch(self._held_up)
        with watch.watching():
            while not (self._ending.is_set() or self.parts.ended()):
                watch.round()
                self._round()
        self._over.set()
        self._turn_away()

    def _round(self) -> None:
        try:
            busy = self.step()
            self.parts.alive(self._view.headline)
        except Exception as error:
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

    def _stumble(self, error: Exception) -> None:
        """A round failed, perhaps like those before: say so once, and on the page as long as it goes on. What the
        round had still to do is done, as far as it can be: else players would see a page that stands still."""
        self._faults.note("the loop stumbled; it goes on", error)
        game = self.desk.bench.game
        text = said(error, game)
        todos: list[Callable[[], object]] = [] if text in self._faults_told else [partial(self._say, text)]
        todos += [self._mend_journal, self.throws.acknowledge, self.throws.arm, self._publish]
        self._faults_told.add(text)
        self._fault = (text, self._now + FAULT_SHOWN)
        for todo in todos:
            with contextlib.suppress(Exception):  # the same game is asked, for what the page shows of it too
                todo()
        if self._view.trouble != self._fault_shown:
            plays, devices = tuple(self._story), tuple(self._devices())
            self._show(replace(self._view, plays=plays, devices=devices, trouble=self._fault_shown))
        if blamed(error) or suspected(error, game):
            self.parts.alive(self._view.headline)  # to be begun anew would not mend it

    @property
    def _fault_shown(self) -> TroubleView | None:
        """What went wrong inside, while it may come again."""
        text, until = self._fault
        return TroubleView(Kind.UNCLEAR.value, text) if self._now < until else None

    def _turn_away(self) -> None:
        """Nobody waits for an answer of a loop that has ended."""
        with contextlib.suppress(queue.Empty):
            while True:
                answer = self._asked.get_nowait()[1]
                if answer.set_running_or_notify_cancel():
                    answer.set_result(Answer(False, ENDED))

    def stop(self) -> None:
        """End the loop and let every part go."""
        self._ending.set()

    def begin_anew(self) -> None:
        """End the loop, so that the table is assembled again, once whoever asked for it has the answer."""
        self.anew = True
        threading.Timer(ANSWERED, self.stop).start()

    def seen_now(self) -> Image | None:
        """What the camera sees now, uint8 BGR, with less noise where the eyes know how; None where it sees nothing."""
        frame = self._fresh
        return None if frame is None else self._eyes.cleared(frame.image)

    @property
    def _fresh(self) -> Frame | None:
        """The last picture, but not what a camera showed that gives none any more, or always the same."""
        camera, frame = self.parts.camera, self._frame
        if frame is not None and camera is not None and camera.state != OK and self._now > frame.at + BLIND_AFTER:
            return None
        return frame

    def show_board(self, shown: Shown | None) -> None:
        """Somebody showed where the board lies; None: the eyes look for it by themselves again. From any thread."""
        self._shown.put(shown)

    def close(self) -> None:
        """Let every part go, after the loop has ended."""
        for part in (self.parts.camera, self.parts.dice, self.parts.panel, self.parts.journal):
            if part is not None:
                part.close()

    def step(self) -> bool:
        """One round: whatever has come, in order. Returns whether there was anything."""
        busy = any([self.throws.hear(), self._hear_buttons(), self._hear_phones(), self._look()])
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

    # --- eyes ---

    def _look(self) -> bool:
        self._be_shown()
        camera = self.parts.camera
        frame = camera.newest(self._frame.at if self._frame else None) if camera else None
        if frame is None or (camera is not None and camera.state == FROZEN):
            return self._blind(camera)
        self._frame = frame
        try:
            sighting = self._eyes.look(frame.image, frame.at)
            self._frame_trouble = ""
        except ImageError as error:
            self._frame_trouble = str(error)
            return True
        told = self._thinner.worth(sighting)
        if self.parts.recorder is not None:
            self.parts.recorder.frame(frame, busy=told)
        self._sighting = sighting
        if told:
            self._tell(Saw(frame.at, sighting))
            self._keep_still(frame, sighting)
        self.throws.look(frame, self._eyes.pose)
        return True

    def _be_shown(self) -> None:
        while not self._shown.empty():
            shown = self._shown.get()
            self._eyes.show(shown)
            if self.parts.recorder is not None:
                self.parts.recorder.shown(self._now, None if shown is None else shown.showing)

    def _blind(self, camera: Camera | None) -> bool:
        """A camera that gives no pictures any more is said like a board that cannot be seen; the game waits for it."""
        if camera is None or camera.state == OK:
            return False
        self.throws.unwatched()
        if self.desk.bench.lost:
            return False
        if self._frame is None:
            return self._never_watched()
        told = max(self._frame.at + BLIND_AFTER, self._blind_told + MOVING)
        if self._now < told:
            return False
        self._blind_told = self._now
        self._tell(Saw(self._now, BoardLost(self._now, FROZEN_CAMERA if camera.state == FROZEN else NO_CAMERA)))
        return True

    def _never_watched(self) -> bool:
        """A camera that never came leaves the game to the phones, which is said once."""
        if self._now < self._unwatched_from:
            return False
        self._unwatched_from = float("inf")
        self._say(NEVER_CAME)
        return True

    # --- buttons and phones ---

    def _hear_buttons(self) -> bool:
        heard = False
        while not self.parts.presses.empty():
            press, (last, at) = self.parts.presses.get(), self._press
            self._press = (press, self._now)
            if press is not last or self._now - at >= ONE_PRESS:
                self._hear_button(press)
            heard = True
        return heard

    def _hear_button(self, press: Press) -> None:
        if press is not Press.CONFIRM or not self._plays_unseen:
            self._tell(self._pressed(press))
        elif not (answer := self._played_unseen(BUTTON)).ok:
            self._say(answer.text)

    def _pressed(self, press: Press) -> Word:
        """What a button says. One that nobody waits for is answered by a note."""
        match press:
            case Press.TAKE_BACK:
                return TakenBack(self._now)
            case Press.RIGHT | Press.WRONG:
                return Answered(self._now, press is Press.RIGHT)
            case Press.CHALLENGE:
                return Challenged(self._now, by=BUTTON)
            case _:
                return Confirmed(self._now)

    def _hear_phones(self) -> bool:
        heard = False
        while not self._asked.empty():
            action, answer = self._asked.get()
            if not answer.set_running_or_notify_cancel():
                continue  # who asked was told that it is not done
            try:
                answer.set_result(self._done_or_refused(action))
            except CompanionError as error:
                answer.set_result(Answer(False, str(error)))
            except Exception as error:
                self._faults.note(f"action {action.name}", error)
                answer.set_result(Answer(False, said(error, self.desk.bench.game)))
            heard = True
        return heard

    def _done_or_refused(self, action: Action) -> Answer:
        try:
            return self._do(action)
        except BadInput as error:
            return Answer(False, refusal(self.desk.bench, error))

    def _was_done(self, action: Action) -> bool:
        """Whether somebody was quicker. A game that fails in its own code can be left all the same."""
        with contextlib.suppress(Exception):
            return bool(action.mark) and action.mark != self.desk.marks.get(action.name, action.mark)
        return False

    def _do(self, action: Action) -> Answer:
        at, by = self._now, action.by
        if self._was_done(action):
            return Answer(False, QUICKER)
        match action.name:
            case "roll":
                return self.throws.typed(action)
            case "dice":
                return self.throws.choose(action)
            case "newgame":
                return self._new_game(action)
            case "adopt" | "dismiss":
                return self.throws.answered(action)
            case "correct":
                word: Word = DiceCorrected(at, roll_of(action.dice), by)
            case "position":
                bench = self.desk.bench
                word = PositionSet(at, state_told(bench.game, action.state or {}, self.desk.editable), by)
            case "confirm":
                opening = self.desk.bench.rolloff is not None
                if opening or (self.desk.bench.due.kind is DueKind.THROW and not self.desk.bench.setting_up):
                    return Answer(False, headline(self.desk.bench))
                if self._plays_unseen:
                    return self._played_unseen(by)
                word = Confirmed(at, by)
            case "takeback":
                word = TakenBack(at, by)
            case "accept":
                word = AcceptedAsPlayed(at, by)
            case "undo":
                word = Undone(at, by)
            case "answer":
                word = Answered(at, bool(action.right), by)
            case "declare":
                word = Declared(at, self.desk.bench.due.seat, _given(action.seat, "seat"), by)
            case "challenge":
                word = Challenged(at, action.space, by)
            case "stop":
                word = AgreedToStop(at, by)
            case other:
                return Answer(False, f"There is no action {other!r}.")
        before = self.desk.bench
        verdicts = self._tell(word, strict=True)
        if self.desk.bench is before and not verdicts:
            return Answer(False, to_do(before))  # nothing came of it
        return Answer(True, verdicts[-1].text if verdicts else "Done.")

    @property
    def _plays_unseen(self) -> bool:
        """Whether a play is due, and no camera will show it."""
        return not self.desk.bench.watched and self.desk.bench.due.kind is DueKind.PLAY

    def _played_unseen(self, by: str) -> Answer:
        """"Done" where no camera looks: the only play that there is was played; of several the players say which."""
        bench = self.desk.bench
        ends = tuple(dict.fromkeys(outcome.state for outcome in bench.game.outcomes(bench.node.state)))
        if len(ends) != 1:
            return Answer(False, UNSEEN)
        self._tell(PositionSet(self._now, bench.game.to_json(ends[0]), by), strict=True)
        return Answer(True, "There was only one way to play this, so that is how it stands now.")

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
        self._eyes.watch(of_game(self.parts.scene, game))
        self._story.clear()
        self._notice = self._standing = self._still = None
        self._thinner = Thinner()
        if self.parts.recorder is not None:
            self.parts.recorder = self.parts.recorder.anew(self.desk.as_it_stands, self._now)
        self.throws.begin_anew()
        return Answer(True, f"A new game begins.{_to_set_up(self.desk.bench)}")

    def _leave(self) -> None:
        """Write down that the game was left; who won was written down, or waits, since it was won."""
        bench, left = self.desk.bench, {"left": True, "winners": list[Seat]()}
        with contextlib.suppress(Exception):  # a game that fails in its own code can be left all the same
            if bench.due.kind is DueKind.OVER:
                return
            left["winners"] = list(bench.game.winners(bench.state))
        self.desk.end(left)

    # --- ruling ---

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
            self._thinner.asked_for()
        bench = self.desk.bench
        if self.parts.recorder is not None and throwing and bench.rolloff is None:
            self.parts.recorder.begins(bench.due.seat)
        self._eyes.ruled(word, verdicts, bench, began=bench.begun and not before)
        for verdict in verdicts:
            self._announce(verdict)
        self._clear_notice()
        return verdicts

    def _announce(self, verdict: Verdict) -> None:
        bench = self.desk.bench
        self._lines += 1
        self._story.appendleft(line_of(self._lines, time.time(), verdict))
        before, after = self._keep_pictures(verdict)
        if verdict.kind in TROUBLES:
            self._standing, self._asked_in = verdict, bench.turn
            self._notice = trouble_view(bench, verdict, self.parts.sheet, before, after)
        elif verdict.kind is not Kind.NOTE:
            self._standing = verdict
            self._notice = None
        if verdict.kind is Kind.OVER:
            self.desk.end({"winners": list(verdict.winner)})
        LOG.info("%s", json.dumps({"verdict": verdict.kind.value, "text": verdict.text, "rules": verdict.rules}))
        self.parts.hear(verdict)

    def _dice_are_clear(self) -> None:
        """A roll was told, or none is due any more: what lay in the tray is no question any more."""
        if self.throws.unclear is not None and self._standing is self.throws.unclear:
            self._notice = self._standing = None
        self.throws.unclear = None

    def _clear_notice(self) -> None:
        """A question that answered itself, or a board that is found again, is no trouble any more; nor is a play that
        was not finished, once another turn or roll is played; nor is a game over whose end was taken back."""
        bench = self.desk.bench
        if self._standing is not None and self._standing.kind is Kind.OVER and bench.due.kind is not DueKind.OVER:
            self._standing = None
        if self._notice is None or self._standing is None or self._standing is self.throws.unclear:
            return
        gone = not bench.lost if self._standing.kind is Kind.LOST else bench.trouble is None
        unfinished = self._standing.kind is Kind.ILLEGAL and self._standing.seen == self._standing.position
        same = bench.position == self._standing.position and bench.due.kind is DueKind.PLAY
        if gone and not (unfinished and same and bench.turn == self._asked_in):
            self._notice = self._standing = None

    def _say(self, text: str) -> None:
        note = Verdict(Kind.NOTE, self._now, text=text)
        self.desk.note(note)
        self._announce(note)

    def _keep_pictures(self, verdict: Verdict) -> tuple[str | None, str | None]:
        """The board before and after a play or foul, kept beside the journal."""
        frame, seen = self._frame, self._sighting
        if frame is None or verdict.kind not in (Kind.LEGAL, Kind.PARTIAL, Kind.ILLEGAL, Kind.UNCLEAR):
            return None, None
        still = self._before(verdict)
        before = None if still is None else self._keep(still, "before")
        after = self._keep(frame, "after")
        if verdict.kind in (Kind.LEGAL, Kind.PARTIAL) and isinstance(seen, BoardSeen):
            self._still = frame, self.desk.bench.position
        return before, after

    def _before(self, verdict: Verdict) -> Frame | None:
        """What was kept, if it shows how the board lay before: of a foul not a play that was taken back since."""
        if self._still is None or (verdict.kind in TROUBLES and self._still[1] not in self.desk.bench.trail):
            return None
        return self._still[0]

    def _keep_still(self, frame: Frame, sighting: Sighting) -> None:
        """A board that lies as it should is what the picture of a foul is shown beside; one with nothing over it, for
        beneath a hand the foul may be under way."""
        position = self.desk.bench.position
        if not isinstance(sighting, BoardSeen) or sighting.moving or not lies_so(sighting, position):
            return
        first = self._still is None or self._still[1] != position
        if first or not any(seen.covered for seen in sighting.spaces.values()):
            self._still = frame, position

    def _keep(self, frame: Frame, what: str) -> str | None:
        try:
            return self.parts.pictures.keep(self.desk.number, frame.at, _jpeg(frame.image), what)
        except (CompanionError, ValueError) as error:
            LOG.warning("%s", error)
            return None

    # --- what players see ---

    def _publish(self) -> None:
        view = self._present(self._view.version)
        if view != self._view:
            self._show(view)
        if self.parts.panel is not None:
            bench = self.desk.bench
            lit = lamps(bench.game.seats, bench.due, self._standing, read_phone=not bench.dice_work)
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
            plays=self._story,
            devices=self._devices(),
            notice=self._fault_shown or self._notice,
            extra_actions=self.throws.asks,
            shown=self._eyes.shown(self.desk.bench.position),
            throwing=self.throws.count,
            deck=bool(self.parts.questions),
            members=self._members(),
            marks=self.desk.marks,
        )

    def _members(self) -> dict[Seat, str]:
        """Who of each team acts next: the members take the team's turns in rotation (GLO-12)."""
        over, due, members = self.desk.bench.rotation.over, self.desk.bench.due, self.parts.members
        return {seat: names[over(seat, due) % len(names)] for seat, names in members.items() if names}

    def _devices(self) -> list[DeviceView]:
        parts, journal = self.parts, self.parts.journal
        camera = parts.camera.state if parts.camera else parts.camera_why or "none"
        camera = self._frame_trouble or camera
        held = getattr(parts.camera, "held", ())
        said = f"{camera}, {' and '.join(held)} held" if camera == OK and held else camera
        trouble = (journal.trouble or journal.warning or journal.slow) + ("" if journal.room else WAITS)
        dice = "ok" if self.throws.works else ("warn" if parts.dice or parts.tray else "off")
        return [
            DeviceView("camera", "ok" if camera == OK else ("warn" if parts.camera else "off"), said),
            DeviceView("dice", dice, self.throws.text),
            DeviceView("lamps", *_lamps(parts)),
            DeviceView("journal", "warn" if trouble else "ok", trouble or "written"),
        ]


def lies_so(seen: BoardSeen, position: Position) -> bool:
    """Whether all that can be seen of a board stands as in that position."""
    return all(s.covered or sorted(s.content) == sorted(position.at(name)) for name, s in seen.spaces.items())


def _lamps(parts: Parts) -> tuple[str, str]:
    """How they are, and what is said of it: some may work while others are done without."""
    why = ". ".join(filter(None, (parts.panel_why, getattr(parts.panel, "trouble", ""))))
    return "off" if parts.panel is None else "warn" if why else "ok", why or "connected"


def _given(value: Seat | None, what: str) -> Seat:
    if value is None:
        raise BadInput(f"{what} is missing: say which one")
    return value


def _to_set_up(bench: Bench) -> str:
    """How a game that begins is to be set up; where that is chosen, by whoever throws highest, or was said to begin."""
    if not bench.game.chooses_setup:
        return " Set up the board as the picture shows."
    if bench.rolloff is not None:
        return ""
    first = bench.due.seat
    return f" {who_choose(bench, first)} {wording.name_of(bench.names, first)} begins."


def _jpeg(image: Any) -> bytes:
    return bytes(cv2.imencode(".jpg", image, JPEG)[1])

