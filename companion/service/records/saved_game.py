"""A game of the journal as a recording, with its board where that is still here: in a folder, or packed for a phone."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from calibration.board_files import SHEET
from companion.games.catalogue import game_for
from companion.journal import Game, Journal, Pictures, export
from companion.journal.pictures import SPARE
from companion.model import BadInput, JournalError, OptionError
from companion.service.boards.configured import board_played
from companion.service.config import Config
from companion.service.scratch import scratch
from companion.service.table.recorder import record_board

PASSING = ".companion-saved-"
"""What a folder begins with in which a game is being packed."""


def write_game(journal: Journal, played: Game, pictures: Pictures, config: Config, out: Path) -> str:
    """Write a game into a folder as `run --record` writes one. Returns a sentence where its board is not here any more,
    and "" where it is. Raises JournalError."""
    said, missing = {"sheet": SHEET}, ""
    try:
        game = game_for(played.game, list(played.seats), dict(played.options))
        scene = board_played(config, game, played.sheet)
    except (BadInput, OSError) as error:
        known = " by a Companion that knows it (is an add-on missing here?)" if isinstance(error, OptionError) else ""
        way = f"it can be replayed{known} once its {SHEET} lies there, with its pictures"
        missing = f"The board is not in it ({error}): {way}"
    else:
        try:
            out.mkdir(parents=True, exist_ok=True)
            said = record_board(scene, out)
        except OSError as error:
            raise JournalError(f"export to {out}: {error.strerror}; choose a folder that can be written") from error
    export(journal, played.id, out, pictures, said)
    return missing


def packed_game(journal: Journal, played: Game, pictures: Pictures, config: Config) -> BinaryIO:
    """The same as a ZIP archive, in a file that is gone once it is closed. Raises JournalError."""
    called = f"{played.game}-game-{played.id}"
    try:
        room = _room_for(pictures.folder.parent, _taken(journal, played.id, pictures))
        with scratch(room, PASSING) as made:
            missing = write_game(journal, played, pictures, config, made / called)
            if missing:
                (made / called / "missing.txt").write_text(f"{missing}.\n", encoding="utf-8")
            return _packed(made, room)
    except (OSError, JournalError) as error:
        why = error.__cause__ if isinstance(error, JournalError) else error
        if not isinstance(why, OSError):  # it is the journal that cannot be read
            raise
        raise JournalError(f"the game cannot be packed: {why.strerror}; is the disk full?") from error


def _taken(journal: Journal, game: int, pictures: Pictures) -> int:
    """Bytes that packing takes for a while: each picture twice, and no more than the whole journal beside them."""
    kept = filter(None, map(pictures.path, pictures.of_game(game)))
    return sum(file.stat().st_size for file in (journal.path, *(2 * [*kept])) if file.is_file())


def _room_for(games: Path, needed: int) -> Path:
    """Where a game is packed: beside the games, as /tmp lies in memory on a Raspberry Pi; there if their card became
    read-only, or is so full that old pictures would be given up. Raises JournalError where there is no room."""
    most = 0
    for room in [*([games] if os.access(games, os.W_OK) else []), Path(tempfile.gettempdir())]:
        free = shutil.disk_usage(room).free - SPARE
        if free > needed:
            return room
        most = max(most, free)
    sizes = f"{_mb(needed)} of the disk for a while, and {_mb(most)} are free"
    raise JournalError(f"the game cannot be packed: that takes {sizes}; make room")


def _mb(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def _packed(folder: Path, room: Path) -> BinaryIO:
    with contextlib.ExitStack() as where_it_fails:
        file = where_it_fails.enter_context(tempfile.TemporaryFile(dir=room))
        # a clock that was not set yet may say 1970, and a ZIP file knows no time before 1980
        with ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(folder))
        file.seek(0)
        where_it_fails.pop_all()
        return file
