"""The dice in a tray beside the board, from one picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.dice.net import LEANING
from companion.vision.dice.seen import DiceSeen, DieSeen, Tray
from companion.vision.dice.tops import Tops, tops_in
from companion.vision.dice.view import TrayView, view_of, whole_picture
from companion.vision.view.pose import Floats, Frame, Pose

__all__ = ["DiceSeen", "DieSeen", "Tray", "read_dice", "read_dice_in"]

_SMALLEST, _LARGEST = 9.0, 26.0  # mm: the edge of a die
_NEAR = 1.4  # how far a top may be from the known size
_WRONG_SIZE = 0.16  # so unlike the known size, a die is a doubt (logarithm)
_REPORTED, _LEANS = 0.5, 0.8  # so likely, a die is reported, or said to lean
_SHARPER, _SHIFT = 1.3, -1.0  # from the net's odds to true ones (logarithms): a top is rarer than in its lessons
# How near, in edges, what holds a die aslant is to its foot: at 45° it reaches 0.71 from its middle, its foot is taken
# to be up to 0.35 farther, for it is told by its top; half of another die's diagonal is 0.71; and a little is to spare.
_AT_RIM, _AT_DIE = 1.25, 1.8
_THING = 0.2  # so likely the top of any die, it is something that could hold one
_UNHELD = 0.25  # so much rarer than elsewhere a die leans where nothing is that could
CEILING = 0.998
"""No die is given more: there are not pictures enough to bear it out."""
SURE = 0.9
"""A die of less confidence makes the roll unclear."""


def read_dice(frame: Frame, where: Pose | Floats, tray: Tray, edge: float = 0.0) -> DiceSeen:
    """The dice in the tray. frame: uint8 BGR. where: the camera's pose, or a homography from mm to pixels.

    edge: of the dice, mm, where it is known: others are doubted.
    """
    return read_view(view_of(frame, where, tray), (_SMALLEST, _LARGEST), edge)


def read_dice_in(image: Frame) -> DiceSeen:
    """The dice in a picture taken from above of nothing but a tray; places and sizes are in pixels."""
    view = whole_picture(image)
    return read_view(view, (14.0 / view.scale, 0.3 * min(view.picture.shape[:2]) / view.scale))


def read_view(view: TrayView, limits: tuple[float, float], edge: float = 0.0) -> DiceSeen:
    """The dice in a view. limits: the smallest and the largest edge, mm. edge: theirs, mm; 0 if it is not known."""
    known = edge * view.scale * view.swell(edge * view.scale)
    sizes = (known / _NEAR, known * _NEAR) if known else (limits[0] * view.scale, limits[1] * view.scale)
    tops = tops_in(view, *sizes)
    feet, edges = _feet(view, tops)
    inside = _in_tray(view, feet)
    shares = _rarer(tops.shares, ~_held(view, tops.seen, feet, edges))
    dice = [
        die
        for row in np.flatnonzero(inside)
        if (die := _die(view, shares[row], feet[row], float(edges[row]))).confidence > _REPORTED
    ]
    leaning = int((inside & (tops.shares[:, LEANING] > _LEANS)).sum())
    return DiceSeen(tuple(sorted(dice, key=lambda die: die.x_mm)), _doubts(view, dice, edge, leaning), leaning)


def _feet(view: TrayView, tops: Tops) -> tuple[Floats, Floats]:
    """The middles of the feet of dice with these tops, (N, 2), and the dice's edges, (N,), pixels of the view."""
    edges = tops.size if view.camera is None else tops.size * view.camera[2] / (view.camera[2] + tops.size)
    return tops.at - view.leans(tops.at) * edges[:, None], edges


def _held(view: TrayView, seen: Floats, feet: Floats, edges: Floats) -> npt.NDArray[np.bool_]:
    """Which dice, (N,), have the tray's rim or another die near enough to lean on; all, where nobody can say.

    seen: (N,) how likely each is the top of any die. feet: (N, 2), edges: (N,), pixels of the view.
    """
    if view.camera is None:
        return np.ones(len(edges), np.bool_)
    x0, y0, x1, y1 = view.tray
    rim = np.minimum(feet - (x0, y0), (x1, y1) - feet).min(axis=1)
    apart = np.hypot(*(feet[:, None] - feet).T)
    near = (apart < _AT_DIE * np.maximum(edges, edges[:, None])) & ~np.eye(len(edges), dtype=np.bool_)
    return np.asarray((rim < _AT_RIM * edges) | (near & (seen > _THING)).any(axis=1))


def _rarer(shares: Floats, unheld: npt.NDArray[np.bool_]) -> Floats:
    """The net's answers, (N, 8), when it is known which dice, (N,), have nothing near to lean on."""
    weighed = shares.copy()
    weighed[unheld, LEANING] *= _UNHELD
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))


def _die(view: TrayView, shares: Floats, foot: Floats, edge: float) -> DieSeen:
    value = 1 + int(shares[1:LEANING].argmax())
    x, y = (float(foot[k]) / view.scale + view.origin[k] for k in (0, 1))
    return DieSeen(value, round(x, 1), round(y, 1), round(edge / view.scale, 1), round(_true(float(shares[value])), 4))


def _true(share: float) -> float:
    """How often a value is right that the net gives this share."""
    odds = _SHARPER * np.log(max(share, 1e-9) / max(1 - share, 1e-9)) + _SHIFT
    return CEILING / (1 + float(np.exp(-odds)))


def _in_tray(view: TrayView, feet: Floats) -> npt.NDArray[np.bool_]:
    """Which feet, (N, 2), are in the tray."""
    x0, y0, x1, y1 = view.tray
    return np.asarray(((feet >= (x0, y0)) & (feet <= (x1, y1))).all(axis=1))


def _doubts(view: TrayView, dice: list[DieSeen], edge: float, leaning: int) -> tuple[str, ...]:
    said = []
    if not view.whole:
        said.append("Part of the tray is outside the picture: move the tray or the camera.")
    for die in dice:
        if edge and abs(float(np.log(die.size_mm / edge))) > _WRONG_SIZE:
            larger = "larger" if die.size_mm > edge else "smaller"
            said.append(f"A die looks {larger} than the dice of this game: lay it flat in the tray, on no other one.")
        elif die.confidence < SURE:
            said.append(f"A die looks like a {die.value}, but that is not certain: lay it flat, apart from the others.")
    said.extend(["A die leans: lay it flat, apart from the others."] * leaning)
    return tuple(said)
