"""Where the camera stands over the sheet, and the view straight down that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.bend import DOUBTS, Bend, terms
from companion.vision.view.lens import Lens

Frame = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Flat = npt.NDArray[np.float32]
Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]
"""Where each pixel of a flat view lies in the picture: whole pixels, and parts of them, as OpenCV is quickest with."""

_USUAL_FOCAL, _FOCAL_DOUBT = 0.95, 0.30  # focal length in picture widths, and its spread (natural log)
_TILT = math.radians(30)  # from straight above: so far a camera usually looks aside
_RADIAL_DOUBT, _HIGHER_DOUBT = 0.12, 0.05  # of k1 and k2, where the lens is not known
_CENTER_DOUBT, _SAME_CENTER = 0.015, 0.002
"""Of the principal point, picture widths: it lies so far off the middle in a camera, and in pictures of one camera."""
_STEPS = 40  # at most, to the best pose; a dozen will do mostly
_ALONE = 30  # places: of more, neighbours are off together
_AGAIN, _MORE = 2, 1.1  # times that it is asked how far places lie off; as much more than was thought
_FEWEST = 12  # points, where some are strays
_TELLING, _HELD = 12, 0.01  # places: fewer tell nothing of it; pixels by which it may be off then, or where it is known
_MOST_SMALLER = 16  # times: so many pixels to one of the view even the largest pictures hardly have
_CORNER_DOUBT = 0.25  # pixels, of what the eyes find
TAP_DOUBT = 1.5
"""Pixels by which places that somebody points at lie off."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A pinhole camera with radial distortion over the sheet, which lies flat, or bends.

    focal: pixels. radial: k1 of the usual model. turn, shift: rotation vector and translation, sheet → camera,
    millimetres. size: (width, height) of the picture. error: root mean square of the points, pixels.
    higher: k2 and, if known, k3. center: the principal point, pixels; None is the middle of the picture.
    The sheet's z axis points down into the table: a height h above the sheet is z = −h. bend: None if it is flat.
    """

    focal: float
    radial: float
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]
    size: tuple[int, int]
    error: float
    higher: tuple[float, ...] = ()
    center: tuple[float, float] | None = None
    bend: Bend | None = None

    @property
    def matrix(self) -> Floats:
        """The camera matrix, float64 (3, 3)."""
        (x, y), f = self.principal, self.focal
        return np.array([[f, 0, x], [0, f, y], [0, 0, 1.0]])

    @property
    def principal(self) -> tuple[float, float]:
        """The principal point (x, y), pixels, the middle of the first pixel being (0, 0)."""
        return self.center or ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)

    @property
    def distortion(self) -> Floats:
        """Of the lens as OpenCV takes it: k1, k2, 0, 0, k3."""
        k2, k3 = (*self.higher, 0.0, 0.0)[:2]
        return np.array([self.radial, k2, 0, 0, k3])

    @property
    def eye(self) -> Floats:
        """The camera's place as (x, y, height over the sheet), millimetres."""
        turn, _ = cv2.Rodrigues(np.array(self.turn))
        x, y, z = (-turn.T @ np.array(self.shift)).tolist()
        return np.array([x, y, -z])

    @property
    def oddness(self) -> float:
        """How far this is off what cameras usually are, and off straight above, where they mostly hang: squares of what
        each may usually be off, together."""
        turn, _ = cv2.Rodrigues(np.array(self.turn))
        tilt = math.acos(min(1.0, abs(float(turn[2, 2]))))
        zoom = math.log(self.focal / (_USUAL_FOCAL * max(self.size)))
        return (zoom / _FOCAL_DOUBT) ** 2 + (tilt / _TILT) ** 2

    def project(self, points: npt.ArrayLike) -> Floats:
        """Points of the sheet, mm, (N, 2) or (N, 3) as (x, y, height), to pixels, float64 (N, 2)."""
        given = np.asarray(points, np.float64)
        if not len(given):
            return np.empty((0, 2))
        solid = np.zeros((len(given), 3))
        solid[:, : given.shape[1]] = given
        if self.bend is not None:
            solid[:, 2] += self.bend.height(solid[:, :2])
        solid[:, 2] *= -1
        turn, shift = np.array(self.turn), np.array(self.shift)
        seen, _ = cv2.projectPoints(solid, turn, shift, self.matrix, self.distortion)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def shifted(self, other: Pose, width: float, height: float) -> float:
        """How far, at most, the corners of a sheet of this size, mm, lie apart in two poses, in pixels."""
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
        return float(np.abs(self.project(corners) - other.project(corners)).max())


