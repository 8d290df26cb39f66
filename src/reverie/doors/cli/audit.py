"""audit: who changed what and when, with before and after."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.audit import AuditEntry
from reverie.doors.cli import options, tables
from reverie.doors.cli.codes import Code
from reverie.doors.cli.differences import told
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

_MOST = 1_000

Target = Annotated[str | None, typer.Argument(metavar="ID", help="Only what concerns this id.")]
Job = Annotated[str | None, typer.Option("--sleep", metavar="ID", help="Only what this sleep did.")]
Actor = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Only what this one did.")]
Actions = Annotated[
    options.Names,
    typer.Option("--action", metavar="ACT", help="Only such acts: revise, forget …; repeatable."),
]
Limit = Annotated[int, typer.Option("--limit", min=1, max=_MOST, help="At most so many entries.")]
Oldest = Annotated[bool, typer.Option("--oldest-first", help="In the order of time.")]
After = Annotated[str | None, typer.Option("--after", metavar="ID", help="Go on behind this entry.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "audit")(audit)


def audit(
    door: Door, id: Target = None, job: Job = None, actor: Actor = None, actions: Actions = None,
    since: options.Since = None, until: options.Until = None, limit: Limit = 20, oldest_first: Oldest = False,
    after: After = None,
) -> Code:  # fmt: skip
    """Show who changed what and when, with before and after; the latest first.

    For example:
      reverie audit
      reverie audit 0199c2f0-… --oldest-first
      reverie audit --action forget --since 2026-11-01

    Every write stands there but plain messages and counters. What was forgotten has left only the fact
    that it was. Exit code 1 if nothing is found.
    """
    with door.agent_opened() as agent:
        entries = agent.audit(
            target=id, job=job, actor=actor, actions=actions, since=since, until=until, limit=limit, after=after,
            newest_first=not oldest_first,
        )  # fmt: skip
        if door.out.as_json:
            door.out.document(entries)
        elif not entries:
            door.out.say("nothing like that was changed")
        else:
            watch = Watch.of(agent)
            for entry in entries:
                door.out.show(_lines(entry, watch))
            if len(entries) == limit:
                door.out.say(f"there may be more: --after {entries[-1].id}")
    return Code.DONE if entries else Code.NOTHING


def _lines(entry: AuditEntry, watch: Watch) -> str:
    facts = [watch.ago(entry.at), f"by {entry.actor}", *([f"in job {entry.job}"] if entry.job else [])]
    why = [f"because {entry.reason}"] if entry.reason else []
    return tables.block(
        f"{entry.action} {entry.target}",
        " · ".join(facts),
        *why,
        *told(entry.before, entry.after, watch),
        entry.id,
    )
