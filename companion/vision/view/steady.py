"""Several pictures of a table that lies still, in the mean of which the noise of a weak lamp is less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.view.pose import Frame

MOST, ENOUGH, ROOM = 6, 3, 24_000_000
"""Pictures of which the mean is taken, the latest ones, and so many at least; bytes that they may take: of 1920 × 1080
pixels there are three. Of larger ones no mean is taken: in these noise does less harm."""
NOISY = 3.0
"""Grey levels by which pixels stray: from here on the mean of some pictures is read, not the last one. In drawn
pictures of good light (`companion evidence`) they do so by 1.2 to 1.6, in dim ones by 4 to 13."""
_SOME = 7  # of so many rows and columns one tells how noisy a picture is
_SPREAD = 1.128  # times as far as one stray two such pictures from each other, on average (of normal noise, 2 / √π)


@dataclass(frozen=True, eq=False, slots=True)
class Steady:
    """The latest pictures, uint8 BGR (rows, cols, 3), of a table on which nothing moves. noise: grey levels by which a
    pixel of one strays; 0 before the second."""

    pictures: tuple[Frame, ...] = ()
    noise: float = 0.0

    @property
    def full(self) -> bool:
        """Whether there are as many as there may be."""
        return bool(self.pictures) and len(self.pictures) == _most(self.pictures[-1])

    def mean(self) -> Frame | None:
        """Their mean; None where one alone is as good, or where these are too few."""
        if len(self.pictures) < ENOUGH or self.noise < NOISY:
            return None
        total = np.zeros(self.pictures[0].shape, np.uint16)
        for picture in self.pictures:
            total += picture
        total += len(self.pictures) // 2  # rounded, not cut off
        total //= len(self.pictures)
        return total.astype(np.uint8)

    def clearest(self) -> Frame:
        """Their mean, where it shows more than one alone; else the last one, of which there must be one."""
        mean = self.mean()
        return self.pictures[-1] if mean is None else mean


def one_more(steady: Steady, picture: Frame) -> Steady:
    """The pictures with another one; that alone if it is of another size. Where there is no noise, the last is kept."""
    last = steady.pictures[-1:]
    if not last or last[0].shape != picture.shape:
        return Steady((picture,))
    noise, most = _noise(last[0], picture), _most(picture)
    kept = steady.pictures[1 - most :] if noise >= NOISY and most > 1 else ()
    return Steady((*kept, picture), noise)


def _most(picture: Frame) -> int:
    """How many such pictures are gathered at most; one where there is no room for enough."""
    count = min(MOST, ROOM // picture.nbytes)
    return count if count >= ENOUGH else 1


def _noise(one: Frame, other: Frame) -> float:
    """Grey levels by which a pixel strays from picture to picture."""
    few = [picture[::_SOME, ::_SOME].astype(np.int16) for picture in (one, other)]
    return float(np.abs(few[0] - few[1]).mean()) / _SPREAD
