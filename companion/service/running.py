"""`companion run`: one table, refereed until it is told to end."""

from __future__ import annotations

import contextlib
import itertools
import logging
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion import __version__
from companion.model import CompanionError
from companion.service.assembly import House, build
from companion.service.boards.kept_boards import after_a_cut
from companion.service.config import OWN_BOARDS, Config, read_config
from companion.service.machine.exchange import finish_what_was_cut
from companion.service.machine.instance import Instance
from companion.service.machine.logbook import keep_log, log_folder
from companion.service.machine.supervisor import Supervisor
from companion.service.meaning import meaning_of
from companion.service.table.recorder import beside

LOG = logging.getLogger(__name__)
STAYS = "The configuration was changed and cannot be used: {}. The table goes on as it was until that is mended."

IN_GOOD_ORDER = 3.0
"""Seconds that an end in good order may take before who asks again is not told to wait any longer."""


class Ending:
    """Whether the end was asked for. All that a signal's handler may do is set it: it may interrupt anything."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self) -> None:
        """End, as soon as somebody looks."""
        self.asked = True


def run(path: Path, record: Path | None, say: Callable[[str], None]) -> int:
    """Referee the table that the configuration at `path` describes. Returns the exit status.

    Raises ConfigError and what else `build` raises, and DeviceError where this table has a Companion already.
    """
    config, supervisor, ending = read_config(path), Supervisor.from_environment(), Ending()
    told: tuple[str, ...] = ()
    end_on_signals(ending.ask)
    log = keep_log(log_folder(config.journal_folder))
    LOG.info("Companion %s begins with %s", __version__, path)
    try:
        for number in itertools.count(1):
            if not _serve(config, recorded_to(record, number), supervisor, ending, say, told) or ending.asked:
                break
            config, told = read_again(path, config)
    except CompanionError as error:
        LOG.info("Companion ends: %s", error)  # whoever started it says the same to people
        raise
    except Exception:
        LOG.exception("Companion ends")
        raise
    finally:
        supervisor.stopping()
        if log is not None:
            logging.getLogger().removeHandler(log)
            log.close()
    return 0


def recorded_to(folder: Path | None, number: int) -> Path | None:
    """Where the table assembled as the `number`th records to: each to a folder of its own, beside the first."""
    return folder if folder is None or number == 1 else beside(folder)


def read_again(path: Path, before: Config) -> tuple[Config, tuple[str, ...]]:
    """The configuration for a table that is assembled anew, and what is to be told: one that somebody is just editing,
    or that cannot be used, ends no evening: then that of before goes on."""
    try:
        config = read_config(path)
        meaning_of(config)
    except CompanionError as error:
        return before, (STAYS.format(error),)
    return config, ()


def _serve(
    config: Config,
    record: Path | None,
    supervisor: Supervisor,
    ending: Ending,
    say: Callable[[str], None],
    told: tuple[str, ...],
) -> bool:
    """Assemble the table and serve it to the end. Returns whether it is to be assembled anew."""
    folder = config.journal_folder
    with Instance(folder, f"page on port {config.page.port}"):
        told += finish_what_was_cut(folder)
        after_a_cut(folder / OWN_BOARDS)
        house = build(config, record, supervisor.alive, lambda: ending.asked, told)
        _introduce(house, say)
        supervisor.ready(house.service.view().headline)
        try:
            house.service.run()
        finally:
            house.close()
        return house.service.anew


def _introduce(house: House, say: Callable[[str], None]) -> None:
    lines = [f"The page is at {house.page.url}"] if house.page is not None and house.page.serving else []
    lines += [f"{device.name:<9}{device.text}" for device in house.service.view().devices]
    for line in lines:
        with contextlib.suppress(OSError):  # a full disk, or a pipe that nobody reads any more, ends no evening
            say(line)
        LOG.info("%s", line)


def end_on_signals(stop: Callable[[], None]) -> None:
    """End in good order on Ctrl-C, when the system says so, and when the terminal is closed, unless that is to go on
    without it (nohup). Who asks once more when that took too long ends whatever holds it up, as a game of one's own."""
    asked: list[float] = []

    def heard(*_: object) -> None:
        asked.append(time.monotonic())
        if asked[-1] - asked[0] > IN_GOOD_ORDER:
            raise KeyboardInterrupt  # what was told is on disk
        stop()

    if threading.current_thread() is threading.main_thread():
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if name is not signal.SIGHUP or signal.getsignal(name) is not signal.SIG_IGN:
                signal.signal(name, heard)
