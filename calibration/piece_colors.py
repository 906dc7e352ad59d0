"""The colours of a table's own pieces, measured where each seat's pieces are known to stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.model import ImageError, Seat
from companion.vision import Scene
from companion.vision.light import Light, estimate_light
from companion.vision.pose import Flat, Floats, Frame
from companion.vision.registration import register
from companion.vision.sight import make_view
from companion.vision.surface import linear

_DIFFERENT = 0.25  # natural log, or hue: from which on a pixel is not the empty board's
_GREY = 0.24  # share of the least of three channels from which on a colour is nearly grey
_LEAST = 12  # pixels of a piece that must be seen
_MEAN_SHADE = -0.35  # natural log: how much darker the side of a piece looks than its colour would, flat on the board


def piece_colors(frame: Frame, scene: Scene, standing: Mapping[Seat, Sequence[str]]) -> dict[Seat, str]:
    """The colour of each seat's pieces as "#rrggbb", as sheets give it.

    frame: uint8 BGR, the board with pieces. standing: the spaces on which each seat's pieces stand. Raises ImageError
    if the board is not found, or a seat's pieces are not seen.
    """
    pose = register(frame, scene)
    if isinstance(pose, str):
        raise ImageError(f"the pieces' colours cannot be measured: {pose}")
    view = make_view(pose, scene)
    flat = linear(view.down.view(frame))
    light = estimate_light(flat, scene.print)
    usual = estimate_light(flat, scene.surface).expected(scene.surface.linear)
    even = light.field(*flat.shape[:2])
    names, found = list(scene.sheet.spaces), {}
    for seat, spaces in standing.items():
        mine = np.isin(view.places.space, [names.index(name) for name in spaces])
        pixels = np.unique(view.places.pixels[mine])
        is_disc = scene.sheet.piece.kind == "disc"
        seen = _pieces(flat.reshape(-1, 3)[pixels], usual.reshape(-1, 3)[pixels], is_disc)
        if seen.sum() < _LEAST:
            where = f"{scene.sheet.seat_label(seat)} are seen on {', '.join(spaces)}"
            raise ImageError(f"no pieces of {where}: set them up")
        own = flat.reshape(-1, 3)[pixels[seen]] / even.reshape(-1, 3)[pixels[seen]]
        found[seat] = _hex(_nominal(own, light))
    return found


def _pieces(seen: Flat, usual: Flat, is_disc: bool = False) -> np.typing.NDArray[np.bool_]:
    """Which pixels, linear BGR (N, 3), show something else than the empty board, in shadow or not.

    A disc hides most of its own shadow: if most of what changed is darker and has the board's hue, it is the disc.
    """
    one, other = (np.log(part + 0.02) for part in (seen, usual))
    change = one - other
    hue = np.abs(change - change.mean(axis=1, keepdims=True)).max(axis=1)
    brighter = change.mean(axis=1)
    different = np.asarray((hue > _DIFFERENT) | (brighter > _DIFFERENT))
    darker = np.asarray(~different & (brighter < -2 * _DIFFERENT))
    if is_disc and darker.sum() > max(different.sum(), _LEAST):
        return darker
    if different.sum() >= _LEAST:
        return different
    return np.asarray(np.abs(brighter) > 2 * _DIFFERENT)


def _nominal(own: Floats | Flat, light: Light) -> Floats:
    """The colour, linear BGR, that gives `own` (N, 3) in this light, at the brightness of a top.

    Its hue is the middle one of the fuller half: sheen and the pixels of the rim only ever bleach it. Not so where the
    piece is nearly grey itself: there the fuller half would be noise.
    """
    printed = np.clip((own - light.haze) @ np.linalg.inv(light.mix).T, 1e-3, None)
    total = printed.sum(axis=1, keepdims=True)
    hues = printed / total
    paleness = hues.min(axis=1)
    middle = float(np.median(paleness))
    fuller = paleness <= (middle if middle < _GREY else 1.0)
    hue = np.median(hues[fuller], axis=0)
    bright = np.exp(np.median(np.log(total)) - _MEAN_SHADE)
    return np.asarray(np.clip(hue / hue.sum() * bright, 0, 1), np.float64)


def _hex(color: Floats) -> str:
    blue, green, red = np.round(255 * color ** (1 / 2.2)).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
