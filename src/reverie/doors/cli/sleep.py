"""sleep, sleeps, diff, revert: what the agent makes of its days, read in the morning, and undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.memory import CONTRADICTS, Memory
from reverie.domain.sleep import Act, Applied, Rejected, Reverted, SleepRecord, SleepReport
from reverie.doors.cli import selfcare, tables, words
from reverie.doors.cli.absent import absent
from reverie.doors.cli.agreeing import Yes, agreed
from reverie.doors.cli.codes import Code
from reverie.doors.cli.differences import BRIEF, told
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import NotFound, NotRevertible

if TYPE_CHECKING:
    from reverie.client import Agent

_HEADS = {
    Act.LEARN: "Learned",
    Act.REVISE: "Changed",
    Act.RETIRE: "Retired",
    Act.CONTRADICT: "Contradicted",
    Act.FADE: "Faded",
    Act.REINFORCE: "Confirmed",
    Act.CONNECT: "Connected",
}
_MOST_SOURCES = 3
_MOST_SHOWN = 20
_MOST_REPORTS = 3

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")]
Once = Annotated[bool, typer.Option("--once", help="One batch only, instead of all that waits.")]
Id = Annotated[
    str,
    typer.Argument(metavar="ID", help="A sleep's id (`reverie sleeps` lists them), or a self-care's."),
]
Force = Annotated[bool, typer.Option("--force", help="Drop later changes that depend on it, too.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1_000, help="At most so many.")]
Before = Annotated[str | None, typer.Option("--before", metavar="ID", help="Go on before this one.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    verb(app, "sleep")(sleep)
    verb(app, "sleeps")(sleeps)
    verb(app, "diff")(diff)
    verb(app, "revert")(revert)


def sleep(door: Door, dry_run: DryRun = False, once: Once = False) -> Code:
    """Make knowledge of what was said since the last sleep, and report it.

    For example:
      reverie sleep --agent mama
      reverie sleep --dry-run

    Each change is checked against the messages that it rests on, and all of a batch are applied at once or
    not at all. `reverie revert` undoes one exactly. Exit code 1 if there was nothing to sleep on.
    """
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        if dry_run or once:
            reports: Sequence[SleepReport] = [agent.sleep(dry_run=dry_run)]
        else:
            with door.out.progress("sleeping", 1) as advance:
                reports = agent.jobs.sleep_through(on_progress=advance)
        reports = [report for report in reports if report]
        if door.out.as_json:
            door.out.document({"sleeps": reports})
        elif not reports:
            door.out.say(absent(reverie, agent.id) or "nothing was said since the last sleep")
        most = _MOST_SHOWN if len(reports) <= _MOST_REPORTS else 0
        for report in () if door.out.as_json else reports:
            show(door, agent, report, most)
        if not door.out.as_json and len(reports) > _MOST_REPORTS:
            door.out.show("`reverie diff SLEEP` shows each in full")
    return Code.DONE if reports else Code.NOTHING


def sleeps(door: Door, limit: Limit = 20, before: Before = None) -> Code:
    """List past sleeps, the latest first.

    For example:
      reverie sleeps --agent mama

    Exit code 1 if there was none.
    """
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        found = agent.jobs.sleeps(limit=limit, before=before)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say(absent(reverie, agent.id) or "it has not slept yet")
        else:
            watch = Watch.of(agent)
            door.out.show(
                *(_head(record, watch, None, _counts(agent.jobs.diff(record.id))) for record in found)
            )
    return Code.DONE if found else Code.NOTHING


def diff(door: Door, sleep_id: Id) -> Code:
    """Show what one sleep changed, with before and after, and the messages that it rests on.

    For example:
      reverie diff 0199c2f0-…

    Of a self-care: its counts, and the summaries that it made. Exit code 1 if there is no such sleep.
    """
    with door.agent_opened() as agent:
        if selfcare.is_one(agent, sleep_id):
            selfcare.show_past(door, agent, sleep_id)
            return Code.DONE
        report = agent.jobs.diff(sleep_id)
        if door.out.as_json:
            door.out.document(report)
        else:
            show(door, agent, report)
    return Code.DONE


def revert(door: Door, sleep_id: Id, force: Force = False, dry_run: DryRun = False, yes: Yes = False) -> Code:
    """Undo one sleep or self-care exactly: what it made goes, what it changed is as it was.

    For example:
      reverie revert 0199c2f0-…
      reverie revert 0199c2f0-… --force --dry-run

    The messages of a sleep are slept on again; of a self-care, what its summaries stood for is active and
    live again. It refuses where later changes depend on it; --force drops these too,
    after it has shown them. What was forgotten since is never brought back. On a terminal you are asked
    first; elsewhere --yes is needed.
    """
    with door.agent_opened() as agent:
        caring = selfcare.is_one(agent, sleep_id)
        try:
            planned = agent.revert(sleep_id, force=force, dry_run=True)
        except NotRevertible:
            if not (caring or door.out.as_json):
                _say_changed(door, agent.jobs.diff(sleep_id))
            raise
        if not (dry_run or yes) and not _agreed(door, planned, caring=caring):
            door.out.say("Nothing was undone.")
            return Code.NOTHING
        done = planned if dry_run else agent.revert(sleep_id, force=force)
        if door.out.as_json:
            door.out.document(done)
        else:
            _show_reverted(door, done, caring=caring)
    return Code.DONE


def _say_changed(door: Door, report: SleepReport) -> None:
    """Both wordings of what says something else by now."""
    last = {one.target: one for one in report.changes if one.text is not None}
    for one in last.values():
        if one.now is not None and one.now != one.text:
            door.out.say(f"changed since: “{_cut(str(one.text))}” says now: “{_cut(one.now)}”")


def _agreed(door: Door, planned: Reverted, *, caring: bool) -> bool:
    """Whether the person at the terminal says yes. Raises InvalidInput where there is nobody to ask."""
    if planned.dropped:
        lines = "\n".join(f"  {line}" for line in planned.dropped)
        door.out.say(f"These later changes would be dropped:\n{lines}")
    gone = words.counted(len(planned.removed), *_made(caring=caring))
    back = f"{gone} removed, {words.memories(len(planned.restored))} as before it"
    return agreed(
        f"Undo this {'self-care' if caring else 'sleep'} ({back})?", "revert", warning=bool(planned.dropped)
    )


def _made(*, caring: bool) -> tuple[str, str]:
    return ("summary", "summaries") if caring else ("memory", "memories")


def _show_reverted(door: Door, done: Reverted, *, caring: bool) -> None:
    rows = [
        ("removed", words.counted(len(done.removed), *_made(caring=caring))),
        ("restored", words.memories(len(done.restored))),
        ("connections", f"{done.edges:,} gone"),
        *([] if caring else [("messages", f"{done.episodes:,} to be slept on again")]),
        *(("dropped", line) for line in done.dropped),
        *(("outside our reach", line) for line in done.elsewhere),
    ]
    head = f"{'would undo' if done.dry_run else 'undid'} {'self-care' if caring else 'sleep'} {done.id}"
    door.out.show(head, tables.pairs(rows))


def show(door: Door, agent: Agent, report: SleepReport, most: int | None = None) -> None:
    """Prints a report; of each sort of change ``most`` at most, none of them where that is 0."""
    watch, out = Watch.of(agent), door.out
    title = "a dry run: nothing was changed" if report.dry_run else None
    out.show(_head(report.sleep, watch, title, _counts(report)))
    if report.refused is not None:
        out.show(f"  refused as a whole: {report.refused}")
    for act, head in _HEADS.items():
        changes = _told_of(report, act)
        if changes and most != 0:
            out.show(
                f"{head} ({len(changes):,})",
                *(_change(agent, report, change, watch) for change in changes[:most]),
            )
            _more(door, report, len(changes[most:]) if most is not None else 0)
    if report.sleep.rejected and most != 0:
        lines = Counter(_rejected(one) for one in report.sleep.rejected)
        told = [f"  {line}{f' (×{count})' if count > 1 else ''}" for line, count in lines.items()]
        out.show(f"Rejected ({len(report.sleep.rejected):,})", *told[:most])
        _more(door, report, len(told[most:]) if most is not None else 0)
    for note in report.sleep.notes:
        out.show(f"  {note}")
    if report.review and report.refused is None:
        out.show(f"{words.memories(len(report.review))} to review: reverie list --review")
    if report.remaining:
        out.show(f"{words.counted(report.remaining, 'message')} left for the next sleep")


def _more(door: Door, report: SleepReport, count: int) -> None:
    if count > 0:
        door.out.show(f"  and {count:,} more: reverie diff {report.sleep.id}")


def _counts(report: SleepReport) -> str:
    """``2 learned, 1 changed``; what nothing was done of is left out."""
    done = [(len(_told_of(report, act)), head.lower()) for act, head in _HEADS.items()]
    done.append((len(report.sleep.rejected), "rejected"))
    return ", ".join(f"{count:,} {name}" for count, name in done if count) or "nothing changed"


def _told_of(report: SleepReport, act: Act) -> Sequence[Applied]:
    """The changes of one sort, without the edges that tell again what a contradiction tells."""
    if act is not Act.CONNECT:
        return report.of(act)
    told = {frozenset((one.target, winner)) for one in report.of(Act.CONTRADICT) if (winner := _winner(one))}
    return [one for one in report.of(act) if _contradicting(one) not in told]


def _winner(change: Applied) -> str | None:
    found = (change.after or {}).get("superseded_by")
    return found if isinstance(found, str) else None


def _contradicting(edge: Applied) -> frozenset[str]:
    after = edge.after or {}
    return (
        frozenset((edge.target, str(after.get("target"))))
        if after.get("relation") == CONTRADICTS
        else frozenset()
    )


def _rejected(one: Rejected) -> str:
    what = one.text or one.target or "(its words are no longer kept)"
    return f"{one.act}: {what}: {one.reason}"


def _change(agent: Agent, report: SleepReport, change: Applied, watch: Watch) -> str:
    if change.act is Act.CONNECT:
        return tables.block(f"  {_edge(agent, report, change)}")
    winner = _winner(change) if change.act is Act.CONTRADICT else None
    only = BRIEF if winner is None else BRIEF - {"superseded_by"}
    lines = [] if change.act is Act.LEARN else [*told(change.before, change.after, watch, only=only)]
    sources: Sequence[str] = change.sources
    if winner is not None:
        lines.insert(0, f"what holds: {_text_of(agent, report, winner)}")
        sources = sources or _evidence(agent, report, winner)
    said = [
        f"“{_cut(episode.content)}” ({tables.who(episode)}, {watch.time(episode.time)})"
        for episode in agent.jobs.sources(sources[:_MOST_SOURCES])
    ]
    more = len(sources) - _MOST_SOURCES
    return tables.block(
        f"  {change.text or '(forgotten since, or undone)'}",
        *_since(change),
        *lines,
        *([change.reason] if change.reason else []),
        *said,
        *([f"and {more:,} more"] if more > 0 else []),
        change.target,
    )


def _since(change: Applied) -> list[str]:
    """What has become of it, where it says something else by now."""
    if change.text is None or change.now == change.text:
        return []
    return ["since then: gone" if change.now is None else f"since changed, it says now: {change.now}"]


def _edge(agent: Agent, report: SleepReport, change: Applied) -> str:
    """Both ends as this sleep left them; those that a dry run would make are told in its report alone."""
    after = change.after or {}
    named = [_text_of(agent, report, id) for id in (change.target, str(after.get("target", "–")))]
    return f" — {after.get('relation', '–')} — ".join(named)


def _text_of(agent: Agent, report: SleepReport, id: str) -> str:
    """What a memory says as this sleep left it."""
    told = {one.target: one.text for one in report.changes if one.text and one.act is not Act.CONNECT}
    return _cut(told[id]) if id in told else _named(agent, id)


def _evidence(agent: Agent, report: SleepReport, id: str) -> Sequence[str]:
    """The messages that a memory rests on: those of this sleep, else its own."""
    tonight = [source for one in report.changes if one.target == id for source in one.sources]
    if tonight:
        return tonight
    try:
        found = agent.get(id)
    except NotFound:
        return ()
    return found.source_episodes if isinstance(found, Memory) else ()


def _named(agent: Agent, id: str) -> str:
    try:
        found = agent.get(id)
    except NotFound:
        return id
    return _cut(found.essence if isinstance(found, Memory) else found.content)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}…"


def _head(record: SleepRecord, watch: Watch, title: str | None = None, counts: str | None = None) -> str:
    spent = record.spent
    cost = [
        f"{words.counted(spent.calls, 'call')}, {spent.tokens:,} tokens"
        + (f", ${spent.micro_dollars / 1e6:.4f}" if spent.micro_dollars else "")
    ]
    facts = [
        words.counted(len(record.episodes), "message"), words.counted(record.clusters, "conversation"), record.mind,
        *(cost if spent.calls else ["no cost"]),
        *([f"undone {watch.ago(record.reverted_at)}"] if record.reverted_at else []),
        *([title] if title else []),
    ]  # fmt: skip
    lines = [watch.ago(record.started_at), " · ".join(facts), *([counts] if counts else [])]
    return tables.block(f"sleep {record.id}", *lines)