def solve_pose(
    sheet_points: npt.ArrayLike,
    pixels: npt.ArrayLike,
    size: tuple[int, int],
    prior: Pose | None = None,
    lens: Lens | None = None,
    radial: float = 0.0,
    doubt: float = _CORNER_DOUBT,
) -> Pose | None:
    """The pose in which points of the sheet, mm (N, 2), appear at `pixels` (N, 2); None if there is none.

    Focal length, distortion and principal point are taken from `lens`, for pictures of this size, or else found as
    well; then they are held near `prior` (the same camera, earlier), or else near what cameras usually have, with k1
    near `radial`; fewer than a dozen points tell nothing of the principal point. doubt: how far `pixels` may lie off.
    """
    flat = np.ascontiguousarray(sheet_points, np.float64).reshape(-1, 2)
    seen = np.ascontiguousarray(pixels, np.float64).reshape(-1, 2)
    usual, spread = _usual(size, prior, lens, radial)
    if len(seen) < _TELLING:
        spread[-2:] = _HELD
    points = _Points(flat, seen)
    start = _seen_from(points, usual)
    found = None if start is None else _fitted(points, usual, start, spread, doubt)
    return found if found is not None and found.eye[2] > 0 else None


def _seen_from(points: _Points, camera: Pose) -> Pose | None:
    """From where a camera sees some places best; None if it sees them so from nowhere."""
    lens = camera.matrix, camera.distortion
    good, turn, shift = cv2.solvePnP(points.solid, points.seen, *lens, flags=cv2.SOLVEPNP_IPPE)
    if not good or not np.isfinite((turn, shift)).all() or shift[2] <= 0:
        return None
    return _placed(camera, turn, shift, points.middle)


def _placed(camera: Pose, turn: npt.ArrayLike, shift: npt.ArrayLike, middle: Floats) -> Pose:
    """A camera that is turned so, and shifted from what is the `middle` of the sheet's points, mm (3,)."""
    spin, _ = cv2.Rodrigues(np.asarray(turn, np.float64))
    (a, b, c), (x, y, z) = np.ravel(turn).tolist(), (np.ravel(shift) - spin @ middle).tolist()
    return replace(camera, turn=(a, b, c), shift=(x, y, z))


def without_strays(
    places: Floats,
    pixels: Floats,
    size: tuple[int, int],
    prior: Pose | None,
    lens: Lens | None,
    doubt: float = _CORNER_DOUBT,
) -> Pose | None:
    """`solve_pose` where some of the pixels are wrong; None where too few agree."""
    found = None
    for _ in range(3):
        if len(places) < _FEWEST:
            return found
        fit = solve_pose(places, pixels, size, prior, lens, doubt=doubt)
        if fit is None:
            return found
        found = fit
        miss = np.linalg.norm(fit.project(places) - pixels, axis=1)
        keep = miss < max(1.0, 2.5 * float(np.median(miss)))
        if keep.all():
            break
        places, pixels = places[keep], pixels[keep]
    return found


def solve_bend(
    sheet_points: npt.ArrayLike,
    pixels: npt.ArrayLike,
    start: Pose,
    sheet: tuple[float, float],
    prior: Pose | None = None,
    lens: Lens | None = None,
) -> Pose | None:
    """The pose of a sheet of some mm, (width, height), that bends as it must for its points, mm (N, 2), to appear at
    `pixels` (N, 2), found from the pose of a flat one; None if there is none. prior, lens: see `solve_pose`."""
    flat, seen = (np.ascontiguousarray(of, np.float64).reshape(-1, 2) for of in (sheet_points, pixels))
    usual, spread = _usual(start.size, prior, lens, 0.0)
    spread[-2:] = np.minimum(spread[-2:], _SAME_CENTER * max(start.size))  # else a bend passes for a camera's axis
    begin, spreads = replace(start, center=usual.principal), np.concatenate([spread, DOUBTS])
    found = _fitted(_Points(flat, seen, sheet), usual, begin, spreads, _CORNER_DOUBT)
    return found if found is not None and found.eye[2] > 0 else None


