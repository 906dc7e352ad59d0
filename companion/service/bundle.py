"""A support file: what the doctor found, the log and the configuration, without the table's secrets."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path

from companion.model import BadInput, DeviceError
from companion.service.config import Config
from companion.service.logbook import log_folder, newest_lines
from companion.service.machine import Machine

COMMANDS: Mapping[str, Sequence[str]] = {
    "service.txt": ("systemctl", "status", "--no-pager", "--lines=0", "companion.service", "companion-kiosk.service"),
    "journal.txt": ("journalctl", "--no-pager", "-u", "companion", "-u", "companion-kiosk", "-n", "500"),
    "kernel.txt": ("journalctl", "--no-pager", "-k", "-n", "300", "--grep", "usb|uvc|video|tty|voltage|mmc|ext4|I/O"),
    "usb.txt": ("lsusb",),
    "cameras.txt": ("v4l2-ctl", "--list-devices"),
}
HIDDEN = "(hidden)"
_SECRETS = re.compile(r"^(\s*(?:pin|password|psk|members|[\w.]*key)\s*=).*$", re.MULTILINE | re.IGNORECASE)
_MAC = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
_SERIAL = re.compile(r"(SerialNumber: |\biSerial\s+\d+ )[\w.:-]+")


def bundle(path: Path, findings: Iterable[str], machine: Machine, config: Path | None, settings: Config) -> None:
    """Write the support file, a ZIP. findings: the doctor's lines. Raises BadInput, DeviceError."""
    if path.exists():
        raise BadInput(f"{path} is there already; name another file")
    texts = {"doctor.txt": "\n".join(findings) + "\n", "packages.txt": _packages()}
    texts["companion.log"] = newest_lines(log_folder(settings.journal_folder))
    if config is not None:
        texts["companion.toml"] = _SECRETS.sub(rf"\1 {HIDDEN}", config.read_text())
    texts |= {name: machine.ask(words) or "" for name, words in COMMANDS.items()}
    secrets = [settings.page.pin, *(name for names in settings.game.members.values() for name in names)]
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in texts.items():
                archive.writestr(name, without_secrets(text, secrets))
    except OSError as error:
        raise DeviceError(f"{path}: {error.strerror}; choose a place that can be written") from error


def without_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without the given words, the home folder's name, and numbers that tell one device from all others."""
    for word in secrets:
        if len(word) >= 3:
            text = re.sub(rf"\b{re.escape(word)}\b", HIDDEN, text)
    text = text.replace(str(Path.home()), "~")
    return _SERIAL.sub(rf"\1{HIDDEN}", _MAC.sub(HIDDEN, text))


def _packages() -> str:
    found = {f"{package.name} {package.version}" for package in distributions()}
    return "\n".join(sorted(found, key=str.lower)) + "\n"
