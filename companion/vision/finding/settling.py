"""A start made exact, and asked whether the board lies there; and what is said if it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from companion.vision.finding.likeness import likeness, lying_turned, same_in_turns
from companion.vision.finding.patches import UNLIKE, Snapped, in_all_turns, is_faint, snap, turn_by_details, unlike
from companion.vision.view.pose import Frame, Pose
from companion.vision.view.scene import Scene

_LEAST_LIKE = 0.25  # see likeness.Likeness; boards of other games reach that much where all corners are the same
_FAINTLY_LIKE = 0.15  # where enough details are found: these are looked for with the noise calmed
_LEAST_DETAIL = 0.22  # of likeness times the share of details; the right board has twice as much, its variants less
_ALL_DETAIL = 0.8  # of a board that is pushed by a square fewer are where others belong
ENOUGH_DETAIL = 0.5  # so many details are the board's, whatever its colours; its variants have half as many
_WORST_FIT = 0.002  # of the picture's width: how far details may lie off; a fold lifts them by less

NOT_FOUND = "The board cannot be found in the picture."
MIRRORED = "The picture is mirrored: switch off mirroring in the camera's settings."
TWO_BOARDS = (
    "Two boards are in the picture, or a screen that shows one: "
    "take one away, or turn the camera so that it sees one alone."
)
EITHER_WAY = (
    "The board looks the same when it is turned, so its sides cannot be told apart: "
    "stick a small mark on one corner and take the photo of the empty board again."
)
TURN_HIDDEN = (
    "The board is there, but which way round it lies cannot be seen now, as its mark is hidden: "
    "take off what lies on the mark, or move the lamp or the board a little if light shines on it."
)
NO_TURN = (EITHER_WAY, TURN_HIDDEN)


def clearer(found: Pose | str, before: Pose | str) -> Pose | str:
    """Of two answers the one that says more: that the board is there says more than that it is not found."""
    return before if before == TURN_HIDDEN and isinstance(found, str) else found


def settled(frame: Frame, grey: Frame, scene: Scene, starts: Iterable[Pose], prior: Pose | None) -> Pose | str:
    """The pose made exact from the first start that will do, else from the one whose picture is most like the board;
    a sentence if it is not like the board even so.
    """
    marked, best, top = scene.sheet.markers is not None, None, -1.0
    for start in starts:
        found = snap(grey, scene, start, prior)
        if isinstance(found, Snapped):
            quarters = like(frame, scene, found)
            if quarters == 0:
                return found.pose
            if quarters in NO_TURN and found.again.found >= _ALL_DETAIL:
                return str(quarters)  # it lies just there: from other starts one would come there again
        share = likeness(frame, scene, start).share
        if share > top:
            best, top = start, share
    if best is None:
        return NOT_FOUND
    found = snap(grey, scene, best, prior, coarse=True)
    quarters = found if isinstance(found, str) else like(frame, scene, found)
    if isinstance(found, str) or isinstance(quarters, str):
        return str(quarters)
    if quarters == 0:
        return found.pose
    if marked:
        return UNLIKE
    return exact(frame, grey, scene, lying_turned(found.pose, quarters, scene), prior)


def exact(frame: Frame, grey: Frame, scene: Scene, start: Pose, prior: Pose | None) -> Pose | str:
    """The pose, which may be off by a centimetre, made exact, if it shows the board and this as it lies."""
    found = snap(grey, scene, start, prior, coarse=True)
    return found if isinstance(found, str) else found.pose if like(frame, scene, found) == 0 else UNLIKE


def like(frame: Frame, scene: Scene, found: Snapped) -> int | str:
    """By how many quarters the board lies otherwise than the pose has it; a sentence if this is not the board."""
    marked = scene.sheet.markers is not None
    fits = found.pose.error <= _WORST_FIT * found.pose.size[0]
    details = found.again.found if marked and fits else 0.0
    if details >= ENOUGH_DETAIL:
        return 0  # the markers tell its turn, the details that it is the board: its colours may be others
    alike = likeness(frame, scene, found.pose)
    detailed = fits and found.again.found >= ENOUGH_DETAIL and not is_faint(scene)
    if alike.share < (_FAINTLY_LIKE if detailed else _LEAST_LIKE) or (marked and alike.share * details < _LEAST_DETAIL):
        return unlike(found.again) if marked and fits else UNLIKE
    if alike.turned is not None or marked:
        return alike.turned or 0
    turn = _turn_of(frame, scene, found.pose) if fits else None
    if turn is not None or same_in_turns(scene):
        return EITHER_WAY if turn is None else turn
    return TURN_HIDDEN if fits and found.again.found >= ENOUGH_DETAIL else UNLIKE


def _turn_of(frame: Frame, scene: Scene, pose: Pose) -> int | None:
    """By how many quarters a board lies otherwise than a pose has it, asked of each turn made exact: a small mark in a
    corner is missed by a few mm. None if nothing tells."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    poses = in_all_turns(grey, scene, pose)
    told = [q for q, turn in poses.items() if likeness(frame, scene, turn).turned == 0]
    return told[0] if len(told) == 1 else turn_by_details(grey, scene, poses)


def another(frame: Frame, grey: Frame, scene: Scene, others: Iterator[Pose]) -> bool:
    return any(isinstance(settled(frame, grey, scene, [start], None), Pose) for start in others)


def size_of(grey: Frame) -> tuple[int, int]:
    return grey.shape[1], grey.shape[0]
