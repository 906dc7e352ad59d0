"""Add-ons: games, dice and panels that packages of other people bring, without a change here (docs/add-ons.md).

Such a package names a function by an entry point of the group "companion"; the function calls what is below. Where a
part goes is imported only for who brings one: most commands need none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from companion.games.catalogue import GAMES
from companion.games.contract import Game
from companion.model import FAILURES, BadInput, Seat, Sheet, raised

if TYPE_CHECKING:
    from companion.dice import Book, DiceSource
    from companion.panel.also import Pressed, Shows

GROUP = "companion"
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def add_game(
    game: type[Game[Any]],
    *,
    words: Mapping[str, Callable[..., str]] | None = None,
    sheet: Callable[..., Sheet] | None = None,
    svg: Callable[..., str] | None = None,
    choices: Mapping[str, tuple[object, ...]] | None = None,
    ways: Callable[[Seat, Sheet], dict[int, str]] | None = None,
) -> None:
    """Enter a game.

    words: rule id → how an objection is said, of (who, facts, names). sheet, svg: the board that is printed for it, its
    spaces and its picture; without them it is played on boards that have a sheet.json. choices: option of the board →
    what it may be, the usual first; sheet and svg take those options. ways: of a race game, the way of a seat on a
    sheet, progress → space, by which its pieces are placed on the page. Raises BadInput.
    """
    if not (isinstance(game, type) and issubclass(game, Game)):
        raise BadInput(f"add_game({game!r}): a game is a class that inherits companion.games.contract.Game")
    name = _free(getattr(game, "name", None), GAMES, "game")
    if (sheet is None) != (svg is None):
        raise BadInput(f"add_game({game.__name__}): a board has both, sheet and svg; give both or neither")
    GAMES[name] = game
    if words is not None:
        from companion.referee.wording import BOOKS

        BOOKS[name] = words
    if sheet is not None and svg is not None:
        from calibration.sheet import BOARDS, Boards

        BOARDS[name] = Boards(sheet, svg, choices or {})
    if ways is not None:
        from companion.page.ways import WAYS

        WAYS[name] = ways


def add_dice(word: str, make: Callable[[Book], DiceSource], what: str, waiting: str = "") -> None:
    """Enter dice as `word` of [dice] port; see `OwnDice`. Raises BadInput."""
    from companion.dice.own import OWN_DICE, OwnDice
    from companion.service.config import dice_ports

    waiting = waiting or f"looking for {what}; until then, enter the dice on the phone"
    OWN_DICE[_free(word, dice_ports(), "dice")] = OwnDice(make, what, waiting)


def add_panel(word: str, make: Callable[[Pressed], Shows]) -> None:
    """Enter a panel as `word` of [panel] also; see `companion.panel.also`. Raises BadInput."""
    from companion.panel import ALSO

    ALSO[_free(word, ALSO, "panel")] = make


def is_name(word: str) -> bool:
    """Whether a part may be called so."""
    return _NAME.fullmatch(word) is not None


def _free(name: object, taken: Mapping[str, object], kind: str) -> str:
    if not (isinstance(name, str) and is_name(name)):
        wanted = "a word of small letters, digits and hyphens, a letter first, as 'dash-2'"
        raise BadInput(f"{kind} {name!r}: a name is {wanted}")
    if name in taken:
        raise BadInput(f"{kind} {name!r}: there is one of that name already. Take another")
    return name


def addons() -> list[str]:
    """The add-ons that are installed, each with its package: "dash (companion-dash 1.0)"."""
    return [_called(point) for point in sorted(entry_points(group=GROUP))]


@cache
def enter_addons() -> tuple[str, ...]:
    """Enter what the packages that are installed bring, once. Returns a sentence for each that cannot be used."""
    return tuple(why for point in sorted(entry_points(group=GROUP)) if (why := _entered(point)))


def _entered(point: EntryPoint) -> str:
    try:
        with redirect_stdout(sys.stderr):  # what it prints is no part of an answer, or of a file that is written so
            point.load()()
    except FAILURES as error:  # it may raise whatever it likes
        said = str(error) if isinstance(error, BadInput) else raised(error)
        return f"The add-on {_called(point)} cannot be used: {said}"
    return ""


def _called(point: EntryPoint) -> str:
    return f"{point.name} ({point.dist.name} {point.dist.version})" if point.dist is not None else point.name
