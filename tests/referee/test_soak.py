"""A short soak of the referee, with fixed seeds; the long ones are run by command (see soak.py)."""

import soak


def test_true_readings_are_judged_without_a_fault():
    result = soak.soak(range(6), 12, soak.PERFECT)
    assert result.tally.clean, result.tally.table()
    assert not result.tally.wrong_rules and not result.needless and not result.mended_wrong and not result.refused
    assert sum(result.tally.shown.values()) > 15


def test_readings_with_errors_accuse_nobody():
    result = soak.soak(range(20, 24), 10, soak.NOISY)
    assert not result.tally.false_accusations and not result.tally.refused, result.tally.table()
