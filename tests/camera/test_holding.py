"""A camera is held when it has settled, and let go when its pictures are no longer fit."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np
import pytest

from companion.camera import Frame, Image, LiveCamera
from companion.camera.holding import SETTLE, UNFIT_FOR, Holding, PicameraHold, V4L2Hold, is_fit
from companion.camera.live import PicameraCapture, V4L2Capture


def shade(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


def told(levels: list[tuple[float, int]]) -> list[tuple[float, bool]]:
    """What a Holding wants of pictures (time, brightness), where it wants something."""
    holding = Holding()
    wishes = [(at, holding.note(Frame(at, shade(level)))) for at, level in levels]
    return [(at, wish) for at, wish in wishes if wish is not None]


def test_it_is_held_once_it_has_settled_and_stays_so() -> None:
    assert told([(at / 2, 120) for at in range(60)]) == [(SETTLE, True)]


def test_a_hand_that_darkens_the_picture_for_a_while_changes_nothing() -> None:
    frames = [(at / 2, 10 if 10 <= at < 10 + 2 * UNFIT_FOR - 1 else 120) for at in range(60)]
    assert told(frames) == [(SETTLE, True)]


def test_when_the_lamp_is_switched_off_it_adjusts_itself_again() -> None:
    frames = [(at / 2, 120 if at < 20 else 10 if at < 30 else 90) for at in range(80)]
    assert told(frames) == [(2.5, True), (14.0, False), (16.5, True)]


def test_a_room_that_stays_dark_is_tried_less_and_less_often() -> None:
    lets = [at for at, wish in told([(at / 2, 5) for at in range(400)]) if wish is False]
    gaps = np.diff(lets)
    assert len(lets) >= 3 and all(np.diff(gaps) > 0)


def test_burnt_pictures_are_not_fit() -> None:
    assert is_fit(shade(120)) and not is_fit(shade(255)) and not is_fit(shade(8))


class Video:
    """A webcam's properties. automatic: those that it has."""

    def __init__(self, auto_exposure: float = 3.0, refuses: tuple[int, ...] = ()) -> None:
        self.values = {
            cv2.CAP_PROP_AUTO_EXPOSURE: auto_exposure, cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0,
        }  # fmt: skip
        self.refuses = refuses

    def get(self, what: int) -> float:
        return self.values.get(what, -1.0)

    def set(self, what: int, value: float) -> bool:
        if what in self.refuses or what not in self.values:
            return False
        self.values[what] = value
        return True


def test_a_webcam_is_held_at_what_it_found_and_let_go_again() -> None:
    video = Video()
    before, hold = dict(video.values), V4L2Hold(video)
    assert hold.hold() == ("exposure", "white balance", "focus")
    automatic = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [video.values[p] for p in automatic] == [1.0, 0.0, 0.0]
    assert {p: v for p, v in video.values.items() if p not in automatic} == {
        p: v for p, v in before.items() if p not in automatic
    }
    hold.let_go()
    assert video.values == before


def test_a_webcam_that_can_hold_nothing_is_left_alone() -> None:
    video = Video(refuses=(cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS))
    before, hold = dict(video.values), V4L2Hold(video)
    assert hold.hold() == ()
    hold.let_go()
    assert video.values == before


class Pi:
    """A Picamera2 as far as holding goes."""

    def __init__(self, number: int = 0) -> None:
        self.controls: list[dict[str, Any]] = []

    def create_video_configuration(self, **_: Any) -> dict[str, Any]:
        return {}

    def configure(self, _: Any) -> None:
        pass

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass

    def capture_array(self, _: str) -> Image:
        time.sleep(0.002)
        return np.random.default_rng().integers(90, 150, (48, 64, 3)).astype(np.uint8)

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 9991, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6), "Lux": 220}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls.append(controls)


def test_a_raspberry_pi_camera_is_held_at_the_gains_of_its_last_picture() -> None:
    pi = Pi()
    hold = PicameraHold(pi)
    assert hold.hold() == ("exposure", "gain", "white balance")
    hold.let_go()
    assert pi.controls == [
        {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9991, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.6)},
        {"AeEnable": True, "AwbEnable": True},
    ]


