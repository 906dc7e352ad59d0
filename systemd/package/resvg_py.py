"""resvg's Python face over resvg's own program: Debian has the program, but not the wheel of that name."""

from __future__ import annotations

import subprocess


def svg_to_bytes(*, svg_string: str, width: int, dpi: int) -> bytes:
    """Draw an SVG as PNG bytes, `width` pixels wide. Raises OSError where resvg is not installed."""
    words = ["resvg", "--width", str(width), "--dpi", str(dpi), "-", "-c"]
    return subprocess.run(words, input=svg_string.encode(), capture_output=True, check=True).stdout
