"""Frames that were kept: a video file, a recording's frames, a folder of pictures. They never wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.camera.frame import OK, Frame
from companion.model import ImageError, why_not

PICTURES = (".jpg", ".jpeg", ".png", ".bmp")
USUAL_RATE = 10.0
"""Pictures a second of what does not say its own."""


class _Recorded:
    """Frames in order of time, one by one."""

    def __init__(self) -> None:
        self.state = OK
        self._closed = False
        self._next: Iterator[Frame] | None = None
        self._frame: Frame | None = None

    def _read(self) -> Iterator[Frame]:
        raise NotImplementedError

    def frames(self) -> Iterator[Frame]:
        """All frames from the beginning, none left out."""
        for frame in self._read():
            if self._closed:
                return
            yield frame

    def newest(self, after: float | None = None) -> Frame | None:
        """The first frame that is later than `after`; None at the end. Call it with growing times."""
        if self._next is None or after is None or (self._frame and self._frame.at > after):
            self._next, self._frame = self.frames(), None
        for frame in self._next:
            self._frame = frame
            if after is None or frame.at > after:
                return frame
        return None

    def close(self) -> None:
        """No more frames."""
        self._closed = True


class VideoFile(_Recorded):
    """A video file, with the times of its own rate. Raises ImageError."""

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self.path = Path(path)
        video = cv2.VideoCapture(str(self.path))
        opened, self.rate = video.isOpened(), video.get(cv2.CAP_PROP_FPS)
        video.release()
        if not opened:
            raise ImageError(f"{self.path} is no video that can be read")
        self.rate = self.rate if 0.1 <= self.rate <= 1000 else USUAL_RATE

    def _read(self) -> Iterator[Frame]:
        video = cv2.VideoCapture(str(self.path))
        try:
            number = 0
            while not self._closed:
                good, image = video.read()
                if not good:
                    return
                yield Frame(number / self.rate, np.asarray(image, dtype=np.uint8))
                number += 1
        finally:
            video.release()


class PictureFolder(_Recorded):
    """A folder of pictures: named by their time in ms (FORMATS: "Recording"), else in order of name at `rate`.

    A recording's folder is taken for its frames/. A picture that cannot be read is left out, and `state` says so.
    Raises ImageError where there are no pictures.
    """

    def __init__(self, path: Path | str, rate: float = USUAL_RATE) -> None:
        super().__init__()
        inner = Path(path) / "frames"
        try:
            self.path = inner if inner.is_dir() else Path(path)
            there = (p for p in self.path.iterdir() if p.suffix.lower() in PICTURES)
            found = sorted(p for p in there if not p.name.startswith("."))  # a Mac puts hidden files beside them
        except OSError as error:
            raise ImageError(why_not(error)) from error
        if not found:
            raise ImageError(f"no pictures in {self.path}: expected files that end in {', '.join(PICTURES)}")
        if all(p.stem.isascii() and p.stem.isdigit() for p in found):
            self._times = sorted((int(p.stem) / 1000, p) for p in found)
        else:
            self._times = [(number / rate, p) for number, p in enumerate(found)]

    def _read(self) -> Iterator[Frame]:
        for at, path in self._times:
            try:
                image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            except cv2.error:  # it is larger than any that a camera takes, or damaged
                image = None
            if image is None:
                self.state = f"{path.name} is no picture"
            else:
                self.state = OK
                yield Frame(at, np.asarray(image, dtype=np.uint8))
