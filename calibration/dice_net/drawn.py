"""Draws trays of dice straight down on the table, thousands of them, for the net to learn from; not for measuring.

Dice are cubes of drawn faces on grounds of any kind, of any make, lying, leaning, touching and stacked, among things
that have spots and are no dice. Lengths are pixels of the view, z is up; colours are BGR, 0 to 255.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER, Shown, Top
from calibration.evidence.dice_solids import PIPS

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Rng = np.random.Generator

_TEXTURE = 64  # pixels of a face before it is laid on
_LEAN = (7.0, 44.0)  # degrees
_FINER = 2  # drawn so much larger, then made small
_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_FACES = (  # corners in turn, seen from outside; the value; opposite ones make 7
    ((0, 1, 3, 2), 3), ((4, 6, 7, 5), 4), ((0, 4, 5, 1), 5), ((2, 3, 7, 6), 2), ((0, 2, 6, 4), 1), ((1, 5, 7, 3), 6),
)  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """How dice of a kind look. body, pips, ace: colours. corner, spacing, pip: of the edge. wide: the ace, of a pip.

    hollow: how far a pip's light part is moved. vein: the other colour of a mixed body, veins: how much of it there is.
    glow: how much brighter, as a share, light that comes through makes the side away from it. gloss: 0 to 1.
    """

    body: Floats
    pips: Floats
    ace: Floats
    corner: float
    spacing: float
    pip: float
    wide: float
    hollow: float
    vein: Floats
    veins: float
    glow: float
    gloss: float


@dataclass(frozen=True, eq=False, slots=True)
class Cube:
    """A die. center: (3,). turn: (3, 3), columns are its own axes."""

    look: Look
    edge: float
    center: Floats
    turn: Floats
    kind: int

    def corners(self, share: float = 1.0) -> Floats:
        """Its eight corners, (8, 3); share: of a smaller cube inside it."""
        return np.asarray(self.center + share * self.edge * _CORNERS @ self.turn.T)


def drawn_tray(rng: Rng) -> Shown:
    """One tray, its camera and the tops of its dice."""
    edge, wide, high = rng.uniform(17, 45), int(rng.integers(180, 340)), int(rng.integers(160, 320))
    away, lean, about = edge * rng.uniform(12, 70), rng.uniform(0, 1.25), rng.uniform(0, 2 * math.pi)
    middle = np.array([wide, high]) / 2
    camera = np.array([*(middle + away * lean * np.array([math.cos(about), math.sin(about)])), away])
    cubes = _laid(edge, wide, high, rng)
    picture = ground(wide, high, edge, rng)
    for _ in range(int(rng.integers(0, 9)) if rng.random() < 0.6 else 0):
        _litter(picture, edge, rng)
    picture = _lit(picture, cubes, camera, rng)
    return Shown(np.clip(picture + 0.5, 0, 255).astype(np.uint8), camera, _tops(cubes, camera, wide, high))


def seen(points: Floats, camera: Floats) -> Floats:
    """Points, (N, 3), as the view straight down shows them, (N, 2): the higher, the farther from the camera's foot."""
    return np.asarray(camera[:2] + (points[:, :2] - camera[:2]) * (camera[2] / (camera[2] - points[:, 2]))[:, None])


def _tops(cubes: list[Cube], camera: Floats, wide: int, high: int) -> tuple[Top, ...]:
    """The faces that look up most; what a die in front of it or the picture's edge hides is nobody's to learn from."""
    owner = np.zeros((high, wide), np.uint8)
    quads = []
    for number, cube in enumerate(_far_first(cubes, camera), 1):
        cv2.fillConvexPoly(owner, cv2.convexHull(_fixed(seen(cube.corners(), camera))), number, cv2.LINE_8, 4)
        at, value = max(_FACES, key=lambda face: float(cube.turn[2] @ _CORNERS[list(face[0])].mean(axis=0)))
        quads.append((seen(cube.corners()[list(at)], camera), value, cube.kind))
    found = []
    for number, (quad, value, kind) in enumerate(quads, 1):
        area, on = abs(cv2.contourArea(quad.astype(np.float32))), np.zeros_like(owner)
        cv2.fillConvexPoly(on, _fixed(quad), 1, cv2.LINE_8, 4)
        whole = int(((owner == number) & (on > 0)).sum()) > 0.85 * area
        x, y = quad.mean(axis=0).tolist()
        found.append(Top(x, y, math.sqrt(area), value, kind if whole else UNDER))
    return tuple(found)


