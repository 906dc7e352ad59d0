"""Lamps, alarm and buttons of the table."""

from companion.panel.panel import Panel, Pins, Press, open_panel, pins_from
from companion.panel.patterns import Lamps, Pattern, lamps

__all__ = ["Lamps", "Panel", "Pattern", "Pins", "Press", "lamps", "open_panel", "pins_from"]
