"""What the guides say agrees with the program: pins, commands, files that they point to."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.service.cli import _parser
from companion.service.config import EXAMPLE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_wiring_of_the_panel_is_that_of_the_example() -> None:
    drawn = {int(number) for number in re.findall(r"GPIO (\d+), pin", (ROOT / "docs/pictures/panel.svg").read_text())}
    panel = EXAMPLE.partition("[panel]")[2]
    lamps = re.findall(r"\d = (\d+)", panel.partition("{")[2].partition("}")[0])
    others = re.findall(r"^# \w+ = (\d+)", panel, re.MULTILINE)
    assert drawn == {int(number) for number in (*lamps, *others)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_points_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_holds_two_versions_of_itself(page: Path) -> None:
    """A merge that was not finished left its marks in one for a day."""
    assert re.findall(r"^(?:<{7} .*|={7}|>{7} .*)$", page.read_text(), re.MULTILINE) == []


def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_part_of_a_page_that_is_pointed_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text())
    pages = [(page.parent / name if name else page, part) for name, part in links]
    assert [part for other, part in pages if other.suffix == ".md" and part not in anchors(other)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_are_commands(page: Path) -> None:
    [commands] = [action.choices for action in _parser()._actions if action.choices]
    shown = re.findall(r"`(?:sudo )?(?:\./)?companion(?:\.sh)? ([a-z]+)", page.read_text())
    assert set(shown) - set(commands) - {"test"} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_below_more_is_there(page: Path) -> None:
    shown = "".join(path.read_text() for path in (ROOT / "companion/page/static").glob("*.js"))
    named = {name.strip() for name in re.findall(r"More → ([^*;→`]+)", page.read_text())}
    assert [name for name in named if f'"{name}"' not in shown] == []


PROGRAMS = sorted({name for page in PAGES for name in re.findall(r"python (tests/[\w/]+\.py)", page.read_text())})
BEGUN = "import runpy, sys; sys.path[:0] = [sys.argv[2]]; runpy.run_path(sys.argv[1], run_name='told')"


@pytest.mark.long(but=("tests/firmware/soak.py", "tests/games/rules_table.py"))
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_a_page_names_finds_all_that_it_needs(program: str) -> None:
    path = ROOT / program
    words = [sys.executable, "-c", BEGUN, str(path), str(path.parent)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
