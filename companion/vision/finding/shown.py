"""Where a board lies that somebody has shown, by tapping its corners: whether it still does, or where it went."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.finding.likeness import likeness
from companion.vision.finding.nudge import in_turns
from companion.vision.finding.patches import snap
from companion.vision.finding.unfound import TOO_LOW, too_low
from companion.vision.view.keeping import kept
from companion.vision.view.pose import TAP_DOUBT, Flat, Floats, Frame, Pose, downward, flat_maps, pushed, solve_pose
from companion.vision.view.scene import Scene

_WIDE = 200  # pixels: so long is the board's longer side in the view in which is looked
_RIM = 0.06  # of that side: as much of the table round it is looked at, as the board's edge tells most
_AROUND = 14.0  # pixels: brightness is compared with that around
_DARK = 8.0  # levels: below this noise has more to say than the board
_LOUD = 0.25  # natural logarithm: what differs by more counts no more; pieces are loud, and move
_REACH = 0.6  # of that side: so far a board may have been pushed
_ANGLES = np.radians(np.arange(-16.0, 16.1, 2.0))  # by which it may have turned
_COARSE = 0.5  # of the view's size: enough to see where to look closer
_SAME = 0.05  # of that side: places so near are one place
_NEARLY, _MOST = 0.85, 3  # of the likest place's score: others as like are looked at, too, as squares repeat
_STEPS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-4)
_ALIKE, _PLAINLY = 0.75, 0.88  # correlation where it was, an arm over it; where it is now, when nobody pushes any more.
# After a whole game it was above 0.92; two squares beside the place 0.83, without noise
_LIKER = 0.8  # of what is unlike: no more may be left where the camera was moved, not the board, or another place is
_HARDLY = 1.5  # pixels: less is no move
_CROOKED = 0.03  # of the picture's width: corners that lie off by more are not this board's
_PULLED = 0.02  # of the picture's width: so far off may somebody tap
_DETAILED = 0.4  # share of the board's patches, found where they belong, by which taps are made exact

OTHER_WAY = (
    "These corners go round the other way: tap them clockwise, beginning with the one that is marked. "
    "If the picture is mirrored, switch off mirroring in the camera's settings."
)
CROOKED = (
    "These four points cannot be the corners of this board, seen from anywhere: "
    "tap them again, clockwise, beginning with the one that is marked."
)
TURNED = "To the camera the board looks turned by {}: is the first corner the one that is marked?"
_WAYS = {1: "a quarter", 2: "a half", 3: "a quarter"}


@dataclass(frozen=True, eq=False)
class Showing:
    """What somebody did. picture: the frame in which corners were tapped, uint8 BGR; places: these on the sheet, mm,
    clockwise; taps: in the picture, pixels; both float64 (4, 2)."""

    picture: Frame
    places: Floats
    taps: Floats


@dataclass(frozen=True, eq=False)
class Shown:
    """What was shown by that. pose: of the board in that picture. doubt: a sentence where the picture speaks against
    it, else ""."""

    showing: Showing
    pose: Pose
    doubt: str = ""


def show(showing: Showing, scene: Scene) -> Shown | str:
    """Where a board lies whose corners somebody tapped, or a sentence that says why that cannot be.

    Raises ImageError if the lens was measured with pictures of another shape.
    """
    picture, size = showing.picture, (showing.picture.shape[1], showing.picture.shape[0])
    if (_ways_round(showing.taps) < 0).all():
        return OTHER_WAY
    pose = solve_pose(showing.places, showing.taps, size, None, scene.lens_for(size), doubt=TAP_DOUBT)
    if pose is None or pose.error > _CROOKED * size[0] or (_ways_round(showing.taps) <= 0).any():
        return CROOKED
    if too_low(pose, scene):
        return TOO_LOW
    pose = _by_details(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), scene, pose)
    way = _WAYS.get(likeness(picture, scene, pose).turned or 0)
    return Shown(showing, pose, "" if way is None else TURNED.format(way))


def _ways_round(taps: Floats) -> Floats:
    """For each of four corners whether one turns to the right there, > 0, or to the left, < 0."""
    to = np.roll(taps, -1, axis=0) - taps
    after = np.roll(to, -1, axis=0)
    return np.asarray(to[:, 0] * after[:, 1] - to[:, 1] * after[:, 0])


def _by_details(grey: Frame, scene: Scene, pose: Pose) -> Pose:
    """The pose made exact, where enough of the board can be made out, by no more than somebody may tap beside it."""
    exact = snap(grey, scene, pose, pose, coarse=True)
    if isinstance(exact, str) or exact.again.found < _DETAILED:
        return pose
    off = exact.pose.shifted(pose, scene.sheet.width, scene.sheet.height)
    return exact.pose if off <= _PULLED * pose.size[0] else pose


def as_shown(grey: Frame, scene: Scene, shown: Shown) -> Pose | None:
    """The pose of a board that lies as it was shown, or was pushed from there, or the camera was, by a little; None if
    that is not plain. grey: uint8.
    """
    if shown.pose.size != (grey.shape[1], grey.shape[0]):
        return None
    there = _there(shown, *_look_of(scene))
    fits = filter(None, (_exact(there, grey, start) for start in _near(there, grey, shown.pose)))
    ranked = sorted(fits, key=lambda fit: -fit.alike)
    if not ranked or any(1 - ranked[0].alike > _LIKER * (1 - other.alike) for other in ranked[1:]):
        return None
    best = ranked[0]
    if best.pose.shifted(shown.pose, scene.sheet.width, scene.sheet.height) < _HARDLY:
        return shown.pose
    return _by_details(grey, scene, best.pose) if best.alike >= _PLAINLY else None


class _Look(NamedTuple):
    """How a board is looked at: its size and the rim round it, mm; pixels per mm."""

    width: float
    height: float
    rim: float
    scale: float


class _There(NamedTuple):
    """What is seen there: brightness against that around, natural logarithm, and which pixels lie in the picture, 0 or
    1; both (rows, cols)."""

    look: _Look
    relief: Flat
    inside: Frame


def _look_of(scene: Scene) -> _Look:
    long = max(scene.sheet.width, scene.sheet.height)
    return _Look(scene.sheet.width, scene.sheet.height, _RIM * long, _WIDE / long)


@kept()
def _there(shown: Shown, *look: float) -> _There:
    """The board as it was shown."""
    grey = np.asarray(cv2.cvtColor(shown.showing.picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return _seen(grey, shown.pose, _Look(*look))


def _seen(grey: Frame, pose: Pose, look: _Look, more: float = 0.0) -> _There:
    """What is seen of a board at a pose, with its rim and `more` mm round it."""
    rim = look.rim + more
    corner, width, height = pushed(pose, 0.0, (-rim, -rim), (0.0, 0.0)), look.width + 2 * rim, look.height + 2 * rim
    down = downward(flat_maps(corner, width, height, look.scale))
    beyond = down.beyond(pose.size)
    inside = np.ones(down.shape, np.uint8) if beyond is None else (~beyond).astype(np.uint8)
    logs = np.log(down.view(grey).astype(np.float32) + _DARK)
    share = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), _AROUND)
    around = cv2.GaussianBlur(logs * inside, (0, 0), _AROUND) / np.maximum(share, 1e-3)
    calm = cv2.GaussianBlur((logs - around) * inside, (0, 0), 1.0)
    return _There(look, np.asarray(np.clip(calm, -_LOUD, _LOUD), np.float32), inside)


def _near(there: _There, grey: Frame, pose: Pose) -> Iterator[Pose]:
    """Where the board may have gone, right to some mm, the likest place first."""
    look, long = there.look, _WIDE / there.look.scale
    around = _smaller(_seen(grey, pose, look, _REACH * long).relief)
    boards = in_turns(_smaller(there.relief), _ANGLES)
    scores = np.stack([cv2.matchTemplate(around, board, cv2.TM_CCORR_NORMED) for board in boards])
    step, middle = 1 / (_COARSE * look.scale), [(side - 1) / 2 for side in scores.shape[1:]]
    near, least = math.ceil(_SAME * long / step), _NEARLY * float(scores.max())
    for _ in range(_MOST):
        turn, y, x = (int(k) for k in np.unravel_index(int(scores.argmax()), scores.shape))
        if scores[turn, y, x] < least:
            return
        way = (x - middle[1]) * step, (y - middle[0]) * step
        yield pushed(pose, float(_ANGLES[turn]), way, (look.width / 2, look.height / 2))
        scores[:, max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = -1


def _smaller(relief: Flat) -> Flat:
    return np.asarray(cv2.resize(relief, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_AREA), np.float32)


class _Fit(NamedTuple):
    """A pose, and the correlation of what is seen then and there; at most 1."""

    pose: Pose
    alike: float


def _exact(there: _There, grey: Frame, start: Pose) -> _Fit | None:
    """The pose near `start` in which the picture is likest (Evangelidis & Psarakis 2008, enhanced correlation
    coefficient): as a board slides on a table, else as the camera may have been moved; None if it is not like it."""
    look, now = there.look, _seen(grey, start, there.look)
    inside, resting = now.inside & there.inside, np.eye(2, 3, dtype=np.float32)
    slid = _fitted(there.relief, now.relief, inside, resting, cv2.MOTION_EUCLIDEAN)
    if slid is None:
        return None
    alike, warp = slid[0], np.vstack([slid[1], (0, 0, 1)]).astype(np.float32)
    tilted = _fitted(there.relief, now.relief, inside, warp, cv2.MOTION_HOMOGRAPHY)
    if tilted is not None and 1 - tilted[0] < _LIKER * (1 - alike):
        alike, warp = tilted
    if alike < _ALIKE:
        return None
    grid = np.linspace(0, 1, 5)
    places = np.array([(x * look.width, y * look.height) for y in grid for x in grid])
    pixels = ((places + look.rim) * look.scale - 0.5)[:, None]
    went = (cv2.perspectiveTransform(pixels, warp.astype(np.float64))[:, 0] + 0.5) / look.scale - look.rim
    pose = solve_pose(places, start.project(went), start.size, start)
    return None if pose is None else _Fit(pose, alike)


def _fitted(before: Flat, now: Flat, inside: Frame, start: Flat, motion: int) -> tuple[float, Flat] | None:
    """Correlation and warp with which what is seen now lies best on what was; None if there is none."""
    try:
        alike, warp = cv2.findTransformECC(before, now, start.copy(), motion, _STEPS, inside, 5)
    except cv2.error:  # it found no way to become more alike
        return None
    return float(alike), np.asarray(warp, np.float32)
