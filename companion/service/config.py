"""The configuration: companion.toml, read strictly, with a default for everything."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.dice.own import OWN_DICE
from companion.model import BadInput, ConfigError
from companion.model.board import COMPASS, seat_from_key, seat_key
from companion.panel import ALSO, Pins, pins_from


@dataclass(frozen=True, slots=True)
class GameConfig:
    """[game] name, seats (who sits where), first (who throws first), options (of the game).

    deck: a file or folder of questions, "" for cards on the table, "builtin" for the small deck that comes along.
    members: who plays each colour, where a team does ("red" → names, in rotation).
    """

    name: str = "parcheesi"
    seats: tuple[int, ...] = (0, 1, 2, 3)
    first: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: str = ""
    members: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetConfig:
    """[sheet] path of a sheet.json, "" for the board this project prints; reference: a photo of the empty board."""

    path: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """[camera] source: "auto", "/dev/video0", "picamera", an address, a video, a folder of pictures, or "none".

    lens: the lens.json that `companion calibrate lens` wrote; "" to estimate the lens from the board itself.
    """

    source: str = "auto"
    width: int = 1280
    height: int = 960
    fps: int = 10
    lens: str = ""


@dataclass(frozen=True, slots=True)
class DiceConfig:
    """[dice] port: "auto" (found by its HELLO), a path, "ble" (Bluetooth), "camera" (in the tray), "none" (by phone).

    dice: names or addresses of the Bluetooth dice; () for those that throw first.
    check: "camera" where the camera compares the dice in the tray with what the box says.
    """

    port: str = "auto"
    check: str = ""
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrayConfig:
    """[tray] the rectangle that dice are thrown into, mm of the sheet's frame; drop: how far the table lies below it.

    width and height 0: the printed tray, found by its markers.
    """

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    drop: float = 0.0


@dataclass(frozen=True, slots=True)
class PageConfig:
    """[page] host and port of the page; pin: what a player types once on a phone to act ("" asks for none).

    names: by which the page is asked for too, beside addresses and the names of networks at home (referee.local).
    """

    host: str = "0.0.0.0"
    port: int = 8000
    pin: str = ""
    names: tuple[str, ...] = ()

    @property
    def here_only(self) -> bool:
        """Whether no other machine can see the page."""
        return self.host in ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """[journal] folder; pictures_mb: how much room the pictures may take."""

    folder: str = ""
    pictures_mb: int = 500


_NO_FILE = re.compile(r"auto|none|\d+|picamera(:.*)?|.*://.*", re.DOTALL)
"""Cameras that are no device, video or folder."""


@dataclass(frozen=True, slots=True)
class Config:
    """All of companion.toml. folder: where it lies, for relative paths. source: its name, for what is wrong with it.
    empty: the file is there, and nothing stands in it."""

    game: GameConfig = field(default_factory=GameConfig)
    sheet: SheetConfig = field(default_factory=SheetConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)
    tray: TrayConfig = field(default_factory=TrayConfig)
    page: PageConfig = field(default_factory=PageConfig)
    journal: JournalConfig = field(default_factory=JournalConfig)
    panel: Pins = field(default_factory=Pins)
    folder: Path = field(default_factory=Path)
    source: str = "configuration"
    empty: bool = False

    @contextmanager
    def naming(self, part: str) -> Iterator[None]:
        """What cannot be used is said with the file and the part that name it."""
        try:
            yield
        except BadInput as error:
            way = out_of_sight(_unread(error)) if "STATE_DIRECTORY" in os.environ else ""  # which systemd sets
            raise type(error)(f"{self.source}: {part} {error}{'. ' if way else ''}{way}") from error

    def path(self, text: str) -> Path:
        """A path of the configuration, relative to its file. In the appliance's "~" is the service's, whoever asks."""
        if text.split("/")[0] == "~" and _is_appliances(self.folder):
            return (STATE / text[2:]).resolve()
        return (self.folder / Path(text).expanduser()).resolve()

    @property
    def camera_source(self) -> str:
        """The camera as `open_camera` takes it: a video or a folder, too, is named by its path from here."""
        source = self.camera.source.strip()
        return source if _NO_FILE.fullmatch(source) else os.path.join(self.folder, os.path.expanduser(source))

    @property
    def journal_folder(self) -> Path:
        """Where games are kept: as configured, else the system's place for this service, also where root asks who is
        not told that place; else the user's."""
        if self.journal.folder:
            return self.path(self.journal.folder)
        if state := os.environ.get("STATE_DIRECTORY"):
            return Path(state.split(":")[0])
        if _is_appliances(self.folder):
            return STATE
        return _home(self.source) / ".local" / "share" / "companion"


