"""A power cut at each moment of changing a board of one's own: the one before or the new one is there, whole."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from program import Program
from test_own_boards import GAME, VIEW, Table, a_board, a_draft, photo

from calibration.files import write_files
from companion.service.boards import setting_up
from companion.service.boards.configured import table_of
from companion.service.boards.kept_boards import after_a_cut, put_in_place

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


def cut_at(cutter: Cutter, folder: Path, moment: int, change: Callable[[], object]) -> bool:
    """Whether all was done before the cut."""
    cutter.folder, cutter.seen, cutter.at = str(folder), 0, moment
    try:
        change()
    except PowerCut:
        return False
    finally:
        cutter.at = -1
    return True


def board(folder: Path, photo: bytes, drawn: bytes) -> None:
    write_files({name: photo if name == "empty.png" else drawn for name in BOARD_FILES}, folder)


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in BOARD_FILES}


@pytest.mark.parametrize("photo", [b"the same", b"another"])
def test_one_of_two_boards_is_there_whole_and_the_first_is_kept_if_it_is_another(
    tmp_path: Path, cutter: Cutter, photo: bytes
) -> None:
    folder, new, last = tmp_path / "dash", tmp_path / "dash.new", tmp_path / "dash.last"
    done, moments = False, iter(range(100))
    while not done:
        for place in tmp_path.iterdir():
            shutil.rmtree(place)
        board(folder, b"the same", b"old")
        board(new, photo, b"new")
        old, fresh = files(folder), files(new)
        done = cut_at(cutter, tmp_path, next(moments), lambda: put_in_place(new, folder, photo == b"another"))
        after_a_cut(tmp_path)
        assert files(folder) in ((fresh,) if done else (old, fresh))
        assert (last.exists() and files(last) == old) == (photo == b"another" and files(folder) == fresh)
        assert not [*tmp_path.glob("*.old")]
    assert next(moments) > 3


def test_a_disk_that_cannot_be_written_keeps_no_table_from_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    board(tmp_path / "dash.old", b"the same", b"old")
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
    after_a_cut(tmp_path)
    assert "dash.old: this board cannot be put back in its place" in caplog.text


def test_each_file_of_a_board_is_there_whole(tmp_path: Path, cutter: Cutter) -> None:
    board(tmp_path, b"photo", b"old")
    done, moments = False, iter(range(100))
    while not done:
        done = cut_at(cutter, tmp_path, next(moments), lambda: board(tmp_path, b"photo", b"new"))
        assert {*files(tmp_path).values()} <= {b"photo", b"old", b"new"}
    assert next(moments) > 9 and files(tmp_path)["sheet.json"] == b"new"


@pytest.mark.long
@pytest.mark.parametrize("again", [True, False], ids=["changed on its own photo", "made on another"])
def test_a_table_begins_with_a_board_of_its_own_whatever_was_cut(
    tmp_path: Path, cutter: Cutter, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one was thrown away file by file before the new one was there: after a cut the table did not start."""
    monkeypatch.setattr(setting_up, "unseen_in_its_photo", lambda scene: "")  # takes its time
    table = Table(tmp_path, photo({}))
    a_board(table, VIEW.turn)
    table.frame = photo({}, VIEW)
    for moment in (10, 11, 12, 13, 14, 100):
        if not again:
            table.setup.take_photo()
        draft = table.setup.layout().draft if again else a_draft(10)
        assert draft is not None
        done = cut_at(cutter, tmp_path, moment, partial(table.setup.save, draft))
        after_a_cut(table.folder.parent)
        assert table_of(table.config, GAME).name.endswith("a board of your own"), moment
        table.anew()
    assert done


@pytest.mark.long
def test_the_program_puts_a_board_back_before_it_begins(tmp_path: Path) -> None:
    boards = tmp_path / "games" / "boards"
    board(boards / "dash.old", b"the same", b"old")
    program = Program(tmp_path)
    program.kill()
    assert [path.name for path in boards.iterdir()] == ["dash"]
