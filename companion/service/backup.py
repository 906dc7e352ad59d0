"""`companion backup` and `companion restore`: all games, pictures, boards and the configuration in one file."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from calibration.board_files import DRAFT, LANDMARKS, PHOTO, PREVIEW
from companion import __version__
from companion.journal import JournalNewer, open_to_read
from companion.model import BadInput, CompanionError, DeviceError, JournalError
from companion.service.config import Config, read_config
from companion.service.dice_ble import KEPT as DICE
from companion.service.instance import Instance

ABOUT, GAMES, TOML = "backup.json", "games.db", "companion.toml"
FOLDERS = ("boards", "pictures")
KEPT_TOO = (GAMES, DICE, *FOLDERS)
"""What of the folder of the games is exchanged when a backup is put back."""
TABLE = "table"
"""Where in a backup the files lie that the configuration names, by their path beside it."""
FORMAT = 1


def backup(config: Path, out: Path, pictures: bool = True) -> Iterator[str]:
    """Write a backup to `out`, a file or a folder, while the service may run; yields what to tell.

    Raises BadInput where there is something at `out` already, and JournalError, DeviceError where it cannot be done.
    """
    settings = read_config(config)
    path = out / f"companion-{datetime.now():%Y-%m-%d-%H%M}.zip" if out.is_dir() else out
    if path.exists():
        raise BadInput(f"{path} is there already; name another file, or a folder")
    part = path.with_name(f"{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            yield from _fill(archive, config, settings, pictures)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if isinstance(error, CompanionError):
            raise
        raise DeviceError(f"{path}: {error.strerror or error}; choose a place that can be written") from error
    yield f"{path}: {path.stat().st_size / 1e6:.1f} MB"


def _fill(archive: zipfile.ZipFile, config: Path, settings: Config, pictures: bool) -> Iterator[str]:
    folder, count = settings.journal_folder, 0
    about = {"backup": FORMAT, "companion": __version__, "made": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z}"}
    archive.writestr(ABOUT, json.dumps(about, indent=1))
    archive.write(config, TOML)
    if (folder / GAMES).exists():
        count = _add_games(archive, folder / GAMES)
    if (folder / DICE).exists():
        archive.write(folder / DICE, DICE)
    for name in FOLDERS if pictures else FOLDERS[:1]:
        for path in sorted((folder / name).rglob("*")):
            with contextlib.suppress(FileNotFoundError):  # the oldest picture may go while we write
                archive.write(path, f"{name}/{path.relative_to(folder / name).as_posix()}")
    yield f"{count} {'game' if count == 1 else 'games'}"
    for path in named_files(settings):
        inside = path.is_relative_to(settings.folder.resolve())
        if inside:
            archive.write(path, f"{TABLE}/{path.relative_to(settings.folder.resolve()).as_posix()}")
        else:
            yield f"{path} is not in it, since it does not lie beside {config.name}: keep a copy of it yourself"


def _add_games(archive: zipfile.ZipFile, path: Path) -> int:
    """A copy of one moment, though the service writes on. Returns how many games."""
    with tempfile.TemporaryDirectory(prefix="companion-backup-") as scratch:
        copy = open_to_read(path, Path(scratch, GAMES))
        count = len(copy.games())
        copy.close()
        archive.write(Path(scratch, GAMES), GAMES)
    return count


def named_files(settings: Config) -> list[Path]:
    """The files that the configuration names: the board and its photo, the lens, the questions."""
    deck = settings.game.deck if settings.game.deck != "builtin" else ""
    named = [settings.path(text) for text in (settings.sheet.reference, settings.camera.lens, deck) if text]
    if settings.sheet.path:
        sheet = settings.path(settings.sheet.path)
        own = (sheet.parent / name for name in (PHOTO, LANDMARKS, DRAFT, PREVIEW))
        named += [sheet, *own, *sheet.parent.glob("*.png")]
    files = [file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return list(dict.fromkeys(file.resolve() for file in files if file.is_file()))


def restore(config: Path, source: Path) -> Iterator[str]:
    """Put a backup back; what was there is kept in a folder before-restore-N. Yields what to tell.

    Raises BadInput where the file is no backup, JournalError where its games are damaged or newer than this program,
    DeviceError where the service runs, or where the disk cannot be written. Then nothing has been changed.
    """
    with _opened(source) as archive:
        about = _about(archive, source)
        with tempfile.TemporaryDirectory(prefix="companion-restore-") as scratch:
            try:
                archive.extractall(scratch, [name for name in archive.namelist() if _is_ours(name)])
            except (OSError, zipfile.BadZipFile) as error:
                raise BadInput(f"{source} cannot be unpacked: {error}") from error
            yield from _put_back(Path(scratch), config)
    yield f"As it was on {about.get('made', 'an unknown day')}, by Companion {about.get('companion', 'of no name')}."


def _opened(source: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except (OSError, zipfile.BadZipFile) as error:
        raise BadInput(f"{source} is no backup: {error}. Companion writes them: companion backup") from error


def _about(archive: zipfile.ZipFile, source: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(archive.read(ABOUT))
        number = int(about["backup"])
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise BadInput(f"{source} is no backup: it has no {ABOUT}. Companion writes them: companion backup") from error
    if number > FORMAT:
        raise BadInput(f"{source} was written by a newer Companion ({about.get('companion')}): update this one")
    return about


def _is_ours(name: str) -> bool:
    """Whether a file of the archive is one that a backup has; nothing may reach out of its folder."""
    path = PurePosixPath(name)
    known = (len(path.parts) == 1 and name in (GAMES, DICE, TOML)) or path.parts[0] in (*FOLDERS, TABLE)
    return known and not path.is_absolute() and ".." not in path.parts


def _put_back(found: Path, config: Path) -> Iterator[str]:
    count = _check_games(found / GAMES)
    fresh = not config.exists()
    settings = read_config(found / TOML if fresh else config)
    home = config.parent
    folder = settings.journal_folder if not fresh else _at(settings, home).journal_folder
    try:
        with Instance(folder, "restoring a backup"):
            yield from _exchange(found, folder)
            yield from _give_config(found, config, home)
    except OSError as error:
        if isinstance(error, CompanionError):
            raise
        raise DeviceError(f"{error.filename or folder}: {error.strerror}; nothing more was restored") from error
    yield f"{count} {'game' if count == 1 else 'games'} in {folder}"


def _at(settings: Config, home: Path) -> Config:
    """The same configuration, lying in another folder."""
    return replace(settings, folder=home)


def _check_games(path: Path) -> int:
    """How many games a backup holds. Raises JournalError."""
    if not path.exists():
        return 0
    try:
        with contextlib.closing(open_to_read(path)) as games:
            return len(games.games())
    except JournalNewer:
        raise
    except JournalError as error:
        raise JournalError(f"the games in the backup are damaged ({error.__cause__}); nothing was restored") from error


def _exchange(found: Path, folder: Path) -> Iterator[str]:
    """Put the games, boards and pictures in place, and what was there aside; copied first, then exchanged at once."""
    new = [name for name in KEPT_TOO if (found / name).exists()]
    for name in new:
        shutil.move(found / name, folder / f".{name}.part")
    number = 1
    while (aside := folder / f"before-restore-{number}").exists():
        number += 1
    there = [folder / name for name in (*KEPT_TOO, f"{GAMES}-wal", f"{GAMES}-shm")]
    old = [path for path in there if path.exists()]
    if old:
        aside.mkdir()
        for path in old:
            path.rename(aside / path.name)
        yield f"What was there is kept in {aside}"
    for name in new:
        (folder / f".{name}.part").rename(folder / name)


def _give_config(found: Path, config: Path, home: Path) -> Iterator[str]:
    """The configuration and what it names, where there is none; else beside it, to be compared."""
    for path in sorted((found / TABLE).rglob("*")):
        target = home / path.relative_to(found / TABLE)
        if path.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    if not (found / TOML).exists():
        return
    if not config.exists():
        home.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found / TOML, config)
    elif config.read_bytes() != (found / TOML).read_bytes():
        other = config.with_name(f"{config.name}.from-backup")
        shutil.copyfile(found / TOML, other)
        yield f"{config} was left as it is; that of the backup is {other}"
