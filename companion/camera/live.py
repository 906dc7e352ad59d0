"""Cameras that run: a thread reads, the newest frame wins, and what was unplugged comes back by itself."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import cv2
import numpy as np

from companion.camera.address import place_of
from companion.camera.frame import OK, Frame, Health, Image, bgr_of
from companion.camera.holding import Holding, PicameraHold, V4L2Hold
from companion.model import FAILURES, DeviceError

LOG = logging.getLogger(__name__)
AGAIN_FIRST, AGAIN_MOST = 0.5, 5.0
"""Seconds until a lost camera is tried again, and at most."""
MISSED = 5
"""Reads in a row that give nothing before the camera is taken for lost."""
SILENT = 3.0
"""Seconds without a frame after which the camera is said to be silent, unless it is that slow: then after `LATE`."""
LATE = 2.0
"""Times as long as between the last two frames."""
STALLED = 12.0
"""Seconds that opening or reading may hang before that attempt is left to itself and another is made."""
MOST_HANGING = 3
"""Attempts that may hang at once; a thread that hangs in the kernel cannot be ended, only waited for."""
CLOSE_WAIT = 1.0
JPEG = b"\xff\xd8"
"""With what a picture of this kind begins."""


class Capture(Protocol):
    """An open camera."""

    def read(self) -> Image | None:
        """The next picture, uint8 BGR (grey, and a fourth channel, are put right); None where there is none. May block.

        What it raises is said on the page, and the camera opened again.
        """

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
    again, stalled: real seconds until a lost camera is tried again, and until one that hangs is.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], Capture],
        clock: Callable[[], float] = time.monotonic,
        again: float = AGAIN_FIRST,
        stalled: float = STALLED,
    ) -> None:
        self.name = name
        self._opener, self._clock, self._first_wait, self._stalled = opener, clock, again, stalled
        self._changed = threading.Condition()
        self._reader = self._attempt(None, f"{name} has not given a picture yet")
        self._hanging: list[threading.Thread] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> str:
        """ "ok", or what is wrong."""
        with self._changed:
            reader = self._reader
            state, frame, before = reader.state, reader.frame, reader.before
            patience = max(SILENT, min(LATE * reader.pace, self._stalled))
        if frame is not None and self._clock() - frame.at <= patience:
            return before  # a camera that gives a picture whenever it is opened anew gives pictures
        if state == OK and frame is not None:
            return f"{self.name} gives no pictures"
        return state

    @property
    def held(self) -> tuple[str, ...]:
        """What of the camera is held now: "exposure", "white balance", "focus", "gain"."""
        return self._reader.held

    def newest(self, after: float | None = None) -> Frame | None:
        """The newest frame, if it is later than `after`."""
        with self._changed:
            frame = self._reader.frame
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
        self._thread.join(2 * CLOSE_WAIT)

    def _run(self) -> None:
        wait = self._first_wait
        while not self._ending.is_set():
            if self._session():
                wait = self._first_wait
            self._ending.wait(wait)
            wait = min(AGAIN_MOST, wait * 2)

    def _session(self) -> bool:
        """From opening to loss, in a thread that is given up when it hangs. Returns whether there were pictures."""
        self._hanging = [thread for thread in self._hanging if thread.is_alive()]
        if len(self._hanging) >= MOST_HANGING:
            return False
        reader = self._reader = self._attempt(self._reader, self._reader.state)
        thread = threading.Thread(target=reader.run, name=f"{self.name} reader", daemon=True)
        thread.start()
        while thread.is_alive() and not self._ending.is_set():
            thread.join(0.05)
            if time.monotonic() - reader.progress > self._stalled:
                self._hanging.append(thread)
                self._reader = self._attempt(reader, f"{self.name} hangs: unplug it and plug it in again")
                break
        reader.unwanted.set()
        if self._ending.is_set():
            thread.join(CLOSE_WAIT)
        return reader.pictures

    def _attempt(self, last: _Reader | None, state: str) -> _Reader:
        """One more try; until it knows better, what was known before holds."""
        return _Reader(self.name, self._opener, self._clock, self._changed, last, state)


class _Reader:
    """One attempt: opens the camera and reads until it is lost, or until the attempt is unwanted.

    progress: when opening or reading last came back, of the monotonic clock. last: the attempt before. before: the
    state of the last picture. pace: seconds between its last two, 0 before there were two.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], Capture],
        clock: Callable[[], float],
        changed: threading.Condition,
        last: _Reader | None,
        state: str,
    ) -> None:
        self._name, self._opener, self._clock, self._changed = name, opener, clock, changed
        self.frame: Frame | None = None if last is None else last.frame
        self.before: str = OK if last is None else last.before
        self.state = state
        self.held: tuple[str, ...] = ()
        self.pictures = False
        self.pace = 0.0
        self.progress = time.monotonic()
        self.unwanted = threading.Event()

    def run(self) -> None:
        """Open, read, release; what goes wrong is said in `state`."""
        try:
            capture = self._opener()
        except FAILURES as error:  # whatever a driver raises: the page says it, and it is tried again
            self.state = _told(error)
            return
        self.progress = time.monotonic()
        try:
            self.state = self._read_on(capture)
        except FAILURES as error:
            self.state = f"{self._name} was lost: {_told(error)}"
        finally:
            with contextlib.suppress(*FAILURES):  # a camera that is gone cannot be let go
                capture.release()

    def _read_on(self, capture: Capture) -> str:
        """Read until there is nothing to read; why it ended."""
        health, holding, failures = Health(), Holding(), 0
        while failures < MISSED and not self.unwanted.is_set():
            image = capture.read()
            self.progress = time.monotonic()
            if image is None:
                failures += 1
                self.unwanted.wait(0.02)
                continue
            frame = Frame(self._clock(), bgr_of(image))
            state = health.note(frame)
            with self._changed:
                self.pace = frame.at - self.frame.at if self.pictures and self.frame is not None else 0.0
                self.frame, self.state, self.before = frame, state, state
                failures, self.pictures = 0, True
                self._changed.notify_all()
            self._hold(getattr(capture, "controls", None), holding.note(frame))
        return f"{self._name} gives no pictures: is it unplugged?"

    def _hold(self, controls: Hold | None, wanted: bool | None) -> None:
        """Hold the camera or let it go, if that is wanted and it can. What fails is left as it is."""
        if controls is None or wanted is None:
            return
        try:
            if wanted:
                self.held = controls.hold()
            else:
                controls.let_go()
                self.held = ()
        except FAILURES as error:  # whatever a driver raises: it gives pictures all the same
            LOG.warning("%s cannot be held: %s", self._name, _told(error))


