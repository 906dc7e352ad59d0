"""`companion rules check`: a game is played at random, and each breach of its contract named in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import cv2
import numpy as np

from calibration.crowding import ills
from calibration.sheet import BOARDS, drawn, texture
from companion.games.catalogue import GAMES, game_for
from companion.games.contract import Game
from companion.model import FAILURES, CompanionError, OptionError, Seat, Sheet, raised
from companion.page.ways import WAYS, is_there
from companion.referee.phrases import Names
from companion.service.addons.breaches import Breaches, Spoilt, endless
from companion.service.addons.kinds import amiss
from companion.service.addons.patience import NeverEnds, Patience
from companion.service.addons.self_portrait import look_at
from companion.service.addons.trial import ENDLESS, Trial
from companion.service.boards.configured import board_options, check_sheet, countable
from companion.service.boards.seats import seats_among, seats_of
from companion.service.naming import board_names
from companion.vision import make_scene
from companion.vision.finding.markers import sure_markers

PLAYERS = (*range(2, 7), 1)
"""One alone comes last: what is wrong with the options is told then as a game tells it that is for several."""
_FINE = 2.0
"""Pixels per millimetre at which a board is drawn to see whether it can be, and its markers are there."""
_BESIDE = 0.25
"""Of a marker's size: so far from where the sheet says it may be printed."""


def check(name: str, options: Mapping[str, Any], games: int, seed: int) -> tuple[Breaches, str]:
    """Play so many games of each number of players. Returns what was found, and what was played, in a sentence.

    Raises OptionError where there is no such game, or nobody can play it with these options.
    """
    check = Check(Breaches(), Patience())
    try:
        with check.patience.watching():
            return check.breaches, check.of(name, options, range(seed, seed + games))
    except NeverEnds as error:
        text, state = endless(error)
        check.breaches.note("never ends", text, state)
        return check.breaches, f"{check.played} games, {check.states} states, and then it was stopped"


@dataclass
class Check:
    """A check as far as it has come."""

    breaches: Breaches
    patience: Patience
    played: int = 0
    states: int = 0

    def of(self, name: str, options: Mapping[str, Any], seeds: range) -> str:
        """Play a game of each number of players by each seed. Returns what was played, in a sentence."""
        tables = list(_tables(name, options, self.breaches))
        for game in tables:
            self.patience.renew()
            names, sheet = _look_around(game, self.breaches)
            most = _countable(game, sheet)
            for number in seeds:
                self.breaches.when = f"seed {number}, seats {', '.join(map(str, game.seats))}"
                chance = Random(f"{number} {name}")
                self.states += Trial(game, names, chance, self.breaches, self.patience.renew, most).play()
                self.played += 1
                if ENDLESS in self.breaches.found:
                    return f"{self.played} games, {self.states} states"
        seated = ", ".join(str(len(game.seats)) for game in tables)
        played = f"{self.played} games with {seated} players, {self.states} states"
        return played if self.played else "no game could be played"


def _countable(game: Game[Any], sheet: Sheet | None) -> int | None:
    """How many pieces on one space can be counted; None where that cannot be said."""
    try:
        return None if sheet is None else countable(sheet, game)
    except FAILURES:  # the opening of a game that fails is named in the trial
        return None


def _tables(name: str, options: Mapping[str, Any], breaches: Breaches) -> Iterator[Game[Any]]:
    """The game for every number of players that it takes. Raises OptionError where that is none."""
    why: OptionError | None = None
    seated: set[tuple[Seat, ...]] = set()
    for count in PLAYERS:
        for seats in _seatings(name, options, count):
            try:
                game = game_for(name, seats, options)
            except OptionError as error:
                why = why or error
                continue
            except FAILURES as error:
                said = raised(error.__cause__ or error)
                breaches.note("made", f"{_class(name)}({seats}, {dict(options)}) raises {said}")
                return
            try:
                look_at(game, breaches)
            except Spoilt:
                return
            if game.seats not in seated:
                seated.add(game.seats)
                yield game
            break
    if not seated and why is not None:
        raise why


def _seatings(name: str, options: Mapping[str, Any], count: int) -> list[tuple[Seat, ...]]:
    """How so many may sit: opposite each other; while there is no board that says who does, also side by side."""
    try:
        opposite, usable = seats_of(name, options, count), name in BOARDS
    except CompanionError:  # `_sheet` names what is wrong with it
        opposite, usable = seats_among(range(4), name, options, count), False
    return [opposite] if usable else [opposite, tuple(range(count))]


def _class(name: str) -> str:
    return GAMES[name].__name__


def _look_around(game: Game[Any], breaches: Breaches) -> tuple[Names, Sheet | None]:
    """What can be seen before a game is played. Returns the names for its sentences, and its board if that will do."""
    breaches.when = f"seats {', '.join(map(str, game.seats))}"
    _refused(game, breaches)
    _turns(game, breaches)
    sheet = _sheet(game, breaches)
    if sheet is not None:
        _ways(game, sheet, breaches)
    words = board_names(sheet, game.seats) if sheet is not None else {s: f"player {s}" for s in range(max(PLAYERS))}
    return Names(words, game.nouns, game.name), sheet


