"""The dice at the table: which throw is due, what that is heard, seen or typed counts, and what the dice ask."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

from companion.camera import Frame
from companion.dice import (
    Alarm,
    BoxArmed,
    BoxNoticed,
    BoxQuestion,
    DiceEvent,
    DiceSaid,
    DiceSource,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    PortTrouble,
    RollApart,
    RollHeard,
    RollsUnseen,
    State,
)
from companion.model import (
    AIR,
    FAILURES,
    DiceState,
    DueKind,
    JournalError,
    Kind,
    Roll,
    Rolled,
    Seat,
    Thrown,
    Verdict,
    Word,
    raised,
)
from companion.model.table import Action, Answer
from companion.model.words import CAMERA, DICE
from companion.page.colors import light_of, shown
from companion.referee.phrases import dice_words
from companion.service.table.desk import Desk
from companion.service.table.parts import Parts
from companion.service.table.presenter import throwable
from companion.service.table.rolls import as_faces, due_instead, no_event, record_of, roll_of, so_many, with_guess
from companion.service.table.tray import DiceQuestion, DiceUndue, RolledSeen, TrayEyes, Witness
from companion.vision import health
from companion.vision.view.pose import Pose

LOG = logging.getLogger(__name__)
STUCK = "The button of the dice box has been down for 10 seconds: let it go, or see whether it is stuck."
FLOOD_OVER = 10.0
"""Seconds after which a flood that was not told again is over: a link that it broke is there again by then."""
LOOKING = "looking for the dice box; until then, enter the dice on the phone"
NO_PICTURES = "waiting for pictures that show the tray; until then, enter the dice on the phone"


class Tell(Protocol):
    """Journal a word, judge it, announce what follows. roll: the dice box's record that the word comes from."""

    def __call__(self, word: Word, roll: dict[str, Any] | None = None, *, strict: bool = False) -> list[Verdict]: ...


