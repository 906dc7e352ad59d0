"""A soak of eyes and referee together: pretend players, filmed by Blender, on printed boards or on shop boards.

The players, and what is counted, are those of `film_soak.py`; the pictures are no code of this project's. Blender needs
a Python of its own (docs/films.md). What is rendered is kept in the cache, so that the same game, judged by other eyes,
goes fast as long as the players do the same:

    python tests/referee/blender_soak.py --blender blender/bin/python --cache films --of parcheesi --seed 5
    python tests/referee/blender_soak.py --blender blender/bin/python --cache films --of gloria --shop --seed 6
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from film_soak import Filmer, chosen, parser_of, play
from soak import report

from calibration.blender.film import BlenderFilm, a_day
from calibration.blender.leaning import heads
from calibration.blender.pushed import PushedFilm
from calibration.blender.restless import KINDS, RestlessFilm
from calibration.blender.scenes import printed_goods
from calibration.blender.shops import owned, shop_goods
from calibration.blender.studio import Studio, add_rooms
from calibration.blender.switched import SwitchedFilm
from calibration.blender.thrown import ThrownFilm
from calibration.evidence.making import printed
from companion.games.contract import Game
from companion.model import BadInput, ImageError
from companion.service.boards.configured import board_options
from companion.vision import Scene, make_scene


def on_paper(game: Game[Any], seed: int, hard: bool, studio: Studio) -> tuple[BlenderFilm, Scene]:
    """One of our own boards, and what the eyes know of it."""
    rng = np.random.default_rng([seed, 88])
    sheet, texture = printed(game.name, tuple(board_options(game).items()))
    goods = printed_goods(sheet, texture, rng)
    return BlenderFilm(goods, a_day(sheet, hard, rng, rooms=studio.rooms), studio, rng), make_scene(sheet, texture)


def from_a_shop(game: Game[Any], seed: int, hard: bool, studio: Studio, keep: Path | None) -> tuple[BlenderFilm, Scene]:
    """A board that its owner has shown, on another day. Raises BadInput and ImageError where it cannot be shown."""
    rng = np.random.default_rng([seed, 99])
    options = dict(board_options(game))
    seats = game.seats if game.stacks else tuple(sorted(printed(game.name, tuple(options.items()))[0].colors))
    style, goods = shop_goods(game.name, options, seats, rng)
    own = owned(goods, style, hard, studio, rng)
    if keep is not None:
        for name, picture in (("empty", own.shown.photo), ("set-up", own.shown.set_up)):
            cv2.imwrite(str(keep / f"{game.name}-{seed}-{name}.jpg"), picture)
    assert own.shown.scene is not None
    print(f"a {style} board of another maker, shown with {own.shown.taps} taps, {own.shown.dragged} dragged")
    day = a_day(goods.sheet, hard, rng, own.lens, own.webcam, studio.rooms)
    return BlenderFilm(goods, day, studio, rng), own.shown.scene


def main() -> None:
    """From the command line."""
    parser = parser_of(__doc__, turns=8)
    parser.add_argument("--blender", required=True, metavar="PYTHON", help="a Python that has bpy")
    parser.add_argument("--cache", type=Path, help="a folder for what was rendered")
    parser.add_argument("--shop", action="store_true", help="a board of another maker, shown by its owner")
    parser.add_argument("--hard", action="store_true", help="640 × 480, dim and noisy, not 800 × 600")
    parser.add_argument("--leaning", action="store_true", help="heads cast their shadows on the board")
    changing = parser.add_mutually_exclusive_group()
    changing.add_argument("--switched", action="store_true", help="now and then the light is another, at once")
    changing.add_argument("--thrown", action="store_true", help="dice are thrown on the board itself")
    changing.add_argument("--pushed", action="store_true", help="now and then the board is pushed, or turned")
    parser.add_argument("--restless", choices=sorted(KINDS), help="the webcam does more than to take the picture")
    parser.add_argument("--flicker", type=float, default=0.0, metavar="SHARE", help="of the light, in a lamp's cycle")
    add_rooms(parser)
    args = parser.parse_args()
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
    game, studio = chosen(args.of, args.seed, args.seats, dict(args.option)), Studio(args.blender, args.cache)
    try:
        studio.go_to(args.rooms)
        film, scene = (
            from_a_shop(game, args.seed, args.hard, studio, args.keep)
            if args.shop
            else on_paper(game, args.seed, args.hard, studio)
        )
        film.day = replace(film.day, webcam=replace(film.day.webcam, flicker=args.flicker))
        if args.leaning:
            film.day = replace(film.day, heads=heads(film.sheet, film.day.lit, np.random.default_rng([args.seed, 111])))
        filmed: Filmer = film
        if args.switched:
            filmed = SwitchedFilm(film, np.random.default_rng([args.seed, 122]))
        elif args.thrown:
            filmed = ThrownFilm(film, np.random.default_rng([args.seed, 155]))
        elif args.pushed:
            filmed = PushedFilm(film, np.random.default_rng([args.seed, 133]))
        shown = filmed
        if args.restless is not None:
            shown = RestlessFilm(filmed, args.restless, np.random.default_rng([args.seed, 144]))
        result = play(game, shown, scene, args.seed, args.turns, args.cheat, args.whims, args.keep)
    except (BadInput, ImageError) as error:
        sys.exit(f"{args.of} {args.seed}: {error}")
    finally:
        studio.close()
    sys.stdout.write(f"{report(result, args.log)}\nrendered: {studio.made}\n")
    if isinstance(filmed, PushedFilm):
        sys.stdout.write(f"pushed: {filmed.pushes}\n")
    if isinstance(filmed, ThrownFilm):
        sys.stdout.write(f"thrown on the board: {filmed.throws}\n")


if __name__ == "__main__":
    main()
