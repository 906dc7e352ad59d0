"""What a service is made of: eyes, dice, lamps, journal, clock; the assembly decides what of it is real."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.camera import Camera
from companion.decks import Question
from companion.dice import DiceSource
from companion.journal import Journal, Pictures
from companion.model import Seat, Sheet, Verdict
from companion.panel import Press, Shows
from companion.service.clock import Clock
from companion.service.table.recorder import Recorder
from companion.service.table.tray import TrayEyes
from companion.vision import Scene
from companion.vision.finding.shown import Shown


@dataclass
class Parts:
    """The parts of one service.

    camera, dice, panel: each may be absent, then camera_why and so on say why. presses: what the panel's buttons put
    there. tray: the dice that the camera reads. recorder: keeps the game as a recording.
    shown: where somebody showed the board to lie, before the service began. board: what the journal calls the board.
    questions: the digital deck, () for cards on the table. members: who plays a seat, where teams do. configured: the
    seats that the configuration names; first: who of them throws first.

    The service calls, in its own thread: hear, with each verdict that is announced; heard_roll, when the dice told a
    roll, and before it is judged; seen_roll, with one that the camera read; alive, with the headline, after each round;
    ended, before each round: whether it is to end.
    """

    sheet: Sheet
    scene: Scene
    journal: Journal
    pictures: Pictures
    clock: Clock
    camera: Camera | None = None
    dice: DiceSource | None = None
    panel: Shows | None = None
    camera_why: str = ""
    dice_why: str = ""
    panel_why: str = ""
    presses: queue.SimpleQueue[Press] = field(default_factory=queue.SimpleQueue)
    hear: Callable[[Verdict], None] = lambda verdict: None
    heard_roll: Callable[[], None] = lambda: None
    tray: TrayEyes | None = None
    seen_roll: Callable[[tuple[int, ...]], None] = lambda dice: None
    recorder: Recorder | None = None
    alive: Callable[[str], None] = lambda headline: None
    ended: Callable[[], bool] = lambda: False
    shown: Shown | None = None
    questions: tuple[Question, ...] = ()
    members: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    configured: tuple[Seat, ...] = ()
    first: Seat | None = None
    board: str | None = None
