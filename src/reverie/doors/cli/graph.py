"""relate graph: who sees whom how, as a text, a picture, or a file for other programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from reverie.domain.relationship import Relationship
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.private_file import private_file
from reverie.doors.cli.trust import bar
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

COLUMNS = ("who", "type", "trust", "tone", "messages", "last spoke")

Everyone = Annotated[bool, typer.Option("--all", help="Of all agents of the bank, in one graph.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="As it stood then.")]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar="FILE", help="Write it as a picture; - is standard output.")
]
GraphMl = Annotated[
    str | None,
    typer.Option("--graphml", metavar="FILE", help="Write it for networkx, Gephi and the like; - as above."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")]


def graph(
    door: Door,
    everyone: Everyone = False,
    as_of: AsOf = None,
    svg: Svg = None,
    graphml: GraphMl = None,
    force: Force = False,
) -> Code:
    """Show who sees whom how: as text, as a picture (SVG), as GraphML, or with --json as nodes and links.

    For example:
      reverie relate graph --agent nova
      reverie relate graph --all --svg village.svg
      reverie relate graph --all --graphml village.graphml --as-of 2026-11-01

    Files are made for you alone (mode 0600). Exit code 1 if there is nobody to show.
    """
    if svg == graphml == "-":
        raise InvalidInput("--graphml", "standard output is taken by --svg", "write one of them to a file")
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        found = (
            reverie.relationship_graph(as_of=as_of) if everyone else agent.relationships.graph(as_of=as_of)
        )
        if svg is not None:
            from reverie.doors.cli.picture import picture

            _write(door, svg, picture(found), force=force)
        if graphml is not None:
            _write(door, graphml, found.to_graphml(), force=force)
        if door.out.as_json and "-" not in (svg, graphml):
            door.out.document(json.loads(found.to_json()))
        elif svg is None and graphml is None:
            _show(door, found, Watch.of(agent, as_of=as_of))
    return Code.DONE if found.views else Code.NOTHING


def row(seen: Relationship, watch: Watch) -> tuple[str, ...]:
    """A relationship in a table of ``COLUMNS``."""
    return (
        seen.other,
        seen.type if seen.assigned_at else "–",
        bar(seen.trust) if seen.assigned_at else "–",
        seen.tone or "–",
        f"{seen.interaction_count:,}",
        words.age(seen.last_met_at, watch.now) if seen.last_met_at else "never",
    )


def _show(door: Door, found: RelationshipGraph, watch: Watch) -> None:
    if not found.views:
        door.out.say("There are no relationships yet: `reverie relate assign` makes one.")
    for name, views in groupby(found.views, key=lambda view: view[0]):
        seen = [relationship for _, relationship in views]
        door.out.show(f"{name} {_knows(seen)}")
        door.out.show(*tables.fitting(COLUMNS, [row(one, watch) for one in seen], door.out.width))


def _knows(seen: Sequence[Relationship]) -> str:
    assigned = sum(one.assigned_at is not None for one in seen)
    met = len(seen) - assigned
    if not assigned:
        return f"has met {words.counted(met, 'other')}"
    return f"sees {words.counted(assigned, 'other')}" + (f" and has met {met:,} more" if met else "")


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
