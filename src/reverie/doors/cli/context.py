"""context: the block for a prompt, and why it is as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.block import ContextBlock, Entered, Layer, LeftOut, Reason
from reverie.domain.memory import Memory
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from reverie.client import Agent

_MOST_TOLD = 20

Task = Annotated[
    options.Names,
    typer.Argument(metavar="TASK…", help="What the prompt is about, in quotes or not."),
]
AtPath = Annotated[
    str | None,
    typer.Option("--path", metavar="PATH", help="The file that is worked on, such as src/app.py."),
]
InConversation = Annotated[
    str | None,
    typer.Option(
        "--conversation", metavar="ID", help="Without a task: its last messages say what the prompt is about."
    ),
]
Budget = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", help="Tokens, beside the soul's own 500. Default: 800."),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", help="Show what entered, what was left out, and why, instead of the text."),
]

WHY: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.BUDGET: "doesn't fit into what was left of the budget",
        Reason.THRESHOLD: "has too little to do with the task, or is too little active",
        Reason.TRUST: "comes from a source that may not instruct",
        Reason.REVIEW: "waits for approval (reverie approve ID)",
        Reason.SCOPE: "holds for other paths, or for paths and none was given",
        Reason.VALIDITY: "isn't true now",
        Reason.LIMIT: "three procedures are enough",
    }
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "context")(context)


def context(
    door: Door,
    task: Task = None,
    path: AtPath = None,
    conversation: InConversation = None,
    with_: options.With = None,
    budget: Budget = None,
    explain: Explain = False,
) -> Code:
    """Print what should enter a prompt unasked: who the agent is, standing instructions, what helps with the task.

    For example:
      reverie context "plan Anna's birthday dinner"
      reverie context "fix the login" --path src/login.py --budget 400
      reverie context --conversation chat-1 --explain
      reverie context --with Kade --agent nova

    The text stands between markers, by which `reverie observe` knows it and passes it over. Without a task, a path
    and a conversation only what always enters does. Reading it touches nothing. An empty block is no error.
    """
    with door.agent_opened() as agent:
        asked = " ".join(task) if task else None
        with _own_path():
            block = agent.context(asked, path=path, conversation=conversation, with_=with_, budget=budget)
        if door.out.as_json:
            door.out.document(block)
        elif explain:
            _explain(door, agent, block)
        else:
            _show(door, block)
    return Code.DONE


@contextmanager
def _own_path() -> Iterator[None]:
    """A path that can't be used is --path, and not the bank's."""
    try:
        yield
    except InvalidInput as error:
        if error.field != "path":
            raise
        raise InvalidInput("--path", error.problem, error.remedy) from None


def _show(door: Door, block: ContextBlock) -> None:
    if block.text:
        door.out.show(block.text)
    left = f"; {len(block.left_out):,} left out (--explain tells why)" if block.left_out else ""
    door.out.say(f"{_spent(block)}{left}" if block.text else f"nothing enters{left}")


def _spent(block: ContextBlock) -> str:
    own = f", {block.identity_tokens:,} of them the soul's" if block.identity_tokens else ""
    return f"{block.tokens:,} tokens{own}, of a budget of {block.budget:,}"


def _explain(door: Door, agent: Agent, block: ContextBlock) -> None:
    for layer in Layer:
        entered = [one for one in block.entered if one.layer is layer]
        left = [one for one in block.left_out if one.layer is layer]
        if entered or left:
            lines = [*map(_entered, entered), *_left_out(agent, left)]
            door.out.show(
                tables.block(f"{layer.value}: {len(entered):,} entered, {len(left):,} left out", *lines)
            )
    door.out.say(_spent(block) if block.text else "nothing enters")


def _entered(one: Entered) -> str:
    cost = words.counted(one.tokens, "token")
    weight = "" if one.layer in (Layer.IDENTITY, Layer.PEOPLE) else f" · {_weight(one.layer)} {one.score:.3f}"
    return tables.block(one.text, f"{cost}{weight} · {one.id}")


def _weight(layer: Layer) -> str:
    return "activation" if layer is Layer.BASELINE else "relevance × activation"


def _left_out(agent: Agent, left: Sequence[LeftOut]) -> list[str]:
    lines = [
        tables.block(f"– {_essence(agent, one)}", f"{WHY[one.reason]} · {one.id}")
        for one in left[:_MOST_TOLD]
    ]
    more = len(left) - _MOST_TOLD
    return [*lines, f"– and {more:,} more; --json names them"] if more > 0 else lines


def _essence(agent: Agent, one: LeftOut) -> str:
    if one.layer is Layer.IDENTITY:
        return next((entry.text for entry in agent.soul.list() if entry.id == one.id), one.id)
    try:
        memory = agent.get(one.id)
    except NotFound:  # forgotten since
        return one.id
    assert isinstance(memory, Memory)
    return memory.essence
