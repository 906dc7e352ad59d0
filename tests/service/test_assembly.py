"""What the configuration says of the game reaches the table: the deck and the members of teams."""

import gc
import random
import resource
import threading
import time
import weakref
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import pytest
from program import free_port
from table import HandClock

from companion.camera import PictureFolder
from companion.games.catalogue import game_for
from companion.games.gloria import Gloria
from companion.model import ConfigError, DeckError
from companion.service import assembly
from companion.service.assembly import build
from companion.service.boards.configured import printed_board, table_for
from companion.service.cli import main
from companion.service.clock import Clock
from companion.service.config import config_from, config_of
from companion.service.demo.demo import a_view
from companion.service.meaning import members_of, questions_of
from companion.service.paced import Paced
from companion.virtual.painter import Painter

GLORIA = game_for("gloria", (0, 2))


def config(**game: object):
    return config_from({"game": {"name": "gloria", "seats": [0, 2], **game}})


def test_questions_come_from_cards_the_built_in_deck_or_a_file(tmp_path: Path) -> None:
    assert questions_of(config(), GLORIA) == ()
    assert len(questions_of(config(deck="builtin"), GLORIA)) > 50
    (tmp_path / "ours.csv").write_text("question,answer\nHow many legs has a spider?,Eight\n")
    assert questions_of(config(deck=str(tmp_path / "ours.csv")), GLORIA)[0].answer == "Eight"


def test_a_game_of_other_people_that_asks_questions_takes_them_from_a_deck() -> None:
    """It was told that it has none: Gloria was asked for by its name."""
    quiz = type("Quiz", (Gloria,), {"name": "quiz", "title": "Quiz"})((0, 2), {})
    assert len(questions_of(config(deck="builtin"), quiz)) > 50


def test_a_deck_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("question,answer\nHow many legs has a spider?,\n")
    with pytest.raises(DeckError, match=r"bad\.csv"):
        questions_of(config(deck=str(tmp_path / "bad.csv")), GLORIA)
    with pytest.raises(ConfigError, match="no questions"):
        questions_of(config_from({"game": {"deck": "builtin"}}), game_for("parcheesi", (0, 2)))


def test_members_are_named_by_colour() -> None:
    table = table_for(config(), GLORIA)
    assert members_of(config(members={"red": ["Ann", "Bob"]}), table, GLORIA) == {0: ("Ann", "Bob")}
    with pytest.raises(ConfigError, match="nobody plays 'green'; at the table are red, yellow"):
        members_of(config(members={"green": ["Ann"]}), table, GLORIA)


def test_members_are_named_by_the_printed_boards_colours_on_any_board() -> None:
    """Who called red ruby on the set-up page ended the service for good: it did not know "red" any more."""
    table = table_for(config(), GLORIA)
    ruby = replace(table, sheet=replace(table.sheet, seat_names={0: "ruby", 2: "red"}))
    assert members_of(config(members={"yellow": ["Cleo"]}), ruby, GLORIA) == {2: ("Cleo",)}
    assert members_of(config(members={"ruby": ["Ann"], "red": ["Cleo"]}), ruby, GLORIA) == {0: ("Ann",), 2: ("Cleo",)}
    with pytest.raises(ConfigError, match="'yellow' is named twice: this board calls it 'red'"):
        members_of(config(members={"red": ["Cleo"], "yellow": ["Dan"]}), ruby, GLORIA)


def memory() -> float:
    """Megabytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


@pytest.mark.long
def test_a_table_that_is_assembled_anew_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    """In a process of its own: one that ran many tests has a heap that may grow for anything."""
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        left, sizes = alone.submit(assembled_anew, tmp_path, 20).result()
    assert left == 0
    assert sizes[-1] - sizes[4] < 40, sizes


def assembled_anew(folder: Path, times: int) -> tuple[int, list[float]]:
    """Assemble a table so many times: how many boards are still kept, and the megabytes after each."""
    sheet, texture, _ = printed_board("parcheesi")
    view = replace(a_view(random.Random(1), sheet.width), width=800, height=600)
    eye = Painter(sheet, texture, view, np.random.default_rng(1))
    (folder / "seen").mkdir()
    cv2.imwrite(str(folder / "seen" / "0001.png"), eye.paint([]))
    camera, page = {"source": str(folder / "seen")}, {"host": "127.0.0.1", "port": free_port()}
    journal = {"folder": str(folder / "games")}
    settings = config_from({"camera": camera, "dice": {"port": "none"}, "journal": journal, "page": page})
    scenes, sizes = [], []
    for _ in range(times):
        house = build(settings)
        while house.service.live() is None:
            house.service.step()
        scenes.append(weakref.ref(house.table.scene))
        house.close()
        del house
        gc.collect()
        sizes.append(memory())
    return sum(scene() is not None for scene in scenes), sizes


@pytest.mark.long
def test_a_table_of_an_empty_configuration_says_so(tmp_path: Path) -> None:
    """It was another table than its owner's, without its PIN, and nothing on it told why."""
    empty = config_of(b"", tmp_path, "companion.toml")
    game = game_for("parcheesi", (0, 1, 2, 3))
    [said] = assembly._warnings(empty, game, table_for(empty, game))
    assert said.startswith("companion.toml is empty, so all is as it comes")
    assert assembly._warnings(config_of(b"# as it comes", tmp_path, ""), game, table_for(empty, game)) == ()


def test_a_demo_that_is_over_leaves_no_thread_that_would_keep_its_table() -> None:
    before = set(threading.enumerate())
    assert main(["demo", "--headless", "--turns", "1", "--seed", "1", "--cheat", "0", "--speed", "6"]) == 0
    end = time.monotonic() + 10
    while left := set(threading.enumerate()) - before:
        assert time.monotonic() < end, left
        time.sleep(0.05)


def test_a_folder_of_pictures_is_shown_to_its_end_each_once_and_the_last_one_stays(tmp_path: Path) -> None:
    for number in range(40):
        cv2.imwrite(str(tmp_path / f"{number * 100:08d}.png"), np.full((4, 4, 3), number, np.uint8))
    clock, shown, times = HandClock(), [], []
    clock.move_to(5.324914171993441)
    paced = Paced(PictureFolder(tmp_path), clock)
    for _ in range(600):
        if (frame := paced.newest(times[-1] if times else None)) is not None:
            shown.append(int(frame.image[0, 0, 0]))
            times.append(frame.at)
        clock.move_to(clock.now() + 0.01)
    assert shown[:40] == list(range(40)) and 5 <= len(shown[40:]) <= 10 and set(shown[40:]) == {39}
    assert times == sorted(set(times)) and times[-1] <= clock.now()


def test_a_still_is_a_table_on_which_nothing_happens(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((4, 4, 3), 7, np.uint8))
    paced = Paced(PictureFolder(tmp_path), Clock())
    frames = paced.frames()
    assert [int(next(frames).image[0, 0, 0]) for _ in range(3)] == [7, 7, 7]
    paced.close()
    assert list(frames) == []
