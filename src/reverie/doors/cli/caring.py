"""Upkeep of memory: self-care, summaries, housekeeping, backfill, pause, resume, retry."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

from reverie.domain.audit import Action
from reverie.domain.housekept import Housekept
from reverie.domain.memory import Memory
from reverie.domain.outcome import Backfilled
from reverie.domain.summary import SelfCareReport, Summary
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.options import After, Agents, DryRun, Limit, argument
from reverie.doors.cli.output import Progress
from reverie.doors.cli.watch import Watch
from reverie.errors import NotFound

if TYPE_CHECKING:
    from rich.console import RenderableType

    from reverie.client import Agent, Reverie

_PAGE = 500
_ACTS = (Action.SELF_CARE, Action.SUMMARIZE, Action.CLOSE)
_MOST_SHOWN = 20
_GLIMPSE = 300
Done = TypeVar("Done")


@command("self-care")
def self_care(door: Door, dry_run: DryRun = False) -> Code:
    """Summarize old observations in batches, and close conversations that are over under summaries.

    For example:
      reverie self-care --agent nova
      reverie self-care --dry-run

    Nothing is lost: a summary answers in place of what it stands for, `reverie summaries show` shows that, and
    `reverie revert` undoes a self-care. It declines with too few observations, and away from home where the agent has
    one (`reverie profile`); that is no error.
    """
    agent = door.opened()
    with door.out.progress("self-care") as advance:
        report = agent.self_care(dry_run=dry_run, on_progress=advance)
    code = door.tell(report, lambda: _reported(agent, report))
    if report.declined is not None and agent.home is not None and agent.location != agent.home:
        door.out.say(f"once it is back: reverie profile --location {shlex.quote(agent.home)}")
    if report and report.declined is None and not report.dry_run:
        door.out.say(
            "`reverie summaries show ID` shows what a summary stands for;"
            f" `reverie revert {report.id}` undoes it all"
        )
    return code


@command("summaries list")
def summaries_list(door: Door, limit: Limit = 100, after: After = None) -> Code:
    """List the summaries, in the order of making, and what each stands for.

    For example:
      reverie summaries list --agent nova

    Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    return door.list(
        agent.summaries(limit=limit, after=after), lambda one: _lines(agent, one, watch),
        "There are no summaries: `reverie self-care` makes them.",
        limit=limit, more=lambda last: f"--after {last.memory_id}",
    )  # fmt: skip


@command("summaries show")
def summaries_show(
    door: Door, id: Annotated[str, argument("ID", "A summary's id; `reverie summaries list` shows them.")]
) -> Code:
    """Show what a summary stands for: its memories or messages, in the order of time.

    For example:
      reverie summaries show 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    Nothing is changed. Exit code 1 if there is no such id.
    """
    agent = door.opened()
    found, watch = agent.expand(id), door.watch(agent)
    head = tables.block(found.memory.essence, _stands_for(found.summary, watch), found.memory.id)
    items = [tables.item_lines(one, watch) for one in (*found.memories, *found.episodes)]
    return door.tell(found, head, "", *items)


def _reported(agent: Agent, report: SelfCareReport) -> list[RenderableType]:
    """Return what a self-care did, or would do."""
    if report.declined is not None:
        return [f"nothing was done: {report.declined}"]
    if not report and not report.dry_run:
        return ["there was nothing to do"]
    watch = Watch.of(agent)
    title = ["a dry run: nothing was changed"] if report.dry_run else []
    until = f", up to {watch.time(report.summarized_until)}" if report.summarized_until else ""
    batches, rooms = (words.counted(count, "summary") for count in (report.batches, report.conversations))
    after = "" if report.dry_run else f" → {report.tokens_after:,}"
    closed = f"{words.counted(report.closed, 'message')} under {rooms}{until}"
    rows = [
        ("observations", f"{report.observations:,}"),
        ("tokens", f"{report.tokens_before:,}{after}"),
        ("summarized", f"{words.memories(report.summarized)} under {batches}" if report.batches else "–"),
        ("closed", closed if report.closed else "–"),
        *([("not read", ", ".join(report.unread))] if report.unread else []),
    ]
    head = tables.block(f"self-care {report.id}", " · ".join([watch.ago(report.started_at), *title]))
    made = [] if report.dry_run else _made(agent, report.id, watch)
    return [head, tables.pairs(rows), *made]


