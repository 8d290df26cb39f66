"""goals: add, complete, reopen and list what is to be reached."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.goal import Goal
from reverie.doors.cli import options, tables
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

_HELP = """What the agent or its people want to reach.

A goal is a memory of kind goal, open until it is completed. Open goals stand in the agent's window."""

Text = Annotated[str, typer.Argument(help="What is to be reached.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The goal's id.")]
Note = Annotated[str | None, typer.Option("--note", help="What there is to say of it.")]
Achieved = Annotated[bool, typer.Option("--achieved", help="Those that were reached.")]


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "goals", _HELP)
    verb(group, "add")(add)
    verb(group, "complete")(complete)
    verb(group, "reopen")(reopen)
    verb(group, "list")(listing)


def add(
    door: Door,
    text: Text,
    importance: options.Importance = None,
    priority: options.PriorityOf = None,
    tags: options.TagsOf = None,
    override: options.Override = False,
) -> Code:
    """Keep a goal, or reinforce the one that says the same.

    For example:
      reverie goals add "Run the Lisbon marathon" --importance 0.8

    One that was completed before is open again.
    """
    with door.agent_opened(make=True) as agent:
        goal = agent.goals.add(
            text, importance=importance, priority=priority, tags=tags or (), override=override
        )
        _show(door, goal, "open")
    return Code.DONE


def complete(door: Door, id: Id, note: Note = None) -> Code:
    """Note that a goal is reached.

    For example:
      reverie goals complete 0199c2f0-… --note "in 4 h 12"

    Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        _show(door, agent.goals.complete(id, note=note), "achieved")
    return Code.DONE


def reopen(door: Door, id: Id) -> Code:
    """Open a goal again that was completed or archived.

    For example:
      reverie goals reopen 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        _show(door, agent.goals.reopen(id), "open")
    return Code.DONE


def listing(door: Door, achieved: Achieved = False) -> Code:
    """List the open goals, oldest first.

    For example:
      reverie goals list
      reverie goals list --achieved

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        goals = agent.goals.list(achieved=achieved)
        watch = Watch.of(agent)
        if door.out.as_json:
            door.out.document(goals)
        elif goals:
            door.out.show(*(_lines(goal, watch) for goal in goals))
        else:
            door.out.say("No goal was reached yet." if achieved else "No goal is open.")
    return Code.DONE if goals else Code.NOTHING


def _show(door: Door, goal: Goal, state: str) -> None:
    if door.out.as_json:
        door.out.document(goal)
    else:
        door.out.show(f"{state} {goal.id}: {goal.memory.essence}")


def _lines(goal: Goal, watch: Watch) -> str:
    facts = [goal.memory.priority.value, watch.ago(goal.memory.created_at)]
    reached = []
    if goal.achieved is not None:
        note = f": {goal.achieved.note}" if goal.achieved.note else ""
        reached = [f"achieved {watch.ago(goal.achieved.at)}{note}"]
    return tables.block(goal.memory.essence, " · ".join(facts), *reached, goal.id)