def _refused(game: Game[Any], breaches: Breaches) -> None:
    """What the game does not have is refused with an OptionError."""
    cases: tuple[tuple[tuple[Seat, ...], dict[str, Any]], ...] = (
        (game.seats, {**game.options, "no_such_option": 1}),
        ((), dict(game.options)),
        ((game.seats[0], game.seats[0]), dict(game.options)),
        ((*game.seats[1:], 99), dict(game.options)),
    )
    for number, (seats, options) in enumerate(cases):
        called = f"{type(game).__name__}({seats}, {options})"
        try:
            type(game)(seats, options)
        except OptionError:
            continue
        except FAILURES as error:
            breaches.note(f"option {number}", f"{called} must be refused with OptionError, and raises {raised(error)}")
        else:
            breaches.note(f"option {number}", f"{called} must be refused with OptionError, and is not")


def _turns(game: Game[Any], breaches: Breaches) -> None:
    """Everybody comes to play (COM-2)."""
    try:
        order = [game.seats[0]]
        while len(order) <= len(game.seats):
            order.append(game.next_seat(order[-1]))
            if why := amiss("next_seat", order[-1]):
                breaches.note("next_seat", f"next_seat({order[-2]}) gives {why}")
                return
    except FAILURES as error:
        breaches.note("next_seat", f"next_seat({order[-1]}) raises {raised(error)}")
        return
    if set(order) != set(game.seats) or order[-1] != order[0]:
        breaches.note("next_seat", f"next_seat() goes {' > '.join(map(str, order))}, and {list(game.seats)} play")


def _ways(game: Game[Any], sheet: Sheet, breaches: Breaches) -> None:
    """The way of each seat, by which the page places pieces, is one on the sheet."""
    make = WAYS.get(game.name)
    if make is None:
        return
    for seat in sorted(sheet.colors):
        its = f"the way of seat {seat} (ways)"
        try:
            way = make(seat, sheet)
        except FAILURES as error:
            breaches.note("ways raises", f"{its} raises {raised(error)}")
            return
        if not (isinstance(way, dict) and all(isinstance(n, int) and isinstance(s, str) for n, s in way.items())):
            breaches.note("ways kind", f"{its} must be a dict of progress to space, not {way!r:.60}")
            return
        if strange := [space for space in way.values() if not is_there(sheet, space)]:
            breaches.note("ways space", f"{its} goes to {strange[0]!r}, which the sheet does not have")


def _unprinted(sheet: Sheet, png: bytes) -> Iterator[str]:
    """A sentence for each marker that is not printed where the sheet says: by these a printed board is found."""
    if sheet.markers is None:
        yield "its sheet has no markers, by which a printed board is found: see printed_markers()"
        return
    picture = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    found, _ = sure_markers(grey, make_scene(sheet, picture))
    there = {number: corners.mean(axis=0) / _FINE for number, corners in found.items()}
    for number, at in sheet.markers.centers.items():
        if number not in there:
            yield f"its picture does not show the marker {number}, which the sheet has: see printed_markers()"
        elif math.dist(there[number], at) > _BESIDE * sheet.markers.size:
            x, y = there[number].tolist()
            told = f"shows the marker {number} at ({x:.0f}, {y:.0f}) mm, and the sheet has it at ({at[0]:g}, {at[1]:g})"
            yield f"its picture {told}: is it as large as the sheet?"


def _sheet(game: Game[Any], breaches: Breaches) -> Sheet | None:
    """The board that is printed for it, which has its spaces; None where there is none that could be used."""
    if game.name not in BOARDS:
        breaches.note("no board", f"there is no board of {game.name!r} to print and play on")
        return None
    try:
        spaces = game.spaces()
        if why := amiss("spaces", spaces):
            breaches.note("spaces kind", f"spaces() gives {why}")
            return None
        if twice := sorted({name for name in spaces if spaces.count(name) > 1}):
            breaches.note("space twice", f"spaces() has {twice[0]!r} twice")
        goals = {name for seat in game.seats for name in game.goals(seat)}
        if type(game).home is Game.home and (unknown := sorted(goals - set(spaces))):
            breaches.note("goals", f"goals() names {unknown[0]!r}, which spaces() does not name")
        sheet, svg = drawn(game.name, board_options(game))
        for ill in (*ills(sheet), *_unprinted(sheet, texture(svg, sheet, _FINE))):
            breaches.note(ill, f"the board of {game.name}: {ill}")
        check_sheet(sheet, game, f"the board of {game.name}")
    except CompanionError as error:
        breaches.note("sheet", str(error))
    except FAILURES as error:
        breaches.note("sheet raises", f"the board of {game.name} or its spaces() raise {raised(error)}")
    else:
        return sheet
    return None
