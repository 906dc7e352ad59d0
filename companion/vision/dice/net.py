"""A small net that is shown a tray and says at every place what the face of a die there shows.

It was taught by `calibration/dice_net` with drawn and cast trays, and runs in OpenCV.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

Planes = npt.NDArray[np.float32]

SIDE = 45
"""Pixels of the square that one answer looks at."""
EDGE = 20.0
"""The edge, pixels, of the top that it looks for in the middle of that square."""
STEP = 4
"""Pixels from one answer to the next."""
NOTHING, LEANING = 0, 7
"""Answers: no top in this size; 1 to 6: the top of a die that lies flat; a die that does not lie flat."""
_FILE = "net.onnx"


class DiceNet:
    """The net. Only one thread may ask it: another makes its own, which takes a millisecond."""

    def __init__(self) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(_model(), np.uint8))

    def shares(self, planes: Planes) -> Planes:
        """How likely each answer is, (N, 8, places down, places across), in pictures (N, 5, rows, cols).

        planes: blue, green, red (-0.5 to 0.5), how far upwards in the picture the top of a thing of height 1 is moved,
        and whether that is known (1) or not (0).
        """
        self._net.setInput(planes)
        told = self._net.forward()
        odds = np.exp(told - told.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)


@cache
def _model() -> bytes:
    """What comes with the program."""
    return (files("companion.vision.dice") / _FILE).read_bytes()