def _is_appliances(folder: Path) -> bool:
    """Whether the appliance's configuration lies in this folder."""
    try:
        return folder.absolute() == APPLIANCE.parent
    except OSError:  # the folder we are in is gone
        return False


def _unread(error: BadInput) -> str:
    """The file that could not be read, if that is what an error comes from; else ""."""
    cause: BaseException | None = error
    while isinstance(cause, BadInput):
        cause = cause.__cause__
    return str(cause.filename or "") if isinstance(cause, OSError) else ""


def out_of_sight(place: str | Path) -> str:
    """Why a service of the system does not find what is in somebody's home, with the way out; "" of another place."""
    home = next((home for home in HOMES if Path(place).is_relative_to(home)), None)
    way = f"Put it beside {APPLIANCE.name}, in {APPLIANCE.parent}, and name it by its path from there"
    return f"The service sees nothing below {home} (ProtectHome). {way}" if home else ""


def _home(source: str) -> Path:
    """This user's folder. Raises ConfigError where the machine knows of none."""
    try:
        return Path.home()
    except RuntimeError:
        raise ConfigError(
            f"{source}: this user has no home folder, where games are kept else: name a place as [journal] folder"
        ) from None


FARTHEST = 3000.0
"""mm: no tray lies farther from the board, nor is one larger."""
LONGEST_NAME = 40
"""Letters of a member's name."""
APPLIANCE = Path("/etc/companion/companion.toml")
"""The configuration of a Companion that was installed as a service."""
OWN_BOARDS = "boards"
"""The folder of the boards of one's own, in that where games are kept."""
HOMES = (Path("/home"), Path("/root"), Path("/run/user"))
"""What is closed to the service, see companion.service, though whoever looks finds a file there."""
STATE = Path("/var/lib/companion")
"""Where that keeps its games (StateDirectory= of companion.service)."""


def usual_config(given: Path | None) -> Path | None:
    """The configuration that a command means: the one given, else the appliance's; None where there is none.

    Raises ConfigError where there is one that this user may not read.
    """
    if given is not None:
        return given
    try:
        APPLIANCE.stat()
    except PermissionError:
        raise ConfigError(closed(APPLIANCE)) from None
    except OSError:
        return None
    return APPLIANCE


def closed(path: Path) -> str:
    """What to do about a file of an appliance that this user may not read."""
    return f"only root and the service's user may read {path}: put sudo before the command"


def needed_config(given: Path | None) -> Path:
    """The same. Raises ConfigError where there is none."""
    path = usual_config(given)
    if path is None:
        raise ConfigError(f"no configuration: name it with --config companion.toml (there is no {APPLIANCE})")
    return path


PORTS: Mapping[str, str] = {"auto": "", "ble": "Bluetooth", "camera": "dice in the tray", "none": "the phone"}
"""What [dice] port may be, beside a path and dice of one's own, and what that is: each a case of the assembly."""


def dice_ports() -> dict[str, str]:
    """All words that [dice] port may be, and what they are."""
    return {**PORTS, **{word: own.what for word, own in OWN_DICE.items()}}


_PARTS: Mapping[str, type] = {
    "game": GameConfig,
    "sheet": SheetConfig,
    "camera": CameraConfig,
    "dice": DiceConfig,
    "tray": TrayConfig,
    "page": PageConfig,
    "journal": JournalConfig,
}


def read_config(path: Path) -> Config:
    """Read companion.toml. Raises ConfigError naming the key, the value and what there is."""
    try:
        return config_of(path.read_bytes(), path.parent, str(path))
    except PermissionError:
        raise ConfigError(closed(path)) from None
    except IsADirectoryError:
        raise ConfigError(f"{path} is a folder: name the file in it, like {path / APPLIANCE.name}") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}. Begin with: companion config > companion.toml") from None


def all_usual(config: Config) -> tuple[str, str] | None:
    """That the file of a configuration is empty, as a power cut may leave one, and the way out; None where it is not.
    """
    if not config.empty:
        return None
    way = "if it was not, put a backup back (companion restore FILE), or begin with: companion config"
    return f"{config.source} is empty, so all is as it comes (Parcheesi for four, no PIN)", way


def decoded(toml: bytes) -> dict[str, Any]:
    """TOML with the lines of any system, and the mark with which some editors begin a file. Raises ValueError."""
    return tomllib.loads(_lines_of(toml))


