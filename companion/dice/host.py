"""The host's side of DICE/1: bytes and time in, events and bytes out. No port, no clock, no thread.

A roll goes one way: ROLL line → RollHeard → the owner writes it to the journal → `recorded(id)` → ACK.
Source: PROTOCOL, "Host states".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.dice.book import Book
from companion.dice.courier import TIMEOUT, Courier, Request
from companion.dice.events import (
    Alarm,
    BoxAnswered,
    BoxArmed,
    BoxFound,
    BoxNoticed,
    BoxQuestion,
    BoxRoll,
    DiceEvent,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    Remark,
    RollApart,
    RollHeard,
    RollsUnseen,
)
from companion.dice.line import Comment, Heard, Line, LineReader
from companion.dice.rolls import ahead, previous_id, read_roll

HELLO_WAIT = 2.5
"""Seconds that a board may take to start after its port was opened."""
BLIND_TRIES = 3
OPEN_MOST = 8
"""How often OPEN may be answered while the HELLO that should follow is lost on the way."""
PING_EVERY, LINK_LOST = 1.0, 3.0
LOG_MOST, LOG_TRIES = 8, 3
LINES_A_SECOND, NOTES_A_SECOND = 200, 10

NOBODY = "No dice box answers there. Is it plugged in, and is its firmware loaded?"
MOST_DICE = 3
"""Of a throw (PROTOCOL)."""
UNFIT = {
    "rng": "The dice box does not trust its own chance and will not roll. Throw by hand and use the phone.",
    "ee": "The dice box cannot keep its rolls (its memory is worn out). Throw by hand and use the phone.",
    "ver": "The dice box speaks another version of the dice line. Load the firmware anew: companion dice flash.",
    "range": "The dice box cannot throw that many dice. Throw by hand and use the phone.",
}


class State(StrEnum):
    """Where the link stands (PROTOCOL: "Host states")."""

    CLOSED = "closed"
    OPENING = "opening"
    RECOVER = "recover"
    READY = "ready"
    ARMED = "armed"


@dataclass(frozen=True, slots=True)
class Armed:
    """A throw that is due: its turn token, 1 to 65535; how many dice; lamp colour ("rrggbb"); time-out in ms. Raises
    ValueError."""

    turn: int
    dice: int
    rgb: str | None = None
    ms: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.turn <= 65535 or self.dice < 1:
            raise ValueError(f"turn is 1 to 65535 and dice 1 or more, not turn={self.turn} dice={self.dice}")

    def keys(self) -> dict[str, object]:
        return {"turn": self.turn, "d": f"{self.dice}d6", "ms": self.ms, "rgb": self.rgb}


class Meter:
    """Counts what happens in each second of the clock that is passed in."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self._second = float("-inf")

    def full(self, at: float) -> bool:
        """Count one more; whether that is more than `most` in this second."""
        if not self._second <= at < self._second + 1:
            self._second, self.count = at, 0
        self.count += 1
        return self.count > self.most


