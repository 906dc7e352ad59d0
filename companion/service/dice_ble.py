"""The Bluetooth dice of this table: those that the configuration names, else those kept beside the journal."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.dice import BluetoothDice, Book
from companion.dice.radio import Radio
from companion.service.config import Config

LOG = logging.getLogger(__name__)
LOOKING = "looking for the Bluetooth dice; until then, enter the dice on the phone"
KEPT = "bluetooth-dice.json"


def bluetooth_dice(config: Config, book: Book, radio: Radio | None = None) -> BluetoothDice:
    """The dice over the air. Raises DeviceError where the package for it is missing."""
    folder = config.journal_folder
    return BluetoothDice(book, config.dice.dice or kept(folder), keeper(folder), radio=radio)


def kept(folder: Path) -> tuple[str, ...]:
    """The addresses of the dice that threw here first; () where none did yet, or where that cannot be read."""
    try:
        told = json.loads((folder / KEPT).read_text())
    except (OSError, ValueError):
        return ()
    return tuple(str(each) for each in told) if isinstance(told, list) else ()


def keeper(folder: Path) -> Callable[[Sequence[str]], None]:
    """What keeps the addresses of the table's dice, for its next start."""

    def keep(addresses: Sequence[str]) -> None:
        try:
            (folder / KEPT).write_text(json.dumps(list(addresses)) + "\n")
        except OSError as error:
            LOG.warning("the table's dice are not remembered: %s", error)

    return keep


def forget(folder: Path) -> bool:
    """The next dice that throw are this table's. Returns whether any were kept."""
    there = (folder / KEPT).exists()
    (folder / KEPT).unlink(missing_ok=True)
    return there
