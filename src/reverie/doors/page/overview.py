"""Overview: what was learned this week, what awaits review, growth, kinds, last nights, and how the bank stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from reverie.agent import Stats
from reverie.domain.memory import Memory
from reverie.doors.page.frame import View

_DAYS = 28
_WEEK = 7
_MOST_COUNTED = 500
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
    """Show the bank at a glance. What takes a while to count comes by itself afterwards (``numbers``)."""
    week = _lately(view, _WEEK, _SHOWN + 1)
    is_empty = not (week or view.agent.memories(deep=True, limit=1) or view.agent.episodes(limit=1))
    counted = _counted(view) if view.asked("whole") and not is_empty else {"stats": None}
    return view.page(
        "overview.html", week=week, shown=_SHOWN, is_empty=is_empty, nights=view.agent.jobs.sleeps(limit=_NIGHTS),
        **counted,
    )  # fmt: skip


def numbers(view: View) -> Response:
    """Return what takes a while to count."""
    return view.part("overview_numbers.html", **_counted(view))


def _lately(view: View, days: int, limit: int) -> Sequence[Memory]:
    """Return memories of the last days, newest first; of the latest alone, which are found without a look at all."""
    since = view.times.now - timedelta(days=days)
    return [one for one in view.agent.memories(limit=limit, newest_first=True) if one.created_at >= since]


def _counted(view: View) -> dict[str, Any]:
    stats = view.agent.stats()
    lately = _lately(view, _DAYS, _MOST_COUNTED)
    learned = sum(one.created_at >= view.times.now - timedelta(days=_WEEK) for one in lately)
    return {
        "stats": stats, "learned": learned, "is_cut": len(lately) == _MOST_COUNTED, "days": _growth(view, lately),
        "health": _health(view, stats), "review": view.agent.memories(review=True, limit=_MOST_REVIEWED),
        "most_reviewed": _MOST_REVIEWED, "kinds": sorted(stats.kinds.items(), key=lambda one: -one[1]),
        "most": max(stats.kinds.values(), default=1), "most_kinds": _KINDS,
    }  # fmt: skip


def _growth(view: View, lately: Sequence[Memory]) -> Sequence[Day]:
    """Return a day each, the latest last; those before the earliest that was counted whole are left out."""
    counts = Counter(view.times.local(one.created_at).date() for one in lately)
    today = view.times.local(view.times.now).date()
    days = [today - timedelta(days=before) for before in range(_DAYS - 1, -1, -1)]
    if len(lately) == _MOST_COUNTED:
        days = [one for one in days if one > min(counts)] or days[-1:]
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
