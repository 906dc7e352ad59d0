"""Whose the journal is, where that is why this user may not use it: after a start with sudo it belongs to root."""

from __future__ import annotations

import os
import pwd
from pathlib import Path


def kept_out(path: Path, wanted: int = os.R_OK | os.W_OK) -> str:
    """What keeps this user from the journal at `path`, with the way out; "" where nothing of its rights does.

    wanted: what is to be done with it, as `os.access` takes it.
    """
    folder = path.parent
    for upper in reversed(folder.parents):
        if os.path.isdir(upper) and not os.access(upper, os.X_OK):
            return f"this user may not enter {upper}: put sudo before the command, or keep the games elsewhere"
    if os.path.isdir(folder) and not _may(folder, wanted | os.X_OK):
        return _told(folder, folder)
    if not os.path.isdir(folder):
        return _cannot_be_made(folder) if wanted & os.W_OK else ""
    files = (Path(f"{path}{extra}") for extra in ("", "-wal", "-shm"))
    shut = next((file for file in files if os.path.exists(file) and not _may(file, wanted)), None)
    return "" if shut is None else _told(shut, folder)


def _cannot_be_made(folder: Path) -> str:
    """What is in the way of a folder that is not there; "" where nothing is."""
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    if not os.path.isdir(there):
        return f"{there} is no folder: move it away, or keep the games elsewhere"
    if _may(there, os.W_OK | os.X_OK):
        return ""
    way = "is a stick not plugged in? Else put sudo before the command, or keep the games elsewhere"
    return f"there is no {folder}, and this user may not make a folder in {there}: {way}"


def _may(place: Path, wanted: int) -> bool:
    """Whether this user may; that nobody can write to a disk that can only be read is no question of rights."""
    read_only = os.access(place, wanted & ~os.W_OK) and os.statvfs(place).f_flag & os.ST_RDONLY
    return os.access(place, wanted) or bool(read_only)


def shut_away(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> bool:
    """Whether a folder can only be read by this program, though its disk can be written: a service of the system may
    write where its unit says so (ProtectSystem). mounts: as in proc(5)."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
        place = folder.resolve()
    except OSError:
        return False
    found: tuple[int, bool] = (-1, False)
    for fields in map(str.split, lines):
        point, options, disk = fields[4].encode().decode("unicode_escape"), fields[5], fields[-1]
        if place.is_relative_to(point) and len(point) >= found[0]:  # the last one there covers those before
            found = len(point), "ro" in options.split(",") and "ro" not in disk.split(",")
    return found[1]


def _told(shut: Path, folder: Path) -> str:
    owner, user = os.stat(shut).st_uid, os.geteuid()
    if owner == user:
        return f"{shut} is closed to its own user: chmod -R u+rwX {folder}"
    give = f"give all to this one: sudo chown -R {_name(user)} {folder}"
    return f"{shut} belongs to another user ({_name(owner)}): put sudo before the command, or {give}"


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