def _lines_of(toml: bytes) -> str:
    return toml.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _unwritten(text: str, why: str) -> str:
    """What is wrong with TOML, the line where that was found, and how it is written. why: as `tomllib` says it."""
    place = re.search(r" \(at (?:line ([0-9]+), column [0-9]+|end of document)\)$", why)
    lines = text.rstrip().split("\n")
    number = min(int(place[1] or len(lines)), len(lines)) if place else 0
    line = f" (line {number}: {lines[number - 1].strip():.200})" if place else ""
    way = 'A line is written like name = "gloria", with text in quotes like these'
    if number and (part := re.match(r"\s*(\[\w+\])\s*[^\s#]", lines[number - 1])):  # as messages and guides name a key
        way = f"{part[1]} has a line to itself, once; what belongs to it stands below, each on a line of its own"
    elif why.startswith(("Cannot overwrite", "Cannot declare", "Duplicate")):
        way = "That is there twice: keep one, with all that belongs to it"
    elif re.search(r"[=,\[]\s*(True|False|TRUE|FALSE)\b", line):
        way = "true and false are written in small letters, without quotes"
    return f"{why[: place.start()] if place else why}{line}. {way}"


def config_of(toml: bytes, folder: Path, source: str) -> Config:
    """The configuration that a file holds. Raises ConfigError."""
    try:
        data = decoded(toml)
    except UnicodeDecodeError:
        way = "save it as UTF-8 in the editor, or, if it is no configuration at all, name another file"
        raise ConfigError(f"{source}: this is no text (UTF-8): {way}") from None
    except tomllib.TOMLDecodeError as error:
        if b"\0\0" in toml:
            way = "put a backup back (companion restore FILE), or write it anew, beginning with: companion config"
            raise ConfigError(f"{source}: it is damaged: zeros are in it, as a power cut leaves them; {way}") from None
        raise ConfigError(f"{source}: {_unwritten(_lines_of(toml), str(error))}") from None
    return replace(config_from(data, folder, source), empty=not toml.strip())


def settings_of(given: Path | None) -> Config:
    """What the configuration says that a command means, see `usual_config`; the defaults where there is none."""
    path = usual_config(given)
    return read_config(path) if path else Config()


def config_from(data: Mapping[str, Any], folder: Path = Path(), source: str = "configuration") -> Config:
    """The configuration that decoded TOML gives. Raises ConfigError."""
    known = [*_PARTS, "panel"]
    unknown = sorted(set(data) - set(known))
    if unknown and not isinstance(data[unknown[0]], Mapping | list):
        raise ConfigError(f"{source}: {unknown[0]} stands in no part; put it below one of: {', '.join(known)}")
    if unknown:
        raise ConfigError(f"{source}: unknown part [{unknown[0]}]; there are: {', '.join(known)}")
    parts = {name: _part(kind, data.get(name, {}), f"{source}: [{name}]") for name, kind in _PARTS.items()}
    config = Config(**parts, panel=_panel(data.get("panel", {}), source), folder=folder, source=source)
    _check(config, source)
    return config


def _panel(data: Any, source: str) -> Pins:
    try:
        pins = pins_from(data)
    except ConfigError as error:
        raise ConfigError(f"{source}: {error}") from None
    if pins.also != "" and not (isinstance(pins.also, str) and (pins.also in ALSO or _may_be_lost(pins.also))):
        there = f"there is {', '.join(ALSO)}" if ALSO else "there is none yet (docs/add-a-panel.md)"
        raise ConfigError(f"{source}: panel.also {pins.also!r} is no panel of your own: {there}")
    return pins


def _may_be_lost(word: str) -> bool:
    """Whether it may be a part of an add-on that cannot be used now: the table goes on without it, and says so."""
    from companion.service.addons import enter_addons, is_name  # which enters its dice by a function of this module

    return is_name(word) and bool(enter_addons())


def _part(kind: type, data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where} must be a table of keys, not {data!r}")
    usual = kind()
    known = {f.name: getattr(usual, f.name) for f in fields(kind)}
    for key, value in data.items():
        if key not in known:
            raise ConfigError(f"{where} has an unknown key {key!r}; there are: {', '.join(known)}{_elsewhere(key)}")
        _check_type(value, known[key], f"{where} {key}")
    return kind(**{key: _value(key, value) for key, value in data.items()})


def _elsewhere(key: str) -> str:
    """Where a key belongs that stands in another part, as where the # was left before that part's name alone."""
    kinds = {**_PARTS, "panel": Pins}
    parts = " or ".join(f"[{name}]" for name, kind in kinds.items() if key in (f.name for f in fields(kind)))
    return f". It belongs below {parts}: is that line there, without a #?" if parts else ""


