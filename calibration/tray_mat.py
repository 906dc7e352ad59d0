"""The printed dice tray: a mat with two markers and the rectangle to throw into, on one A4 page."""

from __future__ import annotations

from pathlib import Path

import resvg_py

from calibration.drawing import document, lettering, marker, rect
from calibration.files import write_files
from calibration.paper import one_page
from calibration.sheet import TEXTURE_SCALE
from companion.vision.dice.mat import INNER, MARKER, MAT_HEIGHT, MAT_WIDTH, MIDDLES

TITLE = "Dice tray"
_INK = "#3c4650"


def svg() -> str:
    """The mat as SVG, mm: white, so that dice of any colour but white stand out; a white die has its shadow."""
    middle = (MAT_WIDTH / 2, MAT_HEIGHT / 2)
    inner = (INNER.x + INNER.width / 2, INNER.y + INNER.height / 2)
    paper = rect(middle, MAT_WIDTH - 0.6, MAT_HEIGHT - 0.6, fill="#ffffff", stroke=_INK, stroke_width=0.3)
    felt = rect(inner, INNER.width, INNER.height, fill="#dfe8dd", stroke=_INK, stroke_width=1.0)
    marks = [marker("DICT_4X4_50", number, at, MARKER) for number, at in MIDDLES.items()]
    side, low = INNER.x / 2, MAT_HEIGHT - 12
    told = [(side, 52.0 + 8 * k, word, 4.2) for k, word in enumerate(("THROW", "THE DICE", "IN HERE"))]
    told += [(inner[0], 6.5, "FLAT AND APART", 3.2), (side, low, "COMPANION", 3.2)]
    words = [lettering(word, (x, y), high, stroke=_INK, stroke_width=0.6) for x, y, word, high in told]
    return document(MAT_WIDTH, MAT_HEIGHT, TITLE, [paper, felt, *marks, *words])


def texture() -> bytes:
    """The mat as PNG bytes, TEXTURE_SCALE pixels per millimetre."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(), width=round(MAT_WIDTH * TEXTURE_SCALE), dpi=96))


def write_tray(folder: Path) -> list[Path]:
    """Write the mat as SVG, PNG and a PDF of one A4 page into `folder` (made if it is not there)."""
    label = "Dice tray - print at 100 %, cut along the line, lay it flat beside the board, best in a shallow box lid"
    files = {"tray.svg": svg().encode(), "tray.png": texture(), "tray-a4.pdf": one_page(svg(), TITLE, label)}
    return write_files(files, folder)
