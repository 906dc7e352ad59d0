"""The command line: `companion …`, one small function a command."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import __version__
from companion.games.catalogue import GAMES
from companion.model import FAILURES, BadInput, CompanionError, DeviceError, why_not
from companion.service.addons import enter_addons
from companion.service.cli_calibrate import CORNER, add_calibrate
from companion.service.cli_dice import add_dice
from companion.service.cli_values import (
    counted,
    folder,
    joined,
    natural,
    once,
    option,
    place,
    point,
    port,
    share,
    speed,
)
from companion.service.plain import OneLine, say

Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0 good, 1 not, 2 wrong input."""
    _fill_in()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # some terminals know no arrow, and no ä in a name
    # The eyes multiply small matrices only: more threads than one would spin while they wait for each other. It holds
    # for what is imported from here on.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A small file of a picture may unpack to gigabytes; of so many pixels no camera makes one.
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 28))
    unusable = enter_addons()
    arguments = _parser().parse_args(joined(sys.argv[1:] if argv is None else argv))
    level = logging.INFO if arguments.verbose else logging.WARNING
    logging.basicConfig(level=level, handlers=[_logged()])
    for why in unusable:
        logging.warning("%s", why)
    command: Command = arguments.command
    try:
        status = command(arguments)
        print(end="", flush=True)
        return status
    except CompanionError as error:
        return _refused(str(error))
    except BrokenPipeError:
        _say_no_more()
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        logging.info("%s", error, exc_info=True)
        return _refused(why_not(error, _unprinted()))
    except FAILURES as error:
        from companion.service.addons.breaches import blamed

        if not (why := blamed(error)):
            raise
        logging.info("%s", error, exc_info=True)  # a game of one's own: `-v` shows the whole way to its line
        _refused(why)
        return 1


