"""Short soaks of the referee, with fixed seeds; the long ones are run by command (see soak.py)."""

import pytest
import soak

SEEDS = {
    "parcheesi": (range(6), 12),
    "parcheesi-print": (range(4), 10),
    "gloria": (range(5), 10),
    "aggravation": (range(6), 8),
    "game-of-god": (range(3), 12),
}


@pytest.mark.long(but=("gloria",))
@pytest.mark.parametrize("of", sorted(SEEDS))
def test_true_readings_are_judged_without_a_fault(of: str) -> None:
    seeds, turns = SEEDS[of]
    result = soak.soak(seeds, turns, soak.PERFECT, of=of)
    assert result.tally.clean, result.tally.table()
    assert not result.tally.wrong_rules and not result.needless and not result.mended_wrong and not result.refused
    assert sum(result.tally.shown.values()) > 8


@pytest.mark.long(but=("parcheesi-print",))
@pytest.mark.parametrize("of", sorted(SEEDS))
def test_readings_with_errors_accuse_nobody(of: str) -> None:
    result = soak.soak(range(20, 23), 7, soak.NOISY, of=of)
    assert not result.tally.false_accusations and not result.tally.refused, result.tally.table()


@pytest.mark.long
def test_the_same_seed_is_the_same_game_however_slow_the_table() -> None:
    def story(step: float, of: str, seed: int) -> tuple[object, ...]:
        result = soak.play(seed, 6, of=of, cheat=0.5, step=step)
        table, tally = result.tables[0], result.tally
        return sorted((p.seat, p.space, p.at) for p in table.pawns), tally.shown, tally.thrown, tally.accepted

    for of, seed in (("parcheesi", 1), ("aggravation", 4), ("game-of-god", 4)):
        assert story(0.05, of, seed) == story(0.11, of, seed)
