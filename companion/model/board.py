"""The printed board: spaces with names and places, markers, pieces and colours.

Source: FORMATS, "Sheet". Origin at the sheet's top-left corner, x right, y down, millimetres, North up.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.model.errors import SheetError

Seat = int
"""A place at the table: its index. Game of God names its seats N, E, S, W; they are 0, 1, 2, 3 here."""

PIECE_KINDS = ("pawn", "marble", "disc")
DICTIONARIES: Mapping[str, int] = {
    **{f"DICT_{n}X{n}_{many}": many for n in (4, 5, 6, 7) for many in (50, 100, 250, 1000)},
    **{"DICT_ARUCO_ORIGINAL": 1024, "DICT_APRILTAG_16h5": 30, "DICT_APRILTAG_25h9": 35},
    **{"DICT_APRILTAG_36h10": 2320, "DICT_APRILTAG_36h11": 587, "DICT_ARUCO_MIP_36h12": 250},
}
"""Sets of printed markers, by OpenCV's names, and how many each has."""
_SIDES, _PIECES, _SIZES = (20, 3000), (1, 200), (0.1, 3000)
"""mm: the least and the most of a board's side, of what pieces measure, and of anything else's size."""


AREAS: Mapping[str, Collection[str]] = {"gloria": ("center",)}
"""Game → spaces that hold any number of pieces, beyond its bases and homes."""


@dataclass(frozen=True, slots=True)
class Space:
    """A place where pieces can stand: a disc of `radius` round (x, y), in millimetres of the sheet.

    area: whether it holds several pieces anywhere inside, though its name does not say so (Gloria's centre, a bar).
    is_area: whether it does, be it that its name says so (base0, home0); asked some hundred times a picture.
    """

    name: str
    x: float
    y: float
    radius: float
    area: bool = False
    is_area: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        wide = self.area or self.name.rstrip("0123456789") in ("base", "home")
        object.__setattr__(self, "is_area", wide)


def owner_of(space: str) -> Seat | None:
    """Whose base or home a space is: "home2" → 2; None where it is neither, or a place of a base ("base2.1")."""
    seat = space.removeprefix("base").removeprefix("home")
    return int(seat) if seat.isdecimal() and seat != space else None


def area_of(space: str) -> str | None:
    """"base0.3" → "base0"; None for a space that is no place of a base."""
    area, dot, _ = space.partition(".")
    return area if dot and area.startswith("base") else None


