"""The panel on pretend pins."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.model import ConfigError, Due, DueKind, Kind, Verdict
from companion.panel import Lamps, Panel, Pattern, Pins, Press, lamps, open_panel, pins_from
from companion.panel import panel as room

OFF, ON, BREATHING, FAST = Pattern.OFF, Pattern.ON, Pattern.BREATHING, Pattern.FAST
CONFIG = {"lamps": {"0": 17, "2": 27}, "alarm": 22, "buzzer": 23, "confirm": 5, "take_back": 6, "bounce": 0}


@pytest.fixture
def factory() -> Iterator[Any]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


@pytest.fixture
def pressed() -> list[Press]:
    return []


@pytest.fixture
def panel(factory: Any, pressed: list[Press]) -> Iterator[Panel]:
    made, why = open_panel(pins_from(CONFIG), pressed.append, factory)
    assert made is not None, why
    yield made
    made.close()


ROLL = Due(DueKind.ROLL, 0, (2,))


@pytest.mark.parametrize(
    ("due", "verdict", "expected"),
    [
        (None, None, [OFF, OFF, OFF]),
        (ROLL, None, [ON, OFF, OFF]),
        (Due(DueKind.PLAY, 2), Verdict(Kind.PARTIAL, 1, seat=2), [OFF, OFF, ON]),
        (Due(DueKind.QUESTION, 1), None, [OFF, BREATHING, OFF]),
        (Due(DueKind.CHALLENGE, 1), Verdict(Kind.LEGAL, 1, seat=0), [OFF, BREATHING, OFF]),
        (ROLL, Verdict(Kind.ILLEGAL, 1, seat=2), [OFF, OFF, FAST]),
        (ROLL, Verdict(Kind.ILLEGAL, 1), [FAST, FAST, FAST]),
        (ROLL, Verdict(Kind.UNCLEAR, 1), [BREATHING, OFF, OFF]),
        (ROLL, Verdict(Kind.UNCLEAR, 1, seat=1), [OFF, BREATHING, OFF]),
        (ROLL, Verdict(Kind.LOST, 1), [BREATHING, BREATHING, BREATHING]),
        (ROLL, Verdict(Kind.RESTORED, 1), [ON, OFF, OFF]),
        (ROLL, Verdict(Kind.NOTE, 1), [ON, OFF, OFF]),
        (Due(DueKind.OVER, 0), Verdict(Kind.OVER, 1, winner=(1, 2)), [OFF, BREATHING, BREATHING]),
    ],
)
def test_patterns(due: Due | None, verdict: Verdict | None, expected: list[Pattern]) -> None:
    shown = lamps([0, 1, 2], due, verdict)
    assert list(shown.seats.values()) == expected
    assert shown.alarm == (verdict is not None and verdict.kind is Kind.ILLEGAL)


def test_something_to_read_breathes() -> None:
    assert lamps([0, 1], ROLL, None, read_phone=True).seats == {0: BREATHING, 1: OFF}


def test_lamps_shine(panel: Panel, factory: Any) -> None:
    panel.show(Lamps({0: ON, 2: OFF}))
    assert (factory.pin(17).state, factory.pin(27).state) == (1, 0)
    panel.show(Lamps({2: ON}))
    assert (factory.pin(17).state, factory.pin(27).state) == (0, 1)
    panel.close()
    again, why = open_panel(Pins(lamps={0: 17}), lambda press: None, factory)
    assert again is not None, why
    again.close()


def changes(factory: Any, pin: int) -> list[tuple[float, float]]:
    """(seconds, state) of a pin, each time it became another; the pin itself knows how long each state lasted."""
    seen = factory.pin(pin).states
    at = accumulate(state.timestamp for state in seen)
    moments = [(time, state.state) for time, state in zip(at, seen, strict=True)]
    return [new for old, new in pairwise(moments) if old[1] != new[1]]


def wait_for(there: Callable[[], object]) -> None:
    """Until something is there, which a test that follows says; threads of gpiozero's are late on a busy machine."""
    until = time.monotonic() + 10
    while not there() and time.monotonic() < until:
        time.sleep(0.01)


