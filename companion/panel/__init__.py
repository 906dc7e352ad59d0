"""Lamps, alarm and buttons of the table."""

from companion.panel.panel import Panel, Pins, Press, no_press, open_panel, pins_from
from companion.panel.patterns import Lamps, Pattern, lamps

# isort: split
# Last: a panel of one's own, which `also` imports, takes what is above from here.
from companion.panel.also import ALSO, Panels, Shows, open_panels

__all__ = [
    "ALSO",
    "Lamps",
    "Panel",
    "Panels",
    "Pattern",
    "Pins",
    "Press",
    "Shows",
    "lamps",
    "no_press",
    "open_panel",
    "open_panels",
    "pins_from",
]
