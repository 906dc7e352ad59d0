"""Cameras that are pretended, and pictures that were kept."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.camera import Camera, Frame, Health, Image, LiveCamera, PictureFolder, VideoFile, open_camera
from companion.camera.frame import OK
from companion.camera.live import SILENT, PicameraCapture, V4L2Capture
from companion.model import DeviceError, ImageError

PATIENCE = 20.0


def picture(shade: int) -> Image:
    return np.full((48, 64, 3), shade, dtype=np.uint8)


def until(true: Callable[[], bool], what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, what()
        time.sleep(0.005)


class Pretend:
    """A capture that gives `pictures` (None: nothing), then does `then`: hang, unplug or raise."""

    def __init__(self, pictures: list[Image | None], then: str) -> None:
        self.pictures, self.then = list(pictures), then
        self.let_go = threading.Event()
        self.released = False

    def read(self) -> Image | None:
        if self.pictures:
            return self.pictures.pop(0)
        if self.then == "hang":
            self.let_go.wait(PATIENCE)
        if self.then == "raise":
            raise OSError("the cable is out")
        return None

    def release(self) -> None:
        self.released = True


@pytest.fixture
def live() -> Iterator[Callable[..., LiveCamera]]:
    made: list[tuple[LiveCamera, list[Pretend]]] = []

    def make(*captures: Pretend | OSError, clock: Callable[[], float] = time.monotonic) -> LiveCamera:
        queue = list(captures)

        def opener() -> Pretend:
            given = queue.pop(0) if queue else DeviceError("no camera at /dev/video0")
            if isinstance(given, OSError):
                raise given
            return given

        camera = LiveCamera("camera /dev/video0", opener, clock, again=0.01)
        made.append((camera, [c for c in captures if isinstance(c, Pretend)]))
        return camera

    yield make
    for camera, captures in made:
        for capture in captures:
            capture.let_go.set()
        camera.close()


def test_the_newest_frame_wins(live: Callable[..., LiveCamera]) -> None:
    camera = live(Pretend([picture(n) for n in (50, 60, 70)], "hang"))
    until(lambda: (f := camera.newest()) is not None and f.image[0, 0, 0] == 70, lambda: camera.state)
    frame = camera.newest()
    assert frame is not None and camera.state == "ok"
    assert camera.newest(frame.at) is None, "it is given once"
    assert camera.newest(frame.at - 1) is frame


def test_a_read_that_hangs_holds_up_nobody(live: Callable[..., LiveCamera]) -> None:
    now = [100.0]
    camera = live(Pretend([picture(90)], "hang"), clock=lambda: now[0])
    until(lambda: camera.newest() is not None, lambda: camera.state)
    assert camera.newest(100.0) is None
    now[0] += 10
    assert camera.state == "camera /dev/video0 gives no pictures"
    camera.close()
    assert camera.state


def test_unplugged_and_back(live: Callable[..., LiveCamera]) -> None:
    first, second = Pretend([picture(50)], "unplug"), Pretend([picture(60)], "raise")
    third = Pretend([picture(70)], "hang")
    camera = live(first, DeviceError("no camera at /dev/video0"), second, third)
    until(lambda: (f := camera.newest()) is not None and f.image[0, 0, 0] == 70, lambda: camera.state)
    assert first.released and second.released and not third.released
    assert camera.state == "ok"


def test_not_there_is_said(live: Callable[..., LiveCamera]) -> None:
    camera = live()
    until(lambda: camera.state == "no camera at /dev/video0", lambda: camera.state)
    assert camera.newest() is None


def test_unplugged_is_said(live: Callable[..., LiveCamera]) -> None:
    now = [100.0]
    camera = live(Pretend([picture(50)], "unplug"), Pretend([None] * 10, "hang"), clock=lambda: now[0])
    until(lambda: camera.newest() is not None, lambda: camera.state)
    now[0] += SILENT + 0.1
    until(lambda: camera.state.endswith("is it unplugged?"), lambda: camera.state)


def test_a_camera_that_is_opened_anew_for_each_picture_gives_pictures(live: Callable[..., LiveCamera]) -> None:
    """An address of single pictures: the page said that it gives none while the board was read, and was painted anew
    several times a second."""
    now = [100.0]
    camera = live(*(Pretend([picture(50 + n)], "unplug") for n in range(3)), clock=lambda: now[0])
    until(lambda: camera.newest() is not None and camera.newest().image[0, 0, 0] == 52, lambda: camera.state)
    assert camera.state == OK
    now[0] += SILENT + 0.1
    assert camera.state != OK


def test_a_slow_camera_gives_pictures(live: Callable[..., LiveCamera]) -> None:
    """One picture in four seconds: before each it was said to be unplugged, and no play was ever ruled."""
    now, slow = [100.0], Pretend([], "hang")
    slow.pictures = Arriving(now, [100.0, 104.0])
    camera = live(slow, clock=lambda: now[0])
    until(lambda: (f := camera.newest()) is not None and f.at == 104.0, lambda: camera.state)
    now[0] = 107.9
    assert camera.state == OK
    now[0] = 112.1
    assert camera.state == "camera /dev/video0 gives no pictures"


class Arriving(list[Image | None]):
    """Pictures at these times, to which the clock goes."""

    def __init__(self, now: list[float], times: list[float]) -> None:
        super().__init__(picture(50 + n) for n in range(len(times)))
        self._now, self._times = now, times

    def pop(self, index: Any = -1) -> Image | None:
        self._now[0] = self._times.pop(0)
        return super().pop(index)


def test_a_black_picture_is_said(live: Callable[..., LiveCamera]) -> None:
    camera = live(Pretend([picture(2)], "hang"))
    until(lambda: camera.newest() is not None, lambda: camera.state)
    assert camera.state == "black picture"


def test_frames_come_until_it_is_closed(live: Callable[..., LiveCamera]) -> None:
    camera = live(Pretend([picture(50)], "hang"))
    got = []
    for frame in camera.frames():
        got.append(frame)
        camera.close()
    assert len(got) == 1


def test_health() -> None:
    health = Health()
    rng = np.random.default_rng(1)
    noisy = [rng.integers(40, 60, (48, 64, 3)).astype(np.uint8) for _ in range(3)]
    assert [health.note(Frame(n * 4.0, image)) for n, image in enumerate(noisy)] == ["ok"] * 3
    assert health.note(Frame(12.0, noisy[2])) == "ok"
    assert health.note(Frame(13.0, noisy[2])) == "frozen picture"
    assert health.note(Frame(14.0, noisy[0])) == "ok"
    assert health.note(Frame(15.0, picture(0))) == "black picture"


class Video:
    """What cv2.VideoCapture would be."""

    def __init__(self, opened: bool) -> None:
        self.opened = opened
        self.set_: list[int] = []

    def isOpened(self) -> bool:
        return self.opened

    def set(self, key: int, value: Any) -> None:
        self.set_.append(key)

    def read(self) -> tuple[bool, Image | None]:
        return (True, picture(1)) if len(self.set_) else (False, None)

    def release(self) -> None:
        self.opened = False


def test_v4l2_sets_the_pixel_format_before_the_size() -> None:
    video = Video(True)
    capture = V4L2Capture("/dev/video0", (1280, 720), 15, lambda device, api: video)
    assert video.set_[:3] == [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    assert capture.read() is not None
    capture.release()
    assert not video.opened
    with pytest.raises(DeviceError, match="no pictures from /dev/video9"):
        V4L2Capture("/dev/video9", (1280, 720), 15, lambda device, api: Video(False))


def test_picamera_errors_are_clear() -> None:
    def none(number: int) -> Any:
        raise IndexError("list index out of range")

    with pytest.raises(DeviceError, match="no Raspberry Pi camera 0: list index out of range"):
        PicameraCapture(0, (1280, 720), 15, none)
    with pytest.raises(DeviceError, match="write picamera or picamera:1"):
        open_camera("picamera:x")


def test_picamera_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)  # as where it is not installed
    with pytest.raises(DeviceError, match="apt install python3-picamera2"):
        PicameraCapture(0, (1280, 720), 15)


def write_pictures(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        cv2.imwrite(str(folder / name), picture(10 * number))


def walk(camera: Camera) -> list[float]:
    """Every frame's time by `newest`."""
    times: list[float] = []
    while frame := camera.newest(times[-1] if times else -1.0):
        times.append(frame.at)
    return times