def _value(key: str, value: Any) -> Any:
    """A value as the configuration holds it; seats may be letters (Game of God: N, E, S, W)."""
    if key == "first":
        return seat_from_key(str(value))
    if key == "seats":
        return tuple(seat_from_key(str(seat)) for seat in value)
    return tuple(value) if isinstance(value, list) else value


def _check_type(value: Any, usual: Any, where: str) -> None:
    wanted: dict[type, str] = {bool: "true or false", int: "a whole number", str: "text in quotes"}
    if usual is None and _is_letter(value):
        return
    kind = int if usual is None else type(usual)
    if kind is float and (isinstance(value, bool) or not isinstance(value, int | float)):
        quoted = ", without quotes" if isinstance(value, str) else ""
        raise ConfigError(f"{where} must be a number{quoted}, not {value!r}")
    if kind is float and not abs(value) <= FARTHEST:  # nor is NaN
        raise ConfigError(f"{where} must be at most {FARTHEST:g} mm, not {value!r:.40}")
    right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if kind in wanted and not right:
        quoted = ", without quotes" if kind is not str and isinstance(value, str) else ""
        raise ConfigError(f"{where} must be {wanted[kind]}{quoted}, not {value!r}")
    if kind is str and "\0" in value:
        raise ConfigError(f"{where} must be text without the sign \\u0000, not {value!r:.60}")
    if kind is tuple and not usual:
        if not (isinstance(value, list) and all(isinstance(name, str) for name in value)):
            like = '["table.example.org"]' if where.endswith("names") else '["Ruby", "Opal"]'
            raise ConfigError(f"{where} must be a list of names like {like}, not {value!r}")
        return
    if kind is tuple and not (isinstance(value, list) and all(type(v) is int or _is_letter(v) for v in value)):
        raise ConfigError(f'{where} must be a list of seats like [0, 2], or ["N", "S"], not {value!r}')
    if kind is dict and not isinstance(value, Mapping):
        raise ConfigError(f"{where} must be a table like {{ name = value }}, not {value!r}")


def _is_letter(value: Any) -> bool:
    """Whether it is a seat's letter."""
    return isinstance(value, str) and value in COMPASS


def _check(config: Config, source: str) -> None:
    limits = (
        ("camera", "width", 160, 8000),
        ("camera", "height", 120, 8000),
        ("camera", "fps", 1, 120),
        ("page", "port", 1, 65535),
        ("journal", "pictures_mb", 1, 1_000_000),
    )
    for part, key, least, most in limits:
        value = getattr(getattr(config, part), key)
        if not least <= value <= most:
            raise ConfigError(f"{source}: [{part}] {key} must be {least} to {most}, not {value}")
    pin = config.page.pin
    if pin and not (pin.isascii() and pin.isdigit()):
        raise ConfigError(f"{source}: [page] pin must be digits only: every phone and the kiosk can type those")
    if config.sheet.reference and not config.sheet.path:
        raise ConfigError(f"{source}: [sheet] reference is the photo of a board: name its sheet.json too, as path")
    if not config.camera.source.strip():
        raise ConfigError(f'{source}: [camera] source is empty: set "auto" for the one that is plugged in, or "none"')
    _check_paths(config, source)
    _check_dice(config, source)
    _check_players(config, source)


def _check_paths(config: Config, source: str) -> None:
    """Raises ConfigError for a path of blanks, and for one in the home folder of somebody whom the machine does not
    know."""
    named = (
        ("game", "deck", config.game.deck),
        ("sheet", "path", config.sheet.path),
        ("sheet", "reference", config.sheet.reference),
        ("camera", "source", config.camera.source),
        ("camera", "lens", config.camera.lens),
        ("journal", "folder", config.journal.folder),
    )
    for part, key, text in named:
        if text.isspace():
            raise ConfigError(f'{source}: [{part}] {key} {text!r} names nothing: write a path, or "" for the usual')
        try:
            Path(text.strip()).expanduser()
        except RuntimeError:
            there = f"there is no home folder {Path(text.strip()).parts[0]} here: write the whole path"
            raise ConfigError(f"{source}: [{part}] {key} {text!r}: {there}") from None


def _check_players(config: Config, source: str) -> None:
    """Who throws first sits at the table, and names fit the page."""
    first, seats = config.game.first, config.game.seats
    if first is not None and first not in seats:
        sitting = ", ".join(_seat_word(config, seat) for seat in seats)
        told = f"first is {_seat_word(config, first)}, but at the table sit [{sitting}]"
        raise ConfigError(f"{source}: [game] {told}")
    for color, names in config.game.members.items():
        if not isinstance(names, list) or not names or not all(isinstance(n, str) and n.strip() for n in names):
            raise ConfigError(f'{source}: [game] members {color} must be a list of names like ["Ann"], not {names!r}')
        long = next((name for name in names if len(name) > LONGEST_NAME), None)
        if long is not None:
            raise ConfigError(
                f"{source}: [game] members {color}: {long!r} has {len(long)} letters, at most {LONGEST_NAME} are shown"
            )