@dataclass(frozen=True, slots=True)
class Markers:
    """Printed ArUco markers: id → centre (x, y) in millimetres; `size` is the side of the black square."""

    dictionary: str
    size: float
    centers: Mapping[int, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Piece:
    """What the pieces are: `kind` is one of PIECE_KINDS; diameter (of the foot) and height in millimetres."""

    kind: str
    diameter: float
    height: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A board as it is printed. `colors`: seat → "#rrggbb" of its pieces; `seat_names`: seat → colour word."""

    game: str
    title: str
    width: float
    height: float
    spaces: Mapping[str, Space]
    piece: Piece
    colors: Mapping[Seat, str]
    seat_names: Mapping[Seat, str]
    markers: Markers | None = None
    texture: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def seat_label(self, seat: Seat) -> str:
        """The word that formats use for a seat: its colour word, or its number as the sheet gives none."""
        return self.seat_names.get(seat, str(seat))

    @property
    def stacks(self) -> bool:
        """Whether pieces lie on each other and the top alone is seen: discs, where no area holds several as well."""
        return self.piece.kind == "disc" and not any(space.is_area for space in self.spaces.values())


def sheet_from_json(data: Any, source: str = "sheet.json") -> Sheet:
    """Read a sheet. data: the decoded JSON. source: named in errors. Raises SheetError."""
    return _SheetReader(source).sheet(data)


COMPASS = {"N": 0, "E": 1, "S": 2, "W": 3}
MOST_SEATS = 6
"""For so many seats there are marks, by which they are told where colours are not."""


def seat_key(game: str, seat: Seat) -> str:
    """How formats write a seat of a game as a key: N, E, S, W in Game of God, else its number."""
    return list(COMPASS)[seat] if game == "game-of-god" else str(seat)


def seat_value(game: str, seat: Seat) -> Seat | str:
    """How formats write a seat where it is a value and no key: as a number, in Game of God as N, E, S or W."""
    return seat_key(game, seat) if game == "game-of-god" else seat


def seat_from_key(key: str) -> Seat:
    """The seat that a JSON key names: "0" … or N, E, S, W. Raises ValueError."""
    return COMPASS[key] if key in COMPASS else int(key)


class _SheetReader:
    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, what: str) -> SheetError:
        return SheetError(f"{self.source}: {what}")

    def number(self, data: Any, key: str, where: str) -> float:
        value = data.get(key) if isinstance(data, dict) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.fail(f"{where}{key} must be a number of millimetres, not {value!r}")
        return self.finite(value, f"{where}{key}")

    def finite(self, value: Any, what: str) -> float:
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fail(f"{what} must be a finite number of millimetres, not {number:g}")
        return number

    def size(self, data: Any, key: str, where: str, limits: tuple[float, float] = _SIZES) -> float:
        value, (least, most) = self.number(data, key, where), limits
        if not least <= value <= most:
            raise self.fail(f"{where}{key} must be {least:g} to {most:g} mm, not {value:g}")
        return value

    def place(self, x: float, y: float, what: str, board: tuple[float, float]) -> tuple[float, float]:
        """A place that may lie beside the board, width and height, but no farther than that is large."""
        for name, value, side in (("x", x, board[0]), ("y", y, board[1])):
            if not -side <= value <= 2 * side:
                raise self.fail(f"{what}: {name} = {value:g} mm lies far off a sheet of {board[0]:g} × {board[1]:g} mm")
        return x, y

    def kind(self, data: Mapping[str, Any], key: str, kind: type, wanted: str) -> Any:
        value = data.get(key)
        if value is not None and not isinstance(value, kind):
            raise self.fail(f"{key} must be {wanted}, not {value!r}")
        return value

    def sheet(self, data: Any) -> Sheet:
        if not isinstance(data, dict) or data.get("sheet") != 1:
            raise self.fail('this is no sheet: expected an object with "sheet": 1')
        for key in ("game", "spaces", "piece"):
            if key not in data:
                raise self.fail(f"{key} is missing")
        board = self.size(data, "width_mm", "", _SIDES), self.size(data, "height_mm", "", _SIDES)
        return Sheet(
            game=str(data["game"]),
            title=str(data.get("title", data["game"])),
            width=board[0],
            height=board[1],
            spaces=self.spaces(data["spaces"], AREAS.get(str(data["game"]), ()), board),
            piece=self.piece(data["piece"]),
            colors={seat: self.color(text) for seat, text in self.by_seat(data, "colors").items()},
            seat_names={seat: str(name) for seat, name in self.by_seat(data, "seats").items()},
            markers=self.markers(data.get("markers"), board),
            texture=self.kind(data, "texture", str, "the name of a picture beside the sheet"),
            options=dict(self.kind(data, "options", dict, 'an object like {"arms": 6}') or {}),
        )

    def spaces(self, data: Any, areas: Collection[str], board: tuple[float, float]) -> dict[str, Space]:
        if not isinstance(data, dict) or not data:
            raise self.fail("spaces must name at least one space")
        found = {}
        for name, at in data.items():
            where = f"spaces.{name}."
            x, y = (self.number(at, key, where) for key in ("x_mm", "y_mm"))
            x, y = self.place(x, y, f"spaces.{name}", board)
            area = at.get("area", False)
            if not isinstance(area, bool):
                raise self.fail(f"{where}area must be true or false, not {area!r}")
            found[name] = Space(name, x, y, self.size(at, "radius_mm", where), area=area or name in areas)
        return found

    def piece(self, data: Any) -> Piece:
        if not isinstance(data, dict) or data.get("kind") not in PIECE_KINDS:
            kind = data.get("kind") if isinstance(data, dict) else data
            raise self.fail(f"piece.kind must be one of {', '.join(PIECE_KINDS)}, not {kind!r}")
        across, high = (self.size(data, key, "piece.", _PIECES) for key in ("diameter_mm", "height_mm"))
        return Piece(data["kind"], across, high)

    def by_seat(self, data: Mapping[str, Any], key: str) -> dict[Seat, Any]:
        try:
            found = {seat_from_key(seat): value for seat, value in (data.get(key) or {}).items()}
        except (ValueError, AttributeError):
            raise self.fail(f'{key} must map seats ("0" … or "N" …) to values, not {data.get(key)!r}') from None
        most = len(COMPASS) if data["game"] == "game-of-god" else MOST_SEATS
        for seat in found:
            if not 0 <= seat < most:
                raise self.fail(f"{key}: there is no seat {seat}, only 0 to {most - 1}")
        return found

    def color(self, text: Any) -> str:
        digits = str(text).removeprefix("#")
        if len(digits) != 6 or any(d not in "0123456789abcdefABCDEF" for d in digits):
            raise self.fail(f'colors must be written like "#c8102e", not {text!r}')
        return f"#{digits.lower()}"

    def markers(self, data: Any, board: tuple[float, float]) -> Markers | None:
        if data is None:
            return None
        centers = data.get("centers_mm") if isinstance(data, dict) else None
        if not isinstance(centers, dict) or len(centers) < 4:
            raise self.fail("markers.centers_mm must give the centres of at least four markers")
        name = str(data.get("dictionary", "DICT_4X4_50"))
        if name not in DICTIONARIES:
            raise self.fail(f"markers.dictionary must be one of OpenCV's, like DICT_4X4_50, not {name!r}")
        places = {}
        for key, at in centers.items():
            marker, what = self.marker(key, name), f"markers.centers_mm.{key}"
            if not (isinstance(at, list | tuple) and len(at) == 2 and all(type(v) in (int, float) for v in at)):
                raise self.fail(f"{what} must be a place [x, y] in millimetres, not {at!r}")
            places[marker] = self.place(self.finite(at[0], what), self.finite(at[1], what), what, board)
        return Markers(name, self.size(data, "size_mm", "markers."), places)

    def marker(self, key: str, dictionary: str) -> int:
        many = DICTIONARIES[dictionary]
        if not (key.isascii() and key.isdigit() and len(key) < 5 and int(key) < many):
            raise self.fail(f"markers.centers_mm: {dictionary} has the markers 0 to {many - 1}, not {key!r}")
        return int(key)


def _written(space: Space, areas: Collection[str]) -> dict[str, Any]:
    """A space as FORMATS gives it. areas: those that a reader knows to be some."""
    area = {"area": True} if space.area and space.name not in areas else {}
    return {"x_mm": space.x, "y_mm": space.y, "radius_mm": space.radius, **area}


def sheet_to_json(sheet: Sheet) -> dict[str, Any]:
    """The sheet as FORMATS gives it, ready for json.dump."""
    data: dict[str, Any] = {
        "sheet": 1,
        "game": sheet.game,
        "title": sheet.title,
        "width_mm": sheet.width,
        "height_mm": sheet.height,
        "texture": sheet.texture,
        "markers": sheet.markers
        and {
            "dictionary": sheet.markers.dictionary,
            "size_mm": sheet.markers.size,
            "centers_mm": {str(i): list(c) for i, c in sheet.markers.centers.items()},
        },
        "spaces": {space.name: _written(space, AREAS.get(sheet.game, ())) for space in sheet.spaces.values()},
        "piece": {
            "kind": sheet.piece.kind,
            "diameter_mm": sheet.piece.diameter,
            "height_mm": sheet.piece.height,
        },
        "colors": {seat_key(sheet.game, seat): color for seat, color in sheet.colors.items()},
        "seats": {seat_key(sheet.game, seat): name for seat, name in sheet.seat_names.items()},
        "options": dict(sheet.options),
    }
    return {key: value for key, value in data.items() if value is not None and value != {}}
