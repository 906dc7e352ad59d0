"""A board of squares is found by where these meet, on a cloth of squares too."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.finding.squares import Lattice, _laid, corners, lattices

Picture = npt.NDArray[np.uint8]
SIDE, CELL = 8, 50  # squares; pixels
BOARD = np.array([(210.0, 120.0), (680.0, 150.0), (760.0, 590.0), (90.0, 560.0)])


def picture(
    squares: int = SIDE, contrast: float = 60, noise: float = 3, cloth: bool = False
) -> tuple[Picture, np.ndarray]:
    """A framed board of squares on a table, uint8 grey; and where the corners between them are, (N, N, 2) by row and
    column. cloth: a table-cloth with checks of three tones."""
    wide = CELL * (squares + 1)
    flat = np.full((wide, wide), 90, np.float32)
    dark = np.kron(np.indices((squares, squares)).sum(axis=0) % 2, np.ones((CELL, CELL)))
    flat[CELL // 2 : -CELL // 2, CELL // 2 : -CELL // 2] = 90 + contrast * (1 - dark)
    ends = np.array([(0, 0), (wide, 0), (wide, wide), (0, wide)], np.float32)
    shape = cv2.getPerspectiveTransform(ends, BOARD.astype(np.float32))
    table = np.full((640, 860), 170, np.float32)
    if cloth:
        y, x = np.indices(table.shape) // 22
        table = (130 + 55 * (x % 2) + 55 * (y % 2)).astype(np.float32)
    cv2.warpPerspective(flat, shape, table.shape[::-1], table, borderMode=cv2.BORDER_TRANSPARENT)
    table += np.random.default_rng(4).normal(0, noise, table.shape)
    between = CELL // 2 + CELL * np.arange(1, squares)
    grid = np.array([[(x, y) for x in between] for y in between], np.float64)
    at = cv2.perspectiveTransform(grid.reshape(1, -1, 2), shape.astype(np.float64)).reshape(grid.shape)
    return np.clip(table, 0, 255).astype(np.uint8), at


def worst(lattice: Lattice, truth: np.ndarray) -> float:
    """How far, in pixels, any corner of a lattice lies off the nearest of the truth."""
    return float(np.linalg.norm(truth.reshape(-1, 1, 2) - lattice.at, axis=2).min(axis=0).max())


@pytest.mark.long(but=("False-60-3-8", "True-25-6-12"))
@pytest.mark.parametrize("squares", [8, 10, 12])
@pytest.mark.parametrize(("contrast", "noise"), [(60, 3), (-60, 3), (25, 6)])
@pytest.mark.parametrize("cloth", [False, True])
def test_the_corners_of_squares_make_a_lattice(squares: int, contrast: float, noise: float, cloth: bool) -> None:
    seen, truth = picture(squares, contrast, noise, cloth)
    lattice = max(lattices(corners(seen)), key=lambda one: len(one.cells))
    within = [k for k, at in enumerate(lattice.at) if np.linalg.norm(truth - at, axis=2).min() < 2]
    assert len(within) > 0.9 * (squares - 1) ** 2, "nearly all are found"
    assert len(within) > 0.85 * len(lattice.at), "and hardly anything beside"


def test_its_rows_and_columns_are_the_board_s() -> None:
    seen, truth = picture()
    lattice = lattices(corners(seen))[0]
    nearest = np.linalg.norm(truth.reshape(-1, 1, 2) - lattice.at, axis=2).argmin(axis=0)
    rows, columns = np.unravel_index(nearest, truth.shape[:2])
    turn, *_ = np.linalg.lstsq(np.column_stack([columns, rows, np.ones(len(rows))]), lattice.cells)
    assert np.allclose(turn[:2], turn[:2].round()) and np.linalg.det(turn[:2]) == pytest.approx(1), "turned by quarters"
    assert worst(lattice, truth) < 1.5


def test_hidden_rows_leave_the_others() -> None:
    seen, truth = picture()
    cv2.rectangle(seen, (0, 430), (900, 640), 120, -1)  # an arm
    lattice = lattices(corners(seen))[0]
    assert len(lattice.cells) >= 25 and worst(lattice, truth) < 1.5


@pytest.mark.parametrize("what", ["nothing", "noise", "lines"])
def test_where_there_are_no_squares_there_is_no_lattice(what: str) -> None:
    frame = np.full((480, 640), 120, np.uint8)
    if what == "noise":
        frame = np.random.default_rng(2).normal(120, 20, frame.shape).clip(0, 255).astype(np.uint8)
    for k in range(12 if what == "lines" else 0):
        cv2.line(frame, (40, 20 + 38 * k), (600, 20 + 38 * k), 30, 3)
        cv2.line(frame, (40 + 48 * k, 20), (40 + 48 * k, 460), 30, 3)
    assert [one for one in lattices(corners(frame)) if len(one.cells) > 30] == []


def grid(cols: int, rows: int, light: bool, first: tuple[int, int] = (0, 0)) -> Lattice:
    cells = np.array([(i, j) for j in range(rows) for i in range(cols)], np.int64) + first
    return Lattice(cells, (cells - first).astype(np.float64), light)


def test_a_lattice_seen_whole_lies_on_the_board_in_its_own_way_and_those_beside() -> None:
    """By one square only in both directions at once, else light ones would lie on dark ones; or after a quarter turn,
    which makes dark of light, in one."""
    board = grid(7, 7, True)
    ways = [tuple(np.round((places - pixels).mean(axis=0), 3)) for places, pixels in _laid(grid(7, 7, True), board)]
    assert (0.0, 0.0) in ways and len(ways) == 9
    assert all(len(places) >= 16 for places, _ in _laid(grid(7, 7, True), board))


def test_begun_at_another_corner_it_is_the_same() -> None:
    board = grid(7, 7, True)
    pushed = list(_laid(grid(7, 7, False, (3, -2)), board))
    assert any(len(places) == 49 and np.array_equal(places, pixels) for places, pixels in pushed)


def test_of_a_lattice_that_is_larger_than_the_board_nothing_is_told() -> None:
    assert list(_laid(grid(14, 14, True), grid(7, 7, True))) == []
