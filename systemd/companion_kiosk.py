#!/usr/bin/python3
"""The kiosk: waits for the referee and a screen, shows the page in cage, lets the screen sleep while nothing happens.

companion-kiosk prepare   (root) writes down where the page is, since the configuration is not for the browser's eyes
companion-kiosk           waits, then runs cage and watches over it
companion-kiosk session   inside cage: the browser, and the screen's sleep
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

CONFIG = Path("/etc/companion/companion.toml")
ALIVE = "alive"
"""The session's sign of life, a file in the kiosk's home."""
ADDRESS = Path("/run/companion-kiosk.address")
USUAL_ADDRESS = "http://127.0.0.1:8000"
SCREENS = Path("/sys/class/drm")
LOOK_EACH = 2.0
"""Seconds between looks at the table, and between looks whether there is a screen."""
USUAL_MINUTES = 15.0
"""Without a change at the table or a touch, until the screen sleeps. COMPANION_KIOSK_BLANK says otherwise; 0: never."""
PATIENCE = 60.0
"""Seconds without a sign of life from inside cage, after which it is ended; the service then begins anew."""
FLAGS = (
    "--kiosk",
    "--ozone-platform=wayland",
    "--incognito",
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    "--hide-crash-restore-bubble",
    "--deny-permission-prompts",
    "--password-store=basic",
    "--disable-features=Translate",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-extensions",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--autoplay-policy=no-user-gesture-required",
    "--disk-cache-size=10000000",
)
POINTERS = ("default", "left_ptr", "arrow", "pointer", "hand1", "hand2", "text", "xterm", "crosshair", "grab", "wait")


def main(words: list[str]) -> int:
    """Run one of the three. Returns the exit status."""
    match words:
        case ["prepare"]:
            ADDRESS.write_text(address_in(CONFIG) + "\n")
            return 0
        case []:
            return show()
        case ["session"]:
            return session(address())
        case _:
            print(__doc__, file=sys.stderr)
            return 2


# --- where the page is ---


def address_in(config: Path) -> str:
    """The page's address on this machine by the configuration; the usual one where that says nothing."""
    try:
        text = config.read_text(encoding="utf-8-sig")  # as the referee reads it: some editors begin a file with a mark
        page = tomllib.loads(text).get("page", {})
        host, port = str(page.get("host", "0.0.0.0")), int(page.get("port", 8000))
    except (OSError, ValueError, AttributeError) as error:
        print(f"{config}: {error}; the page is taken to be at {USUAL_ADDRESS}", file=sys.stderr)
        return USUAL_ADDRESS
    everywhere = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "[::1]"}
    return f"http://{everywhere.get(host, f'[{host}]' if ':' in host else host)}:{port}"


def address() -> str:
    """What `prepare` wrote down."""
    try:
        return ADDRESS.read_text().strip() or USUAL_ADDRESS
    except OSError:
        return USUAL_ADDRESS


def version_at(where: str) -> int | None:
    """The number of the table's last change; None while the referee does not answer."""
    try:
        with urllib.request.urlopen(f"{where}/health", timeout=5) as answer:
            return int(json.load(answer).get("version", 0))
    except (OSError, ValueError, AttributeError):  # URLError is an OSError
        return None


# --- waiting ---


def has_screen(screens: Path = SCREENS) -> bool:
    """Whether a screen is plugged in: a Raspberry Pi has the outputs also without."""
    return any(status.read_text().strip() == "connected" for status in screens.glob("card*-*/status"))


def show() -> int:
    """Wait for the screen and the page, then show it in cage. Returns cage's exit status."""
    missing = [name for name in ("cage", "chromium") if not found(name)]
    if missing:
        print(f"The kiosk needs {' and '.join(missing)}: sudo apt install {' '.join(missing)}", file=sys.stderr)
        return 1
    if "WLR_BACKENDS" not in os.environ:  # a backend chosen by hand has screens of its own
        wait_for("a screen", has_screen)
    wait_for(f"the referee at {address()}", lambda: version_at(address()) is not None)
    home = Path(os.environ.get("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR") or "/tmp")
    os.environ.update(XCURSOR_PATH=str(no_pointer(home)), XCURSOR_THEME="none", HOME=str(home))
    # -d: no frames around windows; -s: Ctrl-Alt-F1 leads to a console. Whatever becomes of this process, cage ends too.
    cage = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "cage", "-d", "-s", "--", sys.argv[0], "session"])
    signal.signal(signal.SIGTERM, lambda *_: cage.terminate())
    return watch(cage, home / ALIVE)


def watch(cage: subprocess.Popen[bytes], alive: Path, patience: float = PATIENCE, look_each: float = LOOK_EACH) -> int:
    """Wait until cage ends. It has been seen to hang without a window: then it is ended."""
    began = time.monotonic()
    while cage.poll() is None:
        time.sleep(look_each)
        if time.monotonic() - max(began, last_sign(alive)) > patience:
            print(f"No sign of life from the browser for {patience:.0f} s: once more.", file=sys.stderr, flush=True)
            cage.kill()
    return cage.wait()


