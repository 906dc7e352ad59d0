"""A board that was not printed by this project: a photo of it empty, its corners and a few spaces tapped.

Four corners and the board's size in millimetres give the camera's pose; `laying` lays the game over the board by the
spaces that were tapped. A single space can be moved by itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import median

import cv2
import numpy as np

from calibration.edges import pose_by_edges
from calibration.laying import LEAST_TAPS, lay, next_tap, strays
from calibration.sheet import board_for
from companion.model import BadInput, Piece, Seat, Sheet
from companion.model.board import seat_key
from companion.vision.view.lens import Lens
from companion.vision.view.pose import TAP_DOUBT, Floats, Frame, Pose, pushed, solve_pose

Point = tuple[float, float]
LONGEST_NAME = 40
"""Letters of a seat's name that are shown."""
_JOINERS = {0x200C: None, 0x200D: None}
"""What holds letters of one name together or apart (Persian, emoji): not to be seen, and no harm."""
_SAME = 2.0  # px: no two spaces lie as near to each other
_ON_EACH_OTHER = 2.0  # mm: no two spaces of any board are so near to each other
_SLIM = 8.0  # so much narrower than a space no piece is: it was not measured in mm
_STOUT = 1.5  # of how far the spaces lie apart: two so wide cannot stand side by side (marbles are wider than holes)
IN_MM = "the piece's size is to be in millimetres (1.5 cm are 15), across its foot"
_HEAP = 0.4  # of the board's longer side: no game's spaces lie in so small a part of it
_TINY = 4.0  # mm: only for pegs are spaces as narrow, and they are as thin as those
_FARTHEST = 3.0
"""Half sides of the rectangle that was measured: spaces farther from its middle follow from it too badly."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a board so far. Pixels are (x, y) in the photo of the empty board.

    size: width and height, mm. corners: the board's, clockwise in the photo. inner: whether size and corners are those
    of a rectangle about the middle of a board that has no four corners, and spaces may lie beside it. taps: spaces of
    the game, by which all others are placed. moved: spaces that are put right by themselves. piece, colors, names:
    where they differ from the pieces of the board that the project prints. lens: of the camera that took the photo,
    where it was measured.
    """

    game: str
    size: Point
    corners: tuple[Point, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    taps: Mapping[str, Point] = field(default_factory=dict)
    moved: Mapping[str, Point] = field(default_factory=dict)
    piece: Piece | None = None
    colors: Mapping[Seat, str] = field(default_factory=dict)
    names: Mapping[Seat, str] = field(default_factory=dict)
    lens: Lens | None = None
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """The game laid over the board.

    sheet: as FORMATS gives it, without markers. pose: the camera of the photo. tap_next: the space whose tap would
    help most. doubts: what looks wrong, a sentence each. corner: where the first of the four corners lies, mm; size:
    how far from each other they lie, mm, the first two first.
    """

    sheet: Sheet
    pose: Pose
    tap_next: str
    doubts: tuple[str, ...]
    corner: Point = (0.0, 0.0)
    size: Point = (0.0, 0.0)

    def pixels(self) -> dict[str, tuple[float, float, float]]:
        """Where each space lies in the photo: x, y and its radius, pixels."""
        found = {}
        for space in self.sheet.spaces.values():
            ring = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)]) * space.radius + (space.x, space.y)
            middle, *edge = self.pose.project(ring)
            found[space.name] = (*middle.tolist(), float(np.mean(np.linalg.norm(edge - middle, axis=1))))
        return found


