"""Tests that build in one folder stay together when tests run side by side (pytest -n 2 --dist loadgroup)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parent / "firmware"


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    for item in items:
        if FIRMWARE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("firmware"))
