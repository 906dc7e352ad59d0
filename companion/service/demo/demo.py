"""The demo: the real service on a pretend table, with players who sometimes cheat, and the score at the end."""

from __future__ import annotations

import math
import queue
import random
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import gpiozero
import numpy as np
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.dice import State
from companion.dice.host import MOST_DICE
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import JOURNAL, Pictures, open_journal
from companion.journal.pictures import PICTURES
from companion.model import BadInput, Kind, Seat, Verdict
from companion.model.table import Action, Answer
from companion.panel import Pins, Press, open_panel
from companion.service.assembly import House, open_page, recorder_for
from companion.service.boards.configured import board_options, printed_board, table_for
from companion.service.boards.pointing import Pointing
from companion.service.boards.seats import seats_of
from companion.service.boards.setting_up import SettingUp
from companion.service.clock import Clock
from companion.service.config import Config
from companion.service.demo.dice import BluetoothPlayers, EmulatedDice, PretendDice
from companion.service.demo.tray_players import TrayDice
from companion.service.naming import board_names
from companion.service.scratch import scratch
from companion.service.table.actions import SLOW
from companion.service.table.desk import Desk
from companion.service.table.loop import Service
from companion.service.table.parts import Parts
from companion.service.table.tray import TrayEyes
from companion.virtual.camera import PretendCamera
from companion.virtual.dice_tray import GAP, SIDE, TrayOfDice, tray_beside
from companion.virtual.painter import Painter, View
from companion.virtual.players import MANY, Players
from companion.virtual.tabletop import Tabletop
from companion.virtual.tally import Tally

PINS = Pins(
    lamps={0: 17, 1: 27, 2: 22, 3: 23, 4: 16, 5: 26},
    alarm=24,
    confirm=5,
    take_back=6,
    right=12,
    wrong=13,
    challenge=19,
)
PASSING = "companion-pretends-"
"""How the name of the folder begins in which a demo plays; one that a killed demo left is cleared away by the next.

Not as older Companions called theirs: these hold no lock, and may be playing."""
GOODBYE = "The demo is over. Start it for another."
TICK = 0.02
"""Real seconds between two moments of the players' life."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """turns: how many to play, 0 for a whole game. cheat: share of turns that begin with a foul. record: a folder.

    game, options: what is played, by its name and its own options; seats: who plays, () for the usual ones.
    dice: "box", "emulated" for a box that runs its firmware, "bluetooth" for dice of the players' own, or "camera" for
    dice in a tray that the camera reads.
    """

    turns: int = 0
    seed: int = 1
    cheat: float = 0.1
    speed: float = 1.0
    seats: tuple[int, ...] = ()
    record: Path | None = None
    game: str = "parcheesi"
    options: Mapping[str, Any] = field(default_factory=dict)
    dice: str = "box"


class PretendVoice:
    """Buttons on the mock pins, and the phone; what both can say is said now by one, now by the other."""

    def __init__(self, factory: MockFactory, act: Callable[[Action], Any], game: Game[Any]) -> None:
        self._factory, self._act, self._game = factory, act, game
        self._typed: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._said = 0
        threading.Thread(target=self._type, name="pretend phone", daemon=True).start()

    def done(self) -> None:
        """Press the panel's button."""
        self._press(PINS.confirm)

    def answer(self, reader: Seat, right: bool) -> None:
        """The reader's phone, or a button."""
        action = Action("answer", by=f"seat {reader}", right=right)
        self._say(action, PINS.right if right else PINS.wrong)

    def declare(self, seat: Seat, plays: Seat) -> None:
        """Who plays the roll, on the phone."""
        self._typed.put(Action("declare", by=f"seat {seat}", seat=plays))

    def challenge(self, target: str) -> None:
        """The piece that is challenged, on the phone; by the button where only one can be meant."""
        self._say(Action("challenge", "demo", space=target), None if target else PINS.challenge)

    def choose(self, count: int) -> None:
        """How many dice, on the phone."""
        self._typed.put(Action("dice", "demo", count=count))

    def accept(self, state: Any) -> None:
        """Accept as played, and say how the game stands, on the phone."""
        self._typed.put(Action("accept", "demo"))
        self._typed.put(Action("position", "demo", state=self._game.to_json(state)))

    def again(self) -> None:
        """A new game, on the phone."""
        self._typed.put(Action("newgame", "demo"))

    def _say(self, action: Action, pin: int | None) -> None:
        """By a button every other time, if there is one."""
        self._said += 1
        if pin is not None and self._said % 2:
            self._press(pin)
        else:
            self._typed.put(action)

    def _press(self, number: int | None) -> None:
        assert number is not None
        pin = self._factory.pin(number)
        pin.drive_low()
        threading.Timer(0.2, pin.drive_high).start()

    def _type(self) -> None:
        """Whoever types does not keep the others from moving; one thing is typed after the other."""
        while (action := self._typed.get()) is not None:
            while self._act(action) == Answer(False, SLOW):  # that was not done
                continue

    def close(self) -> None:
        """Say no more."""
        self._typed.put(None)


