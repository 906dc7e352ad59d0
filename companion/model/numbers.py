"""Numbers that come from outside, as JSON: which of them can be counted with."""

from __future__ import annotations

import sys
from typing import Any, TypeGuard


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a finite number: neither NaN, nor infinite, nor a whole number larger than any other, nor true."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
