"""The service's table, for the dice that are heard by the real loop."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "service"))
