"""What the whole service costs while the table is still: run it by hand, `python tests/benchmarks/still_table.py`.

Frames of 1280 × 960 with a sensor's noise come at 10 a second from a picture in memory; decoding a camera's JPEG is
not counted. Prints the share of one core and the memory that the vision adds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from companion.camera import OK, Frame
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import Pictures, open_journal
from companion.service.boards.configured import board_options, printed_board
from companion.service.clock import Clock
from companion.service.naming import board_names
from companion.service.table.desk import Desk
from companion.service.table.loop import Service
from companion.service.table.parts import Parts
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look, make_scene

RATE = 10.0


class StillCamera:
    """Ten frames a second of a table on which nothing moves; each with noise of its own."""

    state = OK

    def __init__(self, frames: list[np.ndarray]) -> None:
        self._frames, self._began = frames, time.monotonic()

    def newest(self, after: float | None = None) -> Frame | None:
        at = int((time.monotonic() - self._began) * RATE) / RATE
        image = self._frames[int(at * RATE) % len(self._frames)]
        return None if after is not None and at <= after else Frame(at, image)

    def frames(self) -> Iterator[Frame]:
        raise NotImplementedError

    def close(self) -> None:
        pass


def memory_mb(what: str = "VmRSS") -> float:
    """Resident memory of this process, MB: now, or at most so far (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1e3


def draw(name: str, out: Path) -> None:
    """Draw the frames, uint8 BGR (N, rows, cols, 3), into a file; in its own process, whose memory goes with it."""
    game = game_of(name)
    sheet, texture, _ = printed_board(name, board_options(game))
    tabletop = Tabletop(sheet, random.Random(1))
    tabletop.set_up(game.position(game.opening(game.seats[0])))
    clean = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(tabletop.pawns)
    chance = np.random.default_rng(3)
    noisy = (np.clip(clean + chance.normal(0, 2, clean.shape), 0, 255).astype(np.uint8) for _ in range(8))
    np.save(out, np.stack(list(noisy)))


def game_of(name: str) -> Game[Any]:
    return game_for(name, (0, 2) if name == "game-of-god" else (0, 1, 2, 3), {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="parcheesi")
    parser.add_argument("--seconds", type=float, default=30.0)
    arguments = parser.parse_args()
    game = game_of(arguments.game)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        drawer = multiprocessing.get_context("spawn").Process(target=draw, args=(arguments.game, folder / "f.npy"))
        drawer.start()
        drawer.join()
        frames = list(np.load(folder / "f.npy"))
        sheet, texture, _ = printed_board(arguments.game, board_options(game))
        before = memory_mb()
        scene = make_scene(sheet, texture)
        _, kept = look(frames[0], scene)
        look(frames[1], scene, kept, 0.1)
        print(f"vision: {memory_mb() - before:.0f} MB now, {memory_mb('VmHWM') - before:.0f} MB at most")
        journal = open_journal(folder / "games.db")
        desk = Desk.new(journal, game, board_names(sheet, game.seats), game.seats[0])
        pictures = Pictures(folder / "pictures", 10_000_000)
        service = Service(Parts(sheet, scene, journal, pictures, Clock(), StillCamera(frames)), desk)
        thread = threading.Thread(target=service.run, daemon=True)
        thread.start()
        time.sleep(6)
        wall, busy = time.monotonic(), time.process_time()
        time.sleep(arguments.seconds)
        share = (time.process_time() - busy) / (time.monotonic() - wall)
        print(f"service, still table, {RATE:g} frames a second: {share:.1%} of one core, {memory_mb():.0f} MB in all")
        service.stop()
        thread.join()


if __name__ == "__main__":
    main()
