"""self-care, summaries, expand: detail under summaries, and back."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.audit import Action
from reverie.domain.memory import Memory
from reverie.domain.room import Expanded
from reverie.domain.summary import SelfCareReport, Summary
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import NotFound

if TYPE_CHECKING:
    from reverie.client import Agent

_PAGE = 500
_ACTS = (Action.SELF_CARE, Action.SUMMARIZE, Action.CLOSE)
_MOST_SHOWN = 20
_GLIMPSE = 300

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="A summary's id; `reverie summaries` lists them.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=1_000, help="At most so many.")]
After = Annotated[
    str | None, typer.Option("--after", metavar="ID", help="The page after this one's last id.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    verb(app, "self-care")(self_care)
    verb(app, "summaries")(summaries)
    verb(app, "expand")(expand)


def self_care(door: Door, dry_run: DryRun = False) -> Code:
    """Relieve the agent of detail: observations in batches under summaries, conversations that are over closed.

    For example:
      reverie self-care --agent nova
      reverie self-care --dry-run

    Nothing is lost: a summary answers in place of what it stands for, `reverie expand` brings that back,
    and `reverie revert` undoes a self-care. It declines with too few observations, and away from home where
    the agent has one (`reverie profile`); that is no error.
    """
    with door.agent_opened() as agent:
        with door.out.progress("self-care", 1) as advance:
            report = agent.self_care(dry_run=dry_run, on_progress=advance)
        if door.out.as_json:
            door.out.document(report)
        elif report.declined is not None:
            door.out.show(f"nothing was done: {report.declined}")
            who = agent.profile
            if who.home is not None and who.location != who.home:
                door.out.say(f"once it is back: reverie profile --location {shlex.quote(who.home)}")
        else:
            show_report(door, agent, report)
    return Code.DONE


def summaries(door: Door, limit: Limit = 100, after: After = None) -> Code:
    """List the summaries, in the order of making, and what each stands for.

    For example:
      reverie summaries --agent nova

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        found = agent.summaries.list(limit=limit, after=after)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say("There are no summaries: `reverie self-care` makes them.")
        else:
            watch = Watch.of(agent)
            door.out.show(*(_lines(agent, summary, watch) for summary in found))
            if len(found) == limit:
                door.out.say(f"There may be more: --after {found[-1].memory_id}")
    return Code.DONE if found else Code.NOTHING


def expand(door: Door, id: Id) -> Code:
    """Show what a summary stands for: its memories or messages, in the order of time.

    For example:
      reverie expand 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    Nothing is changed. Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        found = agent.summaries.expand(id)
        if door.out.as_json:
            door.out.document(found)
        else:
            _show_expanded(door, found, Watch.of(agent))
    return Code.DONE


def show_report(door: Door, agent: Agent, report: SelfCareReport) -> None:
    """What a self-care did, or would do."""
    watch, out = Watch.of(agent), door.out
    if not report and not report.dry_run:
        out.show("nothing was to be done")
        return
    title = ["a dry run: nothing was changed"] if report.dry_run else []
    out.show(tables.block(f"self-care {report.id}", " · ".join([watch.ago(report.started_at), *title])))
    until = f", up to {watch.time(report.summarized_until)}" if report.summarized_until else ""
    batches, rooms = _summaries(report.batches), _summaries(report.conversations)
    after = "" if report.dry_run else f" → {report.tokens_after:,}"
    rows = [
        ("observations", f"{report.observations:,}"),
        ("tokens", f"{report.tokens_before:,}{after}"),
        ("summarized", f"{words.memories(report.summarized)} under {batches}" if report.batches else "–"),
        (
            "closed",
            f"{words.counted(report.closed, 'message')} under {rooms}{until}" if report.closed else "–",
        ),
    ]
    if report.unread:
        rows.append(("not read", ", ".join(report.unread)))
    out.show(tables.pairs(rows))
    if not report.dry_run:
        show_made(door, agent, report.id)
        out.say(
            f"`reverie expand ID` shows what a summary stands for; `reverie revert {report.id}` undoes it all"
        )


def is_one(agent: Agent, job: str) -> bool:
    """Whether that is a self-care's id."""
    return bool(agent.audit(job=job, actions=_ACTS, limit=1))


def show_past(door: Door, agent: Agent, job: str) -> None:
    """What a self-care did, as far as it is still there."""
    (*_, last) = agent.audit(job=job, actions=_ACTS, limit=1, newest_first=True)
    whole = agent.audit(job=job, actions=Action.SELF_CARE, limit=1)
    counts = dict(whole[0].after or {}) if whole else {}
    undone = bool(agent.audit(job=job, actions=Action.REVERT, limit=1))
    if door.out.as_json:
        made = list(made_by(agent, job))
        door.out.document({"self_care": job, "counts": counts, "undone": undone, "summaries": made})
        return
    facts = [Watch.of(agent).ago(last.at), *(["undone"] if undone else [])]
    door.out.show(tables.block(f"self-care {job}", " · ".join(facts)))
    door.out.show(tables.pairs([(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]))
    show_made(door, agent, job)


def show_made(door: Door, agent: Agent, job: str) -> None:
    """The summaries that a self-care made and that are there still."""
    watch, out = Watch.of(agent), door.out
    made = list(made_by(agent, job))
    shown = made[:_MOST_SHOWN]
    for head, closing in (("Summarized", False), ("Closed", True)):
        lines = [_lines(agent, one, watch) for one in shown if (one.conversation is not None) is closing]
        if lines:
            out.show(head, *(f"  {line}".replace("\n", "\n  ") for line in lines))
    if len(made) > len(shown):
        out.show(f"  and {len(made) - len(shown):,} more: reverie summaries --after {shown[-1].memory_id}")


def made_by(agent: Agent, job: str) -> Iterator[Summary]:
    """The summaries of one self-care, in the order of making."""
    after: str | None = None
    while page := agent.summaries.list(limit=_PAGE, after=after):
        yield from (summary for summary in page if summary.job == job)
        after = page[-1].memory_id


def _summaries(count: int) -> str:
    return words.counted(count, "summary", "summaries")


def _lines(agent: Agent, summary: Summary, watch: Watch) -> str:
    return tables.block(_told(agent, summary.memory_id), _stands_for(summary, watch), summary.memory_id)


def _stands_for(summary: Summary, watch: Watch) -> str:
    span = f"{watch.time(summary.began_at)} to {watch.time(summary.ended_at)}"
    if summary.conversation is None:
        return f"stands for {words.memories(summary.items)}, {span}"
    return f"stands for {words.counted(summary.items, 'message')} of {summary.conversation}, {span}"


def _told(agent: Agent, id: str) -> str:
    """The narrative's beginning, on one line."""
    try:
        memory = agent.get(id)
    except NotFound:
        return "(forgotten since)"
    line = " ".join((memory.essence if isinstance(memory, Memory) else memory.content).split())
    return line if len(line) <= _GLIMPSE else f"{line[: _GLIMPSE - 1]}…"


def _show_expanded(door: Door, found: Expanded, watch: Watch) -> None:
    door.out.show(tables.block(found.memory.essence, _stands_for(found.summary, watch), found.memory.id), "")
    door.out.show(*(tables.item_lines(one, watch) for one in (*found.memories, *found.episodes)))
