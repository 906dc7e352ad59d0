"""`companion evidence`: makes the pictures, has them read, and prints how well."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2

from calibration.evidence.conditions import BY_NAME, CONDITIONS
from calibration.evidence.making import Made, make
from calibration.evidence.measure import Result, measure, summary
from calibration.evidence.printing import diagram, own_tables, tables
from calibration.evidence.shop import Shown, make_own
from calibration.files import try_place, write_one
from calibration.sheet import BOARDS
from companion.model import BadInput


def evidence(arguments: Namespace) -> Iterator[str]:
    """The lines to print: JSON, one a picture and one for all, or the tables. Raises BadInput and DeviceError."""
    plan = planned(arguments.pictures, arguments.condition, arguments.game, arguments.own_boards)
    if arguments.diagram is not None:
        try_place(arguments.diagram)  # said now if it cannot be written, and not after an hour of measuring
    results: list[Result] = []
    boards: list[Shown] = []
    for number, (game, condition) in enumerate(plan):
        made, shown = _one(arguments, number, game, condition)
        result = _measured(made, shown)
        results.append(result)
        boards += [] if shown is None else [shown]
        if arguments.keep is not None:
            _keep(arguments.keep, number, made, result, shown)
        if arguments.json:
            yield json.dumps({"picture": number, **_plain(result), **({} if shown is None else shown.told())})
    everything = summary("all", results)
    if arguments.diagram is not None:
        write_one(arguments.diagram, diagram(everything.bins).encode())
    if arguments.json:
        yield json.dumps(_without_gaps(asdict(everything)))
    else:
        yield own_tables(results, boards) if boards else tables(results)


def _one(arguments: Namespace, number: int, game: str, condition: str) -> tuple[Made, Shown | None]:
    """A picture, and how its board was shown if it is another maker's."""
    if arguments.own_boards:
        return make_own(arguments.seed, number, game, condition)
    return make(arguments.seed, number, game, condition), None


def _measured(made: Made, shown: Shown | None) -> Result:
    if shown is None:
        return measure(made)
    if shown.scene is None:
        return Result(made.condition, made.game, len(made.counted), 0.0, False, reason=shown.reason)
    return measure(made, shown.scene)


def planned(pictures: int, condition: str | None, game: str | None, own: bool = False) -> list[tuple[str, str]]:
    """Game and condition of each picture, all taking turns. own: of boards of other makers, which are not of paper.
    Raises BadInput, which names what there is."""
    if pictures < 1:
        raise BadInput(f"--pictures {pictures}: 1 or more")
    there = CONDITIONS if condition is None else BY_NAME
    known = {name: one for name, one in there.items() if not (own and one.of_paper)}
    conditions, games = chosen("--condition", condition, known), chosen("--game", game, BOARDS)
    pairs = [(games[(k + lap) % len(games)], name) for lap in range(len(games)) for k, name in enumerate(conditions)]
    return [pairs[number % len(pairs)] for number in range(pictures)]


def chosen(what: str, name: str | None, there: Mapping[str, object]) -> list[str]:
    """The one of these names, or all if none is given. Raises BadInput, which names what there is."""
    if name is not None and name not in there:
        raise BadInput(f"{what} {name!r}: there is none of that name; there are: {', '.join(map(repr, there))}")
    return list(there) if name is None else [name]


def _plain(result: Result) -> dict[str, Any]:
    data = asdict(result)
    data.pop("judged")
    return {**data, "ms": round(result.ms, 1), "right": result.right}


def _without_gaps(data: dict[str, Any]) -> dict[str, Any]:
    """Bins without readings left out: JSON has no word for what they lack."""
    return {**data, "bins": [one for one in data["bins"] if one["count"]]}


def _keep(folder: Path, number: int, made: Made, result: Result, shown: Shown | None) -> None:
    name = f"{number:03d}-{made.condition.replace(' ', '-')}-{made.game}"
    truth = {"options": dict(made.options), "counted": made.counted, "result": _plain(result)}
    if shown is not None:
        truth |= {"shown": shown.told()}
        for what, picture in (("empty", shown.photo), ("set-up", shown.set_up)):
            write_one(folder / f"{name}-{what}.png", cv2.imencode(".png", picture)[1].tobytes())
    write_one(folder / f"{name}.png", cv2.imencode(".png", made.frame)[1].tobytes())
    write_one(folder / f"{name}.json", (json.dumps(truth, indent=1) + "\n").encode())
