"""`companion doctor`: every part of the table's machine, how it is, and how to mend it.

Each check is a function of the patient, and says at most a few things. States: ok; warn, it works but not well; bad, it
does not work; off, it is not used.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import cv2
import numpy as np

from calibration.check import check
from companion import __version__
from companion.camera.finding import plugged
from companion.dice.port import usb_ports
from companion.journal import JOURNAL, kept_out, open_to_read
from companion.model import FAILURES, CompanionError, ConfigError, DeviceError, raised
from companion.model.table import DeviceView
from companion.page.server import address_of, check_port, local_address
from companion.panel import ALSO, Pins
from companion.service.addons import addons, enter_addons, is_name
from companion.service.boards.checking import a_picture
from companion.service.boards.configured import Table
from companion.service.boards.pointing import shown_before
from companion.service.config import APPLIANCE, Config, all_usual, dice_ports, out_of_sight, read_config
from companion.service.machine.backup import named_files
from companion.service.machine.exchange import WHOLE
from companion.service.machine.machine import Machine
from companion.service.meaning import meaning_of
from companion.service.naming import told_apart

OK, WARN, BAD, OFF = "ok", "warn", "bad", "off"
ROOM_LOW, ROOM_NONE = 500, 50
"""Megabytes of the disk that are free: below the first it is said, below the second pictures and games stop soon."""
HOT = 80.0
"""Degrees Celsius from which a Raspberry Pi makes itself slower."""
POWER = {0: "the voltage is too low", 1: "it runs slower", 2: "it is throttled", 3: "it is too hot"}
"""Bits of vcgencmd get_throttled; 16 higher: it was so since it was switched on."""
CHECKING = 40.0
"""Seconds in which a service has checked what its camera sees: on a small computer that plays on it takes some."""
GOOD = 0.6
"""A finding of the health check above it needs no advice."""
GET_BLEAK = ".venv/bin/pip install -e '.[ble]' in the project's folder; of a service: sudo sh systemd/install.sh."
EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts by which all machines see the page, and where this one asks for it."""
urlopen = build_opener(ProxyHandler({})).open
"""Asks this very machine: what stands between it and the world, if the system names a proxy, knows nothing of it."""
IN_MEMORY = "Until then games are in memory, and gone if the power goes."
HELD = ("exposure", "white_balance", "focus")


