"""How the agent sees others, agents and people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reverie.domain.relationship import RELATIONSHIP_TYPES, Relationship, View
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.files import private_file
from reverie.doors.cli.options import AsOf, Force, Override, Text, Yes, argument, option
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

_NOBODY = "It knows nobody yet: it meets others in conversations, or by `reverie relationships add`."
Other = Annotated[str, argument("OTHER", "An agent or a person, by name.")]


@command("relationships list")
def relationships_list(door: Door, as_of: AsOf = None) -> Code:
    """List everybody whom the agent knows, in order of name.

    For example:
      reverie relationships list --agent nova

    Exit code 1 if it knows nobody.
    """
    agent = door.opened()
    return door.table(agent.relationships.list(as_of=as_of), _columns(door.watch(agent)), _NOBODY)


@command("relationships show")
def relationships_show(door: Door, other: Other, as_of: AsOf = None) -> Code:
    """Show how the agent sees somebody, or saw them at a time.

    For example:
      reverie relationships show Kade
      reverie relationships show Kade --as-of 2026-11-01

    Exit code 1 if it has never met them, and nothing was assigned.
    """
    agent = door.opened()
    seen = agent.relationships.get(other, as_of=as_of)
    return door.tell(seen, lambda: [seen.other, tables.pairs(_facts(seen, door.watch(agent, as_of)))])


@command("relationships add")
def relationships_add(
    door: Door,
    other: Other,
    type_: Annotated[
        Text, option("--type", f"{', '.join(RELATIONSHIP_TYPES)}; or a word of your own.", "TYPE")
    ] = None,
    trust: Annotated[float | None, option("--trust", "From no trust at all to full trust.", "-1..1")] = None,
    tone: Annotated[Text, option("--tone", "How it feels, such as warm or wary.")] = None,
    rationale: Annotated[Text, option("--rationale", "Why, for the history.")] = None,
    notes: Annotated[Text, option("--notes", "What else to know.")] = None,
    override: Override = False,
) -> Code:
    """Set how the agent sees somebody from now on.

    For example:
      reverie relationships add Kade --type ally --trust 0.6 --tone warm --rationale "He kept his word"
      reverie relationships add Kade --trust -0.2 --rationale "He sold the map"

    What you don't give stays as it is. `reverie relationships history` shows each change.
    """
    agent = door.opened(make=True)
    seen = agent.relationships.assign(
        other, type=type_, trust=trust, tone=tone, rationale=rationale, notes=notes, override=override
    )
    return door.tell(seen, f"{agent.id} sees {seen.other} as {_in_words(seen)}")


@command("relationships remove")
def relationships_remove(door: Door, other: Other, yes: Yes = False) -> Code:
    """Forget what was set for somebody, with its history. What was said stays.

    For example:
      reverie relationships remove Kade

    On a terminal you are asked first; elsewhere --yes is needed. Exit code 1 if nothing was assigned.
    """
    agent = door.opened()
    known = agent.relationships.history(other)
    question = f"Forget how it sees {other} ({words.counted(len(known), 'view')})?"
    if known and not yes and not door.agreed(question, "relationships remove"):
        return door.declined("removed")
    seen = agent.relationships.remove(other)
    return door.tell(seen, f"removed {seen.other}, last seen as {_in_words(seen)}")


@command("relationships history")
def relationships_history(
    door: Door,
    other: Annotated[Text, argument("[OTHER]", "An agent or a person. Default: everybody.")] = None,
) -> Code:
    """Show how the agent's view of somebody changed, when and why, the oldest first.

    For example:
      reverie relationships history Kade
      reverie relationships history --json

    Exit code 1 if nothing was assigned.
    """
    agent = door.opened()
    watch = door.watch(agent)

    def line(view: View) -> str:
        why = [f"{name}: {text}" for name, text in (("why", view.rationale), ("notes", view.notes)) if text]
        return tables.block(f"{watch.time(view.at)}  {view.other}: {_in_words(view)}", *why)

    none = "Nothing was assigned: `reverie relationships add` does."
    return door.list(agent.relationships.history(other), line, none)


@command("relationships graph")
def relationships_graph(
    door: Door,
    everyone: Annotated[bool, option("--all", "Of all agents of the bank, in one graph.")] = False,
    as_of: AsOf = None,
    svg: Annotated[Text, option("--svg", "Write it as a picture; - is standard output.", "FILE")] = None,
    graphml: Annotated[
        Text, option("--graphml", "Write it for networkx, Gephi and the like.", "FILE")
    ] = None,
    force: Force = False,
) -> Code:
    """Show who sees whom how: as text, as a picture (SVG), as GraphML, or with --json as nodes and links.

    For example:
      reverie relationships graph --agent nova
      reverie relationships graph --all --svg village.svg
      reverie relationships graph --all --graphml village.graphml --as-of 2026-11-01

    Only you can read the files (mode 0600). Exit code 1 if there is nobody to show.
    """
    if svg == graphml == "-":
        raise InvalidInput("--graphml", "standard output is taken by --svg", "write one of them to a file")
    reverie = door.reverie()
    agent = reverie.agent(door.agent_id)
    found = reverie.relationship_graph(as_of=as_of) if everyone else agent.relationships.graph(as_of=as_of)
    if svg is not None:
        from reverie.doors.cli.picture import picture

        _write(door, svg, picture(found), force=force)
    if graphml is not None:
        _write(door, graphml, found.to_graphml(), force=force)
    if not found.views:
        door.out.say("There are no relationships yet: `reverie relationships add` makes one.")
    if "-" not in (svg, graphml) and (door.out.as_json or svg is graphml is None):
        door.tell(json.loads(found.to_json()), lambda: _graph(door, found, door.watch(agent, as_of)))
    return Code.DONE if found.views else Code.NOTHING


def _graph(door: Door, found: RelationshipGraph, watch: Watch) -> Sequence[RenderableType]:
    parts = list["RenderableType"]()
    for name, views in groupby(found.views, key=lambda view: view[0]):
        seen = [relationship for _, relationship in views]
        assigned = sum(one.assigned_at is not None for one in seen)
        met = len(seen) - assigned
        also = f" and has met {met:,} more" if met else ""
        told = f"sees {words.counted(assigned, 'other')}{also}"
        parts.append(f"{name} {told}" if assigned else f"{name} has met {words.counted(met, 'other')}")
        parts += door.rows(seen, _columns(watch))
    return parts


def _columns(watch: Watch) -> Mapping[str, Callable[[Relationship], str]]:
    return {
        "who": lambda seen: seen.other,
        "type": lambda seen: seen.type if seen.assigned_at else "–",
        "trust": lambda seen: words.trust(seen.trust) if seen.assigned_at else "–",
        "tone": lambda seen: seen.tone or "–",
        "messages": lambda seen: f"{seen.interaction_count:,}",
        "last spoke": lambda seen: words.age(seen.last_met_at, watch.now) if seen.last_met_at else "never",
    }


def _write(door: Door, place: str, text: str, *, force: bool) -> None:
    if place == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    with private_file(Path(place), overwrite=force) as stream:
        stream.write(text.encode())
    if not door.out.as_json:
        door.out.show(f"wrote {place}")


def _in_words(seen: Relationship | View) -> str:
    return ", ".join([seen.type, f"trust {seen.trust:+.2f}", *([seen.tone] if seen.tone else [])])


def _facts(seen: Relationship, watch: Watch) -> list[tuple[str, str]]:
    rows = [
        ("type", seen.type if seen.assigned_at else f"{seen.type} (nothing was assigned)"),
        ("trust", words.trust(seen.trust)),
        ("tone", seen.tone or "–"),
        ("why", seen.rationale or "–"),
        ("notes", seen.notes or "–"),
        *([("assigned", watch.ago(seen.assigned_at))] if seen.assigned_at is not None else []),
    ]
    if seen.first_met_at is None:
        return [*rows, ("met", "never in a conversation")]
    last = watch.ago(seen.last_met_at) if seen.last_met_at else "–"
    met = ("met", f"first {watch.ago(seen.first_met_at)}, last {last}")
    return [*rows, met, ("said", f"{words.counted(seen.interaction_count, 'message')} of theirs")]
