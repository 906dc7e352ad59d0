"""Pictures of the board kept beside the journal: a folder per game, the oldest given up when there are many."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from companion.model import JournalError

_NAME = re.compile(r"[0-9]{8,12}(-[a-z]{1,16})?\.jpg")


class Pictures:
    """JPEG files `<game>/<ms>-<what>.jpg` under `folder`, together at most `most` bytes."""

    def __init__(self, folder: Path | str, most: int = 200_000_000) -> None:
        self.folder = Path(folder)
        self.most = most

    def keep(self, game: int, t: float, jpeg: bytes, what: str = "") -> str:
        """Keep a picture of told time `t` (seconds) and return its name. what: "before", "after" … or "".

        Raises JournalError where it cannot be kept.
        """
        name = f"{max(0, round(t * 1000)):08d}{'-' if what else ''}{what}.jpg"
        if not _NAME.fullmatch(name) or game < 0:
            raise ValueError(f"no name for a picture: game {game}, {what!r} at {t}")
        path = self.folder / str(game) / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_bytes(jpeg)
            part.replace(path)
            self.prune()
        except OSError as error:
            raise JournalError(f"picture {path}: {error.strerror}") from error
        return f"{game}/{name}"

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

    def prune(self) -> int:
        """Give up the oldest pictures until the rest fit. Returns how many."""
        sizes = []
        for path in self.folder.glob("*/*.jpg"):
            with contextlib.suppress(FileNotFoundError):
                stat = path.stat()
                sizes.append((stat.st_mtime_ns, path, stat.st_size))
        too_much = sum(size for _, _, size in sizes) - self.most
        gone = 0
        for _, path, size in sorted(sizes):
            if too_much <= 0:
                break
            path.unlink(missing_ok=True)
            too_much -= size
            gone += 1
        return gone
