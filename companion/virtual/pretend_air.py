"""Pretend dice on a pretend air: what bleak's scanner and client do, with every fault on demand.

A `PretendAir` has a `radio` of the same rank as the computer's. Its dice speak the bytes of real ones and are moved
from any thread.
"""

from __future__ import annotations

import asyncio
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.dice import godice, pixels
from companion.dice.radio import GODICE, OLD_PIXELS, PIXELS, Make, Radio

Heard = Callable[[Any, bytearray], None]


class PretendRadioError(Exception):
    """What a radio may say; bleak's errors are plain exceptions too."""


@dataclass
class AirFaults:
    """How a die's connection misbehaves.

    twice: everything is said twice. garbage: so much noise comes before each message, of random bytes. late: seconds
    that each message takes. swapped: each second message comes before the first. refusals: how many connections fail
    next; fades: how many end as soon as they are made. deaf: what it is told does not arrive.
    """

    twice: bool = False
    garbage: int = 0
    late: float = 0.0
    swapped: bool = False
    refusals: int = 0
    fades: int = 0
    deaf: bool = False


@dataclass(frozen=True, slots=True)
class PretendAdvert:
    """As bleak's AdvertisementData."""

    local_name: str | None
    service_uuids: Sequence[str]
    manufacturer_data: Mapping[int, bytes]
    rssi: int


@dataclass
class PretendDie:
    """A die and its radio; also what bleak calls a device. kind: of a Pixels die, as pixels.KINDS. told: it was sent.

    Its state is what it would advertise; it does so while it is `awake` and nobody is connected.
    """

    name: str
    address: str
    make: Make = PIXELS
    rssi: int = -50
    kind: str = "d6"
    percent: int = 80
    awake: bool = True
    faults: AirFaults = field(default_factory=AirFaults)
    chance: random.Random = field(default_factory=lambda: random.Random(0))
    told: list[bytes] = field(default_factory=list)
    client: PretendClient | None = field(default=None, repr=False)
    _held: bytes | None = field(default=None, repr=False)

    # what hands do

    def roll(self, face: int) -> None:
        """Thrown: it tumbles and comes to rest."""
        self.tumble()
        self.rest(face)

    def tumble(self) -> None:
        """It begins to roll."""
        self.say(*((b"R",) if self.make is GODICE else (self._rolling(2), self._rolling(3))))

    def rest(self, face: int) -> None:
        """It lies, after it tumbled."""
        self.say(b"S" + _up(face) if self.make is GODICE else self._rolling(1, face))

    def cock(self) -> None:
        """It leans on something."""
        self.say(b"TS" + bytes((45, 45, 0)) if self.make is GODICE else self._rolling(4))

    def feign(self, face: int) -> None:
        """It was dropped rather than thrown; Pixels then say that they lie on a face."""
        self.say(b"FS" + _up(face) if self.make is GODICE else self._rolling(5, face))

    def turn(self, face: int) -> None:
        """It was turned by hand."""
        self.say(b"MS" + _up(face) if self.make is GODICE else self._rolling(5, face))

    def drain(self, percent: int) -> None:
        """Its battery is at so much."""
        self.percent = percent
        self.say(self._battery())

    def leave(self) -> None:
        """Out of reach, or asleep."""
        self.awake = False
        if self.client is not None:
            self.client.drop()

    def come_back(self) -> None:
        """In reach again."""
        self.awake = True

    # what it says

    def _rolling(self, state: int, face: int = 1) -> bytes:
        return bytes((pixels.ROLL_STATE, state, face - 1))

    def _battery(self) -> bytes:
        if self.make is GODICE:
            return b"Bat" + bytes((self.percent,))
        return bytes((pixels.BATTERY_LEVEL, self.percent, 0))

    def introduction(self) -> bytes:
        """The answer to WHO_ARE_YOU."""
        kind, id = pixels.KINDS.index(self.kind), 0x12345678
        if self.make is OLD_PIXELS:
            return pixels.OLD_INTRODUCTION.pack(2, 6, 1, kind, 7, id, 99, 1700000000, 5, 0, self.percent, 0)
        die = struct.pack("<IBBBBB", id, 1, kind, 6, 1, 0)
        name = self.name.encode() + b"\0"
        parts = (bytes(14), die, b"\0", name, bytes(12), bytes((self.percent, 0, 5, 0)))
        return bytes((pixels.I_AM_A_DIE,)) + b"".join(bytes((len(part) + 1,)) + part for part in parts)

    def advert(self) -> PretendAdvert:
        """What it puts on the air."""
        if self.make is GODICE:
            return PretendAdvert(self.name, (), {}, self.rssi)
        service = pixels.SERVICE if self.make is PIXELS else pixels.OLD_SERVICE
        state = bytes((6, pixels.KINDS.index(self.kind) << 4 & 0xFF, 5, 0, self.percent))
        return PretendAdvert(self.name, (service,), {0xFFFF: state}, self.rssi)

    def hear(self, data: bytes) -> None:
        """Whoever is connected sent this."""
        if self.faults.deaf:
            raise PretendRadioError("not written")
        self.told.append(data)
        if data == self.make.hello:
            self.say(self._battery() if self.make is GODICE else self.introduction())

    def say(self, *messages: bytes) -> None:
        """Notify whoever is connected, as badly as the faults want."""
        client = self.client
        if client is None:
            return
        for message in messages:
            for data in self._spoilt(message):
                client.bring(data, self.faults.late)

    def _spoilt(self, message: bytes) -> list[bytes]:
        out = [self.chance.randbytes(self.chance.randrange(1, 24)) for _ in range(self.faults.garbage)]
        if self.faults.swapped and self._held is None:
            self._held = message
            return out
        out += [message] * (2 if self.faults.twice else 1)
        if self._held is not None:
            out.append(self._held)
            self._held = None
        return out


