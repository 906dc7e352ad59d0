"""The running service under everything that people at a table may do, in any order, on a board that is seen truly.

The loop, the page, the journal and the dice's part are the real ones; what the eyes read is true. By command:

    python tests/service/any_order.py --of gloria --seed 17 --count 20 --log
"""

from __future__ import annotations

import argparse
import json
import logging
import queue
import random
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "referee"))

from soak import PERFECT, SETTINGS, Eyes, midgame
from table import HandClock

from companion.camera import Frame
from companion.decks import Question
from companion.dice import BoxNoticed, BoxRoll, LinkLost, LinkReady, RollHeard
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal import Pictures, open_journal
from companion.model import BoardLost, DueKind, Kind, Position, Seat, Sighting, Verdict
from companion.model.table import Action, Answer
from companion.page import create_app
from companion.panel import Press
from companion.referee.folding import spread
from companion.service.boards.configured import board_options, printed_board
from companion.service.records.past_games import rejudge
from companion.service.table.loop import Service
from companion.service.table.parts import Parts
from companion.service.table.seating import seat_down
from companion.virtual.tabletop import Tabletop
from companion.vision import Scene

NOTHING = np.zeros((6, 8, 3), np.uint8)
BOX = "7F3A90C1"
SAME = (
    *("game", "seats", "due", "due_kind", "headline", "roll", "left", "position", "last", "hints", "dice", "throwing"),
    *("done", "reader", "partners", "targets", "stacks", "winner"),
)
"""What pages show that must be the same after a restart, and after what was undone."""


class Camera:
    """Pictures of nothing; its eyes know."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now, self.state = now, "ok"

    def newest(self, after: float | None = None) -> Frame | None:
        now = self.now()
        return None if self.state != "ok" or (after is not None and now - after < 0.2) else Frame(now, NOTHING)

    def close(self) -> None:
        """Nothing to let go."""


class Box:
    """A dice box: it rolls when it is armed and pressed."""

    def __init__(self, last: int = 0) -> None:
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.armed: tuple[int, int] | None = None
        self.last = last

    def arm(self, turn: int, dice: int, rgb: str | None = None) -> None:
        self.armed = turn, dice

    def disarm(self) -> None:
        self.armed = None

    def press(self, rng: random.Random, at: float) -> None:
        if self.armed is not None:
            (turn, count), self.last, self.armed = self.armed, self.last + 1, None
            roll = BoxRoll(self.last, turn, tuple(rng.randint(1, 6) for _ in range(count)))
            self.events.put(RollHeard(at, BOX, roll))

    def ready(self, *words: object) -> None:
        """Recorded, adopted, dismissed, closed: it is all the same to it."""

    recorded = adopt = dismiss = close = start = ready


class TrueEyes:
    """As the service's eyes, but what they read is true."""

    pose = None

    def __init__(self, party: Party) -> None:
        self.party, self.eyes = party, Eyes(party.top, party.bench.game, PERFECT, random.Random(1))

    def look(self, image: object, at: float) -> Sighting:
        return BoardLost(at, "It is too dark to see the board.") if self.party.dark else self.eyes.look(at)

    def shown(self, position: Position) -> Position:
        return spread(position, self.party.sheet.spaces)

    def draw(self, image: object) -> object:
        return image

    def cleared(self, image: object) -> object:
        return image

    def ruled(self, *words: object, **more: object) -> None:
        """Nothing is learned."""

    def watch(self, scene: object) -> None:
        """Whoever plays is seen truly."""


class Complaints(logging.Handler):
    """What was logged as an error."""

    def __init__(self, bad: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self.bad = bad

    def emit(self, record: logging.LogRecord) -> None:
        self.bad(f"logged: {self.format(record)}")


class Tried:
    """A service that is tried, and what is found."""

    PACE = 0.1
    """Seconds from one look to the next."""
    service: Any
    clock: Any
    found: list[str]
    log: list[str]

    def step(self) -> None:
        raise NotImplementedError

    def live(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / self.PACE))):
            self.clock.time += self.PACE
            self.step()

    def bad(self, what: str) -> None:
        self.found.append(what)
        self.log.append(f"!!! {what}")

    def _at_once(self, action: Action) -> Answer:
        answer: Future[Answer] = Future()
        self.service.actions._asked.put((action, answer))
        self.step()
        return answer.result(0)


