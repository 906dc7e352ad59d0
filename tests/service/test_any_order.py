"""Whatever people do in any order: no error, the same table after a restart, and a way on without an accusation."""

from __future__ import annotations

from pathlib import Path

import pytest
from any_order import Party
from soak import SETTINGS


@pytest.mark.long(but=("parcheesi-0",))
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SETTINGS)
def test_anything_in_any_order(tmp_path: Path, name: str, seed: int) -> None:
    party = Party(tmp_path, name, seed)
    assert party.run(30) == [], "\n".join(party.log[-40:])


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SETTINGS)
def test_anything_in_any_order_for_long(tmp_path: Path, name: str) -> None:
    for seed in range(100, 112):
        (tmp_path / str(seed)).mkdir()
        party = Party(tmp_path / str(seed), name, seed)
        assert party.run(80) == [], "\n".join(party.log[-40:])
