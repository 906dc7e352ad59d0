"""`companion calibrate lens`: writes the target, gathers views from files or from the camera, and measures the lens."""

from __future__ import annotations

import json
import math
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.files import try_place, write_files, write_one
from calibration.lens import ENOUGH, GRID, Views, add_view, solve, target_pdf, target_picture, target_svg
from companion.camera import open_camera
from companion.camera.address import place_of
from companion.model import BadInput, DeviceError, why_not
from companion.service.boards.pictures import read_picture
from companion.service.config import read_config
from companion.vision.view.lens import Lens, lens_json
from companion.vision.view.pose import Frame

_PICTURES = (".jpg", ".jpeg", ".png", ".heic", ".heif")
"""The last two cannot be read, which is said, and not passed over in silence."""
_PAUSE = 0.4  # seconds between views of a camera, so that people can move on
_FIRST = 8.0  # seconds within which a camera sends its first picture, if it sends any


def measure_lens(arguments: Namespace) -> Iterator[tuple[str, bool]]:
    """The lines to print, each with whether all is well so far. Raises BadInput, DeviceError, ImageError."""
    if arguments.images and arguments.config is not None:
        raise BadInput("calibrate lens measures pictures, or the camera that --config names: leave one of them out")
    if arguments.live is not None and arguments.config is None:
        raise BadInput("--live keeps a picture of what the camera sees: name the camera with --config, or leave it out")
    if arguments.target is not None:
        for path in write_target(arguments.target):
            yield str(path), True
        if not arguments.images and arguments.config is None:
            return
    try_place(arguments.out)  # before somebody shows the target for minutes
    views = Views()
    if arguments.images:
        for path in _files(arguments.images):
            views = add_view(views, read_picture(path))
            yield f"{path.name}: {_told(views)}", True
    elif arguments.config is not None:
        for views in _watched(arguments.config, arguments.live, arguments.seconds):
            yield _told(views), True
    else:
        raise BadInput("calibrate lens needs pictures of the target, or --config to take them; --target DIR prints it")
    lens = solve(views)
    if isinstance(lens, str):
        yield lens, False
        return
    write_one(arguments.out, (json.dumps(lens_json(lens)) + "\n").encode())
    yield f"{arguments.out}: {_summary(lens)}", True


def _told(views: Views) -> str:
    return f"{'used' if views.added else 'not used'}, {len(views.views)} so far. {views.advice}"


def _summary(lens: Lens) -> str:
    wide = 2 * math.degrees(math.atan(lens.size[0] / 2 / lens.focal))
    return f"{lens.pictures} views, {lens.error_px:.2f} pixels off on average; the lens looks about {wide:.0f}° wide"


def write_target(folder: Path) -> list[Path]:
    """The target as PDF and SVG (A4) and as PNG. Raises DeviceError."""
    picture = cv2.copyMakeBorder(target_picture(), 48, 48, 48, 48, cv2.BORDER_CONSTANT, value=[255])
    files = {
        "lens-target.pdf": target_pdf(),
        "lens-target.svg": target_svg().encode(),
        "lens-target.png": cv2.imencode(".png", picture)[1].tobytes(),
    }
    return write_files(files, folder)


def _files(given: Sequence[Path]) -> list[Path]:
    """Pictures, and those in folders, by name. Raises BadInput if there are none."""
    found: list[Path] = []
    for path in given:
        try:
            found += _in_folder(path) if path.is_dir() else [path]
        except OSError as error:
            raise BadInput(why_not(error)) from error
    if not found:
        raise BadInput(f"{given[0]}: there are no pictures (.jpg, .png) in this folder")
    return found


def _in_folder(folder: Path) -> list[Path]:
    """Its pictures by name, without hidden files: a Mac puts one that is none (._IMG_1.jpg) beside each on a stick."""
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES and not p.name.startswith("."))


def _watched(config_path: Path, live: Path | None, seconds: float) -> Iterator[Views]:
    """The views after each one that the camera added, until they will do."""
    config, views = read_config(config_path), Views()
    spec = config.camera
    if spec.source == "none":
        raise DeviceError('[camera] source is "none": there is no camera whose lens could be measured')
    camera = open_camera(config.camera_source, (spec.width, spec.height), spec.fps, clock=time.monotonic)
    began, first, last, said = time.monotonic(), min(seconds, _FIRST), None, ""
    until = began + seconds
    try:
        while time.monotonic() < until and not (views.ready and len(views.views) >= ENOUGH):
            frame = camera.newest(last)
            if frame is None and last is None and time.monotonic() > began + first:
                break
            if frame is None:
                time.sleep(0.05)
                continue
            last = frame.at
            views = add_view(views, frame.image)
            if live is not None:
                write_one(live, cv2.imencode(".jpg", coverage_picture(views, frame.image))[1].tobytes(), lasting=False)
            if views.added or views.advice != said:
                said = views.advice
                yield views
            if views.added:
                time.sleep(_PAUSE)
    finally:
        camera.close()
    if last is None:
        raise DeviceError(f"the camera {place_of(spec.source)} sent no picture within {first:.0f} s: {camera.state}")


def coverage_picture(views: Views, frame: Frame) -> Frame:
    """A copy of the frame, uint8 BGR: cells that were covered are green, the views' corners dots, the advice below."""
    picture, (width, height) = frame.copy(), (frame.shape[1], frame.shape[0])
    shade = cv2.resize(np.array(views.coverage, np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
    green = np.zeros_like(picture)
    green[..., 1] = 200
    share = (0.35 * shade)[..., None]
    picture = np.asarray(picture * (1 - share) + green * share, np.uint8)
    for k in range(1, GRID[0]):
        cv2.line(picture, (width * k // GRID[0], 0), (width * k // GRID[0], height), (200, 200, 200), 1)
    for k in range(1, GRID[1]):
        cv2.line(picture, (0, height * k // GRID[1]), (width, height * k // GRID[1]), (200, 200, 200), 1)
    for view in views.views:
        for x, y in view.at:
            cv2.circle(picture, (round(float(x)), round(float(y))), 2, (60, 220, 60), -1)
    size = width / 1280
    cv2.rectangle(picture, (0, height - round(48 * size)), (width, height), (40, 40, 40), -1)
    place = round(14 * size), height - round(16 * size)
    text = f"{len(views.views)}  {views.advice}"
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * size, (255, 255, 255), 1, cv2.LINE_AA)
    return picture
