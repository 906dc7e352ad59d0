"""The games import the model and the standard library alone, and neither clock, thread nor randomness."""

import ast
import sys
from pathlib import Path

import pytest

import companion.games

FILES = sorted(Path(companion.games.__file__).parent.glob("*.py"))
FORBIDDEN = {"time", "datetime", "threading", "asyncio", "multiprocessing", "random", "secrets", "uuid"}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_imports(path):
    for name in imports(path):
        top = name.split(".")[0]
        if top == "companion":
            assert name.startswith(("companion.model", "companion.games"))
        else:
            assert top in sys.stdlib_module_names and top not in FORBIDDEN
