"""The units, rules and users: what systemd and udev say of them, and that all they name is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).resolve().parents[2] / "systemd"
SERVICES = ("companion.service", "companion-kiosk.service")
KNOWN_SINCE = {"RestartSteps": 254, "RestartMaxDelaySec": 254}
"""Keys that older versions of systemd pass over: there each restart waits two seconds."""


def settings(name: str) -> list[tuple[str, str]]:
    """The keys and values of a unit, in order."""
    lines = [line for line in (UNITS / name).read_text().splitlines() if line and line[0] not in "#["]
    return [(key, value) for key, _, value in (line.partition("=") for line in lines)]


def values(name: str, key: str) -> list[str]:
    return [value for found, value in settings(name) if found == key]


def systemd_version() -> int:
    """Of systemd-analyze here; 0 where there is none."""
    if shutil.which("systemd-analyze") is None:
        return 0
    told = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True).stdout
    return int(told.split()[1].partition(".")[0])


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_is_verified_by_systemd(name: str, tmp_path: Path) -> None:
    version = systemd_version()
    if version < 250:
        pytest.skip("there is no systemd-analyze 250 or newer here")
    text = (UNITS / name).read_text()
    text = re.sub(r"^(Exec\w+=[+]?)companion(-kiosk)?\b", r"\1/bin/true", text, flags=re.M)
    (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)],
        capture_output=True, text=True,
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if name in line]
    young = {key for key, since in KNOWN_SINCE.items() if version < since}
    assert [line for line in said if not any(f"'{key}'" in line for key in young)] == []


def test_the_referee_is_walled_in() -> None:
    if systemd_version() < 250:
        pytest.skip("there is no systemd-analyze 250 or newer here")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=25", str(UNITS / "companion.service")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-200:]
    level = re.search(r"exposure level for companion.service: ([\d.]+)", done.stdout)
    assert level is not None and float(level[1]) <= 2.5


def test_the_referee_reaches_camera_serial_line_and_pins() -> None:
    allowed = {value.split()[0] for value in values("companion.service", "DeviceAllow")}
    assert {"char-video4linux", "char-media", "char-dma_heap", "char-ttyUSB", "char-ttyACM", "char-gpiochip"} <= allowed
    keys = dict(settings("companion.service"))
    assert keys["DevicePolicy"] == "closed"
    assert "PrivateDevices" not in keys and "ProcSubset" not in keys and "PrivateNetwork" not in keys
    assert {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"} <= set(keys["RestrictAddressFamilies"].split())
    assert keys["WorkingDirectory"] == "%t/companion" and keys["RuntimeDirectory"] == "companion"


def test_drivers_that_come_with_a_cable_are_loaded_before_the_list_of_devices_is_made() -> None:
    for key in ("Wants", "After"):
        loaded = " ".join(values("companion.service", key))
        assert all(f"modprobe@{driver}.service" in loaded for driver in ("usbserial", "cdc_acm", "videodev"))


def test_a_missing_group_stops_no_start() -> None:
    assert values("companion.service", "SupplementaryGroups") == []
    member_of = re.findall(r"^m companion (\w+)$", (UNITS / "companion.sysusers").read_text(), re.M)
    assert member_of == ["video", "dialout", "gpio", "bluetooth"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_never_gives_up(name: str) -> None:
    keys = dict(settings(name))
    assert keys["Restart"] == "always"
    assert keys["StartLimitIntervalSec"] == "0"


def test_the_watchdog_is_fed_often_enough() -> None:
    from companion.service.machine.supervisor import SHARE

    keys = dict(settings("companion.service"))
    assert keys["Type"] == "notify" and keys["NotifyAccess"] == "main"
    assert int(keys["WatchdogSec"]) / SHARE >= 5, "a busy Pi may take seconds for a reading"


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_runs_as_a_user_that_is_made(name: str) -> None:
    (user,) = values(name, "User")
    made = (UNITS / name.replace(".service", ".sysusers")).read_text()
    assert re.search(rf"^u {user} ", made, re.M)


def test_the_browser_goes_before_the_referee_when_memory_runs_out() -> None:
    referee, browser = (int(dict(settings(name))["OOMScoreAdjust"]) for name in SERVICES)
    assert referee < 0 < browser


def test_the_browser_sees_neither_games_nor_configuration() -> None:
    hidden = " ".join(values("companion-kiosk.service", "InaccessiblePaths"))
    assert "-/var/lib/companion" in hidden and "-/etc/companion" in hidden


# --- udev ---

PART = r'[A-Z]\w*(?:\{[^}]+\})?(?:==|!=|\+=|:=|=)"[^"]*"'


def rules() -> list[str]:
    return [line for line in (UNITS / "90-companion.rules").read_text().splitlines() if line and line[0] != "#"]


def test_the_rules_of_devices_can_be_read() -> None:
    for line in rules():
        assert re.fullmatch(f"{PART}(?:, {PART})*", line), line
    labels = set(re.findall(r'LABEL="(\w+)"', "\n".join(rules())))
    jumps = set(re.findall(r'GOTO="(\w+)"', "\n".join(rules())))
    assert jumps == labels


def test_udev_verifies_the_rules_of_devices() -> None:
    if shutil.which("udevadm") is None or systemd_version() < 254:
        pytest.skip("there is no udevadm 254 or newer here")
    done = subprocess.run(["udevadm", "verify", str(UNITS / "90-companion.rules")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_dice_boxes_have_names_and_are_left_alone_by_modem_manager() -> None:
    text = "\n".join(rules())
    for vendor in ("1a86", "0403", "10c4", "2341|2a03"):
        assert re.search(rf'ATTRS\{{idVendor\}}=="{re.escape(vendor)}".*GOTO="companion_box"', text)
    box = text.partition('LABEL="companion_box"')[2].partition("LABEL=")[0]
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in box and 'SYMLINK+="companion-dice"' in box
    assert 'SYMLINK+="companion-dice-$env{ID_PATH_TAG}"' in box
    camera = text.partition('LABEL="companion_camera"')[2]
    assert 'SYMLINK+="companion-camera"' in camera and 'SYMLINK+="companion-camera-$env{ID_PATH_TAG}"' in camera


# --- users and files ---


@pytest.mark.parametrize("name", ["companion.sysusers", "companion-kiosk.sysusers"])
def test_the_list_of_users_can_be_read(name: str) -> None:
    for line in (UNITS / name).read_text().splitlines():
        assert re.match(r'^(#.*|u [a-z-]+ - "[^"]+" /[\w/-]+ /usr/sbin/nologin|m [a-z-]+ [a-z]+)$', line), line


def test_the_configuration_is_not_for_everybody_s_eyes() -> None:
    lines = (UNITS / "companion.tmpfiles").read_text().splitlines()
    assert "z /etc/companion/companion.toml 0640 root companion -" in lines
