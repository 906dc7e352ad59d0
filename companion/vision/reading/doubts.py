"""What is to be doubted in a reading: the spaces of which something speaks that the pieces found do not explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.model import Space, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.evidence import Evidence
from companion.vision.board.hands import Mask, rings, room_hidden
from companion.vision.board.memory import View
from companion.vision.board.standing import Ints, Match, Put
from companion.vision.colors.set_off import outlined
from companion.vision.light.washed import dazzled
from companion.vision.reading.astride import astride
from companion.vision.reading.blinding import blinding
from companion.vision.reading.crowded_out import crowded_out
from companion.vision.reading.grainy import grainy
from companion.vision.reading.larger import larger
from companion.vision.reading.lone import lone_shapes
from companion.vision.reading.lying import perhaps_lying
from companion.vision.reading.one_thing import one_thing
from companion.vision.reading.over_edge import over_edge
from companion.vision.reading.overshadowed import overshadowed
from companion.vision.reading.overtopped import PERHAPS_TOP
from companion.vision.reading.patchy import patchy
from companion.vision.reading.plain_sight import PERHAPS_TWO, misfits, misunderstood, perhaps_two
from companion.vision.reading.shadowless import PERHAPS_THERE, shadowless
from companion.vision.reading.shadowy import shadowy
from companion.vision.reading.spaces import doubted, less_sure, perhaps, perhaps_fewer, tempered
from companion.vision.reading.spotlit import spotlit
from companion.vision.reading.sticks import on_sticks
from companion.vision.reading.sunlit import sunlit
from companion.vision.reading.uncast import PERHAPS_MORE, perhaps_more, shadowed
from companion.vision.view.pose import Flat
from companion.vision.view.scene import Scene
from companion.vision.view.surface import doubled

_MOSTLY = 0.5  # share of what is seen of a piece
_PLAINLY = 1.5  # nats for each of its pixels, for its paint and against the board


@dataclass(frozen=True, eq=False)
class Matched:
    """A board on which the pieces were found. half: what is seen, at half the size, linear BGR. told: the evidence.

    mask: what hands hide, beyond: what the picture does not show, pieces: where those found are seen, shadow: where
    they cast theirs, cast: those of a colour of their own too; bool (rows, cols) each. unlike: the spaces that look
    unlike themselves; touching: those, by number, whose pieces a hand or the picture's edge touches. overtopped: those,
    by number, whose top may be of another colour. known: readings that are not made again.
    """

    kept: Kept
    half: Flat
    told: Evidence
    found: Match
    mask: Mask
    beyond: Mask
    pieces: Mask
    shadow: Mask
    cast: Mask
    unlike: set[str]
    touching: set[int]
    overtopped: Mapping[int, int]
    known: Mapping[str, SpaceSeen]

    @cached_property
    def free(self) -> Mask:
        """Where neither pieces nor hands are seen, nor the picture's end, bool (rows, cols)."""
        return ~(self.pieces | self.mask | self.beyond)

    @cached_property
    def uncast(self) -> Mask:
        """The shadows that no piece which was found casts, bool (rows, cols)."""
        return self.told.dim & ~(self.mask | self.pieces | self.shadow)