class Party(Tried):
    """People at one table. found: what must not be; log: what was done, and what was said to it."""

    members: Mapping[Seat, Sequence[str]] = {}
    questions: tuple[Question, ...] = ()

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self.rng = random.Random(f"{name} {seed}")
        self.sit_down(folder, game_for(*SETTINGS[name][seed % len(SETTINGS[name])]))
        if seed % 3:
            self.act("position", state=self.game.to_json(midgame(self.game, self.rng)))
        self.set_up()

    def sit_down(self, folder: Path, game: Game[Any]) -> None:
        """The service begins at a new table."""
        self.folder, self.game = folder, game
        self.sheet, _, self.svg = printed_board(self.game.name, board_options(self.game))
        self.clock, self.top = HandClock(), Tabletop(self.sheet, random.Random(1))
        self.camera, self.box = Camera(self.clock.now), Box()
        self.log: list[str] = []
        self.found: list[str] = []
        self.dark = self.honest = False
        self.service: Any = None
        self.begin()

    @property
    def bench(self) -> Any:
        return self.service.desk.bench

    def begin(self) -> None:
        """The service begins, with the journal that is there."""
        if self.service is not None:
            self.service.close()
        journal, self.box = open_journal(self.folder / "games.db"), Box(self.box.last)
        table: Any = SimpleNamespace(sheet=self.sheet, name="the board")
        config: Any = SimpleNamespace(game=SimpleNamespace(first=None))
        desk, scene = seat_down(config, self.game, table, journal), Scene(self.sheet, np.zeros((1, 1, 3), np.uint8))
        self.clock.move_to(max(self.clock.time, desk.last_time + 1))
        parts: Any = dict(sheet=self.sheet, scene=scene, journal=journal, clock=self.clock, camera=self.camera)
        parts |= dict(pictures=Pictures(self.folder / "pictures"), dice=self.box, hear=self.hear, board="the board")
        parts |= dict(members=self.members, questions=self.questions)
        self.service = Service(Parts(**parts), desk)
        self.service.lookout.eyes = TrueEyes(self)
        self.box.events.put(LinkReady(self.clock.now(), BOX, self.box.last))
        hub: Any = SimpleNamespace(act=self._at_once)
        for what in ("view", "wait", "picture", "live", "question", "state"):
            setattr(hub, what, getattr(self.service, what))
        self.page = create_app(hub, self.sheet, self.svg).test_client()
        self.shown = self.service.view()

    def step(self) -> None:
        self.service.step()
        before, self.shown = self.shown, self.service.view()
        if self.shown.version < before.version or (self.shown.version == before.version and self.shown != before):
            self.bad(f"version {self.shown.version} after {before.version}")

    def hear(self, verdict: Verdict) -> None:
        self.log.append(f"    {verdict.kind.value} {','.join(verdict.rules)}: {verdict.text}")
        if verdict.kind is Kind.ILLEGAL and self.honest:
            self.bad(f"accused, though the board shows what the rules allow: {verdict.text}")

    def act(self, action: str, **words: Any) -> bool:
        """What a phone asks for: whatever becomes of it is a sentence."""
        answer = self.page.post("/api/act", json={"action": action, **words})
        told = answer.get_json()
        self.log.append(f"{self.clock.time:.1f} {action} {json.dumps(words)} -> {told['text']}")
        if answer.status_code >= 500 or not told["text"] or "inside the referee" in told["text"]:
            self.bad(f"{action} {words}: {answer.status_code} {told['text']}")
        return bool(told["ok"])

    # --- the board ---

    def put(self, state: Any) -> None:
        """The board shows that state."""
        game = self.bench.game
        self.top.set_up(Position.stacked(game.everything(state)) if game.stacks else game.position(state))

    def set_up(self) -> None:
        self.put(self.bench.node.state if self.bench.rolloff is None else self.bench.state)

    def play(self) -> None:
        """The board shows the end of a play that is legal now, if one is due."""
        bench = self.bench
        if bench.rolloff is None and bench.due.kind is DueKind.PLAY:
            ends = [outcome.state for outcome in bench.game.outcomes(bench.node.state)]
        else:
            ends = [node.after for turn in bench.coming for node in turn.nodes if node.complete and node.steps]
        if ends:
            self.put(self.rng.choice(ends))

    def shove(self) -> None:
        """A piece goes anywhere."""
        moved = self.rng.choice(self.top.pawns)
        moved = max((p for p in self.top.pawns if p.space == moved.space), key=lambda pawn: pawn.z)
        self.top.pawns.remove(moved)
        self.top.pawns.append(self.top.placed(moved.seat, self.rng.choice(list(self.bench.game.spaces()))))

    # --- what must be ---

    def stands(self) -> dict[str, Any]:
        view = self.service.view().to_json()
        turns = [self.bench.rotation.over(seat, self.bench.due) for seat in self.bench.game.seats]
        return {what: view[what] for what in SAME} | {"state": self.service.state(), "turns": turns}

    def same(self, before: dict[str, Any], after: dict[str, Any], what: str, but: set[str]) -> None:
        for key in set(before) - but:
            if before[key] != after[key]:
                self.bad(f"{what}: {key} was {before[key]}, and is {after[key]}")

    def restart(self) -> None:
        self.step()
        before, bench = self.stands(), self.bench
        self.log.append("--- restart")
        self.begin()
        but = {"headline", "done"} if bench.setting_up or bench.ignored is not None else set()
        but |= {"hints", "left"} if bench.accused else set()  # it is judged anew
        over = {"roll"} if bench.node.complete else set()  # the last one, pale: who rolled is done
        self.same(before, self.stands(), "restart", but | over | {"last", "position"})

    def undo(self) -> None:
        """Something by hand, and back."""
        self.step()
        before, bench = self.stands(), self.bench
        dice = [self.rng.randint(1, 6) for _ in range(self.rng.choice((1, 2)))]
        name = self.rng.choice(("accept", "correct", "position"))
        words = {"correct": {"dice": dice}, "position": {"state": self.some_state()}}.get(name, {})
        if self.act(name, **words) and not bench.early:
            self.act("undo")
            self.same(before, self.stands(), f"undone {name}", set())
            if replace(self.bench, stillness=bench.stillness) != bench:
                self.bad(f"undone {name}: the referee believes something else than before")

    def some_state(self) -> dict[str, Any]:
        """A position to be set, which may be none."""
        state: dict[str, Any] = json.loads(json.dumps(self.service.state()))
        if self.rng.random() < 0.5:
            state = dict(self.bench.game.to_json(midgame(self.bench.game, self.rng)))
        if self.rng.random() < 0.3:
            odd = self.rng.choice((None, [], {}, "x", -1, 10**30, True, [[1]], {"0": [1]}, {"9": [-1] * 4}))
            state[self.rng.choice(sorted(state))] = odd
        return state

    # --- anything ---

    def anything(self) -> None:
        """One thing that people may do."""
        ways = (self.word,) * 5 + (self.play, self.live_on) * 3 + (self.shove, self.set_up, self.undo) * 2
        self.rng.choice((*ways, self.restart, self.device, self.device, self.button))()
        self.clock.time += self.rng.choice((0.0, 0.1, 0.3, 0.3, 3600.0))

    def live_on(self) -> None:
        self.live(self.rng.choice((0.2, 1.0, 3.0)))

    def button(self) -> None:
        self.service.parts.presses.put(self.rng.choice(list(Press)))
        self.clock.time += 0.7
        self.step()

    def device(self) -> None:
        """Dice and camera do what they do."""
        now = self.clock.now()
        match self.rng.randrange(5):
            case 0:
                self.camera.state = self.rng.choice(("ok", "ok", "its cable is out"))
            case 1:
                self.dark = not self.dark
            case 2:
                self.box.events.put(self.rng.choice((LinkLost(now, "The dice are away."), BoxNoticed(now, "stuck"))))
            case _:
                self.box.events.put(LinkReady(now, BOX, self.box.last))
                self.step()
                self.box.press(self.rng, now)
        self.step()

    def word(self) -> None:
        """A phone asks for something, perhaps twice, perhaps late."""
        view, rng = self.service.view(), self.rng
        often = ("roll", "confirm", "takeback", "undo", "answer", "declare", "challenge")
        name = rng.choice((*view.actions, *view.actions, *often))
        if name in ("stop", "newgame") and rng.random() < 0.8:
            return
        count = rng.choice(view.dice or (1, 2, 3))
        words: dict[str, Any] = {
            "roll": {"dice": [rng.randint(1, 6) for _ in range(count)]},
            "correct": {"dice": [rng.randint(1, 6) for _ in range(rng.choice((1, 2)))]},
            "answer": {"right": rng.random() < 0.6},
            "declare": {"seat": rng.choice(view.partners or (0,))},
            "challenge": {"space": rng.choice((*view.targets, ""))},
            "dice": {"count": rng.randint(1, 3)},
            "position": {"state": self.some_state()},
            "newgame": rng.choice(({}, {"first": self.game.seats[0]}, {"seats": list(self.game.seats[:2])})),
        }.get(name, {})
        mark = {"mark": view.marks.get(name, "")} if rng.random() < 0.3 else {}
        for _ in range(rng.choice((1, 1, 1, 2))):
            self.act(name, **words, **mark)
        if name == "newgame":
            self.service.lookout.eyes = TrueEyes(self)

    # --- and then ---

    def good_people(self) -> None:
        """Whatever was done, who does as the page says gets on, and nobody is accused."""
        self.camera.state, self.dark = "ok", False
        self.log.append("=== good people")
        if self.bench.due.kind is DueKind.OVER:
            self.act("newgame")
        self.service.lookout.eyes = TrueEyes(self)
        self.set_up()
        self.live(5)
        self.honest = True
        done = waited = 0
        while done < 8 and waited < 7 and self.bench.due.kind is not DueKind.OVER:
            before = self._progress()
            self._as_due(waited)
            self.live(0.5)
            moved = self._progress() != before
            done, waited = done + moved, 0 if moved else waited + 1
        if waited == 7:
            self.bad(f"nobody gets on: {self.service.view().headline}")

    def _progress(self) -> tuple[object, ...]:
        desk = self.service.desk
        return desk.number, desk.bench.due, desk.bench.state, desk.rolls, desk.asked, len(desk.bench.early)

    def _as_due(self, waited: int) -> None:
        bench, view = self.bench, self.service.view()
        if bench.trouble is not None or (bench.setting_up and bench.rolloff is None):
            self.set_up()
            self.live(4)
            if self.bench.setting_up and waited > 2:
                self.act("confirm")
            return
        match bench.due.kind:
            case DueKind.ROLL | DueKind.THROW:
                self.act("roll", dice=[self.rng.randint(1, 6) for _ in range(max(view.dice, default=0))])
            case DueKind.QUESTION:
                self.act("answer", right=True)
            case DueKind.DECLARATION:
                self.act("declare", seat=view.partners[0])
            case DueKind.CHALLENGE:
                self.act("confirm")
                if waited > 2:  # where moves may have been made unseen "done" may be one more: whoever moves is seen
                    self.play()
                    self.live(4)
            case _:
                self.play()
                self.live(4)
                self.clock.time += 5
                self.act("confirm")

    def run(self, steps: int) -> list[str]:
        """So many things, then what must be. Returns what must not."""
        complaints = Complaints(self.bad)
        logging.getLogger().addHandler(complaints)
        try:
            for _ in range(steps):
                if not self.found:
                    self.anything()
            for last in (self.good_people, self.judged_again):
                if not self.found:
                    last()
        except Exception:
            self.bad(traceback.format_exc())
        finally:
            logging.getLogger().removeHandler(complaints)
            self.service.close()
        return self.found

    def judged_again(self) -> None:
        """The journal's verdicts are those of today."""
        for game in self.service.parts.journal.games():
            *said, last = rejudge(self.service.parts.journal, game)
            if last != "The same verdicts as then." or any("could not be judged" in line for line in said):
                self.bad(f"game {game.id} judged again: {last}")


def main() -> None:
    """By command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="", choices=("", *SETTINGS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--log", action="store_true")
    words = parser.parse_args()
    for seed in range(words.seed, words.seed + words.count):
        for name in [words.of] if words.of else SETTINGS:
            with tempfile.TemporaryDirectory() as folder:
                party = Party(Path(folder), name, seed)
                found = party.run(words.steps)
            print("\n".join([f"{name} {seed}: {len(found)}", *(party.log if words.log else found[:3])]))


if __name__ == "__main__":
    main()
