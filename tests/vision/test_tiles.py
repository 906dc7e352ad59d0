"""Tiles of the flat view: cut out and found again; a close look at some of them reads what one at all does."""

from __future__ import annotations

import numpy as np
import pytest
import table_drawing as table

from companion.vision import basis, look, make_scene
from companion.vision.view.surface import halved
from companion.vision.view.tiles import BORDER, INNER, SIDE, Tiles, framed, mesh, touched, within

CHANCE = np.random.default_rng(5)


@pytest.mark.parametrize("shape", [(100, 131), (56, 84), (57, 29)])
@pytest.mark.parametrize("more", [(), (3,)])
def test_tiles_that_are_cut_out_know_which_pixels_they_are(shape: tuple[int, int], more: tuple[int, ...]) -> None:
    layer = CHANCE.random((*shape, *more)).astype(np.float32)
    down, across = mesh(shape)
    tiles = Tiles(shape, np.arange(down * across)[::2])
    cut, at = tiles.cut(framed(layer)), tiles.pixels()
    assert cut.shape == (SIDE, len(tiles.chosen) * SIDE, *more) and at.shape == cut.shape[:2]
    there = at >= 0
    assert np.array_equal(cut[there], layer.reshape(-1, *more)[at[there]])
    chosen = np.zeros((down, across), bool)
    chosen.ravel()[::2] = True
    whole = np.kron(chosen, np.ones((INNER, INNER), bool))[: shape[0], : shape[1]]
    assert np.array_equal(np.sort(at[there]), np.flatnonzero(whole))


def test_the_border_of_a_tile_is_what_lies_beside_it_and_goes_on_over_the_edge() -> None:
    layer = CHANCE.random((3 * INNER, 3 * INNER)).astype(np.float32)
    middle = Tiles(layer.shape, np.array([4])).cut(framed(layer))
    assert np.array_equal(middle, layer[INNER - BORDER : 2 * INNER + BORDER, INNER - BORDER : 2 * INNER + BORDER])
    corner = Tiles(layer.shape, np.array([0])).cut(framed(layer))
    assert (corner[:BORDER, :BORDER] == layer[0, 0]).all()


def test_pixels_of_tiles_are_found_again_among_a_few_of_them() -> None:
    shape = (3 * INNER + 5, 4 * INNER)
    layer = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
    tiles, few = Tiles(shape, np.array([1, 4, 6, 7, 13])), np.array([0, 2, 3])
    cut, some = tiles.cut(framed(layer)).ravel(), Tiles(shape, tiles.chosen[few]).cut(framed(layer)).ravel()
    at = tiles.among(np.arange(cut.size), few)
    assert np.array_equal(np.sort(at[at >= 0]), np.arange(some.size))
    assert np.array_equal(some[at[at >= 0]], cut[at >= 0])
    held, there = tiles.holding(np.flatnonzero(np.isin(layer, cut)))
    assert held.tolist() == [0, 1, 2, 3, 4] and (there >= 0).any()
    inner = there >= 0
    assert np.array_equal(cut[there[inner]], np.flatnonzero(np.isin(layer, cut))[inner])


def test_half_the_size_fits_over_the_whole() -> None:
    picture = np.repeat(np.repeat(CHANCE.integers(0, 255, (45, 60, 3), np.uint8), 2, axis=0), 2, axis=1)
    tiles = within(picture.shape[:2], ((slice(30, 40), slice(0, 90)),))
    assert np.array_equal(tiles.cut_half(halved(picture)), tiles.cut(framed(picture)))


def test_tiles_are_touched_by_what_lies_in_them_or_in_their_borders() -> None:
    half, inner = np.zeros((2 * INNER, 2 * INNER), bool), INNER // 2
    assert touched(half, (4 * INNER, 4 * INNER)).chosen.tolist() == [0], "one at least"
    half[inner + 3, inner + 3 : inner + 5] = True
    assert touched(half, (4 * INNER, 4 * INNER)).chosen.tolist() == [5]
    half[:], half[inner, 2] = False, True
    assert touched(half, (4 * INNER, 4 * INNER)).chosen.tolist() == [0, 4]


def test_what_hangs_together_is_looked_at_closely_and_noise_is_not() -> None:
    noise = CHANCE.random((200, 200)) < 0.02
    assert basis._clustered(noise).mean() < 0.001
    noise[50:56, 80:84] = True
    assert basis._clustered(noise)[50:56, 80:84].all()


@pytest.mark.long
def test_a_close_look_at_some_tiles_reads_what_one_at_all_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, texture = table.board()
    frame = table.draw(sheet, texture, table.camera(), [(0, 90, 90), (1, 170, 90), (2, 131, 149), (3, 129, 211)])
    scene = make_scene(sheet, texture)
    some, _ = look(frame, scene)
    looked: list[Tiles] = []

    def all_of_them(half: object, shape: tuple[int, int]) -> Tiles:
        looked.append(Tiles(shape, np.arange(int(np.prod(mesh(shape))))))
        return looked[-1]

    monkeypatch.setattr(basis, "touched", all_of_them)
    every, _ = look(frame, scene)
    assert looked
    for name, seen in every.spaces.items():
        assert some.spaces[name].content == seen.content
        assert abs(some.spaces[name].confidence - seen.confidence) < 0.01
