"""What is measured before pieces are matched: the light, the empty board in it, and the evidence of each pixel."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.vision.board.again import Kept, Rest
from companion.vision.board.evidence import Close, Evidence, Ground, doubtful, evidence, measured, unevenness
from companion.vision.board.hands import hidden
from companion.vision.board.memory import Learned, View, as_learned
from companion.vision.colors.paints import colors_of_sheet
from companion.vision.light.inkless import of_pieces
from companion.vision.light.shade import has_large_shadow
from companion.vision.light.shrouded import shrouded
from companion.vision.light.today import Light, Today, as_seen, estimate_light, touch_up
from companion.vision.light.washed import WASHED, washed
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.scene import Scene
from companion.vision.view.surface import Surface, doubled, linear
from companion.vision.view.tiles import Tiles, framed, touched, within

Mask = npt.NDArray[np.bool_]

_CLUSTER = 4  # pixels of three by three, at half the size, that may not be the empty board: fewer are noise
_COURSE = 1.0  # pixels, at half the size, over which the course of the brightness is taken


def basis(flat: Frame, half: Flat, scene: Scene, view: View, learned: Learned | None) -> Kept:
    """What is measured before pieces are matched, from the whole of a flat view, uint8 BGR; half: see `touch_up`."""
    surface = scene.surface
    light = estimate_light(flat, scene.print)
    above = light if scene.print is surface else estimate_light(flat, surface)
    light = of_pieces(light, half)
    today = touch_up(flat, half, above, surface, scene.sheet.piece, light)
    maybe, change = _doubtful(half, today, learned)
    course = _course(change)
    tiles = touched(_clustered(maybe), flat.shape[:2])
    close = _close(tiles, flat, today, course, learned)
    tables = _measured(flat, today, learned) | {"rough": unevenness(change, course, surface.half.ink_samples)}
    flat_discs = scene.sheet.piece.kind == "disc"  # their shadows have no shape that tells them from pieces
    ground = Ground(_inks(tiles, surface), tables, flat_discs)
    colors = colors_now(scene.sheet, learned)
    told = evidence(close, ground, light, colors)
    gone = _without_print(half, above, today, told, scene)
    if gone is not None:
        told.odd[doubled(gone, told.odd.shape)] = WASHED
    told = told if view.beyond is None else told.silent(view.beyond)
    return Kept(view.places, flat, flat, light, today, ground, told, colors, (), {}, gone=gone)


def _without_print(half: Flat, above: Light, today: Today, told: Evidence, scene: Scene) -> Mask | None:
    """Where something wide hides the print, brighter than the board or as dark as its shadows: bool, as large as
    `half`; None if nowhere."""
    piece = scene.sheet.piece
    bright = washed(half, above.expected(scene.surface.half.coarse), piece)
    dark = shrouded(half, today.half, told.odd, told.dim, piece)
    return bright if dark is None else dark if bright is None else bright | dark


def basis_again(
    kept: Kept, left: Rest, flat: Frame, half: Flat, scene: Scene, view: View, learned: Learned | None
) -> Kept | None:
    """The same from what an earlier reading measured, and the parts that changed; None where a hand came in, or the
    pieces' colours were learned meanwhile."""
    if not np.array_equal(kept.colors, colors_now(scene.sheet, learned)):
        return None
    told = kept.told
    if left.boxes:
        today, tiles = kept.today, within(flat.shape[:2], left.boxes)
        _, change = _doubtful(half, today, learned)
        close = _close(tiles, flat, today, _course(change), learned)
        ground = replace(kept.ground, inks=_inks(tiles, scene.surface))
        told = evidence(close, ground, kept.light, kept.colors, told)
        told = told if view.beyond is None else told.silent(view.beyond)
        piece = scene.sheet.piece
        if washed(half, today.half, piece) is not None:
            return None
        if shrouded(half, today.half, told.odd, told.dim, piece) is not None:
            return None
        if hidden(told.odd, scene.sheet, view.beyond, kept.gone).any() or has_large_shadow(told.dim, piece):
            return None
    return replace(kept, flat=flat, told=told, times=kept.times + 1)


def _doubtful(half: Flat, today: Today, learned: Learned | None) -> tuple[Mask, Flat]:
    """`doubtful` from the view of half the size as it is seen."""
    expected = today.half if learned is None else as_learned(today.half, learned.change_in_half)
    seen, usual, surface = half / today.even, as_seen(expected) / today.even, today.surface.half
    few = surface.ink_samples
    tables = measured(seen.reshape(-1, 3).take(few, axis=0), usual.reshape(-1, 3).take(few, axis=0))
    return doubtful(seen, usual, Ground(surface.inks, tables))


def _measured(flat: Frame, today: Today, learned: Learned | None) -> dict[str, Flat]:
    """`measured` at the whole size."""
    few = today.surface.ink_samples
    usual, even = today.samples()
    if learned is not None:
        usual = as_learned(usual, learned.change_at(few))
    return measured(linear(flat.reshape(-1, 3).take(few, axis=0)) / even, as_seen(usual) / even)


def _clustered(maybe: Mask) -> Mask:
    """Those pixels of a mask that hang together: noise is scattered, and no piece is so small."""
    around = cv2.boxFilter(maybe.astype(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return maybe & (np.asarray(around) >= _CLUSTER)


def _course(change: Flat) -> Flat:
    """How the brightness changes over some mm."""
    return np.asarray(cv2.GaussianBlur(change, (0, 0), _COURSE), np.float32)


def _close(tiles: Tiles, flat: Frame, today: Today, course: Flat, learned: Learned | None) -> Close:
    """What is to be looked at closely. course: how the brightness changes, at half the size."""
    usual, even = today.tiles(tiles)
    if learned is not None:
        usual = as_learned(usual, tiles.cut(learned.change))
    return Close(tiles, linear(tiles.cut(framed(flat))), usual, even, tiles.cut_half(course))


def _inks(tiles: Tiles, surface: Surface) -> Frame:
    return np.asarray(tiles.cut(surface.framed[1]), np.uint8)


def colors_now(sheet: Sheet, learned: Learned | None) -> Floats:
    """The pieces' colours, linear BGR in the seats' order, (K, 3): as they were learned, or else as the sheet gives
    them."""
    return colors_of_sheet(sheet) if learned is None or learned.colors is None else learned.colors