def _far_first(cubes: list[Cube], camera: Floats) -> list[Cube]:
    return sorted(cubes, key=lambda cube: (cube.kind == ON_TOP, -float(np.hypot(*(cube.center - camera)[:2]))))


# --- how they lie ---


def _laid(edge: float, wide: int, high: int, rng: Rng) -> list[Cube]:
    looks = [a_look(rng) for _ in range(int(rng.integers(1, 4)))]
    cubes: list[Cube] = []
    for _ in range(int(rng.integers(1, 12)) if rng.random() < 0.95 else 0):
        look = looks[int(rng.integers(len(looks)))]
        size = edge if rng.random() < 0.7 else edge * rng.uniform(0.75, 1.3)
        new = _one(cubes, look, size, np.array([wide, high]), rng)
        room = 0.5 if new.kind == ON_TOP else 0.51
        apart = [float(np.hypot(*(c.center - new.center)[:2])) > room * (c.edge + size) for c in cubes]
        if new.kind == ON_TOP and apart.count(False) == 1:
            under = cubes[apart.index(False)]
            if under.kind == FLAT:
                cubes[apart.index(False)] = Cube(under.look, under.edge, under.center, under.turn, UNDER)
                cubes.append(new)
        elif all(apart):
            cubes.append(new)
    return cubes


def _one(cubes: list[Cube], look: Look, size: float, room: Floats, rng: Rng) -> Cube:
    at, turn, chance = rng.uniform(-0.1, 1.1, 2) * room, _turned(rng), rng.random()
    other = cubes[int(rng.integers(len(cubes)))] if cubes else None
    if other is not None and other.kind == FLAT and chance < 0.3:  # touching, side to side or nearly
        way = _level(other.turn) + math.pi / 2 * int(rng.integers(4))
        out, along = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
        at = other.center[:2] + out * (other.edge + size) / 2 * rng.uniform(1.0, 1.12)
        at = at + along * rng.normal(0, 0.3) * size
        turn = _about(np.array([0, 0, 1.0]), way - _level(turn) + rng.normal(0, 0.04)) @ turn
    if other is not None and other.kind == FLAT and chance > 0.94:
        on = np.array([*(other.center[:2] + rng.uniform(-0.22, 0.22, 2) * size), other.edge + size / 2])
        return Cube(look, size, on, turn, ON_TOP)
    if 0.6 < chance <= 0.94 and rng.random() < 0.7:
        way = rng.uniform(0, 2 * math.pi) if rng.random() < 0.3 else _level(turn) + math.pi / 2 * int(rng.integers(4))
        turn = _about(np.array([math.cos(way), math.sin(way), 0.0]), math.radians(rng.uniform(*_LEAN))) @ turn
        return Cube(look, size, np.array([*at, float(np.abs(turn[2]).sum()) * size / 2]), turn, LEANING)
    return Cube(look, size, np.array([*at, size / 2]), turn, FLAT)


def _turned(rng: Rng) -> Floats:
    """A cube on any of its faces, turned by any angle."""
    axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
    if np.linalg.det(axes) < 0:
        axes[0] *= -1
    return np.asarray(_about(np.array([0, 0, 1.0]), rng.uniform(0, 2 * math.pi)) @ axes)


def _level(turn: Floats) -> float:
    """The direction of a level axis of it."""
    axis = turn[:, int(np.abs(turn[2]).argmin())]
    return math.atan2(axis[1], axis[0])