def lay_out(draft: Draft, picture: tuple[int, int], photo: Frame | None = None) -> Laid:
    """Lay the game over a board. picture: (width, height) of the photo, pixels. photo: itself, uint8 BGR, from which
    the board's edges tell of the lens, if that was not measured.

    Without enough taps the sheet has no spaces yet. Raises BadInput, which names what cannot be.
    """
    layout = board_for(draft.game, draft.options).sheet()
    _check(draft, layout, picture)
    draft = replace(draft, size=_as_tapped(draft, picture))
    pose, size, corner = _plane(draft, picture, photo)
    piece = draft.piece or layout.piece
    colors, names = {**layout.colors, **draft.colors}, {**layout.seat_names, **draft.names}
    title = f"{layout.title.split(',')[0]}, a board of your own"
    bare = replace(layout, title=title, width=size[0], height=size[1], markers=None, texture=None, piece=piece)
    bare = replace(bare, colors=colors, seat_names=names, spaces={})
    tapped = _on_board(pose, draft.taps)
    tap_next = next_tap(layout, draft.taps)
    if len(tapped) < LEAST_TAPS:
        return Laid(bare, pose, tap_next, (), corner, draft.size)
    spaces = lay(layout, tapped, size)
    spaces |= {name: replace(spaces[name], x=x, y=y) for name, (x, y) in _on_board(pose, draft.moved).items()}
    sheet = replace(bare, spaces=spaces)
    _check_room(sheet, draft.size)
    wrong = strays(layout, spaces, tapped, size) or [*filter(None, (folded(sheet), stout(sheet)))]
    if draft.inner:
        return _fitted(Laid(sheet, pose, tap_next, tuple(wrong), corner, draft.size))
    return Laid(sheet, pose, tap_next, tuple(filter(None, (*wrong, beside(sheet)))), corner, draft.size)


def _as_tapped(draft: Draft, picture: tuple[int, int]) -> Point:
    """The size with that side first which was tapped first, as people begin with any corner: so seen, the corners fit a
    camera that is more like others. Of a board that is nearly square that says little, and matters little."""
    width, height = draft.size
    if width == height:
        return draft.size
    odd: dict[Point, float] = {}
    for size in (draft.size, (height, width)):
        try:
            pose = pose_of(replace(draft, size=size), picture)
        except BadInput:
            continue
        odd[size] = (pose.error / TAP_DOUBT) ** 2 + pose.oddness
    return min(odd, key=lambda size: odd[size], default=draft.size)


def _check_room(sheet: Sheet, size: Point) -> None:
    """Raises BadInput where the spaces would be far too small for the pieces, or these for them: something was given in
    centimetres, or tapped in a heap."""
    width, across = _width(sheet), sheet.piece.diameter
    told = _told(sheet)
    if width < min(_TINY, across / 3):
        x, y = np.array([(space.x, space.y) for space in sheet.spaces.values()]).T
        if max(np.ptp(x), np.ptp(y)) < _HEAP * max(size):
            raise BadInput(f"the spaces that were tapped lie in a heap: {told}; tap each where it is on the board")
        raise BadInput(f"the size {size[0]:g} × {size[1]:g} is to be in millimetres (40 cm are 400): {told}")
    if across < width / _SLIM < math.inf:
        raise BadInput(f"{IN_MM}: {told}")


def stout(sheet: Sheet) -> str:
    """A sentence about pieces that are far too wide to stand side by side; "" if they fit."""
    apart, across = _apart(sheet), sheet.piece.diameter
    told = f"spaces would lie {apart:.2g} mm apart, and a piece is {across:g} mm"
    return f"{IN_MM}: {told}" if across > _STOUT * apart else ""


def _apart(sheet: Sheet) -> float:
    """How far a usual space lies from the next, mm; inf where there are none but bases and homes."""
    places = [(space.x, space.y) for space in sheet.spaces.values() if not space.is_area]
    nearest = [min((math.dist(one, other) for other in places if other != one), default=math.inf) for one in places]
    return median(nearest or [math.inf])


def _width(sheet: Sheet) -> float:
    """How wide a usual space is, mm; inf where there is none but bases and homes."""
    return median([2 * space.radius for space in sheet.spaces.values() if not space.is_area] or [math.inf])


def _told(sheet: Sheet) -> str:
    return f"a space would be {_width(sheet):.2g} mm wide, and a piece is {sheet.piece.diameter:g} mm"


def _plane(draft: Draft, picture: tuple[int, int], photo: Frame | None) -> tuple[Pose, Point, Point]:
    """The pose over a board, its size, mm, and where its first corner lies: where only a rectangle on it was measured,
    over a square about the rectangle's middle, as round boards and those with six sides look alike from all seats.
    """
    pose, (width, height) = pose_of(draft, picture, photo), draft.size
    if not draft.inner:
        return pose, draft.size, (0.0, 0.0)
    side = max(width, height)
    corner = (side - width) / 2, (side - height) / 2
    return _moved(pose, corner), (side, side), corner


