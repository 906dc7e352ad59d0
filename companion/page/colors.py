"""The seats' colours: as CSS (paint, ink that reads on it, a shade that reads as text day and night) and as light."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Mapping
from functools import lru_cache

from companion.model import Seat, Sheet

_READABLE = 4.6
"""Contrast that text must have against its ground (WCAG AA asks for 4.5)."""
_DAY, _NIGHT = "#f6f1e7", "#332c24"
"""The least favourable grounds of the page by day and by night."""
_BRIGHT = ((20, 0.75), (75, 0.88), (170, 0.49), (260, 0.6), (330, 0.5), (360, 0.75))
"""Hue up to which, degrees, and the least value (of HSV) with which it passes for itself: a dark red is brown."""
_DARK = ("black", "brown", "maroon", "dark")
"""What is called so is meant to be dark."""
_GRAY = 0.2
"""The least saturation of what has a hue."""
_DIM = 0.3
"""Of the brightness of white: how a lamp shows black. Below this value (of HSV) a colour without hue is black."""
_NO_HUE = 0.15
"""Below this value (of HSV) no hue is told."""
_ALIKE = 60.0
"""Distance of sRGB (0 to 255) within which two colours are taken for one."""


def seats_css(sheet: Sheet) -> str:
    """Rules that give each element with data-seat the variables --seat, --on-seat and --seat-ink."""
    colors = shown(sheet)
    day = [_rule(seat, color, _DAY, "#000000") for seat, color in colors.items()]
    night = [_rule(seat, color, _NIGHT, "#ffffff") for seat, color in colors.items()]
    return "\n".join([*day, "@media (prefers-color-scheme: dark) {", *night, "}", ""])


def shown(sheet: Sheet) -> Mapping[Seat, str]:
    """The colours to draw the seats in. To a camera pieces are darker than to people, and sheets keep what it saw: such
    a colour is made brighter, unless it would then pass for another seat's.
    """
    return _shown(tuple((seat, color, sheet.seat_label(seat)) for seat, color in sheet.colors.items()))


@lru_cache(maxsize=8)
def _shown(seats: tuple[tuple[Seat, str, str], ...]) -> Mapping[Seat, str]:
    """The same, of (seat, colour, name)."""
    usual = {seat: color for seat, color, _ in seats}
    clear = {seat: color if _is_dark(name) else brightened(color) for seat, color, name in seats}

    def merges(seat: Seat, other: Seat) -> bool:
        return seat != other and _apart(clear[seat], clear[other]) < min(_ALIKE, _apart(usual[seat], usual[other]))

    return {seat: usual[seat] if any(merges(seat, other) for other in usual) else clear[seat] for seat in usual}


def _is_dark(name: str) -> bool:
    return any(word in name.lower() for word in _DARK)


def brightened(color: str) -> str:
    """`color` as bright as its hue must be to pass for itself; as it is where it has none."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(channel / 255 for channel in _channels(color)))
    least = next(least for up_to, least in _BRIGHT if 360 * hue <= up_to)
    if saturation < _GRAY or value >= least:
        return color
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in colorsys.hsv_to_rgb(hue, saturation, least))


def light_of(color: str) -> str:
    """`color` for a lamp, which shows no dark colours: "RRGGBB", its hue at full brightness; without one, white, and a
    dim white for what is dark."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(channel / 255 for channel in _channels(color)))
    hued = saturation >= _GRAY and value >= _NO_HUE
    lit = colorsys.hsv_to_rgb(hue, saturation, 1.0) if hued else (1.0 if value >= _DIM else _DIM,) * 3
    return "".join(f"{round(255 * channel):02X}" for channel in lit)


def _apart(one: str, other: str) -> float:
    return math.dist(_channels(one), _channels(other))


def _rule(seat: int, color: str, ground: str, towards: str) -> str:
    ink = readable(color, ground, towards)
    return f'[data-seat="{seat}"] {{ --seat: {color}; --on-seat: {ink_on(color)}; --seat-ink: {ink}; }}'


def ink_on(color: str) -> str:
    """White or nearly black, whichever reads better on `color`."""
    return max(("#ffffff", "#1f1a14"), key=lambda ink: contrast(ink, color))


def readable(color: str, ground: str, towards: str) -> str:
    """`color` mixed with as little of `towards` as makes it readable on `ground`."""
    shades = (mixed(color, towards, share / 20) for share in range(21))
    return next((shade for shade in shades if contrast(shade, ground) >= _READABLE), towards)


def mixed(color: str, other: str, share: float) -> str:
    """`color` with `share` (0 to 1) of `other`."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(a: str, b: str) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(color))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
