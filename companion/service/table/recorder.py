"""Record a game as it is seen: frames and events in the folder format that `companion replay` reads."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import cv2

from calibration.board_files import LANDMARKS, PHOTO, SHEET
from calibration.files import write_whole
from companion.camera import Frame, Image
from companion.journal import Game, word_to_json
from companion.journal.export import event, recording
from companion.model import BadInput, DeviceError, Seat, Sheet, Word, sheet_to_json
from companion.service.boards.pointing import to_json
from companion.service.scratch import free_name
from companion.vision import Scene
from companion.vision.finding.shown import Showing
from companion.vision.view.pose import Pose

LOG = logging.getLogger(__name__)
PACE = 0.2
"""Seconds between two recorded frames; of a still board one in STILL seconds."""
STILL = 1.0
SHOWN = "shown"
"""What a line of events.jsonl holds that is said to the eyes, not to the referee."""
TEXTURE = "texture.png"
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 88]


class Recorder:
    """Writes one game into `folder`. A disk that is full ends the recording, not the game.

    Raises DeviceError where nothing can be written from the beginning.
    """

    def __init__(self, folder: Path, game: Game, scene: Scene) -> None:
        self.folder, self._game, self._scene = folder, game, scene
        self._last = -STILL
        self._showing: Showing | None = None
        self.trouble = ""
        try:
            self._begin(scene)
        except OSError as error:
            raise DeviceError(f"{folder}: {error.strerror}; record to a folder that can be written") from error

    def _begin(self, scene: Scene) -> None:
        """What a recording is of: written once, but for who begins."""
        (self.folder / "frames").mkdir(parents=True, exist_ok=True)
        (self.folder / "events.jsonl").touch()
        self._board = record_board(scene, self.folder)
        self._head()

    def _head(self, won: Seat | None = None) -> None:
        """recording.json. won: who won the throws for who begins, if that is known."""
        text = json.dumps(recording(self._game, won) | self._board, indent=1)
        write_whole(self.folder / "recording.json", f"{text}\n".encode())

    def begins(self, seat: Seat) -> None:
        """Who won the throws for who begins: for readers that know of no throws."""
        self._try(lambda: self._head(seat))

    def frame(self, frame: Frame, busy: bool) -> None:
        """A frame was looked at. busy: something is going on."""
        if frame.at - self._last < (PACE if busy else STILL):
            return
        self._last = frame.at
        jpeg = cv2.imencode(".jpg", frame.image, QUALITY)[1].tobytes()
        path = self.folder / "frames" / f"{round(frame.at * 1000):08d}.jpg"
        self._try(lambda: write_whole(path, jpeg, lasting=False))

    def word(self, word: Word) -> None:
        """The referee was told something other than a sighting."""
        line = json.dumps(event(word_to_json(word), self._game))
        self._try(lambda: self._append(line))

    def shown(self, at: float, showing: Showing | None) -> None:
        """Somebody showed where the board lies, or lets it be looked for again."""
        self._showing, name = showing, f"shown-{round(at * 1000):08d}.png"
        line = json.dumps({"t": at, SHOWN: showing and to_json(showing, name)})
        if showing is not None:
            self._try(lambda: _picture(self.folder / name, showing.picture))
        self._try(lambda: self._append(line))

    def anew(self, game: Game, at: float) -> Recorder:
        """What records the game that begins now, to a folder of its own; where it cannot, no more is recorded."""
        try:
            recorder = Recorder(beside(self.folder), game, self._scene)
        except DeviceError as error:
            self._ends(str(error))
            return self
        if self._showing is not None:
            recorder.shown(at, self._showing)
        return recorder

    def _append(self, line: str) -> None:
        with (self.folder / "events.jsonl").open("a") as file:
            file.write(line + "\n")

    def _try(self, write: Any) -> None:
        if self.trouble:
            return
        try:
            write()
        except OSError as error:
            self._ends(error.strerror)

    def _ends(self, why: str | None) -> None:
        self.trouble = f"the recording ends here: {why}"
        LOG.error("%s: %s", self.folder, self.trouble)


def beside(folder: Path) -> Path:
    """The first folder beside a recording's where another can be written: NAME-2, NAME-3 …"""
    return free_name(folder.resolve(), 2)


def check_new(folder: Path) -> None:
    """Raises BadInput where the folder of a new recording holds something already, DeviceError where it is closed."""
    try:
        taken = folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise DeviceError(f"{folder}: {error.strerror}; record to a folder that can be written") from error
    if taken:
        raise BadInput(f"{folder}: a recording needs a new or an empty folder; name another")


def record_board(scene: Scene, folder: Path) -> dict[str, str]:
    """Write the sheet, its picture and, where there is one, the photo with its landmarks. Returns what recording.json
    says of them. Raises OSError."""
    said = {"sheet": SHEET}
    texture = scene.printed if scene.photo is not None else scene.empty
    if scene.photo is not None and scene.pose is not None:
        said |= {"reference": PHOTO}
        _picture(folder / PHOTO, scene.photo)
        _json(folder / LANDMARKS, {"landmarks": _landmarks(scene.sheet, scene.pose)})
    if texture is not None:
        _picture(folder / TEXTURE, texture)
    _json(folder / SHEET, sheet_to_json(scene.sheet) | {"texture": None if texture is None else TEXTURE})
    return said


def _json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, indent=1) + "\n")


def _picture(path: Path, picture: Image) -> None:
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def _landmarks(sheet: Sheet, pose: Pose) -> list[dict[str, Any]]:
    """Where places of the board lie in the photo of it empty, as `load_scene` reads them."""
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    places = [(x * sheet.width, y * sheet.height) for y in shares for x in shares]
    pixels = pose.project(places).tolist()
    return [{"x_mm": x, "y_mm": y, "px": px} for (x, y), px in zip(places, pixels, strict=True)]
