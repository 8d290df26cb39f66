"""Trust as a bar of letters, for terminals."""

from __future__ import annotations

_HALF = 5


def bar(trust: float) -> str:
    """``·····|###·· +0.60``: distrust to the left of the middle, trust to the right, a sign a fifth."""
    filled = min(_HALF, round(abs(trust) * _HALF))
    left, right = (filled, 0) if trust < 0 else (0, filled)
    return f"{'#' * left:·>{_HALF}}|{'#' * right:·<{_HALF}} {trust:+.2f}"
