"""The pieces as they are: seldom as the sheet says. A view of the board holds their body, which is measured in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from companion.model import Piece, Sheet, Space
from companion.model.board import area_of
from companion.vision.board.again import Kept
from companion.vision.board.hands import Mask
from companion.vision.board.matching import match
from companion.vision.board.memory import Look, View
from companion.vision.board.places import Places, places
from companion.vision.board.standing import Match, Put, crowded, too_many
from companion.vision.board.stature import (
    FEWEST,
    MOST,
    SMALL_DISC,
    Told,
    around,
    breadth,
    explained,
    flat,
    in_holes,
    of_a_crowd,
    stature,
    told_of,
)
from companion.vision.view.pose import Flat, Floats, Pose, downward, flat_maps
from companion.vision.view.scene import PIXELS_PER_MM, Scene

TRIES = 4
"""So often pieces are measured at length in vain, which takes as long as many looks: what cannot be measured may lie
there for a whole evening."""
_SURPLUS = 0.25  # share of the pieces: more that no seat has are none, as patches of light on a dark board


def make_view(pose: Pose, scene: Scene, body: Piece | None = None) -> View:
    """Prepare what follows from a pose. body: see `View`."""
    sheet = scene.sheet
    down = downward(flat_maps(pose, sheet.width, sheet.height, PIXELS_PER_MM))
    return _shaped(View(pose, down, _places(pose, sheet, down.shape)), body, scene)


def _shaped(view: View, body: Piece | None, scene: Scene) -> View:
    """The same view of pieces that have another body than on the sheet."""
    if body is None or body == (view.body or scene.sheet.piece):
        return replace(view, body=body)
    return replace(view, places=_places(view.pose, replace(scene.sheet, piece=body), view.down.shape), body=body)


def to_measure(view: View, scene: Scene) -> View:
    """The same view of pieces that are to be measured anew, as others may be played with: as at the first look by how
    ones as on the sheet are seen, for of those that were measured there are never too many, which tells larger ones."""
    return replace(_shaped(view, scene.sheet.piece, scene), sure=False, vain=0)


def once_bare(view: View, look: Look, scene: Scene) -> View:
    """The same view; of pieces that are to be measured anew, if the board is bare: another set may be put there. A new
    game is mostly asked for while the old set still stands, by which the new one would be measured."""
    bare = look.open and look.kept is not None and not look.kept.standing
    return to_measure(view, scene) if view.sure and bare else view


def measured(view: View, look: Look, scene: Scene) -> View:
    """The same view of pieces that are built as the picture says, judged by where they stand, if enough do; of what was
    measured for sure that is asked again only where it cannot be right."""
    kept, usual = look.kept, scene.sheet.piece
    if kept is None:
        return view
    if view.sure:
        return _other_after_all(view, look, kept, scene)
    if usual.kind == "pawn":
        return _of_pawns(view, look, kept, scene)
    clear = _clear(kept, look.masked, scene.most, ())
    if usual.kind == "disc":
        return _of_discs(view, look, kept, clear, scene)
    return _of_marbles(view, look, kept, clear, scene) if len(clear) >= FEWEST else view


def _other_after_all(view: View, look: Look, kept: Kept, scene: Scene) -> View:
    """The same view of larger pawns, or of flat pieces, where others were measured, but more are seen than a seat has,
    and than there are in the whole game: as where they were laid down one by one, and the first few were one or two
    pawns each."""
    usual = scene.sheet.piece
    if usual.kind != "pawn" or not _surplus(_of_players(kept, scene), scene):
        return view
    if len(kept.standing) <= scene.pieces * len(scene.colors_in_play) or not look.open or view.vain >= TRIES:
        return view
    body = _larger_or_flat(view, kept, scene)
    return replace(view, vain=view.vain + 1) if body is None else replace(_shaped(view, body, scene), sure=True)


def _of_pawns(view: View, look: Look, kept: Kept, scene: Scene) -> View:
    """How tall and how stout they are: see `stature`."""
    sleeve, played = _no_pawns(kept.places, kept.standing, scene, scene.sheet.spaces), _of_players(kept, scene)
    perhaps_larger = _surplus(played, scene) or not {color for _, color in played}.isdisjoint(sleeve)
    if look.open and view.vain < TRIES and perhaps_larger:
        body = _larger_or_flat(view, kept, scene)
        if body is not None:
            return replace(_shaped(view, body, scene), sure=True)
        view = replace(view, vain=view.vain + 1)
    clear = _clear(kept, look.masked, scene.most, sleeve)
    if len(clear) < FEWEST:
        return view
    spoken, most = kept.told.open, kept.told.most
    if not look.open:
        shown = ~look.masked.ravel()
        spoken, most = spoken * shown[:, None], most * shown
    if sleeve:
        spoken = spoken.copy()
        spoken[:, sleeve] = np.minimum(spoken[:, sleeve], 0)
    explains = _explaining(view, kept.places.feet[clear[:MOST]], spoken, most, scene)
    return replace(_shaped(view, stature(scene.sheet.piece, explains), scene), sure=look.open)


def _of_discs(view: View, look: Look, kept: Kept, clear: list[int], scene: Scene) -> View:
    """How broad they are, see `breadth`; a few that are not as on the sheet may be dice or coins."""
    usual = scene.sheet.piece
    spoken, most = _not_masked(kept, look)

    def broad(feet: Floats) -> Piece:
        return breadth(usual, _explaining(view, feet, spoken, most, scene))

    feet = kept.places.feet[clear[:MOST]]
    fewest = FEWEST if view.vain < TRIES else MOST
    body = broad(feet) if len(feet) >= fewest else None
    tries = view.vain + (body is not None)
    if len(feet) < MOST and body != usual:  # of many that are much smaller some may be found, or none
        small = Piece(usual.kind, SMALL_DISC * usual.diameter, usual.height)
        sheet = replace(scene.sheet, piece=small)
        there = match(_places(view.pose, sheet, view.down.shape), spoken, most, sheet)
        feet = there.where.feet[[place for place, _ in there.standing[:MOST]]]
        body = broad(feet) if len(feet) >= MOST else None
    return replace(view, vain=tries) if body is None else replace(_shaped(view, body, scene), sure=look.open)


def _of_marbles(view: View, look: Look, kept: Kept, clear: list[int], scene: Scene) -> View:
    """How broad they are, or what stands in their holes: see `in_holes`."""
    explains = _explaining(view, kept.places.feet[clear[:MOST]], *_not_masked(kept, look), scene)
    return replace(_shaped(view, in_holes(scene.sheet.piece, explains), scene), sure=look.open)


def _not_masked(kept: Kept, look: Look) -> tuple[Flat, Flat]:
    """The evidence, and the most of it, where no hand hides anything."""
    shown = ~look.masked.ravel()
    return kept.told.open * shown[:, None], kept.told.most * shown


def _explaining(view: View, feet: Floats, spoken: Flat, most: Flat, scene: Scene) -> Callable[[Piece], Told]:
    """What pieces of some body explain, together and round each of some feet, mm (N, 2), as a function of the body.
    spoken, most: see `match`."""
    sheet, there = replace(scene.sheet, spaces=_beside(feet, scene.sheet)), around(feet, view.down.shape)

    def told(body: Piece) -> Told:
        other = replace(sheet, piece=body)
        return told_of(match(_places(view.pose, other, view.down.shape), spoken, most, other), there)

    return told


def _larger_or_flat(view: View, kept: Kept, scene: Scene) -> Piece | None:
    """The body of pawns that are larger than on the sheet, or of discs in place of them, where of such as on the sheet
    too many would stand; None where what is seen there are no pieces."""
    found, crowd = _tried(view, kept, scene)

    def told(body: Piece) -> tuple[float, bool]:
        there = found(body)
        return explained(there), crowd(there)

    usual = scene.sheet.piece
    larger, discs = of_a_crowd(usual, told), flat(usual, found, crowd)
    if larger is None or discs is None:
        return larger or (discs and discs[0])
    return discs[0] if discs[1] > told(larger)[0] else larger


def _tried(view: View, kept: Kept, scene: Scene) -> tuple[Callable[[Piece], Match], Callable[[Match], bool]]:
    """How pieces of some body would stand where any are seen; and whether these are more than there are."""
    stand = [place for place, _ in kept.standing]
    sheet = replace(scene.sheet, spaces=_beside(kept.places.feet[stand], scene.sheet))

    @cache
    def found(body: Piece) -> Match:
        there = replace(sheet, piece=body)
        return match(_places(view.pose, there, view.down.shape), kept.told.open, kept.told.most, there)

    def crowd(there: Match) -> bool:
        surplus = _surplus(there.standing, scene) > _SURPLUS * len(there.standing)
        return surplus or bool(_no_pawns(there.where, there.standing, scene, sheet.spaces))

    return found, crowd


def _clear(kept: Kept, masked: Mask, most: int, sleeve: Sequence[int]) -> list[int]:
    """The places at which pieces stand that no hand hides; but for those that a sleeve, of some colours, stands for."""
    where, hidden = kept.places, masked.ravel()
    many = crowded(where, kept.standing, most)
    some = [place for place, color in kept.standing if not many[where.space[place]] and color not in sleeve]
    return [place for place in some if not hidden[where.hidden_by(place)[0]].any()]


def _no_pawns(where: Places, standing: Sequence[Put], scene: Scene, spaces: Iterable[str]) -> list[int]:
    """The colours of which more pawns are seen on a space, or in a base, than there are: a sleeve, say, was taken for
    pawns, and what is seen of it beside that space, too; or pawns are larger than they should be, and each is two.
    spaces: the names of those of which `where` tells."""
    over = {color for _, color in too_many(where, standing, scene.most)}
    room, bases = Counter(map(area_of, scene.sheet.spaces)), [area_of(name) for name in spaces]
    there = Counter((bases[where.space[place]], color) for place, color in standing)
    return sorted(over | {color for (base, color), count in there.items() if base and count > room[base]})


def _of_players(kept: Kept, scene: Scene) -> list[Put]:
    """The pieces that are seen of those who play: more of another colour are something else, as a base in the sun."""
    seats, players = sorted(scene.sheet.colors), scene.players
    return [piece for piece in kept.standing if players is None or seats[piece[1]] in players]


def _surplus(standing: Sequence[Put], scene: Scene) -> int:
    """How many more pieces are seen on the whole board than the seats whose colours they have do have."""
    there = Counter(color for _, color in standing)
    return sum(max(count - scene.pieces, 0) for count in there.values()) if scene.pieces else 0


def _beside(feet: Floats, sheet: Sheet) -> dict[str, Space]:
    """The spaces on which pieces stand, at some feet, mm (N, 2), or would if they were much taller or shorter."""
    x, y = feet.T
    reach = 2 * sheet.piece.diameter
    return {n: s for n, s in sheet.spaces.items() if (np.hypot(x - s.x, y - s.y) < s.radius + reach).any()}


def _places(pose: Pose, sheet: Sheet, shape: tuple[int, int]) -> Places:
    far = float(np.linalg.norm(pose.eye - (sheet.width / 2, sheet.height / 2, 0)))
    return places(sheet, pose.eye, shape, far / pose.focal)
