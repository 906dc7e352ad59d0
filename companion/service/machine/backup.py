"""`companion backup` and `companion restore`: all games, pictures, boards and the configuration in one file."""

from __future__ import annotations

import contextlib
import errno
import filecmp
import json
import lzma
import os
import shutil
import stat
import struct
import tomllib
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import Any
from zipfile import ZipFile

from calibration.board_files import DRAFT, LANDMARKS, PHOTO, PREVIEW
from companion import __version__
from companion.camera.recorded import PICTURES as FRAMES
from companion.journal import JOURNAL, JournalNewer, open_to_read
from companion.journal.pictures import PICTURES, SPARE
from companion.model import (
    FAILURES,
    BadInput,
    CompanionError,
    ConfigError,
    DeviceError,
    JournalError,
    reason_of,
    why_not,
)
from companion.service.config import EXAMPLE, OWN_BOARDS, Config, config_from, config_of, decoded, read_config
from companion.service.dice_ble import KEPT as DICE
from companion.service.machine.archive import PART, add_file, add_text, new_zip
from companion.service.machine.exchange import (
    KEPT_TOO,
    UNPACKED,
    WHOLE,
    finish_what_was_cut,
    put_in_place,
    remove,
)
from companion.service.machine.instance import Instance
from companion.service.meaning import meaning_of
from companion.service.scratch import clear_away, free_name, scratch

ABOUT, TOML = "backup.json", "companion.toml"
TABLE = "table"
"""Where in a backup the files lie that the configuration names, by their path beside it."""
PASSING = ".companion-backup-"
"""How the name of the folder begins in which the games are copied."""
DAY = "[0-9]" * 4 + "-[0-9][0-9]" * 2 + "-" + "[0-9]" * 4
"""What a backup's name says when it was not given one, for `glob`."""
OF_BACKUP = f"{TOML} of the backup"
TAKEN = ("game", "sheet", "camera", "journal")
"""The parts of a configuration that name files, or where the games are."""
ELSEWHERE = "Then name the configuration of who keeps them with --config, or their place in it as [journal] folder"
FORMAT = 1
FEW = 8
"""So many files are named one by one, more by their folder."""
LONGEST_TEXT = 1_000_000
"""Bytes of what says what a backup is, and of its configuration."""
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, RuntimeError, ValueError, LookupError, ArithmeticError),
)
"""What reading a damaged archive may raise."""
NOT_ITS_FAULT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
"""What the disk says that it is read from or unpacked to, whatever the archive holds."""
NO_PLACE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR)
"""What it says of a folder that this user cannot have here, as one of another machine's user."""


def backup(config: Path, out: Path, pictures: bool = True) -> Iterator[str]:
    """Write a backup to `out`, a file or a folder, while the service may run; yields what to tell.

    Only its owner may read it, since it holds the PIN. Raises BadInput where there is something at `out` already, and
    JournalError, DeviceError where it cannot be done.
    """
    settings = read_config(config)
    path = out / f"companion-{datetime.now():%Y-%m-%d-%H%M}.zip" if os.path.isdir(out) else out
    for left in path.parent.glob(f"companion-{DAY}.zip{PART}"):
        clear_away(left)
    with new_zip(path, 0o600) as archive:
        yield from _fill(archive, config, settings, path.parent, pictures)
    yield f"{path}: {path.stat().st_size / 1e6:.1f} MB"


def _fill(archive: ZipFile, config: Path, settings: Config, out: Path, pictures: bool) -> Iterator[str]:
    folder = settings.journal_folder
    about = {"backup": FORMAT, "companion": __version__, "made": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z}"}
    add_text(archive, ABOUT, json.dumps(about, indent=1))
    add_text(archive, TOML, config.read_bytes())
    kept = KEPT_TOO if pictures else tuple(name for name in KEPT_TOO if name != PICTURES)
    count = 0
    for path in (folder / name for name in kept):
        if path.is_symlink():
            yield f"{path} is not in it, since it is a link: keep a copy yourself of what it leads to"
        elif path.name == JOURNAL and path.exists():
            count = _add_games(archive, path, _room_for(path, out))
        else:
            _add_all(archive, path, folder)
    none = "" if count else f": none are in {folder}. Are they kept elsewhere? {ELSEWHERE}"
    yield f"{count} {'game' if count == 1 else 'games'}{none}"
    if os.path.lexists(folder / WHOLE):
        yield "A restore was cut off here: start the service once, which ends it, and make this backup again"
    yield from _add_named(archive, config, settings)


