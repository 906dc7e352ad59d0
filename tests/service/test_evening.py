"""What befalls a table in an evening, shown on the real program: it goes on, accuses nobody, and loses nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from evening import Evening
from kills import kill_often

from companion.virtual.dicebox import Phase

pytestmark = [pytest.mark.timeout(400), pytest.mark.long]
one_evening = pytest.mark.xdist_group("one evening")
KILLS = 10


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """One evening on which one thing after the other happens."""
    made = Evening(tmp_path_factory.mktemp("evening"), seed=5)
    yield made
    made.leave()


def play_on(evening: Evening, turns: int = 2) -> None:
    """Wait until so many more turns were begun."""
    wanted = evening.tally.turns + turns
    evening.until(lambda: evening.tally.turns >= wanted, f"{turns} more turns")


def agree(evening: Evening) -> None:
    """Board and page are alike, nobody was accused, no roll was lost or taken twice."""
    evening.until(evening.agrees, "the page agrees with the board")
    assert evening.tally.false_accusations == []
    recorded = [number for (number,) in evening.rows("SELECT roll FROM entries WHERE kind = 'roll'")]
    made = [roll.id for roll in evening.box.box.made]
    assert len(recorded) == len(set(recorded)) and set(made[:-1]) <= set(recorded)


def test_kill_9_at_random_moments(tmp_path: Path) -> None:
    """An evening of ten kills; kills.py does as many as one likes."""
    evening = Evening(tmp_path, seed=12)
    try:
        killed = kill_often(evening, KILLS, random.Random(12))
    finally:
        evening.leave()
    assert killed.runs == KILLS and killed.announced > 0
    assert (killed.lost, killed.unrecorded, killed.twice, killed.accused) == (0, 0, 0, 0), str(killed)


@one_evening
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("unplugged", "no pictures any more"),
        ("stalled", "no pictures any more"),
        ("frozen", "frozen picture"),
        ("black", "black"),
        ("torn", "torn"),
    ],
)
def test_a_camera_that_fails_and_comes_back(evening: Evening, fault: str, said: str) -> None:
    play_on(evening, 1)
    evening.camera.fault = fault
    try:
        evening.until(lambda: (evening.program.view()["trouble"] or {}).get("kind") == "lost", "it is said")
        trouble = evening.program.view()["trouble"]
        assert said in trouble["text"], trouble["text"]
        assert evening.program.get("/health")["ok"], "the loop goes on"
        time.sleep(2)
    finally:
        evening.camera.fault = ""
    evening.until(lambda: evening.program.view()["trouble"] is None, "it is seen again")
    play_on(evening, 1)
    agree(evening)


def test_a_camera_that_is_there_only_later(tmp_path: Path) -> None:
    evening = Evening(tmp_path, seed=6, fault="unplugged")
    try:
        evening.until(lambda: "no pictures from" in evening.program.device("camera"), "it is said")
        evening.camera.fault = ""
        play_on(evening)
        agree(evening)
    finally:
        evening.leave()


@one_evening
@pytest.mark.parametrize("moment", [Phase.ARMED, Phase.SPIN, Phase.UNACKED])
def test_dice_that_are_unplugged_in_mid_roll(evening: Evening, moment: Phase) -> None:
    """The throw that was asked for is safe: it is made after, or was made and counts once."""
    play_on(evening, 1)
    end = time.monotonic() + 40
    while evening.box.box.phase is not moment:
        assert time.monotonic() < end, f"the box never came to {moment}"
        time.sleep(0.001)
    evening.box.unplug()
    try:
        # on a machine that is too slow they were given up before, as they seemed to be silent
        evening.until(lambda: not evening.program.works("dice"), "it is said that the dice are unplugged")
    finally:
        evening.box.replug()
    play_on(evening, 2)
    agree(evening)
