"""Which game goes on when the service begins: the one that was left, unless another was configured since."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from program import Program, stands
from table import TestTable

from companion.games.catalogue import game_for
from companion.journal import Journal, open_journal
from companion.journal.export import recording
from companion.model import Answered, DueKind, Roll, Rolled, Thrown, Word
from companion.service.boards.configured import table_for
from companion.service.config import config_from
from companion.service.table import desk as desk_room
from companion.service.table.desk import Desk
from companion.service.table.loop import Service
from companion.service.table.seating import seat_down

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue"}


def start(folder: Path, **game: Any) -> Desk:
    """The desk of a service that begins with that configuration."""
    config = config_from({"game": game})
    configured = game_for(config.game.name, config.game.seats, config.game.options)
    return seat_down(config, configured, table_for(config, configured), open_journal(folder / "games.db"))


def left(folder: Path, start: dict[str, Any] | None = None, **game: Any) -> Journal:
    """A journal with a game in which two throws were made."""
    journal = open_journal(folder / "games.db")
    played = game_for(game.get("name", "parcheesi"), game.get("seats", (0, 2)), game.get("options", {}))
    desk = Desk.new(journal, played, NAMES, 0, **(start or {}))
    desk.tell(Thrown(1.0, 0, 5))
    desk.tell(Thrown(2.0, 2, 3))
    return journal


def test_a_game_with_seats_that_were_chosen_on_the_page_goes_on(tmp_path: Path) -> None:
    left(tmp_path, {"configured": (0, 1, 2, 3)}).close()
    desk = start(tmp_path, seats=[0, 1, 2, 3])
    assert (desk.number, desk.bench.game.seats, desk.rolls) == (1, (0, 2), 2)
    assert desk.bench.rolloff is None and not desk.journal.notes
    assert "configured" not in recording(desk.journal.game(1)), "it is of the table, not of the game"


def test_a_game_of_a_journal_that_does_not_tell_what_was_configured_goes_on(tmp_path: Path) -> None:
    left(tmp_path).close()
    assert start(tmp_path, seats=[0, 1, 2, 3]).number == 1


def test_a_game_before_the_last_is_not_open_any_more(tmp_path: Path) -> None:
    """The power went while a new game was begun: the one before was called open for good, as if it could go on."""
    left(tmp_path).close()
    left(tmp_path, {"configured": (0, 2)}).close()
    desk = start(tmp_path, seats=[0, 2])
    first, last = desk.journal.games()
    assert desk.number == last.id and last.ended is None
    assert first.ended is not None and first.result == {"left": True}


GLORIA = {"name": "gloria", "seats": [0, 2]}
MARBLES, STACKS = GLORIA | {"name": "aggravation"}, GLORIA | {"name": "game-of-god"}


@pytest.mark.parametrize(
    ("begun", "configured"),
    [
        (GLORIA, GLORIA | {"options": {"home": "spaces", "six_again": False}}),
        (GLORIA | {"options": {"opening_dice": 1}}, GLORIA),
        (GLORIA, GLORIA | {"seats": [2, 0]}),
        (MARBLES, MARBLES | {"options": {"arms": 4}}),
        (MARBLES | {"options": {"play": "single"}}, MARBLES),
        (STACKS, STACKS | {"options": {"size": 8}}),
    ],
)
def test_a_game_goes_on_where_what_is_usual_is_spelt_out_or_left_out(
    tmp_path: Path, begun: dict[str, Any], configured: dict[str, Any]
) -> None:
    """Whoever wrote down what held anyway ended the game in play."""
    left(tmp_path, {"configured": begun["seats"]}, **begun).close()
    desk = start(tmp_path, **configured)
    assert desk.number == 1 and not desk.journal.notes


@pytest.mark.parametrize(
    ("begun", "configured", "said"),
    [
        (GLORIA, GLORIA | {"seats": [0, 1]}, "Other colours were configured"),
        (GLORIA, GLORIA | {"options": {"opening_dice": 3}}, "Other options were configured"),
        (GLORIA, {"seats": [0, 2]}, "Another game was configured"),
    ],
)
def test_a_game_is_put_aside_when_another_is_configured_and_that_is_said(
    tmp_path: Path, begun: dict[str, Any], configured: dict[str, Any], said: str
) -> None:
    left(tmp_path, {"configured": begun["seats"]}, **begun).close()
    desk = start(tmp_path, **configured)
    assert desk.number == 2
    assert desk.journal.notes == (f"{said} since game 1 was begun: it is in the journal, and a new one begins.",)
    assert desk.journal.game(1).result == {"left": True}


@pytest.mark.long
def test_a_new_game_of_other_seats_on_the_page_is_there_after_a_power_cut(tmp_path: Path) -> None:
    program = Program(tmp_path, config='[camera]\nsource = "none"\n[dice]\nport = "none"\n')
    try:
        assert program.act("newgame", seats=[0, 2], first=2)["ok"] and program.roll(5, 3)
        before = program.view()
        assert (before["due"], len(before["seats"])) == (2, 2)
        program.kill()
        program.begin()
        assert stands(program.view()) == stands(before) and program.view()["seats"] == before["seats"]
    finally:
        program.kill()


def stumbles(over: type[Word]) -> Callable[..., Any]:
    """A referee with a fault: it stumbles over words of that kind."""
    tell = desk_room.tell

    def faulty(bench: Any, word: Word) -> Any:
        if isinstance(word, over):
            raise IndexError("tuple index out of range")
        return tell(bench, word)

    return faulty


def test_a_word_over_which_the_referee_stumbles_does_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = left(tmp_path, {"configured": (0, 2)})
    desk = Desk.resume(journal, NAMES)
    assert desk is not None
    desk.tell(Rolled(3.0, Roll((5, 3))))
    with monkeypatch.context() as patch, pytest.raises(IndexError):
        patch.setattr(desk_room, "tell", stumbles(Answered))
        desk.tell(Answered(4.0, True))
    journal.close()
    monkeypatch.setattr(desk_room, "tell", stumbles(Answered))
    again = start(tmp_path, seats=[0, 2])
    assert (again.number, again.bench.due) == (1, desk.bench.due) and again.bench.turn.dice == (5, 3)
    assert "could not be heard again" in again.journal.notes[0]


def test_a_game_that_cannot_go_on_at_all_is_put_aside_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left(tmp_path, {"configured": (0, 2)}).close()

    def broken(*_: Any) -> None:
        raise IndexError("tuple index out of range")

    with monkeypatch.context() as patch:
        patch.setattr(desk_room, "start_of", broken)
        desk = start(tmp_path, seats=[0, 2])
    assert desk.number == 2
    [note] = desk.journal.notes
    assert "Game 1 could not go on (tuple index out of range)" in note and "Set the position" in note
    assert desk.journal.game(1).result == {"left": True, "why": "tuple index out of range"}
    assert start(tmp_path, seats=[0, 2]).number == 2, "at the next start that one goes on"


def won(folder: Path) -> TestTable:
    """A table at which red has just won."""
    table = TestTable(folder, {"0": [70, 71, 71, 71], "2": [-1, -1, 5, 7]})
    table.live(2.0)
    assert table.ask("roll", dice=(1, 2)).ok
    table.move(0, "lane0.7", "home0")
    assert table.live(4.0)[-1] == "over" and table.service.view().winner == (0,)
    return table


def again(table: TestTable) -> Service:
    """The service begins again at that table."""
    table.service.parts.journal.close()
    desk = start(table.folder, seats=[0, 2])
    parts = replace(table.service.parts, journal=desk.journal)
    table.clock.move_to(desk.last_time + 1)
    table.service = Service(parts, desk)
    return table.service


@pytest.mark.long
def test_who_won_is_shown_after_a_restart_while_the_board_is_packed_away(tmp_path: Path) -> None:
    table = won(tmp_path)
    before = table.service.view()
    view = again(table).view()
    assert (view.winner, view.headline, view.due_kind) == (before.winner, before.headline, DueKind.OVER)
    assert view.plays[0].text == before.plays[0].text and view.actions == before.actions
    table.top.pawns.clear()
    assert table.live(6.0) == [] and table.service.view().trouble is None
    assert table.ask("newgame", seats=(0, 2)).ok
    table.live(0.2)
    assert table.service.parts.journal.game(1).result == {"winners": [0]}, "it was not left"
    assert table.service.view().winner == () and again(table).desk.number == 2


@pytest.mark.long
def test_a_play_that_won_and_was_taken_back_is_still_so_after_a_restart(tmp_path: Path) -> None:
    table = won(tmp_path)
    assert table.ask("takeback").ok
    table.live(0.2)
    assert table.service.view().winner == ()
    fresh = again(table)
    assert (fresh.desk.number, fresh.desk.bench.due.kind, fresh.view().winner) == (1, DueKind.PLAY, ())


@pytest.mark.long
def test_another_evening_begins_with_a_game_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = won(tmp_path)
    now = time.time()
    monkeypatch.setattr("companion.service.table.seating.time.time", lambda: now + 13 * 3600)
    assert again(table).desk.number == 2


@pytest.mark.long
def test_who_won_another_game_than_is_configured_now_is_not_shown(tmp_path: Path) -> None:
    won(tmp_path).service.parts.journal.close()
    assert start(tmp_path, **GLORIA).number == 2


@pytest.mark.long
def test_who_takes_back_a_win_after_a_restart_is_asked_for_the_set_up_before_anything_is_judged(tmp_path: Path) -> None:
    table = won(tmp_path)
    again(table)
    table.top.pawns.clear()
    table.live(3.0)
    assert table.ask("takeback").ok
    assert table.live(5.0) == ["unclear"]
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.text.startswith("To go on, please set up the board")
    table.top.set_up(table.service.desk.bench.position)
    assert table.live(4.0) == [] and table.service.view().headline == "Red, move 1 and 2."
