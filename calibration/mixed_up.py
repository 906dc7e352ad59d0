"""Whether the colours that were measured are those of the right seats, or the pieces stood in each other's bases."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, permutations

from companion.model import Seat, Sheet
from companion.model.board import seat_key
from companion.vision.colors.paints import apart as of_paints
from companion.vision.colors.paints import linear_color

TOLD = 40.0
"""CIE76: colours so far apart are told from each other in poor light, too."""
_ONE_PAINT, _ALIKE = 10.0, 30.0  # CIE76, both as bright: of one paint in one picture; of one in any light
_BETTER = 0.5  # of how far the colours lie from the chosen ones: by so much they must lie nearer to other seats'


def apart(one: str, other: str) -> float:
    """How far two colours "#rrggbb" are from each other: CIE76, the distance in CIELAB."""
    return of_paints(linear_color(one), linear_color(other))


def one_paint(sheet: Sheet, seats: Collection[Seat]) -> tuple[Seat, Seat] | None:
    """Two of these seats whose pieces have one colour on this board, so that none could be told from the other's."""
    colors = [(seat, sheet.colors[seat]) for seat in sorted(seats) if seat in sheet.colors]
    pairs = (pair for pair in combinations(colors, 2) if apart(pair[0][1], pair[1][1]) < _ONE_PAINT)
    return next(((one, other) for (one, _), (other, _) in pairs), None)


def mixed_up(found: Mapping[Seat, str], sheet: Sheet) -> str:
    """What is wrong with the colours measured for some seats, with the way out; "" if nothing is.

    Light tinges all of them, and owners seldom say what their pieces are: so the seats that were measured are compared
    with each other. It is plain only where they would go much better with each other's chosen colours, or where one
    has another's pieces.
    """
    if said := _exchanged(found, sheet):
        named = " ".join(f"--color {seat_key(sheet.game, seat)}={found[seat]}" for seat in sorted(found))
        return f"{said}: set up the start position; if it is, name the pieces' colours first (calibrate board {named})"
    if said := _twice(found, sheet):
        return f"{said}: set up the start position, in an even light; colours that were named are kept till then"
    return ""


def _exchanged(found: Mapping[Seat, str], sheet: Sheet) -> str:
    """Seats that have each other's colours: among all ways to deal them out, the one that goes best."""
    seats, chosen, names = sorted(found), sheet.colors, sheet.seat_label
    off = {(one, other): apart(found[one], chosen[other]) for one in seats for other in seats}
    ways = [dict(zip(seats, way, strict=True)) for way in permutations(seats)]
    ways = [way for way in ways if all(one == it or _hues(found[one], chosen[it]) < _ALIKE for one, it in way.items())]
    best = min(ways, key=lambda way: sum(off[pair] for pair in way.items()))
    moved = {seat: other for seat, other in best.items() if seat != other}
    own, others = sum(off[seat, seat] for seat in moved), sum(off[pair] for pair in moved.items())
    if own - others < TOLD or others > _BETTER * own:
        return ""
    return "; ".join(f"the pieces in {names(seat)}'s base look like {names(other)}'s" for seat, other in moved.items())


def _twice(found: Mapping[Seat, str], sheet: Sheet) -> str:
    """A seat whose pieces are of the same paint as another's, which they are much nearer to."""
    chosen, names = sheet.colors, sheet.seat_label
    for seat, color in found.items():
        for other in found.keys() - {seat}:
            own, its = apart(color, chosen[seat]), apart(color, chosen[other])
            same = apart(color, found[other]) < TOLD and _hues(color, found[other]) < _ONE_PAINT
            if same and its < _BETTER * own and own - its > TOLD / 2:
                return f"the pieces in {names(seat)}'s base look like those in {names(other)}'s"
    return ""


def _hues(one: str, other: str) -> float:
    """How far two colours would be apart if one was as bright as the other, CIE76: hardly, if light and shade alone
    make them differ."""
    even = [color / max(float(color.sum()), 1e-6) for color in map(linear_color, (one, other))]
    return of_paints(*even)
