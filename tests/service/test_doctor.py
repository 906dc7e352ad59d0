"""The doctor says of each part how it is and how to mend it, and its support file keeps secrets."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import threading
import time
import urllib.request
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from evening import Evening
from program import Program

from calibration.sheet import write_sheet
from companion.dice.monitor import only_port
from companion.dice.own import OWN_DICE, OwnDice
from companion.journal import open_journal
from companion.model import ConfigError, DeviceError
from companion.model.table import DeviceView
from companion.service import config as configuration
from companion.service.cli import main
from companion.service.config import Config, config_from, read_config
from companion.service.machine import doctor as module
from companion.service.machine.bundle import HIDDEN, bundle, without_secrets
from companion.service.machine.doctor import BAD, OFF, OK, WARN, Part, Patient
from companion.service.machine.exchange import WHOLE
from companion.service.machine.machine import Machine, ask


def machine(root: Path, answers: Mapping[str, str] | None = None) -> Machine:
    """A machine whose files lie below `root` and whose commands answer as given, by their name."""

    def said(words: Sequence[str]) -> str | None:
        return (answers or {}).get(words[0])

    return Machine(root, said)


def put(root: Path, name: str, text: str = "") -> None:
    path = root / name.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def only(parts: Sequence[Part], name: str) -> Part:
    [part] = [part for part in parts if part.name == name]
    return part


def examined(root: Path, check: str, toml: Mapping[str, object] | None = None, **answers: str) -> list[Part]:
    config = config_from({"journal": {"folder": str(root / "games")}, **(toml or {})})
    return list(getattr(module, check)(Patient(machine(root, answers), config)))


def test_a_board_in_a_home_which_the_service_does_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sheet("parcheesi", tmp_path / "home" / "ann")
    monkeypatch.setattr(configuration, "HOMES", (tmp_path / "home",))
    monkeypatch.setattr(module, "APPLIANCE", tmp_path / "companion.toml")
    told = {"sheet": {"path": str(tmp_path / "home" / "ann" / "sheet.json")}, "camera": {"source": "none"}}
    config = config_from({"journal": {"folder": str(tmp_path / "games")}, **told}, tmp_path)
    states = [part.state for part in module._table(Patient(machine(tmp_path), config))]
    assert states == [OK, BAD, BAD], "the sheet and its print"
    running = [part.state for part in module._table(Patient(machine(tmp_path), config, {}))]
    assert running == [OK], "who let the service see it was told nothing"


def test_a_configuration_in_which_nothing_stands(tmp_path: Path) -> None:
    """As a power cut may leave one: the game, the board and the PIN were others, and nothing said so."""
    put(tmp_path, "companion.toml", " \n")
    config = read_config(tmp_path / "companion.toml")
    [part] = module._configuration(Patient(machine(tmp_path), config))
    assert part.state == WARN and part.mend.startswith("If it was not, put a backup back (companion restore FILE)")
    assert part.text.endswith("companion.toml is empty, so all is as it comes (Parcheesi for four, no PIN)")
    put(tmp_path, "companion.toml", "# as it comes\n")
    told = read_config(tmp_path / "companion.toml")
    assert list(module._configuration(Patient(machine(tmp_path), told))) == []
    assert list(module._configuration(Patient(machine(tmp_path), Config()))) == [], "no file: nobody set anything"


@pytest.mark.parametrize("source", ["auto", "none"])
def test_a_board_whose_colours_are_nearly_equal(tmp_path: Path, source: str) -> None:
    """The service warned of it at each start, and the doctor called the table well."""
    write_sheet("parcheesi", tmp_path)
    path = tmp_path / "sheet.json"
    sheet = json.loads(path.read_text())
    path.write_text(json.dumps({**sheet, "colors": {**sheet["colors"], "2": "#c8102f"}}))
    toml = {"game": {"seats": [0, 2]}, "sheet": {"path": str(path)}, "camera": {"source": source}}
    [part] = examined(tmp_path, "_table", toml)
    assert part.state == (WARN if source == "auto" else OK), "nobody looks without a camera"
    assert ("Red's and yellow's pieces have one colour" in part.text) == part.mend.startswith("Choose other seats")


@pytest.mark.parametrize(
    ("told", "state", "text"),
    [
        ("throttled=0x0", OK, "51 °C"),
        ("throttled=0x50005", BAD, "now the voltage is too low and it is throttled"),
        ("throttled=0x50000", WARN, "since it was switched on: the voltage is too low and it is throttled"),
    ],
)
def test_power(tmp_path: Path, told: str, state: str, text: str) -> None:
    put(tmp_path, "/sys/class/thermal/thermal_zone0/temp", "51234")
    [part] = examined(tmp_path, "_power", vcgencmd=told)
    assert part.state == state and text in part.text and bool(part.mend) == (state != OK)


def test_heat(tmp_path: Path) -> None:
    put(tmp_path, "/sys/class/thermal/thermal_zone0/temp", "84000")
    [part] = examined(tmp_path, "_power", vcgencmd="throttled=0x0")
    assert part.state == WARN and "give it air" in part.mend


def test_what_is_no_raspberry_pi_has_no_power_to_tell_of(tmp_path: Path) -> None:
    [part] = examined(tmp_path, "_power")
    assert part.state == OFF


@pytest.mark.parametrize("options", ["ro,noatime", "rw,noatime,errors=remount-ro,emergency_ro"])
def test_a_card_that_turned_read_only(tmp_path: Path, options: str) -> None:
    put(tmp_path, "/proc/mounts", f"/dev/root / ext4 rw 0 0\n/dev/mmcblk0 {tmp_path} ext4 {options} 0 0\n")
    part = only(examined(tmp_path, "_disk"), "disk")
    assert part.state == BAD and "can only be read" in part.text and "replace the card" in part.mend


def test_a_stick_whose_name_has_a_space_that_turned_read_only(tmp_path: Path) -> None:
    stick = tmp_path / "MY STICK"
    stick.mkdir()
    mounts = f"/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/sda1 {tmp_path}/MY\\040STICK vfat ro 0 0\n"
    put(tmp_path, "/proc/mounts", mounts)
    part = only(examined(tmp_path, "_disk", {"journal": {"folder": str(stick / "games")}}), "disk")
    assert part.state == BAD and part.text == f"{stick} can only be read"


@pytest.mark.parametrize(("free", "state"), [(10, BAD), (200, WARN), (5000, OK)])
def test_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    usage = type("Usage", (), {"free": free * 1_000_000})
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: usage)
    part = only(examined(tmp_path, "_disk"), "disk")
    assert part.state == state and f"{free:,} MB free" in part.text and bool(part.mend) == (state != OK)


def test_a_disk_that_keeps_the_table_waiting(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    config = config_from({"journal": {"folder": str(tmp_path / "games")}})
    running = {"journal": DeviceView("journal", "warn", "the disk took 4 s to write, and all waited")}
    [part] = module._disk(Patient(machine(tmp_path), config, running))
    assert part.state == WARN and "took 4 s" in part.text and "backup" in part.mend


def test_games_that_were_damaged_once(tmp_path: Path) -> None:
    open_journal(tmp_path / "games" / "games.db").close()
    assert examined(tmp_path, "_games")[0].state == OK
    (tmp_path / "games" / "games.db.damaged-1").touch()
    [part] = examined(tmp_path, "_games")
    assert part.state == WARN and "games.db.damaged-1" in part.text and "backup" in part.mend
    (tmp_path / "games" / "games.db.damaged-10").touch()
    assert "games.db.damaged-10" in examined(tmp_path, "_games")[0].text
    (tmp_path / "games" / "games.db").write_bytes(b"x" * 9000)
    patient = Patient(machine(tmp_path), config_from({"journal": {"folder": str(tmp_path / "games")}}))
    [part] = module._examined(module._games, patient)
    assert part.state == BAD and "is damaged" in part.text and "start the service once" in part.text


def test_games_that_have_no_place(tmp_path: Path) -> None:
    (tmp_path / "games").touch()
    [part] = examined(tmp_path, "_games")
    assert part.state == BAD and "games is no folder" in part.text and "gone if the power goes" in part.mend


def test_a_restore_that_was_cut_off(tmp_path: Path) -> None:
    open_journal(tmp_path / "games" / "games.db").close()
    (tmp_path / "games" / WHOLE).mkdir()
    [part] = examined(tmp_path, "_games")
    assert part.state == WARN and "cut off" in part.text and "Start the service" in part.mend


@pytest.mark.long
def test_cameras(tmp_path: Path) -> None:
    [part] = examined(tmp_path, "_camera")
    assert part.state == BAD and "none is plugged in" in part.text and "rpicam-hello" in part.mend
    [part] = examined(tmp_path, "_camera", {"camera": {"source": "none"}})
    assert part.state == OFF
    [part] = examined(tmp_path, "_camera", {"camera": {"source": "/dev/no-camera"}})
    assert part.state == BAD and "/dev/no-camera" in part.text


CONTROLS = """
                  white_balance_automatic 0x0098090c (bool)   : default=1 value=1
                            auto_exposure 0x009a0901 (menu)   : min=0 max=3 default=3 value=3
               focus_automatic_continuous 0x009a090c (bool)   : default=1 value=1
