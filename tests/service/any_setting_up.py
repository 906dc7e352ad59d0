"""The running service while people set up boards, point at corners, change the configuration and pull the plug.

The loop, the page, the journal and the disk are the real ones, of some tables the eyes too; camera and dice are
pretend. By command:

    python tests/service/any_setting_up.py --seed 17 --count 20 --log
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from any_order import SAME, Box, Complaints, Tried, TrueEyes
from table import HandClock, painter_of

from companion.games.catalogue import game_for
from companion.model import CompanionError, DueKind, Kind, Position, Verdict
from companion.page import create_app
from companion.service import assembly
from companion.service.boards.configured import board_options, own_folder, printed_board
from companion.service.config import read_config
from companion.service.meaning import meaning_of
from companion.service.running import read_again
from companion.virtual.camera import PretendCamera
from companion.virtual.painter import View
from companion.virtual.tabletop import Tabletop

VIEW = View(width=720, height=540, tilt=15, noise=1.5)
TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("parcheesi", {}),
    ("parcheesi-print", {}),
    ("aggravation", {"arms": 4}),
    ("gloria", {"six_again": True}),
    ("game-of-god", {}),
)
SEATS = ([0, 2], [0, 2], [0, 1, 2, 3])
PINS = ("", "1234", "567890")
BROKEN = ("pin = 12\n", "[page\n", "[camera]\nsauce = 3\n", '[game]\nname = "chess"\n')
PAGES = ("/", "/kiosk", "/setup", "/setup/photo.jpg", "/setup/check.jpg", "/setup/last.jpg", "/setup/layout.svg")
PAGES += ("/setup/now.jpg", "/setup/guide.jpg", "/live.jpg", "/api/view", "/api/state", "/health", "/board.svg")
ODD: tuple[Any, ...] = (None, [], {}, "x", -1, 10**30, True, [[1, 2]] * 4, [[1, "2"]] * 4, {"t0": [1, 2]}, 1e400)


class Camera(PretendCamera):
    """Also one whose cable is out."""

    def closes(self) -> None:
        """It is the table's."""


class BoldEyes(TrueEyes):
    """They need not be shown where the board lies."""

    def show(self, shown: object) -> None:
        """They know."""


