"""Cameras that run: a thread reads, the newest frame wins, and what was unplugged comes back by itself."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import cv2
import numpy as np

from companion.camera.frame import OK, Frame, Health, Image
from companion.camera.holding import Holding, PicameraHold, V4L2Hold
from companion.model import DeviceError

LOG = logging.getLogger(__name__)
AGAIN_FIRST, AGAIN_MOST = 0.5, 5.0
"""Seconds until a lost camera is tried again, and at most."""
FAILURES = 5
"""Reads in a row that give nothing before the camera is taken for lost."""
SILENT = 3.0
"""Seconds without a frame after which the camera is said to be silent."""
CLOSE_WAIT = 1.0


class Capture(Protocol):
    """An open camera."""

    def read(self) -> Image | None:
        """The next picture, uint8 BGR; None where there is none. May block. May raise OSError."""

    def release(self) -> None:
        """Let the camera go."""


class Hold(Protocol):
    """Holds a camera's exposure, colours and focus, and lets them go."""

    def hold(self) -> tuple[str, ...]:
        """Hold what can be held; the names of that."""

    def let_go(self) -> None:
        """Let the camera adjust itself again."""


class LiveCamera:
    """A camera read by a thread of its own. name: for people.

    opener: opens it, or raises OSError (DeviceError is one). clock: seconds, for the frames' times.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], Capture],
        clock: Callable[[], float] = time.monotonic,
        again: float = AGAIN_FIRST,
    ) -> None:
        self.name = name
        self._opener, self._clock, self._first_wait = opener, clock, again
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._held: tuple[str, ...] = ()
        self._state = f"{name} has not given a picture yet"
        self._seen = clock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> str:
        """ "ok", or what is wrong."""
        with self._changed:
            if self._state == OK and self._clock() - self._seen > SILENT:
                return f"{self.name} gives no pictures"
            return self._state

    @property
    def held(self) -> tuple[str, ...]:
        """What of the camera is held now: "exposure", "white balance", "focus", "gain"."""
        return self._held

    def newest(self, after: float | None = None) -> Frame | None:
        """The newest frame, if it is later than `after`."""
        with self._changed:
            frame = self._frame
        return frame if frame and (after is None or frame.at > after) else None

    def frames(self) -> Iterator[Frame]:
        """Each time the newest, until the camera is closed. Waits for frames."""
        after: float | None = None
        while not self._ending.is_set():
            frame = self.newest(after)
            if frame is None:
                with self._changed:
                    self._changed.wait(0.1)
            else:
                after = frame.at
                yield frame

    def close(self) -> None:
        """End. A read that hangs is left to itself: its thread ends with it, or with the program."""
        self._ending.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(CLOSE_WAIT)

    def _run(self) -> None:
        wait = self._first_wait
        while not self._ending.is_set():
            if self._session():
                wait = self._first_wait
            self._ending.wait(wait)
            wait = min(AGAIN_MOST, wait * 2)

    def _session(self) -> bool:
        """From opening to loss. Returns whether there were pictures."""
        try:
            capture = self._opener()
        except OSError as error:
            self._say(str(error))
            return False
        try:
            return self._read_on(capture)
        except OSError as error:
            self._say(f"{self.name} was lost: {error}")
            return True
        finally:
            capture.release()

    def _read_on(self, capture: Capture) -> bool:
        health, holding, failures, pictures = Health(), Holding(), 0, False
        self._held = ()
        while failures < FAILURES and not self._ending.is_set():
            image = capture.read()
            if image is None:
                failures += 1
                self._ending.wait(0.02)
                continue
            failures, pictures = 0, True
            frame = Frame(self._clock(), image)
            state = health.note(frame)
            with self._changed:
                self._frame, self._seen, self._state = frame, frame.at, state
                self._changed.notify_all()
            self._hold(getattr(capture, "controls", None), holding.note(frame))
        self._say(f"{self.name} gives no pictures: is it unplugged?")
        return pictures

    def _hold(self, controls: Hold | None, wanted: bool | None) -> None:
        """Hold the camera or let it go, if that is wanted and it can. What fails is left as it is."""
        if controls is None or wanted is None:
            return
        try:
            if wanted:
                self._held = controls.hold()
            else:
                controls.let_go()
                self._held = ()
        except (OSError, RuntimeError, cv2.error) as error:
            LOG.warning("%s cannot be held: %s", self.name, error)

    def _say(self, state: str) -> None:
        with self._changed:
            self._state = state


class V4L2Capture:
    """A camera of the Video4Linux kind through OpenCV. Raises DeviceError."""

    def __init__(
        self, device: str, size: tuple[int, int], fps: int, make: Callable[..., Any] = cv2.VideoCapture
    ) -> None:
        self._video = make(device, cv2.CAP_V4L2)
        if not self._video.isOpened():
            self._video.release()
            raise DeviceError(f"no pictures from {device}: is it used by another program?")
        # the pixel format first: size and rate are rounded to what the format in force can do
        self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._video.set(cv2.CAP_PROP_FPS, fps)
        self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.controls = V4L2Hold(self._video)

    def read(self) -> Image | None:
        """The next picture."""
        good, image = self._video.read()
        return np.asarray(image, dtype=np.uint8) if good else None

    def release(self) -> None:
        """Close the device."""
        self._video.release()


class PicameraCapture:
    """A Raspberry Pi camera through Picamera2. Raises DeviceError, also where that is not installed."""

    def __init__(self, number: int, size: tuple[int, int], fps: int, make: Callable[..., Any] | None = None) -> None:
        try:
            self._camera = (make or _picamera2())(number)
            # "RGB888" means the bytes B, G, R in memory: what OpenCV wants
            main = {"size": size, "format": "RGB888"}
            settings = self._camera.create_video_configuration(main=main, controls={"FrameRate": fps})
            self._camera.configure(settings)
            self._camera.start()
            self.controls = PicameraHold(self._camera)
        except DeviceError:
            raise
        except Exception as error:  # libcamera raises RuntimeError, IndexError and others
            raise DeviceError(
                f"no Raspberry Pi camera {number}: {error}. Is its cable in? Try: rpicam-hello"
            ) from error

    def read(self) -> Image | None:
        """The next picture."""
        try:
            return np.asarray(self._camera.capture_array("main"), dtype=np.uint8)
        except RuntimeError as error:
            raise DeviceError(str(error)) from error

    def release(self) -> None:
        """Stop and close."""
        self._camera.stop()
        self._camera.close()


def _picamera2() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError("a Raspberry Pi camera needs Picamera2: sudo apt install python3-picamera2") from error
    return Picamera2
