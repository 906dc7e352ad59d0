"""Pixels dice over Bluetooth: what they advertise, say and understand. Bytes in, words out; no radio.

Sources, as their maker publishes them: doc/CommunicationsProtocol.md in github.com/GameWithPixels/.github;
packages/pixels-core-connect/src/{PixelsBluetoothIds,DieMessages,PixelRollState}.ts in GameWithPixels/pixels-js;
src/modules/accelerometer.cpp in GameWithPixels/DiceFirmware. All numbers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping

from companion.dice.die import Charge, Cocked, Kind, Rested, Tumbling, Turned, Word

SERVICE, NOTIFY, WRITE = (f"a6b9000{n}-7a5a-43f2-a962-350c8edc9b5b" for n in (1, 2, 3))
OLD_SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
"""Nordic's serial line, which other things speak too; the old dice notify on a characteristic of the same number."""
OLD_NOTIFY, OLD_WRITE = OLD_SERVICE, "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
ADVERT = 5
"""Bytes of the manufacturer's data: lamps, kind and colour, state of rolling, face, battery."""

WHO_ARE_YOU = b"\x01"
I_AM_A_DIE, ROLL_STATE, BLINK, BATTERY_LEVEL = 2, 3, 29, 34
OLD_INTRODUCTION = struct.Struct("<BBBBIIHIBBBB")
KINDS = ("unknown", "d4", "d6", "d8", "d10", "d00", "d12", "d20", "d6pipped", "d6fudge")
SIX = ("d6", "d6pipped")
SIX_LAMPS = (6, 21)
BATTERY_LOW_STATE, LOW = 1, 10
"""The state in which a die calls its battery low; percent below which we do."""
EVERY_FACE = 0xFFFFFFFF


def is_pixel(name: str, services: Collection[str], makers: Mapping[int, bytes]) -> bool:
    """Whether that was advertised by one of them. makers: the manufacturers' data, by company.

    The id that they also advertise comes in the answer to a scan, now and then: it is not waited for.
    """
    if SERVICE in services:
        return True
    told = any(len(data) == ADVERT for data in makers.values())
    return OLD_SERVICE in services and told and not name.startswith("GoDice")


def advertised(makers: Mapping[int, bytes]) -> Kind | None:
    """The kind of die that was advertised; None where that was not heard yet."""
    data = next((data for data in makers.values() if len(data) == ADVERT), None)
    return None if data is None else _kind(data[1] >> 4, data[0])


def decode(data: bytes) -> tuple[Word, ...]:
    """What one notification says; () for anything else, damaged or unknown."""
    if not data:
        return ()
    if data[0] == ROLL_STATE:
        return _rolling(data[1], data[2]) if len(data) >= 3 else ()
    if data[0] == BATTERY_LEVEL:
        return _charge(data[1], data[2]) if len(data) >= 3 else ()
    if data[0] == I_AM_A_DIE:
        return _introduction(data)
    return ()


def _rolling(state: int, index: int) -> tuple[Word, ...]:
    """State 1 is "rolled" in newer firmware; in older it also follows when a die was only moved: no Tumbling then."""
    if state == 3:
        return (Tumbling(),)
    if state == 4:
        return (Cocked(),)
    if index > 5 or state not in (1, 5):
        return ()
    return (Rested(index + 1) if state == 1 else Turned(index + 1),)


def _charge(percent: int, state: int) -> tuple[Word, ...]:
    if percent > 100:
        return ()
    charging = state in (2, 3)
    return (Charge(percent, state == BATTERY_LOW_STATE or (percent < LOW and not charging)),)


def _introduction(data: bytes) -> tuple[Word, ...]:
    if len(data) == OLD_INTRODUCTION.size:
        _, lamps, _, kind, *_, percent, battery = OLD_INTRODUCTION.unpack(data)
        return (_kind(kind, lamps, old=True), *_charge(percent, battery))
    chunks = _chunks(data)
    if len(chunks) < 6 or len(chunks[1]) < 7 or len(chunks[5]) < 2:
        return ()
    die, status = chunks[1], chunks[5]
    return (_kind(die[5], die[6]), *_charge(status[0], status[1]))


def _kind(kind: int, lamps: int, old: bool = False) -> Kind:
    """A die that does not say its kind is known by its lamps."""
    name = KINDS[kind] if kind < len(KINDS) else f"kind {kind}"
    if name == KINDS[0] and lamps in SIX_LAMPS:
        name = "d6"
    return Kind(name, name in SIX, old)


def _chunks(data: bytes) -> list[bytes]:
    """The parts of a newer introduction: versions, die, design, name, settings, status; each begins with its size.

    Their content without the size; what comes after a part that cannot be is left out.
    """
    found, at = [], 1
    while at < len(data) and data[at] and at + data[at] <= len(data):
        found.append(data[at + 1 : at + data[at]])
        at += data[at]
    return found


def blink(rgb: str, old: bool = False, times: int = 2, ms: int = 1200) -> bytes:
    """The message that makes a die blink in a colour "rrggbb". old: of a die that would blink for ever if looped."""
    return struct.pack("<BBHIIBB", BLINK, times, ms, int(rgb, 16), EVERY_FACE, 128, 0 if old else 1)