def test_the_frames_of_a_recording(tmp_path: Path) -> None:
    write_pictures(tmp_path / "evening" / "frames", ["00012340.jpg", "00000100.png", "100000000.jpg"])
    (tmp_path / "evening" / "frames" / "._00012340.jpg").write_bytes(b"of a Mac")
    camera = open_camera(tmp_path / "evening")
    assert isinstance(camera, PictureFolder)
    assert [f.at for f in camera.frames()] == [0.1, 12.34, 100000.0]
    assert walk(camera) == [0.1, 12.34, 100000.0]
    frame = camera.newest(0.0)
    assert frame is not None and frame.at == 0.1, "one may go back"
    assert frame.image.shape == (48, 64, 3) and frame.image.dtype == np.uint8
    camera.close()
    assert list(camera.frames()) == []


def test_any_pictures_at_a_rate_and_one_that_is_none(tmp_path: Path) -> None:
    write_pictures(tmp_path / "p", ["a.jpg", "b.jpg", "c.png"])
    (tmp_path / "p" / "b.jpg").write_text("no picture")
    (tmp_path / "p" / "notes.txt").write_text("x")
    camera = open_camera(str(tmp_path / "p"), rate=2)
    said = []
    times = []
    for frame in camera.frames():
        times.append(frame.at)
        said.append(camera.state)
    assert times == [0.0, 1.0] and camera.state == "ok"


