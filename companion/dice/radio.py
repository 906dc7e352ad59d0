"""The radio: what is used of bleak, and which dice are heard over it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from companion.dice import godice, pixels
from companion.dice.die import Kind, Word
from companion.model import DeviceError

LOOK_AGAIN = 0.05
"""Seconds between two looks at what was heard."""
INSTALL = (
    "Dice over Bluetooth need one more package: .venv/bin/pip install -e '.[ble]' in the project's folder; "
    "where Companion is a service, sudo sh systemd/install.sh brings it"
)


class Device(Protocol):
    """What is used of bleak's BLEDevice."""

    @property
    def address(self) -> str: ...
    @property
    def name(self) -> str | None: ...


class Advert(Protocol):
    """What is used of bleak's AdvertisementData."""

    @property
    def local_name(self) -> str | None: ...
    @property
    def service_uuids(self) -> Sequence[str]: ...
    @property
    def manufacturer_data(self) -> Mapping[int, bytes]: ...
    @property
    def rssi(self) -> int: ...


class Scanner(Protocol):
    """What is used of bleak's BleakScanner."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Client(Protocol):
    """What is used of bleak's BleakClient."""

    async def connect(self) -> None: ...
    async def disconnect(self) -> None: ...
    async def start_notify(self, characteristic: str, callback: Callable[[Any, bytearray], None], /) -> None: ...
    def write_gatt_char(self, characteristic: str, data: bytes, /) -> Awaitable[None]: ...


class Radio(NamedTuple):
    """How to scan (with what to call at each advertisement) and to connect (and what to call at the end)."""

    scanner: Callable[[Callable[[Any, Any], None]], Scanner]
    client: Callable[[Any, Callable[[Any], None]], Client]


def bleak_radio() -> Radio:
    """This computer's radio. Raises DeviceError where the package is not installed."""
    try:
        from bleak import BleakClient, BleakScanner
    except ImportError:
        raise DeviceError(INSTALL) from None
    return Radio(BleakScanner, BleakClient)


@dataclass(frozen=True, slots=True)
class Make:
    """A make of dice. hello: what a die is sent when it is connected; blink: a message, of a colour "rrggbb"."""

    name: str
    notify: str
    write: str
    hello: bytes
    decode: Callable[[bytes], tuple[Word, ...]]
    blink: Callable[[str, bool], bytes]


PIXELS = Make("Pixels", pixels.NOTIFY, pixels.WRITE, pixels.WHO_ARE_YOU, pixels.decode, pixels.blink)
OLD_PIXELS = Make("Pixels", pixels.OLD_NOTIFY, pixels.OLD_WRITE, pixels.WHO_ARE_YOU, pixels.decode, pixels.blink)
GODICE = Make(
    "GoDice", godice.NOTIFY, godice.WRITE, godice.ASK_BATTERY, godice.decode, lambda rgb, old: godice.pulse(rgb)
)


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die that advertises itself. kind: "" while not known. rssi: how strong, dBm. device: what is connected to."""

    name: str
    address: str
    make: Make
    rssi: int
    device: Any
    kind: str = ""
    six: bool = True

    def called(self, text: str) -> bool:
        """Whether that is its name or its address."""
        return text.casefold() in (self.name.casefold(), self.address.casefold())


def recognised(device: Device, advert: Advert) -> DieSeen | None:
    """The die that advertised this; None for anything else that is on the air."""
    name = advert.local_name or device.name or ""
    services = {uuid.lower() for uuid in advert.service_uuids}
    if godice.is_godice(name):
        return DieSeen(name, device.address, GODICE, advert.rssi, device)
    if not pixels.is_pixel(name, services, advert.manufacturer_data):
        return None
    make = PIXELS if pixels.SERVICE in services else OLD_PIXELS
    kind = pixels.advertised(advert.manufacturer_data) or Kind("", True)
    return DieSeen(name or device.address, device.address, make, advert.rssi, device, kind.name, kind.six)


async def search(
    radio: Radio, seconds: float, enough: Callable[[Mapping[str, DieSeen]], bool] = lambda heard: False
) -> list[DieSeen]:
    """The dice that advertise themselves within so many seconds, or until `enough` of what was heard, by address.

    A die that is connected does not advertise. Raises what the radio raises.
    """
    heard: dict[str, DieSeen] = {}

    def hear(device: Any, advert: Any) -> None:
        die = recognised(device, advert)
        if die is not None:
            heard[die.address] = die

    scanner = radio.scanner(hear)
    await scanner.start()
    try:
        for _ in range(round(seconds / LOOK_AGAIN)):
            if enough(heard):
                break
            await asyncio.sleep(LOOK_AGAIN)
    finally:
        await scanner.stop()
    return sorted(heard.values(), key=lambda die: -die.rssi)