def _add_named(archive: ZipFile, config: Path, settings: Config) -> Iterator[str]:
    """What the configuration names and lies beside it. What does not is said: much of one folder in one line."""
    home, boards = settings.folder.resolve(), (settings.journal_folder / OWN_BOARDS).resolve()
    named = [path for path in named_files(settings) if not path.is_relative_to(boards)]
    apart = Counter[Path]()
    for path in named:
        if _beside(path, home):
            add_file(archive, path, f"{TABLE}/{path.relative_to(home).as_posix()}")
        else:
            apart[path.parent] += 1
    far = (path if apart[path.parent] <= FEW else path.parent for path in named if not _beside(path, home))
    for path in dict.fromkeys(far):
        why = f"since it does not lie beside {config.name}, or is hidden there"
        yield f"{path} is not in it, {why}: keep a copy of it yourself"


def _add_all(archive: ZipFile, path: Path, folder: Path) -> None:
    """A file, or what is in a folder, without links."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file() and not file.is_symlink():
            with contextlib.suppress(FileNotFoundError):  # the oldest picture may go while we write
                add_file(archive, file, file.relative_to(folder).as_posix())


def _room_for(games: Path, out: Path) -> Path:
    """Where the passing copy of the games is made: beside them, or at the backup's place where it is full there."""
    beside = games.parent
    if not os.access(beside, os.W_OK):
        return out
    free = shutil.disk_usage(beside).free
    needed = 2 * games.stat().st_size + SPARE  # for what SQLite writes beside it, and what the service writes meanwhile
    return beside if free > needed or free >= shutil.disk_usage(out).free else out


def _add_games(archive: ZipFile, path: Path, room: Path) -> int:
    """A copy of one moment, though the service writes on. room: where to make it. Returns how many games."""
    with scratch(room, PASSING) as passing:
        try:
            copy = open_to_read(path, passing / JOURNAL)
        except JournalError as error:  # it is said of the games, not of a copy that is gone
            raise type(error)(str(error).replace(str(passing / JOURNAL), str(path))) from error
        count = len(copy.games())
        copy.close()
        add_file(archive, passing / JOURNAL, JOURNAL)
    return count


def _beside(path: Path, home: Path) -> bool:
    """Whether a file lies below the configuration's folder, and is not hidden there (like .ssh)."""
    return path.is_relative_to(home) and not any(part.startswith(".") for part in path.relative_to(home).parts)


