"""Spans of time that a question names, and how close a stored time lies to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.time import MICROS_PER_DAY, micros

HALF_LIFE_AFTER_DAYS = 7.0
HALF_LIFE_BEFORE_DAYS = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A span of time in UTC, ``since`` inclusive, ``until`` exclusive, never empty.

    ``certainty`` in (0, 1]: how surely the words mean this span. 1 is a date said in full; below are years
    left unsaid, words with two readings, and open ends.
    """

    since: datetime
    until: datetime
    certainty: float = 1.0


def closeness(times: NDArray[np.int64], windows: Sequence[Window]) -> NDArray[np.float64]:
    """How well each time (microseconds since 1970) fits the windows, in [0, 1]; all 0 without windows.

    Inside a window it is the window's certainty. Outside it halves with every HALF_LIFE_AFTER_DAYS after
    its end and with every HALF_LIFE_BEFORE_DAYS before its start: people tell of things afterwards. Of
    several windows the best counts.
    """
    best = np.zeros(len(times))
    for window in windows:
        after = np.maximum(times - (micros(window.until) - 1), 0) / (HALF_LIFE_AFTER_DAYS * MICROS_PER_DAY)
        before = np.maximum(micros(window.since) - times, 0) / (HALF_LIFE_BEFORE_DAYS * MICROS_PER_DAY)
        np.maximum(best, window.certainty * 0.5 ** (after + before), out=best)
    return best