def test_what_is_wrong_blinks_fast_and_what_is_to_be_read_breathes(panel: Panel, factory: Any) -> None:
    panel.show(Lamps({0: FAST, 2: BREATHING}, alarm=True))
    wait_for(lambda: len(changes(factory, 17)) >= 4 and len(changes(factory, 22)) >= 4)
    for pin in (17, 22):
        blinks = changes(factory, pin)
        assert {state for _, state in blinks} == {0, 1} and len(blinks) >= 4
        assert all(0.1 < later - at < 2 for (at, _), (later, _) in pairwise(blinks))
    breath = [state for _, state in changes(factory, 27)]
    assert len(breath) >= 5 and breath[:5] == sorted(breath[:5]) and breath[4] < 0.5, "it grows slowly"


def test_the_buzzer_sounds_twice_when_an_alarm_begins_and_not_while_it_lasts(panel: Panel, factory: Any) -> None:
    panel.show(Lamps({0: ON}))
    assert changes(factory, 23) == []
    panel.show(Lamps({0: FAST}, alarm=True))
    wait_for(lambda: not panel._buzzer._blink_thread.is_alive())
    panel.show(Lamps({0: FAST, 2: ON}, alarm=True))
    assert [state for _, state in changes(factory, 23)] == [1, 0, 1, 0]
    (on, _), (off, _), (again, _), _ = changes(factory, 23)
    assert off - on > 0.1 and again - off > 0.05
    panel.show(Lamps({0: ON}))
    panel.show(Lamps({0: FAST}, alarm=True))
    wait_for(lambda: len(changes(factory, 23)) > 4)
    assert len(changes(factory, 23)) > 4, "the next alarm is heard again"


def test_the_alarm_is_dark_while_nothing_is_wrong(panel: Panel, factory: Any) -> None:
    panel.show(Lamps({0: ON, 2: FAST}))
    assert panel.shown["alarm"] is OFF and changes(factory, 22) == []


def test_the_same_again_starts_nothing_anew(panel: Panel) -> None:
    shown = Lamps({0: BREATHING, 2: FAST}, alarm=True)
    panel.show(shown)
    threads = [lamp._blink_thread for lamp in panel._lamps.values()]
    buzz = panel._buzzer._blink_thread
    for _ in range(3):
        panel.show(shown)
    assert [lamp._blink_thread for lamp in panel._lamps.values()] == threads
    assert panel._buzzer._blink_thread is buzz
    panel.show(Lamps({0: BREATHING}))
    assert panel._lamps[0]._blink_thread is threads[0]
    assert panel._lamps[2]._blink_thread is None


def test_buttons(panel: Panel, factory: Any, pressed: list[Press]) -> None:
    factory.pin(5).drive_low()
    factory.pin(5).drive_high()
    factory.pin(6).drive_low()
    assert pressed == [Press.CONFIRM, Press.TAKE_BACK]


def test_every_press_has_a_button_of_its_own(factory: Any, pressed: list[Press]) -> None:
    pins = pins_from({**{press.value: 5 + n for n, press in enumerate(Press)}, "bounce": 0})
    panel = Panel(pins, pressed.append, factory)
    for n in range(len(Press)):
        factory.pin(5 + n).drive_low()
    assert pressed == [Press.CONFIRM, Press.TAKE_BACK, Press.RIGHT, Press.WRONG, Press.CHALLENGE]
    panel.close()


def test_six_seats_have_lamps(factory: Any) -> None:
    panel = Panel(pins_from({"lamps": {str(seat): 17 + seat for seat in range(6)}}), lambda press: None, factory)
    panel.show(lamps(range(6), Due(DueKind.ROLL, 5, (1,)), None))
    assert [factory.pin(17 + seat).state for seat in range(6)] == [0, 0, 0, 0, 0, 1]
    panel.close()


def test_lamps_by_letter() -> None:
    assert pins_from({"lamps": {"N": 17, "S": 27}}).lamps == {0: 17, 2: 27}


def test_lamps_that_cannot_fade_blink(factory: Any) -> None:
    panel = Panel(Pins(lamps={1: 4}, dim=False), lambda press: None, factory)
    panel.show(Lamps({1: BREATHING}))
    assert isinstance(panel._lamps[1], gpiozero.LED)
    assert panel.shown[1] is BREATHING
    panel.close()


