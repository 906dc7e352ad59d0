"""Where the camera stands over the sheet, and the view straight down that follows from it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Flat = npt.NDArray[np.float32]

_USUAL_FOCAL, _FOCAL_DOUBT = 0.95, 0.30  # focal length in picture widths, and its spread (natural log)
_DISTORTION_DOUBT = 0.08
_CORNER_DOUBT = 0.25  # pixels


@dataclass(frozen=True, slots=True)
class Pose:
    """A pinhole camera with radial distortion over the sheet.

    focal: pixels. radial: k1 of the usual model. turn, shift: rotation vector and translation, sheet → camera,
    millimetres. size: (width, height) of the picture. error: root mean square of the points, pixels.
    The sheet's z axis points down into the table: a height h above the sheet is z = −h.
    """

    focal: float
    radial: float
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]
    size: tuple[int, int]
    error: float

    @property
    def matrix(self) -> Floats:
        """The camera matrix, float64 (3, 3); the principal point is the middle of the picture."""
        (w, h), f = self.size, self.focal
        return np.array([[f, 0, (w - 1) / 2], [0, f, (h - 1) / 2], [0, 0, 1.0]])

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
        solid[:, 2] *= -1
        lens = np.array([self.radial, 0, 0, 0])
        seen, _ = cv2.projectPoints(solid, np.array(self.turn), np.array(self.shift), self.matrix, lens)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def shifted(self, other: Pose, width: float, height: float) -> float:
        """How far, at most, the corners of a sheet of this size, mm, lie apart in two poses, in pixels."""
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
        return float(np.abs(self.project(corners) - other.project(corners)).max())


def solve_pose(
    sheet_points: npt.ArrayLike, pixels: npt.ArrayLike, size: tuple[int, int], prior: Pose | None = None
) -> Pose | None:
    """The pose in which points of the sheet, mm (N, 2), appear at `pixels` (N, 2); None if there is none.

    Focal length and distortion are found as well; they are held near `prior` (the same camera, earlier), or
    else near what cameras usually have.
    """
    flat = np.ascontiguousarray(sheet_points, np.float64).reshape(-1, 2)
    seen = np.ascontiguousarray(pixels, np.float64).reshape(-1, 2)
    solid = np.hstack([flat, np.zeros((len(flat), 1))])
    focal = prior.focal if prior else _USUAL_FOCAL * max(size)
    start = Pose(focal, prior.radial if prior else 0.0, (0, 0, 0), (0, 0, 0), size, 0.0)
    lens = np.array([start.radial, 0, 0, 0])
    good, turn, shift = cv2.solvePnP(solid, seen, start.matrix, lens, flags=cv2.SOLVEPNP_IPPE)
    if not good or not np.isfinite(turn).all():
        return None
    guess = np.concatenate([[np.log(focal), start.radial], turn.ravel(), shift.ravel()])
    doubt = (0.02, 0.01) if prior else (_FOCAL_DOUBT, _DISTORTION_DOUBT)
    found = _refine(solid, seen, size, guess, np.array(doubt))
    return found if found is not None and found.eye[2] > 0 else None


def _refine(solid: Floats, seen: Floats, size: tuple[int, int], guess: Floats, doubt: Floats) -> Pose | None:
    """Levenberg-Marquardt over (log focal, k1, turn, shift) with normal priors on the first two."""
    usual, damping = guess[:2].copy(), 1e-3
    miss, jacobian = _misses(solid, seen, size, guess, usual, doubt)
    for _ in range(20):
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -jacobian.T @ miss)
        trial, slopes = _misses(solid, seen, size, guess + step, usual, doubt)
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
    error = float(np.sqrt(np.mean((miss[:-2] * _CORNER_DOUBT) ** 2) * 2))
    turn, shift = tuple(guess[2:5].tolist()), tuple(guess[5:8].tolist())
    return Pose(float(np.exp(guess[0])), float(guess[1]), turn, shift, size, error)


def _misses(
    solid: Floats, seen: Floats, size: tuple[int, int], at: Floats, usual: Floats, doubt: Floats
) -> tuple[Floats, Floats]:
    """Residuals in units of their doubt, (2N + 2,), and their slopes, (2N + 2, 8)."""
    (w, h), focal = size, float(np.exp(np.clip(at[0], 1, 12)))
    matrix = np.array([[focal, 0, (w - 1) / 2], [0, focal, (h - 1) / 2], [0, 0, 1.0]])
    lens = np.array([at[1], 0, 0, 0])
    points, slopes = cv2.projectPoints(solid, at[2:5], at[5:8], matrix, lens)
    own = np.column_stack([focal * (slopes[:, 6] + slopes[:, 7]), slopes[:, 10], slopes[:, :6]])
    miss = (np.asarray(points, np.float64).reshape(-1, 2) - seen).ravel() / _CORNER_DOUBT
    held = np.zeros((2, 8))
    held[0, 0], held[1, 1] = 1 / doubt
    return np.concatenate([miss, (at[:2] - usual) / doubt]), np.vstack([own / _CORNER_DOUBT, held])


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


def flatten(frame: Frame, maps: tuple[Flat, Flat]) -> Frame:
    """Look straight down on the sheet: `frame` (uint8, BGR or grey) at `maps`; outside the picture it is 0."""
    flat = cv2.remap(frame, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(flat, np.uint8)
