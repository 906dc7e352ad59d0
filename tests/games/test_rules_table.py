"""Every rule has code that keeps it and a test that names it, and docs/rules.md says which."""

import pytest
import rules_table

COUNTS = {"COM": 7, "GLO": 12, "PAR": 20, "PRN": 11, "AGG": 23, "GOD": 16}
"""How many rules the law has, by prefix."""
KEPT, TESTED = rules_table.kept(), rules_table.tested()


LAW = [f"{prefix}-{n}" for prefix, count in COUNTS.items() for n in range(1, count + 1)]


@pytest.mark.parametrize("rule", LAW)
def test_every_rule_is_told_kept_and_tested(rule: str) -> None:
    assert rule in rules_table.rules(), "no sentence tells it"
    assert KEPT.get(rule), "no code names it"
    assert TESTED.get(rule), "no test or story names it"


def test_no_rule_is_made_up() -> None:
    assert set(rules_table.rules()) == set(LAW)


def test_the_table_in_the_docs_is_up_to_date() -> None:
    path = rules_table.ROOT / "docs" / "rules.md"
    assert path.read_text() == rules_table.table(), "run: python tests/games/rules_table.py > docs/rules.md"


def test_ranges_and_names_are_understood() -> None:
    assert rules_table.ids("PAR-6 to PAR-8, see GLO-3") == {"PAR-6", "PAR-7", "PAR-8", "GLO-3"}
    assert rules_table.ids("def test_agg_13_only_a_one") == {"AGG-13"}
