"""The demo played for some turns: what it says of itself is true."""

from __future__ import annotations

import json
import queue
import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from program import free_port

from companion.games.catalogue import game_for
from companion.model import BadInput
from companion.model.table import Action, Answer
from companion.service.cli import main
from companion.service.config import Config, PageConfig
from companion.service.demo.demo import Demo, DemoOptions, PretendVoice
from companion.service.table.actions import SLOW


def rows(said: str) -> dict[str, int]:
    """The counts of the demo's table."""
    table = said[said.index("\nturns ") :].split("\n\n")[0]
    return {line[:24].strip(): int(line[24:]) for line in table.strip().splitlines()}


@pytest.mark.long
@pytest.mark.timeout(170)
def test_an_honest_demo_ends_clean_and_its_recording_replays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "recording"
    words = ["--headless", "--turns", "4", "--seed", "5", "--cheat", "0", "--speed", "2", "--record", str(record)]
    status = main(["demo", *words])
    said = capsys.readouterr().out
    assert status == 0, said
    accepted = rows(said)["plays accepted"]
    assert accepted > 0 and rows(said)["turns"] == 4
    assert main(["replay", str(record), "--json"]) == 0
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["verdict"] for line in verdicts].count("legal") >= accepted


UNCLEAN = ("plays not accepted", "fouls asked about", "fouls missed", "false accusations", "rolls lost")


@pytest.mark.timeout(170)
def test_a_demo_with_cheats_tells_the_truth_in_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["demo", "--headless", "--turns", "4", "--seed", "5", "--cheat", "0.8", "--speed", "3"])
    said = capsys.readouterr().out
    count = rows(said)
    assert count["fouls shown"] > 0 and count["fouls flagged"] > 0, said
    assert count["false accusations"] == count["rolls lost"] == 0, said
    assert status == (1 if any(count[name] for name in UNCLEAN) else 0), said


@pytest.mark.long
@pytest.mark.timeout(170)
def test_an_honest_demo_of_another_game_ends_clean(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "game-of-god", "--option", "size=8", "--headless", "--turns", "4", "--seed", "3"]
    status = main(["demo", *words, "--cheat", "0", "--speed", "1.5"])
    said = capsys.readouterr().out
    assert status == 0 and "The board is set up." in said, said
    assert rows(said)["plays accepted"] >= 4, said


@pytest.mark.long(but=("1",))
@pytest.mark.parametrize("lost", [0, 1])
def test_players_who_leave_while_a_roll_is_on_its_way_lose_none(lost: int) -> None:
    demo = Demo(DemoOptions(turns=1, seed=1, cheat=0.0, speed=6.0), Config(), lambda line: None, page=False)
    demo.tally.thrown = lost  # before
    demo.house.service.parts.heard_roll = demo.players_leave  # as it comes, and it is not counted any more
    tally = demo.run()
    assert (tally.thrown, tally.rolls) == (lost + 1, 0)
    assert tally.lost_rolls == lost and tally.clean is (lost == 0)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("page", [False, True])
def test_a_demo_whose_transcript_nobody_reads_any_more_ends_or_has_its_page(
    page: bool, caplog: pytest.LogCaptureFixture
) -> None:
    told = 0

    def say(line: str) -> None:
        nonlocal told
        told += 1
        if page and told == 3:
            demo.players_leave()
        if told > 1:
            raise BrokenPipeError

    config = Config(page=PageConfig(host="127.0.0.1", port=free_port()))
    demo = Demo(DemoOptions(turns=9, seed=1, speed=6.0), config, say, page=page)
    with nullcontext() if page else pytest.raises(BrokenPipeError):
        demo.run()
    assert told == 2 + page and "stumbled" not in caplog.text


def test_pretend_players_say_again_what_a_busy_referee_did_not_do() -> None:
    answers = [Answer(False, SLOW), Answer(False, SLOW), Answer(True, "Done."), Answer(False, "Not now.")]
    asked: queue.SimpleQueue[Action] = queue.SimpleQueue()

    def act(action: Action) -> Answer:
        asked.put(action)
        return answers.pop(0)

    voice = PretendVoice(MockFactory(), act, game_for("parcheesi", [0, 2], {}))
    voice.choose(1)
    voice.again()
    assert [asked.get(timeout=9).name for _ in range(4)] == ["dice", "dice", "dice", "newgame"]
    voice.close()


@pytest.mark.long
def test_what_a_killed_demo_leaves_is_cleared_away_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, beside = tmp_path / "companion-pretends-abcdefgh", tmp_path / "companion-pretends-of-mine"
    for folder in (left, beside):
        (folder / "pictures").mkdir(parents=True)
    demo = Demo(DemoOptions(seed=1), Config(), lambda line: None, page=False)
    assert not left.exists() and len([*tmp_path.iterdir()]) == 2
    demo.players_leave()
    demo.run()
    assert [*tmp_path.iterdir()] == [beside]
    with pytest.raises(BadInput):  # what cannot be leaves nothing either
        Demo(DemoOptions(options={"no": 1}), Config(), lambda line: None, page=False)
    assert [*tmp_path.iterdir()] == [beside]