def test_lamps_that_cannot_fade_blink_slowly(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "SLOW", 0.01)
    panel = Panel(Pins(lamps={1: 4}, dim=False), lambda press: None, factory)
    panel.show(Lamps({1: BREATHING}))
    wait_for(lambda: len(changes(factory, 4)) >= 4)
    blinks = changes(factory, 4)
    assert len(blinks) >= 4 and blinks[3][0] - blinks[0][0] > 0.02
    panel.close()
    assert room.FAST < 0.5 < room.FADE, "fast and slow can be told apart"


def test_no_pins_is_no_panel(factory: Any) -> None:
    assert open_panel(Pins(), print, factory) == (None, "none are configured: the page shows whose turn it is")


def test_a_pin_in_use_gives_all_pins_back(factory: Any) -> None:
    other = gpiozero.LED(27, pin_factory=factory)
    panel, why = open_panel(pins_from(CONFIG), print, factory)
    assert panel is None and "GPIO27" in why
    gpiozero.LED(17, pin_factory=factory).close()
    with pytest.raises(gpiozero.GPIOPinInUse) as refused:  # an error that is kept keeps what it came from
        Panel(pins_from(CONFIG), print, factory)
    gpiozero.LED(17, pin_factory=factory).close()
    assert "GPIO27" in str(refused.value)
    other.close()


def test_an_error_without_words_is_told_by_its_name(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **options: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Panel, "_make", fails)
    assert open_panel(Pins(lamps={0: 17}), print, factory) == (None, "The panel is done without: TimeoutError")


def test_buttons_that_bounce_are_heard_once(factory: Any) -> None:
    panel = Panel(pins_from({"confirm": 5, "wrong": 6, "bounce": 0.2}), print, factory)
    assert (factory.pin(5).bounce, factory.pin(6).bounce) == (0.2, 0.2)
    panel.close()
    panel = Panel(pins_from({"confirm": 5, "bounce": 0}), print, factory)
    assert factory.pin(5).bounce is None, "a pin library may refuse a time of none"
    panel.close()


def test_a_machine_without_pins_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)

    def nothing(*args: object, **kwargs: object) -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", nothing)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        panel, why = open_panel(Pins(lamps={0: 17}), print)
    assert panel is None and why.startswith("The panel is done without: Unable to load")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"lamp": {}}, "unknown lamp"),
        ({"lamps": {"red": 1}}, "must map seats"),
        ({"lamps": {"6": 1}}, "must map seats"),
        ({"lamps": {"-1": 1}}, "must map seats"),
        ({"lamps": [17]}, "must map seats"),
        ({"lamps": "17"}, 'must map seats .* not \'17\''),
        ({"lamps": {"green": 17}}, '"0" to "5", or N, E, S, W'),
        ({"lamps": {"N": 17, "0": 18}}, "names a seat twice"),
        ({"right": 5, "wrong": 5}, "both on GPIO 5"),
        ({"lamps": {"0": 28}}, "0 to 27, not 28"),
        ({"confirm": "5"}, "panel.confirm must be"),
        ({"confirm": True}, "panel.confirm must be"),
        ({"confirm": -1}, "panel.confirm must be"),
        ({"lamps": {"0": 5}, "confirm": 5}, "both on GPIO 5"),
        ({"lamps": {"0": 5}, "dim": "false"}, "panel.dim must be true or false, without quotes, not 'false'"),
        ({"lamps": {"0": 5}, "active_high": 0}, "panel.active_high must be true or false, .* not 0"),
        ({"confirm": 5, "bounce": 50}, "panel.bounce must be seconds, 0 to 1, as 0.05, not 50"),
        ({"confirm": 5, "bounce": -0.1}, "panel.bounce must be seconds"),
        ({"confirm": 5, "bounce": float("nan")}, "panel.bounce must be seconds"),
        ({"confirm": 5, "bounce": "0.05"}, "panel.bounce must be seconds, .* not '0.05'"),
        (5, "panel must be a table of keys"),
        ([{"confirm": 5}], "panel must be a table of keys"),
    ],
)
def test_pins_that_cannot_be(config: Any, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        pins_from(config)


def test_the_first_and_the_last_pin_are_pins() -> None:
    assert pins_from({"confirm": 0, "alarm": 27}) == Pins(confirm=0, alarm=27)