def is_self_care(agent: Agent, job: str) -> bool:
    """Return whether that is a self-care's id."""
    return bool(agent.audit(job=job, actions=_ACTS, limit=1))


def show_past(door: Door, agent: Agent, job: str) -> Code:
    """Show what a self-care did, as far as it still exists."""
    (*_, last) = agent.audit(job=job, actions=_ACTS, limit=1, newest_first=True)
    whole = agent.audit(job=job, actions=Action.SELF_CARE, limit=1)
    counts = dict(whole[0].after or {}) if whole else {}
    undone = bool(agent.audit(job=job, actions=Action.REVERT, limit=1))
    watch = door.watch(agent)
    facts = [watch.ago(last.at), *(["undone"] if undone else [])]
    rows = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]
    document = {
        "self_care": job, "counts": counts, "undone": undone, "summaries": [*_made_by(agent, job)],
    }  # fmt: skip
    head = tables.block(f"self-care {job}", " · ".join(facts))
    return door.tell(document, lambda: [head, tables.pairs(rows), *_made(agent, job, watch)])


def _made(agent: Agent, job: str, watch: Watch) -> list[str]:
    """Return the summaries that a self-care made and that still exist."""
    made = [*_made_by(agent, job)]
    shown, parts = made[:_MOST_SHOWN], list[str]()
    for head, closing in (("Summarized", False), ("Closed", True)):
        lines = [_lines(agent, one, watch) for one in shown if (one.conversation is not None) is closing]
        parts += [head, *(f"  {line}".replace("\n", "\n  ") for line in lines)] if lines else []
    if len(made) > len(shown):
        more = len(made) - len(shown)
        parts.append(f"  and {more:,} more: reverie summaries list --after {shown[-1].memory_id}")
    return parts


def _made_by(agent: Agent, job: str) -> Iterator[Summary]:
    after: str | None = None
    while page := agent.summaries(limit=_PAGE, after=after):
        yield from (summary for summary in page if summary.job == job)
        after = page[-1].memory_id


def _lines(agent: Agent, summary: Summary, watch: Watch) -> str:
    try:
        memory = agent.get(summary.memory_id)
        text = words.one_line(memory.essence if isinstance(memory, Memory) else memory.content, _GLIMPSE)
    except NotFound:
        text = "(forgotten since)"
    return tables.block(text, _stands_for(summary, watch), summary.memory_id)


def _stands_for(summary: Summary, watch: Watch) -> str:
    span = f"{watch.time(summary.began_at)} to {watch.time(summary.ended_at)}"
    if summary.conversation is None:
        return f"stands for {words.memories(summary.items)}, {span}"
    return f"stands for {words.counted(summary.items, 'message')} of {summary.conversation}, {span}"


@command("housekeeping", shared=OF_BANK)
def housekeeping(door: Door, agents: Agents = None) -> Code:
    """Merge duplicate memories, archive stale ones, and keep what recurs.

    For example:
      reverie housekeeping
      reverie housekeeping --agent mama --bank team.bank

    Once a week is enough. Nothing is deleted, and each change is in the audit log. Archived memories are still found,
    but enter no prompt unasked; new evidence brings them back. If it is interrupted, run it again: it continues.
    """
    reverie = door.reverie()
    unpaused = list[str]()
    for agent_id in door.chosen(reverie, agents):
        if agents or door.agent or reverie.agent(agent_id).profile.paused_at is None:
            unpaused.append(agent_id)
        else:
            door.out.say(f"{agent_id} is paused: skipped; `reverie resume --agent {agent_id}` lifts it")
    done = of_each(
        door, reverie, unpaused, "housekeeping", lambda one, told: one.housekeeping(on_progress=told)
    )
    rows = [{"agent_id": id, "done": one} for id, one in done.items()]
    shown = [part for id, one in done.items() for part in (f"{id}:", tables.pairs(_housekept(one)))]
    return door.tell({"agents": rows}, *(shown or ["The bank has no agents: there was nothing to do."]))


