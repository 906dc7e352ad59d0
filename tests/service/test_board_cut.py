"""A power cut at each moment of changing a board of one's own: the one before or the new one is there, whole."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_own_boards import GAME, VIEW, Table, a_board, a_draft, photo, start_of

from companion.service.boards import table_of
from companion.service.kept_boards import after_a_cut

TOUCHING = ("os.rename", "os.remove", "os.rmdir", "os.mkdir")


class PowerCut(BaseException):
    """Nothing of the program goes on."""


class Cutter:
    """Cuts before the `at`th change on the disk beneath `folder`, as Python's audit tells of it; a file that was being
    written is empty then. What `rmtree` removes it names without its folder."""

    def __init__(self) -> None:
        self.folder, self.at, self.seen = "", -1, 0

    def hear(self, event: str, given: tuple[Any, ...]) -> None:
        writing = event == "open" and isinstance(given[1], str) and "w" in given[1]
        if self.at < 0 or not (writing or event in TOUCHING):
            return
        if not str(given[0]).startswith(self.folder) and given[0] not in BOARD_FILES:
            return
        self.seen += 1
        if self.seen > self.at:
            self.at = -1
            if event == "open":
                Path(given[0]).write_bytes(b"")
            raise PowerCut(event, *given)


BOARD_FILES = ("empty.png", "empty.json", "board.json", "sheet.json", "preview.jpg")
CUTTER = Cutter()
sys.addaudithook(CUTTER.hear)


@pytest.fixture
def cutter() -> Iterator[Cutter]:
    yield CUTTER
    CUTTER.at = -1


def save_again(table: Table) -> None:
    kept = table.setup.layout().draft
    assert kept is not None and table.setup.save({**kept, "seats": {"1": "lime"}}).ok


def save_another(table: Table) -> None:
    table.frame = photo({}, VIEW)
    table.setup.take_photo()
    assert table.setup.save(a_draft(10)).ok


def learn_colors(table: Table) -> None:
    start = start_of(table.setup.scene.sheet, GAME)
    table.frame = photo({name: seat for seat, names in start.items() for name in names})
    table.setup.colors()


@pytest.mark.parametrize("change", [save_again, save_another, learn_colors], ids=lambda change: change.__name__)
def test_a_board_is_there_whatever_is_cut(tmp_path: Path, cutter: Cutter, change: Callable[[Table], None]) -> None:
    """The old one was thrown away file by file before the new one was there: after a cut the table did not start."""
    table = Table(tmp_path, photo({}))
    a_board(table, VIEW.turn)
    for moment in range(200):
        cutter.folder, cutter.seen, cutter.at = str(tmp_path), 0, moment
        try:
            change(table)
        except PowerCut:
            done = False
        else:
            done = True
        cutter.at = -1
        after_a_cut(table.folder.parent)
        assert table_of(table.config, GAME).name.endswith("a board of your own"), moment
        table.anew()
        assert table.setup.layout().draft is not None or change is save_another
        assert not [path.name for path in table.folder.parent.glob("*.old")]
        if done:
            break
    assert done and moment > 5
