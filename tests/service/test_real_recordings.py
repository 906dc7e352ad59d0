"""The recorded games beside the project, against their truth. Skipped where the pictures are not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.service.naming import board_names
from companion.service.records.recording import open_recording
from companion.service.records.replay import replay, scene_of
from companion.service.records.verdict_json import verdict_json

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "pictures" / "recordings"
GAMES = ("parcheesi-lamp", "gloria-window")
LATE = 0.6
"""Seconds after a board was last seen still in which a verdict still belongs to it."""

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the recorded games are not beside the project")


@pytest.fixture(scope="module", params=GAMES)
def folder(request: pytest.FixtureRequest) -> Path:
    return FOLDER / str(request.param)


@pytest.fixture(scope="module")
def verdicts(folder: Path) -> list[dict[str, Any]]:
    recording = open_recording(folder)
    scene = scene_of(recording)
    labels = board_names(scene.sheet, recording.game.seats)
    return [verdict_json(verdict, labels) for verdict in replay(recording, scene)]


@pytest.fixture(scope="module")
def truth(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]


def said_of(line: dict[str, Any], verdicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [v for v in verdicts if line["t0"] - 0.05 <= v["t"] <= line["t1"] + LATE]


def is_right(line: dict[str, Any], said: list[dict[str, Any]]) -> bool:
    """Whether what was said of one still board is what the truth accepts, with one of the rules it names."""
    if line["verdict"] == "unchanged":
        return not any(v["verdict"] in ("illegal", "unclear") for v in said)
    good = [v for v in said if v["verdict"] in line.get("accept", [line["verdict"]])]
    named = not line["rules_any_of"] or any(v["verdict"] != "illegal" or _names(v, line) for v in good)
    return bool(good) and named


def _names(verdict: dict[str, Any], line: dict[str, Any]) -> bool:
    return bool(set(verdict["rules"]) & set(line["rules_any_of"]))


@pytest.mark.long(but=("gloria-window",))
@pytest.mark.timeout(300)
def test_nobody_is_falsely_accused(verdicts: list[dict[str, Any]], truth: list[dict[str, Any]]) -> None:
    fouls = [line for line in truth if line["foul"]]
    accused = [v for v in verdicts if v["verdict"] == "illegal"]
    assert accused
    for verdict in accused:
        assert any(line["t0"] - 0.05 <= verdict["t"] <= line["t1"] + LATE for line in fouls), verdict["text"]


@pytest.mark.long(but=("gloria-window",))
@pytest.mark.timeout(300)
def test_nearly_every_board_is_ruled_as_the_truth_says(
    verdicts: list[dict[str, Any]], truth: list[dict[str, Any]]
) -> None:
    wrong = [line for line in truth if not is_right(line, said_of(line, verdicts))]
    assert len(wrong) <= 2, [(line["t0"], line["verdict"], line["foul"]) for line in wrong]
