"""Where each rule is kept and tested: prints docs/rules.md from the ids that code, tests and stories name.

Run: python tests/games/rules_table.py > docs/rules.md
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from companion.games.catalogue import GAMES, rules_of

ROOT = Path(__file__).resolve().parents[2]
CODE = [ROOT / "companion" / "games", ROOT / "companion" / "referee", ROOT / "companion" / "service"]
NAMED = re.compile(r"\b([A-Z]{3})-(\d+)(?:\s*(?:to|…|–|-)\s*(?:[A-Z]{3}-)?(\d+))?")
IN_A_NAME = re.compile(r"_([a-z]{3})_(\d+)(?=_|$)")
PREFIXES = {rule.split("-")[0].lower() for name in GAMES for rule in rules_of(name)}
TOLD = re.compile(r"_rules\.py$")
"""Where rules are only told to players; that is no place where one is kept."""
OF_THE_TABLE = ROOT / "tests" / "games" / "test_rules_table.py"
"""It names rules to try the table itself, and holds none."""
SHOWN = 6
COMMON = "Common to all games"


def ids(text: str) -> set[str]:
    """The rule ids that a text names; "PAR-6 to PAR-8" names three."""
    found = set()
    for prefix, first, last in NAMED.findall(text):
        if prefix.lower() in PREFIXES:
            found |= {f"{prefix}-{n}" for n in range(int(first), int(last or first) + 1)}
    for prefix, number in IN_A_NAME.findall(text):
        if prefix in PREFIXES:
            found.add(f"{prefix.upper()}-{number}")
    return found


def places(path: Path) -> Iterator[tuple[str, str]]:
    """(rule id, place) for each function, or the module itself, that names a rule."""
    text = path.read_text()
    lines, inside = text.splitlines(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            inside |= set(range(first, (node.end_lineno or first) + 1))
            for rule in ids(f"_{node.name}_" + "\n".join(lines[first - 1 : node.end_lineno])):
                yield rule, f"{path.stem}.{node.name}"
    outside = "\n".join(line for number, line in enumerate(lines, 1) if number not in inside)
    for rule in ids(outside):
        yield rule, path.stem


def kept() -> dict[str, list[str]]:
    """rule id → the places in the code that name it."""
    return _gathered(path for room in CODE for path in sorted(room.rglob("*.py")) if not TOLD.search(path.name))


def tested() -> dict[str, list[str]]:
    """rule id → the tests and stories that name it."""
    found = _gathered(path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path != OF_THE_TABLE)
    for path in sorted((ROOT / "tests" / "games").rglob("*.game")):
        for rule in ids(path.read_text()):
            found[rule].append(f"{path.parent.name}/{path.name}")
    return found


def _gathered(paths: Iterator[Path] | list[Path]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for rule, place in places(path):
            if place not in found[rule]:
                found[rule].append(place)
    return found


def rules() -> dict[str, tuple[str, str]]:
    """rule id → (title of the game, the rule in one sentence); the common rules first."""
    found = {rule: (COMMON, says) for rule, says in rules_of("parcheesi").items() if rule.startswith("COM-")}
    for name, game in sorted(GAMES.items(), key=lambda pair: pair[1].title):
        found |= {rule: (game.title, says) for rule, says in rules_of(name).items() if not rule.startswith("COM-")}
    return dict(sorted(found.items(), key=lambda pair: (pair[1][0] != COMMON, pair[1][0], number(pair[0]))))


def number(rule: str) -> int:
    return int(rule.split("-")[1])


def table() -> str:
    """docs/rules.md as it should be."""
    code, tests = kept(), tested()
    lines = [
        "# Where each rule is kept, and which tests hold it",
        "",
        "Made by `python tests/games/rules_table.py > docs/rules.md`; a test fails when it is out of date, or when a",
        "rule is named by no code or no test. Code is `module.function` of `companion/games` or `companion/referee`.",
    ]
    title = ""
    for rule, (game, sentence) in rules().items():
        if game != title:
            title = game
            lines += ["", f"## {game}", "", "| rule | says | kept in | tested by |", "| --- | --- | --- | --- |"]
        lines.append(f"| {rule} | {sentence} | {shown(code.get(rule, []))} | {shown(tests.get(rule, []))} |")
    return "\n".join(lines) + "\n"


def shown(found: list[str]) -> str:
    """The first few places, those whose own name tells the rule first."""
    ordered = sorted(found, key=lambda place: (not IN_A_NAME.search(place), "." not in place))
    more = f", and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else ""
    return ", ".join(f"`{place}`" for place in ordered[:SHOWN]) + more


if __name__ == "__main__":
    print(table(), end="")
