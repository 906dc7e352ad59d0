"""What a picture lacks in which a board cannot be found, or not be read: light, focus, pixels, a view from above."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.finding.patches import TOO_BRIGHT
from companion.vision.view.grey import GREY, burnt_out, colourless, need_colour
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame, Pose
from companion.vision.view.scene import Scene

Mask = npt.NDArray[np.bool_]
TOO_DARK = "The picture is too dark: switch on a light, or let the camera expose longer."
GLARING = "The picture is too bright: keep the sun off the board, or turn the exposure down."
BLURRED = "The picture is blurred: focus the lens, or wipe it."
TOO_LOW = "The camera looks along the board, nearly from its side: put it higher, so that it looks down on the board."
FROM_LOW = "The camera looks at the board from so low that they can hardly be made out: put it higher above the board."
HARDLY = (
    "Those that are seen can hardly be made out, so small or blurred are they: let the board fill the picture, "
    "and focus the lens."
)
TOO_SMALL = (
    "Whether the board in the picture is this game's cannot be made out, so small is it there: "
    "bring the camera nearer, or let it send larger pictures, and give it more light."
)
TINY = 8
"""Pixels across a piece: of so few nothing is read surely (docs/camera.md), and the print is hardly made out."""
_LOW = 2.0  # heights of a piece: from lower still, a piece hides more of the board than lies before it
DARKEST = 0.15
"""Of its brightness in good light, in grey levels: of a darker board, paper at 36, colours say next to nothing."""
_FLAT_MARKER = 0.5  # times as high as wide: seen from 60° off the vertical, from where on no camera is to be trusted
_SMALL_MARKER = 18.0  # pixels across, three for each of its cells
_PAPER = 240.0  # levels: as bright as white paper is on a good picture
_SOME = 16  # of so many rows and columns one tells how bright a board is
_SMALL = 1000  # pixels: a picture whose longer side has fewer may be too small
_WIDE = 640  # pixels: in as small a picture noise makes no edges
_DARK = 40  # grey levels: all is darker
_BRIGHT, _EVEN, _MUCH = 225, 3, 0.25
"""Grey levels, and share of a picture: so much is as bright as can be, and nearly even, where it is burnt out."""
_SOFT = 0.16  # of the contrast, a pixel: the steepest edges of sharp pictures have 0.27 and more
_FLAT = 30  # grey levels: where nothing has more contrast than that, there may be no edges to be seen


def lacking(grey: Frame) -> str:
    """What a grey picture, uint8, lacks to show a board: one sentence with the way out; "" if nothing but pixels."""
    size = min(1.0, _WIDE / grey.shape[1])
    small = np.asarray(cv2.resize(grey, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.float32)
    low, high = np.percentile(small, (1, 99))
    if high < _DARK:
        return TOO_DARK
    if high > _BRIGHT and (small > high - _EVEN).mean() > _MUCH:
        return GLARING
    if high - low > _FLAT and _steepest(small) < _SOFT * (high - low):
        return BLURRED
    return ""


def without_colours(frame: Frame, scene: Scene) -> str:
    """Why a picture, uint8 BGR, has no colours by which pieces could be told; "" if it has, or none are needed."""
    if not (colourless(frame) and need_colour(scene.colors_in_play)):
        return ""
    return TOO_BRIGHT if burnt_out(frame) else GREY


def few_pixels(grey: Frame) -> str:
    """That a picture has few pixels; "" if it has enough for a board of usual size."""
    if max(grey.shape) >= _SMALL:
        return ""
    pixels = f"{grey.shape[1]}×{grey.shape[0]}"
    return (
        "If that does not help, bring the camera nearer, or let it send larger pictures: "
        f"this one has {pixels} pixels only."
    )


def too_low(pose: Pose, scene: Scene) -> bool:
    """Whether the camera stands so low over a board that its pieces would hide nearly all that is behind them."""
    return bool(pose.eye[2] < _LOW * scene.sheet.piece.height)


def from_low(markers: Iterable[Floats]) -> bool:
    """Whether all markers that are seen, corners in pixels (4, 2) each, look so flat that the camera must stand low."""
    heights = []
    for corners in markers:
        across = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
        down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
        long, short = np.linalg.svd(np.column_stack([across, down]), compute_uv=False).tolist()
        heights.append(short / max(long, 1e-9))
    return bool(heights) and max(heights) < _FLAT_MARKER


def all_small(markers: Iterable[Floats]) -> bool:
    """Whether of all markers that are seen, corners in pixels (4, 2) each, the cells are so small that a little blur
    hides what they say; so too where there are none."""
    return all(cv2.contourArea(corners.astype(np.float32)) < _SMALL_MARKER**2 for corners in markers)


def _steepest(picture: Flat) -> float:
    """The slope, levels a pixel, that one place in a thousand has."""
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return float(np.percentile(cv2.magnitude(across, down), 99.9))


def brightness(flat: Frame, scene: Scene, beyond: Mask | None = None) -> float:
    """How bright the light parts of a board are, against good light: in a flat view, uint8 BGR (rows, cols, 3).

    beyond: what of it lies beyond the picture, bool (rows, cols).
    """
    shown = light_parts(flat, beyond)
    return 1.0 if np.isnan(shown) else shown / _usual(scene)


def light_parts(flat: Frame, beyond: Mask | None = None) -> float:
    """Grey levels of the light parts of a board in a flat view, uint8 BGR, without what lies `beyond`; else nan."""
    shown = flat[::_SOME, ::_SOME].mean(axis=2)
    inside = shown if beyond is None else shown[~beyond[::_SOME, ::_SOME]]
    return float(np.percentile(inside, 90)) if inside.size else float("nan")


@kept()
def _usual(scene: Scene) -> float:
    """Grey levels of the light parts of the empty board: paper's at most, and of a black board not none."""
    return min(_PAPER, max(1.0, light_parts(scene.empty)))
