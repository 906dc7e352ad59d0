"""Blender as a process of its own, asked for pictures, which are kept in a folder."""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.blender.rooms import Room, RoomsMissing, files_in, room_of
from calibration.evidence.lens import Plane
from calibration.evidence.sensor import Frame
from companion.model import BadInput

SERVER, ROOM_LIGHT = (Path(__file__).with_name(name) for name in ("server.py", "room_light.py"))
WAY_OUT = (
    "Give Blender a Python of its own, of the version that its wheel is made for (bpy 4.2: Python 3.11), and name it: "
    "python3.11 -m venv blender && blender/bin/pip install bpy==4.2.0, then --blender blender/bin/python"
)


class BlenderMissing(BadInput, FileNotFoundError):
    """There is no Python with Blender's module."""


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """The command line of a module that has a set of pictures rendered, of its docstring."""
    caption, _, rest = (doc or "").partition("\n")
    parser = argparse.ArgumentParser(description=caption, epilog=rest, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--blender", required=True, metavar="PYTHON", help="a Python that has bpy")
    parser.add_argument("--cache", type=Path, help="a folder for what was rendered")
    parser.add_argument("--pictures", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the pictures and what goes with them")
    add_rooms(parser)
    return parser


def add_rooms(parser: argparse.ArgumentParser) -> None:
    """Let a command be told in which rooms its tables stand; see `Studio.go_to`."""
    about = "light from rooms, measured: those of the *.exr and *.hdr of a folder, or those that Blender brings"
    parser.add_argument("--rooms", nargs="?", const="", metavar="FOLDER", help=about)


class Studio:
    """Renders scenes (see `scenes`), each only once. python: one that has `bpy`. cache: a folder for what was rendered.

    made: how many pictures were not in the cache. rooms: those in which the tables stand, if in any.
    """

    def __init__(self, python: Path | str, cache: Path | None = None) -> None:
        self._python = str(python)
        self._own = tempfile.TemporaryDirectory() if cache is None else None
        self.cache = Path(self._own.name) if self._own is not None else Path(str(cache))
        self.cache.mkdir(parents=True, exist_ok=True)
        self._process: subprocess.Popen[str] | None = None
        self.made = 0
        self.rooms: Sequence[Room] = ()

    def go_to(self, rooms: str | None) -> None:
        """Let tables stand in the rooms of a folder; "": in those that Blender brings; None: in none.

        Raises BlenderMissing and RoomsMissing.
        """
        if rooms is not None:
            files = [str(file) for file in files_in(Path(rooms))] if rooms else []
            self._check()
            answer = subprocess.run([self._python, str(ROOM_LIGHT), *files], capture_output=True, text=True, check=True)
            self.rooms = [room_of(told) for told in json.loads(answer.stdout)]
            if not self.rooms:
                raise RoomsMissing(f"The Blender of {self._python} brings no rooms: name a folder that has some")

    def light(self, scene: Mapping[str, Any]) -> Plane:
        """What falls on the picture: linear BGR, float32. Raises BlenderMissing."""
        text = json.dumps(scene, sort_keys=True)
        kept = self.cache / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npy"
        if not kept.exists():
            self._render(scene, kept)
        return np.asarray(np.load(kept), np.float32)

    def picture(self, image: Frame) -> str:
        """A file of a picture that a scene names, so called that another picture is another file."""
        packed = cv2.imencode(".png", image)[1].tobytes()
        path = (self.cache / f"{hashlib.sha256(packed).hexdigest()[:24]}.png").resolve()
        if not path.exists():
            path.write_bytes(packed)
        return str(path)

    def close(self) -> None:
        """Let Blender go."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(60)
            self._process = None

    def _render(self, scene: Mapping[str, Any], kept: Path) -> None:
        process = self._process = self._process or self._started()
        assert process.stdin is not None and process.stdout is not None
        fresh = kept.with_name(f"new-{kept.name}")
        process.stdin.write(json.dumps({**scene, "to": str(fresh.resolve())}) + "\n")
        process.stdin.flush()
        if not process.stdout.readline():
            self._process = None
            raise BadInput(f"Blender ended with {process.wait(60)} while it rendered; what it said stands above")
        fresh.rename(kept)
        self.made += 1

    def _started(self) -> subprocess.Popen[str]:
        self._check()
        pipe = subprocess.PIPE
        return subprocess.Popen([self._python, str(SERVER)], stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def _check(self) -> None:
        """Raises BlenderMissing if there is none."""
        try:
            asked = subprocess.run([self._python, "-c", "import bpy"], capture_output=True, text=True, check=False)
        except OSError as error:
            raise BlenderMissing(f"{self._python} cannot be run: {error.strerror}. {WAY_OUT}") from error
        if asked.returncode:
            last = (asked.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise BlenderMissing(f"{self._python} has no Blender: {last}. {WAY_OUT}")