"""


@pytest.mark.parametrize(
    ("listed", "state", "text"),
    [
        (CONTROLS, OK, "exposure and white balance and focus can be held still"),
        ("brightness 0x00980900 (int)", WARN, "nothing of this camera can be held still"),
        (None, OFF, "v4l2-ctl"),
    ],
)
def test_which_controls_a_camera_has(tmp_path: Path, listed: str | None, state: str, text: str) -> None:
    part = module._controls(Machine(tmp_path, lambda words: listed), "/dev/video0")
    assert part.state == state and text in part.text


def test_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usb_ports", list)
    assert only(examined(tmp_path, "_dice"), "dice").state == WARN
    part = only(examined(tmp_path, "_dice", {"dice": {"port": "/dev/ttyUSB7"}}), "dice")
    assert part.state == BAD and "there is no /dev/ttyUSB7" in part.text
    assert only(examined(tmp_path, "_dice", {"dice": {"port": "none"}}), "dice").state == OFF
    monkeypatch.setattr(module, "usb_ports", lambda: ["/dev/ttyUSB0"])
    put(tmp_path, "/usr/bin/brltty")
    parts = examined(tmp_path, "_dice")
    assert only(parts, "dice").state == OK
    assert "brltty is installed and may take the dice box" in only(parts, "serial line").text
    put(tmp_path, "/etc/udev/rules.d/90-companion.rules")
    assert [part.name for part in examined(tmp_path, "_dice")] == ["dice"]


def test_serial_ports_that_cannot_be_listed_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable() -> list[str]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(module, "usb_ports", unreadable)
    parts = examined(tmp_path, "_dice")
    assert only(parts, "serial line").state == WARN and "Input/output error" in only(parts, "serial line").text
    with pytest.raises(DeviceError, match=r"cannot be listed \(Input/output error\): name the dice box's with --port"):
        only_port(None, unreadable)


def test_bluetooth_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    [part] = examined(tmp_path, "_dice", {"dice": {"port": "ble"}})
    assert part.state == BAD and "-e '.[ble]'" in part.mend and "install.sh" in part.mend
    monkeypatch.setattr(module, "find_spec", lambda name: name)
    assert examined(tmp_path, "_dice", {"dice": {"port": "ble"}})[0].state == OK


def test_dice_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that worked were called broken: "there is no line"."""
    monkeypatch.setitem(OWN_DICE, "line", OwnDice(lambda book: None, "a program", ""))
    line: dict[str, Any] = {"dice": {"port": "line"}}
    [part] = examined(tmp_path, "_dice", line)
    assert part.state == OK and part.text == "line: a program; how they are is known while a table runs"
    told = {"dice": DeviceView("dice", "warn", "looking for the line dice")}
    [part] = module._dice(Patient(machine(tmp_path, {}), config_from(line), told))
    assert (part.state, part.text) == ("warn", "looking for the line dice")


