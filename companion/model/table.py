"""The table as its players see it: one frozen value that the page, the lamps and the transcript are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from companion.model.board import Seat
from companion.model.play import DueKind
from companion.model.position import Content

MARKS = ("circle", "square", "triangle", "diamond", "star", "hexagon")
"""The shape of each seat, for those who tell colours apart badly; printed in the base of the board too."""

Move = tuple[str, str]
"""A piece's way: (from, to), names of spaces."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One place at the table.

    name: the colour word; color: "#rrggbb", as it is drawn; mark: one of MARKS; home: pieces at home; member: who of a
    team acts next, all of them once the game is over.
    """

    seat: Seat
    name: str
    color: str
    mark: str
    home: int = 0
    member: str = ""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question of a deck, as its reader sees it. choices: in the order to be read, () where there are none."""

    text: str
    answer: str
    choices: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One part of the referee. state: "ok", "warn" (works in part, or is looked for) or "off". text: for people."""

    name: str
    state: str
    text: str


@dataclass(frozen=True, slots=True)
class PlayLine:
    """One line of the story of the game. number: counts up. wall: seconds since 1970. verdict: a Kind's value."""

    number: int
    wall: float
    seat: Seat | None
    verdict: str
    text: str
    dice: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TroubleView:
    """What is wrong or asked now. kind: illegal, unclear or lost. rules: (id, sentence).

    put_right: (seat, from, to), "" is beside the board. legal: some plays that would be right, each a list of moves.
    seen: the spaces where the board is not as it should be, with what seems to stand there. rolls: the dice that
    would explain the move, where the question is what was rolled; told: of a throw that was told already, which can
    only be corrected. before, after: names of pictures, or None.
    """

    kind: str
    text: str
    rules: tuple[tuple[str, str], ...] = ()
    put_right: tuple[tuple[Seat, str, str], ...] = ()
    legal: tuple[tuple[Move, ...], ...] = ()
    seen: Mapping[str, Content] = field(default_factory=dict)
    rolls: tuple[tuple[int, ...], ...] = ()
    told: bool = False
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a page shows. version: counts up with each change; nothing else in it tells the time.

    headline: one sentence, what the table waits for. roll: the dice in play, () before the roll; left: the numbers
    that are still to be played. position: what the referee takes to stand on the board. last: the last play.
    hints: single moves that may come next. plays: the story, newest first. actions: the names of ACTIONS that make
    sense now. dice: the numbers of dice that may be thrown now, () when none are due; throwing: how many the dice
    box is asked for; thrown: how many those may have been that can be corrected, () where there are none. done: what
    the button "done" means now ("Done", "No challenge", …), "" where it means nothing. reader: who reads the question
    that is due; deck: whether it comes from a digital deck. partners: who may be declared to play the roll. targets:
    the spaces that may be challenged. stacks: the spaces with several pieces on each other, bottom to top. nouns: what
    things are called ("piece", "base", …). marks: action → what it is about now; sent back with the action, it tells
    whether somebody was quicker. watched: a camera follows what is played; else the players say where the pieces stand.
    """

    version: int
    game: str
    title: str
    seats: tuple[SeatView, ...]
    due: Seat | None
    due_kind: DueKind
    headline: str
    roll: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    position: Mapping[str, Content] = field(default_factory=dict)
    last: tuple[Move, ...] = ()
    hints: tuple[Move, ...] = ()
    plays: tuple[PlayLine, ...] = ()
    trouble: TroubleView | None = None
    devices: tuple[DeviceView, ...] = ()
    actions: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    throwing: int = 0
    thrown: tuple[int, ...] = ()
    done: str = ""
    reader: Seat | None = None
    deck: bool = False
    partners: tuple[Seat, ...] = ()
    targets: tuple[str, ...] = ()
    stacks: Mapping[str, Content] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    winner: tuple[Seat, ...] = ()
    watched: bool = True

    def to_json(self) -> dict[str, Any]:
        """The view as JSON-ready data; tuples become lists."""
        return asdict(self)


ACTIONS = (
    *("roll", "answer", "declare", "challenge", "dice", "confirm", "takeback", "accept", "correct", "position"),
    *("undo", "adopt", "dismiss", "stop", "newgame"),
)
"""roll: dice · answer: right · declare: seat (whose pieces play the roll) · challenge: space · dice: count (how many
will be thrown) · confirm (done, or what is due is declined) · takeback · accept (as played) · correct: dice ·
position: state · undo · adopt (use the new dice box) · dismiss (the alarm of the dice is settled) ·
stop (the players agree to end the game) · newgame: seats, first (None: throw for it)."""


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody at the table asks for. by: who. mark: the view's, "" is never too late.

    The others: where the action needs them (ACTIONS).
    """

    name: str
    by: str = "phone"
    dice: tuple[int, ...] = ()
    state: Mapping[str, Any] | None = None
    seats: tuple[Seat, ...] = ()
    first: Seat | None = None
    right: bool | None = None
    seat: Seat | None = None
    space: str = ""
    count: int = 0
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an action. text: one sentence for people."""

    ok: bool
    text: str


class Hub(Protocol):
    """What the page needs of the service; every call may come from any thread."""

    def view(self) -> TableView:
        """The table now."""
        ...

    def wait(self, version: int, timeout: float) -> TableView | None:
        """The table as soon as its version is another than `version`; None after `timeout` seconds."""
        ...

    def act(self, action: Action) -> Answer:
        """Do it now, or say why not."""
        ...

    def question(self, seat: Seat) -> QuestionView | None:
        """The question that is due, for the phone of `seat`; None unless that seat reads it from a digital deck."""
        ...

    def picture(self, name: str) -> bytes | None:
        """A kept picture as JPEG."""
        ...

    def live(self) -> bytes | None:
        """What the camera sees now as JPEG, with what was read drawn over it."""
        ...

    def state(self) -> Mapping[str, Any]:
        """STATE as FORMATS gives it, of the last moment at which a roll was due: to be edited on the page."""
        ...
