"""`companion check`: can the camera see the board? Asked of the configured camera, or of pictures."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import cv2

from calibration.check import Health, check, mark
from companion.camera import open_camera
from companion.camera.address import place_of
from companion.model import BadInput, DeviceError
from companion.service.boards import board_folder, table_of
from companion.service.config import Config, read_config
from companion.service.looking import names_apart
from companion.service.meaning import configured_game
from companion.service.pictures import read_picture, scene_with
from companion.service.pointing import pointed_at, shown_before
from companion.vision import Scene
from companion.vision.finding.shown import Shown
from companion.vision.view.pose import Frame

PATIENCE = 8.0
"""Seconds to wait for a picture; the first ones of a camera are still finding their exposure."""
WARM_UP = 2.0


def check_all(arguments: Namespace) -> Iterator[tuple[str, Health]]:
    """The name of each picture and its health. Raises BadInput, DeviceError."""
    if arguments.config is None and arguments.sheet is None:
        raise BadInput("check needs --config companion.toml, or --sheet sheet.json and pictures")
    shown = None
    if arguments.config is not None:
        config = read_config(arguments.config)
        game = configured_game(config)
        scene, folder = table_of(config, game).scene, board_folder(config, game)
        shown = shown_before(config.journal_folder, scene)
    else:
        scene, folder = scene_with(arguments.sheet, arguments.reference), arguments.sheet.parent
    if arguments.images:
        pictures = ((path.name, read_picture(path)) for path in arguments.images)
    elif arguments.config is not None:
        pictures = ((name, frame) for name, frame in [("camera", a_picture(config))])
    else:
        raise BadInput("check --sheet needs at least one picture; or give --config to ask the camera")
    drawn = names_apart(arguments.images or [Path("camera")])
    for number, (name, frame) in enumerate(pictures):
        if number == 0:
            shown = pointed_at(arguments.corner, frame, scene, folder) or shown
        yield name, _one(frame, scene, shown, arguments.draw and arguments.draw / drawn[number])


def _one(frame: Frame, scene: Scene, shown: Shown | None, draw: Path | None) -> Health:
    found, pose = check(frame, scene, shown)
    if draw is not None:
        try:
            draw.parent.mkdir(parents=True, exist_ok=True)
            picture = mark(frame, found, pose, scene.sheet)
            draw.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        except OSError as error:
            raise DeviceError(f"{draw.parent}: {error.strerror}; choose a folder that can be written") from error
    return found


def a_picture(config: Config) -> Frame:
    """A picture of the configured camera, once its exposure has settled. Raises DeviceError."""
    spec = config.camera
    if spec.source == "none":
        raise DeviceError('[camera] source is "none": there is no camera to check')
    camera = open_camera(config.camera_source, (spec.width, spec.height), spec.fps, clock=time.monotonic)
    try:
        began, last = time.monotonic(), None
        while time.monotonic() - began < PATIENCE:
            frame = camera.newest(None)
            last = last if frame is None else frame
            if last is not None and time.monotonic() - began > WARM_UP:
                return last.image
            time.sleep(0.1)
    finally:
        camera.close()
    name = place_of(spec.source)
    raise DeviceError(f"the camera {name} sent no picture within {PATIENCE:.0f} s: {camera.state}")


def described(name: str, found: Health) -> str:
    """The findings for people, the worst first."""
    lines = [f"{name}: {found.score} of 100{'' if found.playable else ', not fit to play with'}"]
    for finding in sorted(found.findings, key=lambda finding: finding.score):
        lines.append(f"  {100 * finding.score:3.0f} %  {finding.name:<10} {finding.text}")
        if finding.advice:
            lines.append(f"{'':20}{finding.advice}")
    return "\n".join(lines)
