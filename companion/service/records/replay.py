"""Referee a recording as if it were live, with the recording's clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from companion.games.contract import Game
from companion.model import BadInput, DueKind, Kind, RecordingError, Saw, Thrown, Verdict, Word
from companion.referee.bench import Bench, tell
from companion.service.boards.configured import of_game
from companion.service.boards.looking import named
from companion.service.boards.pictures import read_picture
from companion.service.naming import board_names
from companion.service.records.recording import Recording, in_order
from companion.service.table.desk import looking_anew
from companion.service.table.eyes import Eyes
from companion.vision import Scene, load_scene
from companion.vision.finding.shown import Showing, Shown, show


def scene_of(recording: Recording) -> Scene:
    """The board that the recording shows, and who plays on it. Raises SheetError, ImageError, RecordingError."""
    if not recording.sheet.exists():
        way = "put its sheet.json there, with its pictures (companion sheet draws a board to print)"
        raise RecordingError(f"{recording.sheet}: the board is not in this recording: {way}")
    if recording.reference is None or not recording.reference.exists():
        scene = load_scene(recording.sheet)
    else:
        landmarks = recording.reference.with_suffix(".json")
        scene = load_scene(recording.sheet, recording.reference, landmarks if landmarks.exists() else None)
    return of_game(scene, recording.game)


def replay(recording: Recording, scene: Scene) -> Iterator[Verdict]:
    """The verdicts, in order; remarks (NOTE) are left out. Raises ImageError for a frame that is no picture.

    Of an exported game few pictures were kept: it is judged by what was read on the board then.
    """
    names = board_names(scene.sheet, recording.game.seats)
    bench = Bench.opening(recording.game, names, recording.state, recording.throws)
    eyes = Eyes(scene)
    if recording.exported:
        yield from _told_again(bench, eyes, recording.told_then())
        return
    for at, item in in_order(recording.frames(), recording.words(), recording.showings()):
        before = bench.begun
        if item is None or isinstance(item, Showing):
            eyes.show(_shown(item, scene))
            continue
        if isinstance(item, Path):
            frame = read_picture(item)
            with named(item):
                item = Saw(at, eyes.look(frame, at))
        bench, verdicts = _heard(bench, item)
        eyes.ruled(item, verdicts, bench, began=bench.begun and not before)
        yield from (_as_seen(bench, eyes, verdict) for verdict in verdicts if verdict.kind is not Kind.NOTE)


def _told_again(bench: Bench, eyes: Eyes, told: Iterable[Word | None]) -> Iterator[Verdict]:
    for word in told:
        if word is None:
            bench = looking_anew(bench)
            continue
        bench, verdicts = _heard(bench, word)
        yield from (_as_seen(bench, eyes, verdict) for verdict in verdicts if verdict.kind is not Kind.NOTE)


def _shown(showing: Showing | None, scene: Scene) -> Shown | None:
    found = None if showing is None else show(showing, scene)
    return found if isinstance(found, Shown) else None


def _as_seen(bench: Bench, eyes: Eyes, verdict: Verdict) -> Verdict:
    """The verdict with its positions in the sheet's own spaces, and stacks in full where the referee knows them."""
    position = verdict.position
    if position is not None and position == bench.position:
        position = bench.game.everything(bench.state)
    seen = verdict.seen and eyes.shown(verdict.seen)
    return replace(verdict, position=position and eyes.shown(position), seen=seen)


def _heard(bench: Bench, word: Word) -> tuple[Bench, list[Verdict]]:
    """Tell the bench; what cannot be now is said. Throws for who begins are over where the recording says who did."""
    if isinstance(word, Thrown) and _is_known(bench):
        return bench, []
    try:
        return tell(bench, word)
    except BadInput as error:
        return bench, [Verdict(Kind.UNCLEAR, word.at, text=f"That cannot be now: {error}")]


def _is_known(bench: Bench) -> bool:
    """Whether a throw now is one for who begins, and that is known; in Game of God those of a challenge follow."""
    if bench.rolloff is not None:
        return False
    begins = not (bench.past or bench.turns) and bench.due.kind is DueKind.MOVE
    return begins or type(bench.game).throw is Game.throw