def _up(face: int) -> bytes:
    return bytes(value & 0xFF for value in godice.UP[face])


class PretendClient:
    """As bleak's BleakClient, for a pretend die."""

    def __init__(self, die: PretendDie, lost: Callable[[Any], None]) -> None:
        self.die, self._lost = die, lost
        self.is_connected = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._heard: Heard | None = None

    async def connect(self) -> None:
        """Raises PretendRadioError where the die is not there, or refuses."""
        await asyncio.sleep(0)
        if self.die.faults.refusals > 0:
            self.die.faults.refusals -= 1
            raise PretendRadioError("le-connection-abort-by-local")
        if not self.die.awake or self.die.client is not None:
            raise PretendRadioError(f"device {self.die.address} was not found")
        self._loop, self.is_connected, self.die.client = asyncio.get_running_loop(), True, self

    async def disconnect(self) -> None:
        """Also says that it is lost, as the real one does."""
        if self.is_connected:
            self._end()

    async def start_notify(self, characteristic: str, callback: Heard, /) -> None:
        """Raises PretendRadioError for a characteristic that the die does not have."""
        if characteristic != self.die.make.notify or not self.is_connected:
            raise PretendRadioError(f"characteristic {characteristic} was not found")
        self._heard = callback
        if self.die.faults.fades > 0:
            self.die.faults.fades -= 1
            self._end()

    async def write_gatt_char(self, characteristic: str, data: bytes, /) -> None:
        """As `start_notify`."""
        if characteristic != self.die.make.write or not self.is_connected:
            raise PretendRadioError(f"characteristic {characteristic} was not found")
        self.die.hear(bytes(data))

    def bring(self, data: bytes, late: float) -> None:
        """A notification, from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(loop.call_later, late, self._deliver, data)

    def drop(self) -> None:
        """The die is gone, from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._end)

    def _deliver(self, data: bytes) -> None:
        if self.is_connected and self._heard is not None:
            self._heard(None, bytearray(data))

    def _end(self) -> None:
        if self.is_connected:
            self.is_connected, self.die.client = False, None
            self._lost(self)


class PretendScanner:
    """As bleak's BleakScanner: tells what is on the air, again and again."""

    def __init__(self, air: PretendAir, found: Callable[[Any, Any], None]) -> None:
        self._air, self._found = air, found
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Raises PretendRadioError where the radio is off."""
        if self._air.off:
            raise PretendRadioError("no powered Bluetooth adapter found")
        self._air.searches += 1
        self._task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """No more adverts."""
        if self._task is not None:
            self._task.cancel()

    async def _listen(self) -> None:
        while True:
            for die in self._air.dice:
                if die.awake and die.client is None:
                    self._found(die, die.advert())
            for device, advert in self._air.others:
                self._found(device, advert)
            await asyncio.sleep(0.02)


class PretendAir:
    """What is on the air. others: (device, advert) of things that are no dice. off: the radio has no power."""

    def __init__(self, *dice: PretendDie) -> None:
        self.dice = list(dice)
        self.others: list[tuple[Any, PretendAdvert]] = []
        self.off = False
        self.searches = 0
        self.radio = Radio(lambda found: PretendScanner(self, found), PretendClient)