def _inner_of(pose: Pose) -> Floats:
    """What the camera itself has: log focal, k1, k2, and its principal point, pixels."""
    return np.array([np.log(pose.focal), *pose.distortion[:2], *pose.principal])


def _usual(
    size: tuple[int, int], prior: Pose | None, lens: Lens | None, radial: float
) -> tuple[Pose, Floats]:
    """A pose that holds what is known of the camera, and how far each that `_inner_of` names may be off."""
    nowhere = Pose(_USUAL_FOCAL * max(size), radial, (0, 0, 0), (0, 0, 0), size, 0.0)
    if lens is not None:
        k1, *higher = (*lens.radial, 0.0)
        known = replace(nowhere, focal=lens.focal, radial=k1, higher=tuple(higher), center=lens.center)
        return known, np.array([1e-4, 1e-5, 1e-5, _HELD, _HELD])
    if prior is not None:
        return prior, np.array([0.02, 0.01, 0.01, *[_SAME_CENTER * max(size)] * 2])
    return nowhere, np.array([_FOCAL_DOUBT, _RADIAL_DOUBT, _HIGHER_DOUBT, *[_CENTER_DOUBT * max(size)] * 2])


_INNER, _OUTER = 5, 6
"""How many unknowns the camera itself has, see `_inner_of`, and how many its place: its turn; where the middle of all
points would be seen without distortion, (x, y) pixels; and the log of how many mm of the sheet a pixel is wide there.
Then come the terms of the sheet's bend, if any. So a camera with a longer lens that is farther away, which sees nearly
the same, has the same place: between shifts, the way from one to the other is so curved that it was never finished."""


class _Points:
    """Places of a sheet, mm (N, 2), and where they are seen, pixels (N, 2). sheet: the size of one that bends, mm.

    middle: of all of them, mm (3,); solid: how far each lies from it, (N, 3); terms: of a bend at each, (N, K).
    """

    def __init__(self, flat: Floats, seen: Floats, sheet: tuple[float, float] | None = None) -> None:
        self.seen, self.sheet = seen, sheet
        self.middle = np.append(flat.mean(axis=0), 0.0)
        self.solid = np.column_stack([flat, np.zeros(len(flat))]) - self.middle
        self.terms = np.zeros((len(flat), 0)) if sheet is None else terms(flat, sheet)


def _fitted(points: _Points, usual: Pose, start: Pose, spread: Floats, doubt: float) -> Pose | None:
    """The pose that is likeliest where each place may lie off by `doubt`, pixels, or by as much as they do then.

    Neighbours lie off together, as a fold lifts the board, or a page was glued beside its place: many tell no more than
    some. (If each were believed by itself, a lens that nobody has would explain the fold.) See `_refine`.
    """
    together = math.sqrt(max(len(points.seen) / _ALONE, 1))
    found = _refine(points, usual, start, spread, together * doubt)
    for _ in range(_AGAIN):
        if found is None or found.error < _MORE * math.sqrt(2) * doubt:
            break
        doubt = found.error / math.sqrt(2)
        found = _refine(points, usual, found, spread, together * doubt)
    return found


def _refine(points: _Points, usual: Pose, start: Pose, spread: Floats, doubt: float) -> Pose | None:
    """Levenberg-Marquardt over the camera, its place and the bend, with normal priors on the camera, which is nearly as
    `usual`, and the bend, which is little; spread: how far each of these may lie off; doubt: how far each place."""
    held, damping = np.append(_inner_of(usual), np.zeros(points.terms.shape[1])), 1e-3
    at = _unknowns(start, points)
    miss, jacobian = _misses(points, usual, at, held, spread, doubt)
    for _ in range(_STEPS):
        normal = jacobian.T @ jacobian
        try:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ miss)
        except np.linalg.LinAlgError:  # hardly to be seen from anywhere
            return None
        trial, slopes = _misses(points, usual, at + step, held, spread, doubt)
        if not np.isfinite(trial).all() or trial @ trial > miss @ miss:
            damping *= 10
            if damping > 1e6:
                break
            continue
        done = miss @ miss - trial @ trial < 1e-6 * (miss @ miss)
        at, miss, jacobian, damping = at + step, trial, slopes, damping / 10
        if done:
            break
    if not np.isfinite(at).all():
        return None
    error = float(np.sqrt(np.mean((miss[: -len(spread)] * doubt) ** 2) * 2))
    return replace(_pose_at(at, usual, points), error=error)