class Demo:
    """A service with a pretend table, in threads of its own."""

    def __init__(self, options: DemoOptions, config: Config, say: Callable[[str], None], page: bool = True) -> None:
        self.options, self.say = options, say
        self.untold: OSError | None = None  # why the transcript can be told no more
        self.clock = Clock(options.speed)
        self.tally = Tally()
        with ExitStack() as passing:
            self._set_up(config, page, passing.enter_context(scratch(Path(tempfile.gettempdir()), PASSING)))
            self._passing = passing.pop_all()

    def _set_up(self, config: Config, page: bool, folder: Path) -> None:
        """Table, service and players. folder: what they need for so long."""
        options = self.options
        seats = options.seats or seats_of(options.game, options.options)
        self.game = game_for(options.game, seats, options.options)
        self.table = table_for(config, self.game)
        self.tabletop = Tabletop(self.table.sheet, self._chance("hands"))
        self.lock = threading.Lock()
        self.box = self._dice_box(folder)
        self.factory = MockFactory(pin_class=MockPWMPin)
        gpiozero.Device.pin_factory = self.factory
        self.thrown = self._camera_dice()
        self.house = self._house(folder, config, page)
        self.voice = PretendVoice(self.factory, self.house.service.act, self.game)
        self.players = self._players()

    def _chance(self, what: str) -> random.Random:
        """A stream of chance of its own, so that one does not disturb another whatever the timing."""
        return random.Random(f"{self.options.seed} {what}")

    def _dice_box(self, folder: Path) -> PretendDice | EmulatedDice | BluetoothPlayers | None:
        """What is thrown, unless it lies in a tray. Raises BadInput where a box cannot be emulated, or has too few."""
        if self.options.dice == "camera":
            return None
        due = self.game.due(self.game.opening(self.game.seats[0]))
        if due.dice and min(due.dice) > MOST_DICE:
            few = f"{self.game.title} throws {min(due.dice)} dice, and these pretend dice are {MOST_DICE} at most"
            raise BadInput(f"{few}. In a tray there are as many as it takes: --dice camera")
        if self.options.dice == "bluetooth":
            return BluetoothPlayers(self._chance("dice"), self._throw_armed)
        if self.options.dice == "emulated":
            return EmulatedDice(folder, self._throw_armed)
        return PretendDice(folder, self._chance("box"), self._chance("dice"), self.options.speed)

    def _throw_armed(self) -> tuple[int, int] | None:
        """The throw that the page asks for, once the dice are ready for it."""
        dice = self.house.service.parts.dice
        return self.house.service.throws.awaited if dice is not None and dice.state is State.ARMED else None

    def _camera_dice(self) -> TrayDice | None:
        """A tray beside the board, where the camera reads the dice; now and then a throw goes wrong."""
        if self.options.dice != "camera":
            return None
        sheet, voice = self.table.sheet, self._act
        self.tabletop.dice = TrayOfDice(tray_beside(sheet.width, sheet.height), self._chance("tray"), awry=0.12)
        return TrayDice(
            self.tabletop.dice, self._throw_awaited, self.clock.now, self._chance("dice"), self.tally,
            lambda dice: voice(Action("correct", "demo", dice=dice)),
        )  # fmt: skip

    def _throw_awaited(self) -> tuple[int, int] | None:
        """The throw that the page asks for, once the camera has seen the tray."""
        tray = self.house.service.parts.tray
        return self.house.service.throws.awaited if tray is not None and tray.ready else None

    def _act(self, action: Action) -> None:
        """Say something on a phone, without waiting for the answer."""
        threading.Thread(target=self.house.service.act, args=(action,), daemon=True).start()

    def _house(self, folder: Path, config: Config, page: bool) -> House:
        journal = open_journal(folder / JOURNAL)
        presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
        panel, why = open_panel(PINS, presses.put, self.factory)
        names = board_names(self.table.sheet, self.game.seats)
        desk = Desk.new(journal, self.game, names, self.game.seats[0], self.table.name)
        parts = Parts(
            sheet=self.table.sheet,
            scene=self.table.scene,
            board=self.table.name,
            journal=journal,
            pictures=Pictures(folder / PICTURES, 100_000_000),
            clock=self.clock,
            camera=self._camera(),
            dice=None if self.box is None else self.box.source(journal),
            tray=None if self.tabletop.dice is None else TrayEyes(self.tabletop.dice.tray),
            seen_roll=lambda dice: None if self.thrown is None else self.thrown.heard(dice),
            panel=panel,
            panel_why=why,
            presses=presses,
            hear=self._hear,
            heard_roll=self._count_roll,
            recorder=recorder_for(self.options.record, desk, self.table),
        )
        service = Service(parts, desk)
        pointing = Pointing(self.table.scene, service.lookout.seen_now, service.lookout.show_board)
        setup = SettingUp(self.game, self.table.scene, service.lookout.seen_now, None, service.stop, pointing)
        return House(service, open_page(service, self.table, config, setup, GOODBYE) if page else None, self.table)

    def _camera(self) -> PretendCamera:
        chance = np.random.default_rng(self.options.seed)
        texture, light = printed_board(self.game.name, board_options(self.game))[1], self._chance("light")
        sheet = self.table.sheet
        view = a_view(light, max(sheet.width, sheet.height))
        if self.tabletop.dice is not None:
            view = replace(view, distance=1.08 * view.distance, shift=((GAP + SIDE) / 2, view.shift[1]))
        painter = Painter(sheet, texture, view, chance)
        if self.tabletop.dice is not None:
            painter.put_tray(self.tabletop.dice.tray)
        drift = light.uniform(0, 7)
        return PretendCamera(
            self.tabletop, painter, self.clock.now, self.lock, light=lambda at: 1 + 0.06 * math.sin(at / 23 + drift)
        )

    def _players(self) -> Players:
        dice = self.thrown or self.box
        assert dice is not None
        return Players(
            game=self.game,
            table=self.tabletop,
            dice=dice,
            voice=self.voice,
            rng=self._chance("decisions"),
            pace=self._chance("pace"),
            tally=self.tally,
            turns=self.options.turns or MANY,
            cheat=self.options.cheat,
            first=self.game.seats[0],
        )

    def _hear(self, verdict: Verdict) -> None:
        self.players.hear(verdict)
        if self.thrown is not None and verdict.facts.get("dice") == "unclear":
            self.thrown.asked()
        if verdict.kind is not Kind.NOTE or verdict.text:
            rules = f"  [{', '.join(verdict.rules)}]" if verdict.rules else ""
            self._tell(f"{verdict.at:8.1f}  {verdict.kind.value:<9}{verdict.text}{rules}")

    def _tell(self, line: str) -> None:
        """Say a line of the transcript. A demo without a page ends where nobody can read that any more."""
        try:
            self.say(line)
        except OSError as error:
            if self.house.page is None:
                self.untold = error
                self.players_leave()

    def _count_roll(self) -> None:
        self.tally.rolls += 1

    def players_leave(self) -> None:
        """End the demo before its time."""
        self.players.over = self.tally.broken_off = True

    def run(self) -> Tally:
        """Play until the turns are played; ends the service. Raises OSError where the transcript cannot be told."""
        service = self.house.service
        self._tell(f"dice: {'in a tray, read by the camera' if self.box is None else self.box.text}")
        if service.parts.dice is not None:
            service.throws.arm()
            service.parts.dice.start()
        thread = threading.Thread(target=service.run, name="referee", daemon=True)
        thread.start()
        try:
            while not self.players.over:
                with self.lock:
                    self.players.advance(self.clock.now())
                threading.Event().wait(TICK)
        finally:
            service.stop()
            thread.join(5.0)
            self.voice.close()
            self.house.close()
            if self.box is not None:
                self.box.close()
            self._passing.close()
        if self.untold is not None:
            raise self.untold
        return self.tally


def a_view(rng: random.Random, size: float) -> View:
    """Some camera over some table in some light. size: the longer side of the sheet, mm."""
    warm = rng.uniform(0, 1)
    return View(
        tilt=rng.uniform(5, 40),
        turn=rng.uniform(-12, 12),
        distance=rng.uniform(1.85, 2.05) * size,
        k1=rng.uniform(-0.06, 0.0),
        shift=(rng.uniform(-10, 10), rng.uniform(-8, 8)),
        gains=(1.0 - 0.3 * warm, 1.0 - 0.1 * warm, 1.0),
        lamp=(rng.uniform(-1, 1), rng.uniform(-1, 1), 1.2),
        falloff=rng.uniform(0.05, 0.35),
        noise=rng.uniform(1.0, 4.0),
        brightness=rng.uniform(0.75, 0.95),
    )

