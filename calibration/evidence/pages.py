"""A board that was printed on A4 pages, cut out and glued together by hand: no page lies quite where it belongs."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.paper import Page, pages
from companion.model import Sheet

Frame = npt.NDArray[np.uint8]

_TURN = 0.27  # degrees, for each mm that pages lie off
_CUT = 0.3  # mm: how far scissors stray from the marks
_INK = 0.03  # share by which one page is printed lighter or darker than another, in each channel
_EDGE = 0.85  # of the light: what the edge of a page that lies on another leaves


def glued(image: Frame, sheet: Sheet, off: float, rng: np.random.Generator) -> Frame:
    """The board, uint8 BGR (rows, cols, 3), of pages that lie some `off` mm from their places: two standard deviations
    of each direction."""
    result = np.full_like(image, 255)
    for page in pages(sheet):
        paper, cut = _page(image, sheet, page, rng)
        push = _push(page, image.shape[1] / sheet.width, off, rng)
        size = (image.shape[1], image.shape[0])
        laid = cv2.warpAffine(paper, push, size, borderMode=cv2.BORDER_REPLICATE)
        there = cv2.warpAffine(cut, push, size) > 127
        result[there] = laid[there]
        rim = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        result[rim] = (result[rim] * _EDGE).astype(np.uint8)
    return result


def _page(image: Frame, sheet: Sheet, page: Page, rng: np.random.Generator) -> tuple[Frame, Frame]:
    """What is printed on a page, in its place on the whole board, white round it; and what is cut out, 0 or 255."""
    scale = image.shape[1] / sheet.width
    ends = np.array([page.left, page.top, page.left + page.width, page.top + page.height])
    left, top, right, low = np.round(ends * scale).astype(int).tolist()
    printed = np.full_like(image, 255)
    printed[top:low, left:right] = image[top:low, left:right]
    inked = np.clip(printed * rng.normal(1, _INK, 3), 0, 255).astype(np.uint8)
    left, top, right, low = np.round((ends + rng.normal(0, _CUT, 4)) * scale).astype(int).clip(0).tolist()
    cut = np.zeros(image.shape[:2], np.uint8)
    cut[top:low, left:right] = 255
    return inked, cut


def _push(page: Page, scale: float, off: float, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Where a page is glued, as an affine matrix over pixels, (2, 3)."""
    middle = ((page.left + page.width / 2) * scale, (page.top + page.height / 2) * scale)
    push = np.asarray(cv2.getRotationMatrix2D(middle, rng.normal(0, _TURN * off / 2), 1.0), np.float64)
    push[:, 2] += rng.normal(0, off / 2, 2) * scale
    return push
