"""A service for tests: the real loop, vision and journal over a pretend table whose clock the test moves."""

from __future__ import annotations

import copy
import random
import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from companion.decks import Question
from companion.games.catalogue import game_for
from companion.journal import Pictures, open_journal
from companion.model import Seat, Verdict
from companion.model.table import Action, Answer
from companion.service.boards.configured import of_game, printed_board
from companion.service.clock import Clock
from companion.service.naming import board_names
from companion.service.table.desk import Desk
from companion.service.table.loop import Service
from companion.service.table.parts import Parts
from companion.virtual.camera import PretendCamera
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import Scene, make_scene

PLAYERS = [0, 2]
VIEW = View(width=960, height=720, tilt=15, noise=1.5)


@lru_cache(maxsize=2)
def scene_of(game: str) -> Scene:
    """A printed board as the eyes know it: tables share it, for what it holds is long in the making."""
    return of_game(make_scene(*printed_board(game)[:2]), game_for(game, PLAYERS, {}))


@lru_cache(maxsize=2)
def _painter(game: str, view: View) -> Painter:
    made = Painter(*printed_board(game)[:2], view, np.random.default_rng(1))
    assert made.base is not None, "the empty table is painted now"
    return made


def painter_of(game: str, view: View) -> Painter:
    """Paints a printed board on an empty table that is painted only once; each has its own chance and its own base."""
    return copy.deepcopy(_painter(game, view))


class HandClock(Clock):
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def move_to(self, seconds: float) -> None:
        self.time = seconds


BOARD = "the board on the table"


class TestTable:
    """Seats 0 and 2 of Parcheesi or another game, a pretend camera, no dice box, a journal in `folder`."""

    __test__ = False

    def __init__(
        self,
        folder: Path,
        pieces: Mapping[str, list[int]] | None = None,
        due: Seat = 0,
        game: str = "parcheesi",
        start: Mapping[str, Any] | None = None,
        questions: tuple[Question, ...] = (),
        members: Mapping[Seat, tuple[str, ...]] | None = None,
    ) -> None:
        self.folder, self.questions, self.members = folder, questions, members or {}
        self.game = game_for(game, PLAYERS, {})
        self.scene = scene_of(game)
        self.sheet = self.scene.sheet
        self.clock = HandClock()
        self.top = Tabletop(self.sheet, random.Random(1))
        self.camera = PretendCamera(self.top, painter_of(game, VIEW), self.clock.now, threading.Lock(), fps=5)
        self.verdicts: list[Verdict] = []
        state = self._state(pieces, due) if pieces else self.game.from_json(start) if start else None
        self.service = self.start(state)
        self.top.set_up(self.service.desk.bench.position)

    def _state(self, pieces: Mapping[str, list[int]], due: Seat) -> Any:
        data = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": due, "doublets": 0, "pieces": pieces}
        return self.game.from_json(data)

    def start(self, state: Any = None) -> Service:
        """A service as after switching on: the game that was left goes on, else one begins."""
        journal = open_journal(self.folder / "games.db")
        names = board_names(self.sheet, self.game.seats)
        desk = Desk.resume(journal, names) or Desk.new(journal, self.game, names, 0, BOARD, state)
        self.clock.move_to(max(self.clock.time, desk.last_time + 1))
        parts = Parts(
            sheet=self.sheet,
            scene=self.scene,
            journal=journal,
            pictures=Pictures(self.folder / "pictures"),
            clock=self.clock,
            camera=self.camera,
            hear=self.verdicts.append,
            questions=self.questions,
            members=self.members,
            board=BOARD,
        )
        self.service = Service(parts, desk)
        return self.service

    def live(self, seconds: float) -> list[str]:
        """Let time pass; the kinds of the verdicts meanwhile."""
        before = len(self.verdicts)
        for _ in range(round(seconds * 10)):
            self.clock.time += 0.1
            self.service.step()
        return [verdict.kind.value for verdict in self.verdicts[before:]]

    def ask(self, name: str, **words: Any) -> Answer:
        """An action from a phone, answered by the loop."""
        answers: list[Answer] = []
        thread = threading.Thread(target=lambda: answers.append(self.service.act(Action(name, **words))))
        thread.start()
        while thread.is_alive():
            self.service.step()
            thread.join(0.01)
        return answers[0]

    def move(self, seat: Seat, origin: str, target: str) -> None:
        """Move a pawn without a hand."""
        pawn = next(p for p in self.top.pawns if p.seat == seat and p.space == origin)
        self.top.pawns.remove(pawn)
        self.top.pawns.append(self.top.placed(seat, target))
