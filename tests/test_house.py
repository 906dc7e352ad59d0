"""The five laws of the house that a program can check: who imports whom, and what the pure rooms may touch."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {
    "model": set(),
    "games": {"model"},
    "referee": {"model", "games"},
    "vision": {"model", "numpy", "cv2"},
    "dice": {"model", "serial", "bleak"},
    "camera": {"model", "cv2", "numpy", "picamera2"},
    "decks": {"model"},
    "panel": {"model", "gpiozero"},
    "page": {"model", "flask", "waitress", "segno", "werkzeug"},
    "journal": {"model"},
    "virtual": {"model", "games", "referee", "vision", "dice", "camera", "panel", "page", "journal", "cv2", "numpy"},
}
"""Room → the rooms and packages that it may import, beyond itself and the standard library."""
VISION = {
    "view": set(),
    "finding": {"view"},
    "light": {"view"},
    "dice": {"view"},
    "board": {"view", "finding", "light"},
    "colors": {"view", "light", "board"},
    "reading": {"view", "light", "board", "colors"},
}
"""Chamber of the eyes → the chambers that it may import, beyond itself; the look puts all of them together."""
SERVICE = {
    "boards": set(),
    "addons": {"boards"},
    "table": {"addons", "boards"},
    "records": {"boards", "table"},
    "machine": {"addons", "boards"},
    "demo": {"boards", "machine", "table"},
}
"""Chamber of the service → the chambers that it may import, beyond itself; assembly and commands put all together."""
PURE = ("model", "games", "referee")
IMPURE = {"time", "threading", "random", "secrets", "asyncio", "datetime", "os", "socket", "subprocess"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports, in full."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{path.relative_to(ROOT)}:{node.lineno} imports by a relative name"
            found.add(node.module)
            if node.module == "companion":
                found |= {f"companion.{alias.name}" for alias in node.names}
    return found


def files(room: str) -> list[Path]:
    found = sorted((ROOT / "companion" / room).rglob("*.py"))
    assert found, f"there is no {room} any more"
    return found


def rooms(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}


def test_no_room_and_no_chamber_is_left_out_here() -> None:
    assert rooms(ROOT / "companion") == {*ROOMS, "service"}, "the front door may import all"
    assert rooms(ROOT / "companion" / "vision") == set(VISION)
    assert rooms(ROOT / "companion" / "service") == set(SERVICE)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_the_plan_allows(room: str) -> None:
    for path in files(room):
        for module in imports(path):
            parts = module.split(".")
            if parts[0] in sys.stdlib_module_names:
                continue
            name = parts[1] if parts[0] == "companion" and len(parts) > 1 else parts[0]
            assert name in ROOMS[room] | {room}, f"{path.relative_to(ROOT)} imports {module}"


@pytest.mark.parametrize("chamber", VISION)
def test_the_eyes_look_up_from_the_picture_to_the_reading_and_never_down(chamber: str) -> None:
    for path in files(f"vision/{chamber}"):
        for module in imports(path):
            if module.startswith("companion.vision"):
                name = [*module.split("."), "the look itself"][2]
                assert name in VISION[chamber] | {chamber}, f"{path.relative_to(ROOT)} imports {module}"


@pytest.mark.parametrize("chamber", SERVICE)
def test_the_chambers_of_the_service_do_not_import_each_other(chamber: str) -> None:
    for path in files(f"service/{chamber}"):
        for module in imports(path):
            name = ".".join(module.split(".")[2:3])
            if module.startswith("companion.service") and name in SERVICE:
                assert name in SERVICE[chamber] | {chamber}, f"{path.relative_to(ROOT)} imports {module}"


@pytest.mark.parametrize("room", PURE)
def test_the_pure_rooms_have_no_clock_thread_or_chance(room: str) -> None:
    for path in files(room):
        touched = {module.split(".")[0] for module in imports(path)} & IMPURE
        assert not touched, f"{path.relative_to(ROOT)} imports {sorted(touched)}"


def test_vision_does_not_know_the_game_and_games_do_not_know_pixels() -> None:
    for path in files("vision"):
        names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        assert not names & {"Due", "Roll", "Step", "Verdict"}, path


@pytest.mark.parametrize("folder", ["companion", "calibration"])
def test_every_module_begins_with_its_caption(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        caption = ast.get_docstring(ast.parse(path.read_text()))
        assert caption and caption.splitlines()[0].endswith((".", "…", "`.")), path


@pytest.mark.parametrize("folder", ["companion", "calibration"])
def test_functions_fit_on_a_card(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                assert length <= 50, f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {length} lines"
