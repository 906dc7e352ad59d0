"""The health check before play: can this camera, in this light, see this board? A score, plain advice, and where.

Each question is a pure function of the picture and the camera's pose, with limits in the units that people can
change: pixels, degrees, shares of a space.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mixed_up import TOLD, apart
from companion.model import BoardLost, Markers, Sheet
from companion.model.setup import Finding
from companion.vision import Memory, Scene, health, look
from companion.vision.board.body import profile
from companion.vision.board.standing import crowded
from companion.vision.finding.by_markers import NOT_AS_PRINTED
from companion.vision.finding.markers import find_markers
from companion.vision.finding.patches import TOO_BRIGHT, UNLIKE
from companion.vision.finding.registration import PUT_WHOLE, register
from companion.vision.finding.settling import EITHER_WAY, MIRRORED, NOT_FOUND, TURN_HIDDEN, TWO_BOARDS
from companion.vision.finding.shown import Shown
from companion.vision.finding.swapped import SWAPPED, SWAPPED_OR_PHOTO
from companion.vision.finding.unfound import DARKEST, TINY, TOO_LOW, TOO_SMALL, brightness, light_parts
from companion.vision.light.washed import burnt_out
from companion.vision.view.pose import Flat, Floats, Frame, Pose, flat_maps, flatten
from companion.vision.view.scene import FINE_PER_MM

SCALE = FINE_PER_MM
"""Pixels per mm of the view straight down that is examined: that of the empty board, which it is held against."""
GOOD, POOR = 1.0, 0.0
_AMPLE = 18  # pixels across a piece: more help no further
_BLURRED, _SHARP = 0.12 / SCALE, 0.52 / SCALE
"""How strong edges are, against those of the board's own picture, which has finer ones the larger it is."""
_USUAL, _PALE = 0.75, 0.6
"""How much of the contrast of the board's own picture cameras show of a good print; and of that, if it is not pale."""
_PRINT = 4.0  # mm over which contrast is measured: no blur in which a board is found takes much of that away
_BRIGHTER = 1.25  # times as bright, in levels of the picture, as the board is on the whole: a lamp is mirrored there
_LIGHT = 20.0  # mm over which the light on the board hardly changes
_SLIGHT, _ROLLED = 4.0, 30.0  # mm by which a board may rise, and by which it is as good as rolled up
_SELF_EVIDENT = (MIRRORED, SWAPPED, SWAPPED_OR_PHOTO, TWO_BOARDS, EITHER_WAY, TOO_BRIGHT, TOO_SMALL, TOO_LOW)
_MUCH = 0.2  # share of a board of which two colours are burnt out
_BY_ANOTHER = 0.6  # it may be played with such a photo, or such a pale print
_ANOTHERS = 0.2  # with such a lens hardly
_FOCUS = "Focus the lens, wipe it, and give it more light so that nothing blurs."
_PALE_PRINT = (
    "Wipe the lens, and move lamps that are mirrored in the board. If it was printed with little ink: "
    "print it anew, then more is read surely."
)
_SHOW_IT = "If you can see it in the picture, show where it lies: tap its corners, or give --corner."
_BACK = "move the camera back, or turn it."
_OTHERS, _BESIDE = 2.0, 0.2 / 1280
"""Times, and shares of the picture's width: by so much more a board lies off through another camera's lens than through
none; through its own, measured to 0.03 %, on 20 drawn boards, some of them bent, at most by 0.2 pixels more."""
_MEASURE = "Measure the lens of the camera that watches (companion calibrate lens), or leave lens out of [camera]."
_CUT = 0.1  # share of a piece beyond the picture, if it is cut off there: then it may be the tip of a finger
_SHOWN, _LIT = 0.7, "With more light the camera finds it by itself, and reads it better."


