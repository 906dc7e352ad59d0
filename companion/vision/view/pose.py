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
_FOCALS = (0.3, 0.4, 0.5, 0.62, 0.77, 1.2, 1.5)  # the same, from very wide lenses to tele: other ways to begin
_PLAINLY_NEARER, _BETTER = 0.5, 0.8  # of the squares of how far places are off, and of the error, with another one
_EXACT, _MOST_RADIAL = 2.0, 0.6
"""Times the doubt: with such an error no other start is asked; k1 that a lens may have which is found from another."""
_RADIAL_DOUBT, _HIGHER_DOUBT = 0.12, 0.05  # of k1 and k2, where the lens is not known
_CENTER_DOUBT, _SAME_CENTER = 0.015, 0.002
"""Of the principal point, picture widths: it lies so far off the middle in a camera, and in pictures of one camera."""
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
    solid = np.hstack([flat, np.zeros((len(flat), 1))])
    usual, spread = _usual(size, prior, lens, radial)
    if len(seen) < _TELLING:
        spread[-2:] = _HELD
    starts = _starts(solid, seen, usual, known=lens is not None or prior is not None)
    best: Pose | None = None
    for guess in starts:
        found = _refine(_Points(solid, seen, doubt), usual, guess, spread)
        if found is None or found.eye[2] <= 0:
            continue
        if best is None or (found.error < _BETTER * best.error and abs(found.radial) < _MOST_RADIAL):
            best = found
        if best.error < _EXACT * doubt:
            break
    return best


def _starts(solid: Floats, seen: Floats, usual: Pose, known: bool) -> list[Floats]:
    """Where to begin, as `_inner_of` names it, and turn and shift; none if such places are seen so from nowhere.

    With the usual camera first. From a focal length that is far off, the way to the right one leads through distortions
    no lens has; so where the camera is not `known`, that comes next under which places lie plainly nearer to where they
    are seen. (Not alone, as from straight above all fit alike.)
    """
    first = _seen_from(solid, seen, usual)
    best = first
    for share in () if known else _FOCALS:
        other = _seen_from(solid, seen, replace(usual, focal=share * max(usual.size)))
        if other is not None and (best is None or other[0] < _PLAINLY_NEARER * best[0]):
            best = other
    return [guess for _, guess in filter(None, (first, best if best is not first else None))]


def _seen_from(solid: Floats, seen: Floats, camera: Pose) -> tuple[float, Floats] | None:
    """How far off places are seen, square pixels, from where a camera sees them best, and what `_starts` says of it."""
    good, turn, shift = cv2.solvePnP(solid, seen, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE)
    if not good or not np.isfinite(turn).all():
        return None
    there, _ = cv2.projectPoints(solid, turn, shift, camera.matrix, camera.distortion)
    off = float(np.sum((there.reshape(-1, 2) - seen) ** 2))
    return off, np.concatenate([_inner_of(camera), turn.ravel(), shift.ravel()])


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
    solid = np.hstack([flat, np.zeros((len(flat), 1))])
    usual, spread = _usual(start.size, prior, lens, 0.0)
    spread[-2:] = np.minimum(spread[-2:], _SAME_CENTER * max(start.size))  # else a bend passes for a camera's axis
    inner = [*_inner_of(start)[:-2], *usual.principal]
    guess = np.concatenate([inner, start.turn, start.shift, np.zeros(len(DOUBTS))])
    points = _Points(solid, seen, _CORNER_DOUBT, sheet, terms(flat, sheet))
    found = _refine(points, usual, guess, np.concatenate([spread, DOUBTS]))
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
"""How many unknowns the camera itself has, log focal, k1, k2, principal point, and how many its place, turn and shift;
then come the terms of the sheet's bend, if any."""


@dataclass(frozen=True, eq=False, slots=True)
class _Points:
    """Places of a sheet, mm (N, 3), where they are seen, pixels (N, 2), and how far these lie off; and of a sheet that
    bends its size, mm, and its terms at each place, (N, K)."""

    solid: Floats
    seen: Floats
    doubt: float
    sheet: tuple[float, float] = (0.0, 0.0)
    terms: Floats | None = None


def _refine(points: _Points, usual: Pose, guess: Floats, spread: Floats) -> Pose | None:
    """Levenberg-Marquardt over what `_inner_of` names, turn, shift and bend, with normal priors on the camera, which is
    nearly as `usual`, and the bend, which is little; spread: how far each of these may lie off."""
    held, damping = np.concatenate([_inner_of(usual), np.zeros(len(guess) - _INNER - _OUTER)]), 1e-3
    miss, jacobian = _misses(points, usual, guess, held, spread)
    for _ in range(25):
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ miss)
        trial, slopes = _misses(points, usual, guess + step, held, spread)
        if not np.isfinite(trial).all() or trial @ trial > miss @ miss:
            damping *= 10
            if damping > 1e6:
                break
            continue
        done = miss @ miss - trial @ trial < 1e-6 * (miss @ miss)
        guess, miss, jacobian, damping = guess + step, trial, slopes, damping / 10
        if done:
            break
    if not np.isfinite(guess).all():
        return None
    error = float(np.sqrt(np.mean((miss[: -len(spread)] * points.doubt) ** 2) * 2))
    return replace(_pose_at(guess, usual, points.sheet), error=error)


def _pose_at(at: Floats, usual: Pose, sheet: tuple[float, float]) -> Pose:
    (a, b, c), (x, y, z) = at[_INNER : _INNER + _OUTER].reshape(2, 3).tolist()
    focal, higher = float(np.exp(np.clip(at[0], 1, 12))), (float(at[2]), *usual.higher[1:])
    lifts = tuple(at[_INNER + _OUTER :].tolist())
    bend = Bend(sheet, lifts) if lifts else None
    lens = replace(usual, focal=focal, radial=float(at[1]), higher=higher, center=(float(at[3]), float(at[4])))
    return replace(lens, turn=(a, b, c), shift=(x, y, z), bend=bend)


def _misses(points: _Points, usual: Pose, at: Floats, held: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Residuals in units of their doubt, (2N + priors,), and their slopes, (2N + priors, unknowns)."""
    pose, solid = _pose_at(at, usual, points.sheet), points.solid
    if points.terms is not None:
        solid = np.column_stack([solid[:, :2], -points.terms @ at[_INNER + _OUTER :]])
    turn = at[_INNER : _INNER + 3]
    seen, slopes = cv2.projectPoints(solid, turn, at[_INNER + 3 : _INNER + _OUTER], pose.matrix, pose.distortion)
    of_focal = pose.focal * (slopes[:, 6] + slopes[:, 7])
    own = np.column_stack([of_focal, slopes[:, 10:12], slopes[:, 8:10], slopes[:, :6]])
    if points.terms is not None:
        up = slopes[:, 3:6] @ -cv2.Rodrigues(turn)[0][:, 2]  # a place that is higher is one that is shifted so
        own = np.hstack([own, up[:, None] * np.repeat(points.terms, 2, axis=0)])
    miss = (np.asarray(seen, np.float64).reshape(-1, 2) - points.seen).ravel() / points.doubt
    known = np.r_[0:_INNER, _INNER + _OUTER : own.shape[1]]
    ties = np.eye(own.shape[1])[known] / spread[:, None]
    return np.concatenate([miss, (at[known] - held) / spread]), np.vstack([own / points.doubt, ties])


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
