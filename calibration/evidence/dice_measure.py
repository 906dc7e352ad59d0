"""What the camera makes of dice in a tray: rolls right, wrong and doubted, and how true the confidences are."""

from __future__ import annotations

import json
import statistics
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.evidence.dice_making import DICE_CONDITIONS, MadeDice, make_dice
from calibration.evidence.measure import EDGES
from companion.model import BadInput, DeviceError
from companion.vision.dice.reading import SURE, read_dice
from companion.vision.dice.seen import DiceSeen

SIZES = (0.0, 15.0, 20.0, 25.0, 30.0, 1000.0)
"""Bounds of a die's width in the picture, pixels."""


@dataclass(frozen=True, slots=True)
class DiceResult:
    """One picture, read. dice: that lie flat in the tray; right: of those read right, sure: with enough confidence.

    judged: confidence and whether right, of each that was read. roll: "right", "wrong" (taken, with other values than
    the dice show), "unfit" (taken though a die is cocked or missing), "doubted", or "refused" (doubted as it should).
    """

    condition: str
    pixels: float
    dice: int
    right: int
    sure: int
    wrong: int
    judged: tuple[tuple[float, bool], ...]
    roll: str
    ms: float


def measure_dice(made: MadeDice) -> DiceResult:
    """Read one picture, or the mean of those of one rest as the game does, and compare."""
    frame = made.frame
    if made.later:
        frame = np.clip(np.mean([frame, *made.later], axis=0) + 0.5, 0, 255).astype(np.uint8)
    began = time.perf_counter()
    seen = read_dice(frame, made.pose, made.tray)
    ms = (time.perf_counter() - began) * 1000
    judged, left = [], list(made.dice)
    for die in seen.dice:
        near = min(left, key=lambda one: (one[1] - die.x_mm) ** 2 + (one[2] - die.y_mm) ** 2, default=None)
        at_it = near is not None and (near[1] - die.x_mm) ** 2 + (near[2] - die.y_mm) ** 2 < (0.6 * die.size_mm) ** 2
        if near is not None and at_it:
            left.remove(near)
        judged.append((die.confidence, near is not None and at_it and near[0] == die.value))
    right = sum(good for _, good in judged)
    sure = sum(good and given >= SURE for given, good in judged)
    wrong = sum(not good and given >= SURE for given, good in judged)
    roll = _roll(made, seen)
    return DiceResult(made.condition, made.pixels, len(made.dice), right, sure, wrong, tuple(judged), roll, ms)


def _roll(made: MadeDice, seen: DiceSeen) -> str:
    """What the game would do with this picture, where `thrown` dice are due."""
    taken = seen.clear and len(seen.dice) == made.thrown and all(die.confidence >= SURE for die in seen.dice)
    if not taken:
        return "doubted" if made.counts else "refused"
    if sorted(die.value for die in seen.dice) == sorted(one[0] for one in made.dice):
        return "right" if made.counts else "unfit"
    return "wrong" if made.counts else "unfit"


def dice_evidence(arguments: Namespace) -> Iterator[str]:
    """The lines to print: JSON, one a picture, or the tables. Raises BadInput and DeviceError."""
    names = list(DICE_CONDITIONS) if arguments.condition is None else [arguments.condition]
    if names[0] not in DICE_CONDITIONS:
        raise BadInput(f"--condition {names[0]!r}: there is none of that name; there are: {', '.join(DICE_CONDITIONS)}")
    if arguments.pictures < 1:
        raise BadInput(f"--pictures {arguments.pictures}: 1 or more")
    if arguments.frames < 1:
        raise BadInput(f"--frames {arguments.frames}: 1 or more")
    results = []
    for number in range(arguments.pictures):
        made = make_dice(arguments.seed, number, names[number % len(names)], arguments.frames)
        result = measure_dice(made)
        results.append(result)
        if arguments.keep is not None:
            keep_dice(arguments.keep, number, made, result)
        if arguments.json:
            yield json.dumps({"picture": number, **_plain(result)})
    if not arguments.json:
        yield dice_tables(results)


def dice_tables(results: Sequence[DiceResult]) -> str:
    """By condition, by the width of a die, and the reliability, as Markdown."""
    head = "| {} | pictures | rolls right | doubted | wrong | unfit, taken | dice right | sure | sure, wrong | ms |"
    rule = "| --- |" + " ---: |" * 9
    names = list(dict.fromkeys(result.condition for result in results))
    rows = [_row(name, [r for r in results if r.condition == name]) for name in names]
    parts = ["\n".join([head.format("condition"), rule, *rows, _row("all", results)])]
    plain = [r for r in results if r.roll in ("right", "doubted", "wrong") and r.condition != "in motion"]
    widths = [
        _row(f"{low:.0f} to {high:.0f}" if high < 1000 else f"{low:.0f} or more", some)
        for low, high in pairwise(SIZES)
        if (some := [r for r in plain if low <= r.pixels < high])
    ]
    parts.append("\n".join([head.format("pixels of a die"), rule, *widths]))
    return "\n\n".join([*parts, _reliability([pair for result in results for pair in result.judged])])


def _row(name: str, results: Sequence[DiceResult]) -> str:
    rolls = Counter(result.roll for result in results)
    fit = rolls["right"] + rolls["doubted"] + rolls["wrong"]
    dice = sum(r.dice for r in results)
    cells = [
        len(results), f"{rolls['right']} of {fit}", rolls["doubted"], rolls["wrong"],
        f"{rolls['unfit']} of {rolls['unfit'] + rolls['refused']}", f"{sum(r.right for r in results)} of {dice}",
        sum(r.sure for r in results), sum(r.wrong for r in results), f"{statistics.median(r.ms for r in results):.0f}",
    ]  # fmt: skip
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def _reliability(judged: Sequence[tuple[float, bool]]) -> str:
    lines = ["| confidence | dice | given, mean | true |", "| --- | ---: | ---: | ---: |"]
    for low, high in pairwise(EDGES):
        some = [pair for pair in judged if low < pair[0] <= high]
        if some:
            given, true = (statistics.fmean(pair[k] for pair in some) for k in (0, 1))
            lines.append(f"| {low:g} to {high:g} | {len(some)} | {given:.4f} | {true:.4f} |")
    return "\n".join(lines)


def _plain(result: DiceResult) -> dict[str, Any]:
    return {
        "condition": result.condition, "pixels": round(result.pixels, 1), "dice": result.dice, "right": result.right,
        "roll": result.roll, "judged": [[given, good] for given, good in result.judged], "ms": round(result.ms, 1),
    }  # fmt: skip


def keep_dice(folder: Path, number: int, made: MadeDice, result: DiceResult) -> None:
    """Write the picture, what it shows and how it was read into a folder. Raises DeviceError."""
    name = f"{number:03d}-{made.condition.replace(' ', '-').replace(',', '')}-{result.roll}"
    truth = {"dice": made.dice, "thrown": made.thrown, "tray": list(made.tray), "result": _plain(result)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.png").write_bytes(cv2.imencode(".png", made.frame)[1].tobytes())
        (folder / f"{name}.json").write_text(json.dumps(truth, indent=1) + "\n")
    except OSError as error:
        raise DeviceError(f"{folder}: {error.strerror}; choose a folder that can be written") from error
