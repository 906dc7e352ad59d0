"""A camera's lens as it was measured once: how wide it looks, and how it bends straight lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.model import ImageError
from companion.model.numbers import is_number

_SAME_SHAPE = 0.01  # how far the ratio of width to height may be off, relative


@dataclass(frozen=True, slots=True)
class Lens:
    """What `companion calibrate lens` finds. size: (width, height) of the pictures it was measured with.

    focal: pixels. radial: k1, k2 and perhaps k3 of the usual model. center: the principal point, pixels, the middle of
    the first pixel being (0, 0). error_px: root mean square of the target's corners. pictures: how many were used.
    file: the name of that which it was read from, "" without one.
    """

    size: tuple[int, int]
    focal: float
    radial: tuple[float, ...]
    center: tuple[float, float]
    error_px: float = 0.0
    pictures: int = 0
    file: str = field(default="", compare=False)

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether pictures of this size have the same shape, so that they may come from the same camera."""
        return abs(size[0] * self.size[1] / (size[1] * self.size[0]) - 1) <= _SAME_SHAPE

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for larger or smaller pictures. Raises ImageError if they have another shape."""
        if size == self.size:
            return self
        if not self.fits(size):
            raise ImageError(self.of_another_shape(size))
        by = size[0] / self.size[0]
        x, y = ((c + 0.5) * by - 0.5 for c in self.center)
        return Lens(size, self.focal * by, self.radial, (x, y), self.error_px * by, self.pictures, self.file)

    def of_another_shape(self, size: tuple[int, int]) -> str:
        """Why it does not fit pictures of this size, and what to do."""
        measured, given = f"{self.size[0]}×{self.size[1]}", f"{size[0]}×{size[1]}"
        which = f"the lens in {self.file}" if self.file else "the lens"
        return (
            f"{which} was measured with pictures of {measured}, and this one has {given}, which is another shape: "
            "calibrate the lens again with the size that is used"
        )


def lens_json(lens: Lens) -> dict[str, Any]:
    """As lens.json holds it."""
    return {
        "lens": 1,
        "size": list(lens.size),
        "focal": round(lens.focal, 3),
        "radial": [round(k, 6) for k in lens.radial],
        "center": [round(c, 3) for c in lens.center],
        "error_px": round(lens.error_px, 4),
        "pictures": lens.pictures,
    }


def lens_from_json(data: Any, source: str = "lens") -> Lens:
    """The lens of a decoded lens.json. Raises ImageError, which names what is wrong."""
    if not isinstance(data, Mapping) or data.get("lens") != 1:
        raise ImageError(f'{source}: this is no lens file (expected "lens": 1); make one with companion calibrate lens')
    size = _numbers(data, "size", source, 2, 2)
    focal = _number(data, "focal", source)
    radial = _numbers(data, "radial", source, 1, 3)
    center = _numbers(data, "center", source, 2, 2)
    if min(size) < 64 or focal <= 0:
        raise ImageError(f"{source}: size {data['size']} and focal {focal} cannot be those of a camera")
    error, pictures = _number(data, "error_px", source, 0.0), _number(data, "pictures", source, 0.0)
    measured = (round(size[0]), round(size[1]))
    return Lens(measured, focal, radial, (center[0], center[1]), error, int(pictures))


def _number(data: Mapping[str, Any], key: str, source: str, usual: float | None = None) -> float:
    """One number; `usual` where none is given, if there is one."""
    value = data.get(key, usual)
    if not is_number(value):
        raise ImageError(f"{source}: {key} must be a number, not {value!r:.60}")
    return float(value)


def _numbers(data: Mapping[str, Any], key: str, source: str, least: int, most: int) -> tuple[float, ...]:
    value = data.get(key)
    numbers = [v for v in value if is_number(v)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(numbers) != len(value) or not least <= len(value) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise ImageError(f"{source}: {key} must be {count} numbers, not {value!r:.60}")
    return tuple(float(v) for v in numbers)


def load_lens(path: Path | str) -> Lens:
    """Read a lens.json. Raises ImageError."""
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except OSError as error:
        raise ImageError(f"{path}: cannot be read ({error.strerror}); make it with companion calibrate lens") from error
    except (ValueError, RecursionError) as error:
        raise ImageError(f"{path}: this is no JSON that can be read ({error})") from error
    return replace(lens_from_json(data, path.name), file=path.name)