def of_each(
    door: Door, reverie: Reverie, agents: Sequence[str], what: str, work: Callable[[Agent, Progress | None], Done]
) -> dict[str, Done]:  # fmt: skip
    """Do a long job for each agent, behind a bar, and return what came out by agent."""
    done: dict[str, Done] = {}
    for agent_id in agents:
        with door.out.progress(f"{what} {agent_id}") as advance:
            done[agent_id] = work(reverie.agent(agent_id), advance)
    return done


def _housekept(done: Housekept) -> list[tuple[str, str]]:
    promoted = sum(not one.known for one in done.promoted)
    rows = [
        ("merged", words.counted(len(done.merged), "pair")),
        ("archived", words.memories(len(done.archived))),
        ("promoted", words.memories(promoted)),
        ("reinforced", words.memories(len(done.promoted) - promoted)),
        *([("restored", words.memories(len(done.restored)))] if done.restored else []),
        ("faded", f"{words.memories(done.faded)}, {done.unsure:,} of all below 0.3"),
        ("looked at", f"{words.memories(done.memories)}, {words.counted(done.episodes, 'new message')}"),
        *([("not read", ", ".join(done.unread))] if done.unread else []),
    ]
    return rows + [("left", f"{count:,} {why}") for why, count in done.passed_over.items()]


@command("backfill", shared=OF_BANK)
def backfill(door: Door, agents: Agents = None) -> Code:
    """Judge emotions, lesson and importance of memories that lack one.

    For example:
      reverie backfill
      reverie backfill --agent mama --bank team.bank

    A memory lacks one if it was stored before there was a judge, or if the value was cleared. Nothing else of it
    changes; each change is in the audit log. If it is interrupted, run it again: it continues.
    """
    reverie = door.reverie()
    chosen = door.chosen(reverie, agents)
    done = of_each(door, reverie, chosen, "judging", lambda one, told: one.backfill(on_progress=told))
    rows = [{"agent_id": id, "judged": one.judged, "left": one.left} for id, one in done.items()]
    lines = [f"{id}: {_judged(one)}" for id, one in done.items()]
    return door.tell({"agents": rows}, *(lines or ["The bank has no agents: there was nothing to judge."]))


def _judged(done: Backfilled) -> str:
    left = f"; {words.memories(done.left)} still without" if done.left else ""
    return f"{words.memories(done.judged)} judged{left}"


@command("pause")
def pause(door: Door) -> Code:
    """Stop an agent's background jobs and capture.

    For example:
      reverie pause --agent mama

    Messages are stored as they are, and recall goes on. It holds over restarts, for every process, until `reverie
    resume`.
    """
    agent = _known(door)
    profile = agent.pause()
    return door.tell(profile, f"{agent.id} is paused since {door.watch(agent).time(profile.paused_at)}")


@command("resume")
def resume(door: Door) -> Code:
    """Lift a pause.

    For example:
      reverie resume --agent mama

    The next sleep and the next round of the memory loop read what was said meanwhile.
    """
    agent = _known(door)
    return door.tell(agent.resume(), f"{agent.id} is awake")


def _known(door: Door) -> Agent:
    reverie = door.reverie()
    [agent_id] = door.chosen(reverie, [door.agent_id])
    return reverie.agent(agent_id)


@command("retry")
def retry(door: Door) -> Code:
    """Let jobs that failed and were parked be tried again at the next chance.

    For example:
      reverie retry --agent mama

    `reverie stats` shows what is parked, and why. A `reverie sleep` by hand tries at once anyway. Exit code 1 if
    nothing is parked.
    """
    count = door.opened().retry()
    if not count:
        door.out.say("nothing is parked")
    parked = words.counted(count, "parked job or conversation", "parked jobs and conversations")
    return door.tell(
        {"retried": count}, *([f"{parked} free"] if count else []), code=Code.DONE if count else Code.NOTHING
    )