def test_the_running_camera_says_what_is_held() -> None:
    ticks = iter(range(10**6))
    camera = LiveCamera("pi", lambda: PicameraCapture(0, (64, 48), 10, make=Pi), clock=lambda: next(ticks) * 0.2)
    end = time.monotonic() + 20
    while not camera.held and time.monotonic() < end:
        time.sleep(0.01)
    camera.close()
    assert camera.held == ("exposure", "gain", "white balance")


class Opened(Video):
    """A webcam as cv2.VideoCapture gives it."""

    def __init__(self, *_: Any) -> None:
        super().__init__()

    def isOpened(self) -> bool:
        return True

    def release(self) -> None:
        pass


def test_both_kinds_of_camera_can_be_held() -> None:
    assert V4L2Capture("/dev/video0", (640, 480), 10, make=Opened).controls.hold()
    assert PicameraCapture(0, (64, 48), 10, make=Pi).controls.hold()


def test_a_webcam_that_is_closed_adjusts_itself_when_it_is_opened_again() -> None:
    """Held by daylight, it was found in manual mode in the evening, by a service that had begun anew: dark for good."""
    webcam = Opened()
    before = dict(webcam.values)
    for _ in range(2):
        capture = V4L2Capture("/dev/video0", (640, 480), 10, make=lambda *_: webcam)
        assert capture.controls.hold() == ("exposure", "white balance", "focus")
        capture.release()
        assert {name: webcam.values[name] for name in before} == before


class Stubborn(Pi):
    """It gives pictures, but its driver has an error of its own for whoever would hold it."""

    def capture_metadata(self) -> dict[str, Any]:
        raise KeyError("SensorTimestamp")


def test_a_camera_that_cannot_be_held_is_not_lost() -> None:
    ticks = iter(range(10**6))
    camera = LiveCamera("pi", lambda: PicameraCapture(0, (64, 48), 10, make=Stubborn), clock=lambda: next(ticks) * 0.2)
    end, states, seen = time.monotonic() + 20, set(), list[float]()
    while len(seen) < 60 and time.monotonic() < end:  # only pictures let time go by, however busy the machine is
        newest = camera.newest()
        if newest is not None and newest.at not in seen[-1:]:
            states.add(camera.state)
            seen.append(newest.at)
        time.sleep(0.005)
    camera.close()
    assert len(seen) == 60 and states == {"ok"} and camera.held == ()


class OnlyOnce(Pi):
    """As libcamera has it: who does not close the camera can open it no second time. breaks: what fails, once."""

    open = False
    breaks = ""

    def __init__(self, number: int = 0) -> None:
        super().__init__(number)
        if OnlyOnce.open:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        OnlyOnce.open = True

    def _break(self, what: str) -> None:
        if OnlyOnce.breaks == what:
            OnlyOnce.breaks = ""
            raise RuntimeError(f"{what}: Broken pipe")

    def start(self) -> None:
        self._break("start")

    def stop(self) -> None:
        self._break("stop")

    def capture_array(self, name: str) -> Image:
        if OnlyOnce.breaks == "stop":
            raise RuntimeError("the camera frontend has timed out")
        return super().capture_array(name)

    def close(self) -> None:
        OnlyOnce.open = False


@pytest.mark.parametrize("breaks", ["start", "stop"])
def test_a_raspberry_pi_camera_that_failed_is_closed_and_comes_back(breaks: str) -> None:
    OnlyOnce.open, OnlyOnce.breaks = False, breaks
    camera = LiveCamera("pi", lambda: PicameraCapture(0, (64, 48), 10, make=OnlyOnce), again=0.01)
    end = time.monotonic() + 5
    while camera.newest() is None and time.monotonic() < end:
        time.sleep(0.01)
    state = camera.state
    camera.close()
    assert state == "ok" and not OnlyOnce.open
