"""companion.sh: a set-up that failed says so, is not taken for done, and is done at the next start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
FAILED = "The set-up failed. Is there a network? Then run this again."
PYTHON = """#!/bin/sh
# Makes environments in which pip works while there is a file "network", and notes what it was asked to install.
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && rm -f "$HERE/upgraded" ;;
    "-m pip --version") [ -x "$0" ] && [ ! -e "$HERE/upgraded" ] ;;
    *"import companion") [ ! -e "$HERE/upgraded" ] ;;
    "-m pip install "*)
        echo "resumes=$PIP_RESUME_RETRIES only_binary=$PIP_ONLY_BINARY" >"$HERE/asked"
        [ -e "$HERE/network" ] || { echo "no network" >&2; exit 1; }
        echo "$*" >>"$HERE/installed"
        printf '#!/bin/sh\\necho "companion $*"\\n' >"${0%/*}/companion"
        chmod +x "${0%/*}/companion" ;;
    "-m pytest"*) echo "$*" ;;
esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("companion.sh", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path / name)
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return tmp_path


def started(project: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HERE": str(project), "PYTHON": str(project / "python"), **more}
    command = [str(project / "companion.sh"), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def test_without_a_network_the_set_up_fails_in_a_sentence_and_is_done_when_there_is_one(project: Path) -> None:
    for _ in range(2):
        done = started(project, "config")
        assert done.returncode == 2 and FAILED in done.stderr
        assert not (project / ".venv" / "companion-main").exists()
    (project / "network").touch()
    done = started(project, "config")
    assert (done.returncode, done.stdout) == (0, "companion config\n")
    (project / "network").unlink()
    assert started(project, "config").stdout == "companion config\n", "it was set up, and needs no network"


@pytest.mark.parametrize("words", [["config"], ["test", "-q"]])
def test_an_upgrade_without_a_network_is_said_and_made_up_for(project: Path, words: list[str]) -> None:
    (project / "network").touch()
    assert started(project, *words).returncode == 0
    (project / "network").unlink()
    with (project / "pyproject.toml").open("a") as file:
        file.write("# another library\n")
    for _ in range(2):
        done = started(project, *words)
        assert done.returncode == 2 and FAILED in done.stderr and not done.stdout
    (project / "network").touch()
    assert started(project, *words).returncode == 0
    assert len((project / "installed").read_text().splitlines()) == 2


def test_a_stamp_without_a_program_is_not_believed(project: Path) -> None:
    (project / "network").touch()
    assert started(project, "config").returncode == 0
    (project / ".venv" / "bin" / "companion").unlink()
    assert started(project, "config").returncode == 0


def test_after_an_upgrade_of_the_system_s_python_it_is_set_up_anew(project: Path) -> None:
    (project / "network").touch()
    assert started(project, "config").returncode == 0
    (project / "upgraded").touch()
    for _ in range(2):
        done = started(project, "config")
        assert (done.returncode, done.stdout) == (0, "companion config\n")
    assert len((project / "installed").read_text().splitlines()) == 2


def test_it_may_be_called_by_a_link_from_anywhere(project: Path) -> None:
    (project / "network").touch()
    (project / "bin").mkdir()
    (project / "bin" / "referee").symlink_to(project / "companion.sh")
    words = [str(project / "bin" / "referee"), "config"]
    environment = {**os.environ, "HERE": str(project), "PYTHON": str(project / "python")}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=120, cwd="/")
    assert (done.returncode, done.stdout) == (0, "companion config\n")
    assert (project / ".venv").is_dir() and [path.name for path in (project / "bin").iterdir()] == ["referee"]


@pytest.mark.long
def test_the_pip_of_python_itself_without_a_network(project: Path) -> None:
    done = started(project, "config", PYTHON=sys.executable, PIP_CONFIG_FILE="/dev/null", PIP_NO_INDEX="1")
    assert done.returncode == 2 and FAILED in done.stderr
    assert not (project / ".venv" / "companion-main").exists()


def on_the_path(folder: Path, name: str, script: str) -> str:
    """A PATH on which a program is another."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_a_disk_without_room_is_said_before_it_is_filled(project: Path) -> None:
    (project / "network").touch()
    full = on_the_path(project / "stubs", "df", "echo header; echo tmpfs 204800 4096 200704 2% /")
    done = started(project, "config", PATH=full)
    assert done.returncode == 2 and "takes some 450 MB" in done.stderr and FAILED not in done.stderr
    assert not (project / ".venv").exists()
    assert started(project, "config").returncode == 0
    assert started(project, "config", PATH=full).returncode == 0, "what is set up needs no room"


def test_opencv_is_not_compiled_and_a_torn_download_goes_on(project: Path) -> None:
    (project / "network").touch()
    assert started(project, "config").returncode == 0
    assert (project / "asked").read_text() == "resumes=9 only_binary=numpy,opencv-python-headless\n"


def test_a_system_of_32_bits_is_named_where_the_set_up_failed(project: Path) -> None:
    python = project / "python"
    assert "32-bit" not in started(project, "config").stderr
    python.write_text(python.read_text().replace('case "$*" in', 'case "$*" in *maxsize*) echo 0 ;;', 1))
    done = started(project, "config")
    assert done.returncode == 2 and "This is a 32-bit system" in done.stderr


def test_scripts_that_came_over_a_computer_with_other_line_ends_still_run() -> None:
    """A clone on Windows would write them with its own, at which every shell here stumbles."""
    if shutil.which("git") is None or not (PROJECT / ".git").exists():
        pytest.skip("this is no clone")
    scripts = ["companion.sh", "systemd/install.sh", "systemd/first-config", "systemd/companion_kiosk.py"]
    told = subprocess.run(["git", "check-attr", "eol", "--", *scripts], cwd=PROJECT, capture_output=True, text=True)
    assert told.stdout.splitlines() == [f"{name}: eol: lf" for name in scripts]
