"""How a sheet bends out of its plane, as paper does that was rolled up: a smooth surface over it, of few terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

POWERS = tuple((i, whole - i) for whole in (2, 3, 4) for i in range(whole, -1, -1))
"""Of x and y, from −1 to 1 over the longer side: no constant nor slope, which are the pose's."""
DOUBTS = np.array([{2: 8.0, 3: 4.0, 4: 4.0}[i + j] for i, j in POWERS])
"""By how many mm each term may lift the sheet's edge: less than a sheet that nobody would play on."""
_ACROSS = 9  # points each way at which it is seen how high a sheet lies


@dataclass(frozen=True, slots=True)
class Bend:
    """size: (width, height) of the sheet, mm. lifts: mm of each of `POWERS`, up from the table."""

    size: tuple[float, float]
    lifts: tuple[float, ...]

    def height(self, points: npt.ArrayLike) -> Floats:
        """How high the sheet lies at some of its points, mm (N, 2): mm (N,)."""
        return np.asarray(terms(points, self.size) @ np.array(self.lifts))

    @property
    def rise(self) -> float:
        """How high its highest part lies over its lowest, mm, on a table that is as level as it can be."""
        x, y = np.meshgrid(*(np.linspace(0, side, _ACROSS) for side in self.size))
        points = np.column_stack([x.ravel(), y.ravel()])
        level = np.column_stack([points, np.ones(len(points))])
        high = self.height(points)
        return float(np.ptp(high - level @ np.linalg.lstsq(level, high, rcond=None)[0]))


def terms(points: npt.ArrayLike, size: tuple[float, float]) -> Floats:
    """What each term is at points of a sheet, mm (N, 2): (N, len(POWERS)); beyond its edges as at these."""
    middle = np.array(size) / 2
    x, y = (((np.asarray(points, np.float64) - middle) / middle.max()).clip(-1, 1)).T
    return np.stack([x**i * y**j for i, j in POWERS], axis=1)
