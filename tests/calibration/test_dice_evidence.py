"""The evidence for dice: the same seed is the same picture, the truth is what is cast, and the tray can be printed."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.evidence import dice_making
from calibration.evidence.dice_making import DICE_CONDITIONS, a_make, make_dice
from calibration.evidence.dice_measure import dice_evidence
from calibration.evidence.dice_solids import CastDie, lowest, turned
from companion.model import BadInput
from companion.service.cli import main


def arguments(**given: object) -> Namespace:
    usual = {"pictures": 2, "seed": 5, "condition": "640 pixels", "keep": None, "json": False, "frames": 1}
    return Namespace(**(usual | given))


@pytest.mark.long
def test_the_same_seed_is_the_same_picture() -> None:
    one, other = make_dice(3, 0, "640 pixels"), make_dice(3, 0, "640 pixels")
    assert (one.frame == other.frame).all() and one.dice == other.dice
    assert (make_dice(4, 0, "640 pixels").frame != one.frame).any()


def test_more_frames_of_one_rest_differ_by_their_noise_alone() -> None:
    one, more = make_dice(3, 0, "640 pixels"), make_dice(3, 0, "640 pixels", 3)
    assert (one.frame == more.frame).all() and len(more.later) == 2
    off = np.abs(more.later[0].astype(int) - more.frame)
    assert off.any() and off.mean() < 3
    with pytest.raises(BadInput, match="--frames 0"):
        list(dice_evidence(arguments(frames=0)))


def test_a_die_shows_the_value_it_was_turned_to_and_opposite_faces_make_seven() -> None:
    rng = np.random.default_rng(1)
    for value in range(1, 7):
        make = a_make(rng)
        axes = turned(value, 0.7, make, rng)
        die = CastDie(make, np.zeros(3), axes)
        assert die.value == value and die.leaning < 1e-3
        assert CastDie(make, np.zeros(3), axes @ np.diag([1, -1, -1.0])).value == 7 - value
        assert lowest(make, axes) == pytest.approx(make.edge / 2, abs=0.01)


def test_a_ray_meets_a_die_on_its_surface() -> None:
    make = a_make(np.random.default_rng(2))
    die = CastDie(make, np.array([0.0, 0.0, 8.0]), np.eye(3))
    hit = die.hit(np.array([0.0, 0.0, 100.0]), np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]))
    assert hit[0] == pytest.approx(92 - make.edge / 2, abs=0.1) and np.isinf(hit[1])


@pytest.mark.parametrize("name", ["cocked", "stacked", "out of tray"])
def test_what_does_not_count_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {name: replace(condition, width=320) for name, condition in DICE_CONDITIONS.items()}
    monkeypatch.setattr(dice_making, "DICE_CONDITIONS", small)
    made = make_dice(2, 1, name)
    assert not made.counts and len(made.dice) < made.thrown


@pytest.mark.long
def test_the_table_and_the_lines_of_json(tmp_path: Path) -> None:
    [table] = dice_evidence(arguments(keep=tmp_path))
    assert "| 640 pixels | 2 |" in table and len(list(tmp_path.glob("*.png"))) == 2
    lines = [json.loads(line) for line in dice_evidence(arguments(json=True))]
    assert [line["picture"] for line in lines] == [0, 1]


def test_an_unknown_condition_is_named() -> None:
    with pytest.raises(BadInput, match="there are: apart"):
        list(dice_evidence(arguments(condition="fog")))
    assert "empty" in DICE_CONDITIONS


def test_the_printed_tray_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "tray", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "tray-a4.pdf").read_bytes().startswith(b"%PDF")
    assert main(["sheet", "tray", "--out", str(tmp_path), "--option", "arms=6"]) == 2
    assert "there is one dice tray" in capsys.readouterr().err
