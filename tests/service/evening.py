"""An evening at a pretend table whose referee is the real program, in a process of its own that may be killed.

The table, its players, a camera on the network and a dice box on a pseudo-terminal live here and go on whatever becomes
of the program. What was announced is read from its page; what the players hear, from its journal.
"""

from __future__ import annotations

import json
import queue
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from program import Program

from companion.camera import Image
from companion.games.catalogue import game_for
from companion.journal import verdict_from_json
from companion.service.boards.configured import printed_board
from companion.service.demo.demo import a_view
from companion.service.demo.dice import PretendDice
from companion.virtual.camera import PretendCamera
from companion.virtual.network_camera import NetworkCamera
from companion.virtual.painter import Painter
from companion.virtual.players import Players
from companion.virtual.tabletop import Tabletop
from companion.virtual.tally import Tally

PATIENCE = 40.0
"""Seconds in which whoever has something to say tries again."""


class Phone:
    """A player's phone: what is said is said again until the program answers."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._typed: queue.SimpleQueue[tuple[str, dict[str, Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._type, name="pretend phone", daemon=True).start()

    def done(self) -> None:
        self._typed.put(("confirm", {}))

    def accept(self, state: Any) -> None:
        """The referee did not see it: how the game stands."""
        self._evening.helped += 1
        self._typed.put(("accept", {}))
        self._typed.put(("position", {"state": self._evening.game.to_json(state)}))

    def answer(self, reader: int, right: bool) -> None:
        self._typed.put(("answer", {"right": right}))

    def declare(self, seat: int, plays: int) -> None:
        self._typed.put(("declare", {"seat": plays}))

    def challenge(self, target: str) -> None:
        self._typed.put(("challenge", {"space": target}))

    def choose(self, count: int) -> None:
        self._typed.put(("dice", {"count": count}))

    def again(self) -> None:
        self._typed.put(("newgame", {}))

    def close(self) -> None:
        self._typed.put(None)

    def _type(self) -> None:
        while (typed := self._typed.get()) is not None:
            action, words = typed
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                try:
                    self._evening.program.act(action, **words)
                    break
                except (OSError, json.JSONDecodeError):
                    time.sleep(0.2)


class Evening:
    """One game of `name` at a table; `program` is its referee.

    cheat: share of turns that begin with a foul. fault: of the camera, at the beginning.
    """

    def __init__(self, folder: Path, seed: int, name: str = "parcheesi", cheat: float = 0.0, fault: str = "") -> None:
        self.folder, self.helped = folder, 0
        self.game = game_for(name, (0, 2), {})
        sheet, texture, _ = printed_board(name)
        chance = {what: random.Random(f"{seed} {what}") for what in ("hands", "box", "view", "dice", "play", "pace")}
        self.lock, self.began = threading.Lock(), time.monotonic()
        self.tabletop = Tabletop(sheet, chance["hands"])
        view = replace(a_view(chance["view"], max(sheet.width, sheet.height)), width=800, height=600)
        painter = Painter(sheet, texture, view, np.random.default_rng(seed))
        self._eye = PretendCamera(self.tabletop, painter, self.now, self.lock)
        self.camera = NetworkCamera(self._picture, fps=6)
        self.camera.fault = fault
        self.dice = PretendDice(folder, chance["box"], chance["dice"], speed=1.0)
        self.box = self.dice.box
        self.tally = Tally()
        self._heard = 0
        game, page = f'[game]\nname = "{name}"\nseats = [0, 2]\n', f'[camera]\nsource = "{self.camera.url}"\n'
        self.program = Program(folder, f'{game}{page}[dice]\nport = "{self.box.link}"\n')
        self._phone = Phone(self)
        self.players = Players(
            game=self.game,
            table=self.tabletop,
            dice=self.dice,
            voice=self._phone,
            rng=chance["play"],
            pace=chance["pace"],
            tally=self.tally,
            turns=1_000_000,
            cheat=cheat,
            first=0,
        )
        self._ending = threading.Event()
        self._life = threading.Thread(target=self._live, name="players", daemon=True)
        self._life.start()

    def _picture(self) -> Image:
        frame = self._eye.newest()
        assert frame is not None
        return frame.image

    def now(self) -> float:
        """Seconds since the evening began."""
        return time.monotonic() - self.began

    @property
    def journal(self) -> Path:
        return self.folder / "games" / "games.db"

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the journal holds, read beside the program."""
        try:
            with closing(sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True, timeout=5)) as db:
                return db.execute(sql, values).fetchall()
        except sqlite3.OperationalError:
            return []

    def _live(self) -> None:
        while not self._ending.wait(0.02):
            if int(self.now() * 50) % 5 == 0:
                self._hear()
            with self.lock:
                self.players.advance(self.now())

    def _hear(self) -> None:
        rows = self.rows("SELECT id, payload FROM entries WHERE kind = 'verdict' AND id > ? ORDER BY id", self._heard)
        for number, payload in rows:
            self._heard = number
            self.players.hear(verdict_from_json(json.loads(payload)))

    def truth(self) -> dict[str, list[int]]:
        """What stands on the table, as the page writes it."""
        with self.lock:
            return {name: list(content) for name, content in self.tabletop.folded().items()}

    def agrees(self) -> bool:
        """Whether page and board agree, nothing is amiss, and nobody's hand holds a piece."""
        view = self.program.view()
        seen: dict[str, list[int]] = {}
        for name, content in view["position"].items():
            area = name.partition(".")[0] if name.startswith("base") else name
            seen[area] = sorted(seen.get(area, []) + content)
        return view["trouble"] is None and seen == self.truth() and not self.tabletop.hand

    def until(self, true: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Wait until it is so."""
        end = time.monotonic() + patience
        while not true():
            assert time.monotonic() < end, f"{what}\n{self.program.said}"
            time.sleep(0.05)

    def leave(self) -> None:
        """The players go home; the program is ended."""
        self._ending.set()
        self._life.join()
        self._phone.close()
        self.program.kill()
        self.camera.close()
        self.dice.close()
