"""Trays of dice that Blender rendered, for the net of `companion/vision/dice` to learn from; not for measuring.

    python -m calibration.blender.dice_lessons --blender blender/bin/python --rooms --pictures 400 --keep lessons

Each tray is rendered once and seen by two webcams. `docs/films.md` says what Blender needs; `python -m
calibration.dice_net.teach --rendered lessons` learns from what was kept.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from calibration.blender.dice import SHEET, Look, TrayFilm, a_look, die_of, goods_and_tray, seeing
from calibration.blender.film import Day
from calibration.blender.makes import stuff_of
from calibration.blender.rooms import any_light
from calibration.blender.scenes import Told
from calibration.blender.studio import Studio, parser_of
from calibration.blender.webcam import a_webcam
from calibration.dice_net.cast import many, shown_in
from calibration.dice_net.truth import Shown, keep
from calibration.evidence.dice_making import DiceCondition, by_markers
from calibration.evidence.dice_solids import Block
from calibration.evidence.lens import Floats
from companion.model import BadInput, DeviceError
from companion.vision.dice.seen import Tray
from companion.vision.dice.view import view_of

_REACHES = {400.0: (1280, 960), 220.0: (960, 720), 120.0: (640, 480)}
"""How much of the board is seen too, mm, and how large the picture is then: a die is 12 to 40 pixels wide."""
_WEBCAMS, _SAMPLES = 2, 10  # that see a tray; rays a pixel
_HARD = 0.15  # share of webcams that are poor ones in little light


def lesson(seed: int, number: int, studio: Studio) -> list[Shown]:
    """Tray `number` of the set `seed`, as webcams see it."""
    rng = np.random.default_rng([seed, number, 91])
    goods, tray = goods_and_tray(rng)
    dice = many(tray, DiceCondition(), -tray.drop, rng)
    looks = {body: any_look(rng) for body in sorted({die.make.body for die in dice})}
    told = [die_of(die, replace(looks[die.make.body], make=die.make)) for die in dice]
    reach = float(rng.choice(list(_REACHES)))
    across, down = _seen(tray, reach)
    camera, lit, shown = seeing(across, down, _REACHES[reach], rng), any_light(SHEET, studio.rooms, rng), []
    markers = [(x, y) for x in across for y in down]
    blocks = [_block(wall) for wall in goods.beside[1:]]  # the first is the floor
    for _ in range(_WEBCAMS):
        film = TrayFilm(goods, Day(camera, lit, a_webcam(lit.color, bool(rng.random() < _HARD), rng)), studio, rng)
        film.dice, film.tray, film.samples = told, tray, _SAMPLES
        view = view_of(film.frame(()), by_markers(camera, markers, rng), tray)
        shown.append(shown_in(view, tray.drop, dice, blocks, camera.eye, -tray.drop))
    return shown


def _block(wall: Told) -> Block:
    middle, half = np.array(wall["middle"]), np.array(wall["size"]) / 2
    return Block(middle - half, middle + half, np.zeros(3))


def _seen(tray: Tray, reach: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """How far across and down the table is seen, mm: the tray, and so much of the board beside it."""
    middle = tray.y + tray.height / 2
    across = (SHEET.width - reach, tray.x + tray.width + 8) if tray.x > 0 else (tray.x - 8, reach)
    first, last = max(0.0, middle - reach / 2), min(SHEET.height, middle + reach / 2)
    return across, (min(first, tray.y - 8), max(last, tray.y + tray.height + 8))


def any_look(rng: np.random.Generator) -> Look:
    """Dice of some shop, of pearl or of two stuffs mixed, which may let light through, or of any two colours."""
    look = a_look(bool(rng.random() < 0.25), rng)
    if rng.random() < 0.35:
        return look
    body, other, pips = (_any_color(rng) for _ in range(3))
    while abs(float(_seen_as(pips) - _seen_as(body))) < rng.uniform(0.08, 0.4):
        body, pips = _any_color(rng), _any_color(rng)
    surface: Told = {**look.surface, "color": body.tolist()}
    if rng.random() < 0.6:
        mixed = body + (other - body) * rng.uniform(0.2, 1.0)
        surface["texture"] = {"kind": "noise", "size": rng.uniform(1.5, 9), "color": mixed.tolist()}
    if rng.random() < 0.3:
        surface["clear"] = rng.uniform(0.1, 0.7)
    inked: Told = {"color": pips.tolist(), "roughness": rng.uniform(0.1, 0.7)}
    return replace(look, surface=surface, pips=inked, ace=inked if rng.random() < 0.85 else look.ace)


def _any_color(rng: np.random.Generator) -> Floats:
    """A colour, linear red, green, blue; often nearly white or black."""
    chance = rng.random()
    if chance < 0.25:
        return np.asarray(rng.uniform(0.45, 0.85) * rng.uniform(0.85, 1.0, 3))
    if chance < 0.45:
        return np.asarray(rng.uniform(0.012, 0.05) * rng.uniform(0.7, 1.3, 3))
    code = "#" + "".join(f"{int(level):02x}" for level in rng.uniform(0, 255, 3))
    return stuff_of(code, 0.3, rng)


def _seen_as(color: Floats) -> float:
    """How bright a colour looks, 0 to 1."""
    return float((color @ (0.3, 0.59, 0.11)) ** (1 / 2.2))


def main() -> None:
    """From the command line."""
    parser = parser_of(__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first tray")
    args = parser.parse_args()
    if args.pictures < 1 or args.keep is None:
        parser.error("--pictures: 1 or more, and --keep: a folder for what is to be learned from")
    args.keep.mkdir(parents=True, exist_ok=True)
    studio = Studio(args.blender, args.cache)
    try:
        studio.go_to(args.rooms)
        for number in range(args.first, args.first + args.pictures):
            for webcam, shown in enumerate(lesson(args.seed, number, studio)):
                keep(shown, args.keep / f"{args.seed}-{number:05}-{webcam}.npz")
    except (BadInput, DeviceError) as error:
        sys.exit(str(error))
    finally:
        studio.close()


if __name__ == "__main__":
    main()