def _about(axis: Floats, angle: float) -> Floats:
    return np.asarray(cv2.Rodrigues(axis * angle)[0], np.float64)


# --- how they look ---


def a_look(rng: Rng) -> Look:
    """Light with dark pips, dark with light ones, any two colours that differ, deep or shallow pips, sharp or round."""
    while True:
        body, pips = any_color(rng), any_color(rng)
        if abs(float((body - pips) @ (0.11, 0.59, 0.3))) > rng.uniform(20, 120):
            break
    ace = np.array([30.0, 30.0, 190.0]) if rng.random() < 0.15 else pips
    wide = rng.uniform(1.1, 2.2) if rng.random() < 0.35 else 1.0
    spacing, pip = rng.uniform(0.2, 0.3), rng.uniform(0.06, 0.12)
    vein = body + (any_color(rng) - body) * rng.uniform(0.2, 0.8)
    veins = rng.uniform(0.1, 1) if rng.random() < 0.35 else 0.0
    glow = rng.uniform(0.1, 0.8) if rng.random() < 0.2 else 0.0
    corner, hollow = rng.uniform(0.02, 0.24), rng.uniform(-0.4, 0.4)
    return Look(body, pips, ace, corner, spacing, pip, wide, hollow, vein, veins, glow, rng.random())


def any_color(rng: Rng) -> Floats:
    """A colour, often near white, black or grey."""
    full = rng.uniform(0, 1) ** 2 * 255
    bright = rng.choice([rng.uniform(10, 90), rng.uniform(180, 250), rng.uniform(40, 250)], p=[0.3, 0.35, 0.35])
    hsv = np.array([[[rng.uniform(0, 180), full, bright]]], np.float32).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float64)


