"""Single pictures from other sources, beside the project: no number is taken from them, but all are read again here,
so that what is gained elsewhere is not lost on them unseen. Skipped where they are not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.model import BoardSeen, SpaceSeen
from companion.vision import Scene, load_scene, look, read_image

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "pictures" / "stills"
LEAST_RIGHT = 0.985
"""Share of the spaces; 0.990 were right when this was written (3,132 of 3,163)."""
SURE, MOST_WRONG = 0.97, 3
"""Confidence; how many of such readings may be wrong: none was."""

PHOTOS = FOLDER.parent / "real"
PHOTOS_RIGHT, PHOTOS_WRONG = 0.94, 6
"""The same for photographs of draughts boards, known by drawings of plain black and white squares: 0.950 were right
when this was written (851 of 896; one board more is lost, its squares are red and green), five surely wrong."""

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the pictures are not beside the project")


@dataclass(frozen=True)
class Read:
    """A space that can be seen: what stands there (of a stack the top), and what was read."""

    where: str
    truth: list[str]
    seen: list[str]
    confidence: float
    covered: bool

    @property
    def right(self) -> bool:
        return not self.covered and self.seen == self.truth


def scene_of(told: dict[str, Any], folder: Path) -> Scene:
    """The board of a picture; one without markers is known from a photo, in which its landmarks are given."""
    if "reference" not in told:
        return load_scene(FOLDER / told["sheet"])
    marks = folder / "landmarks.json"
    marks.write_text(json.dumps(told["landmarks"]))
    return load_scene(FOLDER / told["sheet"], FOLDER / told["reference"], marks)


def readings(told: dict[str, Any], folder: Path) -> Iterator[Read]:
    scene = scene_of(told, folder)
    sighting, _ = look(read_image(FOLDER / told["image"]), scene)
    assert isinstance(sighting, BoardSeen), (told["image"], sighting)
    for name in scene.sheet.spaces.keys() - {*told["covered"], *told["not_visible"]}:
        truth = told["spaces"].get(name, [])
        seen: SpaceSeen = sighting.spaces[name]
        colors = sorted(scene.sheet.seat_label(seat) for seat in seen.content)
        top = truth[-1:] if scene.sheet.piece.kind == "disc" else sorted(truth)
        yield Read(f"{told['image']} {name}", top, colors, seen.confidence, seen.covered)


@pytest.mark.timeout(300)
def test_pictures_of_another_source_are_read_as_well_as_they_were(tmp_path: Path) -> None:
    told = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    read = [one for picture in told if "image" in picture for one in readings(picture, tmp_path)]
    wrong = [one for one in read if not one.right]
    assert len(read) > 3000
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(read), wrong
    sure = [one for one in wrong if not one.covered and one.confidence > SURE]
    assert len(sure) <= MOST_WRONG, sure


def squares_of(photo: Path, told: dict[str, Any]) -> Iterator[Read]:
    """None of a board that is not taken for this one."""
    scene = load_scene(photo.parent / told["sheet"])
    sighting, _ = look(read_image(photo), scene)
    for name, seen in sighting.spaces.items() if isinstance(sighting, BoardSeen) else ():
        colors = [scene.sheet.seat_label(seat) for seat in seen.content]
        yield Read(f"{photo.name} {name}", told["spaces"].get(name, [])[-1:], colors, seen.confidence, seen.covered)


@pytest.mark.timeout(300)
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs are not beside the project")
def test_photographs_of_draughts_boards_are_read_as_well_as_they_were() -> None:
    labels = {path.parent: json.loads(path.read_text())["images"] for path in PHOTOS.glob("checkers*/labels.json")}
    photos = {folder / name: told for folder, images in labels.items() for name, told in images.items()}
    read = [one for photo, told in photos.items() if "sheet" in told for one in squares_of(photo, told)]
    wrong = [one for one in read if not one.right]
    assert len(read) > 800
    assert len(wrong) <= (1 - PHOTOS_RIGHT) * len(read), wrong
    assert sum(not one.covered and one.confidence > SURE for one in wrong) <= PHOTOS_WRONG
