"""The seats' colours as CSS: paint, ink that reads on it, and a shade of it that reads as text by day and night."""

from __future__ import annotations

from companion.model import Sheet

_READABLE = 4.6
"""Contrast that text must have against its ground (WCAG AA asks for 4.5)."""
_DAY, _NIGHT = "#f6f1e7", "#332c24"
"""The least favourable grounds of the page by day and by night."""


def seats_css(sheet: Sheet) -> str:
    """Rules that give each element with data-seat the variables --seat, --on-seat and --seat-ink."""
    day = [_rule(seat, color, _DAY, "#000000") for seat, color in sheet.colors.items()]
    night = [_rule(seat, color, _NIGHT, "#ffffff") for seat, color in sheet.colors.items()]
    return "\n".join([*day, "@media (prefers-color-scheme: dark) {", *night, "}", ""])


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
