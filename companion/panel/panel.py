"""Lamps, alarm and buttons on the Raspberry Pi's pins. Missing pins are done without."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import gpiozero

from companion.model import ConfigError, Seat, reason_of
from companion.model.board import MOST_SEATS, seat_from_key
from companion.panel.patterns import Lamps, Pattern

FAST, SLOW, FADE = 0.12, 0.8, 1.2
"""Seconds: half a fast blink, half a slow one (lamps that cannot fade), one way of a breath."""
HIGHEST_PIN = 27
LONGEST_BOUNCE = 1.0
"""Seconds: a contact is still long before, and a button that waits longer seems dead."""


class Press(StrEnum):
    """A button of the panel."""

    CONFIRM = "confirm"
    TAKE_BACK = "take_back"
    RIGHT = "right"
    WRONG = "wrong"
    CHALLENGE = "challenge"


def no_press(press: object) -> str:
    """Why that is no button, whoever wrote the panel that says it; "" if it is one."""
    if press in tuple(Press):
        return ""
    return f"The panel of your own says {press!r:.60}, which is no Press of companion/panel/panel.py."


@dataclass(frozen=True, slots=True)
class Pins:
    """Where things are connected: GPIO numbers (BCM). dim: lamps can fade. bounce: seconds.

    right, wrong: the answer to a question; challenge: the piece just moved challenges (Game of God).
    also: a panel of one's own beside these, by its word in ALSO.
    """

    lamps: Mapping[Seat, int] = field(default_factory=dict)
    alarm: int | None = None
    buzzer: int | None = None
    confirm: int | None = None
    take_back: int | None = None
    right: int | None = None
    wrong: int | None = None
    challenge: int | None = None
    dim: bool = True
    active_high: bool = True
    bounce: float = 0.05
    also: str = ""


def pins_from(config: Mapping[str, Any]) -> Pins:
    """The pins that the configuration gives: {"lamps": {"0": 17, …}, "alarm": 22, "confirm": 5, …}.

    Raises ConfigError for unknown keys, numbers that are no pins, pins given twice, and other values that cannot be.
    """
    if not isinstance(config, Mapping):
        raise ConfigError(f"panel must be a table of keys, below [panel], not {config!r:.60}")
    known = set(Pins.__dataclass_fields__)
    if unknown := sorted(set(config) - known):
        raise ConfigError(f"panel: unknown {', '.join(unknown)}. There are: {', '.join(sorted(known))}")
    lamps = config.get("lamps") or {}
    if not isinstance(lamps, Mapping):
        raise ConfigError(f'panel.lamps must map seats ("0" …) to pins, not {lamps!r}')
    seats = {key: _seat(str(key)) for key in lamps}
    if len(set(seats.values())) != len(seats):
        raise ConfigError(f"panel.lamps names a seat twice: {', '.join(map(str, lamps))}")
    named = {f"lamps.{key}": pin for key, pin in lamps.items()}
    named |= {key: config[key] for key in ("alarm", "buzzer", *Press) if config.get(key) is not None}
    _check_pins(named)
    _check_kinds(config)
    return Pins(**{**config, "lamps": {seats[key]: pin for key, pin in lamps.items()}})


def _seat(key: str) -> Seat:
    try:
        seat = seat_from_key(key)
    except ValueError:
        seat = -1
    if not 0 <= seat < MOST_SEATS:
        raise ConfigError(f'panel.lamps must map seats ("0" to "{MOST_SEATS - 1}", or N, E, S, W) to pins, not {key!r}')
    return seat


def _check_pins(named: Mapping[str, Any]) -> None:
    taken: dict[int, str] = {}
    for name, pin in named.items():
        if isinstance(pin, bool) or not isinstance(pin, int) or not 0 <= pin <= HIGHEST_PIN:
            raise ConfigError(f"panel.{name} must be a GPIO number 0 to {HIGHEST_PIN}, not {pin!r}")
        if pin in taken:
            raise ConfigError(f"panel.{name} and panel.{taken[pin]} are both on GPIO {pin}")
        taken[pin] = name


def _check_kinds(config: Mapping[str, Any]) -> None:
    """Else "false" in quotes would be true, and milliseconds a button that is never heard."""
    for key in ("dim", "active_high"):
        if not isinstance(value := config.get(key, True), bool):
            raise ConfigError(f"panel.{key} must be true or false, without quotes, not {value!r}")
    bounce = config.get("bounce", 0.0)
    number = isinstance(bounce, int | float) and not isinstance(bounce, bool)
    if not (number and 0 <= bounce <= LONGEST_BOUNCE):  # nor is NaN
        raise ConfigError(f"panel.bounce must be seconds, 0 to {LONGEST_BOUNCE:g}, as 0.05, not {bounce!r}")


def open_panel(pins: Pins, pressed: Callable[[Press], None], factory: Any = None) -> tuple[Panel | None, str]:
    """The panel, or None and the reason why there is none.

    pressed: called for each press, in a thread of gpiozero's. factory: a pin factory; by default the machine's.
    """
    if pins == Pins():
        return None, "none are configured: the page shows whose turn it is"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # gpiozero tells of each library that it tried
            return Panel(pins, pressed, factory), ""
    except Exception as error:  # each pin library has errors of its own
        return None, f"The panel is done without: {reason_of(error)}"


class Panel:
    """The lamps and buttons that are there. Showing again what is shown changes nothing."""

    def __init__(self, pins: Pins, pressed: Callable[[Press], None], factory: Any = None) -> None:
        self.shown: dict[Seat | str, Pattern] = {}
        self._dim = pins.dim
        self._devices: list[Any] = []
        self._factory = factory
        try:
            self._lamps = {seat: self._lamp(pin, pins) for seat, pin in pins.lamps.items()}
            self._alarm = None if pins.alarm is None else self._lamp(pins.alarm, pins)
            self._buzzer = None if pins.buzzer is None else self._make(gpiozero.Buzzer, pins.buzzer)
            for press in Press:
                self._button(getattr(pins, press), press, pins, pressed)
        except BaseException:
            self.close()
            raise

    def _make(self, kind: Any, pin: int, **options: Any) -> Any:
        device = kind(pin, pin_factory=self._factory, **options)
        self._devices.append(device)
        return device

    def _lamp(self, pin: int, pins: Pins) -> Any:
        return self._make(gpiozero.PWMLED if pins.dim else gpiozero.LED, pin, active_high=pins.active_high)

    def _button(self, pin: int | None, press: Press, pins: Pins, pressed: Callable[[Press], None]) -> None:
        if pin is not None:
            button = self._make(gpiozero.Button, pin, bounce_time=pins.bounce or None)
            button.when_pressed = lambda: pressed(press)

    def show(self, lamps: Lamps) -> None:
        """Let the lamps show that; the buzzer sounds when the alarm begins."""
        for seat, lamp in self._lamps.items():
            self._apply(seat, lamp, lamps.seats.get(seat, Pattern.OFF))
        alarm = Pattern.FAST if lamps.alarm else Pattern.OFF
        begins = lamps.alarm and self.shown.get("alarm") is not Pattern.FAST
        if begins and self._buzzer is not None:
            self._buzzer.beep(0.15, 0.1, n=2)
        self._apply("alarm", self._alarm, alarm)

    def _apply(self, name: Seat | str, lamp: Any, pattern: Pattern) -> None:
        """Change one lamp; a pattern that runs already is left alone, or it would start anew each time."""
        if self.shown.get(name) is pattern:
            return
        self.shown[name] = pattern
        if lamp is None:
            return
        if pattern is Pattern.ON:
            lamp.on()
        elif pattern is Pattern.OFF:
            lamp.off()
        elif pattern is Pattern.FAST:
            lamp.blink(FAST, FAST)
        elif self._dim:
            lamp.pulse(FADE, FADE)
        else:
            lamp.blink(SLOW, SLOW)

    def close(self) -> None:
        """Put out the lamps and give the pins back."""
        self.shown = {}
        for device in self._devices:
            with contextlib.suppress(Exception):  # a pin that is gone cannot be put out
                device.close()
        self._devices = []
