"""relate: how the agent sees others, agents and people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.domain.relationship import RELATIONSHIP_TYPES, Relationship, View
from reverie.doors.cli import graph, options, tables, words
from reverie.doors.cli.agreeing import Yes, agreed
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.trust import bar
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

_HELP = """How the agent sees others: type, trust, tone, why, and notes.

How often they spoke, and since when they know each other, comes from conversations by itself."""

Other = Annotated[str, typer.Argument(metavar="OTHER", help="An agent or a person, by name.")]
OtherOrAll = Annotated[
    str | None,
    typer.Argument(metavar="[OTHER]", help="An agent or a person. Default: everybody.", show_default=False),
]
Type = Annotated[
    str | None,
    typer.Option("--type", metavar="TYPE", help=f"{', '.join(RELATIONSHIP_TYPES)}; or a word of your own."),
]
Trust = Annotated[
    float | None, typer.Option("--trust", metavar="-1..1", help="From wholly distrusted to wholly trusted.")
]
Tone = Annotated[str | None, typer.Option("--tone", help="How it feels, such as warm or wary.")]
Rationale = Annotated[str | None, typer.Option("--rationale", help="Why; it stands in the history.")]
Notes = Annotated[str | None, typer.Option("--notes", help="What else is to be known.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="As it stood then.")]


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "relate", _HELP)
    verb(group, "assign")(assign)
    verb(group, "show")(show)
    verb(group, "list")(listing)
    verb(group, "history")(history)
    verb(group, "remove")(remove)
    verb(group, "graph")(graph.graph)


def assign(
    door: Door,
    other: Other,
    type_: Type = None,
    trust: Trust = None,
    tone: Tone = None,
    rationale: Rationale = None,
    notes: Notes = None,
    override: options.Override = False,
) -> Code:
    """Say how the agent sees somebody from now on.

    For example:
      reverie relate assign Kade --type ally --trust 0.6 --tone warm --rationale "He kept his word"
      reverie relate assign Kade --trust -0.2 --rationale "He sold the map"

    What isn't given stays as it is. Each change stands in `reverie relate history`.
    """
    with door.agent_opened(make=True) as agent:
        seen = agent.relationships.assign(
            other, type=type_, trust=trust, tone=tone, rationale=rationale, notes=notes, override=override
        )
        if door.out.as_json:
            door.out.document(seen)
        else:
            door.out.show(f"{agent.id} sees {seen.other} as {_in_words(seen)}")
    return Code.DONE


def show(door: Door, other: Other, as_of: AsOf = None) -> Code:
    """Show how the agent sees somebody, or saw them then.

    For example:
      reverie relate show Kade
      reverie relate show Kade --as-of 2026-11-01

    Exit code 1 if it has never met them, and nothing was assigned.
    """
    with door.agent_opened() as agent:
        seen = agent.relationships.get(other, as_of=as_of)
        if door.out.as_json:
            door.out.document(seen)
        else:
            door.out.show(seen.other, tables.pairs(_facts(seen, Watch.of(agent, as_of=as_of))))
    return Code.DONE


def listing(door: Door, as_of: AsOf = None) -> Code:
    """List everybody whom the agent knows, in order of name.

    For example:
      reverie relate list --agent nova

    Exit code 1 if it knows nobody.
    """
    with door.agent_opened() as agent:
        found = agent.relationships.list(as_of=as_of)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say("It knows nobody yet: it meets others in conversations, or `reverie relate assign`.")
        else:
            watch = Watch.of(agent)
            rows = [graph.row(seen, watch) for seen in found]
            door.out.show(*tables.fitting(graph.COLUMNS, rows, door.out.width))
    return Code.DONE if found else Code.NOTHING


def history(door: Door, other: OtherOrAll = None) -> Code:
    """Show how the agent's view of somebody changed, when and why, the oldest first.

    For example:
      reverie relate history Kade
      reverie relate history --json

    Exit code 1 if nothing was assigned.
    """
    with door.agent_opened() as agent:
        found = agent.relationships.history(other)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say("Nothing was assigned.")
        else:
            door.out.show(*_changes(found, Watch.of(agent)))
    return Code.DONE if found else Code.NOTHING


def remove(door: Door, other: Other, yes: Yes = False) -> Code:
    """Forget what was assigned to somebody, history and all. What was said stays.

    For example:
      reverie relate remove Kade

    On a terminal you are asked first; elsewhere --yes is needed. Exit code 1 if nothing was assigned.
    """
    with door.agent_opened() as agent:
        known = agent.relationships.history(other)
        many = words.counted(len(known), "view")
        if known and not yes and not agreed(f"Forget how it sees {other} ({many})?", "relate remove"):
            door.out.say("Nothing was removed.")
            return Code.NOTHING
        seen = agent.relationships.remove(other)
        if door.out.as_json:
            door.out.document(seen)
        else:
            door.out.show(f"removed {seen.other}, last seen as {_in_words(seen)}")
    return Code.DONE


def _in_words(seen: Relationship | View) -> str:
    return ", ".join([seen.type, f"trust {seen.trust:+.2f}", *([seen.tone] if seen.tone else [])])


def _facts(seen: Relationship, watch: Watch) -> list[tuple[str, str]]:
    rows = [
        ("type", seen.type if seen.assigned_at else f"{seen.type} (nothing was assigned)"),
        ("trust", bar(seen.trust)),
        ("tone", seen.tone or "–"),
        ("why", seen.rationale or "–"),
        ("notes", seen.notes or "–"),
    ]
    if seen.assigned_at is not None:
        rows.append(("assigned", watch.ago(seen.assigned_at)))
    if seen.first_met_at is None:
        return [*rows, ("met", "never in a conversation")]
    last = watch.ago(seen.last_met_at) if seen.last_met_at else "–"
    spoken = words.counted(seen.interaction_count, "message")
    return [
        *rows,
        ("met", f"first {watch.ago(seen.first_met_at)}, last {last}"),
        ("said", f"{spoken} of theirs"),
    ]


def _changes(views: Sequence[View], watch: Watch) -> list[str]:
    return [
        tables.block(
            f"{watch.time(view.at)}  {view.other}: {_in_words(view)}",
            *([f"why: {view.rationale}"] if view.rationale else []),
            *([f"notes: {view.notes}"] if view.notes else []),
        )
        for view in views
    ]