def _face(value: int, look: Look, turned: int, rng: Rng) -> Plane:
    """A face, (n, n, 3)."""
    n = _TEXTURE
    face = np.full((n, n, 3), look.body, np.float32)
    if look.veins:
        share = np.clip(0.5 + 2 * _clouds(n, n, n * rng.uniform(0.15, 0.5), rng), 0, 1)[..., None]
        face += look.veins * share * (look.vein - look.body).astype(np.float32)
    radius = look.pip * n * (look.wide if value == 1 else 1.0)
    ink = look.ace if value == 1 else look.pips
    for place in PIPS[value]:
        at = n * (0.5 + look.spacing * np.array([place % 3 - 1, place // 3 - 1]))
        _dot(face, at, radius, ink * (1 - 0.5 * abs(look.hollow)))
        off = look.hollow * radius * 0.6
        _dot(face, at + off, radius * (1 - 0.45 * abs(look.hollow)), ink)
    return np.ascontiguousarray(np.rot90(face, turned))


def _dot(picture: Plane, at: Floats, radius: float, color: Floats) -> None:
    cv2.circle(picture, _fixed(at).tolist(), round(radius * 16), color.tolist(), -1, cv2.LINE_AA, 4)


def _lit(picture: Plane, cubes: list[Cube], camera: Floats, rng: Rng) -> Plane:
    """The ground in the light, shadows and all, and the dice on it, those farther from the camera first."""
    high, wide = picture.shape[:2]
    sun = np.array([*(rng.normal(0, 1, 2) * rng.uniform(0.1, 1.3)), 1.0])
    sky = rng.uniform(0.25, 0.9)
    shadow = np.zeros((high, wide), np.float32)
    for cube in cubes:
        points = cube.corners(1 - 0.3 * cube.look.corner)
        foot = points[:, :2] - points[:, 2:] * sun[:2]
        cv2.fillConvexPoly(shadow, cv2.convexHull(_fixed(foot)), 1.0, cv2.LINE_AA, 4)
    soft = max(0.5, rng.uniform(0.02, 0.4) * (cubes[0].edge if cubes else 20))
    shade = 1 - (1 - sky) * cv2.GaussianBlur(shadow, (0, 0), soft)
    tint = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    picture = picture * shade[..., None] * np.where(shade[..., None] < 0.95, tint, np.float32(1))
    large = np.asarray(cv2.resize(picture, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_LINEAR), np.float32)
    for cube in _far_first(cubes, camera):
        _stand(large, cube, camera, sun, sky, rng)
    return np.asarray(cv2.resize(large, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def _stand(picture: Plane, cube: Cube, camera: Floats, sun: Floats, sky: float, rng: Rng) -> None:
    """One die on the picture, (rows, cols) being `_FINER` times the view."""
    look, points = cube.look, seen(cube.corners(), camera) * _FINER
    low = np.floor(points.min(axis=0)).astype(int) - 2
    size = (np.ceil(points.max(axis=0)).astype(int) + 3 - low).tolist()
    round_, toward = look.corner * cube.edge * _FINER, sun / np.linalg.norm(sun)
    part, cover = np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0]), np.float32)
    inner = seen(cube.corners(1 - 1.6 * look.corner), camera) * _FINER - low
    cv2.fillConvexPoly(cover, cv2.convexHull(_fixed(inner)), 1.0, cv2.LINE_AA, 4)
    cover = np.asarray(cv2.dilate(cover, _disc(0.8 * round_)), np.float32)
    part[:] = look.body * (sky * 0.8 + (1 - sky) * 0.5)
    for at, value in _FACES:
        quad = cube.corners()[list(at)]
        normal = (quad.mean(axis=0) - cube.center) / (cube.edge / 2)
        if normal @ (camera - quad.mean(axis=0)) <= 0:
            continue
        light = sky * (0.62 + 0.38 * float(normal[2])) + (1 - sky) * max(0.0, float(normal @ toward)) * 1.1
        face = _face(value, look, int(rng.integers(4)), rng) * np.float32(light)
        _lay(part, points[list(at)] - low, face, look.corner)
    if look.glow:
        y, x = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j]
        away = np.clip(0.5 - 0.5 * (x * toward[0] + y * toward[1]) / max(float(np.hypot(*toward[:2])), 1e-6), 0, 1)
        part *= (1 + look.glow * away)[..., None].astype(np.float32)
    if rng.random() < 0.25 * look.gloss:
        gleam = np.zeros(cover.shape, np.float32)
        _dot(gleam[..., None], rng.uniform(0, 1, 2) * size, rng.uniform(0.05, 0.3) * cube.edge * _FINER, np.ones(1))
        part += (cv2.GaussianBlur(gleam, (0, 0), 0.1 * cube.edge * _FINER) * rng.uniform(50, 250))[..., None]
    _put(picture, part, cover, low)


def _lay(part: Plane, quad: Floats, face: Plane, corner: float) -> None:
    """A face with round corners on a part of a picture. quad: where its corners go."""
    n = _TEXTURE
    ends = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    matrix = cv2.getPerspectiveTransform(ends, quad.astype(np.float32))
    size = part.shape[1::-1]
    inner, inset = np.zeros((n, n), np.float32), round(corner * n)
    cv2.rectangle(inner, (inset, inset), (n - 1 - inset, n - 1 - inset), 1.0, -1)
    flat = cv2.GaussianBlur(cv2.dilate(inner, _disc(0.8 * inset)), (0, 0), 1 + 0.15 * inset)
    on = cv2.warpPerspective(flat, matrix, size)[..., None]
    part[:] = part * (1 - on) + cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE) * on


def _put(picture: Plane, part: Plane, cover: Plane, low: npt.NDArray[np.int_]) -> None:
    """As much of the part as lies in the picture."""
    rows, cols = picture.shape[:2]
    y0, y1 = max(0, low[1]), min(rows, low[1] + part.shape[0])
    x0, x1 = max(0, low[0]), min(cols, low[0] + part.shape[1])
    if y0 < y1 and x0 < x1:
        own = slice(y0 - low[1], y1 - low[1]), slice(x0 - low[0], x1 - low[0])
        on = cover[own][..., None]
        picture[y0:y1, x0:x1] = picture[y0:y1, x0:x1] * (1 - on) + part[own] * on


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    r = max(0, round(radius))
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), np.uint8)


