"""A ring of samples that one process fills with new ones while another learns from it."""

from __future__ import annotations

from collections import deque
from multiprocessing import get_context
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dice_net.drawn import drawn_tray
from calibration.dice_net.mistakes import Mistake, mistakes
from calibration.dice_net.samples import a_sample, sample_at
from calibration.dice_net.truth import Shown
from companion.vision.dice.net import SIDE

_ROOM = 60_000  # samples
_DRAWN = 1500  # drawn trays that are kept
_FIRST, _NEW, _EACH = 20, 3, 150  # trays drawn at first, then each time; samples taken before the next are drawn
_CAST = 0.55  # of the samples that are taken from cast trays
_WRONG, _MISTAKES = 0.2, 4000  # of the samples that are of mistakes; as many of them are kept
_LEANING = 0.3  # of the samples of tops, of dice that lean, where some do
_PICTURE = SIDE * SIDE * 3


class Pool:
    """Samples in memory that two processes share. cast: trays that were cast before; drawn ones are made on the way."""

    def __init__(self, cast: list[Shown], seed: int) -> None:
        self._memory = SharedMemory(create=True, size=_ROOM * (_PICTURE + 12))
        fresh = get_context("spawn")  # OpenCV's threads do not survive a fork
        self._made = fresh.Value("q", 0)
        self._filler = fresh.Process(target=_fill, args=(self._memory.name, self._made, cast, seed), daemon=True)
        self._filler.start()

    @property
    def made(self) -> int:
        """How many samples were ever made."""
        return int(self._made.value)

    def some(self, count: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Planes as the net is shown them, but (count, SIDE, SIDE, 5), a little brighter or darker; what they show."""
        pictures, told = _rooms(self._memory)
        rows = np.sort(rng.integers(0, min(self.made, _ROOM), count))
        planes = np.empty((count, SIDE, SIDE, 5), np.float32)
        gain = np.exp(rng.normal(0, 0.1, (count, 1, 1, 3))).astype(np.float32)
        planes[..., :3] = np.minimum(pictures[rows] / np.float32(255) * gain, 1) - 0.5
        planes[..., 3:] = told[rows, None, None, :2]
        return planes, told[rows, 2].astype(np.int64)

    def close(self) -> None:
        """Ends the filling."""
        self._filler.terminate()
        self._filler.join()
        self._memory.close()
        self._memory.unlink()


def _rooms(memory: SharedMemory) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """The pictures, (room, SIDE, SIDE, 3), and lean, known and what is shown, (room, 3)."""
    pictures = np.ndarray((_ROOM, SIDE, SIDE, 3), np.uint8, memory.buf)
    return pictures, np.ndarray((_ROOM, 3), np.float32, memory.buf, _ROOM * _PICTURE)


def _fill(name: str, made: Any, cast: list[Shown], seed: int) -> None:
    cv2.setNumThreads(1)
    memory, rng = SharedMemory(name), np.random.default_rng(seed)
    pictures, told = _rooms(memory)
    drawn = [drawn_tray(rng) for _ in range(_FIRST)]
    wrong: deque[Mistake] = deque(maxlen=_MISTAKES)
    while True:
        for _ in range(_NEW):
            new = drawn_tray(rng)
            if len(drawn) < _DRAWN:
                drawn.append(new)
            else:
                drawn[int(rng.integers(_DRAWN))] = new
        for trays in (cast, drawn):
            wrong.extend(mistakes(trays[int(rng.integers(len(trays)))], rng) if trays else [])
        for _ in range(_EACH):
            sample = None
            if wrong and rng.random() < _WRONG:
                sample = sample_at(*wrong[int(rng.integers(len(wrong)))], rng)
            if sample is None:
                sample = a_sample(cast if cast and rng.random() < _CAST else drawn, rng, _LEANING)
            row = made.value % _ROOM
            pictures[row], told[row] = sample.picture, (sample.lean, sample.known, sample.shows)
            made.value += 1
