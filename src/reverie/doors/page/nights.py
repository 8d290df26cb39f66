"""Nights: what each sleep changed, with the messages that it rests on, and undoing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from reverie.domain.episode import Episode
from reverie.domain.memory import CONTRADICTS, Memory
from reverie.domain.sleep import Act, Applied, SleepReport
from reverie.doors.cli import words
from reverie.doors.page.frame import View
from reverie.doors.page.marking import differences
from reverie.errors import NotFound, NotRevertible

HEADS = {
    Act.LEARN: "Learned", Act.REVISE: "Changed", Act.RETIRE: "Retired", Act.CONTRADICT: "Contradicted",
    Act.FADE: "Faded", Act.REINFORCE: "Confirmed", Act.CONNECT: "Connected",
}  # fmt: skip
_NIGHTS = 12
_MOST_SOURCES = 3
_MOST_SHOWN = 200
_FIELDS = ("kind", "confidence", "state", "importance", "lesson", "valid_from", "valid_to")


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
    before = view.asked("before") or None
    found = view.agent.jobs.sleeps(limit=_NIGHTS + 1, before=before)
    nights = found[:_NIGHTS]
    stats = view.agent.stats()
    return view.page(
        "nights.html", nights=[(one, _counts(view.agent.jobs.diff(one.id))) for one in nights], unslept=stats.unslept,
        paused_at=stats.agent.paused_at, first=view.url("nights") if before else None,
        next=view.url("nights", before=nights[-1].id) if len(found) > _NIGHTS else None,
    )  # fmt: skip


def show(view: View) -> Response:
    """Show what one night changed."""
    report = view.agent.jobs.diff(view.value("id"))
    groups = [
        (head, act.value, [_shown(view, report, one) for one in changes[:_MOST_SHOWN]], len(changes))
        for act, head in HEADS.items()
        if (changes := _changes_of(report, act))
    ]
    return view.page("night.html", report=report, groups=groups, most=_MOST_SHOWN)


def ask_undo(view: View) -> Response:
    """Say what undoing it would do."""
    report = view.agent.jobs.diff(view.value("id"))
    force = view.asked("force") == "yes"
    try:
        planned, refused = view.agent.revert(report.sleep.id, force=force, dry_run=True), None
    except NotRevertible as error:
        planned, refused = None, error
    return view.page("night_undo.html", report=report, planned=planned, refused=refused, force=force)


def undo(view: View) -> Response:
    """Undo it."""
    id = view.value("id")
    try:
        done = view.agent.revert(id, force=view.given("force") == "yes")
    except NotRevertible as error:
        return view.slip(str(error), "nights", id, "undo")
    went, before = words.memories(len(done.removed)), words.memories(len(done.restored))
    left = words.counted(done.episodes, "message")
    return view.done(f"Undone: {went} removed, {before} as before, {left} to sleep on again.", "nights", id)


def sleep(view: View) -> Response:
    """Sleep now, on the next batch."""
    report = view.agent.sleep()
    if not report:
        return view.done("There is nothing to sleep on.", "nights")
    return view.done(f"It slept: {_counts(report)}.", "nights", report.sleep.id)


def _counts(report: SleepReport) -> str:
    done = [(len(_changes_of(report, act)), head.lower()) for act, head in HEADS.items()]
    done.append((len(report.sleep.rejected), "rejected"))
    return ", ".join(f"{count:,} {name}" for count, name in done if count) or "nothing changed"


def _changes_of(report: SleepReport, act: Act) -> Sequence[Applied]:
    """Return the changes of one sort, without the edges that repeat a contradiction."""
    if act is not Act.CONNECT:
        return report.of(act)
    told = {
        frozenset((one.target, str((one.after or {}).get("superseded_by"))))
        for one in report.of(Act.CONTRADICT)
    }
    return [one for one in report.of(act) if not _repeats(one, told)]


def _repeats(edge: Applied, told: set[frozenset[str]]) -> bool:
    after = edge.after or {}
    return after.get("relation") == CONTRADICTS and frozenset((edge.target, str(after.get("target")))) in told


def _shown(view: View, report: SleepReport, change: Applied) -> Shown:
    before, after = change.before or {}, change.after or {}
    sources = view.agent.jobs.sources(change.sources[:_MOST_SOURCES])
    other = after.get("superseded_by") if change.act is Act.CONTRADICT else after.get("target")
    worded = isinstance(before.get("essence"), str) and isinstance(after.get("essence"), str)
    changed_since = change.text is not None and change.now != change.text
    return Shown(
        change=change, sources=sources, more=max(0, len(change.sources) - _MOST_SOURCES),
        pieces=differences(str(before["essence"]), str(after["essence"])) if worded else (),
        fields=[] if change.act in (Act.LEARN, Act.CONNECT) else _fields(before, after),
        other=_text_of(view, report, other) if isinstance(other, str) else None,
        since=(change.now or "It is gone.") if changed_since else None,
    )  # fmt: skip


def _fields(before: Mapping[str, object], after: Mapping[str, object]) -> Sequence[tuple[str, str, str]]:
    return [
        (name.replace("_", " "), _said(before.get(name)), _said(after.get(name)))
        for name in _FIELDS
        if name in after and before.get(name) != after.get(name)
    ]


def _said(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _text_of(view: View, report: SleepReport, id: str) -> str:
    """Return what a memory says as this night left it."""
    told = {one.target: one.text for one in report.changes if one.text and one.act is not Act.CONNECT}
    if id in told:
        return str(told[id])
    try:
        found = view.agent.get(id)
    except NotFound:
        return id
    return found.essence if isinstance(found, Memory) else found.content
