"""`companion games`: list, show, export and judge again what the journal holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.sheet import BOARDS
from companion.games.catalogue import game_for
from companion.games.contract import Game as Rules
from companion.journal import (
    JOURNAL,
    Entry,
    Game,
    Journal,
    Pictures,
    open_to_read,
    verdict_from_json,
    word_from_json,
)
from companion.journal.pictures import PICTURES
from companion.model import FAILURES, BadInput, CompanionError, JournalError, Kind, Seat, Verdict, raised
from companion.model.past import SET_SINCE, is_draw
from companion.referee.bench import Bench, tell
from companion.referee.phrases import listed
from companion.service.boards.configured import board_options, printed_board
from companion.service.config import Config, closed, needed_config, read_config
from companion.service.naming import board_names
from companion.service.records.saved_game import write_game
from companion.service.records.stories import colors_of
from companion.service.table.desk import Desk, in_short, resumed, start_of
from companion.service.table.recorder import check_new


def games(what: str, number: int | None, config: Path | None, out: Path | None) -> Iterator[str]:
    """The lines that the command prints. Raises BadInput, JournalError."""
    with journal_of(config) as (journal, _):
        yield from _lines(what, journal, number, read_config(needed_config(config)), out)


@contextmanager
def journal_of(config: Path | None) -> Iterator[tuple[Journal, Path]]:
    """What was played at a table, to be read though a service may be writing it, and the folder where it lies.

    config: by default the service's; where there is none, nothing tells which table is meant. Raises BadInput,
    JournalError.
    """
    folder = read_config(needed_config(config)).journal_folder
    try:
        (folder / JOURNAL).stat()
    except PermissionError:
        raise BadInput(closed(folder)) from None
    except OSError:
        more = "" if config else "; name the configuration with --config"
        raise BadInput(f"{folder}: no games were played there yet{more}") from None
    with closing(open_to_read(folder / JOURNAL)) as journal:
        yield journal, folder


def _lines(what: str, journal: Journal, number: int | None, config: Config, out: Path | None) -> Iterator[str]:
    if what == "list":
        none = f"{config.journal_folder}: no game was played there yet"
        yield from [_line(game) for game in journal.games()] or [none]
        return
    game = _played(journal, number, config.journal_folder)
    if what == "show":
        yield from _story(journal, game)
    elif what == "rejudge":
        yield from rejudge(journal, game)
    else:
        if out is None:
            raise BadInput("export needs a folder: --out DIR")
        yield from _exported(journal, game, config, out)


def _exported(journal: Journal, played: Game, config: Config, out: Path) -> Iterator[str]:
    """Write the game to a new folder as `run --record` writes one, with its board where that is still here."""
    check_new(out)
    pictures = Pictures(config.journal_folder / PICTURES)
    missing = write_game(journal, played, pictures, config, out)
    yield str(out)
    if missing:
        yield missing
    if not pictures.of_game(played.id):
        yield f"No pictures were kept of game {played.id}: what was read and ruled is in it, not what was seen"


def _played(journal: Journal, number: int | None, folder: Path) -> Game:
    """The game of that number; without one the last."""
    played = {game.id: game for game in journal.games()}
    if not played:
        raise BadInput("the journal holds no game yet")
    number = max(played) if number is None else number
    if number not in played:
        raise BadInput(f"there is no game {number} in {folder}: the last is {max(played)} (companion games list)")
    return played[number]


def _line(game: Game) -> str:
    is_set = game.started >= SET_SINCE
    began = datetime.fromtimestamp(game.started).strftime("%Y-%m-%d %H:%M") if is_set else "clock not set"
    names, result = colors_of(game), dict(game.result or {})
    winners = listed([names.get(seat, str(seat)) for seat in result.get("winners", ())])
    won = "a draw of" if is_draw(game.game, result.get("winners", ())) else "won by"
    end = "open" if game.ended is None else f"{won} {winners}" if winners else "left"
    return f"{game.id:>4}  {began:<16}  {game.game:<15}  {listed([*names.values()])}  {end}"


def _story(journal: Journal, game: Game) -> Iterator[str]:
    yield _line(game)
    for entry in journal.entries(game.id, looks=False):
        if entry.kind == "verdict":
            yield _as_said(entry)
        elif entry.kind == "word" and entry.payload.get("word") in ("rolled", "thrown"):
            word = entry.payload
            yield f"{entry.t:8.1f}  {word['word']:<9}{word.get('roll') or word.get('value')}"


def _as_said(entry: Entry) -> str:
    """A verdict of the journal; one that cannot be read any more says so, and keeps no other from being told."""
    try:
        return _spoken(verdict_from_json(entry.payload))
    except JournalError as error:
        return f"{entry.t:8.1f}  entry {entry.seq}: {error}"


def _spoken(verdict: Verdict) -> str:
    rules = f"  [{', '.join(verdict.rules)}]" if verdict.rules else ""
    return f"{verdict.at:8.1f}  {verdict.kind.value:<9}{verdict.text}{rules}"


def rejudge(journal: Journal, played: Game) -> Iterator[str]:
    """Judge the game again from what was told, and say where the verdicts differ from those of the evening.

    Where the service began again it went on from what it had written down, and so does this.
    """
    game = game_for(played.game, list(played.seats), dict(played.options))
    names = _names(game)
    bench = Bench.opening(game, names, *start_of(game, played.start))
    entries = in_short(journal, played.id)
    then = [_key_then(entry) for entry in entries if entry.kind == "verdict" and not _of_the_tray(entry)]
    now: list[tuple[str, ...]] = []
    for number, entry in enumerate(journal.each(played.id)):
        try:
            bench, verdicts = _judged(bench, entry)
            if resumed(entry):
                bench = Desk.of(journal, played, names, entries[:number]).bench
        except BadInput:
            continue
        except FAILURES as error:  # one that the referee cannot judge today says so, and the others are judged
            what = entry.payload.get("word", entry.kind)
            yield f"{entry.t:8.1f}  entry {entry.seq} ({what}) could not be judged: {_why(error)}"
            continue
        now += [_key(verdict) for verdict in verdicts]
        yield from (_spoken(verdict) for verdict in verdicts if verdict.kind is not Kind.NOTE)
    same = [key for key in then if key[0] != Kind.NOTE.value] == [key for key in now if key[0] != Kind.NOTE.value]
    yield "The same verdicts as then." if same else "Not the same verdicts as then."


def _names(game: Rules[Any]) -> dict[Seat, str]:
    """What the seats are called; by their numbers in a game without a board to print."""
    if game.name not in BOARDS:
        return {seat: f"seat {seat}" for seat in game.seats}
    return board_names(printed_board(game.name, board_options(game))[0], game.seats)


def _judged(bench: Bench, entry: Entry) -> tuple[Bench, list[Verdict]]:
    """The bench after an entry; only words change it."""
    return tell(bench, word_from_json(entry.payload)) if entry.kind == "word" else (bench, [])


def _why(error: BaseException) -> str:
    return str(error) if isinstance(error, CompanionError) else raised(error)


def _of_the_tray(entry: Entry) -> bool:
    """Whether a verdict asks about dice in the tray, of which the referee knows nothing."""
    facts = entry.payload.get("facts")
    return isinstance(facts, dict) and facts.get("dice") == "unclear"


def _key_then(entry: Entry) -> tuple[str, ...]:
    """As `_key`, of a verdict of the journal; of one that cannot be read what no other has."""
    try:
        return _key(verdict_from_json(entry.payload))
    except JournalError:
        return (f"entry {entry.seq}",)


def _key(verdict: Verdict) -> tuple[str, ...]:
    return (verdict.kind.value, *verdict.rules, *(f"{s.origin}>{s.target}" for s in verdict.steps))
