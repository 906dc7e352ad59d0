"""Which cameras are plugged in, by names that stay the same whichever was plugged in first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.model import DeviceError

ROOT = Path("/")
CSI_DRIVERS = ("unicam", "rp1-cfe", "rpi-cfe", "rpicam")
"""How the kernel calls the receivers of a Raspberry Pi's camera connectors."""


@dataclass(frozen=True, slots=True)
class Plugged:
    """One camera. spec: what [camera] source calls it. name: for people."""

    spec: str
    name: str


def plugged(root: Path = ROOT) -> list[Plugged]:
    """The cameras on USB, in order of their stable names, then a Raspberry Pi's own. root: of the file system."""
    return [*_usb(root), *([Plugged("picamera", "Raspberry Pi camera")] if _has_csi(root) else [])]


def the_camera(root: Path = ROOT) -> str:
    """The first of them. Raises DeviceError where there is none."""
    found = plugged(root)
    if not found:
        raise DeviceError("no camera is plugged in: waiting for one")
    return found[0].spec


def _usb(root: Path) -> list[Plugged]:
    """By its maker and number; a camera without a number by the socket that it is in.

    index0 is the one of a camera's devices that gives pictures; a Raspberry Pi's codecs have no such name.
    """
    for folder in ("by-id", "by-path"):
        links = sorted((root / "dev/v4l" / folder).glob("*usb*-video-index0"))
        if links:
            return [Plugged(f"/{link.relative_to(root)}", _called(root, link)) for link in links]
    return []


def _called(root: Path, link: Path) -> str:
    node = link.resolve().name
    try:
        return (root / "sys/class/video4linux" / node / "name").read_text().strip() or node
    except OSError:
        return node


def _has_csi(root: Path) -> bool:
    for name in (root / "sys/class/video4linux").glob("*/name"):
        try:
            if name.read_text().strip().lower().startswith(CSI_DRIVERS):
                return True
        except OSError:
            continue
    return False
