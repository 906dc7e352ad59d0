"""The kiosk: when the screen sleeps, where the page is, what is waited for. In cage itself it was tried by hand."""

from __future__ import annotations

import http.server
import importlib.util
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "systemd" / "companion_kiosk.py"


@pytest.fixture(scope="module")
def kiosk() -> ModuleType:
    spec = importlib.util.spec_from_file_location("companion_kiosk", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def referee() -> Iterator[str]:
    """A page that answers /health with a version."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"ok": true, "version": 7}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *words: object) -> None:
            """Silent."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_the_screen_sleeps_when_nothing_changes_and_wakes_with_the_next_move(kiosk: ModuleType) -> None:
    sleep = kiosk.Sleep(after=60, now=0)
    assert sleep.awake(1, version=5, touched=False)
    assert sleep.awake(60, 5, False)
    assert not sleep.awake(61, 5, False)
    assert not sleep.awake(500, 5, False)
    assert sleep.awake(501, 6, False)
    assert not sleep.awake(562, 6, False)


def test_a_touch_wakes_the_screen(kiosk: ModuleType) -> None:
    sleep = kiosk.Sleep(after=60, now=0)
    sleep.awake(1, 5, False)
    assert not sleep.awake(100, 5, False)
    assert sleep.awake(101, 5, True)
    assert sleep.awake(160, 5, False)


def test_a_referee_that_falls_silent_or_returns_wakes_the_screen(kiosk: ModuleType) -> None:
    sleep = kiosk.Sleep(after=60, now=0)
    sleep.awake(1, 5, False)
    assert sleep.awake(200, None, False)
    assert not sleep.awake(300, None, False)
    assert sleep.awake(301, 5, False)


def test_zero_minutes_keep_the_screen_lit(kiosk: ModuleType) -> None:
    sleep = kiosk.Sleep(after=0, now=0)
    assert sleep.awake(10_000, None, False)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("", 15), ("60", 60), ("0", 0), ("0.5", 0.5), ("never", 15), ("-1", 15), ("nan", 15), ("inf", 15), ("5 min", 15)],
)
def test_minutes_that_are_none_keep_nobody_from_seeing_the_page(
    kiosk: ModuleType, text: str, minutes: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kiosk.minutes_in(text) == minutes
    told = capsys.readouterr().err
    assert bool(told) == (minutes == 15 and text != "") and (not told or f"COMPANION_KIOSK_BLANK={text} is" in told)


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("", "http://127.0.0.1:8000"),
        ("[page]\nport = 9000", "http://127.0.0.1:9000"),
        ('[page]\nhost = "192.168.1.5"', "http://192.168.1.5:8000"),
        ('[page]\nhost = "::"', "http://[::1]:8000"),
        ("[page", "http://127.0.0.1:8000"),
        ("page = 3", "http://127.0.0.1:8000"),
        ("\ufeff[page]\nport = 80", "http://127.0.0.1:80"),
        ("[page]\rport = 80\r", "http://127.0.0.1:80"),
    ],
)
def test_the_address_is_the_configurations(kiosk: ModuleType, page: str, address: str, tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_bytes(page.encode())
    assert kiosk.address_in(config) == address


def test_without_a_configuration_the_address_is_the_usual(kiosk: ModuleType, tmp_path: Path) -> None:
    assert kiosk.address_in(tmp_path / "none.toml") == kiosk.USUAL_ADDRESS


def test_the_referees_answer_is_its_last_change(kiosk: ModuleType, referee: str) -> None:
    assert kiosk.version_at(referee) == 7


def test_no_answer_is_none(kiosk: ModuleType) -> None:
    assert kiosk.version_at("http://127.0.0.1:9") is None


@pytest.mark.parametrize(
    ("states", "there"),
    [
        ({}, False),
        ({"HDMI-A-1": "disconnected"}, False),
        ({"HDMI-A-1": "connected"}, True),
        ({"HDMI-A-1": "disconnected", "DSI-1": "connected"}, True),
        ({"Writeback-1": "unknown"}, False),
    ],
)
def test_a_screen_is_one_that_is_plugged_in(
    kiosk: ModuleType, states: dict[str, str], there: bool, tmp_path: Path
) -> None:
    (tmp_path / "card0").mkdir()
    for name, state in states.items():
        (tmp_path / f"card0-{name}").mkdir()
        (tmp_path / f"card0-{name}" / "status").write_text(f"{state}\n")
    assert kiosk.has_screen(tmp_path) is there


def test_the_empty_pointer_is_an_xcursor_of_one_clear_pixel(kiosk: ModuleType, tmp_path: Path) -> None:
    folder = kiosk.no_pointer(tmp_path)
    data = (folder / "none" / "cursors" / "left_ptr").read_bytes()
    magic, head, _, count = struct.unpack_from("<4s3I", data)
    kind, _, place = struct.unpack_from("<3I", data, head)
    assert (magic, count, kind) == (b"Xcur", 1, 0xFFFD0002)
    image = struct.unpack_from("<10I", data, place)
    assert image[0] == 36 and image[4:6] == (1, 1) and image[9] == 0
    assert len(data) == place + 40


def test_all_screens_are_lit_or_put_to_sleep(
    kiosk: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    randr = tmp_path / "wlr-randr"
    screens = '[{"name": "HDMI-A-1", "enabled": true}, {"name": "DSI-1", "enabled": true}]'
    randr.write_text(f"#!/bin/sh\nif [ \"$1\" = --json ]; then echo '{screens}'; else echo \"$@\" >>'{told}'; fi\n")
    randr.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert kiosk.light(False)
    assert told.read_text() == "--output HDMI-A-1 --off\n--output DSI-1 --off\n"


def test_without_wlr_randr_the_screen_stays_lit(
    kiosk: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not kiosk.light(False)
    assert "cannot be put to sleep" in capsys.readouterr().err


def test_what_is_missing_is_named_with_the_way_out(
    kiosk: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kiosk.main([]) == 1
    assert "sudo apt install cage chromium" in capsys.readouterr().err


def test_a_cage_that_shows_no_sign_of_life_is_ended(
    kiosk: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stuck = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    assert kiosk.watch(stuck, tmp_path / "alive", patience=0.3, look_each=0.05) != 0
    assert "No sign of life" in capsys.readouterr().err


def test_a_cage_that_lives_is_let_live(kiosk: ModuleType, tmp_path: Path) -> None:
    lives = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(2)"])
    ending = threading.Event()

    def tell() -> None:
        while not ending.wait(0.01):
            kiosk.give_sign(tmp_path / "alive")

    teller = threading.Thread(target=tell)
    teller.start()
    assert kiosk.watch(lives, tmp_path / "alive", patience=1.0, look_each=0.01) == 0
    ending.set()
    teller.join()


def test_an_unknown_word_is_answered_by_what_there_is() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "dance"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "companion-kiosk session" in done.stderr


def test_the_browser_shows_no_bubbles(kiosk: ModuleType) -> None:
    wanted = {"--kiosk", "--incognito", "--no-first-run", "--hide-crash-restore-bubble", "--disable-features=Translate"}
    assert wanted <= set(kiosk.FLAGS)
