"""Where dice may stand in the view of a tray: compact things unlike the ground, fitted as cubes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats, Frame

_WAYS = 48  # directions in which an outline is measured
_TURNS = np.radians(np.arange(0, 90, 3.0))
_ROUND = 0.13  # radius of a die's corners, of its edge
_SPLIT_EDGE = 16.0  # pixels of a die when touching dice are taken apart
_GROUPS = 7  # colours that the view is described with
_WEIGHTS = np.array([0.6, 1.3, 1.3], np.float32)  # of lightness and the two hues, when colours are compared
_DISC = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)), np.uint8)


class Body(NamedTuple):
    """A cube that may stand in the view: middle of its top face, edge (of the top face), turn, all in pixels of
    the view and radians; the middle of its foot; how badly the outline fits, as a share of the edge; the area."""

    x: float
    y: float
    size: float
    turn: float
    foot_x: float
    foot_y: float
    misfit: float


def masks(picture: Frame) -> list[Frame]:
    """What may be dice, as filled masks (uint8, 0 or 255): each colour of the picture by itself, and all that is
    not ground, with shadows and without; the last is what is most unlike it."""
    calm = cv2.GaussianBlur(cv2.medianBlur(picture, 3), (0, 0), 0.8)
    lab = np.asarray(cv2.cvtColor(calm, cv2.COLOR_BGR2LAB), np.uint8)
    table, centres, grounds = _colours(lab)
    names = table[lab[..., 0] >> 3, lab[..., 1] >> 2, lab[..., 2] >> 2]
    found = [np.where(names == i, 255, 0) for i in range(len(centres))]
    found.append(255 - np.where(grounds[names], 255, 0))
    commonest = np.bincount(names.ravel(), minlength=len(centres)).argmax()
    levels = ((centres[[commonest]], 1.0), (centres[grounds], 0.6), (centres[grounds], 1.0))
    found += [_unlike(lab, colours, share) for colours, share in levels]
    return [_tidy(mask.astype(np.uint8)) for mask in found]


def _tidy(mask: Frame) -> Frame:
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    holes = [c for c in outlines if cv2.contourArea(c) < 0.004 * mask.size]
    whole = cv2.drawContours(mask.copy(), holes, -1, 255, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _DISC), np.uint8)


def _colours(lab: Frame) -> tuple[Frame, Floats, npt.NDArray[np.bool_]]:
    """The picture's few colours: a table from Lab (in steps of 8, 4, 4) to their numbers, their middles (N, 3),
    and which of them are ground: those that the rim of the view is made of, and the commonest."""
    sample = cv2.resize(lab, (max(8, lab.shape[1] // 4), max(8, lab.shape[0] // 4)), interpolation=cv2.INTER_AREA)
    points = np.ascontiguousarray(sample.reshape(-1, 3).astype(np.float32)) * _WEIGHTS
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 10, 0.5)
    start = np.zeros((0, 1), np.int32)
    _, label, centres = cv2.kmeans(points, _GROUPS, start, stop, 1, cv2.KMEANS_PP_CENTERS)
    names = np.asarray(label).reshape(sample.shape[:2])
    deep = max(2, min(names.shape) // 8)
    ring = np.ones(names.shape, bool)
    ring[deep:-deep, deep:-deep] = False
    rim = np.bincount(names[ring], minlength=_GROUPS) / ring.sum()
    share = np.bincount(names.ravel(), minlength=_GROUPS) / names.size
    ground = (rim > 0.06) & (rim > 0.5 * share) | (share > 0.3)
    ground[int(share.argmax())] = True
    middles = np.asarray(centres, np.float64)
    return _nearest(middles), middles / _WEIGHTS, np.asarray(ground, np.bool_)


def _nearest(centres: Floats) -> Frame:
    """The number of the nearest colour for each place of Lab in steps of 8, 4 and 4."""
    best, least = np.zeros((32, 64, 64), np.uint8), np.full((32, 64, 64), np.inf, np.float32)
    axes = [np.arange(n, dtype=np.float32) * step + step / 2 for n, step in ((32, 8), (64, 4), (64, 4))]
    for number, centre in enumerate(centres):
        light, red, blue = ((axis * w - c) ** 2 for axis, w, c in zip(axes, _WEIGHTS, centre, strict=True))
        far = light[:, None, None] + (red[:, None] + blue[None, :])[None]
        best[far < least] = number
        least = np.minimum(far, least)
    return best


def _unlike(lab: Frame, grounds: Floats, share: float) -> Frame:
    """What is unlike each of the colours though darkening is forgiven; share: of the usual level."""
    far = np.full(lab.shape[:2], np.inf, np.float32)
    seen = lab.astype(np.float32) - np.array([0, 128, 128], np.float32)
    for light, red, blue in (grounds - np.array([0, 128, 128])).astype(np.float32):
        lit = np.clip(seen[..., 0] / max(light, 1.0), 0.15, 1.0)
        up = seen[..., 0] - light
        hue = (seen[..., 1] - red * lit) ** 2 + (seen[..., 2] - blue * lit) ** 2
        far = np.minimum(far, np.where(up < 0, 0.003, 0.15) * up * up + hue)
    level = np.clip(np.sqrt(far) * 3, 0, 255).astype(np.uint8)
    cut, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.where(level > max(18.0, cut * share), 255, 0).astype(np.uint8)


def outlines_of(mask: Frame, smallest: float) -> list[Floats]:
    """The outlines, float64 (N, 2), of the things in a mask that are at least `smallest` pixels across."""
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [c.reshape(-1, 2).astype(np.float64) for c in found if cv2.contourArea(c) > 0.5 * smallest**2]


@lru_cache(maxsize=1)
def _ways() -> tuple[Floats, Floats]:
    """Directions, (_WAYS, 2), and how far a square of edge 1, turned by each of _TURNS, reaches that way."""
    angles = np.arange(_WAYS) * 2 * np.pi / _WAYS
    apart = angles[None, :] - _TURNS[:, None]
    reach = (0.5 - _ROUND) * (np.abs(np.cos(apart)) + np.abs(np.sin(apart))) + _ROUND
    return np.column_stack([np.cos(angles), np.sin(angles)]), reach


def fit_cubes(outline: Floats, leans: Iterable[Floats], best: int = 1) -> list[Body]:
    """The cubes whose outline is most like `outline`, for each of the `leans` of their top; the best fits first.

    Where the sides are as dark as the ground, the outline is that of the top face alone: that is tried as well.
    """
    ways, reach = _ways()
    seen = (outline @ ways.T).max(axis=0) + 0.5
    found = []
    for lean in leans:
        found += _fits(seen, ways, reach + np.maximum(0.0, ways @ lean), lean, np.zeros(2), best)
        if lean.any():
            found += _fits(seen, ways, reach, np.zeros(2), lean, best)
    return sorted(found, key=lambda body: body.misfit)


def _fits(seen: Floats, ways: Floats, reach: Floats, up: Floats, down: Floats, best: int) -> list[Body]:
    """Least squares for the outline's middle and the edge, one turn of the cube at a time.

    up, down: from that middle to the top face's and to the foot's, in edges.
    """
    turns = len(reach)
    rows = np.concatenate([np.broadcast_to(ways, (turns, *ways.shape)), reach[..., None]], axis=2)
    across = rows.transpose(0, 2, 1)
    weigh = np.ones((turns, len(seen)))
    for _ in range(3):
        part = across * weigh[:, None, :]
        answer = np.linalg.solve(part @ rows, (part @ seen)[..., None])[..., 0]
        miss = seen - (rows @ answer[..., None])[..., 0]
        weigh = 1 / (1 + (miss / (0.04 * np.maximum(answer[:, 2:], 1.0))) ** 2)
    size = np.maximum(answer[:, 2], 1e-3)
    misfit = np.sqrt(np.minimum((miss / size[:, None]) ** 2, 0.15**2).mean(axis=1))
    order = np.argsort(misfit)[:best].tolist()
    return [_body(answer[i, :2], float(size[i]), float(_TURNS[i]), up, down, float(misfit[i])) for i in order]


def _body(middle: Floats, size: float, turn: float, up: Floats, down: Floats, misfit: float) -> Body:
    (x, y), (foot_x, foot_y) = (middle + up * size).tolist(), (middle - down * size).tolist()
    return Body(x, y, size, turn, foot_x, foot_y, misfit)


def split(outline: Floats, lean: Floats, size: float, most: int) -> list[Body]:
    """Cubes of one size that together make up a thing with this outline, for dice that touch."""
    shrink = min(1.0, _SPLIT_EDGE / size)
    low = np.floor(outline.min(axis=0)) - 2
    small = np.round((outline - low) * shrink).astype(np.int32)
    thing = np.zeros((int(small[:, 1].max()) + 3, int(small[:, 0].max()) + 3), np.uint8)
    cv2.drawContours(thing, [small], -1, 1, cv2.FILLED)
    best: list[Body] = []
    least = 0.2
    for up in (lean, np.zeros(2)) if lean.any() else (lean,):
        chosen, left = _cover(thing, up, size * shrink, most)
        if left < least:
            best, least = [_moved(b, low, shrink, lean - up) for b in chosen], left
    return best


def _cover(thing: Frame, lean: Floats, size: float, most: int) -> tuple[list[Body], float]:
    """Cubes chosen one by one, and which part of the thing they leave over."""
    places = _places(thing, lean, size)
    left = thing.astype(np.float32)
    chosen: list[Body] = []
    for _ in range(most):
        body, shape = _best_place(places, left, thing, chosen, size)
        if body is None or shape is None:
            break
        chosen.append(body)
        left[shape > 0] = 0
    return chosen, float(left.sum() / max(thing.sum(), 1))


def _moved(body: Body, low: Floats, shrink: float, hidden: Floats) -> Body:
    """A body of the small view in the large one; hidden: the lean of sides that the outline does not show."""
    x, y = body.x / shrink + low[0], body.y / shrink + low[1]
    size = body.size / shrink
    foot_x, foot_y = body.foot_x / shrink + low[0], body.foot_y / shrink + low[1]
    return Body(x, y, size, body.turn, foot_x - hidden[0] * size, foot_y - hidden[1] * size, body.misfit)


def _silhouette(lean: Floats, size: float, turn: float) -> tuple[Frame, Floats]:
    """The mask (0 or 1) of a cube, and where the middle of its foot is in it."""
    half = size / 2
    c, s = np.cos(turn) * half, np.sin(turn) * half
    foot = np.array([(c - s, s + c), (-c - s, c - s), (-c + s, -s - c), (c + s, s - c)])
    both = np.vstack([foot, foot + lean * size])
    low = np.floor(both.min(axis=0)) - 1
    shape = np.zeros(tuple((np.ceil(both.max(axis=0)) + 2 - low).astype(int)[::-1]), np.uint8)
    cv2.fillConvexPoly(shape, cv2.convexHull(np.round(both - low).astype(np.int32)), 1)
    return shape, -low


def _places(thing: Frame, lean: Floats, size: float) -> list[tuple[float, Body, Frame]]:
    """Where a cube would lie almost wholly in the thing, with its mask, the best first."""
    found = []
    for turn in np.radians(np.arange(0, 90, 9.0)):
        shape, middle = _silhouette(lean, size, float(turn))
        rows, cols = shape.shape
        room = cv2.copyMakeBorder(thing, rows // 4, rows // 4, cols // 4, cols // 4, cv2.BORDER_CONSTANT, value=0)
        if room.shape[0] < rows or room.shape[1] < cols:
            continue
        cover = cv2.matchTemplate(room.astype(np.float32), shape.astype(np.float32), cv2.TM_CCORR) / shape.sum()
        peak = (cover > 0.88) & (cover >= cv2.dilate(cover, np.ones((5, 5), np.uint8)))
        for y, x in np.argwhere(peak)[:40]:
            at = np.array([x - cols // 4, y - rows // 4], np.float64)
            foot = at + middle
            top = foot + lean * size
            body = Body(top[0], top[1], size, float(turn), foot[0], foot[1], 0.3 * (1 - float(cover[y, x])))
            found.append((float(cover[y, x]), body, _placed(shape, at.astype(int), thing.shape)))
    found.sort(key=lambda place: -place[0])
    return found[:40]


def _placed(shape: Frame, at: Floats, size: tuple[int, ...]) -> Frame:
    sheet = np.zeros(size, np.uint8)
    x, y = int(at[0]), int(at[1])
    top, left = max(0, y), max(0, x)
    part = shape[top - y : top - y + size[0] - top, left - x : left - x + size[1] - left]
    sheet[top : top + part.shape[0], left : left + part.shape[1]] = part
    return sheet


def _best_place(
    places: list[tuple[float, Body, Frame]], left: Flat, thing: Frame, chosen: list[Body], size: float
) -> tuple[Body | None, Frame | None]:
    """The cube that covers most of what is left, apart from those chosen; tight in the thing's corners first."""
    best, found = 0.35, None
    for cover, body, shape in places:
        if any(np.hypot(body.foot_x - b.foot_x, body.foot_y - b.foot_y) < 0.85 * size for b in chosen):
            continue
        gain = float((left * shape).sum() / shape.sum()) - 3 * (1 - cover) + 0.3 * _edge_share(shape, thing)
        if gain > best:
            best, found = gain, (body, shape)
    return found if found is not None else (None, None)


def _edge_share(shape: Frame, thing: Frame) -> float:
    """Which part of the cube's rim runs along the rim of the thing."""
    kernel = np.ones((3, 3), np.uint8)
    rim = shape - cv2.erode(shape, kernel)
    near = 1 - cv2.erode(thing, kernel, iterations=2)
    return float((rim * near).sum() / max(rim.sum(), 1))
