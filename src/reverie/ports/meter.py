"""Meter: what asking a model costs, and what it may cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from reverie.domain.change import Spent


@dataclass(frozen=True, kw_only=True, slots=True)
class Booking:
    """A call that may be made. ``minute``: where it is booked; ``booked``: what it may cost at most."""

    minute: datetime
    booked: Spent


class Meter(Protocol):
    """Keeps calls, tokens and money within limits, for all processes and agents together. Thread-safe; never called
    within a transaction.
    """

    def check(self, planned: Spent) -> None:
        """Whether several calls fit together, before the first of them is made; nothing is booked.

        Raise CapReached. ``planned`` as for ``reserve``.
        """
        ...

    def reserve(self, planned: Spent) -> Booking:
        """Books a call before it is made: the calls and tokens that it may need at most. What it costs in money, the
        meter knows.

        Raise CapReached where a limit of the last 60 minutes or 24 hours would be passed; nothing is booked then.
        """
        ...

    def settle(self, booking: Booking, actual: Spent) -> Spent:
        """Replaces what was booked by what was used; gives it back with its price. A call that failed counts too.

        What is never settled, as after a crash or where nobody knows what a call used, stays booked.
        """
        ...
