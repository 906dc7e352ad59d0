"""A power cut at any moment: what was announced is there after, and the game goes on where it was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from program import Program


@pytest.mark.timeout(170)
def test_nothing_announced_is_lost_by_kill_9(tmp_path: Path) -> None:
    program, rng = Program(tmp_path), random.Random(3)
    try:
        assert program.roll(6, 6) and program.roll(1, 2)
        for _ in range(4):
            for _ in range(rng.randint(1, 4)):
                assert program.roll(rng.choice([1, 2]), 6)
            before = program.view()
            program.kill()
            program.begin()
            after = program.view()
            for key in ("due", "due_kind", "roll", "position", "seats"):
                assert after[key] == before[key], key
            assert [line["text"] for line in after["plays"]] == [line["text"] for line in before["plays"]]
    finally:
        program.kill()


@pytest.mark.timeout(60)
def test_it_ends_in_good_order_when_it_is_told_to(tmp_path: Path) -> None:
    assert Program(tmp_path).end() == 0