def test_lamps(tmp_path: Path) -> None:
    assert examined(tmp_path, "_lamps")[0].state == OFF
    panel = {"panel": {"lamps": {"0": 17, "2": 22}}}
    assert "this machine has no pins" in examined(tmp_path, "_lamps", panel)[0].text


def test_the_clock(tmp_path: Path) -> None:
    assert examined(tmp_path, "_clock", timedatectl="yes\n")[0].state == OK
    part = examined(tmp_path, "_clock", timedatectl="no\n")[0]
    assert part.state == WARN and "not compared with the network's" in part.text


def test_the_network_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "local_address", lambda: "192.168.1.5")
    part = examined(tmp_path, "_network")[0]
    assert part.state == WARN and "avahi-daemon" in part.mend and "http://192.168.1.5:8000/" in part.text
    put(tmp_path, "/run/avahi-daemon/pid", "1")
    assert examined(tmp_path, "_network")[0].state == OK
    monkeypatch.setattr(module, "local_address", lambda: "localhost")
    assert "phones cannot see the page" in examined(tmp_path, "_network")[0].text


def test_a_page_for_one_address_is_named_by_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "local_address", lambda: "192.168.1.5")
    [part] = examined(tmp_path, "_network", {"page": {"host": "127.0.0.1"}})
    assert part.state == WARN and part.text.startswith("http://127.0.0.1:8000/ is for this machine alone")
    assert "PIN" not in [part.name for part in examined(tmp_path, "_page", {"page": {"host": "127.0.0.1"}})]
    [part] = examined(tmp_path, "_network", {"page": {"host": "10.0.0.7"}})
    assert "http://10.0.0.7:8000/" in part.text and "192.168" not in part.text


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ("", OFF),
        ("LoadState=not-found\nActiveState=inactive\nNRestarts=0", OFF),
        ("LoadState=loaded\nActiveState=failed\nNRestarts=4", BAD),
        ("LoadState=loaded\nActiveState=active\nNRestarts=2", WARN),
        ("LoadState=loaded\nActiveState=active\nNRestarts=0", OK),
    ],
)
def test_the_service(tmp_path: Path, told: str, state: str) -> None:
    assert examined(tmp_path, "_service", systemctl=told)[0].state == state