def with_doubts(board: Matched, spaces: dict[str, SpaceSeen], scene: Scene, view: View) -> dict[str, SpaceSeen]:
    """The readings of all spaces, in the sheet's order, of which those that are not known already are doubted where
    they should be: once, however many reasons there are, as most of these tell the same."""
    names, left_out = list(spaces), {index for index, name in enumerate(spaces) if name in board.known}
    seats = sorted(scene.sheet.colors)
    listed = list(scene.sheet.spaces.values())
    wide = {names.index(name) for name in _wide(scene)}
    taken = shadowless(board.found, board.kept, board.told.dim, board.free, listed, left_out | wide)
    taken = [one for one in taken if seats[one[1]] in spaces[names[one[0]]].content]
    misfit = {index for index, _, _ in taken} | _no_pieces(board, scene, listed, left_out)
    unsure = {names[index] for index in misfit} | _hard_to_see(board, spaces, scene, view)
    unsure |= _strange(board, spaces, scene, view) | _in_shadows(board, spaces, scene)
    unsure |= _mixed(spaces, scene) | _never_put(board.found, spaces)
    other = misunderstood(board.found, board.told, board.mask, spaces, board.known)
    asked = (unsure | other) - set(board.known)
    beside = other - unsure  # what lies beside a piece says not that it is none
    spaces = {name: doubted(s, there=name in beside) if name in asked else s for name, s in spaces.items()}
    for index, nats in perhaps_lying(board.found, left_out).items():
        spaces[names[index]] = perhaps_fewer(spaces[names[index]], nats)
    for index, color in perhaps_two(board.found, left_out | wide).items():
        spaces[names[index]] = less_sure(spaces[names[index]], {seats[color]: PERHAPS_TWO})
    for name in perhaps_more(board.uncast, board.found, scene, spaces, board.known):
        spaces[name] = less_sure(spaces[name], dict.fromkeys(spaces[name].content, PERHAPS_MORE))
    for index, color in {(index, color) for _, color, others in taken for index in others - left_out}:
        spaces[names[index]] = less_sure(spaces[names[index]], {seats[color]: PERHAPS_THERE})
    for index in board.overtopped.keys() - left_out:
        spaces[names[index]] = perhaps(spaces[names[index]], {(seats[board.overtopped[index]],): PERHAPS_TOP})
    for index, nats in shadowy(board.found, board.told.dim, left_out).items():
        spaces[names[index]] = perhaps_fewer(spaces[names[index]], tempered(nats))
    return _perhaps_beside(board, spaces, left_out)


def _perhaps_beside(board: Matched, spaces: dict[str, SpaceSeen], left_out: set[int]) -> dict[str, SpaceSeen]:
    """The readings, in which a piece that may as well stand on the next space is less surely on its own, and no less
    likely there, in each of the colours that it may have. left_out: spaces whose readings stay; their pieces count."""
    names, result = list(spaces), dict(spaces)
    for space, other, less in astride(board.found):
        own, level = spaces[names[space]], tempered(less)
        if space not in left_out:
            result[names[space]] = perhaps_fewer(result[names[space]], level)
        if other not in left_out:
            each = {content[0]: nats for content, nats in own.likelihoods.items() if len(content) == 1}
            each = each if len(own.content) == 1 else dict.fromkeys(own.content, 0.0)
            more = {seat: level + nats for seat, nats in each.items()}
            result[names[other]] = less_sure(result[names[other]], more)
    return result


def _no_pieces(board: Matched, scene: Scene, spaces: Sequence[Space], left_out: set[int]) -> set[int]:
    """Spaces, by number, on which pieces were put that may be something else, as shadows, mirrored lamps, coins, cards;
    or on which a lamp blinds."""
    found, flat, odd, dim = board.found, board.kept.flat, board.told.odd, board.told.dim
    result = misfits(found, scene.surface.inks, left_out) | board.touching | _shadows_for_pieces(board, scene)
    result |= one_thing(found, flat, left_out) | on_sticks(found, left_out) | larger(found, left_out)
    result |= over_edge(found, odd, dim, scene, left_out) | patchy(found, dim, flat, left_out)
    result |= sunlit(found, board.kept, scene.surface.inks, left_out)
    return result | spotlit(found, dim, scene, left_out) | blinding(found, board.kept, dim, spaces, left_out)


def _never_put(found: Match, spaces: Mapping[str, SpaceSeen]) -> set[str]:
    """Spaces that are read as if a piece stood there, though the search put none: beside what it did put there was no
    room for it, or it was none. The long black shadow of a stack by candlelight was surely a black disc."""
    taken = {int(found.where.space[place]) for place, _ in found.standing}
    return {name for index, (name, seen) in enumerate(spaces.items()) if seen.content and index not in taken}


def _mixed(spaces: Mapping[str, SpaceSeen], scene: Scene) -> set[str]:
    """Bases in which pieces of others than their owner were read, whom no game sends there: they are rather images in
    the lacquer, or lit sides, of its own, or their colour is not what it was. Three yellow pawns among four orange ones
    were none, and all the marbles of a base by the light of a screen another's. And spaces of anybody with pieces of
    those who do not play: in the dusk the shadow of a red pawn was a green one where red and yellow played."""
    read = {name: seen.content for name, seen in spaces.items() if seen.content}
    strange = {
        name: [seat for seat in seats if name.partition(".")[0] != f"base{seat}"] for name, seats in read.items()
    }
    players = scene.sheet.colors if scene.players is None else scene.players
    return {
        name for name, seats in strange.items()
        if seats and (name.startswith("base") or any(seat not in players for seat in seats))
    }


