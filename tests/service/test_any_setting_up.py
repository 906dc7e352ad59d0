"""Whatever people set up, point at and configure in any order: no error, nothing granted is lost, and a way on."""

from __future__ import annotations

from pathlib import Path

import pytest
from any_setting_up import Table


@pytest.mark.long(but=("3",))
@pytest.mark.parametrize("seed", range(1, 4))
def test_anything_is_set_up_in_any_order(tmp_path: Path, seed: int) -> None:
    table = Table(tmp_path, seed)
    assert table.run(25) == [], "\n".join(table.log[-40:])


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 110))
def test_anything_is_set_up_in_any_order_for_long(tmp_path: Path, seed: int) -> None:
    table = Table(tmp_path, seed)
    assert table.run(80) == [], "\n".join(table.log[-40:])
