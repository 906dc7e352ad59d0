"""The real program and the system that it runs in: systemd, a second instance, the log, the disk, the clock."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from program import Program, stands

from companion.model import DueKind
from companion.model.table import DeviceView, TableView
from companion.service import running
from companion.service.machine.logbook import MOST
from companion.service.machine.supervisor import Supervisor
from companion.service.running import _introduce

pytestmark = pytest.mark.timeout(120)


def until(true: Callable[[], bool], what: str, patience: float = 15.0) -> None:
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    made.kill()


def test_systemd_is_told_that_it_is_up_alive_and_ending(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        address = tmp_path / "notify"
        systemd.bind(str(address))
        systemd.settimeout(10)
        program = Program(tmp_path, environment={"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "900000"})
        assert systemd.recv(1000).startswith(b"READY=1\nSTATUS=")
        fed = 0
        while fed < 4:
            fed += b"WATCHDOG=1" in systemd.recv(1000)
        program.process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        systemd.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                systemd.recv(1000)
        program.process.send_signal(signal.SIGCONT)
        systemd.settimeout(10)
        while b"WATCHDOG=1" not in systemd.recv(1000):
            pass
        assert program.end() == 0
        last = b""
        while b"STOPPING=1" not in last:
            last = systemd.recv(1000)


def test_the_watchdog_is_fed_thrice_within_its_patience_and_only_by_the_loop(tmp_path: Path) -> None:
    now = [100.0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        supervisor = Supervisor(str(tmp_path / "notify"), 30.0, lambda: now[0])
        told = []
        for second in range(60):
            now[0] = 100.0 + second
            supervisor.alive("Red to throw" if second < 45 else "Blue to throw")
            with contextlib.suppress(BlockingIOError):
                told.append((second, systemd.recv(1000).decode()))
    assert [second for second, text in told if "WATCHDOG=1" in text] == [0, 10, 20, 30, 40, 50]
    assert [second for second, text in told if "STATUS=" in text] == [0, 45]


@pytest.mark.long
def test_a_second_one_says_why_it_does_not_start(program: Program) -> None:
    words = [sys.executable, "-m", "companion", "run", "--config", str(program.config)]
    second = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert second.returncode == 2
    assert f"a Companion runs already for the games in {program.config.parent / 'games'}" in second.stderr
    assert f"process {program.process.pid}" in second.stderr and f"port {program.port}" in second.stderr
    assert program.roll(6, 6), "the first one goes on"


@pytest.mark.long
def test_after_a_kill_the_lock_is_free(program: Program) -> None:
    program.kill()
    program.begin()
    assert program.roll(6, 6)


@pytest.mark.long
def test_the_log_tells_of_the_evening_and_is_bounded(program: Program) -> None:
    log = program.config.parent / "games" / "log" / "companion.log"
    assert program.roll(6, 6) and program.roll(1, 2)
    until(lambda: '"verdict"' in log.read_text(), "the ruling is in the log")
    assert "Companion" in log.read_text().splitlines()[0]
    program.end()
    assert "Traceback" not in log.read_text()
    with log.open("a") as file:
        file.write("x" * MOST + "\n")
    program.begin()
    until(lambda: log.stat().st_size < MOST, "a full log turns over")
    assert log.with_name("companion.log.1").exists()


def ask_on(program: Program, path: str) -> None:
    """Follow a page until its end."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", program.port), timeout=10) as line:
        while True:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: table\r\n\r\n".encode())
            if not line.recv(1 << 16) or (path == "/api/events" and not line.makefile("rb").read()):
                return


@pytest.mark.long
def test_it_ends_without_an_error_while_pages_are_open(program: Program) -> None:
    log = program.config.parent / "games" / "log" / "companion.log"
    for _ in range(3):
        paths = ["/api/events"] * 12 + ["/api/view"] * 4
        pages = [threading.Thread(target=ask_on, args=(program, path)) for path in paths]
        for page in pages:
            page.start()
        until(lambda: program.get("/health")["streams"] == 12, "all streams are open")
        assert program.end() == 0
        for page in pages:
            page.join(timeout=10)
        program.begin()
    assert not [line for line in log.read_text().splitlines() if " ERROR " in line or "Canceling" in line]


@pytest.mark.long
def test_the_journal_that_was_damaged_is_rebuilt_and_that_is_said(program: Program) -> None:
    for dice in ((6, 6), (1, 2), (5, 3)):
        assert program.roll(*dice)
    before = program.view()
    assert program.end() == 0
    games = program.config.parent / "games" / "games.db"
    data = bytearray(games.read_bytes())
    data[:4096] = os.urandom(4096)
    games.write_bytes(data)
    program.begin()
    after = program.view()
    assert stands(after) == stands(before)
    assert any("was damaged" in line["text"] and "games.db.damaged-1" in line["text"] for line in after["plays"])
    assert games.with_name("games.db.damaged-1").read_bytes() == data