def _fixed(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    return np.round(np.asarray(points) * 16).astype(np.int32)


# --- what lies under and about them ---


def ground(wide: int, high: int, edge: float, rng: Rng) -> Plane:
    """Cloth, wood, paper or a print, (rows, cols, 3)."""
    picture: Plane = np.full((high, wide, 3), any_color(rng), np.float32)
    kind = rng.random()
    if kind < 0.75:
        other, share = any_color(rng), rng.uniform(0.03, 0.5)
        along = rng.uniform(1, 25) if rng.random() < 0.4 else 1.0
        grain = _clouds(wide, high, rng.uniform(0.1, 3) * edge, rng, along, rng.uniform(0, math.pi))
        unlike = ((other - picture[0, 0]) * share).astype(np.float32)
        picture += np.clip(grain, -1, 1)[..., None] * unlike
    if rng.random() < 0.4:
        picture += _clouds(wide, high, rng.uniform(0.4, 1.5), rng)[..., None] * np.float32(rng.uniform(2, 20))
    if rng.random() < 0.35:
        _print(picture, edge, rng)
    if rng.random() < 0.35:
        _rim(picture, edge, rng)
    return picture


def _clouds(wide: int, high: int, size: float, rng: Rng, along: float = 1.0, turn: float = 0.0) -> Plane:
    """Noise of a size, stretched along a direction; mean 0, deviation about 0.5."""
    reach = int(math.hypot(wide, high)) + 2
    rows, cols = (max(2, int(reach / length)) + 2 for length in (size, size * along))
    coarse = rng.normal(0, 0.6, (rows, cols)).astype(np.float32)
    large = cv2.resize(coarse, (reach, reach), interpolation=cv2.INTER_CUBIC)
    matrix = np.asarray(cv2.getRotationMatrix2D((reach / 2, reach / 2), math.degrees(turn), 1.0), np.float64)
    matrix[:, 2] += np.array([wide - reach, high - reach]) / 2
    return np.asarray(cv2.warpAffine(large, matrix, (wide, high), borderMode=cv2.BORDER_REFLECT), np.float32)


def _print(picture: Plane, edge: float, rng: Rng) -> None:
    """Squares, rings or rows of spots, as boards and trays have them."""
    high, wide = picture.shape[:2]
    ink, step, kind = any_color(rng).tolist(), edge * rng.uniform(0.25, 2.5), int(rng.integers(4))
    if kind == 3:
        box = (round(0.08 * wide), round(0.08 * high)), (round(0.92 * wide), round(0.92 * high))
        cv2.rectangle(picture, *box, ink, int(rng.integers(1, 5)))
        corner = (round(rng.uniform(0, 0.6) * wide), round(rng.uniform(0.1, 1) * high))
        _write(picture, "DICE HERE", corner, rng.uniform(0.4, 1.6), ink, int(rng.integers(1, 4)))
        return
    turn, radius, width = rng.uniform(0, math.pi), step * rng.uniform(0.1, 0.45), int(rng.choice([-1, 1, 2, 3]))
    matrix = np.array([(math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))])
    reach = int(min(24, math.hypot(wide, high) / step / 2)) + 1
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            if rng.random() < (0.8 if kind else 0.5):
                at = np.array([wide, high]) / 2 + matrix @ (step * i, step * j)
                if kind == 0:
                    quad = at + 0.48 * step * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ matrix.T
                    cv2.fillConvexPoly(picture, _fixed(quad), ink, cv2.LINE_AA, 4)
                else:
                    cv2.circle(picture, _fixed(at).tolist(), round(radius * 16), ink, width, cv2.LINE_AA, 4)


