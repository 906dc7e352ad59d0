"""What webcams and light do to a picture: each ill changes it, and the table counts how boards are read then."""

from __future__ import annotations

import random

import numpy as np
import pytest

from calibration.evidence.ills import ILLS, Count, Ill, board, jpeg, measured, two_lights
from companion.service.boards.configured import printed_board
from companion.vision import make_scene

SHEET, TEXTURE, _ = printed_board("parcheesi")
FRAME, TRUTH = board(SHEET, TEXTURE, random.Random(5))


@pytest.mark.long(but=("dark_corners", "two_lights"))
@pytest.mark.parametrize("ill", ILLS, ids=lambda ill: ill.__name__)
def test_an_ill_changes_the_picture_and_the_same_chance_changes_it_alike(ill: Ill) -> None:
    first, again = (ill(FRAME, random.Random(3)) for _ in range(2))
    assert first.shape == FRAME.shape and first.dtype == np.uint8
    assert np.array_equal(first, again) and np.abs(first.astype(int) - FRAME).mean() > 0.1


@pytest.mark.long
def test_what_is_read_is_counted_against_what_stands_there() -> None:
    count, scene = Count(), make_scene(SHEET, TEXTURE)
    count.add(Count.of(FRAME, scene, TRUTH))
    assert count.read == count.right == len(TRUTH) and count.sure > 0.95 * count.read and not count.wrong
    count.add(Count.of(FRAME, scene, dict.fromkeys(TRUTH, (0, 0))))
    assert count.read == 2 * len(TRUTH) and count.right == len(TRUTH) and count.wrong > 0.9 * len(TRUTH)
    count.add(Count.of(np.zeros_like(FRAME), scene, TRUTH))
    assert count.lost == 1


@pytest.mark.long
def test_the_table_has_a_line_for_each_ill() -> None:
    head, *lines = measured(1, 7, ["gloria"], [jpeg, two_lights])
    assert head.split() == ["read", "right", "sure", "wrong", "covered", "lost"]
    assert [line[:18].strip() for line in lines] == ["jpeg", "two lights", "all"]
    one, other, both = (int(line[18:].split()[0]) for line in lines)
    assert one > 60 and other > 60 and both == one + other


@pytest.mark.long
def test_two_ills_at_once_count_for_both() -> None:
    _, *lines = measured(1, 7, ["gloria"], [jpeg, two_lights], pairs=1)
    assert len({line[18:] for line in lines}) == 1 and int(lines[0][18:].split()[0]) > 60