class Table(Tried):
    """One table through an evening. found: what must not be; log: what was done, and what was said to it. real: its
    eyes are the real ones, which take their time; else what they read is true."""

    PACE = 0.2

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng, self.clock = folder, random.Random(f"setting up {seed}"), HandClock()
        self.log: list[str] = []
        self.found: list[str] = []
        self.path = folder / "companion.toml"
        self.told = {"game": TABLES[seed % len(TABLES)], "seats": [0, 2], "pin": ""}
        self.typed, self.misled, self.real, self.dark = "", False, seed % 4 == 0, False
        self.roll = 0
        self.write_config()
        self.config = read_config(self.path)
        self.pictures: list[str] = []
        self.begin()

    # --- the table and its service ---

    def write_config(self, more: str = "") -> None:
        (name, options), seats = self.told["game"], self.told["seats"]
        parts = [f'[game]\nname = "{name}"\nseats = {seats}\n', '[journal]\nfolder = "games"\n']
        parts += ["[game.options]\n", *(f"{key} = {json.dumps(value)}\n" for key, value in options.items())]
        self.path.write_text("".join([*parts, f'[page]\nport = 1\npin = "{self.told["pin"]}"\n', more]))

    def begin(self, told: tuple[str, ...] = ()) -> None:
        game = game_for(self.config.game.name, self.config.game.seats, self.config.game.options)
        self.sheet = printed_board(game.name, board_options(game))[0]
        self.top = Tabletop(self.sheet, random.Random(1))
        self.painter = painter_of(game.name, VIEW)
        self.camera = Camera(self.top, self.painter, self.clock.now, threading.Lock(), fps=5)
        self.box = Box(self.roll)
        parts = {
            "_camera": lambda config, clock: (self.camera, ""),
            "_dice": lambda config, journal: (self.box, ""),
            "_panel": lambda config, presses: (None, "none"),
            "open_page": self._open_page,
            "Clock": lambda: self.clock,
        }
        with patch.multiple(assembly, **parts):
            self.house = assembly.build(self.config, told=told)
        if not self.real:
            self.service.lookout.eyes = BoldEyes(self)
        self.service.parts.hear = self.hear
        self.shown = self.service.view()
        self.set_up()

    def _open_page(self, service: Any, table: Any, config: Any, setup: Any) -> None:
        service.act, self.setup = self._at_once, setup
        app = create_app(service, table.sheet, table.svg, config.page.pin, setup=setup)
        app.extensions["companion.door"]._clock = self.clock.now
        self.page = app.test_client()

    @property
    def service(self) -> Any:
        return self.house.service

    @property
    def bench(self) -> Any:
        return self.service.desk.bench

    def step(self) -> None:
        self.service.step()
        before, self.shown = self.shown, self.service.view()
        if self.shown.version < before.version:
            self.bad(f"version {self.shown.version} after {before.version}")

    def hear(self, verdict: Verdict) -> None:
        self.log.append(f"    {verdict.kind.value} {','.join(verdict.rules)}: {verdict.text}")
        if verdict.kind is Kind.ILLEGAL and not self.misled:
            self.bad(f"accused, though nobody moved a piece but by the rules: {verdict.text}")

    def set_up(self) -> None:
        """The board shows what the game believes."""
        bench = self.bench
        state, game = bench.node.state if bench.rolloff is None else bench.state, bench.game
        self.top.set_up(Position.stacked(game.everything(state)) if game.stacks else game.position(state))

    # --- asking ---

    def get(self, path: str) -> None:
        answer = self.page.get(path)
        if answer.status_code >= 500 and (path, answer.status_code) != ("/live.jpg", 503):
            self.bad(f"{path}: {answer.status_code} {answer.text[:200]}")

    def post(self, path: str, **words: Any) -> Any:
        """What a phone asks for: whatever becomes of it is a sentence."""
        answer = self.page.post(path, json={**words, "pin": self.typed})
        told = answer.get_json(silent=True) or {}
        text, ok = told.get("text", ""), bool(told.get("ok"))
        shown = json.dumps(words)
        self.log.append(f"{self.clock.time:.1f} {path} {shown[:160]} -> {answer.status_code} {text}")
        if answer.status_code >= 500 or (not ok and not text) or "inside the referee" in text or "Errno" in text:
            self.bad(f"{path} {shown[:400]}: {answer.status_code} {answer.text[:300]}")
        if told.get("asks_pin") and self.rng.random() < 0.6:
            self.typed = self.rng.choice((self.config.page.pin, self.config.page.pin, self.rng.choice(PINS)))
            self.clock.time += 301
        return told if ok else {}

    # --- where things lie in the picture ---

    def pixel(self, x: float, y: float, off: float = 1.0) -> list[float]:
        a, b = self.painter.project(np.array([(x, y, 0.0)]))[0].tolist()
        return [round(a + self.rng.uniform(-off, off), 1), round(b + self.rng.uniform(-off, off), 1)]

    def corners(self, off: float = 1.0) -> list[list[float]]:
        width, height = self.sheet.width, self.sheet.height
        return [self.pixel(x, y, off) for x, y in ((0, 0), (width, 0), (width, height), (0, height))]

    def draft(self) -> dict[str, Any]:
        """What somebody taps on the photo, who may be careless, or a program that is broken."""
        rng, spaces = self.rng, self.sheet.spaces
        names = rng.sample(sorted(spaces), rng.choice((0, 3, 6, 10, 10, 10)))
        taps = {name: self.pixel(spaces[name].x, spaces[name].y, 1.5) for name in names}
        made: dict[str, Any] = {"size_mm": [self.sheet.width, self.sheet.height], "corners": self.corners(1.5)}
        made["taps"] = taps
        photos = self.setup.photos()
        if photos and rng.random() < 0.8:
            made["photo"] = rng.choice((photos[-1], photos[-1], photos[0]))
        if kept := self.setup.layout().draft:
            made = rng.choice((made, {**json.loads(json.dumps(kept))}))
        if rng.random() < 0.25:
            made["seats"] = {"0": rng.choice(("lime", "ruby", "", "x" * 300))}
        if rng.random() < 0.2:
            made["colors"] = {"0": rng.choice(("#ff0000", "#00ff00", "red", "#12"))}
        if rng.random() < 0.15:
            made[rng.choice((*sorted(made), "moved", "piece", "inner", "lens", "odd"))] = rng.choice(ODD)
        return made

    # --- anything ---

    def anything(self) -> None:
        """One thing that may happen to a table."""
        ways = (self.set_up_board,) * 6 + (self.point,) * 4 + (self.word,) * 4 + (self.play,) * 2
        ways += (self.device, self.look_around, self.look_around, self.reconfigure, self.restart, self.restart)
        self.rng.choice(ways)()
        if self.service.anew:
            self.anew()
        self.clock.time += self.rng.choice((0.0, 0.3, 1.0, 3600.0))

    def look_around(self) -> None:
        self.get(self.rng.choice(PAGES))
        self.live(0.4)

    def set_up_board(self) -> None:
        rng = self.rng
        often = ("photo", "photo", "save", "save")
        wish = rng.choice(("check", "photo", "lay", "save", "colors", "printed", "last", *often))
        words = {"draft": self.draft()} if wish in ("lay", "save") else {}
        if wish == "photo" and rng.random() < 0.7:
            standing, self.top.pawns = self.top.pawns, []
            self.live(0.4)
            self.post("/api/setup", do=wish)
            self.top.pawns = standing
            return
        self.live(0.2)
        for _ in range(rng.choice((1, 1, 1, 2))):
            done = self.post("/api/setup", do=wish, **words)
        if done and wish in ("save", "last", "printed") and self.setup.may_change:
            own, asked = own_folder(self.config, self.bench.game) / "sheet.json", wish != "printed"
            if own.is_file() != asked:
                self.bad(f"{wish} was granted, and {own} is {'there' if own.is_file() else 'not there'}")

    def point(self) -> None:
        rng = self.rng
        wish = rng.choice(("picture", "lay", "here", "here", "here", "forget"))
        if not self.setup.pointing.frames() and rng.random() < 0.8:
            wish = "picture"
        words: dict[str, Any] = {}
        if wish in ("lay", "here"):
            far = rng.random() < 0.15
            words = {"corners": self.corners(40.0 if far else 1.5), "sure": rng.random() < 0.5}
            frames = self.setup.pointing.frames()
            words |= {"picture": rng.choice((*frames, "gone"))} if frames and rng.random() < 0.7 else {}
            words |= {"corners": rng.choice(ODD)} if rng.random() < 0.15 else {}
            words |= {"corners": words["corners"][::-1]} if rng.random() < 0.1 and wish == "lay" else {}
            self.misled |= wish == "here" and far
        self.live(0.4)
        self.post("/api/pointing", do=wish, **words)

    def word(self) -> None:
        view, rng = self.service.view(), self.rng
        name = rng.choice((*view.actions, "roll", "confirm", "undo", "takeback", "newgame", "roll"))
        if name == "confirm" and self.bench.due.kind is DueKind.PLAY:
            return  # who says "done" without a play is told what must be played
        count = rng.choice(view.dice or (1, 2))
        words: dict[str, Any] = {
            "roll": {"dice": [rng.randint(1, 6) for _ in range(count)]},
            "correct": {"dice": [rng.randint(1, 6) for _ in range(count)]},
            "answer": {"right": rng.random() < 0.6},
            "declare": {"seat": rng.choice(view.partners or (0,))},
            "challenge": {"space": rng.choice((*view.targets, ""))},
            "dice": {"count": rng.randint(1, 3)},
            "position": {"state": json.loads(json.dumps(self.service.state()))},
            "newgame": rng.choice(({}, {"first": 0}, {"seats": [0, 2]}, {"seats": [0, 1, 2, 3], "first": 2})),
        }.get(name, {})
        if self.post("/api/act", action=name, **words) and name == "newgame" and not self.real:
            self.service.lookout.eyes = BoldEyes(self)
        self.set_up()
        self.live(0.4)

    def play(self) -> None:
        """Who is on turn plays by the rules."""
        bench = self.bench
        if bench.rolloff is None and bench.due.kind is DueKind.PLAY and not bench.setting_up:
            end = self.rng.choice(bench.game.outcomes(bench.node.state)).state
            everything = bench.game.everything(end)
            self.top.set_up(Position.stacked(everything) if bench.game.stacks else bench.game.position(end))
        self.live(self.rng.choice((1.0, 3.0)))

    def device(self) -> None:
        match self.rng.randrange(4):
            case 0:
                self.camera.fault = self.rng.choice(("", "", "unplugged", "black", "frozen"))
            case 1:
                self.camera.light = self.rng.choice((lambda at: 1.0, lambda at: 1.0, lambda at: 0.25, lambda at: 1.6))
            case _:
                self.box.press(self.rng, self.clock.now())
        self.live(0.6)
        self.roll = self.box.last

    def reconfigure(self) -> None:
        """Somebody edits the configuration, and perhaps makes a mistake of it. It counts from the next beginning on."""
        rng = self.rng
        self.told = dict(self.told)
        match rng.randrange(4):
            case 0:
                self.told["game"] = rng.choice(TABLES)
                self.told["seats"] = rng.choice(SEATS)
            case 1:
                self.told["seats"] = rng.choice(SEATS)
            case _:
                self.told["pin"] = rng.choice(PINS)
        more = rng.choice(BROKEN) if rng.random() < 0.3 else ""
        self.write_config(more)
        self.log.append(f"--- configuration {self.told} {more!r}")

    # --- beginning again ---

    def stands(self) -> dict[str, Any]:
        view, setup = self.service.view().to_json(), self.setup
        layout = setup.layout()
        there = {what: view[what] for what in SAME} | {"state": self.service.state()}
        there |= {"own": layout.own, "last board": layout.last, "newest photo": setup.photos()[-1:]}
        return there | {"shown": setup.pointing.guide().shown}

    def restart(self) -> None:
        """The plug is pulled, or the system ends it; and it begins again with the configuration of today."""
        self.step()
        before, bench, config = self.stands(), self.bench, self.config
        self.log.append("--- restart")
        if self.rng.random() < 0.5:
            self.service.parts.journal._db.close()  # without a last word
        else:
            self.house.close()
        try:
            self.config = read_config(self.path)
            meaning_of(self.config)
        except CompanionError as error:
            self.log.append(f"    refused: {error}")
            self.write_config()
            self.config = read_config(self.path)
        self.begin()
        if self.config.game == config.game:
            self.same(before, bench)

    def same(self, before: dict[str, Any], bench: Any) -> None:
        after = self.stands()
        but = {"headline", "done"} if bench.setting_up or bench.ignored is not None else set()
        but |= {"hints", "left"} if bench.accused else set()
        but |= {"roll"} if bench.node.complete else set()
        for key in set(before) - but - {"last", "position"}:
            if before[key] != after[key]:
                self.bad(f"restart: {key} was {before[key]!r:.300}, and is {after[key]!r:.300}")

    def anew(self) -> None:
        """Another board was put on the table: it is assembled again at once, as `companion run` does."""
        before, bench, config = self.stands(), self.bench, self.config
        self.log.append("--- assembled anew")
        self.house.close()
        self.config, told = read_again(self.path, config)
        self.begin(told)
        if self.config.game == config.game:
            changed = ("own", "last board", "newest photo", "shown", "seats", "headline", "hints")
            self.same({key: value for key, value in before.items() if key not in changed}, bench)

    # --- and then ---

    def good_people(self) -> None:
        """Whatever was done: with light, the PIN and the printed board the game goes on, and nobody is accused."""
        self.log.append("=== good people")
        self.write_config()
        self.camera.fault, self.camera.light = "", lambda at: 1.0
        self.restart()
        self.typed = self.config.page.pin
        self.clock.time += 301
        self.post("/api/pointing", do="forget")
        if self.setup.layout().own:
            self.post("/api/setup", do="printed")
            self.anew()
        self.misled = False
        if self.bench.due.kind is DueKind.OVER:
            self.post("/api/act", action="newgame")
            self.restart()
        self.live(4)
        done = 0
        for tried in range(14):
            before = self._progress()
            self._as_due(tried)
            done += self._progress() != before
        if done < 3:
            self.bad(f"nobody gets on: {self.service.view().headline} | {self.service.view().trouble}")

    def _progress(self) -> tuple[object, ...]:
        desk = self.service.desk
        return desk.number, desk.bench.due, desk.bench.state, desk.rolls, desk.asked, len(desk.bench.early)

    def _as_due(self, tried: int) -> None:
        bench, view = self.bench, self.service.view()
        if bench.trouble is not None or (bench.setting_up and bench.rolloff is None):
            self.set_up()
            self.live(3)
            if self.bench.setting_up and tried > 2:
                self.post("/api/act", action="confirm")
            return
        match bench.due.kind:
            case DueKind.ROLL | DueKind.THROW:
                dice = [self.rng.randint(1, 6) for _ in range(max(view.dice, default=1))]
                self.post("/api/act", action="roll", dice=dice)
            case DueKind.QUESTION:
                self.post("/api/act", action="answer", right=True)
            case DueKind.CHALLENGE:
                self.post("/api/act", action="confirm")
            case DueKind.MOVE:
                ends = [node.after for turn in bench.coming for node in turn.nodes if node.complete and node.steps]
                self.top.set_up(Position.stacked(bench.game.everything(self.rng.choice(ends))))
                self.live(3)
            case _:
                self.play()
                self.live(3)
                self.clock.time += 5
                self.post("/api/act", action="confirm")

    def run(self, steps: int) -> list[str]:
        """So many things, then what must be. Returns what must not."""
        complaints = Complaints(self.bad)
        logging.getLogger().addHandler(complaints)
        try:
            for _ in range(steps):
                if not self.found:
                    self.anything()
            if not self.found:
                self.good_people()
        except Exception:
            self.bad(traceback.format_exc())
        finally:
            logging.getLogger().removeHandler(complaints)
            self.house.close()
        return self.found


def main() -> None:
    """By command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--log", action="store_true")
    words = parser.parse_args()
    for seed in range(words.seed, words.seed + words.count):
        with tempfile.TemporaryDirectory() as folder:
            table = Table(Path(folder), seed)
            found = table.run(words.steps)
        print("\n".join([f"{seed}: {len(found)}", *(table.log if words.log else found[:3])]), flush=True)


if __name__ == "__main__":
    main()
