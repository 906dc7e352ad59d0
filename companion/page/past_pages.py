"""The pages of earlier games: which were played here, and what was said in each. On a phone they need no script."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from flask import Flask, Response, render_template, request, send_file

from companion.model import JournalError, Kind
from companion.model.past import SET_SINCE, PastGame, PastGames, PastStory
from companion.model.table import PlayLine
from companion.page.answers import capital, sentence
from companion.page.paint import clock
from companion.page.places import Places

_PATIENCE = 10.0
"""Seconds to wait until another game is packed."""
MOST_SAVED, MOST_OF_ONE = 6, 2
"""Games that are saved at once, in all and to one address: each takes room on the disk until it was fetched, and while
it waits for another one of the server's threads."""


class PastPages:
    """The pages at /games and /games/N."""

    def __init__(self, past: PastGames, build: str) -> None:
        self.past, self.build = past, build
        self._packing, self._places = threading.Lock(), Places(MOST_SAVED, MOST_OF_ONE)

    def add_to(self, app: Flask) -> None:
        """Under /games."""
        app.add_url_rule("/games", "games", self.games)
        app.add_url_rule("/games/<int:number>", "game", self.game)
        app.add_url_rule("/games/<int:number>.zip", "packed_game", self.packed)
        app.register_error_handler(JournalError, lambda error: self._instead(capital(str(error)), 503))

    def games(self) -> str:
        """All games, the newest first."""
        rows = [(game, date(game.began), result(game)) for game in self.past.games()]
        return render_template("games.html", rows=rows, **self._around())

    def game(self, number: int) -> str | Response:
        """The story of one."""
        story = self.past.story(number)
        if story is None:
            return self._instead(_no_game(number), 404)
        times = [clock(line.play.wall, story.game.began) for line in story.lines]
        about = {"date": date(story.game.began), "result": result(story.game), "counts": counts(story)}
        return render_template("game.html", story=story, times=times, **about, **self._around())

    def packed(self, number: int) -> Response:
        """One to keep, or to send to somebody; one after the other, as it takes a while and room on the disk."""
        address = request.remote_addr or ""
        if not self._places.take(address):
            return sentence("Too many games are being saved just now. Please try again once one has arrived.", 503)
        with contextlib.ExitStack() as ending:
            ending.callback(self._places.leave, address)
            if not self._packing.acquire(timeout=_PATIENCE):
                return sentence("Another game is being packed. Please try again in a moment.", 503)
            try:
                game = next((game for game in self.past.games() if game.number == number), None)
                file = None if game is None else self.past.packed(number)
            finally:
                self._packing.release()
            if game is None or file is None:
                return sentence(_no_game(number), 404)
            ending.callback(file.close)
            held = cast(BinaryIO, _Fetched(file, ending.pop_all().close))
        return send_file(held, "application/zip", as_attachment=True, download_name=_file_name(game), max_age=0)

    def _instead(self, text: str, status: int) -> Response:
        """A sentence instead of a page; a kiosk, which has no way back of its own, gets one with it."""
        around = self._around()
        if not around["kiosk"]:
            return sentence(text, status)
        return Response(render_template("games.html", said=text, **around), status)

    def _around(self) -> dict[str, object]:
        return {"build": self.build, "kiosk": request.args.get("from") == "kiosk"}


class _Fetched:
    """A file that is sent. close: what is done once it was, or nobody fetches it any more: of a response that passes a
    file on as it is, Flask calls nothing else."""

    def __init__(self, file: BinaryIO, close: Callable[[], None]) -> None:
        self.read, self.seek, self.tell, self.close = file.read, file.seek, file.tell, close


def _file_name(game: PastGame) -> str:
    day = f"-{time.strftime('%Y-%m-%d', time.localtime(game.began))}" if game.began >= SET_SINCE else ""
    return f"companion{day}-game-{game.number}.zip"


def _no_game(number: int) -> str:
    return f"There is no game {number}. All games are at /games"


def date(wall: float) -> str:
    """When a game began: "Sat 28 Nov 2026, 21:05"; "" where the clock was not set yet."""
    if wall < SET_SINCE:
        return ""
    at = time.localtime(wall)
    return f"{time.strftime('%a', at)} {at.tm_mday} {time.strftime('%b %Y, %H:%M', at)}"


def result(game: PastGame) -> str:
    """How it ended: "Red won", "Red and blue won", "A draw: red and blue", "Not finished", "Still open"."""
    if game.winners:
        *first, last = game.winners
        names = f"{', '.join(first)} and {last}" if first else last
        return f"A draw: {names}" if game.draw else f"{capital(names)} won"
    return "Not finished" if game.ended is not None else "Still open"


def counts(story: PastStory) -> str:
    """How much was played: "43 plays, 3 fouls"; "" where nothing was. A foul that was put right was one, too."""
    plays, fouls = _sums([line.play for line in story.lines])
    said = [_so_many(plays, "play"), _so_many(fouls, "foul") if fouls else "no foul"]
    return ", ".join(said) if plays or fouls else ""


def _sums(lines: Sequence[PlayLine]) -> tuple[int, int]:
    """How many plays were played and not taken back, and how many fouls there were. Who takes a play back is named; a
    word that is taken back was of nobody, and of a play that was not finished yet nothing was counted. A foul that is
    told once more, since it was neither put right nor played on, is the same."""
    played: list[PlayLine] = []
    fouls = 0
    stands: tuple[PlayLine, list[PlayLine]] | None = None
    for line in lines:
        going_on = bool(played) and played[-1].verdict == Kind.PARTIAL.value
        if line.verdict in (Kind.LEGAL.value, Kind.PARTIAL.value):
            played[-1 if going_on else len(played) :] = [line]
        elif line.verdict == Kind.TAKEBACK.value and played and played[-1].seat == line.seat:
            played.pop()
        elif line.verdict == Kind.RESTORED.value:
            stands = None
        elif line.verdict == Kind.ILLEGAL.value:
            again = stands is not None and _same(stands[0], line) and stands[1] == played[-1:]
            fouls, stands = fouls + (not again), (line, played[-1:])
    return sum(line.verdict == Kind.LEGAL.value for line in played), fouls


def _same(foul: PlayLine, other: PlayLine) -> bool:
    return (foul.seat, foul.text, foul.rules) == (other.seat, other.text, other.rules)


def _so_many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
