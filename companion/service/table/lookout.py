"""The lookout: pictures of the camera are looked at, told to the referee where they are news, and kept as evidence."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

import cv2

from companion.camera import FROZEN, OK, Camera, Frame, Image
from companion.games.contract import Game
from companion.model import (
    BoardLost,
    BoardSeen,
    CompanionError,
    ImageError,
    Kind,
    Position,
    Saw,
    Sighting,
    Verdict,
)
from companion.service.boards.configured import of_game
from companion.service.table.desk import Desk
from companion.service.table.eyes import Eyes
from companion.service.table.notices import TROUBLES
from companion.service.table.parts import Parts
from companion.service.table.thinning import MOVING, Thinner
from companion.service.table.throws import Tell, Throws
from companion.vision.finding.shown import Shown

LOG = logging.getLogger(__name__)
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 80]
BLIND_AFTER = 3.0
"""Seconds without a picture of a camera that gave some, after which the board cannot be seen."""
UNWATCHED_AFTER = 10.0
"""Seconds without a first picture of a camera that is wanted, after which it is said that nobody watches."""
NEVER_CAME = (
    "The camera gives no pictures: is its cable in? Until it does nobody watches the board; say on the phone where the "
    "pieces stand (More, Set the position)."
)
NO_CAMERA = "The camera gives no pictures any more: is it plugged in? Meanwhile use “Set the position”."
FROZEN_CAMERA = "The camera shows the same frozen picture again and again: pull its plug, and put it back."
SHOWN = (Kind.LEGAL, Kind.PARTIAL, Kind.ILLEGAL, Kind.UNCLEAR)
"""Verdicts beside which the board is shown as it lay before and after."""


class Lookout:
    """The camera of a service: its loop asks and is told, in its thread; `live` and `show_board` from any.

    desk: of the game that is played. tell, say: to the referee, and to the table. sighting: what was seen last; None
    before. trouble: why the last picture could not be looked at, "" if it could.
    """

    def __init__(
        self, parts: Parts, throws: Throws, desk: Callable[[], Desk], tell: Tell, say: Callable[[str], None]
    ) -> None:
        self.parts, self.throws = parts, throws
        self.eyes = Eyes(of_game(parts.scene, desk().bench.game), parts.shown)
        self.sighting: Sighting | None = None
        self.trouble = ""
        self._desk, self._tell, self._say = desk, tell, say
        self._thinner = Thinner()
        self._shown: queue.SimpleQueue[Shown | None] = queue.SimpleQueue()
        self._frame: Frame | None = None
        self._still: tuple[Frame, Position] | None = None
        self._looking = threading.Lock()
        self._live: tuple[tuple[Frame, Sighting | None] | None, bytes] = (None, b"")
        self._blind_told = float("-inf")
        self._unwatched_from = parts.clock.now() + UNWATCHED_AFTER
        if parts.recorder is not None and parts.shown is not None:
            parts.recorder.shown(parts.clock.now(), parts.shown.showing)

    @property
    def _now(self) -> float:
        return self.parts.clock.now()

    # --- looking ---

    def look(self) -> bool:
        """Look at the newest picture, if there is one. Returns whether anything came of it."""
        self._be_shown()
        camera = self.parts.camera
        frame = camera.newest(self._frame.at if self._frame else None) if camera else None
        if frame is None or (camera is not None and camera.state == FROZEN):
            return self._blind(camera)
        self._frame = frame
        try:
            sighting = self.eyes.look(frame.image, frame.at)
            self.trouble = ""
        except ImageError as error:
            self.trouble = str(error)
            return True
        told = self._thinner.worth(sighting)
        if self.parts.recorder is not None:
            self.parts.recorder.frame(frame, busy=told)
        self.sighting = sighting
        if told:
            self._tell(Saw(frame.at, sighting))
            self._keep_still(frame, sighting)
        self.throws.look(frame, self.eyes.pose)
        return True

    def asked_for(self) -> None:
        """The next look is told, whether it is news or not."""
        self._thinner.asked_for()

    def begin_anew(self, game: Game[Any]) -> None:
        """From now on the same board is watched for another game."""
        self.eyes.watch(of_game(self.parts.scene, game))
        self._still = None
        self._thinner = Thinner()

    def show_board(self, shown: Shown | None) -> None:
        """Somebody showed where the board lies; None: the eyes look for it by themselves again. From any thread."""
        self._shown.put(shown)

    def _be_shown(self) -> None:
        while not self._shown.empty():
            shown = self._shown.get()
            self.eyes.show(shown)
            if self.parts.recorder is not None:
                self.parts.recorder.shown(self._now, None if shown is None else shown.showing)

    # --- a camera that gives nothing ---

    def _blind(self, camera: Camera | None) -> bool:
        """A camera that gives no pictures any more is said like a board that cannot be seen; the game waits for it."""
        if camera is None or camera.state == OK:
            return False
        self.throws.unwatched()
        if self._desk().bench.blind:
            return False
        if self._frame is None:
            return self._never_watched()
        told = max(self._frame.at + BLIND_AFTER, self._blind_told + MOVING)
        if self._now < told:
            return False
        self._blind_told = self._now
        self._tell(Saw(self._now, BoardLost(self._now, FROZEN_CAMERA if camera.state == FROZEN else NO_CAMERA)))
        return True

    def _never_watched(self) -> bool:
        """A camera that never came leaves the game to the phones, which is said once."""
        if self._now < self._unwatched_from:
            return False
        self._unwatched_from = float("inf")
        self._say(NEVER_CAME)
        return True

    # --- pictures for players ---

    @property
    def fresh(self) -> Frame | None:
        """The last picture, but not what a camera showed that gives none any more, or always the same."""
        camera, frame = self.parts.camera, self._frame
        if frame is not None and camera is not None and camera.state != OK and self._now > frame.at + BLIND_AFTER:
            return None
        return frame

    def seen_now(self) -> Image | None:
        """What the camera sees now, uint8 BGR, with less noise where the eyes know how; None where it sees nothing."""
        frame = self.fresh
        return None if frame is None else self.eyes.cleared(frame.image)

    def live(self) -> bytes | None:
        """What the camera sees as JPEG, with what was read drawn over it: made once for all. From any thread."""
        with self._looking:
            frame, sighting = self.fresh, self.sighting
            if frame is None:
                return None
            of, picture = self._live
            if of is None or of[0] is not frame or of[1] is not sighting:
                picture = _jpeg(frame.image if sighting is None else self.eyes.draw(frame.image))
                self._live = (frame, sighting), picture
            return picture

    def keep(self, verdict: Verdict) -> tuple[str | None, str | None]:
        """Keep the board before and after a play or foul beside the journal. Returns the pictures' names."""
        frame, seen = self._frame, self.sighting
        if frame is None or verdict.kind not in SHOWN:
            return None, None
        still = self._before(verdict)
        before = None if still is None else self._kept(still, "before")
        after = self._kept(frame, "after")
        if verdict.kind in (Kind.LEGAL, Kind.PARTIAL) and isinstance(seen, BoardSeen):
            self._still = frame, self._desk().bench.position
        return before, after

    def _before(self, verdict: Verdict) -> Frame | None:
        """What was kept, if it shows how the board lay before: of a foul not a play that was taken back since."""
        if self._still is None or (verdict.kind in TROUBLES and self._still[1] not in self._desk().bench.trail):
            return None
        return self._still[0]

    def _keep_still(self, frame: Frame, sighting: Sighting) -> None:
        """A board that lies as it should is what the picture of a foul is shown beside; one with nothing over it, for
        beneath a hand the foul may be under way."""
        position = self._desk().bench.position
        if not isinstance(sighting, BoardSeen) or sighting.moving or not lies_so(sighting, position):
            return
        first = self._still is None or self._still[1] != position
        if first or not any(seen.covered for seen in sighting.spaces.values()):
            self._still = frame, position

    def _kept(self, frame: Frame, what: str) -> str | None:
        try:
            return self.parts.pictures.keep(self._desk().number, frame.at, _jpeg(frame.image), what)
        except (CompanionError, ValueError) as error:
            LOG.warning("%s", error)
            return None

    def picture(self, name: str) -> bytes | None:
        """A kept picture; None also where it was given up just now, since others needed its room. From any thread."""
        path = self.parts.pictures.path(name)
        with contextlib.suppress(FileNotFoundError):
            return path.read_bytes() if path else None
        return None


def lies_so(seen: BoardSeen, position: Position) -> bool:
    """Whether all that can be seen of a board stands as in that position."""
    return all(s.covered or sorted(s.content) == sorted(position.at(name)) for name, s in seen.spaces.items())


def _jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, JPEG)[1])