def give_sign(alive: Path) -> None:
    """Write down that this process lives, in one stroke: half a number would be read as an old one."""
    fresh = alive.with_suffix(".new")
    fresh.write_text(f"{time.monotonic()}")
    fresh.replace(alive)


def last_sign(alive: Path) -> float:
    """When what runs inside cage last gave a sign of life, by the monotonic clock, which all processes share."""
    try:
        return float(alive.read_text())
    except (OSError, ValueError):
        return 0.0


def wait_for(what: str, there: Callable[[], bool]) -> None:
    """Come back as soon as `there()`; say once that it is waited for."""
    if there():
        return
    print(f"Waiting for {what} ...", flush=True)
    while not there():
        time.sleep(LOOK_EACH)


def found(name: str) -> str | None:
    """Where a program is. Chromium is called chromium-browser by older systems."""
    return shutil.which(name) or (shutil.which("chromium-browser") if name == "chromium" else None)


def no_pointer(home: Path) -> Path:
    """A folder of pointers that show nothing: a mouse, or a screen that pretends to be one, leaves no arrow."""
    pointers = home / "icons" / "none" / "cursors"
    pointers.mkdir(parents=True, exist_ok=True)
    for name in POINTERS:
        (pointers / name).write_bytes(EMPTY_POINTER)
    return home / "icons"


# The Xcursor format: header (magic, size, version, one entry), the entry (an image of 1 px at byte 28), the image
# (header of 36 bytes, kind, nominal size, version, width, height, hot spot, delay) and its one transparent pixel.
EMPTY_POINTER = (
    b"Xcur" + struct.pack("<3I", 16, 0x10000, 1) + struct.pack("<3I", 0xFFFD0002, 1, 28)
    + struct.pack("<9I", 36, 0xFFFD0002, 1, 1, 1, 1, 0, 0, 0) + struct.pack("<I", 0)
)  # fmt: skip


# --- inside cage ---


class Sleep:
    """When the screen sleeps: `after` seconds without a change at the table or a touch; 0: never."""

    def __init__(self, after: float, now: float) -> None:
        self.after, self.since = after, now
        self.version: int | None = None

    def awake(self, now: float, version: int | None, touched: bool) -> bool:
        """Whether the screen is to be lit."""
        if touched or version != self.version:
            self.since, self.version = now, version
        return not self.after or now - self.since < self.after


def minutes_in(text: str) -> float:
    """Until the screen sleeps, by what the unit says; the usual ones where that is no such number."""
    try:
        minutes = float(text or USUAL_MINUTES)
    except ValueError:
        minutes = -1.0
    if 0 <= minutes < float("inf"):
        return minutes
    said = f"COMPANION_KIOSK_BLANK={text} is no number of minutes (0: the screen never sleeps)"
    print(f"{said}; it sleeps after {USUAL_MINUTES:g}", file=sys.stderr, flush=True)
    return USUAL_MINUTES


def session(where: str) -> int:
    """The browser until it ends. cage ends with it, and the service begins anew."""
    home = Path(os.environ["HOME"])
    touched = home / "touched"
    flags = (*FLAGS, f"--user-data-dir={home}/chromium")
    browser = subprocess.Popen([found("chromium") or "chromium", *flags, f"{where}/kiosk"])
    hands = watch_hands(touched)
    minutes = minutes_in(os.environ.get("COMPANION_KIOSK_BLANK", ""))
    sleep, lit = Sleep(minutes * 60, time.monotonic()), True
    try:
        while browser.poll() is None:
            give_sign(home / ALIVE)
            wanted = sleep.awake(time.monotonic(), version_at(where), touched.exists())
            if wanted != lit and light(wanted):
                lit = wanted
            time.sleep(LOOK_EACH)
    finally:
        if hands is not None:
            hands.terminate()
    return browser.returncode


def watch_hands(touched: Path) -> subprocess.Popen[bytes] | None:
    """Let swayidle keep the file `touched` while somebody uses screen, mouse or keys; without it, only play wakes."""
    if not found("swayidle"):
        return None
    quoted = f"'{touched}'"
    return subprocess.Popen(["swayidle", "-w", "timeout", "5", f"rm -f {quoted}", "resume", f"touch {quoted}"])


def light(on: bool) -> bool:
    """Light all screens or let them sleep. Whether that could be done: wlr-randr is what cage understands for it."""
    try:
        told = subprocess.run(["wlr-randr", "--json"], capture_output=True, check=True, timeout=10)
        for screen in json.loads(told.stdout):
            subprocess.run(["wlr-randr", "--output", screen["name"], "--on" if on else "--off"], check=True, timeout=10)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        print(f"The screen cannot be {'lit' if on else 'put to sleep'}: {error}", file=sys.stderr, flush=True)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
