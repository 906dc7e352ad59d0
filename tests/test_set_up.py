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
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip --version") [ -x "$0" ] ;;
    "-m pip install "*)
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


def test_the_pip_of_python_itself_without_a_network(project: Path) -> None:
    done = started(project, "config", PYTHON=sys.executable, PIP_CONFIG_FILE="/dev/null", PIP_NO_INDEX="1")
    assert done.returncode == 2 and FAILED in done.stderr
    assert not (project / ".venv" / "companion-main").exists()
