"""Diary: a month as a calendar, the page of a day, and a search."""

from __future__ import annotations

import json
from calendar import Calendar
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from reverie.doors.page.frame import View

_MOST = 50


def index(view: View) -> Response:
    """Show a month, and the page of the day that was chosen; or pages that hold some words."""
    query, day = view.asked("q"), view.asked("day")
    month = view.agent.diary.month(day[:7] or view.asked("month") or None)
    year, number = map(int, month.month.split("-"))
    first = date(year, number, 1)
    written = {one.date: one for one in month.days}
    values: dict[str, Any] = {
        "query": query, "month": month, "name": f"{first:%B} {year}", "written": written, "day": day,
        "weeks": Calendar().monthdatescalendar(year, number) if 1 < year < 9999 else [], "number": number,
        "before": (first - timedelta(days=1)).isoformat()[:7] if year > 1 else None,
        "behind": (first + timedelta(days=31)).isoformat()[:7] if year < 9999 else None,
        "page": view.agent.diary.page(day) if day in written else None, "said": _said,
        "found": view.agent.diary.search(query, limit=_MOST) if query else (),
        "today": view.times.local(view.times.now).date(),
    }  # fmt: skip
    return view.page("diary.html", **values)


def _said(body: Mapping[str, object]) -> str:
    """Return a note's words: its text, or whatever it holds, a line each."""
    text = body.get("text")
    if isinstance(text, str) and len(body) == 1:
        return text
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in body.items()
    )
