"""The table of the evidence as text, and the reliability diagram as SVG."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from calibration.evidence.measure import Bin, Result, Summary, summary
from calibration.evidence.shop import Shown

_HEAD = "| {:<16} | pictures | found | spaces right | boards right | not read | false | missed | colour | ECE | ms |"
_ROW = (
    "| {s.name:<16} | {s.pictures} | {s.registered} | {right:.2f} % | {whole:.0f} % | {unread:.2f} % "
    "| {s.false} | {s.missed} | {s.colored} | {s.error:.4f} | {s.ms:.0f} |"
)


def tables(results: Sequence[Result]) -> str:
    """By condition, by game, and the reliability of all, as Markdown."""
    parts = []
    for title, key in (("condition", "condition"), ("game", "game")):
        names = list(dict.fromkeys(getattr(result, key) for result in results))
        rows = [summary(name, [r for r in results if getattr(r, key) == name]) for name in names]
        if title == "condition":
            rows.append(summary("all", results))
        rule = "| --- |" + " ---: |" * 10
        parts.append("\n".join([_HEAD.format(title), rule, *map(_row, rows)]))
    parts.append(_reliability(summary("all", results).bins))
    return "\n\n".join(parts)


_OWN_HEAD = "| {:<16} | pictures | found | spaces right | wrong | not read | above 0.97 | of these wrong |"
_OWN_ROW = "| {:<16} | {} | {} | {:.2f} % | {} | {} | {} | {} |"
_SURE = 0.97


def own_tables(results: Sequence[Result], boards: Sequence[Shown]) -> str:
    """Of boards of other makers: by condition, by game, by make, the reliability, and how well spaces were placed."""
    keys = {"condition": [r.condition for r in results], "game": [r.game for r in results]}
    parts = []
    for title, column in (keys | {"make": [board.style for board in boards]}).items():
        of = {name: [r for r, k in zip(results, column, strict=True) if k == name] for name in _once(column)}
        rows = [_own_row(name, mine) for name, mine in of.items()]
        total = [_own_row("all", results)] if title == "condition" else []
        parts.append("\n".join([_OWN_HEAD.format(title), "| --- |" + " ---: |" * 7, *rows, *total]))
    parts.append(_reliability(summary("all", results).bins))
    parts.append(_placing([result.game for result in results], boards))
    return "\n\n".join(parts)


def _own_row(name: str, results: Sequence[Result]) -> str:
    judged = [one for result in results for one in result.judged]
    sure = [good for given, good in judged if given > _SURE]
    right = sum(good for _, good in judged)
    share = 100 * right / max(1, sum(result.counted for result in results))
    found, unread = sum(result.registered for result in results), sum(result.unread for result in results)
    wrong = len(judged) - right
    return _OWN_ROW.format(name, len(results), found, share, wrong, unread, len(sure), len(sure) - sum(sure))


def _once(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _placing(games: Sequence[str], boards: Sequence[Shown]) -> str:
    """How far spaces lie from where they are, mm: after the first taps, and in the end."""
    head = "| placed | boards | taps, mean | dragged, mean | first: half within | 19 of 20 "
    head += "| last: half within | 19 of 20 | worst |"
    lines = [head, "| --- |" + " ---: |" * 8]
    for name in (*_once(games), "all"):
        mine = [b for b, game in zip(boards, games, strict=True) if name in (game, "all") and b.last]
        if mine:
            first, last = ([off for board in mine for off in which(board)] for which in (_first, _last))
            taps, dragged = statistics.mean(b.taps for b in mine), statistics.mean(b.dragged for b in mine)
            within = [statistics.quantiles(off, n=20)[k] for off in (first, last) for k in (9, 18)]
            numbers = " | ".join(f"{number:.1f}" for number in (taps, dragged, *within, max(last)))
            lines.append(f"| {name} | {len(mine)} | {numbers} |")
    return "\n".join(lines)


def _first(board: Shown) -> Sequence[float]:
    return board.first


def _last(board: Shown) -> Sequence[float]:
    return board.last


def _row(one: Summary) -> str:
    return _ROW.format(s=one, right=100 * one.right, whole=100 * one.whole, unread=100 * one.unread)


def _reliability(bins: Sequence[Bin]) -> str:
    lines = ["| confidence | readings | given, mean | true | wrong, one in |", "| --- | ---: | ---: | ---: | ---: |"]
    for one in bins:
        if one.count:
            wrong = f"{1 / (1 - one.true):.0f}" if one.true < 1 else "none"
            numbers = f"{one.count} | {one.given:.4f} | {one.true:.4f} | {wrong}"
        else:
            numbers = "0 | | |"
        lines.append(f"| {one.low:g} to {one.high:g} | {numbers} |")
    return "\n".join(lines)


# --- the diagram ---

_SIDE, _LEFT, _TOP, _LEAST = 360, 76, 46, 1e-5


def diagram(bins: Sequence[Bin]) -> str:
    """Wrong readings by what was promised, both on logarithmic scales, with 95 % intervals. Returns SVG."""
    width, height = _LEFT + _SIDE + 24, _TOP + _SIDE + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12" fill="#222">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">Are the confidences true?</text>',
        *_scales(),
        _line(_at(1), _at(_LEAST), "#999", 'stroke-dasharray="5 4"'),
        *(mark for one in bins if one.count for mark in _mark(one)),
        f'<text x="{_LEFT + _SIDE / 2}" y="{height - 14}" text-anchor="middle">share of wrong readings promised</text>',
        f'<text transform="translate(18 {_TOP + _SIDE / 2}) rotate(-90)" text-anchor="middle">'
        "share of wrong readings found</text>",
        f'<text x="{_LEFT + 8}" y="{_TOP + 16}" fill="#777">above the line: too sure</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _scale(share: float) -> float:
    """0 for `_LEAST` to 1 for 1."""
    return 1 - math.log10(max(share, _LEAST)) / math.log10(_LEAST)


def _at(promised: float, found: float | None = None) -> tuple[float, float]:
    found = promised if found is None else found
    return _LEFT + _SIDE * _scale(promised), _TOP + _SIDE * (1 - _scale(found))


def _scales() -> list[str]:
    parts = []
    for power in range(-5, 1):
        share = 10.0**power
        label = "all" if power == 0 else f"1 in {round(1 / share):,}".replace(",", " ")
        x, y = _at(share)
        parts += [_line((x, _TOP), (x, _TOP + _SIDE), "#ddd"), _line((_LEFT, y), (_LEFT + _SIDE, y), "#ddd")]
        if power > -5:
            parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" font-size="10">{label}</text>')
        parts.append(f'<text x="{x:.1f}" y="{_TOP + _SIDE + 16}" text-anchor="middle" font-size="9">{label}</text>')
    return parts


def _line(a: tuple[float, float], b: tuple[float, float], color: str, more: str = "") -> str:
    ends = f'x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"'
    return f'<line {ends} stroke="{color}" {more}/>'


def _mark(one: Bin) -> list[str]:
    low, high = _interval(round((1 - one.true) * one.count), one.count)
    promised = 1 - one.given
    x, y = _at(promised, 1 - one.true)
    beside = f'x="{x + 8:.1f}"' if x < _LEFT + 0.7 * _SIDE else f'x="{x - 8:.1f}" text-anchor="end"'
    return [
        _line(_at(promised, low), _at(promised, high), "#1450a0", 'stroke-width="2"'),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#1450a0"/>',
        f'<text {beside} y="{y - 6:.1f}" font-size="10">{one.count} readings</text>',
    ]


def _interval(wrong: int, count: int) -> tuple[float, float]:
    """Wilson's interval for a share, 95 %."""
    z = 1.96
    share, weight = wrong / count, 1 + z**2 / count
    middle = (share + z**2 / (2 * count)) / weight
    half = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2)) / weight
    return max(0.0, middle - half), middle + half
