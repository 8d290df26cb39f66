"""Where time, ids and secrets come from in a running program."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime

from reverie.domain.ids import uuid7
from reverie.domain.time import Clock, micros
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

_EARLIEST_YEAR, _LATEST_YEAR = 1970, 9000


def system_clock() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def checked_clock(clock: Clock) -> Clock:
    """Return the clock, in UTC. It raises InvalidInput for a time that nothing can work with: one without a zone, or
    outside the years 1970 to 9000.
    """

    def now() -> datetime:
        moment: object = clock()
        if not isinstance(moment, datetime) or moment.tzinfo is None:
            raise InvalidInput(
                "clock", f"it gives {shown(moment)}", "have it give a datetime with a time zone"
            )
        if not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
            raise InvalidInput("clock", f"it says that it is the year {moment.year}", "set it right")
        return moment.astimezone(UTC)

    return now


def new_secret() -> bytes:
    """Return 32 random bytes from the operating system."""
    return secrets.token_bytes(32)


class MonotonicIds:
    """UUIDv7 ids that sort in the order of making, within a millisecond and when the clock goes back too.
    Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = (0, 0)

    def __call__(self, moment: datetime) -> str:
        """Return an id for something made at ``moment``."""
        milliseconds = max(micros(moment) // 1000, 0)
        with self._lock:
            last_milliseconds, last_bits = self._last
            if milliseconds > last_milliseconds:
                # The upper bits stay free, so that a busy millisecond can count up without overflow
                self._last = (milliseconds, secrets.randbits(73))
            else:
                self._last = (last_milliseconds, last_bits + 1 + secrets.randbits(32))
            return uuid7(*self._last)
