"""Rays from the eye to the table and on to the lights: what each pixel shows, how bright, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.evidence.lens import Camera, Floats, Plane, dot
from calibration.evidence.shapes import Solid
from calibration.evidence.table import Ground, Light, Table

BOARD, TABLE = -1, -2
"""What a pixel shows where it is no solid; solids are numbered from 0."""
_BAND = 32
"""Rows that are reckoned at once: as many as a processor keeps near it."""
_SHARP = 0.03  # radians: how wide lacquer and glaze smear a light
Ids = npt.NDArray[np.int16]
Box = tuple[slice, slice]


@dataclass(frozen=True, eq=False, slots=True)
class Cast:
    """A picture before the sensor. light: linear BGR, (rows, cols, 3) of the fine grid.

    ids: what each fine pixel shows. whole: per solid, how many pixels it would show if nothing stood before it.
    """

    light: Plane
    ids: Ids
    whole: tuple[int, ...]


@dataclass(eq=False, slots=True)
class Canvas:
    """What is known of each fine pixel: its ray, how far it goes, and the surface that it meets."""

    eye: Floats
    rays: Plane
    depth: Plane
    ids: Ids
    normal: Plane
    color: Plane

    def copy(self) -> Canvas:
        """One to draw on; the rays stay the same."""
        drawn = self.depth.copy(), self.ids.copy(), self.normal.copy(), self.color.copy()
        return Canvas(self.eye, self.rays, *drawn)

    def points(self, box: Box) -> Plane:
        return np.asarray(self.eye.astype(np.float32) + self.depth[box][..., None] * self.rays[box], np.float32)

    def bands(self) -> Iterator[tuple[slice, Canvas]]:
        """Its rows, some after the other, and the canvas of each."""
        for top in range(0, len(self.ids), _BAND):
            band = slice(top, top + _BAND)
            rays, depth, ids = self.rays[band], self.depth[band], self.ids[band]
            yield band, Canvas(self.eye, rays, depth, ids, self.normal[band], self.color[band])


def cast(table: Table, camera: Camera, finer: int = 2, bare: Canvas | None = None) -> Cast:
    """Cast a picture with `finer` × `finer` rays a pixel. bare: its `ground`, where that is known."""
    canvas = ground(table.ground, camera, finer) if bare is None else bare.copy()
    whole = tuple(_draw(canvas, solid, i, _box(camera, canvas, solid, finer)) for i, solid in enumerate(table.solids))
    everything = (slice(None), slice(None))
    points = canvas.points(everything)
    out = canvas.color * _ambient(canvas, table, points, camera, finer)
    reached = [_unshaded(canvas, table, light, camera, finer) for light in table.lights]
    for band, part in canvas.bands():
        shine = _sheen(part, table)
        out[band] += shine[..., None] * table.sky.astype(np.float32)
        for light, seen in zip(table.lights, reached, strict=True):
            out[band] += _lit(part, light, points[band], seen[band])
            out[band] += _mirrored(part, light, points[band], seen[band] * shine)
    return Cast(out, canvas.ids, whole)


def ground(of: Ground, camera: Camera, finer: int) -> Canvas:
    """The board on its table, and nothing on it."""
    rays = camera.rays(finer)
    depth, on_board = of.meets(camera.eye, rays)
    ids = np.where(on_board, BOARD, TABLE).astype(np.int16)
    canvas = Canvas(camera.eye, rays, depth, ids, np.zeros_like(rays), np.zeros_like(rays))
    points = canvas.points((slice(None), slice(None)))
    for band, part in canvas.bands():
        part.color[:] = of.colors(points[band], on_board[band])
    canvas.normal[..., 2] = 1
    if not of.flat:
        canvas.normal = np.where(on_board[..., None], of.normal(points[..., 0], points[..., 1]), canvas.normal)
    return canvas


def _box(camera: Camera, canvas: Canvas, solid: Solid, finer: int, shadow: Light | None = None) -> Box:
    """The part of the fine picture in which a solid, and its shadow of one light, can be seen."""
    middle, radius = solid.bounds()
    corners = middle + radius * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    if shadow is not None:
        corners = np.vstack([corners, *(_fallen(corners, point) for point in shadow.points)])
    return _holding(camera, canvas, corners, finer)


def _holding(camera: Camera, canvas: Canvas, corners: Floats, finer: int) -> Box:
    """The part of the fine picture that holds all these points, and a little more."""
    rows, cols = canvas.ids.shape
    seen = (corners - camera.eye) @ camera.axes.T
    if (np.abs(seen[:, :2]).max(axis=1) > 1.5 * seen[:, 2]).any():
        return slice(0, rows), slice(0, cols)  # so far aside that the lens is no guide
    pixels = camera.project(corners) * finer
    x0, y0 = np.floor(pixels.min(axis=0)).astype(int).clip(0) - 2
    x1, y1 = np.ceil(pixels.max(axis=0)).astype(int) + 3
    return slice(max(0, y0), max(0, min(y1, rows))), slice(max(0, x0), max(0, min(x1, cols)))


def _fallen(points: Floats, light: Floats) -> Floats:
    """Where the shadows of points fall on the table, some mm below the board's face."""
    steep = np.maximum(light[2] - points[:, 2:], 0.15 * light[2])
    return np.asarray(points + (points - light) * (points[:, 2:] + 4) / steep)


