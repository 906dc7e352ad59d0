"""How likely a look is for each paint: seen plainly, mirroring a lamp, and in a shadow or at the edge of one.

Looks are the natural log of brightness, and the hue, in the light of the picture: see `Looks.at`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import DEEPER, look_of
from companion.vision.light.today import Light
from companion.vision.view.pose import Floats

Mask = npt.NDArray[np.bool_]

PAINT_LOG, TOP_LOG = 0.3, 0.15
"""How far the brightness of a paint lies off the sheet's, natural log: of round bodies, beside what is common to all of
them; of flat tops."""
_PAINT_HUE, _PAINT_DEPTH = 0.06, 0.2
"""How far its hue lies off, as shares of the way to the light's hue: beside that way; along it."""
_PIECE_LOG, _PIECE_HUE, _PIECE_DEPTH = 0.12, 0.012, 0.04
"""The same for one piece of a paint beside another."""
_FAINT, _SHALLOW, _DARK_HUE = 0.04, 0.02, 0.006
"""Linear light, and hue, by which anything may be off; by how much the hue of what is dark may be off more."""
_TAILS = 6.0  # degrees of freedom: how often what is rare happens
_STRANGE_HUE = 0.15  # how far a hue may be off where the board is lit twice as well as it should be
_MIRROR, _BURNT_HUE = 4.0, 0.08
"""Natural log of how bright a top may be that mirrors a lamp; how far the hue is off where the camera burns out."""
ALIKE = 0.1
"""How far the hues of a glare or shadow may be off."""
_SHADE = 2.5  # natural log of how dark a shadow may be
_SHADE_HUE, _DUSK = 0.06, 0.1  # how far the hue may be off in a shadow, and for each natural log of darkness
_KNOWN_SHADE, _KNOWN_HUE = 0.4, 0.04  # natural log, and hue, by which a top in a shadow that is known is off
NEVER = -50.0
"""Nats: what is out of the question."""


@dataclass(frozen=True, eq=False, slots=True)
class Paints:
    """How each paint would look here: log of brightness, and hue. own, deep: (K, 3), the sheet's, and after light
    bounced between pieces. white: (3,), the light's own. strength: how far each hue lies from the light's, (K,).
    """

    own: Floats
    deep: Floats
    white: Floats
    strength: Floats

    @classmethod
    def of(cls, light: Light, colors: Floats) -> Paints:
        own, deep, white = (look_of(light.of_color(some)) for some in (colors, colors**DEEPER, np.ones(3)))
        return cls(own, deep, white, np.linalg.norm(own[:, 1:] - white[1:], axis=1))


def likelihoods(at: Floats, seen: Floats, strange: Floats, paints: Paints, paint_log: float) -> Floats:
    """Log-likelihood of each lot for each paint, (lots, K). at: their looks, (lots, 3), or what they are if they have
    each paint, (lots, K or 1, 3). seen: how many pieces' worth is seen of each lot.

    strange: how far the light there is not what it should be, (lots,): nobody knows of what hue it is then, nor how
    much of it reaches the pieces.
    """
    few, light = 1 / np.maximum(seen, 0.1)[:, None], np.exp(paints.own[:, 0])
    least = _SHALLOW + _DARK_HUE / light + _STRANGE_HUE * strange[:, None]
    off = (at if at.ndim > 2 else at[:, None]) - paints.own
    dusk = np.log1p(strange)[:, None]
    bright = np.sqrt(paint_log**2 + dusk**2 + (_FAINT / light) ** 2 + few * _PIECE_LOG**2)
    ways = []
    for end, depth in ((paints.white[1:], _PAINT_DEPTH), (paints.deep[:, 1:], 2 * _PAINT_DEPTH)):
        way = end - paints.own[:, 1:]
        length = np.linalg.norm(way, axis=1)
        towards = way / np.maximum(length, 1e-6)[:, None]
        along = (off[..., 1:] * towards).sum(axis=-1)
        across = off[..., 1] * towards[:, 1] - off[..., 2] * towards[:, 0]
        wide = np.sqrt((depth * length + least) ** 2 + few * (_PIECE_DEPTH * length + _PIECE_HUE) ** 2)
        narrow = np.sqrt((_PAINT_HUE * paints.strength + least) ** 2 + few * _PIECE_HUE**2)
        square = (off[..., 0] / bright) ** 2 + (along / wide) ** 2 + (across / narrow) ** 2
        ways.append(-0.5 * (_TAILS + 3) * np.log1p(square / _TAILS) - np.log(bright * wide * narrow) - 2.76)
    return np.asarray(np.logaddexp(*ways) - np.log(2))


