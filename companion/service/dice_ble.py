"""The Bluetooth dice of this table: those that the configuration names, else those kept beside the journal."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from calibration.files import write_whole
from companion.dice import BluetoothDice, Book
from companion.dice.ble import NEAR
from companion.dice.radio import DieSeen, Radio, search
from companion.model import DeviceError
from companion.service.config import Config

LOG = logging.getLogger(__name__)
LOOKING = "looking for the Bluetooth dice; until then, enter the dice on the phone"
KEPT = "bluetooth-dice.json"


def bluetooth_dice(config: Config, book: Book) -> BluetoothDice:
    """The dice over the air. Raises DeviceError where the package for it is missing."""
    folder = config.journal_folder
    return BluetoothDice(book, config.dice.dice or kept(folder), keeper(folder))


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
            write_whole(folder / KEPT, f"{json.dumps(list(addresses))}\n".encode())
        except OSError as error:
            LOG.warning("the table's dice are not remembered: %s", error)

    return keep


def forget(folder: Path) -> bool:
    """The next dice that throw are this table's. Returns whether any were kept. Raises DeviceError."""
    try:
        (folder / KEPT).unlink()
    except FileNotFoundError:
        return False
    except PermissionError:
        raise DeviceError(f"{folder / KEPT} may not be changed by this user: put sudo before the command") from None
    return True


def heard(config: Config, radio: Radio, seconds: float) -> list[str]:
    """A line for each die in reach, and how to name them in the configuration. Raises DeviceError."""
    try:
        dice = asyncio.run(search(radio, seconds))
    except Exception as error:  # a radio raises what its system does
        raise DeviceError(f"Bluetooth cannot be used: {error}. Is it switched on? (bluetoothctl power on)") from error
    ours = config.dice.dice or kept(config.journal_folder)
    lines = [
        f"{die.name:<22}{die.address:<20}{f'{die.make.name} {die.kind}':<16}{die.rssi:>4} dBm  {_whose(die, ours)}"
        for die in dice
    ]
    called = Counter(die.name.casefold() for die in dice)  # of one that others have too, only the address tells
    own = (die.name if called[die.name.casefold()] == 1 else die.address for die in dice)
    names = ", ".join(json.dumps(name, ensure_ascii=False) for name in own)
    return [*lines, f"to keep to these: [dice] dice = [{names}]"] if lines else []


def _whose(die: DieSeen, ours: Sequence[str]) -> str:
    if any(die.called(text) for text in ours):
        return "this table's"
    if ours:
        return "left alone"
    if not die.six:
        return "its faces are not 1 to 6"
    return "near: it is this table's if it throws first" if die.rssi >= NEAR else "too far to be taken in unnamed"
