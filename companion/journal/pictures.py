"""Pictures of the board kept beside the journal: a folder per game, the oldest given up when there is no room."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path

from companion.model import JournalError

PICTURES = "pictures"
"""The folder of the pictures, beside the journal."""
_NAME = re.compile(r"[0-9]{8,12}(-[a-z]{1,16})?\.jpg")
SPARE = 50_000_000
"""Bytes of the disk that no picture takes: they are for the journal, without which a power cut loses the game."""
LESS = 0.9
"""Share of the room that pictures may take once the oldest were given up: so all are looked through but rarely."""


class Pictures:
    """JPEG files `<game>/<ms>-<what>.jpg` under `folder`, at most `most` bytes; the last of the disk is not theirs."""

    def __init__(self, folder: Path | str, most: int = 200_000_000) -> None:
        self.folder = Path(folder)
        self.most = most
        self._taken: int | None = None

    def keep(self, game: int, t: float, jpeg: bytes, what: str = "") -> str:
        """Keep a picture of told time `t` (seconds) and return its name. what: "before", "after" … or "".

        Raises JournalError where it cannot be kept.
        """
        name = self.name(game, t, what)
        path = self.folder / name
        try:
            for folder in (self.folder, path.parent):  # not those above: a new one would be in the way of one put back
                folder.mkdir(exist_ok=True)
            self._leave_room(path)
            part = path.with_suffix(".part")
            part.write_bytes(jpeg)
            part.replace(path)
            self._taken = None if self._taken is None else self._taken + len(jpeg)
            if self._taken is None or self._taken > self.most:
                self.prune()
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"picture {path}: {error.strerror}") from error
        return name

    @staticmethod
    def name(game: int, t: float, what: str = "") -> str:
        """As `keep` names a picture. Raises ValueError where it could not."""
        file = f"{max(0, round(t * 1000)):08d}{'-' if what else ''}{what}.jpg"
        if not _NAME.fullmatch(file) or game < 0:
            raise ValueError(f"no name for a picture: game {game}, {what!r} at {t}")
        return f"{game}/{file}"

    def _leave_room(self, path: Path) -> None:
        """On a disk that is nearly full give up old pictures. Raises JournalError where that is not enough."""
        if self._free() >= SPARE:
            return
        self.prune()
        if (free := self._free()) < SPARE:
            raise JournalError(
                f"picture {path}: it is not kept, since only {free // 1_000_000} MB of the disk are free and the last "
                f"{SPARE // 1_000_000} MB are for the games; make room"
            )

    def _free(self) -> int:
        return shutil.disk_usage(self.folder).free

    def path(self, name: str) -> Path | None:
        """The file of a picture that `keep` named; None if there is none, whatever `name` is."""
        game, _, file = name.partition("/")
        if not (game.isascii() and game.isdigit() and _NAME.fullmatch(file)):
            return None
        path = self.folder / game / file
        return path if path.is_file() and not path.is_symlink() else None

    def of_game(self, game: int) -> list[str]:
        """The names of a game's pictures, in order of time."""
        found = (self.folder / str(game)).glob("*.jpg")
        return [f"{game}/{path.name}" for path in sorted(found) if _NAME.fullmatch(path.name)]

    @property
    def newest(self) -> int:
        """The highest number of a game of which there is a folder; 0 where there is none, or none can be seen."""
        try:
            names = [path.name for path in self.folder.iterdir()]
        except OSError:
            return 0
        return max((int(name) for name in names if re.fullmatch("[0-9]{1,9}", name)), default=0)

    def prune(self) -> int:
        """If they are too many, or the disk is nearly full, give up the oldest pictures until the rest fit well.

        Returns how many.
        """
        sizes = []
        for path in self.folder.glob("*/*.jpg"):
            if path.parent.name.isdigit():
                with contextlib.suppress(FileNotFoundError):
                    # by game and told time: the time of day may jump
                    sizes.append((int(path.parent.name), path.name, path, path.stat().st_size))
        self._taken = sum(size for *_, size in sizes)
        gone, most = 0, min(self.most, self._taken + self._free() - SPARE) if sizes else self.most
        if self._taken > most:
            for *_, path, size in sorted(sizes):
                if self._taken <= LESS * most:
                    break
                path.unlink(missing_ok=True)
                self._taken -= size
                gone += 1
        return gone