@dataclass(frozen=True, slots=True)
class Part:
    """What the doctor found. state: OK, WARN, BAD or OFF. mend: what to do, "" for nothing."""

    name: str
    state: str
    text: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined. running: how the devices of the service that runs are, by name; None where none runs."""

    machine: Machine
    config: Config
    running: Mapping[str, DeviceView] | None = None


def doctor(machine: Machine, path: Path | None) -> list[Part]:
    """Examine everything. path: the configuration; None: as if it said nothing."""
    try:
        config = read_config(path) if path else Config()
    except ConfigError as error:
        return [Part("configuration", BAD, str(error), "Mend this first, then ask again.")]
    patient = Patient(machine, config, _running(config))
    return [part for look_at in CHECKS for part in _examined(look_at, patient)]


def _examined(look_at: Callable[[Patient], Iterator[Part]], patient: Patient) -> list[Part]:
    """A check that fails is a finding too; the others go on. What this user may not read keeps nobody from playing who
    has a service that runs."""
    try:
        return list(look_at(patient))
    except PermissionError as error:
        state, text = WARN if patient.running is not None else BAD, f"{error.filename} may not be read"
        said = str(error) if isinstance(error, CompanionError) else text
        return [Part(look_at.__name__.strip("_"), state, said, "Ask again with sudo.")]
    except CompanionError as error:
        return [Part(look_at.__name__.strip("_"), BAD, str(error))]
    except FAILURES as error:
        return [Part(look_at.__name__.strip("_"), WARN, f"could not be examined: {raised(error)}")]


def _running(config: Config) -> Mapping[str, DeviceView] | None:
    told = _asked(config, "/api/view")
    try:
        return {device["name"]: DeviceView(**device) for device in told["devices"]}
    except (TypeError, KeyError):  # None, or what another program says
        return None


def _asked(config: Config, path: str, body: Mapping[str, Any] | None = None, patience: float = 10.0) -> Any:
    """What the page of a service that runs here answers within so many seconds; None where none does."""
    data = None if body is None else json.dumps(body).encode()
    host = f"[{_host(config)}]" if ":" in _host(config) else _host(config)
    try:
        request = Request(f"http://{host}:{config.page.port}{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=patience) as answer:
            return json.load(answer)
    except (OSError, ValueError, HTTPException):
        return None


def _host(config: Config) -> str:
    """Where the page is asked from this machine."""
    return EVERYWHERE.get(config.page.host, config.page.host)


# --- programs ---


def _program(patient: Patient) -> Iterator[Part]:
    model = patient.machine.model or "no Raspberry Pi"
    text = f"Companion {__version__}, Python {platform.python_version()}, {platform.machine()}, {model}"
    if platform.machine() not in ("aarch64", "x86_64"):
        yield Part("program", WARN, text, "Companion is made for 64-bit systems: install the 64-bit Raspberry Pi OS.")
    else:
        yield Part("program", OK, text)


def _libraries(patient: Patient) -> Iterator[Part]:
    text = f"OpenCV {cv2.__version__}, NumPy {np.__version__}"
    if re.search(r"v4l/v4l2:\s+NO", cv2.getBuildInformation()):
        yield Part("OpenCV", BAD, f"{text}, without cameras", "Install OpenCV anew: pip install opencv-python-headless")
    else:
        yield Part("OpenCV", OK, text)


def _addons(patient: Patient) -> Iterator[Part]:
    """What packages of other people bring, where there are any."""
    unusable = enter_addons()
    for why in unusable:
        yield Part("add-ons", WARN, why, "Ask who made it, or take its package away.")
    if (there := addons()) and not unusable:
        yield Part("add-ons", OK, ", ".join(there))


# --- the table ---


def _configuration(patient: Patient) -> Iterator[Part]:
    if (told := all_usual(patient.config)) is not None:
        text, way = told
        yield Part("configuration", WARN, text, f"{way[0].upper()}{way[1:]}.")


def _table(patient: Patient) -> Iterator[Part]:
    """All that the configuration names and that is no device: game, board, lens, questions, members."""
    meaning = meaning_of(patient.config)
    text = f"{meaning.game.title} for {len(meaning.game.seats)}; the board: {meaning.table.name}"
    seen = patient.config.camera.source != "none"
    why, _, mend = told_apart(meaning.table.sheet, meaning.game.seats).partition(": ") if seen else ("", "", "")
    yield Part("table", WARN, f"{text}; {why}", f"{mend[:1].upper()}{mend[1:]}") if why else Part("table", OK, text)
    if patient.running is None and patient.config.folder.absolute() == APPLIANCE.parent:
        for path in filter(out_of_sight, named_files(patient.config)):
            yield Part("table", BAD, f"{path} is there, but not for the service", out_of_sight(path))


def _table_or_none(config: Config) -> Table | None:
    """The board to examine a picture by; None where the table cannot be, which is said of the table."""
    try:
        return meaning_of(config).table
    except CompanionError:
        return None


# --- eyes ---


def _camera(patient: Patient) -> Iterator[Part]:
    source, machine = patient.config.camera.source, patient.machine
    if source == "none":
        yield Part("camera", OFF, 'none, as configured ([camera] source = "none")')
        return
    found = plugged(machine.root)
    names = ", ".join(f"{camera.name} ({camera.spec})" for camera in found) or "none is plugged in"
    if patient.running is not None:
        yield from _camera_at_work(patient.config, patient.running["camera"], names)
    elif found or source not in ("auto", "0"):
        yield from _camera_asked(patient.config, names)
    else:
        mend = "Plug in a USB camera. A Raspberry Pi's own: is its cable in, and does rpicam-hello show a picture?"
        yield Part("camera", BAD, names, mend)
    devices = [str(machine.path(camera.spec)) for camera in found if camera.spec.startswith("/")]
    yield from (_controls(machine, device) for device in devices[:1])


def _camera_at_work(config: Config, camera: DeviceView, names: str) -> Iterator[Part]:
    """The service has the camera: it is asked how it is, and to check what it sees."""
    if camera.state != OK:
        yield Part("camera", BAD, f"{camera.text}; plugged in: {names}", "Try another socket or cable.")
        return
    yield Part("camera", OK, f"{camera.text}; plugged in: {names}")
    found = _asked(config, "/api/setup", {"do": "check", "pin": config.page.pin}, patience=CHECKING)
    if found is not None and found.get("findings"):
        worst = min(found["findings"], key=lambda finding: float(finding["score"]))
        yield _board(found["score"], worst["score"], found["playable"], worst["text"], worst["advice"])


def _camera_asked(config: Config, names: str) -> Iterator[Part]:
    """Take a picture, and see whether the board can be read in it."""
    try:
        image = a_picture(config)
    except CompanionError as error:
        yield Part("camera", BAD, f"{error}; plugged in: {names}", "Try another socket or cable, or another source.")
        return
    yield Part("camera", OK, f"{image.shape[1]} × {image.shape[0]} pixels; plugged in: {names}")
    table = _table_or_none(config)
    if table is None:
        return
    found, _ = check(image, table.scene, shown_before(config.journal_folder, table.scene))
    worst = min(found.findings, key=lambda finding: finding.score)
    yield _board(found.score, worst.score, found.playable, worst.text, worst.advice)


def _board(score: int, worst: float, playable: bool, text: str, advice: str) -> Part:
    """Light, sharpness and place, by the worst of what the health check found."""
    state = OK if worst > GOOD else WARN if playable else BAD
    return Part("board", state, f"{score} of 100: {text}", "" if state == OK else advice)


def _controls(machine: Machine, device: str) -> Part:
    """Which of a camera's automatics can be held still."""
    listed = machine.ask(["v4l2-ctl", "--device", device, "--list-ctrls"])
    if listed is None:
        return Part("controls", OFF, "v4l2-ctl is not here, or cannot ask this camera", "sudo apt install v4l-utils")
    can = [name.replace("_", " ") for name in HELD if re.search(rf"^\s*\w*{name}\w*auto|auto\w*{name}", listed, re.M)]
    if can:
        return Part("controls", OK, f"{' and '.join(can)} can be held still")
    return Part("controls", WARN, "nothing of this camera can be held still", "Keep the light as even as you can.")