@dataclass(frozen=True, slots=True)
class Health:
    """All findings. score: 0 to 100; a chain is as strong as its weakest link, so the worst finding counts most."""

    findings: tuple[Finding, ...]

    @property
    def score(self) -> int:
        """The mean of the worst finding and of all."""
        scores = [finding.score for finding in self.findings]
        return round(50 * (min(scores) + sum(scores) / len(scores)))

    @property
    def playable(self) -> bool:
        """Whether nothing is so bad that a game cannot be watched."""
        return all(finding.score > POOR for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Ready for json.dump."""
        rows = [
            {"name": f.name, "score": round(f.score, 2), "text": f.text, "advice": f.advice, "spaces": list(f.spaces)}
            for f in self.findings
        ]
        return {"score": self.score, "playable": self.playable, "findings": rows}


def check(frame: Frame, scene: Scene, shown: Shown | None = None) -> tuple[Health, Pose | None]:
    """Examine one picture of the board, uint8 BGR, empty or set up. shown: where somebody showed it to lie. pose: where
    the camera stands, if it was found."""
    ill = health(frame)
    if ill is not None:
        return Health((Finding("picture", POOR, ill, "Mend the camera first."),)), None
    pose = register(frame, scene, None, shown)
    lens = _lens(frame, scene, pose, shown)
    if isinstance(pose, str) and lens:
        return Health(lens), None
    if isinstance(pose, str):
        reason, _, more = (part.strip() for part in pose.partition(PUT_WHOLE))
        return Health((Finding("board", POOR, reason, f"{_way_out(reason, scene.sheet)} {more}".strip()),)), None
    flat = _seen(frame, scene, pose)
    inside, sharp = _inside(pose, scene.sheet), _sharpness(flat, scene)
    questions = (
        _found(frame, scene, pose, shown, blurred=sharp.score < GOOD),
        inside,
        _size(pose, scene.sheet),
        _tilt(pose, scene.sheet),
        sharp,
        _exposure(flat, scene),
        _glare(flat, scene),
        _evenness(flat, scene),
        _colors(scene.sheet),
        _covered(frame, scene, shown, inside.spaces),
    )
    other, bent = other_size(frame, scene), _flatness(pose)
    return Health((*questions, *lens, *bent, *((Finding("photo", _BY_ANOTHER, *other),) if other else ()))), pose


def other_size(frame: Frame, scene: Scene) -> tuple[str, str] | None:
    """What is wrong and what to do where a picture is not as large as the photo of the empty board: then it is mostly
    another camera's, with other colours."""
    if scene.photo is None or scene.photo.shape == frame.shape:
        return None
    there, here = (f"{image.shape[1]}×{image.shape[0]}" for image in (scene.photo, frame))
    text = f"The photo of the empty board has {there} pixels, this picture has {here}: are they of one camera?"
    return text, "Take that photo with the camera that watches: others show other colours, and more is read wrong."


def _seen(frame: Frame, scene: Scene, pose: Pose) -> Frame:
    """The board from straight above, uint8 BGR; what lies beyond the picture as it would look: nothing is said of it
    but that it is out of the picture.
    """
    maps = flat_maps(pose, scene.sheet.width, scene.sheet.height, SCALE)
    flat, (width, height) = flatten(frame, maps), pose.size
    beyond = (maps[0] < 0) | (maps[1] < 0) | (maps[0] > width - 1) | (maps[1] > height - 1)
    if beyond.all() or not beyond.any():
        return flat
    light = np.median((flat[~beyond] + 4.0) / (scene.empty[~beyond] + 4.0), axis=0)
    flat[beyond] = np.clip(scene.empty[beyond] * light, 0, 255).astype(np.uint8)
    return flat


def _way_out(reason: str, sheet: Sheet) -> str:
    """What to do where the board is not found; "" where the reason says it."""
    if reason == TURN_HIDDEN:
        return _SHOW_IT
    if reason in _SELF_EVIDENT:
        return ""
    if sheet.markers is None:
        way = "Put the whole board into the picture, flat, lit as on its photo; or show it again: a board of your own."
        return f"{way} {_SHOW_IT}" if reason.startswith(NOT_FOUND) else way
    way = "Put the whole board into the picture, flat, with its corner markers free and in the light."
    if reason.startswith((UNLIKE, NOT_AS_PRINTED)):
        way = "Put the board of this game on the table, or set [game] and [sheet] to what is played."
    return f"{way} A board that Companion did not print is shown once, as a board of your own (docs/own-boards.md)."


def _grade(value: float, poor: float, good: float) -> float:
    """0 at `poor` or worse, 1 at `good` or better, straight between."""
    return float(np.clip((value - poor) / (good - poor), 0, 1))


def _found(frame: Frame, scene: Scene, pose: Pose, shown: Shown | None, *, blurred: bool) -> Finding:
    """blurred: whether markers may be too blurred to be seen, though the board is found by its print; where they are
    not, it may be another one that is printed alike."""
    if shown is not None and pose is shown.pose:
        return Finding("board", _SHOWN, "The board lies where somebody showed it to lie.", _LIT)
    if scene.sheet.markers is None:
        text = f"The board was found by its picture, {pose.error:.1f} pixels off on average."
        advice = "" if pose.error <= 1.5 else "A photo of the empty board from this place helps."
        return Finding("board", _grade(pose.error, 4, 1.5), text, advice)
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    seen, all_ = len(find_markers(grey, scene)), len(scene.sheet.markers.centers)
    cut = 0 if seen == all_ else len(_out_of_sight(pose, scene.sheet.markers))
    beyond = f"{cut} corner marker{'s lie' if cut > 1 else ' lies'} out of the picture, or half out: {_BACK}"
    free = "Free the corner markers, or show them lit and sharp: each one that is not seen costs accuracy."
    told = filter(None, (beyond if cut else "", free if seen + cut < all_ else ""))
    score = max(0.1, seen / all_) if blurred else seen / all_
    return Finding("board", score, f"{seen} of {all_} markers are seen.", " ".join(told))


def _out_of_sight(pose: Pose, markers: Markers) -> list[int]:
    """The markers of which a part lies beyond the picture."""
    half = markers.size / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return [number for number, at in markers.centers.items() if _beyond(pose, pose.project(half + at))]


def _beyond(pose: Pose, pixels: Floats) -> bool:
    """Whether one of these places lies beyond the picture."""
    width, height = pose.size
    return bool((pixels < 0).any() or (pixels > (width - 1, height - 1)).any())


def _inside(pose: Pose, sheet: Sheet) -> Finding:
    outside = tuple(name for name, ring in _rings(pose, sheet) if _beyond(pose, ring))
    cut = tuple(name for name, share in _cut(pose, sheet) if share > _CUT and name not in outside)
    if outside:
        text = f"{_count(outside, 'space')} out of the picture."
        return Finding("frame", POOR, text, _BACK.capitalize(), (*outside, *cut))
    if cut:
        text = f"The picture's edge cuts off what stands on {len(cut)} space{'s' if len(cut) > 1 else ''}."
        return Finding("frame", _grade(len(cut) / len(sheet.spaces), 0.3, 0.0), text, _BACK.capitalize(), cut)
    corners = [(0.0, 0.0), (sheet.width, 0.0), (sheet.width, sheet.height), (0.0, sheet.height)]
    whole = not _beyond(pose, pose.project(corners))
    return Finding("frame", GOOD, f"{'The whole board is' if whole else 'All spaces are'} in the picture.")


def _cut(pose: Pose, sheet: Sheet) -> Iterator[tuple[str, float]]:
    """The share of a piece in the middle of each space that lies beyond the picture: it stands up from the board."""
    turn = np.arange(4) * np.pi / 2
    body = np.array([(r * np.cos(a), r * np.sin(a), h) for h, r in profile(sheet.piece).tolist() for a in turn])
    for space in sheet.spaces.values():
        pixels = pose.project(np.add(body, (space.x, space.y, 0.0)))
        yield space.name, float(((pixels < 0) | (pixels > np.array(pose.size) - 1)).any(axis=1).mean())


def _lens(frame: Frame, scene: Scene, pose: Pose | str, shown: Shown | None) -> tuple[Finding, ...]:
    """That the measured lens is not this camera's: without it the board is found, or found better. Nothing is said of
    others."""
    free = None if scene.lens is None else register(frame, replace(scene, lens=None), None, shown)
    if scene.lens is None or not isinstance(free, Pose):
        return ()
    if isinstance(pose, str):
        fits = scene.lens.fits(free.size)
        text = "Through the lens that was measured the board is not found, and without it, it is." if fits else pose
        return (Finding("lens", POOR, text, _MEASURE),)
    if pose.error <= _OTHERS * free.error + _BESIDE * free.size[0]:
        return ()
    off = f"{pose.error:.1f} pixels off on average, and without it {free.error:.1f}"
    return (Finding("lens", _ANOTHERS, f"Through the lens that was measured the board lies {off}.", _MEASURE),)


def _flatness(pose: Pose) -> tuple[Finding, ...]:
    """How far a board rises that does not lie flat; nothing is said of others."""
    if pose.bend is None:
        return ()
    up = pose.bend.rise
    text = f"The board does not lie flat: parts of it rise by about {up:.0f} mm."
    advice = "Weigh it down for a night, or glue it on card: pieces slide, and those beside a rise are seen less well."
    return (Finding("flatness", max(0.1, _grade(up, _ROLLED, _SLIGHT)), text, advice),)  # it is read all the same


def _rings(pose: Pose, sheet: Sheet) -> Iterator[tuple[str, Floats]]:
    """The edge of each space in the picture, pixels (16, 2)."""
    turn = np.linspace(0, 2 * np.pi, 17)[:-1]
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    for space in sheet.spaces.values():
        yield space.name, pose.project(circle * space.radius + (space.x, space.y))


def _size(pose: Pose, sheet: Sheet) -> Finding:
    """How many pixels wide the piece is that stands farthest from the camera."""
    half = np.array([sheet.piece.diameter / 2, 0.0])
    middles = np.array([(s.x, s.y) for s in sheet.spaces.values()])
    across = pose.project(middles + half) - pose.project(middles - half)
    least = round(float(np.linalg.norm(across, axis=1).min()))
    text = f"The farthest {sheet.piece.kind} is {least} pixels wide."
    advice = "" if least >= _AMPLE else "Bring the camera nearer, or let it send larger pictures."
    return Finding("size", _grade(least, TINY, _AMPLE), text, advice)


def _tilt(pose: Pose, sheet: Sheet) -> Finding:
    """How far from straight above the camera looks; stacks of discs hide more than pawns do."""
    x, y, height = pose.eye
    aside = np.hypot(x - sheet.width / 2, y - sheet.height / 2)
    degrees = float(np.degrees(np.arctan2(aside, height)))
    most = 35.0 if sheet.stacks else 50.0
    text = f"The camera looks {degrees:.0f}° aside of straight down."
    advice = "" if degrees <= most - 10 else f"Put it higher above the board: below {most - 10:.0f}° nothing hides."
    return Finding("angle", max(0.1, _grade(degrees, most + 15, most - 10)), text, advice)


def _sharpness(flat: Frame, scene: Scene) -> Finding:
    """Edges of the picture, its light evened out, against those of the board's own picture, both at the same size: if
    they are weak because all that is printed is pale, no focus mends that."""
    even = _evened(flat, scene.empty)
    share = _edges(even) / max(_edges(scene.empty), 1e-6)
    text = f"Lines are {_percent(min(share, 1))} as sharp as on the board itself"
    if share > _SHARP:
        return Finding("sharpness", GOOD, f"{text}.")
    contrast = _contrast(even, scene.empty)
    if contrast < _PALE and share > _SHARP * contrast:
        return Finding("sharpness", _BY_ANOTHER, f"{text}, but all that is printed is pale.", _PALE_PRINT)
    return Finding("sharpness", _grade(share, _BLURRED, _SHARP), f"{text}.", _FOCUS)


def _contrast(even: Frame, empty: Frame) -> float:
    """How much of a good print's contrast is seen, in most parts of the board, which are too wide to be blurred away;
    pieces hide some. even: see `_evened`."""
    seen, usual = (_parts(picture) for picture in (even, empty))
    strong = np.abs(usual) > np.percentile(np.abs(usual), 75)
    return float(np.median(seen[strong] / usual[strong])) / _USUAL if strong.any() else 1.0


def _parts(picture: Frame) -> Flat:
    """How much brighter each part of a picture is than what lies round about, grey levels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    near, far = (cv2.GaussianBlur(grey, (0, 0), wide * SCALE) for wide in (_PRINT, _LIGHT))
    return np.asarray(near - far, np.float32)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _evened(flat: Frame, empty: Frame) -> Frame:
    """The picture in the light of the board's own: a low lamp makes contrasts that are no lines."""
    wide = _LIGHT * SCALE
    seen, usual = (cv2.GaussianBlur(picture, (0, 0), wide).astype(np.float32) + 4 for picture in (flat, empty))
    return np.asarray(np.clip(flat * (usual / seen), 0, 255), np.uint8)


def _edges(picture: Frame) -> float:
    """How steep the steepest twentieth of a picture is, grey levels a pixel."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return float(np.percentile(slope, 95))


def _exposure(flat: Frame, scene: Scene) -> Finding:
    """How bright the board is, in itself, and against good light: a dark board is held to its photo."""
    bright, share = light_parts(flat), brightness(flat, scene)
    text = f"The light parts of the board are at {bright / 2.55:.0f} % of full brightness."
    burnt = float(burnt_out(flat).mean())
    if bright > 252 or burnt > _MUCH:
        return Finding("exposure", 0.4, text, "Too bright: turn the lamp away, or the camera's exposure down.")
    advice = "" if share > 0.46 else "Too dark: more light, or a longer exposure."
    return Finding("exposure", _grade(share, DARKEST, 0.46), text, advice)


def _glare(flat: Frame, scene: Scene) -> Finding:
    """Spaces of which a part is burnt out, but for white ones on a picture that burns out all paper; or in two channels
    alone, where it is much brighter than the board is elsewhere: what is yellow never burns out in blue."""
    paper = float(np.percentile(flat.min(axis=2), 90))
    burnt = (flat.min(axis=2) >= 250) & ((scene.empty.min(axis=2) < 245) | (paper < 240))
    ratio = (flat.astype(np.float32).sum(axis=2) + 8) / (scene.empty.astype(np.float32).sum(axis=2) + 8)
    burnt |= burnt_out(flat) & (ratio > _BRIGHTER * np.median(ratio))
    spaces = tuple(name for name, share in _shares(burnt, scene.sheet) if share > 0.15)
    text = "No space is burnt out by glare." if not spaces else f"{_count(spaces, 'space')} burnt out by glare."
    advice = "" if not spaces else "Move the lamp or the camera until the shine is gone."
    return Finding("glare", _grade(len(spaces) / len(scene.sheet.spaces), 0.2, 0.0), text, advice, spaces)


def _shares(mask: npt.NDArray[np.bool_], sheet: Sheet) -> Iterator[tuple[str, float]]:
    """The share of each space on which `mask` (rows, cols), SCALE pixels a mm, is true."""
    for space in sheet.spaces.values():
        x, y, r = (round(v * SCALE) for v in (space.x, space.y, space.radius))
        part = mask[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1]
        yield space.name, float(part.mean()) if part.size else 0.0


def _evenness(flat: Frame, scene: Scene) -> Finding:
    """The light on the darkest ninth of the board against that on the brightest, what is printed there taken out."""
    ratio = (flat.astype(np.float32).sum(axis=2) + 8) / (scene.empty.astype(np.float32).sum(axis=2) + 8)
    rows, cols = (np.linspace(0, size, 4).astype(int) for size in ratio.shape)
    parts = [
        float(np.median(ratio[a:b, c:d]))
        for a, b in pairwise(rows)
        for c, d in pairwise(cols)
    ]
    share = min(parts) / max(parts)
    advice = "" if share > 0.6 else "Light the board from two sides, or from farther away."
    text = f"The darkest part gets {_percent(share)} of the light."
    return Finding("evenness", _grade(share, 0.15, 0.6), text, advice)


def _colors(sheet: Sheet) -> Finding:
    """The two colours of pieces that are nearest to each other, as CIE76 distance in Lab."""
    if len(sheet.colors) < 2:
        return Finding("colours", GOOD, "There is one colour only.")
    distance, one, other = min(
        (apart(sheet.colors[a], sheet.colors[b]), a, b) for a, b in combinations(sorted(sheet.colors), 2)
    )
    names = f"{sheet.seat_label(one)} and {sheet.seat_label(other)}"
    advice = "" if distance > TOLD else f"In poor light {names} may be confused: use other pieces if you can."
    far = f"{distance:.0f} apart, where {TOLD:.0f} is enough."
    text = f"{names.capitalize()} pieces are the most alike in colour: {far}"
    return Finding("colours", max(0.1, _grade(distance, 12, TOLD)), text, advice)


_CLEAR = "Take away what hides {}: hands, cups, dice."
_DOUBTED = (
    "Nothing hides {}: what is said of size, sharpness and light helps, and so do pieces unlike the board in colour. "
    "Pieces that stand close together are read better once the game knows where they stood."
)
_SMALLER = (
    "Take away pieces that are too many. Such as are much larger than {:g} mm across and {:g} mm high pass for "
    "several: use some of that size, all alike{}."
)
_SAY_SIZE = ", or say how large yours are (Change this board)"


def _covered(frame: Frame, scene: Scene, shown: Shown | None, outside: tuple[str, ...] = ()) -> Finding:
    """outside: spaces that lie out of the picture, or what stands there does, and are named there."""
    seen, memory = look(frame, scene, Memory(shown=shown))
    if isinstance(seen, BoardLost):
        return Finding("view", POOR, seen.reason, "Nothing can be read.")
    inside, crowds = {name: one for name, one in seen.spaces.items() if name not in outside}, _crowds(memory, scene)
    hidden = tuple(name for name, one in inside.items() if one.covered and name not in crowds)
    many = tuple(name for name, one in inside.items() if one.covered and name in crowds)
    doubtful = tuple(name for name, one in inside.items() if not one.covered and one.confidence < 0.9)
    if not hidden and not many and not doubtful:
        return Finding("view", GOOD, "Every space is read with confidence.")
    told = [(hidden, "hidden"), (many, "seen with more pieces than a player has"), (doubtful, "read with doubt")]
    text = ", ".join(f"{_count(names, 'space')} {how}" for names, how in told if names) + "."
    share = (len(hidden) + len(many) + 0.5 * len(doubtful)) / len(seen.spaces)
    advice = [_CLEAR.format(_them(hidden))] if hidden else []
    advice += [_smaller(scene.sheet)] if many else []
    advice = advice or [_DOUBTED.format(_them(doubtful))]
    return Finding("view", _grade(share, 0.3, 0.0), text, " ".join(advice), (*hidden, *many, *doubtful))


def _them(names: tuple[str, ...]) -> str:
    return "it" if len(names) == 1 else "them"


def _smaller(sheet: Sheet) -> str:
    """What helps where pieces pass for several; of a board of one's own their size was given."""
    return _SMALLER.format(sheet.piece.diameter, sheet.piece.height, _SAY_SIZE if sheet.markers is None else "")


def _crowds(memory: Memory, scene: Scene) -> set[str]:
    """Spaces on which more pieces of one colour were seen than there are."""
    kept = None if memory.look is None else memory.look.kept
    if kept is None:
        return set()
    names = list(scene.sheet.spaces)
    return {names[index] for index in np.flatnonzero(crowded(kept.places, kept.standing, scene.most)).tolist()}


def _count(names: tuple[str, ...], noun: str) -> str:
    return f"{len(names)} {noun}{'s are' if len(names) != 1 else ' is'}"


def mark(frame: Frame, found: Health, pose: Pose | None, sheet: Sheet) -> Frame:
    """A copy of the picture with the trouble spots ringed in red, and the score."""
    picture = frame.copy()
    spots = {name for finding in found.findings for name in finding.spaces}
    for name, ring in () if pose is None else _rings(pose, sheet):
        color = (40, 40, 230) if name in spots else (90, 190, 90)
        line = np.round(ring).astype(np.int32)
        cv2.polylines(picture, [line], True, color, 3 if name in spots else 1, cv2.LINE_AA)
    size = picture.shape[1] / 1280
    cv2.rectangle(picture, (0, 0), (round(330 * size), round(54 * size)), (40, 40, 40), -1)
    place = round(14 * size), round(38 * size)
    cv2.putText(picture, f"score {found.score}", place, cv2.FONT_HERSHEY_SIMPLEX, 1.2 * size, (255, 255, 255), 2)
    return picture
