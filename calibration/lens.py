"""A camera's lens, measured once: a printed target, views of it, and the lens that explains them all.

`add_view` and `solve` are pure: a page or a command line shows what they say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from calibration.lens_fit import Fit, disagreement, fit, stretched, taller
from companion.vision.finding.settling import MIRRORED
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats, Frame

COLUMNS, ROWS, SQUARE, MARKER = 7, 10, 26.0, 19.0
"""The target: squares each way, and the sides of squares and markers in mm; it fills an A4 page."""
DICTIONARY = cv2.aruco.DICT_5X5_100
_A4 = (210.0, 297.0)

FEWEST, ENOUGH = 8, 15
GRID = (5, 4)
"""Views that are needed, views that are plenty, and the cells of the picture, across and down, that they must fill."""
_UNSEEN = "The target cannot be seen: hold it flat, whole, lit and in focus."
_CORNERS = 12  # of the target that a view must show
_NEW = 0.04  # of the picture's width: a view that lies nearer to another one says nothing new
_TILTED = 12.0  # degrees
_WORST = 1.5  # pixels in a picture 1280 wide
_STRETCHED = 0.015  # of good sets, also on paper that is bent by 4 mm, at most 0.008 was found
_DIFFER = 0.033  # of good sets, also of lenses that are not quite round, at most 0.023; zoomed by 11 % at least 0.04

Cells = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """The target in one picture. ids: its inner corners; at: where they are, pixels (N, 2). tilt: degrees, about."""

    ids: tuple[int, ...]
    at: Floats
    tilt: float


@dataclass(frozen=True, eq=False, slots=True)
class Views:
    """What was gathered. size: of the pictures, None before the first. mixed: whether one had another size.

    coverage: rows of cells of the picture, 0 (no corner of the target was there yet) to 1. advice: what to do next.
    added: whether the last picture helped.
    """

    size: tuple[int, int] | None = None
    views: tuple[View, ...] = ()
    mixed: bool = False
    coverage: Cells = field(default=((0.0,) * GRID[0],) * GRID[1])
    advice: str = "Show the printed target to the camera."
    added: bool = False

    @property
    def ready(self) -> bool:
        """Whether there is nothing more to show."""
        return len(self.views) >= FEWEST and not _wanted(self)


# --- the target ---


@lru_cache(maxsize=1)
def _board() -> cv2.aruco.CharucoBoard:
    book = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, MARKER, book)


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.CharucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.CharucoDetector(_board(), cv2.aruco.CharucoParameters(), settings)


def target_picture(pixels_per_mm: float = 6.0) -> Frame:
    """The target without margins, uint8 grey."""
    size = (round(COLUMNS * SQUARE * pixels_per_mm), round(ROWS * SQUARE * pixels_per_mm))
    return np.asarray(_board().generateImage(size), np.uint8)


def target_svg() -> str:
    """The target in the middle of an A4 page, as SVG in millimetres."""
    left, top = _margins()
    marks = [f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"/>' for x, y, w, h in _black()]
    words = f'<text x="{left:g}" y="{top - 6:g}" font-size="4" font-family="sans-serif">{_words()}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_A4[0]:g}mm" height="{_A4[1]:g}mm" '
        f'viewBox="0 0 {_A4[0]:g} {_A4[1]:g}"><rect width="100%" height="100%" fill="#fff"/>'
        f'<g transform="translate({left:g} {top:g})">{"".join(marks)}</g>{words}</svg>\n'
    )


def target_pdf() -> bytes:
    """The same as a PDF of one A4 page."""
    from fpdf import FPDF  # which takes long to load, and a table in play prints nothing

    pdf = FPDF(unit="mm", format="A4")
    pdf.set_title("Companion: target for the lens")
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.set_font("Helvetica", size=9)
    left, top = _margins()
    pdf.text(left, top - 6, _words())
    pdf.set_fill_color(0)
    for x, y, width, height in _black():
        pdf.rect(left + x, top + y, width, height, style="F")
    return bytes(pdf.output())


def _words() -> str:
    return f"Companion: target for the lens. Print at 100 %, glue it on something flat. One square: {SQUARE:g} mm."


def _margins() -> tuple[float, float]:
    return (_A4[0] - COLUMNS * SQUARE) / 2, (_A4[1] - ROWS * SQUARE) / 2


def _black() -> list[tuple[float, float, float, float]]:
    """The black parts as upright rectangles (x, y, width, height), mm: squares whole, markers in runs of modules."""
    dark = [(r, c) for r in range(ROWS) for c in range(COLUMNS) if (r + c) % 2 == 0]
    squares = [(c * SQUARE, r * SQUARE, SQUARE, SQUARE) for r, c in dark]
    book, inset = cv2.aruco.getPredefinedDictionary(DICTIONARY), (SQUARE - MARKER) / 2
    modules = book.markerSize + 2
    unit, found, number = MARKER / modules, list(squares), 0
    for r in range(ROWS):
        for c in range(COLUMNS):
            if (r + c) % 2:
                cells = np.asarray(cv2.aruco.generateImageMarker(book, number, modules))
                found += [
                    (c * SQUARE + inset + start * unit, r * SQUARE + inset + row * unit, (end - start) * unit, unit)
                    for row, line in enumerate(cells)
                    for start, end in _runs(line)
                ]
                number += 1
    return found


def _runs(line: Frame) -> list[tuple[int, int]]:
    """From where to where a row of modules, uint8, is black."""
    black = np.concatenate([[0], (line < 128).astype(int), [0]])
    change = np.diff(black)
    return list(zip(np.flatnonzero(change == 1).tolist(), np.flatnonzero(change == -1).tolist(), strict=True))


# --- views ---


def add_view(views: Views, frame: Frame) -> Views:
    """The views and this picture, uint8 BGR or grey, if it says something new; advice either way."""
    size, view = (frame.shape[1], frame.shape[0]), _seen(frame)
    if view is None:
        mirrored = _seen(np.ascontiguousarray(frame[:, ::-1])) is not None
        return replace(views, added=False, advice=MIRRORED if mirrored else _UNSEEN)
    if views.size is not None and size != views.size:
        said = f"This picture has {size[0]}×{size[1]} pixels, the others {views.size[0]}×{views.size[1]}."
        return replace(views, mixed=True, added=False, advice=f"{said} Use one size for all.")
    if any(_apart(view, other) < _NEW * size[0] for other in views.views):
        grown = replace(views, added=False)
        return replace(grown, advice=_advice(grown, "Hold it otherwise: this view was there already. "))
    kept = Views(size, (*views.views, view), views.mixed, added=True)
    filled = replace(kept, coverage=_coverage(kept))
    return replace(filled, advice=_advice(filled))


def _seen(frame: Frame) -> View | None:
    grey = frame if frame.ndim == 2 else np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids, *_ = _detector().detectBoard(grey)
    if ids is None or len(ids) < _CORNERS:
        return None
    at = np.asarray(corners, np.float64).reshape(-1, 2)
    numbers = [int(i) for i in np.asarray(ids).ravel()]
    places = _places(numbers)
    if np.linalg.matrix_rank(places - places[0]) < 2:
        return None
    return View(tuple(numbers), at, _tilt(numbers, at, (grey.shape[1], grey.shape[0])))


def _places(ids: Sequence[int]) -> Floats:
    """Corners of the target by number, mm (N, 3)."""
    corners = np.asarray(_board().getChessboardCorners(), np.float64)
    return np.asarray(corners[list(ids)], np.float64)


def _tilt(ids: Sequence[int], at: Floats, size: tuple[int, int]) -> float:
    """How far the target leans from facing the camera, degrees, for a usual lens."""
    focal = 0.9 * size[0]
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    good, turn, _ = cv2.solvePnP(_places(ids), at, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    spun, _ = cv2.Rodrigues(turn) if good else (np.eye(3), None)
    return math.degrees(math.acos(min(1.0, abs(float(np.asarray(spun)[2, 2])))))


def _apart(one: View, other: View) -> float:
    """How far the corners that two views share lie apart, pixels: the farthest; infinite if they share few."""
    shared = sorted(set(one.ids) & set(other.ids))
    if len(shared) < 6:
        return math.inf
    here, there = (v.at[[v.ids.index(i) for i in shared]] for v in (one, other))
    return float(np.linalg.norm(here - there, axis=1).max())


def _coverage(views: Views) -> Cells:
    """Of each cell of the picture, how well it is filled: three corners of the target in it are enough."""
    assert views.size is not None
    at = np.vstack([view.at for view in views.views]) / views.size
    columns, rows = ((at[:, k] * GRID[k]).astype(int).clip(0, GRID[k] - 1) for k in (0, 1))
    count = np.zeros((GRID[1], GRID[0]))
    np.add.at(count, (rows, columns), 1)
    return tuple(tuple(row) for row in np.minimum(count / 3, 1).tolist())


def _wanted(views: Views) -> str:
    """What is missing most: a place in the picture, a lean, or more views; "" if nothing."""
    filled = np.array(views.coverage)
    places = {"left edge": filled[:, 0], "right edge": filled[:, -1], "top": filled[0], "bottom": filled[-1]}
    name, cells = min(places.items(), key=lambda item: item[1].mean())
    if cells.mean() < 0.6:
        return f"Hold it nearer the {name} of the picture."
    corners = {"top left": (0, 0), "top right": (0, -1), "bottom left": (-1, 0), "bottom right": (-1, -1)}
    empty = [name for name, cell in corners.items() if filled[cell] < 0.3]
    if empty:
        return f"Hold it into the {empty[0]} corner of the picture."
    if sum(view.tilt > _TILTED for view in views.views) < 3:
        return "Tilt it: turn one of its edges away from the camera."
    return "" if len(views.views) >= FEWEST else "A few more, near and far, tilted to all sides."


def _advice(views: Views, before: str = "") -> str:
    wanted = _wanted(views)
    return before + wanted if wanted else "That will do. More views make it a little better."


# --- the lens ---


def solve(views: Views) -> Lens | str:
    """The lens, or one sentence that says why these views will not do."""
    bad, size = _unfit(views), views.size
    if bad is not None or size is None:
        return bad or "There is no picture."
    found = _calibrated(views)
    typical = float(np.median(found.errors))
    good = [view for view, miss in zip(views.views, found.errors, strict=True) if miss <= max(3 * typical, 0.3)]
    if FEWEST <= len(good) < len(views.views):
        views = replace(views, views=tuple(good))
        found = _calibrated(views)
    lens = found.lens
    limit = _WORST * size[0] / 1280
    if not math.isfinite(lens.error_px) or lens.error_px > limit:
        return _as_stretched(views, limit) or (
            f"The views do not fit one lens: they are {lens.error_px:.1f} pixels off on average, and {limit:.1f} is "
            "the most. Glue the target on something flat, hold it still, and keep the camera's focus and zoom fixed."
        )
    if not _sensible(lens):
        return "The views do not tell how wide the lens looks: show the target tilted, near and far, and try again."
    return _doubt(views) or lens


def _unfit(views: Views) -> str | None:
    """Why views cannot be used, before anything is computed."""
    if views.mixed:
        return "The pictures are not all of one size: a lens is measured with one size of pictures."
    count = len(views.views)
    if count < FEWEST:
        few = "1 view of the target is" if count == 1 else f"{count} different views of the target are"
        return f"{few} too few: {FEWEST} are needed, {ENOUGH} are plenty."
    spread = np.array([view.at.mean(axis=0) for view in views.views]).std(axis=0).max() / (views.size or (1, 1))[0]
    tilted = sum(view.tilt > _TILTED for view in views.views)
    if spread < 0.02 and tilted < 3:
        return "The views are all alike: move the target to every side of the picture, near and far, and tilt it."
    if tilted < 3:
        return "The target faces the camera in nearly all views: tilt it, or nothing tells how wide the lens looks."
    filled = np.array(views.coverage)
    corners = [filled[0, 0], filled[0, -1], filled[-1, 0], filled[-1, -1]]
    if sum(corner > 0 for corner in corners) < 3 or (filled > 0).mean() < 0.7:
        return "The corners of the picture are not covered, where a lens bends most. " + _wanted(views)
    return None


def _doubt(views: Views) -> str:
    """Why the lens that fits the views is not believed all the same; "" if it is."""
    assert views.size is not None
    solid, seen = _pairs(views)
    tall = stretched(views.size, solid, seen)
    if abs(tall) > _STRETCHED:
        return _stretched(tall)
    solid = taller(solid, tall)
    differ = disagreement(fit(views.size, solid, seen), solid, seen)
    if differ > _DIFFER:
        return (
            f"The views do not agree how wide the lens looks, by {100 * differ:.0f} %: keep the camera's zoom and "
            "focus fixed, and the target flat, and take them all anew."
        )
    return ""


def _as_stretched(views: Views, limit: float) -> str:
    """That the target is stretched, where views fit one lens, by so many pixels, as soon as that is allowed for;
    "" where they do not."""
    assert views.size is not None
    solid, seen = _pairs(views)
    tall = stretched(views.size, solid, seen)
    fits = abs(tall) > _STRETCHED and fit(views.size, taller(solid, tall), seen).lens.error_px <= limit
    return _stretched(tall) if fits else ""


def _stretched(tall: float) -> str:
    """What is said of a target that is so much taller, as `stretched` tells it."""
    way = "higher" if tall > 0 else "wider"
    return (
        f"The target in the views is {100 * abs(tall):.0f} % {way} than it was drawn. "
        f"Print it at 100 %, actual size: each square must measure {SQUARE:g} mm both ways. If it does, the "
        "camera's pictures are stretched: choose another size of them."
    )


def _calibrated(views: Views) -> Fit:
    assert views.size is not None
    return fit(views.size, *_pairs(views))


def _pairs(views: Views) -> tuple[list[Floats], list[Floats]]:
    """Of each view the corners' places on the target and in the picture."""
    return [_places(view.ids) for view in views.views], [view.at for view in views.views]


def _sensible(lens: Lens) -> bool:
    """Whether a camera can be so: 20° to 140° wide, its middle near the picture's, no fold within the picture."""
    width, height = lens.size
    x, y = (lens.center[0] / width - 0.5, lens.center[1] / height - 0.5)
    return 0.18 < lens.focal / width < 2.8 and max(abs(x), abs(y)) < 0.15