# --- dice, lamps ---


LOST = "the add-on that brings {!r} cannot be used"


def _dice(patient: Patient) -> Iterator[Part]:
    port = patient.config.dice.port
    if port in ("none", "camera"):
        yield Part("dice", OFF, "on the phone" if port == "none" else "ordinary dice, read by the camera")
        return
    if port not in dice_ports() and is_name(port):
        yield Part("dice", BAD, LOST.format(port), "Mend it, or set another [dice] port.")
        return
    if port not in dice_ports() and not Path(port).exists():
        yield Part("dice", BAD, f"there is no {port}", 'Plug the dice box in, or set [dice] port = "auto".')
        return
    if port == "ble":
        yield _bluetooth(patient.running)
        return
    if port in dice_ports() and port != "auto":
        yield _own_dice(port, patient.running)
        return
    try:
        ports = usb_ports()
    except OSError as error:
        said = f"the serial ports cannot be listed ({error.strerror or error})"
        yield Part("serial line", WARN, said, "Pull the dice box's plug and put it back; else start the machine anew.")
        ports = []
    if patient.running is not None:
        dice = patient.running["dice"]
        yield Part("dice", dice.state, f"{dice.text}; serial ports: {', '.join(ports) or 'none'}")
    elif port == "auto" and not ports:
        yield Part("dice", WARN, "no dice box is plugged in; the phones do", "docs/dice-box.md tells how to build one.")
    else:
        yield Part("dice", OK, f"serial ports: {', '.join(ports) or port}")
    yield from _serial_rights(patient.machine, ports)
    yield from _serial_robbers(patient.machine)


