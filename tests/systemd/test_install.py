"""install.sh: what it says that it would do, what it puts where, and how it refuses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
UNITS = PROJECT / "systemd"
INSTALL = UNITS / "install.sh"
GOLDEN = Path(__file__).parent / "dry_run.txt"
SHELLS = (b"#!/bin/sh\n", b"#!/bin/bash\n")
SCRIPTS = sorted(
    path
    for path in UNITS.rglob("*")
    if path.is_file() and (path.suffix == ".sh" or path.read_bytes().startswith(SHELLS))
)


def install(*words: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ if path is None else {**os.environ, "PATH": path}
    command = [str(INSTALL), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)


def installed(root: Path) -> dict[str, str]:
    """The files under a root, with their mode."""
    return {f"/{p.relative_to(root)}": f"{p.stat().st_mode & 0o777:o}" for p in root.rglob("*") if p.is_file()}


def test_a_dry_run_says_each_step_and_changes_nothing() -> None:
    done = [install("--dry-run", *words) for words in (["--kiosk"], ["--uninstall"], ["--uninstall", "--purge"])]
    assert all(part.returncode == 0 and not part.stderr for part in done)
    said = "".join(part.stdout for part in done).replace(str(PROJECT), "PROJECT")
    assert re.sub("venv-[ab]", "venv-x", said) == GOLDEN.read_text()


def test_without_a_kiosk_nothing_of_it_is_installed() -> None:
    said = install("--dry-run", "--no-kiosk").stdout
    assert "cage" not in said and "chromium" not in said
    assert "rm -f /usr/local/bin/companion-kiosk" in said, "an earlier one is taken away"


def test_installed_twice_is_installed_once(tmp_path: Path) -> None:
    assert install("--root", tmp_path, "--kiosk").returncode == 0
    once = installed(tmp_path)
    assert install("--root", tmp_path, "--kiosk").returncode == 0
    assert installed(tmp_path) == once
    assert once["/usr/local/lib/systemd/system/companion.service"] == "644"
    assert once["/usr/local/bin/companion-kiosk"] == "755"


def test_uninstalled_it_leaves_games_and_configuration(tmp_path: Path) -> None:
    install("--root", tmp_path, "--kiosk")
    kept = {"/var/lib/companion/games.db", "/var/log/companion/companion.log", "/etc/companion/companion.toml"}
    for name in kept:
        (tmp_path / name[1:]).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name[1:]).write_text("mine")
    assert install("--root", tmp_path, "--uninstall").returncode == 0
    assert set(installed(tmp_path)) == kept
    assert install("--root", tmp_path, "--uninstall", "--purge").returncode == 0
    assert installed(tmp_path) == {}


@pytest.mark.parametrize("unit", ["companion.service", "companion-kiosk.service"])
def test_all_that_a_unit_names_is_installed(unit: str, tmp_path: Path) -> None:
    install("--root", tmp_path, "--kiosk")
    there = set(installed(tmp_path)) | {"/usr/local/bin/companion"}  # the last is a link that pip's environment needs
    text = (UNITS / unit).read_text()
    for command in re.findall(r"^Exec\w+=[+]?(companion[\w-]*)", text, re.M):
        assert f"/usr/local/bin/{command}" in there
    for name in re.findall(r"^PAMName=(.+)$", text, re.M):
        assert f"/etc/pam.d/{name}" in there
    for manual in re.findall(r"man:([\w-]+)\(1\)", text):
        assert f"/usr/local/share/man/man1/{manual}.1" in there
    assert f"/usr/local/lib/systemd/system/{unit}" in there
    assert f"/usr/local/lib/sysusers.d/{unit.replace('.service', '.conf')}" in there


def test_the_program_is_the_projects_command() -> None:
    assert 'companion = "companion.__main__:main"' in (PROJECT / "pyproject.toml").read_text()
    assert 'ln -sfn "$new/bin/companion" "$command"' in INSTALL.read_text()


# --- refusing ---

PI = {"dpkg": "echo arm64", "dpkg-query": "exit 1"}
"""Programs of a machine on which it may be installed."""


def stubs(folder: Path, **programs: str) -> str:
    """A PATH on which some programs are others; apt-get fails, so that nothing can be installed by mistake."""
    for name, script in {"id": "echo 0", "apt-get": "exit 1", **programs}.items():
        stub = folder / name
        stub.write_text(f"#!/bin/sh\n{script}\n")
        stub.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("programs", "said"),
    [
        ({"id": "echo 1000"}, "it must be root: sudo"),
        ({"dpkg": "echo armhf"}, "Write the 64-bit Raspberry Pi OS on the card"),
        (PI | {"dpkg-query": "echo 'install ok installed'"}, "sudo apt remove companion"),
        (PI | {"python3": "exit 1"}, "Companion needs Python 3.11 or newer"),
        (PI | {"apt-cache": "exit 1"}, "Is there a network, is the time right (date), is there room"),
        (PI | {"df": "echo header; echo / 4096 3700 396 91% /"}, "this card has 396 MB of room, and it takes 450"),
    ],
)
def test_a_place_where_it_cannot_be_is_refused_with_the_way_out(
    programs: dict[str, str], said: str, tmp_path: Path
) -> None:
    done = install("--no-kiosk", path=stubs(tmp_path, **programs))
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kiosc"], "--kiosc: unknown. There are"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--root"], "--root wants a folder"),
        (["--dry-run", "--uninstall", "--purge", "--root", ""], "--root wants a folder"),
        (["--dry-run", "--uninstall", "--purge", "--root="], "--root wants a folder"),
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str) -> None:
    done = install(*words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_wheel_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = install("--no-kiosk", tmp_path / "no.whl", path=stubs(tmp_path, **PI))
    assert done.returncode == 2 and "there is no such wheel" in done.stderr


# --- packages of the archive ---


def asked_of_apt(folder: Path, apt_get: str, apt_cache: str) -> tuple[list[str], str]:
    """What `apt-get install` is asked for, and what is said of it."""
    asking = f"echo \"$*\" >>'{folder}/asked'; {apt_get}"
    programs = PI | {"apt-get": asking, "apt-cache": apt_cache, "rm": "exit 1"}  # which comes next, and ends it
    done = install("--no-kiosk", path=stubs(folder, **programs))
    lines = (folder / "asked").read_text().splitlines()
    return [line.partition("--no-install-recommends ")[2] for line in lines if " install " in line], done.stdout


def test_a_package_that_others_only_mention_is_done_without(tmp_path: Path) -> None:
    purely_virtual = "echo \"N: Can't select versions from package '$2' as it is purely virtual\" >&2"
    asked, said = asked_of_apt(tmp_path, "exit 0", purely_virtual)
    assert len(asked) == 1 and "lgpio" not in asked[0]
    assert "python3-lgpio is not in this system's archive: done without." in said


def test_what_is_only_wanted_stops_nothing(tmp_path: Path) -> None:
    asked, said = asked_of_apt(tmp_path, "case \"$*\" in *picamera2*) exit 100 ;; esac", "echo Package: $2")
    assert asked[1:] == ["python3-lgpio", "python3-picamera2"]
    assert "python3-picamera2 could not be installed: done without." in said


# --- the first configuration, the scripts ---


def test_a_program_that_fails_gives_no_empty_configuration(tmp_path: Path) -> None:
    path = stubs(tmp_path, companion="exit 1")
    done = subprocess.run([UNITS / "first-config"], capture_output=True, env={"PATH": path})
    assert done.returncode == 1 and not done.stdout


def test_whatever_this_users_umask_the_referee_may_read_its_program(tmp_path: Path) -> None:
    path = stubs(tmp_path, **PI | {"apt-get": f"umask >'{tmp_path}/umask'; exit 1"})
    words = ["sh", "-c", f"umask 077; exec '{INSTALL}' --no-kiosk"]
    done = subprocess.run(words, capture_output=True, env={**os.environ, "PATH": path}, timeout=60)
    assert done.returncode == 2
    assert (tmp_path / "umask").read_text() == "0022\n"


def test_without_the_right_to_run_it_it_runs_by_its_shell(tmp_path: Path) -> None:
    """As it is where it came over a computer that knows no such right."""
    copy = tmp_path / "systemd"
    shutil.copytree(UNITS, copy)
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    done = subprocess.run(["sh", copy / "install.sh", "--root", tmp_path / "root"], capture_output=True, timeout=60)
    assert done.returncode == 0
    assert installed(tmp_path / "root")["/usr/local/lib/companion/first-config"] == "755"


def test_the_first_configuration_can_be_read(tmp_path: Path) -> None:
    from companion.service.config import EXAMPLE, read_config

    (tmp_path / "example.toml").write_text(EXAMPLE)
    path = stubs(tmp_path, companion=f"cat '{tmp_path}/example.toml'")
    done = subprocess.run([UNITS / "first-config"], capture_output=True, text=True, env={"PATH": path}, check=True)
    written = tmp_path / "companion.toml"
    written.write_text(done.stdout)
    config = read_config(written)
    assert config.journal_folder == Path("/var/lib/companion")
    assert config.page.port == 80


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('host = "0.0.0.0"\nport = 80', ".local/"),
        ('host = "0.0.0.0"\nport=80', ".local/"),
        ('  host = "0.0.0.0"\n  port  = 8080', ".local:8080/"),
        ("", ".local:8000/"),
        ("host = '127.0.0.1'\nport = 8000", "Its page: http://127.0.0.1:8000/"),
    ],
)
def test_the_last_words_name_the_address_that_is_configured(tmp_path: Path, page: str, said: str) -> None:
    """However it is written."""
    (tmp_path / "companion.toml").write_text(f"[page]\n{page}\n")
    script = (UNITS / "install.sh").read_text().replace('\nmain "$@"\n', "\n")
    (tmp_path / "install.sh").write_text(f"{script}\nconfig={tmp_path}/companion.toml; farewell\n")
    told = subprocess.run(["sh", tmp_path / "install.sh"], capture_output=True, text=True, check=True).stdout
    assert said in told and (("phone" in told) == (".local" in said)), told


def test_a_card_that_is_read_only_keeps_no_referee_from_its_start() -> None:
    """Where the folders could not be given to it systemd began it again and again, without a word on any page."""
    assert "ExecStartPre=+-chown " in (UNITS / "companion.service").read_text()


@pytest.mark.long(but=("first-config", "companion.sh"))
@pytest.mark.parametrize("script", [*SCRIPTS, UNITS.parent / "companion.sh"], ids=lambda path: path.name)
def test_a_script_has_no_pitfalls(script: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
