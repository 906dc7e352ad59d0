"""A timed frame, what a camera is to everybody else, and what is wrong with a picture at first sight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.model import DeviceError

Image = NDArray[np.uint8]
"""uint8 BGR, shape (rows, cols, 3)."""

OK = "ok"
BLACK, FROZEN = "black picture", "frozen picture"
BLACK_MEAN, BLACK_SPREAD = 12.0, 6.0
"""Brightness 0 to 255: a picture whose mean and spread are both below is black."""
FROZEN_AFTER = 5.0
"""Seconds of pictures alike to the last bit; a living sensor's noise never repeats."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. at: seconds (the camera's clock, or a recording's time). image: uint8 BGR."""

    at: float
    image: Image


class Camera(Protocol):
    """A source of frames. Nothing here waits for a slow or dead camera, but `frames`."""

    @property
    def state(self) -> str:
        """ "ok", or what is wrong, for people."""

    def newest(self, after: float | None = None) -> Frame | None:
        """The newest frame, if it is later than `after`; of a recording, the first that is."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time until the camera is closed or the recording ends; a slow reader misses some."""

    def close(self) -> None:
        """Let the camera go. Never waits long, even where a read hangs."""


def bgr_of(picture: Any) -> Image:
    """A picture as everybody else expects it: uint8 BGR, (rows, cols, 3).

    picture: uint8; grey, (rows, cols) or (rows, cols, 1), or with a fourth channel that is left out. Raises DeviceError
    for anything else, which names what it is.
    """
    image = np.asarray(picture)
    if image.dtype == np.uint8 and image.size and image.ndim in (2, 3):
        channels = 1 if image.ndim == 2 else image.shape[2]
        if channels == 1:
            return np.repeat(image.reshape(*image.shape[:2], 1), 3, axis=2)
        if channels in (3, 4):
            return np.ascontiguousarray(image[:, :, :3])
    what = f"{image.dtype} of shape {image.shape}" if image.ndim else type(picture).__name__
    raise DeviceError(f"its pictures are {what}, and must be uint8 BGR of shape (rows, cols, 3)")


def is_black(image: Image) -> bool:
    """Whether a lens cap, or no light at all, is what is seen. image: uint8 BGR."""
    sample = image[::8, ::8]
    return bool(sample.mean() < BLACK_MEAN and sample.std() < BLACK_SPREAD)


class Health:
    """What is wrong with the pictures of one camera, from one to the next."""

    def __init__(self) -> None:
        self._sample: Image | None = None
        self._since = 0.0

    def note(self, frame: Frame) -> str:
        """OK, BLACK or FROZEN, having seen `frame` too."""
        sample = frame.image[::8, ::8]
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._sample, self._since = sample.copy(), frame.at
        if is_black(frame.image):
            return BLACK
        return FROZEN if frame.at - self._since >= FROZEN_AFTER else OK