def _bluetooth(running: Mapping[str, DeviceView] | None) -> Part:
    if find_spec("bleak") is None:
        return Part("dice", BAD, "the package for Bluetooth is missing", GET_BLEAK)
    if running is None:
        return Part("dice", OK, "over Bluetooth; companion dice bluetooth tells which are in reach")
    return Part("dice", running["dice"].state, running["dice"].text)


def _own_dice(word: str, running: Mapping[str, DeviceView] | None) -> Part:
    """Dice of one's own: only the service that holds them knows how they are."""
    if running is None:
        return Part("dice", OK, f"{word}: {dice_ports()[word]}; how they are is known while a table runs")
    return Part("dice", running["dice"].state, running["dice"].text)


def _serial_rights(machine: Machine, ports: list[str]) -> Iterator[Part]:
    closed = [port for port in ports if not _may_open(machine.path(port))]
    if closed:
        mend = "sudo usermod -aG dialout $USER, then log in anew; or ask with sudo"
        yield Part("serial line", BAD, f"this user may not open {closed[0]}", mend)


def _may_open(path: Path) -> bool:
    try:
        with path.open("rb", buffering=0):
            return True
    except PermissionError:
        return False
    except OSError:
        return True


def _serial_robbers(machine: Machine) -> Iterator[Part]:
    """Programs that take a new serial line for a modem or a Braille display."""
    homes = ("/etc", "/usr/lib", "/usr/local/lib")
    if any(machine.path(f"{home}/udev/rules.d/90-companion.rules").exists() for home in homes):
        return
    for program, path in (("ModemManager", "/usr/sbin/ModemManager"), ("brltty", "/usr/bin/brltty")):
        if machine.path(path).exists():
            mend = "Install Companion's udev rules (sudo sh systemd/install.sh), which keep it away."
            yield Part("serial line", WARN, f"{program} is installed and may take the dice box for its own", mend)


def _own_panel(patient: Patient, word: str) -> Part:
    if word not in ALSO:
        return Part("lamps", BAD, LOST.format(word), "Mend it, or take [panel] also out.")
    if patient.running is not None and patient.running["lamps"].state != OK:
        return Part("lamps", BAD, patient.running["lamps"].text, "Look after it, or take [panel] also out.")
    return Part("lamps", OK, f"a panel of your own: {word}")


def _lamps(patient: Patient) -> Iterator[Part]:
    also = patient.config.panel.also
    if patient.config.panel == Pins(also=also):
        yield _own_panel(patient, also) if also else Part("lamps", OFF, "no panel is configured")
        return
    chips = sorted(path.name for path in patient.machine.path("/dev").glob("gpiochip*"))
    if not chips:
        yield Part("lamps", BAD, "this machine has no pins (/dev/gpiochip0)", "Take [panel] out of the configuration.")
    elif find_spec("lgpio") is None:
        yield Part("lamps", BAD, "lgpio is missing, without which no pin works", "sudo apt install python3-lgpio")
    elif not _may_open(patient.machine.path(f"/dev/{chips[0]}")):
        yield Part("lamps", BAD, f"this user may not use /dev/{chips[0]}", "sudo usermod -aG gpio $USER, log in anew")
    elif patient.running is not None and patient.running["lamps"].state != OK:
        yield Part("lamps", BAD, patient.running["lamps"].text, "Compare [panel] with the wires.")
    else:
        yield Part("lamps", OK, f"pins on {', '.join(chips)}")


# --- the computer ---


