"""Paints of which a camera shows less than there is: where red burns out, orange looks like yellow in shade."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import look_of
from companion.vision.colors.likely import Paints, likelihoods
from companion.vision.light.washed import TOP
from companion.vision.view.pose import Floats
from companion.vision.view.surface import linear

Mask = npt.NDArray[np.bool_]

_FAINT = 0.01  # linear light by which anything may be off
_MOST = 12.0  # nats that it may say: how far paints are off is not known that well


def said_if_clipped(shown: Floats, lit: Floats, colors: Floats, paints: Paints, paint_log: float) -> Floats:
    """Nats for each paint by which it is likelier that pieces have it, as channels are burnt out: (N, K).

    shown: their colours as the picture has them, linear BGR (N, 3). lit: the light that reaches them, (N, 3). colors:
    the paints' in it, linear BGR (K, 3). paint_log: see `likelihoods`. A channel that is burnt out would show as much
    as the others say, if the piece has that paint; what is burnt out in all of them says nothing.
    """
    said, cut = np.zeros((len(shown), len(colors))), shown >= linear(np.array([TOP], np.uint8))
    some = np.flatnonzero(cut.any(axis=1) & ~cut.all(axis=1))
    if len(some):
        one, none = np.ones(len(some)), np.zeros(len(some))
        here, light = shown[some], lit[some]
        whole = _whole(here, cut[some], light[:, None] * colors) / light[:, None]
        as_cut, as_whole = (
            likelihoods(look, one, none, paints, paint_log) for look in (look_of(here / light)[:, None], look_of(whole))
        )
        said[some] = np.clip(as_whole - as_cut, -_MOST, _MOST)
    return said


def _whole(shown: Floats, cut: Mask, paints: Floats) -> Floats:
    """What would be seen of each paint, (N, K, 3), if nothing was clipped: as much of it as the other channels show,
    and no more than in full light. paints: in that, (N, K, 3)."""
    known = ~cut[:, None]
    share = ((shown[:, None] + _FAINT) * known).sum(axis=-1) / ((paints + _FAINT) * known).sum(axis=-1)
    lit = np.minimum(share, 1.0)[..., None] * paints
    return np.where(known, shown[:, None], np.maximum(shown[:, None], lit))
