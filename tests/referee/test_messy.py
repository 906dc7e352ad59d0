"""A short evening with messy people, with fixed seeds; the long ones are run by command (see messy.py)."""

import messy
import pytest
from messy_ways import WAYS
from soak import GAMES


@pytest.mark.long(but=("aggravation", "parcheesi-print"))
@pytest.mark.parametrize("of", sorted(GAMES))
def test_messy_people_are_not_accused_and_find_on(of: str) -> None:
    found = messy.Found()
    for seed in range(2):
        messy.play(of, seed, 4, found)
    assert not (found.false or found.stuck or found.crashed or found.refused), messy.report(found, log=True)
    assert sum(found.done.values()) > 3


@pytest.mark.long
def test_cheats_who_mend_by_halves_are_called_cheats() -> None:
    found = messy.Found()
    messy.play("parcheesi", 3, 6, found, cheat=0.6)
    assert found.tally.shown and not found.tally.missed and not found.stuck, messy.report(found, log=True)


def test_each_way_to_be_untidy_is_explained() -> None:
    assert all(way.__doc__ for _, way in WAYS.values())
