"""The example of docs/add-dice.md is a whole source of dice: the real service judges its throws."""

from __future__ import annotations

import importlib.util
import queue
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from table import TestTable

from companion.dice import DiceSource
from companion.model import DueKind

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "line_dice.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("line_dice", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def until(table: TestTable, what: Callable[[], bool]) -> None:
    for _ in range(500):
        table.clock.time += 0.01
        table.service.step()
        if what():
            return
        time.sleep(0.01)
    raise AssertionError(" | ".join(verdict.text for verdict in table.verdicts))


def plugged(table: TestTable, lines: queue.SimpleQueue[str]) -> None:
    """The example at the table, as step 6 puts it there."""
    dice: DiceSource = example().LineDice(table.service.parts.journal, iter(lines.get, ""))
    table.service.parts.dice = dice
    table.service.throws.arm()
    dice.start()


def test_its_throws_are_judged_kept_and_numbered_on(tmp_path: Path) -> None:
    table, lines = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), queue.SimpleQueue[str]()
    plugged(table, lines)
    until(table, lambda: table.service.desk.bench.dice_work)
    lines.put("6\n")
    until(table, lambda: any("The dice say 6, but 2 dice are due." in verdict.text for verdict in table.verdicts))
    assert table.service.view().roll == ()
    lines.put("3 1\n")
    until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)
    assert table.service.parts.journal.last("line-dice") == 1
    lines.put("")
    until(table, lambda: not table.service.desk.bench.dice_work)
    assert example().LineDice(table.service.parts.journal, [])._last == 1


def test_it_is_as_short_as_the_document_says() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 50
