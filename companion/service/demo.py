"""The demo: the real service on a pretend table, with players who sometimes cheat, and the score at the end."""

from __future__ import annotations

import math
import queue
import random
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gpiozero
import numpy as np
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.dice import DicePort
from companion.games.catalogue import game_for
from companion.journal import Pictures, open_journal
from companion.model import Kind, Verdict
from companion.model.table import Action
from companion.panel import Pins, Press, open_panel
from companion.service.assembly import House, open_page, recorder_for
from companion.service.boards import printed_board, table_for
from companion.service.clock import Clock
from companion.service.config import Config
from companion.service.desk import Desk
from companion.service.loop import Parts, Service
from companion.service.naming import seat_names
from companion.virtual.camera import PretendCamera
from companion.virtual.dicebox import DiceBox, Phase, PretendBox
from companion.virtual.painter import Painter, View
from companion.virtual.players import MANY, Players
from companion.virtual.tabletop import Tabletop
from companion.virtual.tally import Tally

PINS = Pins(lamps={0: 17, 1: 27, 2: 22, 3: 23}, alarm=24, confirm=5, take_back=6)
TICK = 0.02
"""Real seconds between two moments of the players' life."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """turns: rolls to play, 0 for a whole game. cheat: share of turns that begin with a foul. record: a folder."""

    turns: int = 0
    seed: int = 1
    cheat: float = 0.1
    speed: float = 1.0
    seats: tuple[int, ...] = (0, 1, 2, 3)
    record: Path | None = None


class PretendDice:
    """The dice as the players see them: they wait for the lamp that breathes, press, and read the faces."""

    def __init__(self, box: PretendBox, hold: float) -> None:
        self._box, self._hold = box, hold

    def ready(self) -> bool:
        """Whether a throw is asked for."""
        return self._box.box.phase is Phase.ARMED

    def throw(self) -> tuple[int, ...]:
        """Press and release the button."""
        made = len(self._box.box.made)
        self._box.press(hold=self._hold)
        rolls = self._box.box.made
        return rolls[-1].faces if len(rolls) > made else ()


class PretendVoice:
    """Buttons on the mock pins, and the phone."""

    def __init__(self, factory: MockFactory, act: Callable[[Action], Any]) -> None:
        self._factory, self._act = factory, act

    def done(self) -> None:
        """Press the panel's button."""
        pin = self._factory.pin(PINS.confirm)
        pin.drive_low()
        threading.Timer(0.2, pin.drive_high).start()

    def accept(self) -> None:
        """Accept as played, on the phone."""
        self._on_phone(Action("accept", "demo"))

    def again(self) -> None:
        """A new game, on the phone."""
        self._on_phone(Action("newgame", "demo"))

    def _on_phone(self, action: Action) -> None:
        """Whoever types does not keep the others from moving."""
        threading.Thread(target=self._act, args=(action,), daemon=True).start()


class Demo:
    """A service with a pretend table, in threads of its own."""

    def __init__(self, options: DemoOptions, config: Config, say: Callable[[str], None], page: bool = True) -> None:
        self.options, self.say = options, say
        self.rng = random.Random(options.seed)
        self.clock = Clock(options.speed)
        self.tally = Tally()
        self._scratch = tempfile.TemporaryDirectory(prefix="companion-demo-")
        folder = Path(self._scratch.name)
        self.game = game_for("parcheesi", options.seats, {})
        self.table = table_for(config, self.game)
        self.tabletop = Tabletop(self.table.sheet, self.rng)
        self.lock = threading.Lock()
        self.box = PretendBox(folder / "dice", DiceBox(rng=random.Random(options.seed)))
        self.factory = MockFactory(pin_class=MockPWMPin)
        gpiozero.Device.pin_factory = self.factory
        self.house = self._house(folder, config, page)
        self.players = self._players()

    def _house(self, folder: Path, config: Config, page: bool) -> House:
        journal = open_journal(folder / "games.db")
        presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
        panel, why = open_panel(PINS, presses.put, self.factory)
        desk = Desk.new(journal, self.game, seat_names(self.table.sheet, self.game.seats), self.game.seats[0])
        parts = Parts(
            sheet=self.table.sheet,
            scene=self.table.scene,
            journal=journal,
            pictures=Pictures(folder / "pictures", 100_000_000),
            clock=self.clock,
            camera=self._camera(),
            dice=DicePort(journal, self.box.link),
            panel=panel,
            panel_why=why,
            presses=presses,
            hear=self._hear,
            heard_roll=self._count_roll,
            recorder=recorder_for(self.options.record, desk, self.table),
        )
        service = Service(parts, desk)
        return House(service, open_page(service, self.table, config) if page else None, self.table)

    def _camera(self) -> PretendCamera:
        chance = np.random.default_rng(self.options.seed)
        painter = Painter(self.table.sheet, printed_board(self.game.name)[1], a_view(self.rng), chance)
        drift = self.rng.uniform(0, 7)
        return PretendCamera(
            self.tabletop, painter, self.clock.now, self.lock, light=lambda at: 1 + 0.06 * math.sin(at / 23 + drift)
        )

    def _players(self) -> Players:
        return Players(
            game=self.game,
            table=self.tabletop,
            dice=PretendDice(self.box, hold=max(0.05, 0.3 / self.options.speed)),
            voice=PretendVoice(self.factory, self.house.service.act),
            rng=self.rng,
            tally=self.tally,
            turns=self.options.turns or MANY,
            cheat=self.options.cheat,
            first=self.game.seats[0],
        )

    def _hear(self, verdict: Verdict) -> None:
        self.players.hear(verdict)
        if verdict.kind is not Kind.NOTE or verdict.text:
            rules = f"  [{', '.join(verdict.rules)}]" if verdict.rules else ""
            self.say(f"{verdict.at:8.1f}  {verdict.kind.value:<9}{verdict.text}{rules}")

    def _count_roll(self) -> None:
        self.tally.rolls += 1

    def players_leave(self) -> None:
        """End the demo before its time."""
        self.players.over = True

    def run(self) -> Tally:
        """Play until the turns are played; ends the service."""
        service = self.house.service
        assert service.parts.dice is not None
        service.arm()
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
            self.house.close()
            self.box.close()
            self._scratch.cleanup()
        return self.tally


def a_view(rng: random.Random) -> View:
    """Some camera over some table in some light."""
    warm = rng.uniform(0, 1)
    return View(
        tilt=rng.uniform(5, 40),
        turn=rng.uniform(-12, 12),
        distance=rng.uniform(740, 820),
        k1=rng.uniform(-0.06, 0.0),
        shift=(rng.uniform(-10, 10), rng.uniform(-8, 8)),
        gains=(1.0 - 0.3 * warm, 1.0 - 0.1 * warm, 1.0),
        lamp=(rng.uniform(-1, 1), rng.uniform(-1, 1), 1.2),
        falloff=rng.uniform(0.05, 0.35),
        noise=rng.uniform(1.0, 4.0),
        brightness=rng.uniform(0.75, 0.95),
    )