def _fitted(laid: Laid) -> Laid:
    """A square board made as large as its spaces need, with as much room beside the last as they have themselves."""
    sheet, half = laid.sheet, laid.sheet.width / 2
    reach = max(max(abs(s.x - half), abs(s.y - half)) + 2 * s.radius for s in sheet.spaces.values())
    more, (x, y) = reach - half, laid.corner
    spaces = {name: replace(s, x=s.x + more, y=s.y + more) for name, s in sheet.spaces.items()}
    grown = replace(sheet, width=2 * reach, height=2 * reach, spaces=spaces)
    small = reach > _FARTHEST * min(laid.size) / 2
    doubts = ("the rectangle is small for this board: measure and tap a larger one",) if small else ()
    pose, doubts = _moved(laid.pose, (more, more)), (*laid.doubts, *doubts)
    return replace(laid, sheet=grown, pose=pose, doubts=doubts, corner=(x + more, y + more))


def _moved(pose: Pose, corner: Point) -> Pose:
    """The same camera over a sheet on which what was at (0, 0) is at `corner`, mm."""
    return pushed(pose, 0.0, (-corner[0], -corner[1]), (0.0, 0.0))


def _on_board(pose: Pose, taps: Mapping[str, Point]) -> dict[str, Point]:
    """The places on the board, mm, of some taps."""
    places = places_of(pose, list(taps.values())).tolist()
    return {name: (x, y) for name, (x, y) in zip(taps, places, strict=True)}


def pose_of(draft: Draft, picture: tuple[int, int], photo: Frame | None = None) -> Pose:
    """The camera's pose by the board's four corners, and by the measured lens or the board's edges.

    Raises BadInput, and ImageError if the lens was measured with pictures of another shape.
    """
    width, height = draft.size
    flat = [(0, 0), (width, 0), (width, height), (0, height)]
    lens = draft.lens.scaled(picture) if draft.lens else None
    pose = None if photo is None or lens or draft.inner else pose_by_edges(photo, draft.corners, draft.size)
    pose = pose or solve_pose(flat, draft.corners, picture, lens=lens, doubt=TAP_DOUBT)
    if pose is None or pose.error > 0.03 * picture[0]:
        raise BadInput(
            f"a board of {width:g} × {height:g} mm does not look like these four corners from anywhere: "
            "tap them again, clockwise, and measure the board"
        )
    return pose


def places_of(pose: Pose, pixels: list[Point]) -> Floats:
    """The places on the board, mm (N, 2), that appear at `pixels` (N, 2): where their rays meet it, and as the lens is
    only nearly undone by that, Newton's method on the projection. Raises BadInput where that leads nowhere.
    """
    wanted = np.array(pixels, np.float64).reshape(-1, 2)
    if not len(wanted):
        return wanted
    turn, _ = cv2.Rodrigues(np.array(pose.turn))
    rays = cv2.undistortPoints(wanted[:, None], pose.matrix, pose.distortion).reshape(-1, 2)
    plane = np.column_stack([turn[:, 0], turn[:, 1], np.array(pose.shift)])
    try:
        met = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
        places = met[:, :2] / met[:, 2:]
        for _ in range(12):
            here = pose.project(places)
            right, down = (pose.project(places + step) - here for step in ((0.5, 0.0), (0.0, 0.5)))
            slopes = 2 * np.stack([right, down], axis=2)
            places = places + np.linalg.solve(slopes, (wanted - here)[..., None])[..., 0]
    except np.linalg.LinAlgError:
        raise BadInput("what was tapped cannot be seen so from anywhere: tap the corners again, clockwise") from None
    return np.asarray(places, np.float64)


