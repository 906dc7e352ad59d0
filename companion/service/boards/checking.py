"""`companion check`: can the camera see the board? Asked of the configured camera, or of pictures."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from calibration.check import POOR, Health, check, mark
from calibration.files import write_one
from companion.camera import open_camera
from companion.camera.address import place_of
from companion.model import BadInput, DeviceError, ImageError
from companion.model.setup import Finding
from companion.service.boards.configured import board_folder, table_of
from companion.service.boards.looking import drawings, pictures_of, png
from companion.service.boards.pictures import read_picture, scene_with
from companion.service.boards.pointing import pointed_at, shown_before
from companion.service.config import Config, read_config
from companion.service.meaning import configured_game
from companion.vision import Scene
from companion.vision.finding.shown import Shown
from companion.vision.view.pose import Frame
from companion.vision.view.steady import NOISY, Steady, one_more

PATIENCE = 8.0
"""Seconds to wait for a picture; the first ones of a camera are still finding their exposure."""
WARM_UP, GATHERED = 2.0, 1.0
"""Seconds until that is found; and in which the pictures come of which the mean is taken."""


def check_all(arguments: Namespace) -> Iterator[tuple[str, Health]]:
    """The name of each picture and its health; of several one that cannot be read is poor, and the others follow.
    Raises BadInput, DeviceError, ImageError."""
    if arguments.config is None and arguments.sheet is None:
        raise BadInput("check needs --config companion.toml, or --sheet sheet.json and pictures")
    unheeded = {"--sheet": arguments.sheet, "--reference": arguments.reference}
    if arguments.config is not None and any(unheeded.values()):
        named = " and ".join(name for name, given in unheeded.items() if given)
        raise BadInput(f"check: the configuration says which board lies there: leave {named} out, or --config")
    shown, reference = None, arguments.reference
    if arguments.config is not None:
        config = read_config(arguments.config)
        game = configured_game(config)
        scene, folder = table_of(config, game).scene, board_folder(config, game)
        shown = shown_before(config.journal_folder, scene)
        reference = config.path(config.sheet.reference) if config.sheet.reference else None
    else:
        scene, folder = scene_with(arguments.sheet, reference), arguments.sheet.parent
    if not arguments.images and arguments.config is None:
        raise BadInput("check --sheet needs at least one picture; or give --config to ask the camera")
    names = arguments.images or [Path("camera")]
    drawn = drawings(names, arguments.draw, (*arguments.images, *pictures_of(scene.sheet, folder, reference)))
    for number, name in enumerate(names):
        try:
            frame = read_picture(name) if arguments.images else a_picture(config)
        except ImageError as error:
            if len(names) == 1 or (number == 0 and arguments.corner):
                raise
            yield name.name, Health((Finding("picture", POOR, str(error), ""),))
            continue
        if number == 0:
            shown = pointed_at(arguments.corner, frame, scene, folder) or shown
        yield name.name, _one(frame, scene, shown, drawn[number])


def _one(frame: Frame, scene: Scene, shown: Shown | None, draw: Path | None) -> Health:
    found, pose = check(frame, scene, shown)
    if draw is not None:
        write_one(draw, png(mark(frame, found, pose, scene.sheet)))
    return found


def a_picture(config: Config) -> Frame:
    """A picture of the configured camera, once its exposure has settled; where it is noisy, the mean of the next few,
    as the eyes read it. Raises DeviceError."""
    spec = config.camera
    if spec.source == "none":
        raise DeviceError('[camera] source is "none": there is no camera to check')
    camera = open_camera(config.camera_source, (spec.width, spec.height), spec.fps, clock=time.monotonic)
    try:
        began, last, steady = time.monotonic(), None, Steady()
        while (waited := time.monotonic() - began) < PATIENCE:
            frame = camera.newest(None if last is None else last.at)
            last = last if frame is None else frame
            if frame is not None and waited > WARM_UP:
                steady = one_more(steady, frame.image)
            if last is not None and (waited > WARM_UP + GATHERED or _enough(steady)):
                return steady.clearest() if steady.pictures else last.image
            time.sleep(0.05)
    finally:
        camera.close()
    name = place_of(spec.source)
    raise DeviceError(f"the camera {name} sent no picture within {PATIENCE:.0f} s: {camera.state}")


def _enough(steady: Steady) -> bool:
    """Whether more pictures would not help: they have no noise, or these are as many as are taken together."""
    return steady.noise > 0 and (steady.noise < NOISY or steady.full)


def described(name: str, found: Health) -> str:
    """The findings for people, the worst first."""
    lines = [f"{name}: {found.score} of 100{'' if found.playable else ', not fit to play with'}"]
    for finding in sorted(found.findings, key=lambda finding: finding.score):
        lines.append(f"  {100 * finding.score:3.0f} %  {finding.name:<10} {finding.text}")
        if finding.advice:
            lines.append(f"{'':20}{finding.advice}")
    return "\n".join(lines)