def _disk(patient: Patient) -> Iterator[Part]:
    folder = patient.config.journal_folder
    home = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(home).free / 1e6
    text = f"{free:,.0f} MB free for {folder}"
    if _read_only(patient.machine, home):
        yield Part("disk", BAD, f"{home} can only be read", "Restart; if it stays so, replace the card.")
    elif free < ROOM_NONE:
        yield Part("disk", BAD, text, "Make room, or set [journal] pictures_mb lower.")
    elif patient.running is not None and patient.running["journal"].state != OK:
        mend = "Make a backup first, companion backup: it holds what is on the disk, not what waits in memory."
        yield Part("disk", WARN, patient.running["journal"].text, mend)
    else:
        yield Part("disk", WARN if free < ROOM_LOW else OK, text, "Make room soon." if free < ROOM_LOW else "")


def _read_only(machine: Machine, folder: Path) -> bool:
    """Whether the disk it is on takes nothing. The system writes a space in a name (of a stick) as \\040."""
    best, options = "", ""
    for line in machine.read("/proc/mounts").splitlines():
        fields = line.split()
        place = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[1]) if len(fields) > 3 else ""
        if place and folder.is_relative_to(place) and len(place) >= len(best):
            best, options = place, fields[3]
    return not {"ro", "emergency_ro"}.isdisjoint(options.split(","))


def _games(patient: Patient) -> Iterator[Part]:
    folder = patient.config.journal_folder
    shut = kept_out(folder / JOURNAL) if patient.running is None else ""
    if not (folder / JOURNAL).exists():
        text = f"none yet in {folder}"
        yield Part("games", BAD, f"{text}; {shut}", IN_MEMORY) if shut else Part("games", OK, text)
        return
    damaged = sorted(path.name for path in folder.glob("games.db.damaged-*"))
    with closing(open_to_read(folder / JOURNAL)) as journal:
        text = f"{len(journal.games())} in {folder}, {(folder / 'games.db').stat().st_size / 1e6:.1f} MB"
    if damaged:
        mend = "The card may be failing: companion backup, and replace it."
        yield Part("games", WARN, f"{text}; kept aside: {', '.join(damaged)}", mend)
    elif shut:
        yield Part("games", BAD, f"{text}; {shut}", IN_MEMORY)
    elif (folder / WHOLE).exists():
        yield Part("games", WARN, f"{text}; a restore was cut off", "Start the service: it ends it.")
    else:
        yield Part("games", OK, text)


