"""Exposure, white balance and focus are held once they have settled, so that a hand over the board changes no colour.

A camera that adjusts itself is let do so for some seconds, then held; when the light has changed so much that its
pictures are no longer fit, it is let go for as long again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2

from companion.camera.frame import Frame, Image

SETTLE = 2.5
"""Seconds in which a camera finds its exposure and colours."""
UNFIT_FOR = 4.0
"""Seconds of pictures too dark or too bright before a held camera is let go; doubled each time that it did not help."""
LONGEST = 64.0
_DARK, _BURNT, _BURNT_SHARE = 30.0, 250, 0.25


class Holding:
    """When to hold a camera and when to let it go, from one picture to the next."""

    def __init__(self) -> None:
        self.held = False
        self._began: float | None = None
        self._unfit: float | None = None
        self._patience = UNFIT_FOR

    def note(self, frame: Frame) -> bool | None:
        """True: hold the camera now. False: let it go. None: leave it as it is."""
        if self._began is None:
            self._began = frame.at
        if not self.held:
            if frame.at - self._began < SETTLE:
                return None
            self.held, self._unfit = True, None
            return True
        if is_fit(frame.image):
            self._unfit, self._patience = None, UNFIT_FOR
            return None
        self._unfit = frame.at if self._unfit is None else self._unfit
        if frame.at - self._unfit < self._patience:
            return None
        self.held, self._began, self._patience = False, frame.at, min(LONGEST, 2 * self._patience)
        return False


def is_fit(image: Image) -> bool:
    """Whether a picture is neither too dark nor burnt. image: uint8 BGR."""
    sample = image[::8, ::8]
    return bool(sample.mean() >= _DARK and (sample.max(axis=2) >= _BURNT).mean() <= _BURNT_SHARE)


_MANUAL_EXPOSURES = (1.0, 0.25)  # V4L2_EXPOSURE_MANUAL, and what builds with a scale of 0 to 1 call it
_AUTOMATICS: Sequence[tuple[str, int, int]] = (
    ("white balance", cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS),
)


class V4L2Hold:
    """Holds a Video4Linux camera by OpenCV's properties. video: a cv2.VideoCapture."""

    def __init__(self, video: Any) -> None:
        self._video = video
        self._exposure: float | None = None
        self._on: list[int] = []

    def hold(self) -> tuple[str, ...]:
        """Hold what the camera can hold at its present value; the names of those."""
        held = ["exposure"] if self._hold_exposure() else []
        for name, automatic, value in _AUTOMATICS:
            now, was = self._video.get(value), self._video.get(automatic)
            if was == 1 and self._video.set(automatic, 0):
                self._on.append(automatic)
                self._video.set(value, now)
                held.append(name)
        return tuple(held)

    def let_go(self) -> None:
        """Let the camera adjust itself again."""
        if self._exposure is not None:
            self._video.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._exposure)
        for automatic in self._on:
            self._video.set(automatic, 1)
        self._exposure, self._on = None, []

    def _hold_exposure(self) -> bool:
        was, now = self._video.get(cv2.CAP_PROP_AUTO_EXPOSURE), self._video.get(cv2.CAP_PROP_EXPOSURE)
        for manual in _MANUAL_EXPOSURES:
            if was == manual:
                return False
            if self._video.set(cv2.CAP_PROP_AUTO_EXPOSURE, manual):
                self._exposure = was
                self._video.set(cv2.CAP_PROP_EXPOSURE, now)
                return True
        return False


class PicameraHold:
    """Holds a Picamera2 at the exposure, gain and colour gains of its last picture."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    def hold(self) -> tuple[str, ...]:
        """Hold what the last picture was taken with; the names of what is held."""
        last = self._camera.capture_metadata()
        wanted = {key: last[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains") if key in last}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **wanted})
        names = {"ExposureTime": "exposure", "AnalogueGain": "gain", "ColourGains": "white balance"}
        return tuple(names[key] for key in wanted)

    def let_go(self) -> None:
        """Let the camera adjust itself again."""
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
