"""Record a game as it is seen: frames and events in the folder format that `companion replay` reads."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import cv2

from companion.camera import Frame
from companion.journal import Game, word_to_json
from companion.journal.export import event, recording
from companion.model import DeviceError, Sheet, Word, sheet_to_json
from companion.service.pointing import to_json
from companion.vision.shown import Showing

LOG = logging.getLogger(__name__)
PACE = 0.2
"""Seconds between two recorded frames; of a still board one in STILL seconds."""
STILL = 1.0
SHOWN = "shown"
"""What a line of events.jsonl holds that is said to the eyes, not to the referee."""
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 88]


class Recorder:
    """Writes one game into `folder`. A disk that is full ends the recording, not the game.

    Raises DeviceError where nothing can be written from the beginning.
    """

    def __init__(self, folder: Path, game: Game, sheet: Sheet, texture: Any) -> None:
        self.folder, self._game = folder, game
        self._last = -STILL
        self.trouble = ""
        try:
            self._begin(game, sheet, texture)
        except OSError as error:
            raise DeviceError(f"{folder}: {error.strerror}; record to a folder that can be written") from error

    def _begin(self, game: Game, sheet: Sheet, texture: Any) -> None:
        """What a recording is of: written once."""
        folder = self.folder
        (folder / "frames").mkdir(parents=True, exist_ok=True)
        data = recording(game) | {"sheet": "sheet.json"}
        (folder / "recording.json").write_text(json.dumps(data, indent=1) + "\n")
        board = sheet_to_json(sheet) | {"texture": "texture.png"}
        (folder / "sheet.json").write_text(json.dumps(board, indent=1) + "\n")
        (folder / "texture.png").write_bytes(cv2.imencode(".png", texture)[1].tobytes())

    def frame(self, frame: Frame, busy: bool) -> None:
        """A frame was looked at. busy: something is going on."""
        if frame.at - self._last < (PACE if busy else STILL):
            return
        self._last = frame.at
        jpeg = cv2.imencode(".jpg", frame.image, QUALITY)[1].tobytes()
        self._try(lambda: (self.folder / "frames" / f"{round(frame.at * 1000):08d}.jpg").write_bytes(jpeg))

    def word(self, word: Word) -> None:
        """The referee was told something other than a sighting."""
        line = json.dumps(event(word_to_json(word), self._game))
        self._try(lambda: self._append(line))

    def shown(self, at: float, showing: Showing | None) -> None:
        """Somebody showed where the board lies, or lets it be looked for again."""
        name = f"shown-{round(at * 1000):08d}.png"
        line = json.dumps({"t": at, SHOWN: showing and to_json(showing, name)})
        if showing is not None:
            png = cv2.imencode(".png", showing.picture)[1].tobytes()
            self._try(lambda: (self.folder / name).write_bytes(png))
        self._try(lambda: self._append(line))

    def _append(self, line: str) -> None:
        with (self.folder / "events.jsonl").open("a") as file:
            file.write(line + "\n")

    def _try(self, write: Any) -> None:
        if self.trouble:
            return
        try:
            write()
        except OSError as error:
            self.trouble = f"the recording ends here: {error.strerror}"
            LOG.error("%s: %s", self.folder, self.trouble)