def _clock(patient: Patient) -> Iterator[Part]:
    now = f"{datetime.now():%Y-%m-%d %H:%M}"
    told = patient.machine.ask(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if datetime.now().year < 2026:
        yield Part("clock", WARN, f"it is not {now}", "Connect to a network once; games are told apart all the same.")
    elif told is not None and told.strip() != "yes":
        mend = "Only the dates of the games depend on it; a network mends it."
        yield Part("clock", WARN, f"{now}, not compared with the network's", mend)
    else:
        yield Part("clock", OK, now)


def _power(patient: Patient) -> Iterator[Part]:
    machine = patient.machine
    told = machine.ask(["vcgencmd", "get_throttled"])
    bits = int(told.strip().partition("=")[2] or "0", 16) if told else 0
    now = [text for bit, text in POWER.items() if bits >> bit & 1]
    before = [text for bit, text in POWER.items() if bits >> (bit + 16) & 1]
    warmth = machine.read("/sys/class/thermal/thermal_zone0/temp")
    degrees = int(warmth) / 1000 if warmth.isdigit() else None
    text = f"{degrees:.0f} °C" if degrees is not None else "no thermometer"
    mend = "Use the power supply made for this Raspberry Pi, and a short cable; unplug what draws much."
    if now:
        yield Part("power", BAD, f"now {' and '.join(now)}; {text}", mend)
    elif before:
        yield Part("power", WARN, f"since it was switched on: {' and '.join(before)}; {text}", mend)
    elif degrees is not None and degrees >= HOT:
        yield Part("power", WARN, text, "It makes itself slower: give it air, or a fan.")
    else:
        yield Part("power", OK if told else OFF, text if told else f"only a Raspberry Pi tells; {text}")


# --- the network ---


def _network(patient: Patient) -> Iterator[Part]:
    host, port = patient.config.page.host, patient.config.page.port
    name, address = socket.gethostname(), local_address() if host in EVERYWHERE else host
    page = address_of(f"{name}.local", port)
    if patient.config.page.here_only:
        text = f"{address_of(host, port)} is for this machine alone: phones cannot see the page"
        yield Part("network", WARN, text, 'Set [page] host = "0.0.0.0".')
    elif address == "localhost":
        mend = "Connect to Wi-Fi, or make a hotspot (docs/install.md)."
        yield Part("network", WARN, "none: phones cannot see the page", mend)
    elif patient.machine.path("/run/avahi-daemon/pid").exists():
        yield Part("network", OK, f"{page}, or {address_of(address, port)}")
    else:
        text = f"{address_of(address, port)}; the name {name}.local is not announced"
        yield Part("network", WARN, text, "sudo apt install avahi-daemon")


def _page(patient: Patient) -> Iterator[Part]:
    port, running = patient.config.page.port, patient.running
    if running is not None:
        yield Part("page", OK, f"answers on port {port}")
    elif not _is_here(host := patient.config.page.host):
        mend = 'Set [page] host = "0.0.0.0", which is every address that it has.'
        yield Part("page", BAD, f"this machine has no address {host!r:.60}: nobody can open the page", mend)
    elif _taken(_host(patient.config), port):
        yield Part("page", BAD, f"another program has port {port}", "Set another [page] port.")
    else:
        yield Part("page", OFF, f"nothing runs on port {port}", "companion run, or sudo systemctl start companion")
    if not (patient.config.page.pin or patient.config.page.here_only):
        mend = 'Set [page] pin = "1234", if strangers share your network.'
        yield Part("PIN", OK, "none: everyone on the network may act", mend)


def _is_here(host: str) -> bool:
    """Whether a page can be served there, on whichever port."""
    try:
        check_port(host, 0)
    except DeviceError:
        return False
    return True


def _taken(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=5).close()
    except OSError:
        return False
    return True


def _service(patient: Patient) -> Iterator[Part]:
    told = patient.machine.ask(["systemctl", "show", "companion.service", "-p", "LoadState,ActiveState,NRestarts"])
    facts = dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
    if facts.get("LoadState") != "loaded":
        yield Part("service", OFF, "not installed as a service", "sudo sh systemd/install.sh makes an appliance of it.")
    elif facts.get("ActiveState") != "active":
        yield Part("service", BAD, f"{facts.get('ActiveState')}", "journalctl -u companion -n 50 says why.")
    else:
        restarts = int(facts.get("NRestarts", "0"))
        mend = "Its log says why: companion doctor --bundle support.zip" if restarts else ""
        yield Part("service", WARN if restarts else OK, f"runs; started anew {restarts} times by itself", mend)


CHECKS = (
    *(_program, _libraries, _addons, _configuration, _table, _camera, _dice, _lamps, _disk, _games, _clock),
    *(_power, _network, _page, _service),
)


# --- the command ---


def lines(parts: list[Part]) -> Iterator[str]:
    """The findings for people."""
    for part in parts:
        yield f"{part.state:<5} {part.name:<13} {part.text}"
        if part.mend:
            yield f"{'':<19} → {part.mend}"
    bad = [part.name for part in parts if part.state == BAD]
    yield f"To be mended: {', '.join(dict.fromkeys(bad))}." if bad else "Nothing that keeps you from playing."


def as_json(parts: list[Part]) -> str:
    """The findings for programs."""
    return json.dumps({"at": round(time.time()), "parts": [asdict(part) for part in parts]})
