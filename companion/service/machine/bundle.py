"""A support file: what the doctor found, the log and the configuration, without the table's secrets."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from importlib.metadata import distributions
from pathlib import Path

from calibration.sheet import BOARDS, board_for
from companion.camera.address import place_of, without_login
from companion.model import BadInput
from companion.service.config import STATE, Config, GameConfig
from companion.service.machine.archive import add_text, new_zip
from companion.service.machine.logbook import log_folder, newest_lines
from companion.service.machine.machine import Machine

UNIT = (
    "Id,LoadState,UnitFileState,ActiveState,SubState,StateChangeTimestamp,Result,StatusText,NRestarts,"
    "ExecMainStartTimestamp,ExecMainCode,ExecMainStatus,MemoryCurrent,TasksCurrent,CPUUsageNSec,DropInPaths"
)
"""What is asked of a service."""
COMMANDS: Mapping[str, Sequence[str]] = {
    # not `status`, which fails where one of them does not run, or is not installed
    "service.txt": ("systemctl", "show", "--no-pager", f"--property={UNIT}", "companion", "companion-kiosk"),
    "journal.txt": ("journalctl", "--no-pager", "-u", "companion", "-u", "companion-kiosk", "-n", "500"),
    "kernel.txt": ("journalctl", "--no-pager", "-k", "-n", "300", "--grep", "usb|uvc|video|tty|voltage|mmc|ext4|I/O"),
    "usb.txt": ("lsusb",),
    "cameras.txt": ("v4l2-ctl", "--list-devices"),
}
LOGS = "/var/log/companion"
HIDDEN = "(hidden)"
_VALUE = r"""("{3}.*?"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*'|[^\s,}#]+)"""
_SECRETS = re.compile(rf"""(\b(?:pin|password|psk|[\w.]*key)["']?\s*=\s*){_VALUE}""", re.IGNORECASE | re.DOTALL)
_PEOPLE = re.compile(
    rf"^(.*?\bmembers\b)(?s:.*?)(?=^\s*(?:\[[\w\s.]+\]|(?:{'|'.join(f.name for f in fields(GameConfig))})\s*=)|\Z)",
    re.MULTILINE,
)
"""From who plays to the next part of the configuration, or the next key of the game."""
_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_NETWORK = re.compile(r"""\w+://[^\s"']+""")
_MAC = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
_SERIAL = re.compile(r"(SerialNumber: |\biSerial\s+\d+ )[\w.:-]+")
_BY_ID = re.compile(
    r"""(\busb-[^\s_"'/]*_)[\w.:=@#+-]*?(-video-index\d+|-if\d+(?:-port\d+)?)?(?=[.:]*(?:[^\w.:=@#+-]|\Z))"""
)
"""A name as in /dev/v4l/by-id and /dev/serial/by-id. Nothing tells where in it the serial number begins: both that and
the model may have any of these signs."""
_PLACES = re.compile(r"""\b(?:folder|path)["']?\s*=\s*["']([^"'\n]+)["']""")
"""Where a configuration, be the rest right or wrong, says that games and a board are."""


def bundle(path: Path, findings: Iterable[str], machine: Machine, config: Path | None, settings: Config) -> None:
    """Write the support file, a ZIP. findings: the doctor's lines. Raises BadInput, DeviceError."""
    toml, own = _own_words(config), settings.journal_folder
    logs = dict.fromkeys((log_folder(own), log_folder(own, {}), machine.path(LOGS)))
    texts = {"doctor.txt": "\n".join(findings) + "\n", "packages.txt": _packages()}
    texts["companion.log"] = "".join(newest_lines(folder) for folder in logs if not folder.is_symlink())
    texts["companion.toml"] = hidden(toml)
    texts |= {name: machine.ask(words) or "" for name, words in COMMANDS.items()}
    people = (name for names in settings.game.members.values() for name in names)
    places = [own, machine.path(str(STATE)), *_places_in(toml, config)]
    secrets = [settings.page.pin, *_as_said([*people, *given_names(places)]), *secrets_of(toml)]
    with new_zip(path) as archive:
        for name, text in texts.items():
            add_text(archive, name, without_secrets(without_addresses(text, toml), secrets))


def _own_words(config: Path | None) -> str:
    """The configuration as it is written, which may be wrong; "" where it cannot be read."""
    try:
        return config.read_text(errors="replace") if config else ""
    except OSError:
        return ""


def hidden(toml: str) -> str:
    """The configuration's text without secrets and without who plays."""
    return _PEOPLE.sub(rf"\1 = {HIDDEN}\n", _SECRETS.sub(rf"\1{HIDDEN}", toml))


def secrets_of(toml: str) -> list[str]:
    """The words that `hidden` takes out: they may be elsewhere too."""
    pins = [value.strip("\"'") for _, value in _SECRETS.findall(toml)]
    return pins + [name for found in _PEOPLE.finditer(toml) for name in _QUOTED.findall(found[0])]


def _places_in(toml: str, config: Path | None) -> list[Path]:
    """The folders and sheets that the configuration names."""
    beside = config.parent if config else Path()
    named = (os.path.expanduser(text) for text in _PLACES.findall(toml) if "\0" not in text)
    return [beside / text for text in named]


def given_names(places: Iterable[Path]) -> set[str]:
    """What the colours are called on boards of one's own: of a sheet, or among the games of a folder, used before or
    now. A family may call them by its players; what is printed on boards is nobody's name."""
    found = set[str]()
    for place in places:
        for file in [place, *place.glob("boards/*/board.json"), *place.glob("boards/*/sheet.json")]:
            found |= {str(name) for name in _seats_of(file).values()}
    printed = {name for game in BOARDS for name in _printed_names(game)}
    return {name for name in found if name.lower() not in printed}


def _seats_of(file: Path) -> Mapping[str, object]:
    """Seat → name of a board.json or sheet.json; none where it cannot be read."""
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig")) if file.is_file() else {}
        seats = data.get("seats")
    except (OSError, ValueError, RecursionError, AttributeError):
        return {}
    return seats if isinstance(seats, dict) else {}


def _printed_names(game: str) -> set[str]:
    """What the colours are called on the boards of this game that are printed."""
    choices = BOARDS[game].choices
    ways = (dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values()))
    with suppress(BadInput):  # a drawing of one's own may raise
        return {name for options in ways for name in board_for(game, options).sheet().seat_names.values()}
    return set()


def _as_said(names: Iterable[str]) -> list[str]:
    """Each name as it is written, and as a sentence begins with it."""
    return [said for name in names for said in dict.fromkeys((name, name[:1].upper() + name[1:]))]


def without_addresses(text: str, toml: str) -> str:
    """The text, in which the addresses of the configuration are no more than where something is."""
    for address in sorted(_NETWORK.findall(toml), key=len, reverse=True):
        for said in (address, without_login(address)):
            text = text.replace(said, place_of(address))
    return text


def without_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without the given words, the home folder's name, and numbers that tell one device from all others."""
    for word in filter(str.strip, secrets):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", HIDDEN, text)
    home = os.path.expanduser("~")
    text = without_login(text) if home == "/" else without_login(text).replace(home, "~")  # of a user who has none
    text = _BY_ID.sub(rf"\1{HIDDEN}\2", text)
    return _SERIAL.sub(rf"\1{HIDDEN}", _MAC.sub(HIDDEN, text))


def _packages() -> str:
    found = {f"{package.name} {package.version}" for package in distributions()}
    return "\n".join(sorted(found, key=str.lower)) + "\n"
