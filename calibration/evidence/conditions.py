"""The conditions under which boards are looked at, as one table: cameras, lenses, lights, boards and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Range = tuple[float, float]
"""From, to: drawn evenly for each picture."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Degrees, mm, pixels; see `lens.stand`, `table.Ground` and `sensor.Sensor` for what each means.

    view: the angle of the picture's width. fill: share of the picture that the board fills. aside: share of its width
    by which the camera's axis meets it beside its middle. lamp: how high its lamp stands (degrees) and how wide it is
    (mm); warmth: of the lamp, kelvin. sky: light from everywhere for one of the lamp. window: instead of a lamp.
    beside: a window beside the lamp, of so many kelvin, and what it gives for one of the lamp. sun: what the sun gives,
    through a window of its own, for one of the other light; 0, it does not shine. pages: mm by which the
    A4 pages lie off that the board was glued of; 0, of one piece. curl: mm by which its paper bends up from the table;
    0, it lies flat. pictures: so many are taken of the still table, of which the eyes read the mean, where they are
    noisy.
    """

    tilt: Range = (8, 30)
    turn: Range = (-12, 12)
    roll: Range = (-4, 4)
    view: Range = (52, 66)
    fill: Range = (0.82, 0.97)
    k1: Range = (-0.04, 0.02)
    k2: Range = (0.0, 0.0)
    aside: Range = (0.0, 0.0)
    size: tuple[int, int] = (1280, 960)
    lamp: Range = (50, 75)
    wide: Range = (60, 160)
    warmth: Range = (3800, 5200)
    sky: Range = (0.5, 0.9)
    window: bool = False
    beside: tuple[Range, Range] | None = None
    sun: Range = (0.0, 0.0)
    lacquer: Range = (0.0, 0.25)
    ridge: Range = (0.0, 0.0)
    exposure: Range = (0.85, 1.15)
    electrons: Range = (3500, 9000)
    blur: Range = (0.45, 0.7)
    shake: Range = (0.0, 0.4)
    quality: Range = (84, 95)
    arm: bool = False
    pages: Range = (0.0, 0.0)
    curl: Range = (0.0, 0.0)
    pictures: int = 1

    @property
    def of_paper(self) -> bool:
        """Whether it is one of printed boards alone."""
        return self.pages[1] > 0 or self.curl[1] > 0


CONDITIONS: Mapping[str, Condition] = {
    "overhead": Condition(tilt=(0, 8)),
    "desk": Condition(),
    "oblique": Condition(tilt=(40, 50)),
    "warm lamp": Condition(warmth=(2300, 2900), sky=(0.2, 0.45)),
    "cold LED": Condition(warmth=(6800, 9000), wide=(150, 300)),
    "hard low lamp": Condition(lamp=(22, 34), wide=(12, 30), sky=(0.15, 0.35)),
    "window": Condition(window=True, warmth=(5500, 7500), sky=(0.25, 0.5), lacquer=(0.0, 0.4)),
    "glare": Condition(lacquer=(0.7, 1.0), lamp=(55, 75), tilt=(15, 35)),
    "dim and noisy": Condition(exposure=(0.3, 0.5), electrons=(250, 600), warmth=(2600, 3400), blur=(0.6, 0.9)),
    "wide lens": Condition(view=(82, 92), k1=(-0.14, -0.09), k2=(0.01, 0.03), fill=(0.85, 0.95)),
    "small picture": Condition(size=(640, 480), quality=(70, 85)),
    "shaken": Condition(shake=(1.5, 3.5), blur=(0.6, 1.0)),
    "turned": Condition(turn=(-180, 180), roll=(-30, 30), fill=(0.85, 1.0)),
    "folded board": Condition(ridge=(-4.0, 6.0)),
    "arm": Condition(arm=True),
}

_WEAK = Condition(
    exposure=(0.3, 0.5), electrons=(200, 300), warmth=(2600, 3400), blur=(0.6, 0.9), size=(640, 480), fill=(0.6, 0.9)
)  # fmt: skip

APART: Mapping[str, Condition] = {
    "lamp and window": Condition(
        lamp=(30, 60), wide=(60, 200), warmth=(2500, 3200), sky=(0.15, 0.35), beside=((6000, 9000), (0.4, 1.0)),
        size=(800, 600),
    ),
    "sun": Condition(
        window=True, warmth=(5500, 8000), sky=(0.3, 0.6), lacquer=(0.0, 0.4), sun=(2.0, 8.0), exposure=(0.7, 3.0)
    ),
    "glued pages": Condition(pages=(0.5, 3.5)),
    "curled paper": Condition(curl=(2.0, 10.0), tilt=(8, 45)),
    "paper hardly unrolled": Condition(curl=(10.0, 25.0), tilt=(8, 45)),
    "axis aside": Condition(aside=(0.015, 0.035), fill=(0.75, 0.9), tilt=(4, 45), view=(52, 82)),
    "weak lamp": _WEAK,
    "weak lamp, six pictures": replace(_WEAK, pictures=6),
}  # fmt: skip
"""Those that are only looked at by name: so the sets of which the others were measured stay as they are."""
BY_NAME: Mapping[str, Condition] = {**CONDITIONS, **APART}
