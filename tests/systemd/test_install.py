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
    assert f"/usr/local/lib/systemd/system/{unit}" in there
    assert f"/usr/local/lib/sysusers.d/{unit.replace('.service', '.conf')}" in there


def test_the_program_is_the_projects_command() -> None:
    assert 'companion = "companion.service.cli:main"' in (PROJECT / "pyproject.toml").read_text()
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
        (PI | {"apt-cache": "exit 1"}, "Is there a network? Then run this again"),
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
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str) -> None:
    done = install(*words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_wheel_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = install("--no-kiosk", tmp_path / "no.whl", path=stubs(tmp_path, **PI))
    assert done.returncode == 2 and "there is no such wheel" in done.stderr


# --- the first configuration, the scripts ---


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


@pytest.mark.parametrize("script", [*SCRIPTS, UNITS.parent / "companion.sh"], ids=lambda path: path.name)
def test_a_script_has_no_pitfalls(script: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