def _seat_word(config: Config, seat: int) -> str:
    """A seat as this game's formats write it; its number, where the game does not have it."""
    return seat_key(config.game.name, seat) if 0 <= seat < len(COMPASS) else str(seat)


def _check_dice(config: Config, source: str) -> None:
    """Dice by camera need a camera and, unless the printed tray is used, a whole rectangle."""
    dice, tray, camera = config.dice, config.tray, config.camera.source != "none"
    words = dice_ports()
    if dice.port not in words and "/" not in dice.port and not _may_be_lost(dice.port):
        near = get_close_matches(dice.port.strip().lower(), words, 1)
        meant = f'; did you mean "{near[0]}"?' if near else ""
        known = ", ".join(f'"{word}"{f" ({what})" if what else ""}' for word, what in words.items())
        raise ConfigError(
            f'{source}: [dice] port must be {known} or a path like "/dev/ttyUSB0", not {dice.port!r}{meant}'
        )
    if dice.check not in ("", "camera"):
        raise ConfigError(f'{source}: [dice] check must be "camera" or "", not {dice.check!r}')
    if dice.dice and dice.port != "ble":
        raise ConfigError(f'{source}: [dice] dice names Bluetooth dice, but port is "{dice.port}": set port = "ble"')
    if dice.check and dice.port in ("none", "camera"):
        raise ConfigError(f'{source}: [dice] check compares a dice box with the camera, but port is "{dice.port}"')
    if "camera" in (dice.port, dice.check) and not camera:
        raise ConfigError(f'{source}: [dice] by camera, but [camera] source is "none": name the camera')
    if tray.width < 0 or tray.height < 0 or bool(tray.width) != bool(tray.height):
        raise ConfigError(
            f"{source}: [tray] width and height must both be more than 0, or both 0 for the printed tray; "
            f"not {tray.width} and {tray.height}"
        )
    _check_tray(tray, source)


def _check_tray(tray: TrayConfig, source: str) -> None:
    """A place without a size would be left unheeded."""
    if not tray.width and (tray.x or tray.y or tray.drop):
        raise ConfigError(
            f"{source}: [tray] x, y and drop need width and height: they place a tray of your own. "
            "Leave all of [tray] out for the printed tray, which is found by its markers"
        )


EXAMPLE = """\
# Companion: what there is at this table. Every line may be left out; what is shown is the default.

[game]
name = "parcheesi"
seats = [0, 1, 2, 3]        # Parcheesi: 0 South, 1 East, 2 North, 3 West. Others: docs/games.md
# first = 2                 # who throws first
# options = { six_again = true }              # of the game: see docs/games.md
# deck = "builtin"          # Gloria: questions on the reader's phone; or a file or folder of them
# members = { red = ["Ann", "Bob"] }          # who plays a colour, in rotation

[sheet]
path = ""                   # a sheet.json; "" is the board that `companion sheet` prints

[camera]
source = "auto"             # "/dev/video0", "picamera", "http://…" (see docs/camera.md), a video, a folder, "none"
width = 1280
height = 960
fps = 10
lens = ""                   # a lens.json of `companion calibrate lens`; "" estimates it from the board

[dice]
port = "auto"               # found by itself; or "/dev/ttyUSB0"; "ble": Pixels, GoDice; "camera"; "none": on the phone
# dice = ["Ruby", "Opal"]   # of "ble": which ones, where there are others in the room
check = ""                  # "camera": the camera compares the dice in the tray with what the dice box says

# [tray]                    # dice by camera: mm of the board; left out, the printed tray (companion sheet tray)
# x = 420                   # right of a board that is 400 mm wide
# y = 150
# width = 110
# height = 110
# drop = 3                  # how far the table lies under the board's face

[page]
host = "0.0.0.0"
port = 8000
pin = ""                    # digits that players type once to act; "" asks for none
# names = ["table.example.org"]   # names of the page in a domain of your own; referee.local and the like need none

[journal]
folder = ""                 # where games are kept
pictures_mb = 500

# [panel]                   # lamps and buttons on GPIO (BCM numbers)
# lamps = { 0 = 17, 1 = 27, 2 = 22, 3 = 23 }
# alarm = 24
# confirm = 5
# take_back = 6
# right = 13                # Gloria: the reader's two buttons
# wrong = 19
# challenge = 26            # Game of God
"""