def mounted(folder: Path, options: str) -> None:
    """A disk of its own in `folder`; skips the test where this user may not mount."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip(f"this user may not mount a disk here: {done.stderr.decode().strip()}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    mounted(folder, "size=8m")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as ballast, pytest.raises(OSError, match="No space left"):
        while True:
            ballast.write(bytes(4096))


@pytest.fixture
def on_disk(tmp_path: Path, disk: Path) -> Iterator[Program]:
    """The program whose games are on that disk."""
    made = Program(tmp_path, games=str(disk))
    yield made
    made.kill()


def kept(program: Program, make_room: Callable[[], None]) -> tuple[Any, Any]:
    """What the page shows before there is room again and after a power cut: the game must stand as it stood."""
    before = program.view()
    make_room()
    until(lambda: program.device("journal") == "written", "when there is room again, all is written")
    program.kill()
    program.begin()
    after = program.view()
    assert stands(after) == stands(before)
    return before, after


@pytest.mark.long
def test_on_a_full_disk_the_game_goes_on_and_nothing_is_lost(on_disk: Program, disk: Path) -> None:
    assert on_disk.roll(6, 6)
    fill(disk)
    for _ in range(40):
        on_disk.roll(1, 2)
    until(lambda: "the disk is full: make room" in on_disk.device("journal"), "the page says that the disk is full")
    kept(on_disk, (disk / "ballast").unlink)


@pytest.mark.long
def test_a_service_that_starts_on_a_full_disk_writes_all_when_there_is_room(on_disk: Program, disk: Path) -> None:
    assert on_disk.roll(6, 6) and on_disk.roll(1, 2)
    on_disk.end()
    fill(disk)
    on_disk.begin()
    assert "the disk is full: make room" in on_disk.device("journal")
    for _ in range(10):
        on_disk.roll(1, 2)
    before, after = kept(on_disk, (disk / "ballast").unlink)
    assert len(after["plays"]) == len(before["plays"])


@pytest.mark.long
def test_on_a_disk_that_turned_read_only_the_game_goes_on_and_it_is_said(on_disk: Program, disk: Path) -> None:
    assert on_disk.roll(6, 6)
    before = on_disk.view()
    on_disk.end()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    on_disk.begin()
    assert "the card seems to be read-only" in on_disk.device("journal")
    assert "gone if the power goes" in on_disk.device("journal")
    after = on_disk.view()
    assert [after[key] for key in ("due", "roll")] == [before[key] for key in ("due", "roll")]
    assert on_disk.roll(1, 2)


class Card:
    """A card of its own with a real file system, which turns read-only at its first error, as those of a Pi do."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._image, self.device = folder / "card", folder / "card.img", ""
        with self._image.open("wb") as image:
            image.truncate(16 << 20)
        self._called("mkfs.ext4", "-q", "-F", str(self._image))
        self.folder.mkdir()

    def _called(self, *words: str) -> str:
        """Skips the test where this machine has no such thing."""
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no card can be pretended here: {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def put_in(self) -> None:
        self.device = self._called("losetup", "--find", "--show", str(self._image))
        self._called("mount", "-o", "errors=remount-ro", self.device, str(self.folder))

    def fail(self) -> None:
        """The kernel meets an error of the file system."""
        trip = Path("/sys/fs/ext4", Path(self.device).name, "trigger_fs_error")
        if not os.access(trip, os.W_OK):
            pytest.skip("this kernel's file systems do not fail when they are asked to")
        trip.write_text("the card is worn out")
        with pytest.raises(OSError, match="Read-only"):
            (self.folder / "probe").touch()

    def mend(self) -> None:
        """Take it out, copy what is on it to a new one, and put that in."""
        copied = self._image.with_name("new.img")
        with open(self.device, "rb") as old, copied.open("wb") as new:
            shutil.copyfileobj(old, new)
        self.take_out()
        self._image = copied
        subprocess.run(["e2fsck", "-f", "-y", str(copied)], capture_output=True)
        self.put_in()

    def take_out(self) -> None:
        """Also if it is in use, or not in."""
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)
        subprocess.run(["losetup", "--detach", self.device], capture_output=True)


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    if os.geteuid() or any(shutil.which(name) is None for name in ("losetup", "mkfs.ext4", "e2fsck", "mount")):
        pytest.skip("only root can make a card, with the tools for it")
    made = Card(tmp_path)
    try:
        made.put_in()
        yield made
    finally:
        made.take_out()


@pytest.mark.long
def test_a_card_that_turns_read_only_in_mid_game_and_is_mended(tmp_path: Path, card: Card) -> None:
    program = Program(tmp_path, games=str(card.folder))
    try:
        assert program.roll(6, 6) and program.roll(1, 2)
        before = len(program.view()["plays"])
        card.fail()
        for _ in range(10):
            program.roll(1, 2)
        until(lambda: "the card seems to be read-only" in program.device("journal"), "it is said")
        assert program.roll(6, 5) or program.roll(1, 2), "the game goes on"
        assert len(program.view()["plays"]) > before
        left, after = kept(program, card.mend)
        assert [line["text"] for line in after["plays"]] == [line["text"] for line in left["plays"]]
    finally:
        program.kill()


