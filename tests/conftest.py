"""Tests of one file, which share what is long in the making, stay together when tests run side by side.

That is: pytest -n 2 --dist loadgroup. What takes long and is marked so is left out; pytest --whole runs it, too, and
pytest --part 3/10 the third of ten parts of it, so that these can take turns.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

FIRMWARE = Path(__file__).parent / "firmware"
"""Its tests build in one folder."""
LARGE = 600e6
"""Bytes of memory from which on a process is tidied up: to look through all that is there takes longer than many a
module of tests."""

if "PYTEST_XDIST_WORKER" in os.environ:
    # Beside other tests a worker has a core at most: threads that share out its arithmetic only wait, and busily.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OPENCV_FOR_THREADS_NUM="1")

settings.register_profile("untimed", deadline=None)  # how fast a machine is says nothing about the code
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run what takes long, too")
    parser.addoption("--part", type=part_of, default=(0, 0), metavar="K/N", help="the K-th of N parts of it alone")


def part_of(text: str) -> tuple[int, int]:
    """"3/10": the third of ten parts. Raises ArgumentTypeError for what is no part."""
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r} is no part of what takes long, as 1/10 to 10/10 are")
    return int(number), int(parts)


@pytest.hookimpl(tryfirst=True)  # before the tests are grouped
def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    if not any("::" in arg for arg in config.args):
        check_variants(items)
    for item in items:
        if not config.getoption("--whole") and takes_long(item) and not is_in(config.getoption("--part"), item):
            item.add_marker(pytest.mark.skip(reason="takes long: --whole runs it"))
        if FIRMWARE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("firmware"))
        elif item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def takes_long(item: pytest.Item) -> bool:
    """Whether a test is marked so, and is none of the variants that are run in any case."""
    mark = item.get_closest_marker("long")
    variant = getattr(item, "callspec", None)
    return mark is not None and (variant is None or variant.id not in mark.kwargs.get("but", ()))


def is_in(part: tuple[int, int], item: pytest.Item) -> bool:
    """Whether a test belongs to a part of what takes long: by its name, so that no other test's name changes that."""
    number, parts = part
    return number > 0 and zlib.crc32(item.nodeid.encode()) % parts == number - 1


def check_variants(items: Sequence[pytest.Item]) -> None:
    """A variant that was renamed must not fall silently out of what is always run."""
    marks = [(i.nodeid.split("[")[0], mark) for i in items for mark in i.iter_markers("long")]
    named = {(test, variant) for test, mark in marks for variant in mark.kwargs.get("but", ())}
    there = {(i.nodeid.split("[")[0], i.callspec.id) for i in items if hasattr(i, "callspec")}
    if unknown := sorted(named - there):
        raise pytest.UsageError(f"marked long, but for variants that do not exist: {unknown}")


def resident() -> float:
    """How many bytes of memory this process holds; infinite where that cannot be read."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return float("inf")


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """A process that runs many tests stays small: malloc lets go what the tests of a module needed."""
    yield
    if resident() < LARGE:
        return
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