class Host:
    """One dice box, seen from the table. Feed it bytes and time; send what `take` gives; heed what each call returns.

    book: the rolls on record. session: 1 to 65535, another one at each start (it also numbers the requests).
    Arm the turn that is due before the port is opened: an open roll of that turn is then taken, not late.
    """

    def __init__(self, book: Book, session: int = 1) -> None:
        self.state = State.CLOSED
        self.box: BoxFound | None = None
        self.question: BoxQuestion | None = None
        self.alarm: Alarm | None = None
        self.wanted: Armed | None = None
        self.bad = 0
        self._book = book
        self._session = session
        self._courier = Courier(session)
        self._out = bytearray()
        self._last = 0
        self._spent: int | None = None
        self._heard: dict[tuple[str, int], BoxRoll] = {}
        self._unwritten: set[int] = set()
        self._dismissed: set[tuple[str, int]] = set()
        self._foreign: tuple[str, int] | None = None
        self._lines, self._notes = Meter(LINES_A_SECOND), Meter(NOTES_A_SECOND)
        self._begin(0.0)

    def _begin(self, at: float) -> None:
        """Forget what belongs to one connection."""
        self._reader = LineReader()
        self._courier.drop()
        self._out.clear()
        self._opened = self._heard_at = self._sent_at = at
        self._hello: BoxFound | None = None
        self._open_ok: float | None = None
        self._opens = 0
        self._asked: Armed | None = None
        self._there: Armed | None = None
        self._stray = self._refused = self._roll_open = self._worn = False
        self._not_before = at
        self._acks: deque[int] = deque()
        self._wishes: dict[str, Mapping[str, object]] = {}
        self._log: dict[int, BoxRoll] = {}
        self._log_count = self._log_tries = 0
        self._log_until: float | None = None

    # what the owner says

    def arm(
        self, turn: int, dice: int, at: float, rgb: str | None = None, ms: int | None = None
    ) -> list[DiceEvent]:
        """The throw of `turn` is due: a token of 1 to 65535 that the roll must echo. dice: more than MOST_DICE are
        refused as by a box that has fewer.

        Take the token from the journal, that it is the same after a restart, and another one for each throw.
        Stands until its roll is recorded, whatever happens to the link. Raises ValueError.
        """
        return self._want(Armed(turn, dice, rgb, ms), at)

    def disarm(self, at: float) -> list[DiceEvent]:
        """No throw is due. A roll that is being made meanwhile comes as RollApart."""
        return self._want(None, at)

    def _want(self, wanted: Armed | None, at: float) -> list[DiceEvent]:
        self.wanted, self._refused = wanted, False
        if self.state is State.ARMED and wanted != self._there:
            self.state = State.READY
        return self._advance(at)

    def recorded(self, id: int, at: float) -> list[DiceEvent]:
        """The roll is in the journal: acknowledge it."""
        roll = self._heard.get((self.box.dev, id)) if self.box else None
        self._unwritten.discard(id)
        if roll and self.wanted and self.wanted.turn == roll.turn == self._spent:
            self.wanted = None
        if roll and self.state in (State.READY, State.ARMED):
            self._acknowledge(id)
        return self._advance(at)

    def adopt(self, at: float) -> list[DiceEvent]:
        """Yes, this is the box to use from now on, from its last roll onwards."""
        if self.question is None or self.box is None:
            return []
        self.question = None
        self._dismissed.clear()
        if self.alarm:
            self.alarm = replace(self.alarm, id=None)  # its number may come again
        self._heard = {key: roll for key, roll in self._heard.items() if key[0] != self.box.dev}
        self._last = settled(self.box)
        self._foreign = (self.box.dev, self.box.last) if self.box.open else None  # another table's, whatever its token
        return [*self._ready(at), *self._advance(at)]

    def dismiss(self, at: float) -> list[DiceEvent]:
        """The players have settled the alarm: its roll, if any, is acknowledged and never counts."""
        alarm, self.alarm = self.alarm, None
        if alarm and alarm.id is not None:
            self._dismissed.add((alarm.dev, alarm.id))
            if self.box and self.box.dev == alarm.dev and ahead(alarm.id, self._last) > 0:
                self._last = alarm.id  # it was seen
        linked = alarm and self.box and self.state in (State.READY, State.ARMED)
        ready = [LinkReady(at, self.box.dev, self._last)] if linked and self.box else []
        return [*ready, *self._advance(at)]

    def ask(self, verb: str, at: float, **keys: object) -> list[DiceEvent]:
        """Send a request (LED, SHOW, SET, TEST, BYE) when the line is free; of the same verb, the newest."""
        self._wishes[verb] = keys
        return self._advance(at)

    # what the port says

    def opened(self, at: float) -> None:
        """The port is open; the board starts anew."""
        self._begin(at)
        self.state = State.OPENING

    def closed(self, at: float, text: str) -> list[DiceEvent]:
        """The port is gone. text: why, for people. What is armed stays armed in the book."""
        if self.state is State.CLOSED:
            return []
        self._begin(at)
        self.state = State.CLOSED
        self.question = None
        return [LinkLost(at, text)]

    def feed(self, data: bytes, at: float) -> list[DiceEvent]:
        """Bytes from the box. Returns what they mean."""
        if self.state is State.CLOSED:
            return []
        events: list[DiceEvent] = []
        for heard in self._reader.feed(data):
            if self._lines.full(at):
                events += self._flooded(at)
            else:
                events += self._line(heard, at)
        return events + self._advance(at)

    def tick(self, at: float) -> list[DiceEvent]:
        """Time has passed: call every 0.1 s or so. If CLOSED then: close the port and open it anew."""
        if self.state is State.CLOSED:
            return []
        again = self._courier.tick(at)
        if again is None:
            return self.closed(at, NOBODY if self._unknown else "The dice box does not answer.")
        self._send(again, at)
        if self.state is not State.OPENING and at - self._heard_at > LINK_LOST:
            return self.closed(at, "The dice box fell silent.")
        return self._advance(at)

    def take(self) -> bytes:
        """Bytes to send to the box now; they are given once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    # lines

    def _line(self, heard: Heard, at: float) -> list[DiceEvent]:
        if isinstance(heard, Line):
            self._heard_at = at
            handler = _ON_LINE.get(heard.verb)
            return handler(self, heard, at) if handler else []
        if isinstance(heard, Comment):
            return [] if self._notes.full(at) else [Remark(at, heard.text.strip())]
        self.bad += 1
        return []

    def _flooded(self, at: float) -> list[DiceEvent]:
        """Say it at the first line too many; not of what may be no dice box at all."""
        if self._unknown or self._lines.count > self._lines.most + 1:
            return []
        return [Flooded(at, "The dice box sends more than it should: it may be broken.")]

    def _on_hello(self, line: Line, at: float) -> list[DiceEvent]:
        box = read_hello(line, at)
        if box is None:
            return []
        if self.state is not State.OPENING:
            # the same boot: said before our OPEN got through; a box that is not linked says so to a PING
            same = self.box and (box.dev, box.boot) == (self.box.dev, self.box.boot)
            return [] if same else self._reopen(at)
        self._hello = box
        return self._opening_done(at)

    def _on_event(self, line: Line, at: float) -> list[DiceEvent]:
        kind = line.text("k")
        return [] if not kind or self._notes.full(at) else [BoxNoticed(at, kind)]

    def _on_answer(self, line: Line, at: float) -> list[DiceEvent]:
        request = self._courier.answer(line)
        if request is None:
            return []
        if line.verb == "NO":
            return self._refused_request(request, line.text("e"), at)
        if line.verb == "PONG":
            return self._on_pong(line)
        handler = _ON_OK.get(request.verb)
        return handler(self, request, at) if handler else [BoxAnswered(at, request.verb, "")]

    def _on_pong(self, line: Line) -> list[DiceEvent]:
        """Believe the box: no roll is open, or it waits for no button (its time-out, a start unnoticed)."""
        self._roll_open = line.text("open") == "1"
        if line.text("st") == "idle" and self._there:
            self._there, self.state = None, State.READY
        return []

    # opening and recovery

    def _reopen(self, at: float) -> list[DiceEvent]:
        """Begin anew on the open port: the box was started or let go of us."""
        wishes = self._wishes
        self._begin(at)
        self._wishes = wishes
        self._opened = at - HELLO_WAIT
        self.state = State.OPENING
        return []

    def _on_opened(self, request: Request, at: float) -> list[DiceEvent]:
        self._open_ok = at
        return self._opening_done(at)

    def _opening_done(self, at: float) -> list[DiceEvent]:
        """Once OPEN is answered and a HELLO is there, compare the box with the book."""
        if self._open_ok is None or self._hello is None:
            return []
        self.box, self.state = self._hello, State.RECOVER
        self._roll_open = self.box.open
        ours = self._book.last(self.box.dev)
        self._last = settled(self.box) if ours is None else ours
        self.question = self._doubt(self.box, at)
        return [self.box, self.question] if self.question else [self.box, *self._catch_up(at)]

    def _doubt(self, box: BoxFound, at: float) -> BoxQuestion | None:
        used = self._book.box()
        if used not in (None, box.dev):
            text = f"This is another dice box ({box.dev}) than before ({used}). Use it from now on?"
            return BoxQuestion(at, box.dev, settled(box), "other", text)
        if ahead(box.last, self._last) < 0:
            text = f"The dice box is at roll {box.last}, the journal at roll {self._last}. Was the box reset?"
            return BoxQuestion(at, box.dev, settled(box), "behind", text)
        return None

    def _catch_up(self, at: float) -> list[DiceEvent]:
        """Ask for the rolls that the box made without us; the open one comes by itself."""
        assert self.box
        self._log_count = ahead(self.box.last, self._last) - (1 if self.box.open else 0)
        return [] if self._log_count > 0 else self._ready(at)

    def _ready(self, at: float) -> list[DiceEvent]:
        assert self.box
        self.state = State.READY
        return [self.alarm or LinkReady(at, self.box.dev, self._last)]

    def _on_logged(self, request: Request, at: float) -> list[DiceEvent]:
        self._log_until = at + TIMEOUT  # its lines may come after the OK
        return self._log_done(at)

    def _log_done(self, at: float) -> list[DiceEvent]:
        """End the recovery when the rolls are there, or have been asked for often enough."""
        due = min(self._log_count, LOG_MOST)
        waiting = self._log_until is None or at < self._log_until
        if self.state is not State.RECOVER or (len(self._log) < due and waiting):
            return []
        self._log_until = None
        if len(self._log) < due and self._log_tries < LOG_TRIES:
            return []
        assert self.box
        rolls = tuple(roll for _, roll in sorted(self._log.items()))
        self._last = settled(self.box)
        unseen = RollsUnseen(at, self.box.dev, self._log_count, rolls, self._last)
        self._log_count = 0
        return [unseen, *self._ready(at)]

    # rolls

    def _on_roll(self, line: Line, at: float) -> list[DiceEvent]:
        roll = read_roll(line)
        if line.text("old") == "1":
            if roll and self._log_count and ahead(roll.id, self._last) > 0:
                self._log[roll.id] = roll
            return self._log_done(at)
        if self.state not in (State.READY, State.ARMED) or self.alarm:
            return []
        self._roll_open = True
        id = line.number("id")
        assert self.box
        if id is not None and (self.box.dev, id) in self._dismissed:
            return self._acknowledge(id)
        if roll is None:
            return self._raise(Alarm(at, "The dice box reports a roll that no dice can show.", id, self.box.dev))
        return self._judge(roll, at)

    def _judge(self, roll: BoxRoll, at: float) -> list[DiceEvent]:
        """Known and the same: acknowledge again. Known but different, or older than ours: alarm. Else new."""
        assert self.box
        known = self._heard.get((self.box.dev, roll.id)) or self._booked(roll.id)
        if known is None and ahead(roll.id, self._last) > 0:
            return self._new_roll(roll, at)
        if known is None or not known.same(roll):
            told = f"first {known.faces}, now {roll.faces}" if known else f"after roll {self._last}"
            text = f"The dice box contradicts itself on roll {roll.id}: {told}."
            return self._raise(Alarm(at, text, roll.id, self.box.dev))
        return [] if roll.id in self._unwritten else self._acknowledge(roll.id)

    def _acknowledge(self, id: int) -> list[DiceEvent]:
        if self._worn:
            return []
        request = self._courier.waiting
        under_way = request is not None and request.verb == "ACK" and request.keys["id"] == id
        if not under_way and id not in self._acks:
            self._acks.append(id)
        return []

    def _new_roll(self, roll: BoxRoll, at: float) -> list[DiceEvent]:
        assert self.box
        wanted, dev = self.wanted, self.box.dev
        due = wanted is not None and wanted.turn == roll.turn and self._spent != roll.turn
        due = due and (dev, roll.id) != self._foreign
        self._keep(roll)
        self._there, self.state = None, State.READY
        if not due:
            text = f"The dice showed {show(roll)}, but nobody was to roll then. The players decide."
            return [RollApart(at, dev, roll, "late", text)]
        assert wanted
        if len(roll.faces) != wanted.dice:
            text = f"The dice showed {show(roll)}, but {asked_for(wanted.dice)}. The players decide."
            return [RollApart(at, dev, roll, "dice", text)]
        self._spent = roll.turn
        return [RollHeard(at, dev, roll)]

    def _keep(self, roll: BoxRoll) -> None:
        assert self.box
        self._heard[self.box.dev, roll.id] = roll
        self._unwritten.add(roll.id)
        self._last = roll.id
        while len(self._heard) > 64:
            del self._heard[next(iter(self._heard))]

    def _booked(self, id: int) -> BoxRoll | None:
        assert self.box
        entry = self._book.roll(self.box.dev, id)
        return BoxRoll(id, *entry) if entry else None

    def _raise(self, alarm: Alarm) -> list[DiceEvent]:
        self.alarm = alarm
        return [alarm]

    # answers

    def _on_armed(self, request: Request, at: float) -> list[DiceEvent]:
        if self._roll_open or self._asked is None:
            return []  # its roll overtook the answer
        self._there, self.state = self._asked, State.ARMED
        return [BoxArmed(at, self._asked.turn)]

    def _on_disarmed(self, request: Request, at: float) -> list[DiceEvent]:
        self._there, self._stray, self.state = None, False, State.READY
        return []

    def _on_acked(self, request: Request, at: float) -> list[DiceEvent]:
        self._roll_open = False
        return []

    def _refused_request(self, request: Request, error: str, at: float) -> list[DiceEvent]:
        """NO n e: what each refusal means for us."""
        if error == "link" and request.verb != "OPEN":
            return self._reopen(at)
        if request.verb == "OPEN":
            return [DiceUnfit(at, error, _unfit(error)), *self.closed(at, "The dice box refused the link.")]
        if request.verb == "ARM":
            return self._not_armed(error, at)
        if request.verb == "DISARM":
            self._not_before = at + TIMEOUT  # busy: the dice are rolling, their roll will tell
        elif request.verb == "ACK":
            return self._not_acked(error, at)
        elif request.verb == "LOG":
            return self._on_logged(request, at)
        elif request.verb != "PING":
            return [BoxAnswered(at, request.verb, error)]
        return []

    def _not_acked(self, error: str, at: float) -> list[DiceEvent]:
        if error == "ee":
            self._worn = True  # the roll stays open: nothing can be armed
            return [DiceUnfit(at, error, _unfit(error))]
        self._roll_open = False  # it knows of no such open roll
        return []

    def _not_armed(self, error: str, at: float) -> list[DiceEvent]:
        self._not_before = at + TIMEOUT
        if error == "open":
            self._roll_open = True
        elif error == "busy":
            self._stray = True  # armed for something we do not know of
        else:
            self._refused = True
            return [DiceUnfit(at, error, _unfit(error))]
        return []

    # what to ask next

    def _advance(self, at: float) -> list[DiceEvent]:
        """Send the next request, if none waits for its answer."""
        events = self._log_done(at) if self._log_until is not None else []
        events += self._too_many(at)
        if self.state is State.CLOSED or self._courier.waiting:
            return events
        if self.state is State.OPENING and self._opens >= OPEN_MOST and self._open_due(at):
            return self.closed(at, "The dice box answers, but does not say who it is.")
        ask = self._next(at)
        if ask:
            verb, keys = ask
            try:
                data = self._courier.send(verb, keys, at, *([BLIND_TRIES] if self._unknown else []))
            except ValueError:
                return [*events, BoxAnswered(at, verb, "arg")]
            self._send(data, at)
        return events

    def _too_many(self, at: float) -> list[DiceEvent]:
        """More dice than the line can ask for are refused here, once a box is there."""
        there = self.state in (State.READY, State.ARMED)
        if not there or self._refused or self.wanted is None or self.wanted.dice <= MOST_DICE:
            return []
        self._refused = True
        return [DiceUnfit(at, "range", _unfit("range"))]

    def _next(self, at: float) -> tuple[str, Mapping[str, object]] | None:
        """The request that is due now, the most urgent first."""
        if self.state is State.OPENING:
            return self._next_open(at)
        if self.state is State.RECOVER and self._log_count and not self.question and self._log_until is None:
            self._log_tries += 1
            return self._next_log()
        if self._acks:
            return "ACK", {"id": self._acks.popleft()}
        change = self._next_change(at) if self.state in (State.READY, State.ARMED) else None
        if change:
            return change
        if self._wishes and self.state in (State.READY, State.ARMED):
            verb = next(iter(self._wishes))
            return verb, self._wishes.pop(verb)
        return ("PING", {}) if at - self._sent_at >= PING_EVERY else None

    def _open_due(self, at: float) -> bool:
        if self._open_ok is not None:
            return at - self._open_ok >= TIMEOUT  # answered, but its HELLO was lost on the way
        return self._hello is not None or at - self._opened >= HELLO_WAIT

    def _next_open(self, at: float) -> tuple[str, Mapping[str, object]] | None:
        if not self._open_due(at):
            return None
        self._opens += 1
        self._open_ok = None
        return "OPEN", {"v": 1, "s": self._session}

    def _next_log(self) -> tuple[str, Mapping[str, object]]:
        """Ask for the latest, should there be more than one answer holds."""
        assert self.box
        most = min(self._log_count, LOG_MOST)
        last = self.box.last - (1 if self.box.open else 0)
        return "LOG", {"from": max(1, last - most + 1), "k": most}

    def _next_change(self, at: float) -> tuple[str, Mapping[str, object]] | None:
        """ARM or DISARM, where the box stands otherwise than the book."""
        wanted = None if self.alarm or self._refused else self.wanted
        if at < self._not_before or (wanted == self._there and not self._stray):
            return None
        if self._there or self._stray:
            return "DISARM", {}
        blocked = self._roll_open or wanted is None or wanted.turn == self._spent
        if blocked or wanted is None:
            return None
        self._asked = wanted
        return "ARM", wanted.keys()

    @property
    def _unknown(self) -> bool:
        """Whether what is behind the port has not said yet that it is a dice box."""
        return self.state is State.OPENING and self._hello is None

    def _send(self, data: bytes, at: float) -> None:
        if data:
            self._out += data
            self._sent_at = at


def read_hello(line: Line, at: float) -> BoxFound | None:
    """Who the box is; None where the line does not say."""
    last = line.number("last")
    if not line.text("dev") or last is None:
        return None
    boot, most = line.number("boot") or 0, line.number("max") or 1
    return BoxFound(at, line.text("dev"), line.text("hw"), line.text("fw"), boot, most, last, line.text("open") == "1")


def settled(box: BoxFound) -> int:
    """The last roll of the box that needs no acknowledgement any more."""
    return previous_id(box.last) if box.open else box.last


def show(roll: BoxRoll) -> str:
    """The faces for people: "5 and 3"."""
    return " and ".join(str(face) for face in roll.faces)


def asked_for(dice: int) -> str:
    """How many dice were to be thrown, for people."""
    return "1 die was asked for" if dice == 1 else f"{dice} dice were asked for"


def _unfit(error: str) -> str:
    return UNFIT.get(error, f"The dice box refuses ({error}). Throw by hand and use the phone.")


_ON_LINE: Mapping[str, Callable[[Host, Line, float], list[DiceEvent]]] = {
    "HELLO": Host._on_hello,
    "ROLL": Host._on_roll,
    "EVT": Host._on_event,
    "OK": Host._on_answer,
    "NO": Host._on_answer,
    "PONG": Host._on_answer,
}
_ON_OK: Mapping[str, Callable[[Host, Request, float], list[DiceEvent]]] = {
    "OPEN": Host._on_opened,
    "ARM": Host._on_armed,
    "DISARM": Host._on_disarmed,
    "ACK": Host._on_acked,
    "LOG": Host._on_logged,
    "PING": lambda host, request, at: [],
}
