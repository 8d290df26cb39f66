"""Count what models cost, in the store, so that limits hold over restarts, processes and agents; and check a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from reverie.domain.change import Spent
from reverie.domain.job import EVERYONE
from reverie.domain.model_check import ModelCheck
from reverie.domain.settings import Settings
from reverie.domain.time import Clock
from reverie.errors import CapReached, InvalidInput
from reverie.ports.meter import Booking
from reverie.ports.mind import ChecksModel
from reverie.ports.store import Store, Unit
from reverie.services.runtime.desk import Desk


def check_model(desk: Desk) -> ModelCheck:
    """Return what works, what it cost, and what a night would send. Raise InvalidInput where no model is configured,
    CapReached.
    """
    if not isinstance(desk.mind, ChecksModel):
        raise InvalidInput(
            "Settings.mind",
            "no language model is configured",
            'set mind="llm" and Settings.llm.model, or REVERIE_MIND and REVERIE_LLM_MODEL (docs/llm.md)',
        )
    return replace(desk.mind.check(), is_priced=desk.settings.llm.prices is not None)


_HOUR, _DAY, _MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
_MOST = 10**9
_KEPT = timedelta(days=62)
"""So long stands what models cost, for whoever asks."""
_KEPT_MINUTES = 7 * 24 * 60
"""And so many minutes at least: else a clock that is far ahead for a while would drop what the limits of the true day
have to count.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Limit:
    """One limit of the settings: ``most`` of calls, tokens or millionths of a dollar within ``span``."""

    name: str
    of: str
    span: timedelta
    most: int

    def amount(self, spent: Spent) -> int:
        """Return how much of what it limits."""
        return int(getattr(spent, self.of))


class StoreMeter:
    """Implements ``ports.meter.Meter`` over a store.

    Usage is kept by minute; a minute counts until it lies behind the span as a whole, so that a limit is passed at no
    moment. What a clock that was ahead has booked counts once its minute has come, and drops nothing that counts
    before. Checking and booking are one write transaction: two processes never both take what is left for one.
    Without prices (``Settings.llm.prices``) money is counted as none.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self._store, self._clock = store, clock
        self._prices = settings.llm.prices or (0.0, 0.0)
        self._limits = tuple(_limits(settings))

    def check(self, planned: Spent) -> None:
        """See the port."""
        planned = self._priced(planned)
        now = self._clock()
        with self._store.read(EVERYONE) as unit:
            self._check(unit.usage.since(now - _DAY), planned, now)

    def reserve(self, planned: Spent) -> Booking:
        """See the port."""
        planned = self._priced(planned)

        def book(unit: Unit) -> Booking:
            now = self._clock()
            self._check(unit.usage.since(now - _DAY), planned, now)
            unit.usage.drop_before(now - _KEPT, keep=_KEPT_MINUTES)
            unit.usage.add(now, planned)
            return Booking(minute=now, booked=planned)

        return self._store.transact(EVERYONE, book)

    def settle(self, booking: Booking, actual: Spent) -> Spent:
        """See the port. No number is taken for less than nothing, or for more than any call can use."""
        actual = self._priced(_sound(actual))
        self._store.transact(
            EVERYONE, lambda unit: unit.usage.add(booking.minute, _less(actual, booking.booked))
        )
        return actual

    def _priced(self, spent: Spent) -> Spent:
        """Return the amount with its price: dollars for a million tokens are millionths of a dollar for one."""
        given, made = self._prices
        return replace(spent, micro_dollars=round(spent.input_tokens * given + spent.output_tokens * made))

    def _check(self, used: Mapping[datetime, Spent], planned: Spent, now: datetime) -> None:
        for limit in self._limits:
            counted = {
                minute: limit.amount(spent)
                for minute, spent in used.items()
                if now - limit.span < minute + _MINUTE and minute <= now + _MINUTE
            }
            left = limit.most - limit.amount(planned)
            if sum(counted.values()) > left:
                if left < 0:
                    raise CapReached(limit.name, None, needs=_needs(limit, planned))
                raise CapReached(limit.name, _free_at(counted, left, limit, now).isoformat())


def _limits(settings: Settings) -> Iterator[_Limit]:
    for span, name in ((_HOUR, "hour"), (_DAY, "day")):
        for of, what, unit in (
            ("calls", "calls", 1), ("tokens", "tokens", 1), ("micro_dollars", "dollars", 1_000_000),
        ):  # fmt: skip
            most = getattr(settings.llm, f"{what}_{name}")
            if most is not None:
                yield _Limit(
                    name=f"Settings.llm.{what}_{name} = {most:,}", of=of, span=span, most=round(most * unit)
                )


def _needs(limit: _Limit, planned: Spent) -> str:
    """Return how much of it what is planned may need."""
    amount = limit.amount(planned)
    return f"{amount / 1_000_000:.4f} dollars" if limit.of == "micro_dollars" else f"{amount:,} {limit.of}"


def _free_at(used: Mapping[datetime, int], left: int, limit: _Limit, now: datetime) -> datetime:
    """Return when enough of what was used lies behind the span."""
    over = sum(used.values()) - left
    free = now
    for minute in sorted(used):
        if over <= 0:
            break
        over -= used[minute]
        free = minute + _MINUTE + limit.span
    return free


def _sound(actual: Spent) -> Spent:
    return Spent(
        calls=min(max(actual.calls, 0), _MOST),
        input_tokens=min(max(actual.input_tokens, 0), _MOST),
        output_tokens=min(max(actual.output_tokens, 0), _MOST),
    )


def _less(one: Spent, other: Spent) -> Spent:
    return Spent(
        calls=one.calls - other.calls,
        input_tokens=one.input_tokens - other.input_tokens,
        output_tokens=one.output_tokens - other.output_tokens,
        micro_dollars=one.micro_dollars - other.micro_dollars,
    )
