"""A strip of APA102 lights instead of lamps, a stretch for each seat (docs/add-a-panel.md)."""

import contextlib
import threading
from collections.abc import Callable, Iterable
from typing import Any

from companion.model import Seat
from companion.panel import Lamps, Pattern, Press

COLORS = {0: (200, 16, 46), 1: (10, 125, 51), 2: (232, 168, 0), 3: (20, 80, 160)}
"""Seat → red, green, blue, 0 to 255, in the order in which the seats' stretches follow on the strip."""
LIGHTS = 8
"""Of each seat."""
ROUND = 0.05
"""Seconds from one picture of the strip to the next."""


class LedStrip:
    """send: takes the bytes for the strip; by default the Raspberry Pi's SPI."""

    def __init__(self, pressed: Callable[[Press], None], send: Callable[[Iterable[int]], Any] | None = None) -> None:
        self._send = send or spi()
        self._lamps = Lamps({})
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._shine, daemon=True)
        self._thread.start()

    def show(self, lamps: Lamps) -> None:
        self._lamps = lamps

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self._send(picture(Lamps({}), 0))

    def _shine(self) -> None:
        number = 0
        while not self._over.wait(ROUND):
            with contextlib.suppress(OSError):  # a cable that is loose for a moment must not end it
                self._send(picture(self._lamps, number))
            number += 1


def picture(lamps: Lamps, number: int) -> bytes:
    """The bytes of the strip's number-th picture: 32 zero bits, four bytes a light, ones to push it through."""
    lights = b""
    for seat, (red, green, blue) in COLORS.items():
        lights += bytes((0xE0 | _level(lamps, seat, number), blue, green, red)) * LIGHTS
    return bytes(4) + lights + b"\xff" * (1 + len(lights) // 64)


def _level(lamps: Lamps, seat: Seat, number: int) -> int:
    """How bright, 0 to 31: steady, breathing in 2.4 s, or four blinks a second."""
    match lamps.seats.get(seat, Pattern.OFF):
        case Pattern.ON:
            return 20
        case Pattern.BREATHING:
            return abs(number % 48 - 24)
        case Pattern.FAST:
            return 31 if number % 5 < 3 else 0
        case _:
            return 0


def spi() -> Callable[[Iterable[int]], Any]:
    """The first SPI of the Raspberry Pi: data on GPIO 10, clock on GPIO 11."""
    import spidev  # sudo apt install python3-spidev, and SPI switched on in raspi-config

    port = spidev.SpiDev()
    port.open(0, 0)
    port.max_speed_hz = 1_000_000
    return port.writebytes2
