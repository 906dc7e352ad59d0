"""A new game from the page: who plays, who begins, and what the eyes expect from then on."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from table import TestTable

from companion.journal import HOUSE, Journal, open_journal
from companion.model import DueKind, JournalError, Position


def unwatched(folder: Path, game: str = "parcheesi") -> TestTable:
    """A table whose camera gives no pictures."""
    table = TestTable(folder, game=game)
    table.camera.fault = "unplugged"
    table.start()
    return table


def set_up(table: TestTable) -> None:
    table.top.set_up(table.service.desk.bench.position)
    table.live(3.0)


def test_the_foul_of_one_who_joined_on_the_page_is_called(tmp_path: Path) -> None:
    """Of a table of two: the eyes took pieces of the others for doubtful, so that their fouls were asked about."""
    table = TestTable(tmp_path)
    table.live(1.0)
    assert table.ask("newgame", seats=(0, 1, 2, 3), first=1).ok
    set_up(table)
    assert table.ask("roll", dice=(5, 2)).ok
    table.move(1, next(pawn.space for pawn in table.top.pawns if pawn.seat == 1), "t22")
    assert table.live(6.0) == ["illegal"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.rules and trouble.rules[0][0].startswith("PAR-"), trouble


def test_after_a_restart_too_the_eyes_expect_those_who_play(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    assert table.ask("newgame", seats=(1, 3)).ok
    table.service.parts.journal.close()
    table.start()
    assert table.service.lookout.eyes.scene.players == {1, 3}


def test_a_new_game_that_cannot_be_leaves_the_old_one_as_it_is(tmp_path: Path) -> None:
    table = unwatched(tmp_path)
    number = table.service.desk.number
    answer = table.ask("newgame", first=1)
    assert not answer.ok and "nobody sits there" in answer.text
    journal = table.service.parts.journal
    assert [(game.id, game.ended) for game in journal.games()] == [(number, None)]
    journal.close()
    table.start()
    assert table.service.desk.number == number


def test_who_was_said_to_begin_chooses_the_set_up_and_moves_first(tmp_path: Path) -> None:
    """GOD-1, GOD-4: as if they had thrown highest."""
    table = unwatched(tmp_path, "game-of-god")
    answer = table.ask("newgame", seats=(0, 2), first=2)
    assert answer.ok and answer.text == "A new game begins. Black chooses which square stays vacant. Black begins."
    table.service.step()
    view = table.service.view()
    assert (view.due_kind, view.due) == (DueKind.MOVE, 2)


def test_without_that_it_is_thrown_for_the_set_up(tmp_path: Path) -> None:
    table = unwatched(tmp_path, "game-of-god")
    assert table.ask("newgame", seats=(0, 2)).text == "A new game begins."
    table.service.step()
    assert table.service.view().headline.startswith("Who chooses the set-up?")


def test_a_set_up_of_ones_own_choice_is_begun_with(tmp_path: Path) -> None:
    """The eyes see which square was left vacant, though nobody threw for it."""
    table = TestTable(tmp_path, game="game-of-god")
    assert table.ask("newgame", seats=(0, 2), first=0).ok
    usual = table.service.desk.bench.position
    vacant = {name: usual.at(name) for name in usual if name[0] != "h"}
    wanted = Position.of({f"{chr(ord(name[0]) + 1)}{name[1:]}": content for name, content in vacant.items()})
    assert wanted.at("h1") and not wanted.at("a1")
    table.top.set_up(wanted)
    table.live(6.0)
    bench = table.service.desk.bench
    assert bench.begun and bench.position == wanted


def test_on_a_full_disk_a_new_game_is_refused_and_the_old_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was marked as ended all the same, so that after a restart another one began."""
    table = unwatched(tmp_path)
    assert table.ask("roll", dice=(3, 1)).ok
    journal = table.service.parts.journal

    def full(*args: object) -> int:
        raise JournalError("the disk is full: make room")

    monkeypatch.setattr(journal, "begin_game", full)
    assert "the disk is full" in table.ask("newgame", first=0).text
    assert [(game.id, game.ended) for game in journal.games()] == [(1, None)]
    journal.close()
    table.start()
    assert table.service.desk.number == 1


def test_a_game_that_was_won_on_a_full_disk_is_known_as_won_once_there_is_room(tmp_path: Path) -> None:
    table = TestTable(tmp_path, {"0": [70, 71, 71, 71], "2": [-1] * 4})
    table.camera.fault = "unplugged"
    table.start()
    assert table.ask("roll", dice=(3, 1)).ok
    journal = table.service.parts.journal
    fill(journal)
    state = {**table.service.state(), "pieces": {"0": [71] * 4, "2": [-1] * 4}}
    state.pop("next", None)
    assert table.ask("position", state=state).ok and table.service.desk.bench.due.kind is DueKind.OVER
    make_room(journal)
    table.live(2.0)
    assert journal.healthy
    journal.close()
    with contextlib.closing(open_journal(journal.path)) as kept:
        assert kept.game(1).result == {"winners": [0]}


@pytest.mark.parametrize(("seats", "throws"), [((0, 2), 2), ((0, 1), 0)])
def test_who_is_configured_to_throw_first_does_in_every_game(
    tmp_path: Path, seats: tuple[int, int], throws: int
) -> None:
    """That held for the first game alone; where that player does not play, the first of the others throws first."""
    table = unwatched(tmp_path)
    table.service.parts.first = 2
    assert table.ask("newgame", seats=seats).ok
    table.service.step()
    assert (table.service.view().due_kind, table.service.view().due) == (DueKind.THROW, throws)


def fill(journal: Journal) -> None:
    """Let the disk be as full as can be."""
    [pages] = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    while journal.healthy:
        with contextlib.suppress(JournalError):
            journal.append(HOUSE, "view", {"x": "x" * 2000}, 0.0)


def make_room(journal: Journal) -> None:
    journal._db.execute("PRAGMA max_page_count=1073741823")
