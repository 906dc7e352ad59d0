"""What webcams and light do to a picture, one ill after another: how well drawn boards are still read.

    python -m calibration.evidence.ills --boards 2 --seed 300
    python -m calibration.evidence.ills --boards 6 --seed 7100 --pairs 10
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.games.catalogue import GAMES
from companion.model import BoardSeen, Content, Sheet
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Scene, look, make_scene
from companion.vision.view.pose import Frame
from companion.vision.view.surface import GAMMA, linear

Image = npt.NDArray[np.floating]
Ill = Callable[[Frame, random.Random], Frame]

PIECES = 14
SURE = 0.97


def _rounded(image: Image) -> Frame:
    return np.asarray(np.round(image).clip(0, 255), np.uint8)


def _shown(light: Image) -> Frame:
    """Linear light as the camera shows it."""
    return _rounded(255 * light.clip(0, 1) ** (1 / GAMMA))


def _grain(frame: Frame, rng: random.Random, size: float) -> Image:
    return np.random.default_rng(rng.randrange(10**6)).normal(0, size, frame.shape)


def _grid(frame: Frame) -> tuple[Image, Image]:
    """x and y of each pixel, 0 to 1."""
    rows, cols = frame.shape[:2]
    return np.linspace(0, 1, cols)[None].repeat(rows, 0), np.linspace(0, 1, rows)[:, None].repeat(cols, 1)


def dark_corners(frame: Frame, rng: random.Random) -> Frame:
    x, y = _grid(frame)
    away = (2 * x - 1) ** 2 + (2 * y - 1) ** 2
    return _rounded(frame * (1 - rng.uniform(0.15, 0.28) * away)[..., None])


def halos(frame: Frame, rng: random.Random) -> Frame:
    soft = cv2.GaussianBlur(frame, (0, 0), rng.uniform(1.5, 3)).astype(float)
    return _rounded(frame + rng.uniform(1, 2.5) * (frame - soft))


def jpeg(frame: Frame, rng: random.Random) -> Frame:
    data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(10, 25)])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def smoothed_noise(frame: Frame, rng: random.Random) -> Frame:
    return np.asarray(cv2.bilateralFilter(_rounded(frame + _grain(frame, rng, 12)), 9, 45, 7), np.uint8)


def _saturated(frame: Frame, times: float) -> Frame:
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)[..., None].astype(float)
    return _rounded(grey + times * (frame - grey))


def pale(frame: Frame, rng: random.Random) -> Frame:
    return _saturated(frame, rng.uniform(0.35, 0.6))


def vivid(frame: Frame, rng: random.Random) -> Frame:
    return _saturated(frame, rng.uniform(1.4, 1.9))


def steep_tones(frame: Frame, rng: random.Random) -> Frame:
    steep = rng.uniform(5, 9)
    low, high = 1 / (1 + np.exp(steep / 2)), 1 / (1 + np.exp(-steep / 2))
    return _rounded(255 * (1 / (1 + np.exp(-steep * (frame / 255 - 0.5))) - low) / (high - low))


def flat_tones(frame: Frame, rng: random.Random) -> Frame:
    return _rounded(rng.uniform(45, 65) + 0.55 * frame)


def local_contrast(frame: Frame, rng: random.Random) -> Frame:
    lab = cv2.cvtColor(frame, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(rng.uniform(2, 4), (8, 8)).apply(np.ascontiguousarray(lab[..., 0]))
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def shaken(frame: Frame, rng: random.Random) -> Frame:
    size = rng.randint(4, 9)
    way = np.zeros((size, size), np.uint8)
    cv2.line(way, (0, rng.randrange(size)), (size - 1, rng.randrange(size)), 1)
    return np.asarray(cv2.filter2D(frame, -1, way / float(way.sum())), np.uint8)


def half_out_of_focus(frame: Frame, rng: random.Random) -> Frame:
    soft, (x, _) = cv2.GaussianBlur(frame, (0, 0), rng.uniform(2, 3.5)), _grid(frame)
    share = (x if rng.random() < 0.5 else 1 - x)[..., None]
    return _rounded(frame * (1 - share) + soft * share)


def mains_bands(frame: Frame, rng: random.Random) -> Frame:
    _, y = _grid(frame)
    wave = np.sin(2 * np.pi * (rng.uniform(2, 6) * y + rng.random()))
    return _rounded(frame * (1 + rng.uniform(0.06, 0.15) * wave)[..., None])


def shifted_lines(frame: Frame, rng: random.Random) -> Frame:
    result = frame.copy()
    result[1::2] = np.roll(frame, rng.choice((-2, 2)), axis=1)[1::2]
    return result


def coarse_colours(frame: Frame, rng: random.Random) -> Frame:
    parts, (rows, cols) = cv2.cvtColor(frame, cv2.COLOR_BGR2YCrCb), frame.shape[:2]
    small = cv2.resize(parts[..., 1:], (cols // 6, rows // 6), interpolation=cv2.INTER_AREA)
    parts[..., 1:] = np.roll(cv2.resize(small, (cols, rows)), rng.choice((-3, 3)), axis=1)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def wrong_white(frame: Frame, rng: random.Random) -> Frame:
    return _rounded(frame * np.array([rng.uniform(0.6, 1.3), rng.uniform(0.7, 1.0), rng.uniform(0.9, 1.5)]))


def dark(frame: Frame, rng: random.Random) -> Frame:
    return _shown(linear(frame) * rng.uniform(0.03, 0.09) + _grain(frame, rng, 0.8) / 255)


def too_bright(frame: Frame, rng: random.Random) -> Frame:
    return _shown(linear(frame) * rng.uniform(1.6, 2.6))


def bars(frame: Frame, rng: random.Random) -> Frame:
    (x, y), turn = _grid(frame), rng.uniform(0, np.pi)
    along = x * frame.shape[1] * np.cos(turn) + y * frame.shape[0] * np.sin(turn)
    shade = (np.sin(along / rng.uniform(30, 80)) > 0).astype(np.float32)
    soft = cv2.GaussianBlur(shade, (0, 0), rng.uniform(1, 8))
    return _shown(linear(frame) * (1 - rng.uniform(0.4, 0.7) * soft)[..., None])


def window(frame: Frame, rng: random.Random) -> Frame:
    rows, cols = frame.shape[:2]
    panes, size = np.zeros((rows, cols), np.float32), rng.randint(60, 140)
    left, top = rng.randint(cols // 4, 3 * cols // 4), rng.randint(rows // 4, 3 * rows // 4)
    for across in (0, size):
        for down in (0, size):
            corner = left + across, top + down
            cv2.rectangle(panes, corner, (corner[0] + int(0.85 * size), corner[1] + int(0.85 * size)), 1, -1)
    soft = cv2.GaussianBlur(panes, (0, 0), rng.uniform(2, 8))[..., None]
    return _shown(linear(frame) + rng.uniform(0.08, 0.35) * soft * np.array([1, 0.95, 0.85]))


def veil(frame: Frame, rng: random.Random) -> Frame:
    return _shown(0.7 * linear(frame) + rng.uniform(0.05, 0.15))


def lamp(frame: Frame, rng: random.Random) -> Frame:
    """White light over a patch, as much as white paper gives or twice so: over pieces too, as a lens scatters it."""
    (x, y), (rows, cols) = _grid(frame), frame.shape[:2]
    away = np.hypot((x - rng.uniform(0.25, 0.75)) * cols, (y - rng.uniform(0.25, 0.75)) * rows)
    return _shown(linear(frame) + (rng.uniform(0.3, 2) * np.exp(-((away / rng.uniform(25, 90)) ** 2) / 2))[..., None])


def two_lights(frame: Frame, rng: random.Random) -> Frame:
    x = _grid(frame)[0][..., None]
    warm, blue = np.array([rng.uniform(0.65, 0.8), 0.95, 1.3]), np.array([1.35, 1.0, rng.uniform(0.7, 0.85)])
    return _shown(linear(frame) * (warm * (1 - x) + blue * x))


ILLS: tuple[Ill, ...] = (
    dark_corners, halos, jpeg, smoothed_noise, pale, vivid, steep_tones, flat_tones, local_contrast, shaken,
    half_out_of_focus, mains_bands, shifted_lines, coarse_colours, wrong_white, dark, too_bright, bars, window, veil,
    lamp, two_lights,
)  # fmt: skip


@dataclass(slots=True)
class Count:
    """How the spaces of some pictures were read that are not covered; and how many boards were not found."""

    read: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    covered: int = 0
    lost: int = 0

    @classmethod
    def of(cls, frame: Frame, scene: Scene, truth: dict[str, Content]) -> Count:
        """The count of one picture."""
        sighting, _ = look(frame, scene)
        if not isinstance(sighting, BoardSeen):
            return cls(lost=1)
        count = cls()
        for name, content in truth.items():
            seen = sighting.spaces[name]
            if seen.covered:
                count.covered += 1
                continue
            right, sure = seen.content == content, seen.confidence > SURE
            count.read += 1
            count.right += right
            count.sure += right and sure
            count.wrong += sure and not right
        return count

    def add(self, other: Count) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def line(self, name: str) -> str:
        told = f"{name:18}{self.read:7}{self.right:7}{self.sure:7}{self.wrong:7}"
        return f"{told}{self.covered:9}{self.lost:6}"


def board(sheet: Sheet, texture: Frame, rng: random.Random) -> tuple[Frame, dict[str, Content]]:
    """A drawn board with pieces of any seat on some small spaces, up to some mm off their middle; and what is there."""
    seats = sorted(sheet.colors)
    names = [name for name, space in sheet.spaces.items() if not space.is_area]
    stood = {name: rng.choice(seats) for name in rng.sample(names, PIECES)}
    at = {name: (sheet.spaces[name].x + rng.gauss(0, 1.5), sheet.spaces[name].y + rng.gauss(0, 1.5)) for name in stood}
    view = View(tilt=rng.uniform(2, 40), noise=1.5, brightness=rng.uniform(0.6, 1)).fitted(sheet)
    painter = Painter(sheet, texture, view, np.random.default_rng(rng.randrange(10**6)))
    frame = painter.paint([Pawn(seat, name, at[name]) for name, seat in stood.items()])
    return frame, {name: (stood[name],) if name in stood else () for name in names}


def measured(
    boards: int, seed: int, games: Iterable[str] = GAMES, ills: Sequence[Ill] = ILLS, pairs: int = 0
) -> Iterator[str]:
    """The table, a line for each ill and one for all: so many drawn boards of each game, each put through all ills; or
    through so many pairs of them, drawn by chance, the second upon the first: such a picture counts for both."""
    counts, whole = {ill: Count() for ill in ills}, Count()
    for game in games:
        sheet, texture, _ = printed_board(game)
        scene = make_scene(sheet, texture)
        for number in range(seed, seed + boards):
            rng = random.Random(f"{game} {number}")
            frame, truth = board(sheet, texture, rng)
            for some in [rng.sample(ills, 2) for _ in range(pairs)] or [[ill] for ill in ills]:
                count = Count.of(reduce(lambda spoiled, ill: ill(spoiled, rng), some, frame), scene, truth)
                for line in (whole, *(counts[ill] for ill in some)):
                    line.add(count)
    yield f"{'':18}{'read':>7}{'right':>7}{'sure':>7}{'wrong':>7}{'covered':>9}{'lost':>6}"
    yield from (count.line(ill.__name__.replace("_", " ")) for ill, count in counts.items())
    yield whole.line("all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=2, help="drawn boards of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=0, help="two ills at once: so many pairs a board, by chance")
    arguments = parser.parse_args()
    for line in measured(arguments.boards, arguments.seed, pairs=arguments.pairs):
        print(line)


if __name__ == "__main__":
    main()
