"""Why a hit stands where it does, in words."""

from __future__ import annotations

from collections.abc import Mapping

from reverie.domain.meanings import MEANINGS


def explained(terms: Mapping[str, float]) -> str:
    """The terms that count, the weightiest first, with what each says, as one line: they add up to the score."""
    counted = sorted(
        ((name, points) for name, points in terms.items() if round(points, 3)), key=lambda term: -abs(term[1])
    )
    parts = "; ".join(f"{points:+.3f} {name} ({MEANINGS[name]})" for name, points in counted)
    return f"{sum(terms.values()):.3f} = {parts}" if parts else "0.000: nothing speaks for it"
