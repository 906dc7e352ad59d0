"""The evidence on bad input: pictures are spoilt as they say, and what is made of them is counted."""

from __future__ import annotations

import json

import pytest

from calibration.evidence import bad_input
from calibration.evidence.bad_input import Told, bad_input_table, cases, setting, told
from companion.service.cli import main
from companion.vision.finding.settling import TWO_BOARDS


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter of the pixels: quicker than what is measured with."""
    monkeypatch.setattr(bad_input, "UNDER", ("small picture",))


@pytest.mark.long
def test_what_is_said_of_a_mirrored_picture_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["evidence", "--bad-input", "--pictures", "1", "--game", "gloria", "--condition", "mirrored"]
    assert main([*asked, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["case"] == "mirrored" and line["fits"] and not line["guessed"] and "mirrored" in line["reason"]
    assert main(["evidence", "--bad-input", "--condition", "no such"]) == 2
    assert "half out of the picture" in capsys.readouterr().err


def test_the_other_option_s_sheet_is_another_and_a_game_without_options_has_none() -> None:
    assert told(1, 3, "parcheesi", "sheet of another option") is None
    of = setting(1, 2, "gloria")
    other = cases(False)["sheet of another option"].sheet
    assert other is not None and other(of)[0] == "gloria" and other(of) != of.kind


@pytest.mark.long
def test_two_boards_of_squares_without_markers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The empty one of the two was read, by its outline: 16 readings surely wrong."""
    monkeypatch.setattr(bad_input, "UNDER", ("overhead",))
    seen = told(1302, 1, "game-of-god", "two boards alike", own=True)
    assert seen is not None and seen[0].reason == TWO_BOARDS and seen[0].fits


def test_the_sums_are_right() -> None:
    found = [Told("a", "g", "why", True), Told("a", "g", "else", False), Told("a", "g", "", False)]
    found += [Told("b", "g", "", False, True, 3)]
    lines = bad_input_table(found).splitlines()
    assert "| a | 3 | 1 | 1 | 1 | 0 | 0 |" in lines and "| b | 1 | 0 | 0 | 0 | 1 | 3 |" in lines
    assert "- a: 1 × “why”" in lines
