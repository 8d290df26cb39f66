"""What time does: the fade of confidence (s3) and activation (s2)."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.activity import Active
from reverie.domain.kinds import Priority
from reverie.domain.time import DAY, MICROS_PER_DAY

FADE_FACTOR = 0.9
FADE_DAYS = 30
FADE_FLOOR = 0.3
HALF_LIFE_DAYS = 90.0
COUNT_CAP = 20
PRIORITY_WEIGHT = {Priority.CRITICAL: 1.0, Priority.HIGH: 0.8, Priority.MEDIUM: 0.6, Priority.NORMAL: 0.4}
# A column holds 32-bit floats: what is 0.3 but for rounding doesn't fade further, here as there.
FADES_ABOVE = FADE_FLOOR * (1 + 1e-7)
_LOG_FADE = float(np.log(FADE_FACTOR))


def faded_confidence(confidence: float, fades_from: datetime, now: datetime) -> float:
    """Return confidence in [0, 1] as it stands ``now``: × 0.9 for every full 30 days since ``fades_from`` while
    above 0.3 (s3).

    ``fades_from`` is ``Memory.fades_from``: a write of confidence folds in the fade so far and begins the
    count anew. A clock that went backwards fades nothing. Time alone never takes it under 0.27.
    """
    periods = max((now - fades_from) // (DAY * FADE_DAYS), 0)
    while periods > 0 and confidence > FADES_ABOVE:
        confidence *= FADE_FACTOR
        periods -= 1
    return confidence


def faded_confidences(
    confidence: NDArray[np.float32], fades_from: NDArray[np.int64], now: int
) -> NDArray[np.float32]:
    """Return ``faded_confidence`` for columns; times in microseconds since 1970."""
    periods = np.maximum((now - fades_from) // (FADE_DAYS * MICROS_PER_DAY), 0)
    if not periods.any():
        return confidence.astype(np.float32)
    base = confidence.astype(np.float64)
    with np.errstate(divide="ignore"):
        until_floor = np.ceil(np.log(FADES_ABOVE / np.maximum(base, 1e-12)) / _LOG_FADE - 1e-9)
    steps = np.minimum(periods, np.maximum(until_floor, 0))
    faded: NDArray[np.float32] = (base * FADE_FACTOR**steps).astype(np.float32)
    return faded


def activation(
    priority: Priority,
    *,
    reinforcement_count: int,
    touches: int,
    last_reinforced_at: datetime,
    last_touched_at: datetime | None,
    now: datetime,
) -> float:
    """Return how available a memory is now (s2, with a cap on counts): priority weight × 0.5^(days idle / 90) ×
    min(counts, 20).

    Range 0 to 20. Days idle count from the later of the last touch and the last reinforcement; a clock that
    went backwards counts 0.
    """
    latest = max(last_reinforced_at, last_touched_at or last_reinforced_at)
    days = max((now - latest) / DAY, 0.0)
    count = min(reinforcement_count + touches, COUNT_CAP)
    return float(PRIORITY_WEIGHT[priority] * 0.5 ** (days / HALF_LIFE_DAYS) * count)


def activation_of(active: Active, now: datetime) -> float:
    """Return ``activation`` of a memory as it stands."""
    return activation(
        active.priority,
        reinforcement_count=active.reinforcement_count,
        touches=active.touches,
        last_reinforced_at=active.last_reinforced_at,
        last_touched_at=active.last_touched_at,
        now=now,
    )
