"""The devices: how camera, dice, lamps and journal are, as the page says it."""

from __future__ import annotations

from companion.camera import OK
from companion.model.table import DeviceView
from companion.service.table.parts import Parts
from companion.service.table.throws import Throws

WAITS = ". Memory is full too: throws wait in the dice box, and what else happens now is lost"


def devices(parts: Parts, throws: Throws, unseen: str) -> list[DeviceView]:
    """One line for each. unseen: why the camera's last picture could not be looked at, "" if it could."""
    return [
        DeviceView("camera", *_camera(parts, unseen)),
        DeviceView("dice", "ok" if throws.works else "warn" if parts.dice or parts.tray else "off", throws.text),
        DeviceView("lamps", *_lamps(parts)),
        DeviceView("journal", *_journal(parts)),
    ]


def _camera(parts: Parts, unseen: str) -> tuple[str, str]:
    said = unseen or (parts.camera.state if parts.camera else parts.camera_why or "none")
    held = getattr(parts.camera, "held", ())
    if said == OK:
        return "ok", f"{said}, {' and '.join(held)} held" if held else said
    return "warn" if parts.camera else "off", said


def _lamps(parts: Parts) -> tuple[str, str]:
    """Some may work while others are done without."""
    why = ". ".join(filter(None, (parts.panel_why, getattr(parts.panel, "trouble", ""))))
    return "off" if parts.panel is None else "warn" if why else "ok", why or "connected"


def _journal(parts: Parts) -> tuple[str, str]:
    journal = parts.journal
    trouble = (journal.trouble or journal.warning or journal.slow) + ("" if journal.room else WAITS)
    return "warn" if trouble else "ok", trouble or "written"