def _wide(scene: Scene) -> list[str]:
    return [name for name, space in scene.sheet.spaces.items() if space.is_area]


def _shadows_for_pieces(board: Matched, scene: Scene) -> set[int]:
    """Spaces, by number, on which a piece was put that may be a shadow: most of it looks like the board in one, and
    lies where another piece casts one, or at the edge of a large one; unless it plainly looks like its paint, and has
    an outline. (A flat top that looks so is told otherwise: see `darkened`.)

    In frames of 46 films 379 pieces and three shadows were doubted; 240 of the pieces are not any more.
    """
    found, dim, kept, maybe = board.found, board.told.dim, board.kept, list[Put]()
    half = kept.today.edges
    if found.where.piece.kind == "disc" or not (board.shadow.any() or half is not None):
        return set()
    edges = np.zeros(dim.shape, bool) if half is None else doubled(half, dim.shape)
    for place, color in found.standing:
        own = found.shown(place)
        dark = own[dim.ravel().take(own)]
        if max(_count(board.shadow, dark), min(len(dark), _count(edges, own))) > _MOSTLY * len(own):
            maybe.append((place, color))
    plain = np.array([place for place, color in maybe if _plainly(found, place, color)], np.int64)
    seen = outlined(found, plain, kept.flat, kept.light, scene.print.linear, hardly_seen=False)
    sure = set(plain[seen].tolist())
    return {int(found.where.space[place]) for place, _ in maybe if place not in sure}


def _plainly(found: Match, place: int, color: int) -> bool:
    """Whether what is seen of a piece looks like its paint, all in all."""
    return float(found.evidence[found.shown(place), color].mean()) > _PLAINLY


def _count(mask: Mask, pixels: Ints) -> int:
    return int(np.count_nonzero(mask.ravel().take(pixels)))


def _hard_to_see(board: Matched, spaces: dict[str, SpaceSeen], scene: Scene, view: View) -> set[str]:
    """Spaces that are burnt out, on which there is room out of sight, or which the camera's grain drowns; and empty
    ones on which a pawn would hardly show beside those round about."""
    kept, names = board.kept, list(spaces)
    burnt = dazzled(kept.flat, kept.light, kept.colors, rings(scene, view.pose, board.mask.shape)[1:])
    lost = {name for name, gone in zip(spaces, burnt.tolist(), strict=True) if gone and not spaces[name].content}
    out_of_sight = board.mask | board.beyond
    grain = grainy(board.half, kept, board.free, scene.sheet, spaces, board.known)
    unseen = {names[index] for index in crowded_out(board.found)}.difference(_wide(scene))
    return lost | unseen | room_hidden(out_of_sight, view.places, scene.sheet) | grain


def _strange(board: Matched, spaces: dict[str, SpaceSeen], scene: Scene, view: View) -> set[str]:
    """Empty spaces, bases and homes on which something is seen that is neither the board nor a piece found there."""
    room, hidden = _room(board, spaces, scene), board.pieces | board.mask
    alone = lone_shapes(view.places, board.told, hidden, board.shadow, room)
    unlike = {name for name in board.unlike if not spaces[name].content}
    names, cast = list(spaces), shadowed(board.uncast, scene, spaces)
    return unlike | cast | {names[index] for index in alone}


def _in_shadows(board: Matched, spaces: dict[str, SpaceSeen], scene: Scene) -> set[str]:
    """Small spaces with room for a piece on which something is darker than the cast shadow in which it lies. (Pieces of
    a base shade each other in so many ways that this would tell little.)"""
    names, hidden = list(spaces), ~board.free
    small = np.array([not space.is_area for space in scene.sheet.spaces.values()])
    seen, usual, room = board.half, board.kept.today.half, _room(board, spaces, scene) & small
    dark = overshadowed(board.found, board.told, board.shadow, hidden, seen, usual, room)
    return {names[index] for index in dark}


def _room(board: Matched, spaces: dict[str, SpaceSeen], scene: Scene) -> Mask:
    """The spaces, (S,), that were read now and on which there is room for a piece, or one more."""
    listed = scene.sheet.spaces
    free = (not seen.covered and (not seen.content or listed[name].is_area) for name, seen in spaces.items())
    return np.array([empty and name not in board.known for name, empty in zip(spaces, free, strict=True)])
