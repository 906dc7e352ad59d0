"""Assembly: the only place that chooses between the real and the pretend."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.camera import Camera, LiveCamera, open_camera
from companion.dice import DicePort, DiceSource
from companion.dice.own import OWN_DICE
from companion.games.contract import Game
from companion.journal import JOURNAL, Journal, Pictures, open_journal_or_refuge
from companion.journal.pictures import PICTURES
from companion.model import FAILURES, BadInput, CompanionError, DeviceError, JournalError, reason_of
from companion.page import GOODBYE, PageServer, address_of, create_app
from companion.panel import Panels, Press, open_panels
from companion.service.addons import enter_addons, is_name
from companion.service.boards.configured import Table, board_folder, own_folder
from companion.service.boards.pointing import Pointing, draft_in, shown_before
from companion.service.boards.setting_up import SettingUp
from companion.service.clock import Clock
from companion.service.config import Config, all_usual, dice_ports
from companion.service.dice_ble import LOOKING, bluetooth_dice
from companion.service.meaning import meaning_of, members_on
from companion.service.naming import told_apart
from companion.service.paced import Paced
from companion.service.records.stories import Stories
from companion.service.table.desk import Desk
from companion.service.table.loop import Service
from companion.service.table.parts import Parts
from companion.service.table.recorder import Recorder, check_new
from companion.service.table.seating import seat_down
from companion.service.table.tray import WAITING, Tray, TrayEyes

LOG = logging.getLogger(__name__)


@dataclass
class House:
    """A service with its page, ready to run."""

    service: Service
    page: PageServer | None
    """None where none is wanted."""
    table: Table

    def close(self) -> None:
        """Let everything go."""
        if self.page is not None:
            self.page.close()
        self.service.close()


def build(
    config: Config,
    record: Path | None = None,
    alive: Callable[[str], None] = lambda headline: None,
    ended: Callable[[], bool] = lambda: False,
    told: tuple[str, ...] = (),
) -> House:
    """The service that the configuration describes, on real devices.

    record: a folder for a recording of the game. alive: told the headline each time that the loop went round. ended:
    asked each time whether it is to end. told: what is to be said of the time before.
    Raises BadInput, which names the file and its part; JournalError.
    """
    meaning = meaning_of(config)
    game, table = meaning.game, meaning.table
    folder = config.journal_folder
    journal = _journal(folder, told, _warnings(config, game, table))
    desk, clock = seat_down(config, game, table, journal), Clock()
    clock.move_to(desk.last_time + 1.0)
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    camera, camera_why = _camera(config, clock)
    panel, panel_why = _panel(config, presses)
    dice, dice_why = _dice_or_none(config, journal)
    parts = Parts(
        sheet=table.sheet,
        scene=table.scene,
        board=table.name,
        journal=journal,
        pictures=Pictures(folder / PICTURES, config.journal.pictures_mb * 1_000_000),
        clock=clock,
        camera=camera,
        dice=dice,
        panel=panel,
        camera_why=camera_why,
        tray=tray_of(config),
        dice_why=dice_why,
        panel_why=panel_why,
        presses=presses,
        alive=alive,
        ended=ended,
        recorder=recorder_for(record, desk, table),
        questions=meaning.questions,
        members=meaning.members,
        configured=game.seats,
        first=config.game.first,
        shown=shown_before(folder, table.scene),
    )
    return _served(Service(parts, desk), config, table, game)


def _journal(folder: Path, told: tuple[str, ...], warnings: tuple[str, ...]) -> Journal:
    """The journal in `folder`, or its refuge, with all that is to be said of it, of before and of the table."""
    journal = open_journal_or_refuge(folder / JOURNAL)
    journal.notes = (*told, *journal.notes, *warnings)
    for note in journal.notes:
        LOG.warning("%s", note)
    return journal


def _served(service: Service, config: Config, table: Table, game: Game[Any]) -> House:
    """The service with its page; its dice are looked for from now on."""
    own = None if config.sheet.path else own_folder(config, game)
    seen_now, show_board = service.lookout.seen_now, service.lookout.show_board
    draft = draft_in(board_folder(config, game))
    pointing = Pointing(table.scene, seen_now, show_board, config.journal_folder, draft, service.parts.shown)
    fits = partial(members_on, config, game=game)
    setup = SettingUp(game, table.scene, seen_now, own, service.begin_anew, pointing, fits)
    page = open_page(service, table, config, setup)
    _start_dice(service, config.dice.port)
    return House(service, page, table)


def _start_dice(service: Service, port: str) -> None:
    if service.parts.dice is None:
        return
    try:
        service.throws.arm(strict=True)
        service.parts.dice.start()
        service.parts.dice.events.empty()  # as each round asks: what is no queue would hold up the table
    except FAILURES as error:  # dice of one's own have errors of their own
        service.parts.dice, service.throws.text = None, _without(port, error)


def _warnings(config: Config, game: Game[Any], table: Table) -> tuple[str, ...]:
    """What players are to know of a table that is played at all the same."""
    twins = "" if config.camera.source == "none" else told_apart(table.sheet, game.seats)
    return tuple(filter(None, ("; ".join(all_usual(config) or ()), twins)))


def recorder_for(folder: Path | None, desk: Desk, table: Table) -> Recorder | None:
    """What records the game from now on, if that is wanted. Raises BadInput where the folder holds something."""
    if folder is None:
        return None
    check_new(folder)
    recorder = Recorder(folder, desk.as_it_stands, table.scene)
    for word in desk.told_before:
        recorder.word(word)
    return recorder


def _camera(config: Config, clock: Clock) -> tuple[Camera | None, str]:
    spec = config.camera
    if spec.source == "none":
        return None, "no camera: the board is set by hand"
    try:
        camera = open_camera(config.camera_source, (spec.width, spec.height), spec.fps, clock=clock.now)
    except CompanionError as error:
        return None, str(error)
    return (camera, "") if isinstance(camera, LiveCamera) else (Paced(camera, clock), "")


def _panel(config: Config, presses: queue.SimpleQueue[Press]) -> tuple[Panels | None, str]:
    return open_panels(config.panel, presses.put)


def _dice_or_none(config: Config, journal: Journal) -> tuple[DiceSource | None, str]:
    """As `_dice`; dice that cannot be used are done without, as a panel and a camera are."""
    try:
        return _dice(config, journal)
    except JournalError:
        raise
    except FAILURES as error:  # dice of one's own have errors of their own
        return None, _without(config.dice.port, error)


def _without(port: str, error: BaseException) -> str:
    LOG.info("the dice %s", port, exc_info=error)
    return f"The dice {port!r} are done without: {reason_of(error)}. Until the next start, enter the dice on the phone."


def _dice(config: Config, journal: Journal) -> tuple[DiceSource | None, str]:
    """What rolls, and what is said of it until it says something itself."""
    match config.dice.port:
        case "none":
            return None, "by phone"
        case "camera":
            return None, WAITING
        case "ble":
            try:
                return bluetooth_dice(config, journal), LOOKING
            except DeviceError as error:
                return None, f"{error}. Until then, enter the dice on the phone."
        case word if word in OWN_DICE:
            if (own := OWN_DICE[word].make(journal)) is None:
                raise BadInput("what makes them gave None")
            return own, OWN_DICE[word].waiting
        case word if word not in dice_ports() and is_name(word):
            raise BadInput(" ".join(enter_addons()))
        case port:
            return DicePort(journal, None if port == "auto" else Path(port)), ""


def tray_of(config: Config) -> TrayEyes | None:
    """The dice tray that the camera is to read, if it is."""
    dice, tray = config.dice, config.tray
    if "camera" not in (dice.port, dice.check):
        return None
    spot = Tray(tray.x, tray.y, tray.width, tray.height, tray.drop) if tray.width else None
    return TrayEyes(spot, check=bool(dice.check))


def open_page(service: Service, table: Table, config: Config, setup: SettingUp, goodbye: str = GOODBYE) -> PageServer:
    """The page. While its port is in use the referee works without it, says so, and tries again. goodbye: what pages
    say once it has ended."""
    host, port = config.page.host, config.page.port
    address = (lambda: address_of(host, port)) if config.page.here_only else None
    names = (host, *config.page.names)
    past = Stories(service.parts.journal, service.parts.pictures, (table.name, table.sheet), config)
    pin = config.page.pin
    app = create_app(
        service, table.sheet, table.svg, pin, address, setup=setup, past=past, names=names, goodbye=goodbye
    )
    page = PageServer(app, host, port)
    page.start_when_free()
    return page