def _fill_in() -> None:
    """A stream that was closed before is one that is empty, or goes nowhere: else the next file that is opened has its
    number, and what libraries print goes into that."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _logged() -> logging.Handler:
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(levelname)s %(message)s"))
    return handler


def _refused(why: str) -> int:
    say(f"companion: {why}", sys.stderr)
    return 2


def _unprinted() -> str | None:
    """What to call that which cannot be printed, if anything is left of it; then no more is."""
    try:
        print(end="", flush=True)
    except OSError:
        _say_no_more()
        return "what is printed"
    return None


def _say_no_more() -> None:
    """What is left to be printed goes nowhere, so that the end of the program does not stumble over it again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Words(argparse.ArgumentParser):
    """Of a command, and all below: what it does not take is said with its own words, not with those of `companion`."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse asks each command."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found, left


def _parser() -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = _Words(prog="companion", description="A referee for real tabletop games.")
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    parser.add_argument("-v", "--verbose", action="store_true", help="say what happens inside")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in _COMMANDS:
        add(commands)
    return parser


# --- demo and run ---


def _add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = commands.add_parser("demo", help="watch pretend players on a pretend table")
    demo.add_argument("--headless", action="store_true", help="no page; print the transcript")
    demo.add_argument("--turns", type=counted, default=0, metavar="N", help="end after N turns (default: one game)")
    demo.add_argument("--seed", type=natural, default=None, metavar="S", help="the same S, the same game")
    demo.add_argument("--cheat", type=share, default=0.1, metavar="P", help="how often a player cheats, 0 to 1")
    demo.add_argument("--speed", type=speed, default=1.0, metavar="X", help="times real time, up to 6")
    demo.add_argument("--game", default="parcheesi", metavar="NAME", help="what is played (default: parcheesi)")
    demo.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="of the game")
    demo.add_argument("--seats", type=int, choices=range(2, 7), default=None, metavar="N", help="how many play, 2 to 6")
    demo.add_argument(
        "--dice", choices=("box", "emulated", "bluetooth", "camera"), default="box",
        help="emulated: a box that runs its firmware; bluetooth: Pixels and GoDice; camera: in a tray, which it reads",
    )  # fmt: skip
    demo.add_argument("--record", type=folder, metavar="DIR", help="keep the game as a recording")
    demo.add_argument("--host", default="127.0.0.1", help="of the page; 0.0.0.0: for phones too (default: 127.0.0.1)")
    demo.add_argument("--port", type=port, default=8000, help="of the page")
    demo.set_defaults(command=_demo)


def _demo(arguments: argparse.Namespace) -> int:
    from companion.service.boards.seats import seats_of
    from companion.service.config import config_from
    from companion.service.demo.demo import Demo, DemoOptions
    from companion.service.running import end_on_signals

    seed = arguments.seed if arguments.seed is not None else int(time.time())
    chosen = once("--option", arguments.option)
    options = DemoOptions(
        turns=arguments.turns,
        seed=seed,
        cheat=arguments.cheat,
        speed=arguments.speed,
        seats=seats_of(arguments.game, chosen, arguments.seats),
        record=arguments.record,
        game=arguments.game,
        options=chosen,
        dice=arguments.dice,
    )
    config = config_from({"page": {"host": arguments.host, "port": arguments.port}})
    if not arguments.headless:
        _check_port(config.page.host, config.page.port)
    demo = Demo(options, config, lambda line: print(line, flush=True), page=not arguments.headless)
    end_on_signals(demo.players_leave)
    if demo.house.page is not None and demo.house.page.serving:
        here_only = config.page.here_only
        who = "; --host 0.0.0.0 shows it to phones, too" if here_only else ", on phones of this network, too"
        print(f"Open {demo.house.page.url} in a browser{who}. Ctrl-C ends the demo.")
    print(f"seed {seed}", flush=True)
    tally = demo.run()
    print(f"\n{tally.table()}", flush=True)
    return 0 if tally.clean else 1


def _check_port(host: str, port: int) -> None:
    """A demo is there to be looked at. Raises DeviceError."""
    from companion.page.server import check_port

    try:
        check_port(host, port)
    except DeviceError as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and cause.errno not in (errno.EADDRINUSE, errno.EACCES):
            way = "this machine has no such address; --host 0.0.0.0 takes all that it has"
            raise DeviceError(f"--host {host}: {way}") from None
        other = f"name another, like --port {port + 1 if 8000 <= port < 65535 else 8001}"
        raise DeviceError(f"port {port} is another program's, or the system's; {other}") from None


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser("run", help="referee the game on this table")
    run.add_argument("--config", type=Path, metavar="companion.toml", help="companion config prints one to begin with")
    run.add_argument("--record", type=folder, metavar="DIR", help="keep the game as a recording")
    run.set_defaults(command=_run)


def _run(arguments: argparse.Namespace) -> int:
    from companion.service.running import run

    if arguments.config is None:
        raise BadInput("run wants --config companion.toml; to begin with: companion config > companion.toml")
    return run(arguments.config, arguments.record, say)


def _add_config(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    config = commands.add_parser("config", help="print a configuration to begin with")
    config.set_defaults(command=_config)


def _config(arguments: argparse.Namespace) -> int:
    from companion.service.config import EXAMPLE

    print(EXAMPLE, end="")
    return 0


# --- boards and pictures ---


def _add_sheet(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sheet = commands.add_parser("sheet", help="draw a board to print")
    sheet.add_argument("game", help=f"{', '.join(sorted(GAMES))}; or tray, for dice")
    sheet.add_argument("--out", type=folder, required=True, metavar="DIR")
    sheet.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="of the board")
    sheet.set_defaults(command=_sheet)


def _sheet(arguments: argparse.Namespace) -> int:
    from calibration.crowding import ills
    from calibration.sheet import BOARDS, sheet_of, write_sheet
    from calibration.tray_mat import write_tray

    if arguments.game == "tray":
        if arguments.option:
            raise BadInput("sheet tray takes no --option: there is one dice tray")
        for path in write_tray(arguments.out):
            print(path)
        return 0
    if arguments.game not in BOARDS:
        there = ", ".join(sorted(BOARDS))
        raise BadInput(f"there is no {arguments.game!r} to print; there are: {there}; and tray, for dice")
    options = once("--option", arguments.option)
    for path in write_sheet(arguments.game, arguments.out, options):
        print(path)
    for ill in ills(sheet_of(arguments.game, options)):
        say(f"companion: the board of {arguments.game}: {ill}", sys.stderr)
    return 0


def _add_look(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    look = commands.add_parser("look", help="say what stands on a board in pictures")
    look.add_argument("images", type=Path, nargs="+", metavar="IMAGE")
    look.add_argument("--sheet", type=Path, required=True, metavar="sheet.json")
    look.add_argument("--reference", type=Path, metavar="empty.jpg", help="a photo of the empty board")
    look.add_argument("--lens", type=Path, metavar="lens.json", help="of the camera, by companion calibrate lens")
    look.add_argument("--tray", metavar="x,y,w,h", help="where dice lie, mm of the sheet's frame")
    look.add_argument("--json", action="store_true", help="a line of JSON per picture")
    look.add_argument("--draw", type=folder, metavar="OUT", help="a folder for pictures with the readings drawn in")
    look.add_argument("--corner", type=point, action="append", default=[], metavar="X,Y", help=CORNER)
    look.set_defaults(command=_look)


def _look(arguments: argparse.Namespace) -> int:
    from companion.service.boards.looking import look_at

    good = True
    for result in look_at(arguments):
        good = good and result.get("registered", False)
        print(json.dumps(result) if arguments.json else _described(result), flush=True)
    return 0 if good else 1


def _described(result: dict[str, object]) -> str:
    if not result.get("registered"):
        return str(result["error"]) if "error" in result else f"{result['image']}: {result.get('reason')}"
    spaces = result["spaces"]
    assert isinstance(spaces, dict)
    standing = ", ".join(f"{name} {'+'.join(seen['seen'])}" for name, seen in spaces.items() if seen["seen"])
    covered = sum(seen["covered"] for seen in spaces.values())
    return f"{result['image']}: {standing or 'empty'}" + (f"; {covered} spaces covered" if covered else "")


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = commands.add_parser("check", help="can the camera see the board? A score, and what to change")
    check.add_argument("images", type=Path, nargs="*", metavar="IMAGE", help="pictures instead of the camera")
    check.add_argument("--config", type=Path, metavar="companion.toml", help="whose camera and board")
    check.add_argument("--sheet", type=Path, metavar="sheet.json", help="the board in the pictures")
    check.add_argument("--reference", type=Path, metavar="empty.jpg", help="a photo of the empty board")
    check.add_argument("--json", action="store_true", help="a line of JSON per picture")
    check.add_argument("--draw", type=folder, metavar="OUT", help="a folder for pictures with the trouble spots marked")
    check.add_argument("--corner", type=point, action="append", default=[], metavar="X,Y", help=CORNER)
    check.set_defaults(command=_check)


def _check(arguments: argparse.Namespace) -> int:
    from companion.service.boards.checking import check_all, described

    good = True
    for name, found in check_all(arguments):
        good = good and found.playable
        print(json.dumps({"image": name} | found.to_json()) if arguments.json else described(name, found), flush=True)
    return 0 if good else 1


def _add_evidence(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    evidence = commands.add_parser("evidence", help="measure how well boards are read, on pictures made for it")
    evidence.add_argument("--pictures", type=int, default=30, metavar="N", help="how many (default: 30)")
    evidence.add_argument("--seed", type=natural, default=1, metavar="S", help="the same S, the same pictures")
    evidence.add_argument("--condition", metavar="NAME", help="one alone, like overhead or arm")
    evidence.add_argument("--game", metavar="NAME", help="boards of one game alone")
    evidence.add_argument("--keep", type=folder, metavar="DIR", help="keep the pictures and what was read")
    evidence.add_argument("--diagram", type=Path, metavar="FILE.svg", help="draw how true the confidences are")
    evidence.add_argument("--own-boards", action="store_true", help="boards that were not printed by this project")
    evidence.add_argument("--bad-input", action="store_true", help="what is said of pictures that cannot be read")
    evidence.add_argument("--dice", action="store_true", help="dice in a tray instead of boards")
    evidence.add_argument("--frames", type=int, default=1, help="of dice: pictures of each rest, read as one")
    evidence.add_argument("--json", action="store_true", help="a line of JSON per picture, and one for all")
    evidence.set_defaults(command=_evidence)


def _evidence(arguments: argparse.Namespace) -> int:
    from calibration.evidence.bad_input import bad_input
    from calibration.evidence.dice_measure import dice_evidence
    from calibration.evidence.run import evidence

    _check_evidence(arguments)
    measured = dice_evidence if arguments.dice else bad_input if arguments.bad_input else evidence
    for line in measured(arguments):
        print(line, flush=True)
    return 0


def _check_evidence(arguments: argparse.Namespace) -> None:
    """Raises BadInput for what would be left unheeded."""
    of_boards = {"--own-boards": arguments.own_boards, "--bad-input": arguments.bad_input, "--game": arguments.game}
    unheeded = [name for name, given in {**of_boards, "--diagram": arguments.diagram}.items() if given]
    if arguments.dice and unheeded:
        raise BadInput(f"evidence --dice measures no boards: leave {' and '.join(unheeded)} out, or --dice")
    if arguments.bad_input and arguments.diagram:
        raise BadInput("evidence --bad-input draws no --diagram: leave one of them out")
    if arguments.frames != 1 and not arguments.dice:
        raise BadInput(f"--frames {arguments.frames} is of dice: add --dice, or leave it out")


def _add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = commands.add_parser("replay", help="referee a recorded game")
    replay.add_argument("recording", type=Path, metavar="RECORDING")
    replay.add_argument("--json", action="store_true", help="a line of JSON per verdict")
    replay.set_defaults(command=_replay)


def _replay(arguments: argparse.Namespace) -> int:
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # what a game of other people prints is no verdict
        for line in _replayed(arguments.recording, arguments.json):
            say(line, answers)
    return 0


def _replayed(path: Path, as_json: bool) -> Iterator[str]:
    """A line for each verdict."""
    from companion.service.boards.configured import check_sheet
    from companion.service.naming import board_names
    from companion.service.records.recording import open_recording
    from companion.service.records.replay import replay, scene_of
    from companion.service.records.verdict_json import verdict_json

    recording = open_recording(path)
    scene = scene_of(recording)
    check_sheet(scene.sheet, recording.game, recording.sheet)
    for remark in recording.remarks:
        say(f"companion: {remark}", sys.stderr)
    labels = board_names(scene.sheet, recording.game.seats)
    for verdict in replay(recording, scene):
        yield json.dumps(verdict_json(verdict, labels, recording.game.name)) if as_json else _spoken(verdict)


def _spoken(verdict: object) -> str:
    from companion.model import Verdict

    assert isinstance(verdict, Verdict)
    rules = f"  [{', '.join(verdict.rules)}]" if verdict.rules else ""
    return f"{verdict.at:8.2f}  {verdict.kind.value:<9}{verdict.text}{rules}"


# --- rules and games ---


def _add_rules(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rules = commands.add_parser("rules", help="the rules, for people and programs")
    what = "plays: answer JSON lines; list: the rules in words; check: does a game of one's own keep its contract?"
    rules.add_argument("what", choices=("plays", "list", "check"), help=what)
    rules.add_argument("--game", metavar="NAME", help="list or check this one alone (default: all)")
    rules.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="check: of it")
    rules.add_argument("--games", type=counted, default=4, metavar="N", help="check: for each number of players")
    rules.add_argument("--seed", type=natural, default=1, metavar="S", help="check: the same S, the same games")
    rules.set_defaults(command=_rules)


def _rules(arguments: argparse.Namespace) -> int:
    from companion.games.catalogue import rules_of
    from companion.games.plays import serve

    if arguments.option and (arguments.what != "check" or arguments.game is None):
        raise BadInput("--option is of one game that is checked: companion rules check --game NAME --option NAME=VALUE")
    if arguments.what == "check":
        return _rules_check(arguments)
    if arguments.what == "plays":
        if arguments.game is not None:
            raise BadInput("rules plays takes no --game: each request names its own, as the game of its state")
        serve(sys.stdin, sys.stdout)
        return 0
    if arguments.game is not None:
        print(_listed(rules_of(arguments.game)))
    else:
        print("\n\n".join(f"{game.title}\n{_listed(game.sentences)}" for _, game in sorted(GAMES.items())))
    return 0


def _rules_check(arguments: argparse.Namespace) -> int:
    from companion.service.addons.rules_check import check

    good, options = True, once("--option", arguments.option)
    for name in sorted(GAMES) if arguments.game is None else [arguments.game]:
        breaches, played = check(name, options, arguments.games, arguments.seed)
        lines = breaches.lines()
        print("\n".join([f"{name}: {played}. {'Not kept:' if lines else 'Nothing is wrong.'}", *lines]), flush=True)
        good = good and not lines
    return 0 if good else 1


def _listed(rules: Mapping[str, str]) -> str:
    return "\n".join(f"{rule:<8}{sentence}" for rule, sentence in rules.items())


def _add_games(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    games = commands.add_parser("games", help="the games that were played")
    games.add_argument("--config", type=Path, metavar="companion.toml", help="by default the service's")
    games.set_defaults(command=_games, number=None, out=None)
    kinds = games.add_subparsers(required=True, dest="what", metavar="list|show|export|rejudge")
    kept, usual = argparse.SUPPRESS, "by default the service's"  # kept: what stood before the kind
    for what, does in _GAMES.items():  # of its own each, so that the number may stand after the options too
        kind = kinds.add_parser(what, help=does)
        kind.add_argument("--config", type=Path, default=kept, metavar="companion.toml", help=usual)
        if what == "export":
            kind.add_argument("--out", type=folder, metavar="DIR", help="where to export to")
        if what != "list":
            kind.add_argument("number", type=natural, nargs="?", help="of the game; by default the last")


_GAMES = {
    "list": "a line for each",
    "show": "the rolls and what was ruled",
    "export": "a folder that can be replayed and sent",
    "rejudge": "would it be ruled the same today?",
}


def _games(arguments: argparse.Namespace) -> int:
    from companion.service.records.past_games import games

    for line in games(arguments.what, arguments.number, arguments.config, arguments.out):
        say(line)
    return 0


def _add_backup(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    save = commands.add_parser("backup", help="all games, pictures, boards and the configuration in one file")
    save.add_argument("out", type=place, metavar="FILE", help="to write, or a folder")
    save.add_argument("--config", type=Path, metavar="companion.toml", help="by default the service's")
    save.add_argument("--no-pictures", action="store_true", help="leave out the pictures of plays and fouls")
    save.set_defaults(command=_backup)
    back = commands.add_parser("restore", help="put a backup back; what was there is kept aside")
    back.add_argument("file", type=Path, metavar="FILE")
    back.add_argument("--config", type=Path, metavar="companion.toml", help="made if there is none")
    back.set_defaults(command=_restore)


def _backup(arguments: argparse.Namespace) -> int:
    from companion.service.config import needed_config
    from companion.service.machine.backup import backup

    for line in backup(needed_config(arguments.config), arguments.out, not arguments.no_pictures):
        say(line)
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from companion.service.config import needed_config
    from companion.service.machine.backup import restore

    for line in restore(needed_config(arguments.config), arguments.file):
        say(line)
    return 0


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    doctor = commands.add_parser("doctor", help="every part of this table, how it is, and how to mend it")
    doctor.add_argument("--config", type=Path, metavar="companion.toml", help="by default the service's")
    doctor.add_argument("--json", action="store_true", help="one line of JSON")
    doctor.add_argument("--bundle", type=place, metavar="FILE.zip", help="also write a support file, without secrets")
    doctor.set_defaults(command=_doctor)


def _doctor(arguments: argparse.Namespace) -> int:
    from companion.service.config import Config, read_config, usual_config
    from companion.service.machine.bundle import bundle
    from companion.service.machine.doctor import BAD, as_json, doctor, lines
    from companion.service.machine.machine import Machine

    config, machine = usual_config(arguments.config), Machine()
    parts = doctor(machine, config)
    said = list(lines(parts))
    say(as_json(parts) if arguments.json else "\n".join(said))
    if arguments.bundle is not None:
        try:
            settings = read_config(config) if config else Config()
        except BadInput:
            settings = Config()
        bundle(arguments.bundle, said, machine, config, settings)
        print(f"{arguments.bundle}: look into it before you send it", file=sys.stderr)
    return 1 if any(part.state == BAD for part in parts) else 0


_COMMANDS = (
    _add_demo,
    _add_run,
    _add_config,
    _add_sheet,
    _add_look,
    _add_check,
    add_calibrate,
    add_dice,
    _add_evidence,
    _add_replay,
    _add_rules,
    _add_games,
    _add_backup,
    _add_doctor,
)


if __name__ == "__main__":
    sys.exit(main())
