"""What the agent makes of its days: sleep, sleeps, revert, night."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from reverie.domain.host import HostQuestion
from reverie.domain.memory import Memory
from reverie.domain.sleep import Act, Applied, Rejected, Reverted, SleepRecord, SleepReport
from reverie.doors.cli import caring, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.files import read_text
from reverie.doors.cli.options import Before, DryRun, Limit, Text, Yes, argument, option
from reverie.doors.cli.watch import Watch
from reverie.doors.nights import HEADS, changes_of, counts, text_of, winner
from reverie.errors import InvalidInput, NotFound, NotRevertible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from reverie.client import Agent

_MOST_SOURCES = 3
_MOST_SHOWN = 20
_CUT = 100
_MOST_BYTES = 8 << 20
_NOTHING_SAID = "nothing was said since the last sleep"

SleepId = Annotated[str, argument("ID", "A sleep's id (`reverie sleeps list` shows them), or a self-care's.")]


@command("sleep")
def sleep(
    door: Door, dry_run: DryRun = False,
    once: Annotated[bool, option("--once", "One batch only, instead of all that waits.")] = False,
) -> Code:  # fmt: skip
    """Consolidate what was said since the last sleep, and report it.

    For example:
      reverie sleep --agent mama
      reverie sleep --dry-run

    Each change is checked against the messages that it rests on, and all changes of a batch are applied at once or
    not at all. `reverie revert` undoes a sleep exactly. Exit code 1 if there was nothing to sleep on.
    """
    agent = door.opened()
    if dry_run or once:
        reports: Sequence[SleepReport] = [agent.sleep(dry_run=dry_run)]
    else:
        with door.out.progress("sleeping") as advance:
            reports = agent.jobs.sleep_through(on_progress=advance)
    reports = [report for report in reports if report]
    if not reports:
        door.out.say(door.absent() or _NOTHING_SAID)
    door.tell({"sleeps": reports}, lambda: _reported(agent, reports, _MOST_SHOWN) if reports else [])
    return Code.DONE if reports else Code.NOTHING


@command("sleeps list")
def sleeps_list(door: Door, limit: Limit = 20, before: Before = None) -> Code:
    """List past sleeps, the latest first.

    For example:
      reverie sleeps list --agent mama

    Exit code 1 if there was none.
    """
    agent = door.opened()
    found, watch = agent.jobs.sleeps(limit=limit, before=before), door.watch(agent)
    return door.list(
        found, lambda one: _head(one, watch, counts([agent.jobs.diff(one.id)])), "it has not slept yet",
        limit=limit, more=lambda last: f"--before {last.id}",
    )  # fmt: skip


@command("sleeps show")
def sleeps_show(door: Door, sleep_id: SleepId) -> Code:
    """Show what one sleep changed, with before and after, and the messages that it rests on.

    For example:
      reverie sleeps show 0199c2f0-…

    Of a self-care: its counts, and the summaries that it made. `reverie revert SLEEP --change ID` undoes one change.
    Exit code 1 if there is no such sleep.
    """
    agent = door.opened()
    if caring.is_self_care(agent, sleep_id):
        return caring.show_past(door, agent, sleep_id)
    report = agent.jobs.diff(sleep_id)
    return door.tell(report, lambda: _reported(agent, [report], with_ids=True))


@command("revert")
def revert(
    door: Door, sleep_id: SleepId,
    change: Annotated[
        Text, option("--change", "Undo this change of the sleep alone (`reverie sleeps show` shows its id).", "ID")
    ] = None,
    force: Annotated[bool, option("--force", "Drop later changes that depend on it, too.")] = False,
    dry_run: DryRun = False, yes: Yes = False,
) -> Code:  # fmt: skip
    """Undo one sleep or self-care exactly: what it made is removed, what it changed is as it was.

    For example:
      reverie revert 0199c2f0-…
      reverie revert 0199c2f0-… --change 0199c2f1-…
      reverie revert 0199c2f0-… --force --dry-run

    The messages of a sleep wait for the next sleep again; what the summaries of a self-care stood for is active and
    live again. With --change the rest of the night stands, and its messages stay slept on. The command refuses where
    later changes depend on it; --force shows and drops these, too. What was forgotten since is never brought back. On a
    terminal you are asked first; elsewhere --yes is needed.
    """
    agent = door.opened()
    kind = "self-care" if caring.is_self_care(agent, sleep_id) else "sleep"
    made = "summary" if kind == "self-care" else "memory"
    try:
        planned = agent.revert(sleep_id, change=change, force=force, dry_run=True)
    except NotRevertible:
        if kind == "sleep" and not door.out.as_json:
            told = agent.jobs.diff(sleep_id).changes
            _say_changed(door, [one for one in told if change in (None, one.id)])
        raise
    if not (dry_run or yes):
        if planned.dropped:
            lines = "\n".join(f"  {line}" for line in planned.dropped)
            door.out.say(f"These later changes would be dropped:\n{lines}")
        removed = f"{words.counted(len(planned.removed), made)} removed"
        restored = f"{words.memories(len(planned.restored))} as before it"
        question = f"Undo this {'change' if change else kind} ({removed}, {restored})?"
        if not door.agreed(question, "revert", final=bool(planned.dropped)):
            return door.declined("undone")
    done = planned if dry_run else agent.revert(sleep_id, change=change, force=force)
    return door.tell(done, *_reverted(done, kind, made))


def _say_changed(door: Door, changes: Sequence[Applied]) -> None:
    """Say both wordings of what says something else by now."""
    last = {one.target: one for one in changes if one.text is not None}
    for one in last.values():
        if one.now is not None and one.now != one.text:
            door.out.say(f"changed since: “{_cut(str(one.text))}” says now: “{_cut(one.now)}”")


def _reverted(done: Reverted, kind: str, made: str) -> Sequence[RenderableType]:
    shows_messages = kind == "sleep" and (done.change is None or done.episodes)
    rows = [
        ("removed", words.counted(len(done.removed), made)),
        ("restored", words.memories(len(done.restored))),
        ("connections", f"{done.edges:,} removed"),
        *([("messages", f"{done.episodes:,} wait for the next sleep")] if shows_messages else []),
        *(("dropped", line) for line in done.dropped),
        *(("outside our reach", line) for line in done.elsewhere),
    ]
    what = f"{kind} {done.id}" if done.change is None else f"change {done.change}"
    return f"{'would undo' if done.dry_run else 'undid'} {what}", tables.pairs(rows)


@command("night")
def night(
    door: Door,
    apply: Annotated[
        Text, option("--apply", "Apply the answer in this file; - reads it from stdin.", "FILE")
    ] = None,
    id: Annotated[
        Text, option("--id", "The night that is answered, where the answer doesn't name it.", "ID")
    ] = None,
    max_tokens: Annotated[
        int | None,
        option("--max-tokens", "About how much text. Default: 8,000; one conversation at least.", "N"),
    ] = None,
) -> Code:
    """Sleep with the model of any chat: print the next night as a document, and apply the answer.

    For example:
      reverie night > night.md
      reverie night --apply answer.json
      pbpaste | reverie night --apply -

    The document has instructions, data and the JSON Schema of the answer: paste it into a chat with a model, and
    store the answer. Each change is checked as in any sleep, and `reverie revert` undoes it. What was refused is
    printed as a question: paste it into the same chat, and apply its answer, too. Only the latest night can be
    answered; an answer that comes twice or late changes nothing. The document takes what was said off this machine.
    Exit code 1 if nothing waits.
    """
    if apply is None:
        if id is not None:
            raise InvalidInput("--id", "there is no answer to apply", "give --apply FILE, too")
        return _ask(door, door.opened(), max_tokens)
    if max_tokens is not None:
        raise InvalidInput("--max-tokens", "an answer is applied as it is", "leave it out")
    answer = read_text(apply, door, "the answer", _MOST_BYTES)
    agent = door.opened()
    report = agent.host.apply_night(id, answer)
    question = [] if report.question is None else [f"\n{_document(report.question)}"]
    code = door.tell(report, lambda: [*_reported(agent, [report]), *question])
    if report.refused is not None:
        door.out.say("nothing was changed, and the night is open: ask for an answer with fewer changes")
    return code


def _ask(door: Door, agent: Agent, max_tokens: int | None) -> Code:
    asked = agent.host.night() if max_tokens is None else agent.host.night(max_tokens=max_tokens)
    if asked is None:
        door.tell(None)
        door.out.say(door.absent() or _NOTHING_SAID)
        return Code.NOTHING
    code = door.tell(asked, _document(asked))
    left = f"; {words.counted(asked.remaining, 'message')} left for the next" if asked.remaining else ""
    door.out.say(f"a night of {words.counted(asked.episodes, 'message')}{left}")
    return code


def _document(asked: HostQuestion) -> str:
    """Return the prompt, the data and the schema of the answer, which names its night."""
    named = f'Begin the object with `"night": "{asked.id}"`, so that it can be told which night it answers.'
    if asked.round > 1:
        return f"{asked.prompt.strip()}\n\n{named}\n\n{asked.text}"
    parts = dict(asked.schema)
    properties = parts.get("properties")
    if isinstance(properties, dict):
        required = parts.get("required")
        parts["properties"] = {"night": {"const": asked.id}, **properties}
        parts["required"] = ["night", *(required if isinstance(required, list) else ())]
    schema = f"```json\n{json.dumps(parts, ensure_ascii=False)}\n```"
    shape = f"# The answer's JSON Schema\n\n{named}\n\n{schema}"
    return f"{asked.prompt.strip()}\n\n{shape}\n\n# The data\n\n{asked.text}"


def _reported(
    agent: Agent, reports: Sequence[SleepReport], most: int | None = None, *, with_ids: bool = False
) -> list[RenderableType]:
    """Return the lines of one report with its changes, ``most`` of each sort, or the totals of several."""
    watch = Watch.of(agent)
    if len(reports) > 1:
        return _summed(reports)
    [report] = reports
    title = "a dry run: nothing was changed" if report.dry_run else None
    lines: list[RenderableType] = [_head(report.sleep, watch, counts(reports), title)]
    if report.refused is not None:
        lines.append(f"  refused as a whole: {report.refused}")
    sections = [
        (head, [_change(agent, report, one, watch, with_id=with_ids) for one in changes_of(report, act)[:most]],
         len(changes_of(report, act)))
        for act, head in HEADS.items()
    ]  # fmt: skip
    rejected = Counter(map(_rejected, report.sleep.rejected))
    told = [f"  {line}{f' (×{count})' if count > 1 else ''}" for line, count in rejected.items()][:most]
    for head, shown, count in (*sections, ("Rejected", told, len(report.sleep.rejected))):
        if count:
            lines += [f"{head} ({count:,})", *shown]
        if most is not None and count > most:
            lines.append(f"  and {count - most:,} more: reverie sleeps show {report.sleep.id}")
    return [*lines, *(f"  {note}" for note in report.sleep.notes), *_left(reports)]


def _summed(reports: Sequence[SleepReport]) -> list[RenderableType]:
    spent = [report.sleep.spent for report in reports]
    messages = words.counted(sum(len(report.sleep.episodes) for report in reports), "message")
    cost = _cost(sum(one.calls for one in spent), sum(one.tokens for one in spent),
                 sum(one.micro_dollars for one in spent))  # fmt: skip
    head = f"slept in {len(reports):,} batches"
    notes = dict.fromkeys(note for report in reports for note in report.sleep.notes)
    refused = [
        f"  {one.sleep.id} refused as a whole: {one.refused}" for one in reports if one.refused is not None
    ]
    shown = "`reverie sleeps list` lists them, and `reverie sleeps show ID` shows one in full"
    return [
        tables.block(head, f"{messages} · {reports[-1].sleep.mind} · {cost}", counts(reports)),
        *refused, *(f"  {note}" for note in notes), *_left(reports), shown,
    ]  # fmt: skip


def _left(reports: Sequence[SleepReport]) -> Iterable[str]:
    review = sum(len(report.review) for report in reports if report.refused is None)
    if review:
        yield f"{words.memories(review)} to review: reverie list --review"
    if reports[-1].remaining:
        yield f"{words.counted(reports[-1].remaining, 'message')} left for the next sleep"


def _rejected(one: Rejected) -> str:
    what = one.text or one.target or "(its words are no longer kept)"
    return f"{one.act}: {what}: {one.reason}"


def _change(agent: Agent, report: SleepReport, change: Applied, watch: Watch, *, with_id: bool) -> str:
    id = [f"change {change.id}"] if with_id else []
    undone = [f"undone {watch.ago(change.undone_at)}"] if change.undone_at else []
    if change.act is Act.CONNECT:  # both ends as this sleep left them; a dry run has them in its report alone
        after = change.after or {}
        ends = [_cut(text_of(agent, report, id)) for id in (change.target, str(after.get("target", "–")))]
        line = f" — {after.get('relation', '–')} — ".join(ends)
        return tables.block(f"  {line}", *undone, *id) if with_id else f"  {line}"
    holding = winner(change) if change.act is Act.CONTRADICT else None
    only = tables.BRIEF if holding is None else tables.BRIEF - {"superseded_by"}
    lines = (
        [] if change.act is Act.LEARN else [*tables.changes(change.before, change.after, watch, only=only)]
    )
    sources: Sequence[str] = change.sources
    if holding is not None:
        lines.insert(0, f"what holds: {_cut(text_of(agent, report, holding))}")
        sources = sources or _evidence(agent, report, holding)
    said = [
        f"“{_cut(episode.content)}” ({tables.who(episode)}, {watch.time(episode.time)})"
        for episode in agent.jobs.sources(sources[:_MOST_SOURCES])
    ]
    more = len(sources) - _MOST_SOURCES
    since = []
    if change.text is not None and change.now != change.text:
        since = ["since then: gone" if change.now is None else f"since changed, it says now: {change.now}"]
    return tables.block(
        f"  {change.text or '(forgotten since, or undone)'}",
        *since,
        *undone,
        *lines,
        *([change.reason] if change.reason else []),
        *said,
        *([f"and {more:,} more"] if more > 0 else []),
        change.target,
        *id,
    )


def _evidence(agent: Agent, report: SleepReport, id: str) -> Sequence[str]:
    """Return the messages that a memory rests on: those of this sleep, else its own."""
    tonight = [source for one in report.changes if one.target == id for source in one.sources]
    if tonight:
        return tonight
    try:
        found = agent.get(id)
    except NotFound:
        return ()
    return found.source_episodes if isinstance(found, Memory) else ()


def _cut(text: str) -> str:
    return words.one_line(text, _CUT)


def _cost(calls: int, tokens: int, micro_dollars: int) -> str:
    price = f", ${micro_dollars / 1e6:.4f}" if micro_dollars else ""
    return f"{words.counted(calls, 'call')}, {tokens:,} tokens{price}" if calls else "no cost"


def _head(record: SleepRecord, watch: Watch, counts: str, title: str | None = None) -> str:
    facts = [
        words.counted(len(record.episodes), "message"),
        words.counted(record.clusters, "conversation"),
        record.mind,
        _cost(record.spent.calls, record.spent.tokens, record.spent.micro_dollars),
        *([f"undone {watch.ago(record.reverted_at)}"] if record.reverted_at else []),
        *([title] if title else []),
    ]
    return tables.block(f"sleep {record.id}", watch.ago(record.started_at), " · ".join(facts), counts)
