"""Which camera is meant: whichever is there, a device, a Raspberry Pi camera, one on the network, a video, a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from companion.camera.address import place_of
from companion.camera.finding import the_camera
from companion.camera.frame import Camera
from companion.camera.live import Capture, LiveCamera, NetworkCapture, PicameraCapture, V4L2Capture
from companion.camera.recorded import USUAL_RATE, PictureFolder, VideoFile
from companion.model import CompanionError, DeviceError, why_not

SIZE, FPS = (1280, 720), 15
NETWORK = ("http://", "https://", "rtsp://")


def open_camera(
    spec: str | int | Path,
    size: tuple[int, int] = SIZE,
    fps: int = FPS,
    rate: float = USUAL_RATE,
    clock: Callable[[], float] = time.monotonic,
) -> Camera:
    """The camera that `spec` names.

    "auto", whichever is plugged in; 0 or "/dev/video0" or a name below /dev/v4l; "picamera" or "picamera:1";
    "http://…", "https://…" or "rtsp://…"; a video; a folder.

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
    if text == "auto":
        return LiveCamera("the camera", lambda: _whichever(size, fps), clock)
    if text.startswith(NETWORK):
        return LiveCamera(f"camera {place_of(text)}", lambda: NetworkCapture(text), clock)
    path = Path(text).expanduser()
    try:
        if path.is_dir():
            return PictureFolder(path, rate)
        if path.is_file():
            return VideoFile(path)
    except CompanionError:
        raise
    except OSError as error:  # as of a folder that this user may not enter: it must not cost the table
        raise DeviceError(f"no camera: {why_not(error)}") from error
    raise DeviceError(
        f"no camera {place_of(text)!r}: expected auto, a number (0), a device (/dev/video0), picamera, "
        "an address (http://…), a video file or a folder"
    )


def _whichever(size: tuple[int, int], fps: int) -> Capture:
    found = the_camera()
    return PicameraCapture(0, size, fps) if found == "picamera" else _v4l2(found, size, fps)


def _v4l2(device: str, size: tuple[int, int], fps: int) -> V4L2Capture:
    if not Path(device).exists():  # OpenCV would say the same on standard error, at each attempt
        raise DeviceError(f"no camera at {device}: is it plugged in?")
    if not os.access(device, os.R_OK | os.W_OK):
        raise DeviceError(f"this user may not open {device}: sudo usermod -aG video $USER, then log in anew")
    return V4L2Capture(device, size, fps)


def _picamera(text: str, size: tuple[int, int], fps: int, clock: Callable[[], float]) -> Camera:
    number = text.partition(":")[2] or "0"
    if not number.isdigit():
        raise DeviceError(f"no camera {text!r}: write picamera or picamera:1")
    return LiveCamera(f"camera {text}", lambda: PicameraCapture(int(number), size, fps), clock)