def _told(error: BaseException) -> str:
    """An error for people; one that a driver did not mean for them with its kind."""
    known = isinstance(error, OSError | cv2.error) and str(error)
    return str(error) if known else f"{type(error).__name__}: {error}"


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
        """Let the camera adjust itself again, which else it would not do until its plug is pulled, and close it."""
        try:
            self.controls.let_go()
        finally:
            self._video.release()


class NetworkCapture:
    """A camera on the network, or an old phone that acts as one, through FFmpeg. Raises DeviceError."""

    def __init__(self, address: str, make: Callable[..., Any] = cv2.VideoCapture) -> None:
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
        self._make, self._address, self._patience = make, address, patience
        raw = [cv2.CAP_PROP_FORMAT, -1] if address.startswith(("http://", "https://")) else []
        self._video = self._opened(raw)
        self._raw, self._came = bool(raw), False

    def _opened(self, more: list[int]) -> Any:
        off = f"no pictures from {place_of(self._address)}: is that camera on, and on this network?"
        try:
            video = self._make(self._address, cv2.CAP_FFMPEG, [*self._patience, *more])
        except cv2.error:  # which may tell the whole address
            raise DeviceError(off) from None
        if not video.isOpened():
            video.release()
            raise DeviceError(off)
        return video

    def read(self) -> Image | None:
        """The next picture.

        JPEG pictures are asked for as they come: FFmpeg would squeeze those of a phone that was turned, or that sends
        smaller ones now, into the size of the first.
        """
        good, image = self._video.read()
        if not good:
            return None
        if not self._raw:
            return np.asarray(image, dtype=np.uint8)
        packet = np.asarray(image, dtype=np.uint8).reshape(-1)
        if bytes(packet[:2]) == JPEG:
            self._came = True
            whole = cv2.imdecode(packet, cv2.IMREAD_COLOR)
            return None if whole is None else np.asarray(whole, np.uint8)
        if not self._came:  # another kind of stream, which OpenCV decodes
            self._video.release()
            self._video, self._raw = self._opened([]), False
            return self.read()
        return None

    def release(self) -> None:
        """Close the connection."""
        self._video.release()


class PicameraCapture:
    """A Raspberry Pi camera through Picamera2. Raises DeviceError, also where that is not installed."""

    def __init__(self, number: int, size: tuple[int, int], fps: int, make: Callable[..., Any] | None = None) -> None:
        self._camera: Any = None
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
            with contextlib.suppress(Exception):
                self.release()
            raise DeviceError(
                f"no Raspberry Pi camera {number}: {error}. Is its cable in? Try: rpicam-hello"
            ) from error

    def read(self) -> Image | None:
        """The next picture."""
        try:
            return np.asarray(self._camera.capture_array("main"))
        except RuntimeError as error:
            raise DeviceError(str(error)) from error

    def release(self) -> None:
        """Stop and close: libcamera opens no camera a second time that was not closed."""
        if self._camera is None:
            return
        try:
            self._camera.stop()
        finally:
            self._camera.close()


def _picamera2() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise DeviceError("a Raspberry Pi camera needs Picamera2: sudo apt install python3-picamera2") from error
    return Picamera2
