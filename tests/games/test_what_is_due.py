"""The race games refuse what is not due, and whoever has no seat, each with the error that says so."""

import pytest

from companion.games.catalogue import game_for
from companion.model import DueKind, IllegalStep, NotDue, OptionError, Roll, Step

RACES = ("aggravation", "gloria", "parcheesi", "parcheesi-print")


@pytest.fixture(params=RACES)
def game(request):
    return game_for(request.param, (0, 2))


def ready(game):
    """The state in which the first roll of seat 0 is due."""
    state = game.opening(0)
    return game.answer(state, True) if game.due(state).kind is DueKind.QUESTION else state


def test_nobody_sits_there(game):
    position = game.position(game.opening(0))
    for ask in (game.opening, game.next_seat, lambda seat: game.with_position(position, seat)):
        with pytest.raises(OptionError, match="seat 1: nobody sits there"):
            ask(1)


def test_before_the_roll_nothing_is_played(game):
    state = ready(game)
    assert not game.may_stop(state) and game.unfinished(state) == () and game.left(state) == ()
    with pytest.raises(NotDue):
        game.outcomes(state)
    for refused in (lambda: game.take(state, Step(0, "base0", "t0")), lambda: game.stop(state)):
        with pytest.raises(IllegalStep):
            refused()


def test_while_a_roll_is_played_there_is_no_other(game):
    state = ready(game)
    roll = game.rolls(state)[-1]
    playing = game.hear(state, roll)
    assert game.due(playing).kind is DueKind.PLAY
    for refused in (lambda: game.hear(playing, roll), lambda: game.rolls(playing), lambda: game.to_json(playing)):
        with pytest.raises(NotDue):
            refused()
    with pytest.raises(IllegalStep):
        game.take(playing, Step(0, "base0", "base0"))


@pytest.mark.parametrize("name, options, change, dice, then", [
    ("aggravation", {}, {}, (6,), 0),
    ("aggravation", {}, {}, (5,), 2),
    ("parcheesi", {}, {}, (2, 2), 0),
    ("parcheesi", {}, {"doublets": 2}, (2, 2), 2),
    ("parcheesi", {}, {}, (2, 3), 2),
    ("parcheesi-print", {}, {}, (2, 2), 2),
    ("gloria", {}, {}, (6,), 2),
    ("gloria", {"six_again": True}, {}, (6,), 0),
])
def test_who_is_due_after_a_roll_however_it_is_played(name, options, change, dice, then):
    """AGG-7, PAR-13, PAR-16, PRN-6, GLO-11."""
    game = game_for(name, (0, 2), options)
    state = game.from_json(game.to_json(ready(game)) | change)
    assert game.afterwards(game.hear(state, Roll(dice))) == then


def test_after_the_last_piece_is_home_nothing_is_due(game):
    home = {"gloria": [41, 42, 43, 44], "aggravation": [55, 56, 57, 58]}.get(game.name, [71] * 4)
    state = game.from_json(game.to_json(game.opening(2)) | {"pieces": {"0": home, "2": [-1] * 4}})
    assert game.due(state).kind is DueKind.OVER and game.due(state).seat == 0 and game.winners(state) == (0,)
    assert not game.may_stop(state)
    with pytest.raises(NotDue):
        game.hear(state, Roll((6,) * game.opening_dice))
    with pytest.raises(NotDue):
        game.outcomes(state)
