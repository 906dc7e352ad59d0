"""`companion dice …`: listen to the box, try its parts, look at its rolls, load its firmware."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from companion.model import BadInput, DeviceError
from companion.service.cli_values import seconds
from companion.service.machine.firmware import built_hex
from companion.service.plain import say

Kinds: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_dice(commands: Kinds) -> None:
    """The command with its kinds."""
    dice = commands.add_parser("dice", help="the electronic dice: monitor, test, statistics, firmware")
    kinds = dice.add_subparsers(required=True, metavar="WHAT")
    port = argparse.ArgumentParser(add_help=False)
    port.add_argument("--port", metavar="/dev/ttyUSB0", help="of the dice box (default: the only one on USB)")
    monitor = kinds.add_parser("monitor", parents=[port], help="show what the box says; changes nothing")
    monitor.add_argument("--seconds", type=seconds, default=0.0, metavar="S", help="end then (default: at Ctrl-C)")
    monitor.add_argument("--type", default="", metavar="KEY", help="type this to it: ? help, i, t lamps, r free roll")
    monitor.set_defaults(command=_monitor)
    test = kinds.add_parser("test", parents=[port], help="try lamps, button and chance")
    test.add_argument("--wait", type=seconds, default=10.0, metavar="S", help="for the button (default: 10)")
    test.set_defaults(command=_test)
    put = kinds.add_parser("set", parents=[port], help="tell the box how many dice it has, which it keeps")
    put.add_argument("--dice", type=int, choices=(1, 2, 3), required=True, metavar="N", help="1, 2 or 3")
    put.set_defaults(command=_set)
    flash = kinds.add_parser("flash", parents=[port], help="load the firmware into an Arduino Nano or Uno")
    flash.add_argument("--hex", type=Path, metavar="dicebox.hex", help="load this file (default: build it here)")
    flash.set_defaults(command=_flash)
    air = kinds.add_parser("bluetooth", help="which Bluetooth dice are in reach, and which are this table's")
    air.add_argument("--seconds", type=seconds, default=5.0, metavar="S", help="how long to listen (default: 5)")
    air.add_argument("--config", type=Path, metavar="companion.toml", help="by default the service's")
    air.add_argument("--forget", action="store_true", help="the dice that throw next are this table's")
    air.set_defaults(command=_bluetooth)
    stats = kinds.add_parser("stats", help="are the dice fair? The rolls in the journal")
    stats.add_argument("--config", type=Path, metavar="companion.toml", help="by default the service's")
    stats.add_argument("--box", metavar="DEV", help="only the rolls of this box, like 7F3A90C1")
    stats.set_defaults(command=_stats)


def _monitor(arguments: argparse.Namespace) -> int:
    from companion.dice.monitor import monitor, only_port

    for line in monitor(only_port(arguments.port), arguments.seconds, arguments.type):
        say(line)
    return 0


def _test(arguments: argparse.Namespace) -> int:
    from companion.dice.monitor import trial, trial_port

    well = True
    for line, good in trial(trial_port(arguments.port), arguments.wait):
        well = well and good
        say(line)
    return 0 if well else 1


def _set(arguments: argparse.Namespace) -> int:
    from companion.dice.monitor import trial_port, with_dice

    say(with_dice(trial_port(arguments.port), arguments.dice))
    return 0


# --- flash ---


def _flash(arguments: argparse.Namespace) -> int:
    from companion.dice.flash import load, read_hex
    from companion.dice.monitor import only_port

    path = arguments.hex or built_hex()
    image, port = read_hex(path), only_port(arguments.port)
    print(f"{path}: {len(image)} bytes, to {port}", flush=True)
    try:
        baud = load(port, image, progress)
    except DeviceError:
        print(file=sys.stderr)  # the bar's line ends
        raise
    print(f"\nloaded and read back, all bytes the same ({baud} baud). The dice box starts by itself.")
    return 0


def progress(what: str, done: int, total: int) -> None:
    """A bar that fills on one line."""
    filled = round(30 * done / total)
    print(f"\r{what:<7}[{'#' * filled}{'.' * (30 - filled)}] {done:>6} of {total}", end="", file=sys.stderr, flush=True)


# --- bluetooth ---


def _bluetooth(arguments: argparse.Namespace) -> int:
    from companion.dice.radio import bleak_radio
    from companion.service.config import settings_of
    from companion.service.dice_ble import forget, heard

    config = settings_of(arguments.config)
    if arguments.forget:
        again = "forgotten; a Companion that runs knows them until it is started anew: sudo systemctl restart companion"
        print(again if forget(config.journal_folder) else "no dice were kept")
        return 0
    lines = heard(config, bleak_radio(), arguments.seconds)
    say("\n".join(lines) or "no Pixels or GoDice in reach that are not connected: wake them, turn each one over")
    return 0 if lines else 1


# --- stats ---


def _stats(arguments: argparse.Namespace) -> int:
    for line in report(journalled(arguments.config, arguments.box)):
        say(line)
    return 0


def journalled(config: Path | None, dev: str | None) -> list[tuple[int, ...]]:
    """The dice boxes' rolls in the journal, in order, each once; those of one, if it is named, `dev`. Raises BadInput,
    where there is none of that name, and JournalError."""
    from companion.service.records.past_games import journal_of

    with journal_of(config) as (journal, _):
        entries = [entry for game in journal.games() for entry in journal.entries(game.id, looks=False)]
    told = (entry.payload for entry in entries if entry.kind == "roll")
    rolls = {(str(roll["dev"]), roll["id"]): tuple(roll["dice"]) for roll in told if "dev" in roll}
    boxes = dict.fromkeys(box for box, _ in rolls)
    if dev is not None and dev not in boxes:
        raise BadInput(f"--box {dev}: no rolls in the journal; there are those of: {', '.join(boxes) or 'no box'}")
    return [dice for (box, _), dice in rolls.items() if dev in (None, box)]


def report(rolls: Sequence[Sequence[int]]) -> Iterator[str]:
    """The lines that are printed."""
    from companion.dice.statistics import ALPHA, BIASES, counts, dice_needed, findings

    dice = sum(len(roll) for roll in rolls)
    yield f"{len(rolls)} rolls, {dice} dice: " + ", ".join(f"{f}: {n}" for f, n in enumerate(counts(rolls), 1))
    for found in findings(rolls):
        if found.p is None and found.dice >= found.needs:  # of runs alone, which need both kinds
            yield f"{found.name:<6}no streaks to count: nearly all dice are high (4 to 6), or nearly all are low"
        elif found.p is None:
            yield f"{found.name:<6}too few to say anything: {found.dice} dice, at least {found.needs} are needed"
        else:
            judged = "odd" if found.odd else "nothing odd"
            yield f"{found.name:<6}{found.statistic:8.2f}   p = {found.p:.3f}   {judged}"
    yield f"Fair dice are called odd by each test once in {round(1 / ALPHA)} times; look again with new rolls."
    needs = ", ".join(f"{100 * share:.0f} %: {dice_needed(share)}" for share in BIASES)
    yield f"Dice it takes to find (nine times in ten) a face that comes, instead of 16.7 %, at {needs}."