def test_a_video_file(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for shade in (10, 100, 200):
        writer.write(picture(shade))
    writer.release()
    camera = open_camera(path)
    assert isinstance(camera, VideoFile)
    frames = list(camera.frames())
    assert [f.at for f in frames] == [0.0, 0.2, 0.4]
    assert [abs(int(f.image.mean()) - s) < 5 for f, s in zip(frames, (10, 100, 200), strict=True)] == [True] * 3
    assert walk(camera) == [0.0, 0.2, 0.4]


def test_what_is_no_camera(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no camera 'webcam': expected auto, a number"):
        open_camera("webcam")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImageError, match="no pictures in"):
        open_camera(tmp_path / "empty")
    (tmp_path / "x.avi").write_text("no video")
    with pytest.raises(ImageError, match="is no video"):
        open_camera(tmp_path / "x.avi")


def test_a_recording_in_a_folder_that_may_not_be_entered_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Python raises there ended the whole service, which goes on without any other camera."""

    def shut(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", shut)
    with pytest.raises(DeviceError, match=r"no camera: .*evening.mp4: Permission denied; put sudo before"):
        open_camera(tmp_path / "evening.mp4")


def test_a_device_that_is_not_there_is_waited_for() -> None:
    camera = open_camera("/dev/no-such-video")
    until(lambda: "no camera at /dev/no-such-video" in camera.state, lambda: camera.state)
    camera.close()


def test_a_read_that_hangs_is_given_up_and_the_camera_opened_again() -> None:
    stuck, well = Pretend([picture(50)], "hang"), Pretend([picture(60)], "hang")
    queue = [stuck, well]
    camera = LiveCamera("camera", lambda: queue.pop(0), again=0.01, stalled=0.2)
    try:
        until(lambda: (f := camera.newest()) is not None and f.image[0, 0, 0] == 60, lambda: camera.state)
        stuck.let_go.set()
        until(lambda: stuck.released, lambda: "the attempt that hung lets its device go when it wakes")
    finally:
        well.let_go.set()
        camera.close()


def test_a_camera_that_always_hangs_is_said_and_holds_few_threads() -> None:
    let_go = threading.Event()

    def opener() -> Pretend:
        let_go.wait(PATIENCE)
        raise OSError("too late")

    camera = LiveCamera("camera /dev/video0", opener, again=0.01, stalled=0.05)
    try:
        until(lambda: camera.state.endswith("unplug it and plug it in again"), lambda: camera.state)
        time.sleep(0.5)
        readers = [thread for thread in threading.enumerate() if thread.name == "camera /dev/video0 reader"]
        assert len(readers) <= 3
    finally:
        let_go.set()
        camera.close()


def test_a_camera_that_is_slow_to_open_is_waited_for() -> None:
    class Slow(Pretend):
        def read(self) -> Image | None:
            time.sleep(0.35)
            return super().read()

    def opener() -> Slow:
        time.sleep(0.35)
        return Slow([picture(80)] * 3, "unplug")

    camera = LiveCamera("camera", opener, again=0.01, stalled=0.5)
    try:
        until(lambda: camera.newest() is not None, lambda: camera.state)
    finally:
        camera.close()


GREY, FOUR = np.full((48, 64), 90, np.uint8), np.full((48, 64, 4), (10, 20, 30, 255), np.uint8)


@pytest.mark.parametrize("given", [GREY, GREY[:, :, None], FOUR, FOUR[:, :, :3]], ids=["grey", "one", "four", "bgr"])
def test_grey_pictures_and_those_with_a_fourth_channel_are_taken(live: Callable[..., LiveCamera], given: Any) -> None:
    """As an infrared camera gives, or Picamera2 in another format: the eyes know three channels."""
    camera = live(Pretend([given] * 3, "hang"))
    until(lambda: camera.newest() is not None, lambda: camera.state)
    image = camera.newest().image
    assert image.shape == (48, 64, 3) and image.dtype == np.uint8 and image.flags.c_contiguous
    assert tuple(image[0, 0]) == ((90, 90, 90) if given.shape[2:] in ((), (1,)) else (10, 20, 30))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.zeros((48, 64, 3)), "float64 of shape (48, 64, 3)"),
        (np.zeros((48, 64, 2), np.uint8), "uint8 of shape (48, 64, 2)"),
        (np.zeros((0, 64, 3), np.uint8), "uint8 of shape (0, 64, 3)"),
        (np.zeros(48, np.uint8), "uint8 of shape (48,)"),
        (b"jpeg", "bytes"),
    ],
    ids=["floats", "two channels", "no rows", "a row", "bytes"],
)
def test_what_is_no_picture_is_said_and_never_looked_at(
    live: Callable[..., LiveCamera], given: Any, said: str
) -> None:
    camera = live(*(Pretend([given], "hang") for _ in range(3)))
    until(lambda: "its pictures are" in camera.state, lambda: camera.state)
    assert said in camera.state and "uint8 BGR of shape (rows, cols, 3)" in camera.state
    assert camera.newest() is None


@pytest.mark.parametrize(
    ("raised", "said"), [(KeyError("main"), "KeyError: 'main'"), (SystemExit("no licence"), "SystemExit: no licence")]
)
def test_whatever_a_driver_raises_is_said_and_tried_again(
    live: Callable[..., LiveCamera], raised: BaseException, said: str
) -> None:
    """A thread that ended with a traceback, or without a word, left the page with what it had said before."""

    class Odd(Pretend):
        def read(self) -> Image | None:
            raise raised

        def release(self) -> None:
            raise RuntimeError("gone")

    told: list[str] = []
    camera = live(Odd([], ""), Pretend([picture(90)] * 3, "hang"))
    until(lambda: told.append(camera.state) or camera.newest() is not None, lambda: camera.state)
    assert any(f"was lost: {said}" in state for state in told)