def test_a_port_that_another_program_has(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        part = only(examined(tmp_path, "_page", {"page": {"port": port}}), "page")
        assert part.state == BAD and f"another program has port {port}" in part.text


@pytest.mark.parametrize("host", ["198.51.100.7", "x" * 70])
def test_a_page_where_nobody_can_open_it(tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs there, it said, and that nothing keeps anybody from playing."""
    monkeypatch.setattr(module, "_taken", lambda *_: pytest.fail("another machine is not asked"))
    part = only(examined(tmp_path, "_page", {"page": {"host": host}}), "page")
    assert (part.state, '"0.0.0.0"' in part.mend) == (BAD, True)
    assert part.text.startswith(f"this machine has no address {host!r:.60}")


ANSWERS = (
    b"SSH-2.0-x\r\n",
    b"HTTP/1.0 200 OK\r\n\r\n",
    *(
        b"HTTP/1.0 200 OK\r\n\r\n" + text
        for text in (b"7", b"[]", b"{}", b'{"devices": [{}]}', b'{"devices": "no"}', b"\xff")
    ),
)


@pytest.mark.parametrize("answer", ANSWERS)
def test_another_program_that_answers_something_else(tmp_path: Path, answer: bytes) -> None:
    with socket.create_server(("127.0.0.2", 0)) as other:

        def answering() -> None:
            while True:
                try:
                    line, _ = other.accept()
                except OSError:
                    return
                with line:
                    line.recv(9000)
                    line.sendall(answer)

        threading.Thread(target=answering, daemon=True).start()
        page = {"host": "127.0.0.2", "port": other.getsockname()[1]}
        assert module._running(config_from({"page": page})) is None
        part = only(examined(tmp_path, "_page", {"page": page}), "page")
        assert part.state == BAD and f"another program has port {page['port']}" in part.text
        other.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(("host", "asked"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("192.168.7.7", "192.168.7.7")])
def test_the_page_is_asked_where_it_is(host: str, asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(request: Request, timeout: float) -> io.BytesIO:
        assert request.full_url == f"http://{asked}:8000/api/view"
        return io.BytesIO(b'{"devices": [{"name": "camera", "state": "ok", "text": "fine"}]}')

    monkeypatch.setattr(module, "urlopen", opened)
    running = module._running(config_from({"page": {"host": host}}))
    assert running is not None and running["camera"].text == "fine"


def test_this_machine_is_asked_itself_whatever_proxy_the_system_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setattr(urllib.request, "_opener", None)  # it is made once, from what is in the environment then
    with socket.create_server(("127.0.0.1", 0)) as service:
        page = config_from({"page": {"host": "127.0.0.1", "port": service.getsockname()[1]}})
        answers = threading.Thread(target=_answers_once, args=(service, b'{"devices": []}'), daemon=True)
        answers.start()
        assert module._running(page) == {}


def _answers_once(service: socket.socket, body: bytes) -> None:
    line, _ = service.accept()
    with line:
        line.recv(9000)
        line.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def test_a_service_that_is_slow_to_check_its_board_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"score": 88, "playable": True, "findings": [{"score": 0.9, "text": "Sharp.", "advice": ""}]}

    def opened(request: Request, timeout: float) -> io.BytesIO:
        if timeout < 15 and request.full_url.endswith("/api/setup"):
            raise TimeoutError
        return io.BytesIO(json.dumps(found).encode())

    monkeypatch.setattr(module, "urlopen", opened)
    parts = list(module._camera_at_work(config_from({}), DeviceView("camera", OK, "ok"), "one"))
    assert [part.name for part in parts] == ["camera", "board"] and "88 of 100" in parts[1].text


def test_a_check_that_fails_keeps_the_others_going(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def _broken(patient: Patient) -> list[Part]:
        raise RuntimeError("oops")

    monkeypatch.setattr(module, "CHECKS", (_broken, module._clock))
    found = module.doctor(machine(tmp_path), None)
    assert (found[0].name, found[0].state, len(found)) == ("broken", WARN, 2)
    assert "oops" in found[0].text


def test_a_wrong_configuration_is_the_first_thing_to_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "companion.toml").write_text('[page]\npin = "4711"\nports = 1\n')
    bundle = tmp_path / "support.zip"
    assert main(["doctor", "--config", str(tmp_path / "companion.toml"), "--bundle", str(bundle)]) == 1
    assert "unknown key 'ports'" in capsys.readouterr().out
    assert "4711" not in all_of(bundle)


def all_of(bundle: Path) -> str:
    with zipfile.ZipFile(bundle) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


@pytest.mark.long
@pytest.mark.timeout(120)
def test_of_a_service_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening = Evening(tmp_path, 1)
    try:
        evening.until(lambda: evening.program.device("camera").startswith("ok"), "there are pictures")
        config = evening.program.config
        main(["doctor", "--config", str(config), "--json"])
        found = {part["name"]: part for part in json.loads(capsys.readouterr().out)["parts"]}
        assert found["page"]["text"].startswith("answers on port")
        assert found["camera"]["state"] == OK and found["camera"]["text"].startswith("ok")
        assert "of 100" in found["board"]["text"]
        assert found["games"]["text"].startswith("1 in ")
    finally:
        evening.leave()


@pytest.mark.long
def test_the_support_file_has_the_log_and_no_secrets(tmp_path: Path) -> None:
    config = (
        '[game]\nseats = [0, 2]\nmembers = { red = ["Theodora"] }\n[camera]\nsource = "none"\n[dice]\nport = "none"\n'
    )
    program = Program(tmp_path, config)
    assert program.end() == 0
    program.config.write_text(program.config.read_text() + 'pin = "98765"\n')
    log = tmp_path / "games" / "log" / "companion.log"
    log.write_text(log.read_text() + "somebody typed 98765, said Theodora, at aa:bb:cc:dd:ee:ff\n")
    bundle = tmp_path / "support.zip"
    main(["doctor", "--config", str(program.config), "--bundle", str(bundle)])
    text = all_of(bundle)
    assert "Companion" in text and "numpy" in text and f"somebody typed {HIDDEN}" in text
    assert not [secret for secret in ("98765", "Theodora", "aa:bb:cc:dd:ee:ff") if secret in text]
    assert main(["doctor", "--config", str(program.config), "--bundle", str(bundle)]) == 2, "nothing is overwritten"


def supported(tmp_path: Path, toml: str, machine: Machine, findings: Sequence[str] = ()) -> str:
    """The text of a support file with that configuration."""
    config, made = tmp_path / "companion.toml", tmp_path / "support.zip"
    config.write_text(toml)
    made.unlink(missing_ok=True)
    try:
        settings = read_config(config)
    except ConfigError:
        settings = Config()
    bundle(made, findings, machine, config, settings)
    return all_of(made)


def test_the_log_of_an_appliance_is_found_by_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOGS_DIRECTORY", raising=False)
    put(tmp_path, "/var/log/companion/companion.log", "of the appliance\n")
    put(tmp_path, "/games/log/companion.log", "beside the games\n")
    put(tmp_path, "/etc/shadow", "root:secret")
    (tmp_path / "var/log/companion/companion.log.1").symlink_to(tmp_path / "etc/shadow")
    text = supported(tmp_path, '[journal]\nfolder = "games"\n', machine(tmp_path))
    assert "of the appliance" in text and "beside the games" in text and "root:secret" not in text


SYSTEMCTL = """#!/bin/sh
# As systemd's where the service has failed and no kiosk is installed: only `show` succeeds.
case $1 in show) printf 'Id=companion.service\\nActiveState=failed\\n' ;; *) echo "failed"; exit 3 ;; esac
"""


def test_a_support_file_says_how_the_service_is_that_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "/bin/systemctl", SYSTEMCTL)
    (tmp_path / "bin/systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    supported(tmp_path, "", Machine(tmp_path))
    assert dict(members_of(tmp_path / "support.zip"))["service.txt"] == "Id=companion.service\nActiveState=failed\n"


CAMERA = "rtsp://admin:s3cr3t@10.0.0.9:554/l1ve?pwd=hidd3n"
SECRET = {
    "of a camera": f'[camera]\nsource = "{CAMERA}"\n',
    "in one line": 'page = { port = 80, pin = "4711" }\n',
    "in one line, wrong": 'page = { ports = 80, pin = "4711" }\n',
    "not in quotes": "[page]\npin = 4711\n",
    "broken": "[page\n\"pin\" = '4711'\n",
    "with signs": '[page]\npin = "98-76!"\n',
    "people": '[game.members]\nred = ["Al", "Theodora"]\nyellow = [\n  "Bo", # Al\n]\n[page]\nport = 8124\n',
    "people in a line": '[game]\nmembers = { red = [\n"Al"], yellow = ["Bo", "Theodora"] }\nname = "parcheesi"\n',
    "people, wrong": '[game.members]\nred = ["Al", "Bo", "Theodora"]\n[game]\n',
    "people by dots": 'game.members.red = ["Al"]\ngame.members.yellow = ["Bo", "Theodora"]\n',
}


@pytest.mark.parametrize("toml", SECRET.values(), ids=SECRET.keys())
def test_secrets_however_they_are_written(tmp_path: Path, toml: str) -> None:
    findings = [f"no pictures from {CAMERA}: is it on?", "typed 4711, then 98-76!", "Theodora said no, Al and Bo yes"]
    words = [word for word in ("s3cr3t", "hidd3n", "l1ve", "4711", "98-76!", "Theodora", "Al", "Bo") if word in toml]
    text = supported(tmp_path, toml, machine(tmp_path), findings)
    assert not [word for word in words if re.search(rf"\b{word}\b", text)]
    assert "no pictures from rtsp://10.0.0.9:554" in text and "s3cr3t" not in text and "hidd3n" not in text
    [written] = [member for name, member in members_of(tmp_path / "support.zip") if name == "companion.toml"]
    assert '"Al"' not in written and '"Bo"' not in written
    assert [line in written for line in ("port = 8124", 'name = "parcheesi"') if line in toml] in ([], [True])


def members_of(bundle: Path) -> list[tuple[str, str]]:
    with zipfile.ZipFile(bundle) as archive:
        return [(name, archive.read(name).decode()) for name in archive.namelist()]


def test_a_support_file_of_a_configuration_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path, *words: object, **more: object) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    for how in ("read_text", "read_bytes"):
        monkeypatch.setattr(Path, how, refused)
    made = tmp_path / "support.zip"
    assert main(["doctor", "--config", "/etc/companion/companion.toml", "--bundle", str(made)]) == 1
    assert "put sudo before the command" in capsys.readouterr().out and made.exists()


def test_a_support_file_in_1970(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.service.machine.archive.time.localtime", lambda *at: time.gmtime(0))
    assert "Companion" in supported(tmp_path, "", machine(tmp_path), ["Companion"])


@pytest.mark.parametrize("home", ["/", ""])
def test_the_paths_of_a_user_without_a_home_folder_stay_readable(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    assert without_secrets("/var/lib/companion: 3 games") == "/var/lib/companion: 3 games"


def test_secrets_in_any_text() -> None:
    text = f"pin 123 in {Path.home()}/x, SerialNumber: 4F00A7, 1234"
    assert without_secrets(text, ["123"]) == f"pin {HIDDEN} in ~/x, SerialNumber: {HIDDEN}, 1234"


BY_ID = {
    "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_8E6F1A2B-video-index0": "/dev/v4l/by-id/usb-046d_(hidden)-video-index0",
    "/dev/serial/by-id/usb-Arduino__www.arduino.cc_7583-A1.C2-if00": "/dev/serial/by-id/usb-Arduino_(hidden)-if00",
    "/dev/serial/by-id/usb-FTDI_UART_A_1-if00-port0": "/dev/serial/by-id/usb-FTDI_(hidden)-if00-port0",
    "usb-Maker_Model_with_8E6F": "usb-Maker_(hidden)",
    "HD Pro Webcam C920 (usb-0000:01:00.0-1.3)": "HD Pro Webcam C920 (usb-0000:01:00.0-1.3)",
    "usb-storage, usb 1-1.3: new device": "usb-storage, usb 1-1.3: new device",
}


@pytest.mark.parametrize(("written", "sent"), BY_ID.items())
def test_the_name_of_a_device_is_without_its_serial_number(written: str, sent: str) -> None:
    """docs/camera.md tells to name a camera so, and its serial number was in each support file."""
    for around in ("{}", "{}: no pictures", 'source = "{}"\n', "no camera at {}.\nAnother line", "({}, {})"):
        assert without_secrets(around.replace("{}", written)) == around.replace("{}", sent)


def test_a_support_file_has_no_serial_number_of_a_camera_that_is_named_by_it(tmp_path: Path) -> None:
    camera, box = list(BY_ID)[:2]
    toml = f'[camera]\nsource = "{camera}"\n[dice]\nport = "{box}"\n'
    text = supported(tmp_path, toml, machine(tmp_path), [f"camera {camera}: is it plugged in?"])
    assert "8E6F1A2B" not in text and "7583-A1" not in text and "is it plugged in?" in text


@pytest.mark.parametrize("wrong", ["", "ports = 1\n"], ids=["", "a wrong configuration"])
def test_a_support_file_has_no_names_of_colours_that_a_family_gave(wrong: str, tmp_path: Path) -> None:
    """On the set-up page a colour may be called by who plays it; the log says those names all evening."""
    put(tmp_path, "/games/boards/gloria/board.json", '{"seats": {"0": "Theodora", "1": "Red"}}')
    put(tmp_path, "/games/boards/gloria/sheet.json", '{"seats": {"0": "Ludwig"}}')
    put(tmp_path, "/games/boards/gloria.last/board.json", '{"seats": {"2": "o\'Brian"}}')
    put(tmp_path, "/games/boards/broken/board.json", '{"seats": [')
    put(tmp_path, "/games/boards/strange/board.json", "[3]")
    put(tmp_path, "/var/lib/companion/boards/aggravation-arms-6/board.json", '{"seats": {"5": "Kasimir"}}')
    put(tmp_path, "/own/sheet.json", '{"seats": {"0": "Ottilie", "1": "orange", "2": ""}}')
    toml = f'[journal]\nfolder = "games"\n[sheet]\npath = "own/sheet.json"\n{wrong}'
    findings = ["Theodora, Ludwig and Kasimir roll", "O'Brian's turn", "Ottilie throws, then red and orange. Red won"]
    text = supported(tmp_path, toml, machine(tmp_path), findings)
    assert not [name for name in ("Theodora", "Ludwig", "Brian", "Kasimir", "Ottilie") if name in text]
    assert "then red and orange. Red" in text


def test_commands_that_are_not_here_or_fail_say_nothing() -> None:
    assert ask(["no-such-command-anywhere"]) is None
    assert ask(["false"]) is None
    assert ask(["echo", "hello"]) == "hello\n"