class Throws:
    """The dice of a service: its loop asks and tells, in its thread.

    desk: of the game that is played. say, announce: to the table. works, text, asks: what the page shows of the dice.
    unclear: the question that what lies in the tray leaves open.
    """

    def __init__(
        self,
        parts: Parts,
        desk: Callable[[], Desk],
        tell: Tell,
        say: Callable[[str], None],
        announce: Callable[[Verdict], None],
    ) -> None:
        self.parts = parts
        self.works, self.text = False, parts.dice_why or LOOKING
        self.asks: tuple[str, ...] = ()
        self.unclear: Verdict | None = None
        self._desk, self._tell, self._say, self._announce = desk, tell, say, announce
        self._question: BoxQuestion | None = None
        self._odd: dict[str, str] = {}
        self._unfit = self._unasked = False
        self._flooded = 0.0
        self._witness = Witness()
        self._unacknowledged: deque[int] = deque()
        self._armed: tuple[int, int] | None = None

    @property
    def _now(self) -> float:
        return self.parts.clock.now()

    # --- what is due ---

    @property
    def awaited(self) -> tuple[int, int] | None:
        """The number of the throw that is due and how many dice it takes; None while none may be thrown."""
        bench, count = self._desk().bench, self.count
        wrong = bench.trouble is not None and bench.trouble.kind is Kind.ILLEGAL
        return (self._desk().token, count) if count and not wrong and not bench.early else None

    @property
    def count(self) -> int:
        """How many dice are asked for: as many as there may be, unless the player chose fewer (PRN-1)."""
        desk = self._desk()
        possible, chosen = throwable(desk.bench), desk.chosen
        if chosen is not None and chosen[0] == desk.thrown and chosen[1] in possible:
            return chosen[1]
        return max(possible, default=0)

    def arm(self, *, strict: bool = False) -> None:
        """Let the dice be thrown just when a throw is due and nothing is wrong.

        To be called before the dice are looked for: a roll that was made before a power cut then still counts. strict:
        raise what a driver of one's own raises.
        """
        wanted = self.awaited
        if self.parts.dice is None or wanted == self._armed:
            return
        self._armed = wanted
        color = shown(self.parts.sheet).get(self._desk().bench.due.seat, "#ffffff")
        with self._driving(strict) as dice:
            if wanted is None:
                dice.disarm()
            else:
                dice.arm(*wanted, rgb=light_of(color))

    @contextmanager
    def _driving(self, strict: bool = False) -> Iterator[DiceSource]:
        """Ask something of the dice. An error of a driver of one's own is one of the dice, which are told on the phone
        meanwhile, and not one of the referee."""
        dice = self.parts.dice
        assert dice is not None
        try:
            yield dice
        except FAILURES as error:
            if strict:
                raise
            LOG.exception("the dice")
            self._unasked = True
            self._state(False, f"The dice cannot be asked ({raised(error)}): enter the dice on the phone.")
            return
        if self._unasked:
            self._unasked = False
            if dice.state in (State.READY, State.ARMED):
                self._state(True, self._connected)

    def begin_anew(self) -> None:
        """Another game begins: what lay there is of the last one."""
        self.unclear, self._witness = None, Witness()
        if self.parts.tray is not None:
            self.parts.tray.told_by_hand(self._now)
        self._tell(DiceState(self._now, self.works, self.text))

    # --- dice that speak ---

    def hear(self) -> bool:
        """What they told since they were heard last. Returns whether there was anything.

        While neither disk nor memory can keep it, it waits: a roll that is not on record must stay in its box.
        """
        if not self.works and self._desk().bench.dice_work:
            self._state(False, self.text)
        if self.parts.dice is None:
            return False
        heard = False
        while self.parts.journal.room and not self.parts.dice.events.empty():
            self._event(self.parts.dice.events.get())
            heard = True
        if "flood" in self._odd and self._now - self._flooded > FLOOD_OVER:
            self._well("flood")
        return heard

    def _event(self, event: DiceEvent) -> None:
        if why := no_event(event):
            LOG.error("%s", why)
            self._complain("event", why)
            return
        if isinstance(event, LinkReady | LinkLost | PortTrouble):
            self._no_more_asked()
        match event:
            case RollHeard() | RollApart():
                self._rolled(event)
            case LinkReady():
                self._linked(event)
            case LinkLost() | PortTrouble():
                self._state(False, event.text)
            case DiceSaid():
                self._say(event.text)
            case DiceUnfit():
                self._unfit = True
                self._state(False, f"{event.text} Enter the dice on the phone.")
            case BoxArmed() if self._unfit:  # for as many as it has
                self._state(True, self._connected)
            case BoxQuestion() | Alarm():
                self._asked(event)
            case RollsUnseen():
                self._keep_box(event.dev, event.last)
                made, they = ("a roll", "It does") if event.count == 1 else (f"{event.count} rolls", "They do")
                self._say(f"The dice made {made} while the referee was away. {they} not count.")
            case _:
                self._noticed(event)

    def _linked(self, event: LinkReady) -> None:
        """The dice are there. A first box of this table is its own from now on."""
        if event.dev != AIR and self.parts.journal.box() is None:
            self._keep_box(event.dev, event.last)
        self._odd.pop("stuck", None)  # else the box says it again
        self._state(True, self._connected)

    def _asked(self, event: BoxQuestion | Alarm) -> None:
        """The dice wait until somebody answers on a phone."""
        question = event if isinstance(event, BoxQuestion) else None
        self.asks, self._question = ("dismiss",) if question is None else ("adopt",), question
        self._state(False, event.text)

    def _noticed(self, event: DiceEvent) -> None:
        """How the box fares."""
        match event:
            case BoxNoticed(kind="stuck"):
                self._complain("stuck", STUCK)
            case BoxNoticed(kind="press" | "spin"):
                self._well("stuck")
            case Flooded():
                self._flooded = self._now
                self._complain("flood", event.text)
            case _:
                LOG.debug("dice: %s", event)

    def _no_more_asked(self) -> None:
        """Whether to use a box is no question once that is unplugged, or another answers; an alarm stays one."""
        if self._question is not None:
            self.asks, self._question = (), None

    def _rolled(self, event: RollHeard | RollApart) -> None:
        """A roll that the dice tell of. What no die can show is no roll, whoever wrote the driver: it is said, and let
        go, lest it comes again and again."""
        faces = as_faces(event.roll.faces)
        if faces is None:
            self._armed = None
            self._unacknowledged.append(event.roll.id)
            self._say(f"The dice say {event.roll.faces!r:.40}, and a die shows 1 to 6: that is no throw. Throw again.")
            return
        event = replace(event, roll=replace(event.roll, faces=faces))
        if isinstance(event, RollHeard):
            self.take(event)
        else:
            self._put_apart(event)

    @property
    def _connected(self) -> str:
        """What the page shows of a box that works, be it oddly."""
        return " ".join(self._odd.values()) or "connected"

    def _complain(self, what: str, text: str) -> None:
        """Something is odd about the box: said once, and on the page until it is over."""
        if what not in self._odd:
            self._odd[what] = text
            self._say(text)
        if self.works:
            self.text = self._connected

    def _well(self, what: str) -> None:
        """What was odd is over."""
        if self._odd.pop(what, None) and self.works:
            self.text = self._connected

    def take(self, event: RollHeard) -> None:
        """A roll of the dice box: on record first, then judged and announced; acknowledged once it is on disk. Apart
        where another was told since it was made."""
        roll = event.roll
        if roll.turn != self._desk().token:
            if self._told_again(event):
                self._unacknowledged.append(roll.id)
                return
            text = f"The dice showed {dice_words(roll.faces)}, but nobody was to roll any more. The players decide."
            self._put_apart(RollApart(event.at, event.dev, roll, "late", text))
            return
        due = self._desk().bench.due
        if due.kind in (DueKind.THROW, DueKind.CHALLENGE) and due.dice and len(roll.faces) not in due.dice:
            self._armed = None
            text = f"The dice showed {dice_words(roll.faces)}, but {so_many(due.dice)} due. That does not count."
            self._put_apart(RollApart(event.at, event.dev, roll, "dice", text))
            return
        self.parts.heard_roll()
        self._armed = None
        try:
            self._tell(self._word(roll.faces, DICE, roll.id), record_of(event))
        except FAILURES:  # a game that fails over a roll that is on record must not hold up the box for ever
            if self._on_record(event):
                self._unacknowledged.append(roll.id)
            raise
        self._unacknowledged.append(roll.id)  # not before: where the journal refuses it, the box must keep it
        if self.parts.tray is not None:
            self._compared(self._witness.heard(self._now, roll.faces))

    def _told_again(self, event: RollHeard) -> bool:
        """Whether that very roll is on record, and only what acknowledged it was lost, in a power cut perhaps."""
        try:
            return self.parts.journal.roll(event.dev, event.roll.id) == (event.roll.turn, event.roll.faces)
        except JournalError:
            return False

    def _on_record(self, event: RollHeard) -> bool:
        try:
            return self.parts.journal.roll(event.dev, event.roll.id) is not None
        except JournalError:
            return False

    def _put_apart(self, event: RollApart) -> None:
        """A roll that does not count is on record too, and said."""
        self._desk().note_roll({**record_of(event), "apart": event.why}, self._now)
        self._unacknowledged.append(event.roll.id)
        self._say(event.text)

    def acknowledge(self) -> None:
        """The box may forget the rolls that are on disk; while the disk is full it keeps them."""
        while self.parts.dice is not None and self._unacknowledged and self.parts.journal.healthy:
            number = self._unacknowledged.popleft()
            with self._driving() as dice:
                dice.recorded(number)

    def _word(self, faces: tuple[int, ...], by: str, roll_id: int | None = None) -> Word:
        due = self._desk().bench.due
        if due.kind in (DueKind.THROW, DueKind.CHALLENGE):
            return Thrown(self._now, due.seat, sum(faces), by, roll_id)
        return Rolled(self._now, Roll(faces), by, roll_id)

    def _state(self, works: bool, text: str) -> None:
        if works:
            self.asks, self._unfit = (), False
        self.text = text
        if works != self.works or self._desk().bench.dice_work != works:
            self.works = works
            self._tell(DiceState(self._now, works, text))

    # --- dice in the tray ---

    def look(self, frame: Frame, board: Pose | None) -> None:
        """What the camera sees in the tray, in one frame. board: where the sheet lies, None while it is not known."""
        tray = self.parts.tray
        if tray is None:
            return
        if health(frame.image) is not None:
            self.unwatched()
            return
        due = self._to_see(tray.check)
        word = tray.look(frame.image, board, frame.at, due)
        if not tray.check:
            self._state(tray.ready, tray.trouble or "in the tray, read by the camera")
        match word:
            case RolledSeen():
                self._take_seen(tray, word.values)
            case DiceUndue() if not tray.check:
                self._desk().note_roll({"by": CAMERA, "dice": list(word.values), "apart": "undue"}, self._now)
                self._say(f"I see {dice_words(word.values)} in the tray, but no throw is due: that does not count.")
            case DiceQuestion() if not tray.check:
                text, rolls = with_guess(word)
                self._ask(text + self._or_chosen(word.lying), rolls)
            case DiceQuestion() if self._may_differ(word.guess):
                self._doubt(word)

    def _to_see(self, check: bool) -> tuple[int, int]:
        """The number of the throw that the camera is to see, and of how many dice: where it only checks, first that
        which the dice box told, though another may be due by now."""
        awaited = self.awaited
        told = self._witness.waiting(self._now, awaited is not None) if check else 0
        return awaited if awaited is not None and not told else (self._desk().token, told)

    def unwatched(self) -> None:
        """The camera gives no pictures, or shows nothing: what is thrown meanwhile it does not see."""
        tray = self.parts.tray
        if tray is not None and not tray.check and tray.missed(self._now):
            self._state(False, NO_PICTURES)

    def _may_differ(self, guess: tuple[int, ...]) -> bool:
        """Whether what the camera is not certain of may be something else than the dice box told."""
        return bool(self._witness.waiting(self._now)) and not self._witness.agrees(guess)

    def _or_chosen(self, count: int) -> str:
        """What to add where another number of dice lies there than is asked for, if the player may throw so many."""
        if self.awaited is None or count not in throwable(self._desk().bench):
            return ""
        return f" If {'only 1 was' if count == 1 else f'{count} were'} to be thrown, choose that on the phone."

    def _take_seen(self, tray: TrayEyes, values: tuple[int, ...]) -> None:
        """A roll that the camera read: it counts, or is compared with the dice box."""
        if tray.check:
            self._compared(self._witness.saw(self._now, values, self.awaited is not None))
            return
        self.parts.heard_roll()
        self.parts.seen_roll(values)
        self._tell(self._word(values, CAMERA))

    def _compared(self, disagreement: tuple[str, tuple[tuple[int, ...], ...]] | None) -> None:
        """The dice box and the tray may disagree of the throw that was told last."""
        if disagreement is not None:
            self._dispute(*disagreement)

    def _doubt(self, word: DiceQuestion) -> None:
        """What the camera is not certain of may be something else than the dice box told, which counts already."""
        bench = self._desk().bench
        corrected = not bench.early and bench.turn is not None and bench.turn.roll is not None
        self._dispute(*(with_guess(word) if corrected else (word.text, ())))

    def _dispute(self, text: str, rolls: tuple[tuple[int, ...], ...]) -> None:
        """The dice box and the tray disagree of the throw that was told last: who threw it is meant, and not who is to
        throw next. A throw for who begins, or in a challenge, or one that waits, cannot be corrected, but undone."""
        bench = self._desk().bench
        undo = f"{text} If it is not what the dice box says, undo the throw (More, Undo the last change)."
        if bench.early:
            self._ask(undo, told=True)
        elif bench.turn is not None and bench.turn.roll is not None:
            self._ask(text, rolls, bench.turn.seat, told=True)
        elif bench.last_throw is not None:
            self._ask(undo, rolls, bench.last_throw.due.seat, told=True)

    def _ask(
        self, text: str, rolls: tuple[tuple[int, ...], ...] = (), seat: Seat | None = None, told: bool = False
    ) -> None:
        """What lies in the tray is unclear: it stands on the page until a roll is told. seat: who is meant, if not who
        is due. told: the throw counts already."""
        facts: dict[str, Any] = {"dice": "unclear", "rolls": rolls} | ({"told": True} if told else {})
        meant = self._desk().bench.due.seat if seat is None else seat
        self.unclear = Verdict(Kind.UNCLEAR, self._now, meant, text=text, facts=facts)
        self._desk().note(self.unclear)
        self._announce(self.unclear)

    def drop_outdated(self) -> bool:
        """Whether what lies in the tray was asked about for a throw that is not due any more, since the table was
        changed by word: what lies there is then no throw of whoever is next."""
        asked, bench = self.unclear, self._desk().bench
        if asked is None or asked.facts.get("told") or (throwable(bench) and bench.due.seat == asked.seat):
            return False
        if self.parts.tray is not None:
            self.parts.tray.told_by_hand(self._now)
        return True

    # --- what phones say of the dice ---

    def typed(self, action: Action) -> Answer:
        """A roll that was entered on a phone. Raises BadInput where there is no such roll."""
        bench = self._desk().bench
        if len(action.dice) not in throwable(bench):
            return Answer(False, due_instead(bench, len(action.dice)))
        if self.parts.dice is not None:
            with self._driving() as dice:
                dice.disarm()
            self._armed = None
        if self.parts.tray is not None:
            self.parts.tray.told_by_hand(self._now)
        self._witness = Witness()
        verdicts = self._tell(self._word(roll_of(action.dice).dice, action.by), strict=True)
        if self._desk().bench.early:
            return Answer(True, verdicts[-1].text)
        return Answer(True, f"Rolled {dice_words(action.dice)}.")

    def choose(self, action: Action) -> Answer:
        """How many dice the player wants to throw, where there is a choice."""
        desk = self._desk()
        if action.count not in throwable(desk.bench):
            return Answer(False, due_instead(desk.bench, action.count or 0))
        desk.choose(action.count, self._now)
        return Answer(True, "One die." if action.count == 1 else f"{action.count} dice.")

    def answered(self, action: Action) -> Answer:
        """What a phone says to what the dice asked: a new box is taken, an alarm is put aside."""
        if self.parts.dice is None or action.name not in self.asks:
            return Answer(False, "The dice have not asked anything.")
        with self._driving() as dice:
            if action.name == "dismiss":
                dice.dismiss()
            else:
                self._adopt(dice)
        if self._unasked:  # nothing came of it: it can be answered again
            return Answer(False, self.text)
        self.asks, self._question = (), None
        return Answer(True, "Thank you.")

    def _adopt(self, dice: DiceSource) -> None:
        """Take the box that was asked about: on record first."""
        if self._question is not None:
            self._keep_box(self._question.dev, self._question.last)
        dice.adopt()

    def _keep_box(self, dev: str, last: int) -> None:
        """On a full disk this waits like everything else."""
        try:
            self.parts.journal.adopt(dev, last, self._now)
        except JournalError as error:
            LOG.error("%s", error)
