"""Overview: what was learned this week, what awaits review, growth, kinds, last nights, and how the bank stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from starlette.responses import Response

from reverie.agent import Stats
from reverie.domain.memory import Memory
from reverie.doors.page.frame import View

_DAYS = 28
_MOST_COUNTED = 1_000
_SHOWN = 6
_NIGHTS = 3
_KINDS = 8
_MOST_REVIEWED = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """How many memories were made on a date; ``part``: of the most on any."""

    date: date
    count: int
    part: float


def show(view: View) -> Response:
    """Show the bank at a glance."""
    stats = view.agent.stats()
    since = view.times.now - timedelta(days=_DAYS)
    lately = view.agent.memories(since=since, limit=_MOST_COUNTED, newest_first=True)
    week = view.times.now - timedelta(days=7)
    review = view.agent.memories(review=True, limit=_MOST_REVIEWED)
    most = max(stats.kinds.values(), default=1)
    return view.page(
        "overview.html", stats=stats, week=[one for one in lately if one.created_at >= week], shown=_SHOWN,
        is_cut=len(lately) == _MOST_COUNTED, days=_growth(view, lately), review=review, most_reviewed=_MOST_REVIEWED,
        kinds=sorted(stats.kinds.items(), key=lambda one: -one[1]), most=most, most_kinds=_KINDS,
        nights=view.agent.jobs.sleeps(limit=_NIGHTS), health=_health(view, stats),
    )  # fmt: skip


def _growth(view: View, lately: Sequence[Memory]) -> Sequence[Day]:
    """Return a day each, the latest last; those before the earliest that was counted whole are left out."""
    counts = Counter(view.times.local(one.created_at).date() for one in lately)
    today = view.times.local(view.times.now).date()
    days = [today - timedelta(days=before) for before in range(_DAYS - 1, -1, -1)]
    if len(lately) == _MOST_COUNTED:
        days = [one for one in days if one > min(counts)]
    most = max((counts[one] for one in days), default=0) or 1
    return [Day(date=one, count=counts[one], part=counts[one] / most) for one in days]


def _health(view: View, stats: Stats) -> Sequence[tuple[str, str]]:
    """Return what needs somebody: (tone, words)."""
    found: list[tuple[str, str]] = []
    if stats.agent.paused_at is not None:
        found.append(
            ("warn", f"Paused since {view.times.full(stats.agent.paused_at)}: nothing sleeps or is captured.")
        )
    if stats.queued:
        found.append(("warn", f"{stats.queued:,} writes wait, since the embedder gave no vectors."))
    found += [
        ("bad", f"{one.job} failed {one.failures} times: {one.note or 'no reason is known'}.")
        for one in stats.jobs
        if one.failures
    ]
    if stats.parked:
        found.append(
            ("warn", f"In {len(stats.parked):,} conversations reading failed; it is tried again later.")
        )
    return found