def named_files(settings: Config) -> list[Path]:
    """The files that the configuration names: the board, its photo and print, the lens, the questions, a video."""
    deck = settings.game.deck if settings.game.deck != "builtin" else ""
    named = [settings.path(text) for text in (settings.sheet.reference, settings.camera.lens, deck) if text]
    if settings.sheet.reference:
        named += [photo.with_suffix(".json") for photo in named[:1] if photo.name]  # its landmarks
    if settings.sheet.path:
        sheet = settings.path(settings.sheet.path)
        own = (sheet.parent / name for name in (PHOTO, LANDMARKS, DRAFT, PREVIEW))
        named += [sheet, *own, *sheet.parent.glob("*.png"), *_texture(sheet)]
    files = [file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return list(dict.fromkeys(file.resolve() for file in [*files, *_recorded(settings)] if file.is_file()))


def _texture(sheet: Path) -> list[Path]:
    """The picture that a sheet names; none where it names none, or cannot be read."""
    if not sheet.is_file():
        return []
    try:
        name = json.loads(sheet.read_text(encoding="utf-8-sig"))["texture"]
        return [sheet.parent / name] if (sheet.parent / name).is_file() else []
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def _recorded(settings: Config) -> list[Path]:
    """The video that is the camera, or its pictures where that is a folder; none of any other camera."""
    source = settings.camera.source.strip()
    if settings.camera_source == source and not os.path.isabs(source):
        return []
    path = settings.path(source)
    folder = path / "frames" if (path / "frames").is_dir() else path  # as the camera reads it
    return [file for file in sorted(folder.glob("*")) if file.suffix.lower() in FRAMES] if path.is_dir() else [path]


def restore(config: Path, source: Path) -> Iterator[str]:
    """Put a backup back; what was there is kept in a folder before-restore-N. Yields what to tell.

    Raises BadInput where the file is no backup, JournalError where its games are damaged or newer than this program,
    ConfigError where nothing says where they are kept, DeviceError where the service runs: then nothing has been
    changed. It raises DeviceError too where the disk cannot be written. A restore that is cut off has changed nothing
    of the games, or is ended by the next start of the service, or by the next restore.
    """
    with _opened(source) as archive:
        with _reading(source):
            about, settings = _about(archive, source), _settings(archive, config)
        folder = settings.journal_folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with Instance(folder, "restoring a backup"):
                yield from finish_what_was_cut(folder)
                yield from _put_back(archive, source, config, folder)
        except OSError as error:
            if isinstance(error, CompanionError):
                raise
            left = "the next start ends it" if os.path.lexists(folder / WHOLE) else "nothing of the games was changed"
            way = f". {_elsewhere(config)}" if settings.source == OF_BACKUP and error.errno in NO_PLACE else ""
            raise DeviceError(f"{why_not(error, folder)} ({left}){way}") from error
    yield f"As it was on {about.get('made', 'an unknown day')}, by Companion {about.get('companion', 'of no name')}."
    yield from _in_its_way(config)


def _in_its_way(config: Path) -> Iterator[str]:
    """What keeps the table from beginning with the configuration that is there now, as a board that lay elsewhere on
    another machine, and so is in no backup."""
    try:
        if config.exists():
            meaning_of(read_config(config))
    except FAILURES as error:  # a game of one's own has errors of its own
        yield f"But the table cannot begin yet: {reason_of(error)}"


def _elsewhere(config: Path) -> str:
    """The way out where games cannot lie where the backup's configuration says."""
    return f'To have the games elsewhere than the backup has them, write into {config}: [journal] folder = "games"'


def _put_back(archive: ZipFile, source: Path, config: Path, folder: Path) -> Iterator[str]:
    """Unpack what is ours, look at it, and only then put it in place."""
    with _emptied(folder) as found:
        with _reading(source):
            ours = [info for info in archive.infolist() if _is_ours(info.filename)]
            _check_room(sum(info.file_size for info in ours), folder, source)
            archive.extractall(found, ours)
            named = _named(found)
        count = _check_games(found / JOURNAL)
        _check_room(_needed_beside(found, named, config.parent), config.parent, source, spare=0)
        yield from _give_files(found, named, config)
        yield from _give_config(found / TOML, config, folder)
        if told := put_in_place(found, folder):
            yield told
    yield f"{count} {'game' if count == 1 else 'games'} in {folder}"


def _check_room(needed: int, folder: Path, source: Path, spare: int = SPARE) -> None:
    """Raises DeviceError where what is put there would leave less than `spare` bytes, for the games. No file of an
    archive gets larger than it says, whatever is in it."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    room = shutil.disk_usage(there).free - spare
    if needed > room:
        digits = 0 if needed >= 1e6 else 3
        sizes = f"{needed / 1e6:.{digits}f} MB unpacked, and {max(0, room) / 1e6:.{digits}f} MB are free for it"
        raise DeviceError(f"{source} is {sizes} on the disk of {folder}; nothing was restored. Make room first")


def _needed_beside(found: Path, named: Sequence[PurePath], home: Path) -> int:
    """Bytes that the files take which the configuration names, with those that they replace, which are kept."""
    both = ((found / TABLE / name, home / name) for name in named)
    changed = (pair for pair in both if not (pair[1].is_file() and filecmp.cmp(*pair, shallow=False)))
    return sum(path.stat().st_size for pair in changed for path in pair if path.is_file())


def _short(archive: ZipFile, name: str) -> bytes:
    """A small file of the archive. Raises KeyError where it is not there, BadInput where it is large."""
    if (size := archive.getinfo(name).file_size) > LONGEST_TEXT:
        raise BadInput(f"{archive.filename} is no backup: {name} is {size / 1e6:.0f} MB")
    return archive.read(name)


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[ZipFile]:
    try:
        file = source.open("rb")
    except FileNotFoundError:
        raise BadInput(f"{source}: there is no such file") from None
    except IsADirectoryError:
        raise BadInput(f"{source} is a folder: name the file of the backup (companion-….zip)") from None
    except OSError as error:
        raise BadInput(why_not(error, source)) from error
    with file:
        with _reading(source):
            archive = ZipFile(file)
        with archive:
            yield archive


@contextlib.contextmanager
def _reading(source: Path) -> Iterator[None]:
    """What a damaged archive may raise, as BadInput. Raises OSError where it is the disk that takes no more."""
    try:
        yield
    except CompanionError:
        raise
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno in NOT_ITS_FAULT:
            raise
        raise BadInput(f"{source} is no backup, or damaged: {error}. Make one with: companion backup") from error


def _about(archive: ZipFile, source: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(_short(archive, ABOUT))
        number = int(about["backup"])
    except BadInput:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{source} is no backup: it has no {ABOUT}. Companion writes them: companion backup") from error
    if number > FORMAT:
        raise BadInput(f"{source} was written by a newer Companion ({about.get('companion')}): update this one")
    return about


def _settings(archive: ZipFile, config: Path) -> Config:
    """The configuration of this table; where there is none that can be read, that of the backup, as it will lie here.

    What of it cannot be used here is left out: it says where the games are. Raises ConfigError where it does not.
    """
    own = _own(config)
    if _is_toml(own):
        return _as_far_as_usable(own, config.parent, str(config))
    if TOML in archive.namelist():
        try:
            return _as_far_as_usable(_short(archive, TOML), config.parent, OF_BACKUP)
        except ConfigError as error:
            raise ConfigError(f"{error}. {_elsewhere(config)}") from None
    return read_config(config)


def _own(config: Path) -> bytes:
    """The configuration of this table, b"" where there is none. Raises ConfigError where this user may not read it."""
    try:
        return config.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError:
        read_config(config)  # it says why not
        raise


def _is_toml(toml: bytes) -> bool:
    """Whether it can be read at all; a power cut may leave nothing of it, or zeros."""
    try:
        return bool(toml.strip()) and decoded(toml) is not None
    except ValueError:
        return False


def _as_far_as_usable(toml: bytes, folder: Path, source: str) -> Config:
    """What a configuration says of games and files, whatever else it says that nobody here knows.

    Raises ConfigError where it is no TOML, or its [journal] folder cannot be here.
    """
    with contextlib.suppress(ConfigError):
        return config_of(toml, folder, source)
    data = decoded(toml) if _is_toml(toml) else {"journal": ""}
    if not isinstance(data.get("journal", {}), dict):
        return config_of(toml, folder, source)
    parts = {name: part for name in TAKEN if isinstance(part := data.get(name), dict)}
    place = {key: value for key, value in parts.get("journal", {}).items() if key == "folder"}
    usable = {"journal": place}
    found = config_from(usable, folder, source)
    for name, key in ((name, key) for name, part in parts.items() for key in sorted(part)):
        tried = {**usable, name: {**usable.get(name, {}), key: parts[name][key]}}
        with contextlib.suppress(ConfigError):
            found, usable = config_from(tried, folder, source), tried
    return found


def _unusable(toml: bytes, folder: Path) -> str:
    """Why a backup's configuration cannot be used here, "" where it can."""
    try:
        config_of(toml, folder, OF_BACKUP)
    except ConfigError as error:
        return str(error)
    return ""


@contextlib.contextmanager
def _emptied(folder: Path) -> Iterator[Path]:
    """Where to unpack: empty before, gone after; on the disk of the games, since the system's may be in memory."""
    place = folder / UNPACKED
    remove(place)
    try:
        place.mkdir(mode=0o700)
        yield place
    finally:
        with contextlib.suppress(OSError):
            remove(place)


def _is_ours(name: str) -> bool:
    """Whether a file of the archive is one that a backup has; nothing may reach out of its folder."""
    path = PurePosixPath(name)
    known = name in (JOURNAL, DICE, TOML) or (len(path.parts) > 1 and path.parts[0] in (OWN_BOARDS, PICTURES, TABLE))
    return known and ".." not in path.parts


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


def _named(found: Path) -> list[PurePath]:
    """Which files beside its configuration a backup really names: no others are put beside this table's."""
    if not (found / TOML).exists():
        return []
    home = (found / TABLE).resolve()
    try:
        files = named_files(_as_far_as_usable((found / TOML).read_bytes(), home, OF_BACKUP))
    except ConfigError:  # the games are restored all the same
        return []
    return [path.relative_to(home) for path in files if _beside(path, home)]


def _give_files(found: Path, named: Sequence[PurePath], config: Path) -> Iterator[str]:
    """What the backup's configuration names. Where another file of that name is, that is kept in a folder aside."""
    home, aside = config.parent, free_name(config.parent / "before-restore")
    replaced = []
    for name in named:
        new, target = found / TABLE / name, home / name
        if target.is_symlink() or (os.path.lexists(target) and not target.is_file()):
            if not (target.is_file() and filecmp.cmp(new, target, shallow=False)):
                yield f"{target} was left as it is, since it is no plain file; that of the backup was not put there"
            continue
        if target.exists():
            if filecmp.cmp(new, target, shallow=False):
                continue
            _copy(target, aside / name, config)
            replaced.append(name.as_posix())
        _copy(new, target, config)
    if replaced:
        told = ", ".join(replaced) if len(replaced) <= FEW else f"{len(replaced)} files"
        yield f"{told} in {home}: those of the backup now; what was there is kept in {aside}"


def _give_config(new: Path, config: Path, folder: Path) -> Iterator[str]:
    """The configuration of a backup, where there is none that says anything of this table; else beside it."""
    if not new.exists() or (own := _own(config)) == (toml := new.read_bytes()):
        return
    wrong = _unusable(toml, config.parent)
    if not wrong and not config.exists():
        _copy(new, config, config)
    elif not wrong and (aside := _to_be_kept(config, own, toml, folder)):
        place, what = aside
        _copy(config, place, config)
        _copy(new, config, config)
        yield f"{config} is that of the backup now; what was there, {what}, is {place}"
    else:
        other = config.with_name(f"{config.name}.from-backup")
        _copy(new, other, config)
        left = f"{config} was left as it is" if config.exists() else f"There is no {config}"
        sudo = "sudo " if os.geteuid() == 0 else ""
        way = f"but it cannot be used here: {wrong}. Once that is mended" if wrong else "To take it"
        yield f"{left}; that of the backup is {other}{', ' if wrong else '. '}{way}: {sudo}mv {other} {config}"
        if not wrong and (place := config_of(toml, config.parent, OF_BACKUP).journal_folder) != folder:
            yield f'In it, games are kept in {place}: to find these, set [journal] folder = "{folder}" there too'


def _to_be_kept(config: Path, own: bytes, toml: bytes, folder: Path) -> tuple[Path, str] | None:
    """Where this table's configuration goes, and what it was, where the backup's takes its place; None where it does
    not: somebody has written it, or the games would not be found."""
    if not _is_toml(own):
        aside = config.with_name(f"{config.name}.damaged")
        free = free_name(aside, 2) if os.path.lexists(aside) else aside
        return free, "which could not be read" if own.strip() else "which was empty"
    try:
        fresh = _as_installed(read_config(config))
    except ConfigError:
        return None
    same = config_of(toml, config.parent, OF_BACKUP).journal_folder == folder
    return (config.with_name(f"{config.name}.before-restore"), "as it was installed") if fresh and same else None


def _as_installed(settings: Config) -> bool:
    """Whether nobody has said anything yet about this table: it begins with the example, at a place of its own."""
    example = config_from(tomllib.loads(EXAMPLE), settings.folder, settings.source)
    journal = replace(settings.journal, folder=example.journal.folder)
    return replace(settings, journal=journal, page=replace(settings.page, port=example.page.port)) == example


def _copy(file: Path, target: Path, like: Path) -> None:
    """Whole or not at all. like: whose owner, group and rights it gets, if that is there: the service reads both.

    Raises OSError, of the target.
    """
    _make_folder(target.parent, like.parent)
    part = target.with_name(f"{target.name}{PART}")
    remove(part)
    try:
        shutil.copyfile(file, part)
    except OSError as error:  # Python names the file that was read, which may lie on another disk
        with contextlib.suppress(OSError):
            remove(part)
        raise OSError(error.errno, error.strerror, str(target)) from error
    if like.exists():
        model = like.stat()
        with contextlib.suppress(PermissionError):
            os.chown(part, model.st_uid, model.st_gid)
        part.chmod(stat.S_IMODE(model.st_mode))
    part.replace(target)


def _make_folder(folder: Path, home: Path) -> None:
    """A new one below the configuration's folder gets its owner, group and rights, whatever umask root has."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make_folder(folder.parent, home)
    folder.mkdir(exist_ok=True)
    if home in folder.parents:
        model = home.stat()
        with contextlib.suppress(PermissionError):
            os.chown(folder, model.st_uid, model.st_gid)
        folder.chmod(stat.S_IMODE(model.st_mode))
