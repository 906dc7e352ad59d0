"""The packages: what is in them, and what lintian says. Installed and purged they are by systemd/package/test.sh."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parents[2]
UNITS = PROJECT / "systemd"

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="packages are built with dpkg-deb")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run([UNITS / "package" / "build.sh", folder], check=True, capture_output=True, timeout=60)
    return {path.name.partition("_")[0]: path for path in folder.glob("*.deb")}


def contents(package: Path) -> set[str]:
    told = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
    return {line.split()[5].removeprefix(".") for line in told.splitlines()}


def field(package: Path, name: str) -> str:
    done = subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.long
def test_there_are_two_of_the_projects_version(packages: dict[str, Path]) -> None:
    wanted = re.search(r'^version = "(.+)"$', (PROJECT / "pyproject.toml").read_text(), re.M)
    assert wanted is not None
    assert set(packages) == {"companion", "companion-kiosk"}
    assert {field(package, "Version") for package in packages.values()} == {wanted[1]}
    assert {field(package, "Architecture") for package in packages.values()} == {"all"}


@pytest.mark.parametrize("name", ["companion", "companion-kiosk"])
def test_all_that_a_unit_names_is_in_the_package(packages: dict[str, Path], name: str) -> None:
    there = contents(packages[name])
    text = (UNITS / f"{name}.service").read_text()
    for command in re.findall(r"^Exec\w+=[+]?(companion[\w-]*)", text, re.M):
        assert f"/usr/bin/{command}" in there
    for pam in re.findall(r"^PAMName=(.+)$", text, re.M):
        assert f"/etc/pam.d/{pam}" in there
    for manual in re.findall(r"man:([\w-]+)\(1\)", text):
        assert f"/usr/share/man/man1/{manual}.1.gz" in there
    assert f"/usr/lib/systemd/system/{name}.service" in there
    assert f"/usr/lib/sysusers.d/{name}.conf" in there


def test_every_module_page_and_deck_is_in_the_package(packages: dict[str, Path]) -> None:
    there = contents(packages["companion"])
    for room in ("companion", "calibration"):
        for path in (PROJECT / room).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"/usr/lib/companion/{path.relative_to(PROJECT)}" in there
    assert not any("__pycache__" in name for name in there)


def test_what_its_pages_point_to_is_in_the_package(packages: dict[str, Path]) -> None:
    there = contents(packages["companion"])
    for page in (PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(((?:docs|pictures|examples)?/?[\w-]+\.\w+)[)#]", page.read_text()):
            path = (page.parent / link).relative_to(PROJECT)
            assert f"/usr/share/doc/companion/{path}" in there, page.name


def test_each_library_has_debians_package(packages: dict[str, Path]) -> None:
    names = re.search(r"^dependencies = \[(.*?)^\]", (PROJECT / "pyproject.toml").read_text(), re.M | re.S)
    assert names is not None
    debian = {"opencv-python-headless": "python3-opencv", "pyserial": "python3-serial", "fpdf2": "python3-fpdf"}
    debian |= {"resvg-py": "resvg"}
    depends = {word.split()[0] for word in field(packages["companion"], "Depends").split(", ")}
    libraries = re.findall(r'^  "([\w-]+)', names[1], re.M)
    assert "flask" in libraries
    for name in libraries:
        assert debian.get(name, f"python3-{name}") in depends


@pytest.mark.long
def test_beside_what_install_sh_made_it_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """What lies in /usr/local goes before what lies in /usr: the package would lie there and never run."""
    script = (UNITS / "package" / "companion.preinst").read_text().replace("/usr/local", str(tmp_path))
    for words in (["install"], ["install", "0.1.0"], ["upgrade", "0.1.0"]):
        done = subprocess.run(["sh", "-c", script, "preinst", *words], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    unit = tmp_path / "lib" / "systemd" / "system" / "companion.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    done = subprocess.run(["sh", "-c", script, "preinst", "install"], capture_output=True, text=True)
    assert done.returncode == 1 and "sudo sh systemd/install.sh --uninstall" in done.stderr


def test_its_scripts_are_in_the_package(packages: dict[str, Path], tmp_path: Path) -> None:
    for name, package in packages.items():
        subprocess.run(["dpkg-deb", "--control", package, tmp_path / name], check=True)
        scripts = list((UNITS / "package").glob(f"{name}.p*"))
        assert scripts
        for script in scripts:
            assert (tmp_path / name / script.suffix[1:]).read_bytes() == script.read_bytes()


@pytest.mark.long
def test_lintian_finds_no_fault(packages: dict[str, Path]) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("lintian is not installed")
    done = subprocess.run(
        ["lintian", "--fail-on", "error,warning", *map(str, packages.values())], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_resvgs_program_draws_as_its_wheel_does() -> None:
    if shutil.which("resvg") is None:
        pytest.skip("the program resvg is not installed")
    import importlib.util

    import resvg_py

    spec = importlib.util.spec_from_file_location("resvg_by_program", UNITS / "package" / "resvg_py.py")
    assert spec is not None and spec.loader is not None
    face = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(face)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#c22"/></svg>'
    pictures = [
        cv2.imdecode(np.frombuffer(bytes(draw(svg_string=svg, width=64, dpi=96)), np.uint8), cv2.IMREAD_UNCHANGED)
        for draw in (face.svg_to_bytes, resvg_py.svg_to_bytes)
    ]
    assert pictures[0].shape == (64, 64, 4)
    assert np.array_equal(*pictures)