def mirroring(at: Floats, paints: Paints, burnt: Mask) -> Floats:
    """Log-likelihood that a flat top of each paint mirrors a lamp: the more light it adds, the nearer its hue; or, if
    it is `burnt` out, (lots,), perhaps the camera's own white."""
    own, white = paints.own, paints.white
    share = np.exp(np.minimum(own[:, 0] - at[:, None, 0], 0))
    way = own[:, 1:] - white[1:]
    spread = _SHALLOW + 0.01 + (_PAINT_HUE + _PAINT_DEPTH) / 2 * share * paints.strength
    off = ((at[:, None, 1:] - white[1:] - share[..., None] * way) ** 2).sum(axis=-1)
    each = (spread, spread + _BURNT_HUE)
    plain, blind = (-np.log(2 * np.pi * _MIRROR * wide**2) - 0.5 * off / wide**2 for wide in each)
    nats = np.where(burnt[:, None], np.logaddexp(plain, blind) - np.log(2), plain)
    return np.asarray(nats - np.log1p(np.exp((own[:, 0] - at[:, None, 0]) / (TOP_LOG / 2))))


def shaded(at: Floats, own: Floats) -> Floats:
    """Log-likelihood that a flat top of each paint lies in a shadow."""
    darker = own[:, 0] - at[:, None, 0]
    spread = _SHADE_HUE + _DUSK * np.maximum(darker, 0)
    square = ((at[:, None, 1:] - own[:, 1:]) ** 2).sum(axis=-1) / spread**2
    nats = np.log(1 / _SHADE / (2 * np.pi * spread**2)) - 0.5 * square
    return np.asarray(np.where((darker > 0) & (darker < _SHADE), nats, NEVER))


def half_shaded(dim: Floats, most: Floats, own: Floats, edge: Floats) -> Floats:
    """Log-likelihood that the edge of a shadow runs over a flat top of each paint: the shadow goes on beside it, by so
    much is it darker there, the `edge`, (lots,); and the lightest part is as light as the paint in full light, and of
    its hue. Where a lamp is mirrored, that would be chance.

    dim, most: looks of a dark part and of the lightest, (lots, 3).
    """
    deeper = (own[:, 0] - dim[:, None, 0] - edge[:, None]) / TOP_LOG
    match = np.log(_MIRROR / (TOP_LOG * np.sqrt(2 * np.pi))) + _as_bright(most[:, None, 0] - own[:, 0])
    nats = shaded(dim, own) + match - _off_hue(most, own) - np.log1p(np.exp(deeper))
    return np.asarray(np.where(edge[:, None] > TOP_LOG, nats, NEVER))


def known_shade(dark: Floats, most: Floats, own: Floats, there: Floats, edge: Floats) -> Floats:
    """Log-likelihood that the edge of a shadow runs over a flat top of each paint, as it does beside it: see
    `half_shaded`; and that its dark part lies in one whose colour is known: so the paint looks `there`, (lots, K, 3). A
    lamp's image would be of just that hue, and as bright, by chance. The lightest part is no lighter than the paint in
    full light, and of its hue: of a red disc whose edge was black beside it, it was surely black."""
    off = (dark[:, None] - there) / (_KNOWN_SHADE, _KNOWN_HUE, _KNOWN_HUE)
    nats = -0.5 * (off**2).sum(axis=2) - np.log((2 * np.pi) ** 1.5 * _KNOWN_SHADE * _KNOWN_HUE**2)
    nats += _as_bright(np.maximum(most[:, None, 0] - own[:, 0], 0)) - _off_hue(most, own)
    return np.asarray(np.where(edge[:, None] > TOP_LOG, nats, NEVER))


def _as_bright(lighter: Floats) -> Floats:
    """Nats, 0 at most, for a flat top that is so much lighter than its paint, natural log."""
    return -0.5 * (_TAILS + 1) * np.log1p((lighter / TOP_LOG) ** 2 / _TAILS)


def _off_hue(look: Floats, own: Floats) -> Floats:
    """Nats against looks, (lots, 3), whose hue is not that of paints in a glare or shadow, (lots, K)."""
    return np.asarray(0.5 * ((look[:, None, 1:] - own[:, 1:]) ** 2).sum(axis=-1) / ALIKE**2)


def in_shadows(paints: Floats, left: Floats) -> Floats:
    """How flat tops of each paint, linear BGR (K, 3), look where shadows leave such shares of the light, (N, 3): as
    `Looks.at`, (N, K, 3)."""
    return look_of(left[:, None] * paints)
