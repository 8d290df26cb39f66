"""Nights: what each sleep changed, with the messages that it rests on, and undoing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from starlette.responses import Response

from reverie.domain.episode import Episode
from reverie.domain.sleep import Act, Applied, SleepReport
from reverie.doors.cli import words
from reverie.doors.nights import HEADS, changes_of, counts, text_of
from reverie.doors.page.frame import View
from reverie.doors.page.marking import differences
from reverie.errors import NotRevertible

_NIGHTS = 12
_MOST_SOURCES = 3
_MOST_SHOWN = 200
_FIELDS = ("kind", "confidence", "state", "importance", "lesson", "valid_from", "valid_to")
_MOMENTS = ("valid_from", "valid_to")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A change as it is shown. ``pieces``: how a wording became another; ``other``: what a contradiction or an edge
    leads to; ``since``: what it says today, where that is something else.
    """

    change: Applied
    pieces: Sequence[tuple[str, str]] = ()
    fields: Sequence[tuple[str, str, str]] = ()
    sources: Sequence[Episode] = ()
    more: int = 0
    other: str | None = None
    since: str | None = None


def index(view: View) -> Response:
    """Show past nights, the latest first."""
    found = view.agent.jobs.sleeps(limit=_NIGHTS + 1, before=view.after)
    paged = view.pager(found, "nights", size=_NIGHTS)
    nights = [(one, counts([view.agent.jobs.diff(one.id)])) for one in paged["shown"]]
    return view.page("nights.html", paused_at=view.agent.profile.paused_at, **{**paged, "shown": nights})


def show(view: View) -> Response:
    """Show what one night changed."""
    report = view.agent.jobs.diff(view.value("id"))
    groups = [
        (head, act.value, [_shown(view, report, one) for one in changes[:_MOST_SHOWN]], len(changes))
        for act, head in HEADS.items()
        if (changes := changes_of(report, act))
    ]
    return view.page("night.html", report=report, groups=groups, most=_MOST_SHOWN)


def ask_undo(view: View) -> Response:
    """Say what undoing it, or one change of it, would do."""
    report = view.agent.jobs.diff(view.value("id"))
    change, force = view.asked("change") or None, view.asked("force") == "yes"
    try:
        planned = view.agent.revert(report.sleep.id, change=change, force=force, dry_run=True)
        refused = None
    except NotRevertible as error:
        planned, refused = None, error
    said = next((one for one in report.changes if one.id == change), None)
    return view.page(
        "night_undo.html", report=report, planned=planned, refused=refused, force=force, change=change,
        head=HEADS[said.act] if said else None, text=said.text if said else None,
    )  # fmt: skip


def undo(view: View) -> Response:
    """Undo it, or one change of it."""
    id, change = view.value("id"), view.given("change") or None
    try:
        done = view.agent.revert(id, change=change, force=view.given("force") == "yes")
    except NotRevertible as error:
        return view.slip(str(error), "nights", id, "undo", change=change)
    told = [
        f"{words.memories(len(done.removed))} removed" if done.removed else "",
        f"{words.memories(len(done.restored))} as before" if done.restored else "",
        f"{words.counted(done.edges, 'connection')} removed" if done.edges else "",
        f"{words.counted(done.episodes, 'message')} to sleep on again" if done.episodes else "",
    ]
    return view.done(f"Undone: {', '.join(filter(None, told)) or 'nothing of it was left'}.", "nights", id)


def sleep(view: View) -> Response:
    """Sleep now, on the next batch."""
    report = view.agent.sleep()
    if not report:
        return view.done("There is nothing to sleep on.", "nights")
    return view.done(f"It slept: {counts([report])}.", "nights", report.sleep.id)


def _shown(view: View, report: SleepReport, change: Applied) -> Shown:
    before, after = change.before or {}, change.after or {}
    sources = view.agent.jobs.sources(change.sources[:_MOST_SOURCES])
    other = after.get("superseded_by") if change.act is Act.CONTRADICT else after.get("target")
    worded = isinstance(before.get("essence"), str) and isinstance(after.get("essence"), str)
    changed_since = change.text is not None and change.now != change.text
    return Shown(
        change=change, sources=sources, more=max(0, len(change.sources) - _MOST_SOURCES),
        pieces=differences(str(before["essence"]), str(after["essence"])) if worded else (),
        fields=[] if change.act in (Act.LEARN, Act.CONNECT) else _fields(view, before, after),
        other=text_of(view.agent, report, other) if isinstance(other, str) else None,
        since=(change.now or "It is gone.") if changed_since else None,
    )  # fmt: skip


def _fields(
    view: View, before: Mapping[str, object], after: Mapping[str, object]
) -> Sequence[tuple[str, str, str]]:
    return [
        (name.replace("_", " "), _said(view, name, before.get(name)), _said(view, name, after.get(name)))
        for name in _FIELDS
        if name in after and before.get(name) != after.get(name)
    ]


def _said(view: View, name: str, value: object) -> str:
    if value is None:
        return "–"
    if name in _MOMENTS:
        return view.times.full(datetime.fromisoformat(str(value)))
    return f"{value:.2f}" if isinstance(value, float) else str(value)
