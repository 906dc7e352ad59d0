"""Every rule has code that keeps it and a test that names it, and docs/rules.md says which."""

import re

import pytest
import rules_table

KEPT, TESTED = rules_table.kept(), rules_table.tested()
LAW = re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", (rules_table.ROOT / "docs" / "law.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("rule", LAW)
def test_every_rule_is_told_kept_and_tested(rule: str) -> None:
    assert rule in rules_table.rules(), "no sentence tells it"
    assert KEPT.get(rule), "no code names it"
    assert TESTED.get(rule), "no test or story names it"


def test_no_rule_is_made_up() -> None:
    assert len(LAW) == len(set(LAW)) == 89
    assert set(rules_table.rules()) == set(LAW)


def test_the_table_in_the_docs_is_up_to_date() -> None:
    path = rules_table.ROOT / "docs" / "rules.md"
    assert path.read_text() == rules_table.table(), "run: python tests/games/rules_table.py > docs/rules.md"


def test_ranges_and_names_are_understood() -> None:
    assert rules_table.ids("PAR-6 to PAR-8, see GLO-3") == {"PAR-6", "PAR-7", "PAR-8", "GLO-3"}
    assert rules_table.ids("def test_agg_13_only_a_one") == {"AGG-13"}