def _unknowns(pose: Pose, points: _Points) -> Floats:
    """What `_refine` looks for, in a pose."""
    turn = np.array(pose.turn)
    x, y, z = cv2.Rodrigues(turn)[0] @ points.middle + pose.shift
    wide = z / pose.focal
    (cx, cy), lifts = pose.principal, np.zeros(points.terms.shape[1])
    return np.concatenate([_inner_of(pose), turn, [x / wide + cx, y / wide + cy, np.log(wide)], lifts])


def _focal_at(at: Floats) -> float:
    return math.exp(at[0].clip(1, 12))


def _shift_at(at: Floats) -> Floats:
    """Where the middle of all points lies from the camera, mm (3,)."""
    x, y = at[_INNER + 3 : _INNER + 5] - at[3:5]
    return np.array([x, y, _focal_at(at)]) * math.exp(at[_INNER + 5].clip(-12, 12))


def _pose_at(at: Floats, usual: Pose, points: _Points) -> Pose:
    focal, higher = _focal_at(at), (float(at[2]), *usual.higher[1:])
    bend = None if points.sheet is None else Bend(points.sheet, tuple(at[_INNER + _OUTER :].tolist()))
    lens = replace(usual, focal=focal, radial=float(at[1]), higher=higher, center=(float(at[3]), float(at[4])))
    return _placed(replace(lens, bend=bend), at[_INNER : _INNER + 3], _shift_at(at), points.middle)


def _misses(
    points: _Points, usual: Pose, at: Floats, held: Floats, spread: Floats, doubt: float
) -> tuple[Floats, Floats]:
    """Residuals in units of their doubt, (2N + priors,), and their slopes, (2N + priors, unknowns)."""
    turn, shift, focal = at[_INNER : _INNER + 3], _shift_at(at), _focal_at(at)
    matrix = np.array([[focal, 0, at[3]], [0, focal, at[4]], [0, 0, 1.0]])
    distortion = np.array([at[1], at[2], 0, 0, usual.distortion[4]])
    solid = points.solid - np.outer(points.terms @ at[_INNER + _OUTER :], (0, 0, 1))
    seen, by = cv2.projectPoints(solid, turn, shift, matrix, distortion)
    wide, of_shift = shift[2] / focal, by[:, 3:6]
    of_focal = focal * (by[:, 6] + by[:, 7]) + shift[2] * of_shift[:, 2]
    of_center, of_middle = by[:, 8:10] - wide * of_shift[:, :2], wide * of_shift[:, :2]
    up = of_shift @ -cv2.Rodrigues(turn)[0][:, 2]  # a place that is higher is one that is shifted so
    of_bend = up[:, None] * np.repeat(points.terms, 2, axis=0)
    own = np.column_stack([of_focal, by[:, 10:12], of_center, by[:, :3], of_middle, of_shift @ shift, of_bend])
    miss = (np.asarray(seen, np.float64).reshape(-1, 2) - points.seen).ravel() / doubt
    known = np.r_[0:_INNER, _INNER + _OUTER : own.shape[1]]
    ties = np.eye(own.shape[1])[known] / spread[:, None]
    return np.concatenate([miss, (at[known] - held) / spread]), np.vstack([own / doubt, ties])


def turned(pose: Pose, quarters: int, width: float, height: float) -> Pose:
    """The pose over a sheet of this size, mm, that lies turned by quarters about its middle."""
    return pushed(pose, math.pi / 2 * quarters, (0, 0), (width / 2, height / 2))


