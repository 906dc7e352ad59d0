"""docs/add-a-panel.md for real: its examples on pretend pins, beside the panel and alone; what fails is left out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from examples import EXAMPLES, example
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.model import ConfigError
from companion.panel import ALSO, Lamps, Panel, Panels, Pattern, Pins, Press, open_panels
from companion.service.config import config_from

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "add-a-panel.md"
CALM, ALARM = Lamps({0: Pattern.ON, 1: Pattern.OFF}), Lamps({0: Pattern.FAST}, alarm=True)


def second_buzzer() -> Callable[..., Any]:
    code = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)[0]
    names: dict[str, Any] = {"gpiozero": gpiozero}
    exec(textwrap.dedent(code), names)
    return names["SecondBuzzer"]


@pytest.fixture(autouse=True)
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    made = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    yield made
    made.reset()


def test_a_second_buzzer_sounds_beside_the_panel(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALSO, "buzzer", second_buzzer())
    panel, why = open_panels(Pins(lamps={0: 17}, also="buzzer"), print)
    assert panel is not None and why == ""
    panel.show(CALM)
    assert factory.pin(17).state == 1 and not factory.pin(25).state
    panel.show(ALARM)
    for _ in range(200):
        if factory.pin(25).state:
            break
        time.sleep(0.01)
    assert factory.pin(25).state
    panel.close()
    assert not factory.pin(25).state


def test_a_strip_alone_shows_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    module = example("led_strip")
    monkeypatch.setitem(ALSO, "strip", lambda pressed: module.LedStrip(pressed, sent.append))
    panel, why = open_panels(Pins(also="strip"), print)
    assert panel is not None and why == ""
    panel.show(CALM)
    for _ in range(200):
        if sent and sent[-1][4] == 0xE0 | 20:
            break
        time.sleep(0.01)
    assert sent[-1][4:8] == bytes((0xE0 | 20, 46, 16, 200)) and sent[-1][4 + 4 * module.LIGHTS] == 0xE0
    panel.close()
    assert sent[-1][4] == 0xE0
    levels = {module.picture(ALARM, number)[4] & 31 for number in range(20)}
    assert levels == {0, 31}
    breath = [module.picture(Lamps({0: Pattern.BREATHING}), number)[4] & 31 for number in range(48)]
    assert max(breath) == 24 and min(breath) == 0


@pytest.mark.parametrize("below", [False, True], ids=["import among imports", "import below ALSO"])
def test_it_is_entered_as_the_document_says(tmp_path: Path, below: bool) -> None:
    """Every command stopped with a circular import."""
    root, text = DOCUMENT.parents[1], DOCUMENT.read_text(encoding="utf-8")
    shutil.copytree(root / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(EXAMPLES / "led_strip.py", tmp_path / "companion" / "panel")
    [bring], [word] = re.findall(r"`(from companion\S+ import \w+)`", text), re.findall(r"`(ALSO\[.*?\] = \w+)`", text)
    also = tmp_path / "companion" / "panel" / "also.py"
    head, tail = also.read_text(encoding="utf-8").split("\n\nclass Panels:")
    if below:
        word = f"{bring}\n{word}"
    else:
        head = head.replace("from companion.panel.panel", f"{bring}\nfrom companion.panel.panel")
    also.write_text(f"{head}\n{word}\n\n\nclass Panels:{tail}", encoding="utf-8")
    code = "import companion.panel as p; print(p.__file__, p.ALSO)"
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={}, capture_output=True, text=True)
    assert said.stdout.startswith(str(tmp_path)) and "{'strip': <class" in said.stdout, said.stderr


def test_its_buttons_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own:
        def __init__(self, pressed: Callable[[Press], None]) -> None:
            pressed(Press.CONFIRM)

        def show(self, lamps: Lamps) -> None: ...

        def close(self) -> None: ...

    heard: list[Press] = []
    monkeypatch.setitem(ALSO, "own", Own)
    open_panels(Pins(also="own"), heard.append)
    assert heard == [Press.CONFIRM]


def test_it_is_told_only_what_is_new_and_left_out_when_it_fails(
    factory: Any, caplog: pytest.LogCaptureFixture
) -> None:
    class Fails:
        def __init__(self) -> None:
            self.shown: list[Lamps] = []
            self.closed = 0

        def show(self, lamps: Lamps) -> None:
            self.shown.append(lamps)
            if lamps.alarm:
                raise OSError("the strip is away")

        def close(self) -> None:
            self.closed += 1
            raise OSError("it is away still")

    own = Fails()
    panels = Panels(Panel(Pins(lamps={0: 17}), print, factory), own)
    for lamps in (CALM, CALM, ALARM, ALARM, CALM):
        panels.show(lamps)
    assert own.shown == [CALM, ALARM] and own.closed == 1
    assert panels.trouble.startswith("The panel of your own failed, and is done without until the next start: ")
    assert "the strip is away" in panels.trouble, "the page said that it is connected"
    assert "done without until the next start" in caplog.text and "the strip is away" in caplog.text
    assert factory.pin(17).state == 1, "the other lamps go on"
    panels.close()
    assert own.closed == 1
    assert not factory.pin(17).state and not panels._pins._devices, "the pins are given back"


def test_one_that_cannot_be_used_is_said_and_the_pins_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(pressed: Callable[[Press], None]) -> Any:
        raise OSError("no SPI on this machine")

    monkeypatch.setitem(ALSO, "strip", away)
    panel, why = open_panels(Pins(lamps={0: 17}, also="strip"), print)
    assert panel is not None and why == "The panel 'strip' is done without: no SPI on this machine"
    panel.close()
    assert open_panels(Pins(also="strip"), print)[0] is None

    class Silent:
        def __init__(self, pressed: Callable[[Press], None]) -> None:
            raise TimeoutError

    monkeypatch.setitem(ALSO, "strip", Silent)
    assert open_panels(Pins(also="strip"), print) == (None, "The panel 'strip' is done without: TimeoutError")

    class Dumb(Exception):
        def __str__(self) -> str:
            return str(self.reason)  # type: ignore[attr-defined]

    def dumb(pressed: Callable[[Press], None]) -> Any:
        raise Dumb

    monkeypatch.setitem(ALSO, "strip", dumb)
    assert open_panels(Pins(also="strip"), print) == (None, "The panel 'strip' is done without: Dumb")
    monkeypatch.setitem(ALSO, "strip", lambda pressed: sys.exit("no SPI"))
    assert open_panels(Pins(also="strip"), print) == (None, "The panel 'strip' is done without: no SPI")
    monkeypatch.setitem(ALSO, "strip", lambda pressed: None)
    assert open_panels(Pins(also="strip"), print) == (
        None, "The panel 'strip' is done without: what makes it gave None"
    )  # fmt: skip
    assert open_panels(Pins(), print) == (None, "none are configured: the page shows whose turn it is")


def test_a_word_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in tuple(ALSO):  # of panels that come along
        monkeypatch.delitem(ALSO, word)
    with pytest.raises(ConfigError, match=r"panel\.also 'strip' is no panel of your own: there is none yet"):
        config_from({"panel": {"also": "strip"}})
    monkeypatch.setitem(ALSO, "strip", lambda pressed: None)
    assert config_from({"panel": {"also": "strip"}}).panel.also == "strip"
    with pytest.raises(ConfigError, match=r"panel\.also \['strip'\] is no"):
        config_from({"panel": {"also": ["strip"]}})
    with pytest.raises(ConfigError, match=r"panel\.also 3 is no panel of your own: there is strip"):
        config_from({"panel": {"also": 3}})
