"""A support file: what the doctor found, the log and the configuration, without the table's secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import distributions
from pathlib import Path

from companion.camera.address import place_of, without_login
from companion.service.archive import add_text, new_zip
from companion.service.config import Config, GameConfig
from companion.service.logbook import log_folder, newest_lines
from companion.service.machine import Machine

COMMANDS: Mapping[str, Sequence[str]] = {
    "service.txt": ("systemctl", "status", "--no-pager", "--lines=0", "companion.service", "companion-kiosk.service"),
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


def bundle(path: Path, findings: Iterable[str], machine: Machine, config: Path | None, settings: Config) -> None:
    """Write the support file, a ZIP. findings: the doctor's lines. Raises BadInput, DeviceError."""
    toml, own = _own_words(config), settings.journal_folder
    logs = dict.fromkeys((log_folder(own), log_folder(own, {}), machine.path(LOGS)))
    texts = {"doctor.txt": "\n".join(findings) + "\n", "packages.txt": _packages()}
    texts["companion.log"] = "".join(newest_lines(folder) for folder in logs if not folder.is_symlink())
    texts["companion.toml"] = hidden(toml)
    texts |= {name: machine.ask(words) or "" for name, words in COMMANDS.items()}
    people = (name for names in settings.game.members.values() for name in names)
    secrets = [settings.page.pin, *people, *secrets_of(toml)]
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
    return _SERIAL.sub(rf"\1{HIDDEN}", _MAC.sub(HIDDEN, text))


def _packages() -> str:
    found = {f"{package.name} {package.version}" for package in distributions()}
    return "\n".join(sorted(found, key=str.lower)) + "\n"
