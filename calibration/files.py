"""Files that belong together, written into one folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.model import DeviceError


def write_files(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write files into a folder, which is made if it is not there; returns them. Raises DeviceError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise DeviceError(f"{folder}: {error.strerror}; choose a folder that can be written") from error
    return [folder / name for name in files]
