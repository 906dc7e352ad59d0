"""Which camera is meant: a number, a device, a Raspberry Pi camera, a video, a folder of pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.camera.frame import Camera
from companion.camera.live import LiveCamera, PicameraCapture, V4L2Capture
from companion.camera.recorded import USUAL_RATE, PictureFolder, VideoFile
from companion.model import DeviceError

SIZE, FPS = (1280, 720), 15


def open_camera(
    spec: str | int | Path,
    size: tuple[int, int] = SIZE,
    fps: int = FPS,
    rate: float = USUAL_RATE,
    clock: Callable[[], float] = time.monotonic,
) -> Camera:
    """The camera that `spec` names: 0 or "/dev/video0"; "picamera" or "picamera:1"; a video; a folder.

    size: (width, height) in pixels. rate: pictures a second of a folder without times.
    A device that is not there now is waited for (see its `state`). Raises DeviceError, ImageError.
    """
    text = str(spec).strip()
    if text.isdigit():
        text = f"/dev/video{int(text)}"
    if text.startswith("/dev/"):
        return LiveCamera(f"camera {text}", lambda: _v4l2(text, size, fps), clock)
    if text == "picamera" or text.startswith("picamera:"):
        return _picamera(text, size, fps, clock)
    path = Path(text).expanduser()
    if path.is_dir():
        return PictureFolder(path, rate)
    if path.is_file():
        return VideoFile(path)
    raise DeviceError(
        f"no camera {text!r}: expected a number (0), a device (/dev/video0), picamera, a video file or a folder"
    )


def _v4l2(device: str, size: tuple[int, int], fps: int) -> V4L2Capture:
    if not Path(device).exists():  # OpenCV would say the same on standard error, at each attempt
        raise DeviceError(f"no camera at {device}: is it plugged in?")
    return V4L2Capture(device, size, fps)


def _picamera(text: str, size: tuple[int, int], fps: int, clock: Callable[[], float]) -> Camera:
    number = text.partition(":")[2] or "0"
    if not number.isdigit():
        raise DeviceError(f"no camera {text!r}: write picamera or picamera:1")
    return LiveCamera(f"camera {text}", lambda: PicameraCapture(int(number), size, fps), clock)