def _rim(picture: Plane, edge: float, rng: Rng) -> None:
    """A wall or the end of the tray: beyond a line all is another colour, with an edge between."""
    high, wide = picture.shape[:2]
    turn = math.pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.1)
    far = rng.uniform(0.2, 0.5) * min(wide, high)
    y, x = np.mgrid[:high, :wide].astype(np.float32)
    beyond = (x - wide / 2) * math.cos(turn) + (y - high / 2) * math.sin(turn) - far
    thick = rng.uniform(0.05, 0.8) * edge
    picture[(beyond > 0) & (beyond < thick)] = any_color(rng)
    picture[beyond >= thick] *= (any_color(rng) / 255 + 0.2).astype(np.float32)


def _litter(picture: Plane, edge: float, rng: Rng) -> None:
    """Something that is no die: spots in rows, a ring, a disc, a ball, letters, a rectangle, a line."""
    high, wide = picture.shape[:2]
    at, ink, kind = rng.uniform(0, 1, 2) * (wide, high), any_color(rng), int(rng.integers(7))
    if kind == 0:
        _loose_pips(picture, at, edge, ink, rng)
    elif kind == 1:
        width, radius = int(rng.integers(1, 4)), rng.uniform(0.1, 1) * edge
        cv2.circle(picture, _fixed(at).tolist(), round(radius * 16), ink.tolist(), width, cv2.LINE_AA, 4)
    elif kind in (2, 3):
        radius = rng.uniform(0.15, 1.0) * edge
        _dot(picture, at + radius * rng.uniform(-0.3, 0.3, 2), radius, picture.mean(axis=(0, 1)) * 0.6)
        _dot(picture, at, radius, ink)
        if rng.random() < 0.6:
            _dot(picture, at + radius * rng.uniform(-0.4, 0.4, 2), radius * rng.uniform(0.1, 0.7), any_color(rng))
    elif kind == 4:
        word = "".join(rng.choice(list("ABCDEGHMORSX0123456789.:oO"), int(rng.integers(1, 7))))
        spot = (int(at[0]), int(at[1]))
        _write(picture, word, spot, rng.uniform(0.3, 2.5), ink.tolist(), int(rng.integers(1, 6)))
    elif kind == 5:
        sides = (rng.uniform(0.3, 2.2, 2) * edge).tolist()
        box = cv2.boxPoints((at.tolist(), sides, rng.uniform(0, 90)))
        cv2.fillConvexPoly(picture, _fixed(box), ink.tolist(), cv2.LINE_AA, 4)
        if rng.random() < 0.6:
            for _ in range(int(rng.integers(1, 5))):
                _dot(picture, at + rng.normal(0, 0.3, 2) * edge, rng.uniform(0.04, 0.2) * edge, any_color(rng))
    else:
        start, end = (_fixed(end).tolist() for end in (at, at + rng.normal(0, 1, 2) * edge * 2))
        cv2.line(picture, start, end, ink.tolist(), int(rng.integers(1, 8)), cv2.LINE_AA, 4)


def _loose_pips(picture: Plane, at: Floats, edge: float, ink: Floats, rng: Rng) -> None:
    turn, radius, gap = rng.uniform(0, math.pi), rng.uniform(0.05, 0.13) * edge, rng.uniform(0.2, 0.34) * edge
    matrix = gap * np.array([(math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))])
    for k in range(9):
        if rng.random() < 0.5:
            _dot(picture, at + matrix @ (k % 3 - 1, k // 3 - 1), radius, ink)


def _write(picture: Plane, word: str, at: tuple[int, int], size: float, ink: list[float], thick: int) -> None:
    letters = np.zeros(picture.shape[:2], np.uint8)
    cv2.putText(letters, word, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, thick, cv2.LINE_AA)
    picture += (np.array(ink, np.float32) - picture) * (letters / np.float32(255))[..., None]
