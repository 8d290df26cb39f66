"""remember: one insight into the agent's bank."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.outcome import Inserted, Queued, Reinforced, Remembered
from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.groups import Worth, given
from reverie.doors.cli.verb import verb

Essence = Annotated[str, typer.Argument(help="The insight, concise and factual.")]
Sources = Annotated[
    options.Names,
    typer.Option("--source", metavar="ID", help="An episode that it comes from; may be repeated."),
]
Supersedes = Annotated[
    options.Names,
    typer.Option("--supersedes", metavar="ID", help="A memory that it replaces; may be repeated."),
]
Pinned = Annotated[bool, typer.Option("--pinned", help="Never archive it.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "remember")(remember)


def remember(
    door: Door,
    essence: Essence,
    sources: Sources = None,
    supersedes: Supersedes = None,
    pinned: Pinned = False,
    time: options.Time = None,
    override: options.Override = False,
    *,
    worth: Worth,
) -> Code:
    """Keep an insight, or reinforce the memory that says the same.

    For example:
      reverie remember "Anna is allergic to nuts" --kind fact --importance 0.9
      reverie remember "Write, don't call before nine" --kind preference --lesson "Send a message first"

    Emotions and importance are judged from the text unless you name them, a lesson by a language model
    alone; without a judge they stay "not yet judged". The id of the memory is printed.
    """
    fields = given(worth) | {
        "source_episodes": sources or (),
        "supersedes": supersedes or (),
        "pinned": pinned,
        "time": time,
    }
    with door.agent_opened(make=True) as agent:
        show_outcome(door, agent.remember(essence, override=override, **fields))
    return Code.DONE


def show_outcome(door: Door, outcome: Remembered) -> None:
    """What became of an insight."""
    if door.out.as_json:
        door.out.document(_document(outcome))
        return
    match outcome:
        case Inserted(memory=memory, near=near):
            door.out.show(f"remembered {memory.id}")
            for other in near:
                door.out.say(f"close to {other}, but it says something else; both are kept")
        case Reinforced(memory=memory, similarity=similarity):
            door.out.show(f"reinforced {memory.id}")
            door.out.say(f"it said so already (similarity {similarity:.2f}): {memory.essence}")
        case Queued(memory=memory):
            door.out.show(f"queued {memory.id}")
            door.out.say(
                "the embedder fails just now: it waits in the bank, and is kept once the embedder works"
            )


def _document(outcome: Remembered) -> dict[str, object]:
    match outcome:
        case Inserted(memory=memory, near=near):
            return {"outcome": "inserted", "memory": memory, "near": near}
        case Reinforced(memory=memory, similarity=similarity):
            return {"outcome": "reinforced", "memory": memory, "similarity": similarity}
        case Queued(memory=memory):
            return {"outcome": "queued", "memory": memory}