@pytest.mark.long
def test_the_time_of_day_may_jump_by_hours(tmp_path: Path) -> None:
    """A Raspberry Pi has no clock of its own: the network corrects it in mid-game."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not here")
    ahead = tmp_path / "clock"
    ahead.write_text("+0s")
    clock = {"FAKETIME_TIMESTAMP_FILE": str(ahead), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    program = Program(tmp_path, environment={"LD_PRELOAD": str(library), **clock})
    try:
        assert program.roll(6, 6)
        for jump in ("+7h", "-2d", "+30y"):
            ahead.write_text(jump)
            before = program.view()
            assert program.roll(1, 2) or program.roll(6, 5), jump
            assert program.view()["plays"] != before["plays"]
        left = program.view()
        program.kill()
        ahead.write_text("-1d")
        program.begin()
        after = program.view()
        assert stands(after) == stands(left)
    finally:
        program.kill()


class FakeHouse:
    """A table that is assembled anew once, and then serves until it is ended."""

    page = None

    def __init__(self, first: bool, ended: Callable[[], bool]) -> None:
        self.service, self.anew, self._ended = self, first, ended

    def view(self) -> TableView:
        return TableView(1, "parcheesi", "Parcheesi", (), 0, DueKind.ROLL, "Red to throw")

    def run(self) -> None:
        until(lambda: self.anew or self._ended(), "the second table hears the end")

    def close(self) -> None:
        """Nothing to let go."""


def test_each_table_of_an_evening_is_recorded_to_a_folder_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    assert [running.recorded_to(folder, number) for number in (1, 2)] == [folder, tmp_path / "evening-2"]
    assert running.recorded_to(None, 2) is None


@pytest.fixture
def handlers() -> Iterator[None]:
    """What signals do is as before after the test."""
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


def test_a_terminal_that_is_closed_ends_in_good_order_unless_it_is_to_go_on(handlers: None) -> None:
    ended: list[str] = []
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    running.end_on_signals(lambda: ended.append("terminal"))
    signal.raise_signal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    running.end_on_signals(lambda: ended.append("nohup"))
    signal.raise_signal(signal.SIGHUP)
    assert ended == ["terminal"]


def test_who_asks_again_ends_what_a_game_of_ones_own_holds_up(
    handlers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, ended = [0.0], list[str]()
    monkeypatch.setattr(running.time, "monotonic", lambda: now[0])
    running.end_on_signals(lambda: ended.append("asked"))
    for now[0] in (0.0, 1.0):  # an impatient hand ends nothing in disorder
        signal.raise_signal(signal.SIGINT)
    assert ended == ["asked", "asked"]
    now[0] += running.IN_GOOD_ORDER
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_signal_between_two_tables_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    built: list[FakeHouse] = []

    recorded: list[object] = []

    def build(config: object, record: object, alive: object, ended: Callable[[], bool], told: object) -> FakeHouse:
        recorded.append(record)
        built.append(FakeHouse(not built, ended))
        if len(built) == 2:
            signal.raise_signal(signal.SIGTERM)
        return built[-1]

    config = tmp_path / "companion.toml"
    config.write_text('[journal]\nfolder = "games"\n')
    monkeypatch.setattr(running, "build", build)
    assert running.run(config, tmp_path / "r", lambda line: None) == 0
    assert recorded == [tmp_path / "r", tmp_path / "r-2"]


@pytest.mark.long
def test_a_configuration_that_is_just_being_edited_ends_no_evening(program: Program) -> None:
    """Another board was put on the table, which is assembled anew then: the program ended, and did not begin again."""
    before, good = running.read_config(program.config), program.config.read_text()
    for slip in ("[game\n", '[game]\nname = "chess"\n', "[camera]\nlens = 3\n"):
        program.config.write_text(slip)
        config, (told,) = running.read_again(program.config, before)
        assert config is before
        assert told.startswith(f"The configuration was changed and cannot be used: {program.config}")
        assert told.endswith("The table goes on as it was until that is mended.")
    program.config.write_text(f'{good}pin = "1234"\n')
    config, told = running.read_again(program.config, before)
    assert config.page.pin == "1234" and not told


def test_an_output_that_fails_ends_no_evening(caplog: pytest.LogCaptureFixture) -> None:
    """Of nohup on a full card: another board was taken on the page, the table was assembled anew, and it ended."""

    def full(line: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    devices = [DeviceView("camera", "ok", "ok")]
    house: Any = SimpleNamespace(page=None, service=SimpleNamespace(view=lambda: SimpleNamespace(devices=devices)))
    with caplog.at_level("INFO"):
        _introduce(house, full)
    assert "camera   ok" in caplog.text