def _check(draft: Draft, layout: Sheet, picture: tuple[int, int]) -> None:
    """Raises BadInput for what can be seen to be wrong at once."""
    check_size(draft.size)
    if len(draft.corners) != 4:
        raise BadInput(f"the board has four corners to tap, not {len(draft.corners)}")
    if not _is_clockwise(draft.corners):
        raise BadInput("tap the board's corners in order, clockwise: these four cross over or run the other way round")
    for name in (*draft.taps, *draft.moved):
        if name not in layout.spaces:
            raise BadInput(f"there is no space {name} on this board of {draft.game}; there are: {_some(layout)}")
    for name, (x, y) in (*draft.taps.items(), *draft.moved.items()):
        if not (0 <= x < picture[0] and 0 <= y < picture[1]):
            raise BadInput(f"{name} was tapped at ({x:g}, {y:g}), outside the picture of {picture[0]} × {picture[1]}")
    for (one, at), (other, beside) in combinations({**draft.taps, **draft.moved}.items(), 2):
        if math.dist(at, beside) < _SAME:
            place = f"({at[0]:g}, {at[1]:g})"
            raise BadInput(f"{one} and {other} were tapped at the same place, {place}: tap one of them again")
    for seat in (*draft.colors, *draft.names):
        if seat not in layout.colors:
            there = ", ".join(seat_key(draft.game, one) for one in sorted(layout.colors))
            raise BadInput(f"there is no seat {seat} on this board of {draft.game}; there are: {there}")


def check_size(size: Point) -> None:
    """Raises BadInput for what no board measures, mm."""
    if not all(20 <= side <= 3000 for side in size):
        raise BadInput(f"the board's size must be given in millimetres, 20 to 3000, not {size[0]:g} × {size[1]:g}")


def check_names(draft: Draft) -> None:
    """Raises BadInput for a name that no page can show, and where two seats would have one name, by which nobody could
    tell whose turn it is."""
    for seat, name in draft.names.items():
        plain = name.translate(_JOINERS)
        if len(name) > LONGEST_NAME or not plain.isprintable() or not plain.strip():
            what = f"a name of one to {LONGEST_NAME} letters on one line"
            raise BadInput(f"the seat {seat_key(draft.game, seat)} needs {what}, not {name[:LONGEST_NAME]!r}")
    printed = board_for(draft.game, draft.options).sheet().seat_names
    names = {seat: draft.names.get(seat, word) for seat, word in printed.items()}
    for one, other in combinations(sorted(names), 2):
        if names[one].strip().casefold() == names[other].strip().casefold():
            seats = " and ".join(f"{seat_key(draft.game, seat)} ({printed[seat]})" for seat in (one, other))
            raise BadInput(f"the seats {seats} would both be called {names[one]!r}: give one another name")


def _is_clockwise(corners: tuple[Point, ...]) -> bool:
    """Whether four points, y down, run clockwise round a convex shape."""
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(i + k) % 4] for k in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > 0


def _some(layout: Sheet) -> str:
    names = list(layout.spaces)
    return ", ".join(names[:6]) + f" … {names[-1]}"


def beside(sheet: Sheet) -> str:
    """A sentence about spaces that would lie beside the board; "" if there are none."""
    out = [s.name for s in sheet.spaces.values() if not (0 < s.x < sheet.width and 0 < s.y < sheet.height)]
    if not out:
        return ""
    more = f" and {len(out) - 1} more" if len(out) > 1 else ""
    return (
        f"{out[0]}{more} would lie beside the board: tap it where it is, or tap the corners again; "
        "if the board is round or has six sides, say so"
    )


def folded(sheet: Sheet) -> str:
    """A sentence about spaces that would lie on each other, where taps fold the board; "" if none do."""
    for one, other in combinations(sheet.spaces.values(), 2):
        if math.hypot(one.x - other.x, one.y - other.y) < _ON_EACH_OTHER:
            return f"{one.name} and {other.name} would lie on each other: tap them, or what lies near them, again"
    return ""


def color_at(photo: Frame, at: Point, reach: int = 4) -> str:
    """The colour round a pixel (x, y) of a picture, uint8 BGR, as "#rrggbb"; of a piece that somebody points at."""
    x, y = round(at[0]), round(at[1])
    part = photo[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
    if not len(part):
        raise BadInput(f"({at[0]:g}, {at[1]:g}) lies outside the picture")
    blue, green, red = np.median(part, axis=0).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
