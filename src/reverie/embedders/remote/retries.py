"""How often and when a provider is asked again, and for how long it is left alone."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from reverie.errors import EmbedderFailed

MOST_TRIES = 5
_FIRST_SECONDS, _LONGEST_SECONDS = 0.5, 8.0
_FIRST_REST, _LONGEST_REST = 1.0, 60.0
_LONGEST_ASKED = 600.0
_MOST_DOUBLINGS = 10


def pause_before(tries: int, asked_for: float | None) -> float:
    """Return seconds to wait after so many tries (1 or more): what the server asked for, or twice as long each time.

    Somewhat by chance, so that many clients of a server that failed don't all come back at once.
    """
    pause: float = min(_FIRST_SECONDS * 2.0 ** (tries - 1), _LONGEST_SECONDS)
    return max(asked_for or 0.0, pause * random.uniform(0.5, 1.0))  # noqa: S311  # chance, no secret


def asked_for(retry_after: str | None) -> float | None:
    """Return what a Retry-After header says, in seconds from now: a number or a date; None where it says nothing
    usable.

    >>> asked_for("12"), asked_for("soon"), asked_for(None)
    (12.0, None, None)
    """
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - datetime.now(UTC)).total_seconds(), 0.0)


class Cooldown:
    """After a provider failed it is left alone for a while, longer each time: else every verb would wait for it anew.

    Thread-safe. ``clock``: seconds that never go back.
    """

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._until, self._failures = 0.0, 0

    def check(self) -> None:
        """Raise EmbedderFailed while it rests."""
        left = self._until - self._clock()
        if self._failures and left > 0:
            raise EmbedderFailed(self._name, f"it failed a moment ago and is asked again in {left:.0f} s")

    def failed(self, least: float | None) -> None:
        """It failed; ``least``: so many seconds it asked to be left alone."""
        with self._lock:
            usual = min(_FIRST_REST * 2 ** min(self._failures, _MOST_DOUBLINGS), _LONGEST_REST)
            self._failures += 1
            self._until = self._clock() + max(usual, min(least or 0.0, _LONGEST_ASKED))

    def answered(self) -> None:
        """It works."""
        if self._failures:
            with self._lock:
                self._failures = 0
