"""What was read, drawn over the picture: for people who want to know what the camera thinks."""

from __future__ import annotations

import cv2
import numpy as np

from companion.model import BoardSeen, Seat, Sheet, Sighting, Space, SpaceSeen
from companion.vision.board.memory import Memory
from companion.vision.view.pose import Floats, Frame, Pose
from companion.vision.view.scene import Scene

Color = tuple[int, int, int]

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_INK: Color = (30, 30, 30)
_PAPER: Color = (255, 255, 255)
_SURE = 0.98


def annotate(frame: Frame, seen: Sighting, scene: Scene, memory: Memory) -> Frame:
    """A copy of `frame`, uint8 BGR, with what was seen drawn over it.

    Badges with the first letter of their colour stand above occupied spaces; readings below 98 % carry their
    percentage; hatched spaces are covered; the outline is the sheet's edge.
    """
    picture = frame.copy()
    if not isinstance(seen, BoardSeen) or memory.view is None:
        return _caption(picture, "LOST", getattr(seen, "reason", ""), (60, 60, 220))
    pose, sheet = memory.view.pose, scene.of(memory.body).sheet
    _outline(picture, sheet, pose)
    for name, reading in seen.spaces.items():
        space = sheet.spaces[name]
        if reading.covered:
            _hatch(picture, space, pose)
        elif reading.content:
            _badges(picture, space, reading, sheet, pose)
        elif reading.confidence < _SURE:
            _doubt(picture, space, reading, pose)
    hidden = sum(s.covered for s in seen.spaces.values())
    pieces = sum(len(s.content) for s in seen.spaces.values() if not s.covered)
    state = "MOVING" if seen.moving else "MOVED" if seen.moved else "STILL"
    return _caption(picture, state, f"{pieces} pieces, {hidden} spaces covered", (90, 160, 60))


def _outline(picture: Frame, sheet: Sheet, pose: Pose) -> None:
    side = np.linspace(0, 1, 20)
    x = np.concatenate([side, np.ones(20), side[::-1], np.zeros(20)]) * sheet.width
    y = np.concatenate([np.zeros(20), side, np.ones(20), side[::-1]]) * sheet.height
    line = np.round(pose.project(np.column_stack([x, y]))).astype(np.int32)
    cv2.polylines(picture, [line], True, _INK, 4, cv2.LINE_AA)
    cv2.polylines(picture, [line], True, (90, 220, 120), 2, cv2.LINE_AA)


def _ring(space: Space, pose: Pose, share: float = 0.85) -> Floats:
    turn = np.linspace(0, 2 * np.pi, 25)[:-1]
    edge = np.column_stack([np.cos(turn), np.sin(turn)]) * space.radius * share
    return pose.project(edge + np.array([space.x, space.y]))


def _hatch(picture: Frame, space: Space, pose: Pose) -> None:
    ring = np.round(_ring(space, pose)).astype(np.int32)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [ring], 1)
    (x0, y0), (x1, y1) = ring.min(axis=0), ring.max(axis=0)
    lines = np.zeros_like(mask)
    for start in range(int(x0 - (y1 - y0)), int(x1) + 1, 6):
        cv2.line(lines, (start, int(y1)), (start + int(y1 - y0), int(y0)), 1, 1, cv2.LINE_8)
    picture[(mask & lines) > 0] = (235, 90, 235)
    cv2.polylines(picture, [ring], True, (235, 90, 235), 1, cv2.LINE_AA)


def _badges(picture: Frame, space: Space, reading: SpaceSeen, sheet: Sheet, pose: Pose) -> None:
    """Round badges, one a piece, above where the pieces' tops are, and a thread down to the space."""
    size = max(7, round(picture.shape[1] / 130))
    foot, top = pose.project(np.array([(space.x, space.y, 0.0), (space.x, space.y, sheet.piece.height)]))
    middle = top + np.array([0, -1.6 * size])
    cv2.line(picture, _whole(foot), _whole(middle), _PAPER, 1, cv2.LINE_AA)
    cv2.polylines(picture, [np.round(_ring(space, pose)).astype(np.int32)], True, _PAPER, 1, cv2.LINE_AA)
    for place, seat in enumerate(reading.content):
        spot = middle + np.array([(place - (len(reading.content) - 1) / 2) * 2.1 * size, 0])
        _badge(picture, _whole(spot), size, seat, sheet)
    if reading.confidence < _SURE:
        _text(
            picture, f"{reading.confidence:.0%}", _whole(middle + np.array([size * 1.3 * len(reading.content), 4])), 0.4
        )


def _badge(picture: Frame, at: tuple[int, int], size: int, seat: Seat, sheet: Sheet) -> None:
    color = _bgr(sheet.colors.get(seat, "#808080"))
    light = 0.11 * color[0] + 0.59 * color[1] + 0.3 * color[2] > 120
    cv2.circle(picture, at, size + 2, _INK if light else _PAPER, -1, cv2.LINE_AA)
    cv2.circle(picture, at, size, color, -1, cv2.LINE_AA)
    letter = sheet.seat_label(seat)[:1].upper()
    scale = size / 14
    (w, h), _ = cv2.getTextSize(letter, _FONT, scale, 1)
    corner = (at[0] - w // 2, at[1] + h // 2)
    cv2.putText(picture, letter, corner, _FONT, scale, _INK if light else _PAPER, 1, cv2.LINE_AA)


def _doubt(picture: Frame, space: Space, reading: SpaceSeen, pose: Pose) -> None:
    ring = np.round(_ring(space, pose)).astype(np.int32)
    cv2.polylines(picture, [ring], True, (0, 190, 255), 1, cv2.LINE_AA)
    _text(picture, f"{reading.confidence:.0%}", _whole(ring.mean(axis=0) - (10, -4)), 0.35)


def _text(picture: Frame, words: str, at: tuple[int, int], scale: float) -> None:
    cv2.putText(picture, words, at, _FONT, scale, _INK, 3, cv2.LINE_AA)
    cv2.putText(picture, words, at, _FONT, scale, _PAPER, 1, cv2.LINE_AA)


def _caption(picture: Frame, state: str, words: str, color: Color) -> Frame:
    """A bar along the top of the picture."""
    height = max(22, picture.shape[0] // 32)
    scale = height / 44
    picture[:height] = (picture[:height] * 0.25).astype(np.uint8)
    (w, _), _ = cv2.getTextSize(state, _FONT, scale, 1)
    cv2.rectangle(picture, (0, 0), (w + 16, height - 1), color, -1)
    cv2.putText(picture, state, (8, round(height * 0.7)), _FONT, scale, _PAPER, 1, cv2.LINE_AA)
    cv2.putText(picture, words, (w + 28, round(height * 0.7)), _FONT, scale, _PAPER, 1, cv2.LINE_AA)
    return picture


def _whole(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _bgr(color: str) -> Color:
    return int(color[5:7], 16), int(color[3:5], 16), int(color[1:3], 16)
