"""The board of Dash: twenty spaces in a snake, four bases in front and four homes behind."""

from __future__ import annotations

from calibration import drawing as d
from companion.model import Piece, Seat, Sheet, Space

WIDTH, HEIGHT = 300.0, 320.0
STEP = 40.0
COLORS: dict[Seat, str] = {0: "#c8102e", 1: "#1450a0", 2: "#e8a800", 3: "#0a7d33"}
NAMES: dict[Seat, str] = {0: "red", 1: "blue", 2: "yellow", 3: "green"}
INK = "#3b3a45"


def sheet() -> Sheet:
    """The board as data."""
    spaces = [*(Space(f"t{n}", *_track(n), 13.0) for n in range(20))]
    for seat in COLORS:
        spaces += [Space(f"base{seat}", *_area(seat, HEIGHT - 62), 22.0), Space(f"home{seat}", *_area(seat, 62), 22.0)]
    return Sheet(
        game="dash",
        title="Dash",
        width=WIDTH,
        height=HEIGHT,
        spaces={space.name: space for space in spaces},
        piece=Piece("pawn", 12.0, 24.0),
        colors=COLORS,
        seat_names=NAMES,
        markers=d.corner_markers(WIDTH, HEIGHT),
        texture="dash.png",
    )


def svg() -> str:
    """The board as a picture."""
    board = sheet()
    parts = [d.rect((WIDTH / 2, HEIGHT / 2), WIDTH, HEIGHT, fill="#fbf7ec")]
    parts.append(d.line([_track(n) for n in range(20)], d.tint(INK, 0.4), 1.5))
    for space in board.spaces.values():
        color = COLORS[int(space.name[4:])] if space.is_area else INK
        fill = d.tint(color, 0.25) if space.is_area else "#ffffff"
        parts.append(d.circle((space.x, space.y), space.radius, fill=fill, stroke=color, stroke_width=0.6))
        if not space.is_area:
            parts.append(d.lettering(space.name[1:], (space.x, space.y + 9), 2.5, stroke=INK, stroke_width=0.3))
    assert board.markers is not None
    return d.document(WIDTH, HEIGHT, "Dash", [*parts, *d.printed_markers(board.markers)])


def _track(number: int) -> d.Point:
    """Row by row from the bases to the homes, to and fro."""
    row, along = divmod(number, 5)
    across = along if row % 2 == 0 else 4 - along
    return WIDTH / 2 + (across - 2) * STEP, HEIGHT / 2 + 45 - row * 30


def _area(seat: Seat, y: float) -> d.Point:
    return 66 + seat * 56, y