def _draw(canvas: Canvas, solid: Solid, number: int, box: Box) -> int:
    """Draw a solid where nothing nearer is; returns how many pixels it has in all."""
    rays = canvas.rays[box]
    if not rays.size:
        return 0
    nearest, part_at = np.full(rays.shape[0] * rays.shape[1], np.inf), np.zeros(rays.shape[0] * rays.shape[1], np.int8)
    for k, part in enumerate(solid.parts):
        close = np.flatnonzero(_passes(canvas.eye, rays, *part.bounds()))
        t = part.hit(canvas.eye, rays.reshape(-1, 3)[close].astype(np.float64))
        better = t < nearest[close]
        nearest[close[better]], part_at[close[better]] = t[better], k
    seen = np.flatnonzero(nearest < canvas.depth[box].reshape(-1))
    part_of, towards = part_at[seen], rays.reshape(-1, 3)[seen].astype(np.float64)
    normal, color = np.zeros((len(seen), 3)), np.tile(solid.color, (len(seen), 1))
    points = canvas.eye + nearest[seen, None] * towards
    for k, part in enumerate(solid.parts):
        normal[part_of == k] = part.normal(points[part_of == k])
    if solid.grain:
        swirl = np.sin(points @ np.array([0.9, 0.5, 0.7]) + 2 * np.sin(points @ np.array([0.2, 0.8, -0.4])))
        color *= (1 + solid.grain * swirl)[:, None]
    at = np.unravel_index(seen, canvas.ids[box].shape)
    for buffer, values in ((canvas.depth, nearest[seen]), (canvas.normal, normal), (canvas.color, color)):
        buffer[box][at] = values
    canvas.ids[box][at] = number
    return int(np.isfinite(nearest).sum())


def _passes(eye: Floats, rays: Plane, middle: Floats, radius: float) -> npt.NDArray[np.bool_]:
    """Which rays (rows, cols, 3) pass a ball."""
    off = middle - eye
    along = dot(rays, off)
    return np.asarray((along > 0) & (along**2 > float(off @ off) - 1.02 * radius**2 - 1))


def _ambient(canvas: Canvas, table: Table, points: Plane, camera: Camera, finer: int) -> Plane:
    """What comes from everywhere: less from below, and less beside a piece (a ball that hides part of the sky)."""
    up = canvas.normal[..., 2]
    open_sky = 0.65 + 0.35 * up
    for number, solid in enumerate(table.solids):
        for part in solid.parts:
            middle, radius = part.bounds()
            if radius > 100:
                continue  # a sleeve: what it takes of the sky is little
            box = _around(camera, canvas, middle, 3.2 * radius, finer)
            off = middle.astype(np.float32) - points[box]
            square = dot(off, off)
            facing = dot(off, canvas.normal[box]) / np.sqrt(np.maximum(square, 1e-3))
            hidden = np.clip(facing, 0, 1) * np.minimum(radius**2 / np.maximum(square, 1e-3), 1) * 0.7
            open_sky[box] *= np.where(canvas.ids[box] == number, 1, 1 - hidden)
    return np.asarray(open_sky[..., None] * table.sky.astype(np.float32), np.float32)


def _around(camera: Camera, canvas: Canvas, middle: Floats, reach: float, finer: int) -> Box:
    corners = middle + reach * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.4, 0.4)])
    return _holding(camera, canvas, corners, finer)


def _unshaded(canvas: Canvas, table: Table, light: Light, camera: Camera, finer: int) -> Plane:
    """The share of a light that reaches each pixel, 0 to 1."""
    seen = np.ones(canvas.ids.shape, np.float32)
    if light.through is not None:
        for band, strip in canvas.bands():
            seen[band] = light.through.let_through(strip.points((slice(None), slice(None))), light.center)
    for number, solid in enumerate(table.solids):
        box = _box(camera, canvas, solid, finer, light)
        if not canvas.ids[box].size:
            continue  # its shadow falls beside the picture
        step = 1 if solid.owner else 6
        part = tuple(slice(side.start, side.stop, step) for side in box)
        shade = _shade(canvas, solid, number, light, (part[0], part[1]))
        if step > 1:
            rows, cols = canvas.ids[box].shape
            shade = np.asarray(cv2.resize(shade, (cols, rows), interpolation=cv2.INTER_LINEAR), np.float32)
            shade[canvas.ids[box] == number] = 0
        seen[box] = np.minimum(seen[box], 1 - shade)
    return seen


