"""Pictures that people name or send: read, or refused with the way out."""

from __future__ import annotations

from pathlib import Path

from companion.model import ImageError
from companion.vision import Scene, load_scene, read_image
from companion.vision.view.pose import Frame

HEIC = (
    "this is a HEIC picture, as iPhones take them, which cannot be read here. On the iPhone choose Settings → Camera → "
    "Formats → Most Compatible, and take it again; or photograph the board through the page (More → Check and set up "
    "the table)"
)
_KINDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def read_picture(path: Path) -> Frame:
    """Read a picture as uint8 BGR. Raises ImageError if the file is missing or no picture, and says of which kind it is
    where phones take such."""
    try:
        return read_image(path)
    except ImageError as error:
        if is_heic(path):
            raise ImageError(f"{path}: {HEIC}") from error
        raise


def scene_with(sheet: Path, reference: Path | None) -> Scene:
    """A board as `load_scene` reads it; a photo of it that is a HEIC picture is refused with the way out."""
    try:
        return load_scene(sheet, reference)
    except ImageError as error:
        if reference is not None and is_heic(reference):
            raise ImageError(f"{reference}: {HEIC}") from error
        raise


def is_heic(path: Path) -> bool:
    """Whether a file begins as a HEIC picture does (ISO 14496-12, "ftyp", and the brands of ISO 23008-12)."""
    try:
        if not path.is_file():  # of a pipe nobody knows when it says something
            return False
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        return False
    return head[4:8] == b"ftyp" and head[8:12] in _KINDS