def pushed(pose: Pose, angle: float, way: tuple[float, float], middle: tuple[float, float]) -> Pose:
    """The pose over a sheet that was turned on the table about a place of it and pushed; all as the sheet had it
    before, mm, the angle in radians from x to y. How it bends is found anew."""
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, angle]))
    turn, _ = cv2.Rodrigues(np.array(pose.turn))
    vector, _ = cv2.Rodrigues(turn @ spin)
    a, b, c = np.asarray(vector, np.float64).ravel().tolist()
    about, aside = np.array([*middle, 0.0]), np.array([*way, 0.0])
    x, y, z = (turn @ (about + aside - spin @ about) + np.array(pose.shift)).tolist()
    return replace(pose, turn=(a, b, c), shift=(x, y, z), bend=None)


def flat_maps(pose: Pose, width: float, height: float, scale: float) -> tuple[Flat, Flat]:
    """Where each pixel of the view straight down lies in the picture: x and y, float32 (rows, cols), pixels.

    width, height: the sheet, mm. scale: pixels of the flat view per mm; its pixel (i, j) is the place
    ((i + ½) / scale, (j + ½) / scale). Projected on a coarse mesh, then interpolated.
    """
    cols, rows, cell = round(width * scale), round(height * scale), 8
    across, down = -(-cols // cell) + 2, -(-rows // cell) + 2
    x, y = np.meshgrid((np.arange(across) - 0.5) * cell / scale, (np.arange(down) - 0.5) * cell / scale)
    mesh = pose.project(np.column_stack([x.ravel(), y.ravel()])).reshape(down, across, 2).astype(np.float32)
    fine = cv2.resize(mesh, (across * cell, down * cell), interpolation=cv2.INTER_LINEAR)
    crop = fine[cell : cell + rows, cell : cell + cols]
    return np.ascontiguousarray(crop[..., 0]), np.ascontiguousarray(crop[..., 1])


@dataclass(frozen=True, eq=False, slots=True)
class Downward:
    """How a picture becomes the view straight down: it is made `smaller` times smaller, then looked up at `maps`.

    shape: (rows, cols) of the view.
    """

    maps: Maps
    smaller: int
    shape: tuple[int, int]

    def view(self, frame: Frame) -> Frame:
        """The view straight down of a picture, uint8 BGR; outside the picture it is 0."""
        if self.smaller > 1:
            cols, rows = frame.shape[1] // self.smaller, frame.shape[0] // self.smaller
            whole = frame[: rows * self.smaller, : cols * self.smaller]
            frame = np.asarray(cv2.resize(whole, (cols, rows), interpolation=cv2.INTER_AREA), np.uint8)
        return flatten(frame, self.maps)

    def beyond(self, size: tuple[int, int]) -> npt.NDArray[np.bool_] | None:
        """Where the view shows nothing of a picture of this size (cols, rows), or its very edge, bool (rows, cols);
        None where it lies in the picture as a whole."""
        x, y = self.maps[0][..., 0], self.maps[0][..., 1]
        cols, rows = (side // self.smaller for side in size)
        out = (x < 0) | (y < 0) | (x >= cols - 1) | (y >= rows - 1)
        if not out.any():
            return None
        return np.asarray(cv2.dilate(out.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def downward(maps: tuple[Flat, Flat]) -> Downward:
    """From the maps of the view, see `flat_maps`. Where it is coarser than the picture no detail may turn to noise."""
    step = float(np.median(np.hypot(np.diff(maps[0], axis=1), np.diff(maps[1], axis=1))))
    smaller = int(min(max(1.0, step), _MOST_SMALLER))  # of a pose that cannot be, the step is no number, or beyond all
    x, y = (maps if smaller == 1 else ((m + 0.5) / smaller - 0.5 for m in maps))
    whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return Downward((np.asarray(whole, np.int16), np.asarray(parts, np.uint16)), smaller, x.shape)


def flatten(frame: Frame, maps: tuple[Flat, Flat] | Maps) -> Frame:
    """Look straight down on the sheet: `frame` (uint8, BGR or grey) at `maps`; outside the picture it is 0."""
    flat = cv2.remap(frame, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(flat, np.uint8)