def _shade(canvas: Canvas, solid: Solid, number: int, light: Light, box: Box) -> Plane:
    """The share of a light that a solid keeps from each pixel of a box."""
    ids = canvas.ids[box]
    points = canvas.points(box).reshape(-1, 3).astype(np.float64)
    maybe = np.flatnonzero((ids.reshape(-1) != number) & _near_beam(points, solid.bounds(), light))
    points = points[maybe]
    kept = np.zeros((len(light.points), len(maybe)), bool)
    for part in solid.parts:
        close = np.flatnonzero(_near_beam(points, part.bounds(), light))
        for k, source in enumerate(light.points):
            kept[k, close] |= part.hit(points[close], source - points[close]) < 1
    out = np.zeros(ids.size, np.float32)
    out[maybe] = kept.mean(axis=0)
    return out.reshape(ids.shape)


def _near_beam(points: Floats, ball: tuple[Floats, float], light: Light) -> npt.NDArray[np.bool_]:
    """Which points, (N, 3), a ball may keep light from: the way to the light's middle passes close to it."""
    middle, radius = ball
    towards = light.center - points
    share = np.clip(((middle - points) * towards).sum(axis=1) / (towards**2).sum(axis=1), 0, 1)
    apart = np.linalg.norm(points + share[:, None] * towards - middle, axis=1)
    return np.asarray(apart < radius + share * light.radius * 1.3 + 1)


def _lit(canvas: Canvas, light: Light, points: Plane, seen: Plane) -> Plane:
    """What a light adds to dull surfaces."""
    towards = light.center.astype(np.float32) - points
    square = dot(towards, towards)
    strength = np.maximum(dot(towards, canvas.normal), 0) * seen * np.float32(_home(light)) / square**1.5
    return np.asarray(canvas.color * strength[..., None] * light.color.astype(np.float32), np.float32)


def _home(light: Light) -> float:
    """Square of the distance at which a light has its full strength: the middle of the board."""
    return float(((light.center - light.home) ** 2).sum())


def _sheen(canvas: Canvas, table: Table) -> Plane:
    """How much each pixel mirrors, 0 to 1: more at a flat angle (Schlick)."""
    # Counted from the end, as BOARD and TABLE are: the table first, then the board.
    gloss = np.array([*(solid.gloss for solid in table.solids), 0.05, table.ground.lacquer], np.float32)
    flat = 1 - np.minimum(np.abs(dot(canvas.rays, canvas.normal)), 1)
    return np.asarray(gloss[canvas.ids] * (0.04 + 0.96 * flat * (flat * flat) ** 2), np.float32)


def _mirrored(canvas: Canvas, light: Light, points: Plane, shine: Plane) -> Plane:
    """The image of a light in what shines."""
    facing = dot(canvas.rays, canvas.normal)
    mirrored = canvas.rays - 2 * facing[..., None] * canvas.normal
    if light.pane is not None:
        inside = _through(points, mirrored, light.pane)
        return np.asarray((inside * shine)[..., None] * (3.0 * light.color).astype(np.float32), np.float32)
    towards = light.center.astype(np.float32) - points
    far = np.sqrt(dot(towards, towards))
    close = dot(mirrored, towards) / far
    wide = _SHARP**2 + (light.radius / far) ** 2
    lobe = np.exp(-np.maximum(1 - close, 0) / wide) / wide * 0.6
    return np.asarray((lobe * shine)[..., None] * light.color.astype(np.float32), np.float32)


def _through(points: Plane, towards: Plane, pane: Floats) -> Plane:
    """How far inside a window rays pass its plane, 0 to 1, soft at its frame; the cross of its bars is dark."""
    corner, across, up = pane
    facing = np.cross(across, up)
    slow = dot(towards, facing)
    t = (np.float32(corner @ facing) - dot(points, facing)) / np.where(np.abs(slow) < 1e-6, np.float32(1e-6), slow)
    out = points + t[..., None] * towards - corner.astype(np.float32)
    a, b = dot(out, across / (across @ across)), dot(out, up / (up @ up))
    edge = np.minimum.reduce([a, 1 - a, b, 1 - b, np.abs(a - 0.5) - 0.03])
    return np.asarray(np.where(t > 0, np.clip(edge / 0.04, 0, 1), 0), np.float32)
