"""GoDice over Bluetooth: what they advertise, say and understand. Bytes in, words out; no radio.

Sources, as their maker publishes them: godice.js and README.md in github.com/ParticulaCode/GoDiceJavaScriptAPI;
godice/{dice,xyzinterpret}.py in ParticulaCode/GoDicePythonAPI.

A die reports which way is up as three signed bytes, some 64 long. In its plain shell it is read as the nearest of six
axes. It does not say in which shell it sits, and no game here wants another: an upward direction that belongs to none
of the six faces is taken for a die that lies crooked.
"""

from __future__ import annotations

import math

from companion.dice.die import Charge, Cocked, Feigned, Rested, Tumbling, Turned, Word

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
PREFIX = "GoDice_"

ASK_BATTERY = b"\x03"
PULSE = 16
LOW = 15
"""Percent of the battery below which it should be charged."""
UP = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}
"""Which way is up for each face of the plain shell."""
SLOPE = 35.0
"""Degrees between up and the nearest face's, beyond which no face is up; half way to the next would be 45."""


def is_godice(name: str) -> bool:
    """Whether that is the name of one of them."""
    return name.startswith(PREFIX)


def face_up(x: int, y: int, z: int) -> int | None:
    """The face of the plain shell that is up; None where none is."""
    length = math.hypot(x, y, z)
    face = max(UP, key=lambda each: _along(UP[each], (x, y, z)))
    good = length > 0 and _along(UP[face], (x, y, z)) >= 64 * length * math.cos(math.radians(SLOPE))
    return face if good else None


def _along(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def decode(data: bytes) -> tuple[Word, ...]:
    """What one notification says; () for anything else, damaged or unknown."""
    if data[:1] == b"R":
        return (Tumbling(),)
    if data[:3] == b"Bat":
        return _charge(data[3]) if len(data) >= 4 else ()
    if data[:1] == b"S":
        return _at_rest("S", data[1:4])
    if data[1:2] == b"S" and data[:1] in (b"F", b"T", b"M"):
        return _at_rest(chr(data[0]), data[2:5])
    return ()


def _charge(percent: int) -> tuple[Word, ...]:
    return (Charge(percent, percent < LOW),) if percent <= 100 else ()


def _at_rest(how: str, up: bytes) -> tuple[Word, ...]:
    """how: S rolled; F after what was no proper roll; T rolled, but not flat; M moved on to another face."""
    if len(up) < 3:
        return ()
    x, y, z = (byte - 256 if byte > 127 else byte for byte in up)
    face = face_up(x, y, z)
    if how == "F":
        return (Feigned(),)
    if how == "T" or (face is None and how == "S"):
        return (Cocked(),)
    if face is None:
        return ()
    return (Rested(face) if how == "S" else Turned(face),)


def pulse(rgb: str, times: int = 2, on: int = 30, off: int = 30) -> bytes:
    """The message that makes a die blink in a colour "rrggbb"; on and off in hundredths of a second."""
    return bytes([PULSE, times, on, off, *bytes.fromhex(rgb), 1, 0])
