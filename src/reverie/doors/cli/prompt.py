"""What enters a prompt: context, window, and the soul."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from reverie.domain.block import ContextBlock, Entered, Layer, LeftOut, Reason
from reverie.domain.memory import Memory
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.files import read_file
from reverie.doors.cli.options import Channel, Names, Override, Samples, Text, With, argument, option
from reverie.doors.cli.output import jsonable
from reverie.doors.formats.room import Room
from reverie.doors.here import from_here
from reverie.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from reverie.client import Agent

_MOST_TOLD = 20
AtPath = Annotated[Text, option("--path", "The file that is worked on, such as src/app.py.", "PATH")]

WHY: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.BUDGET: "doesn't fit into what was left of the budget",
        Reason.THRESHOLD: "has too little to do with the task, or is too little active",
        Reason.TRUST: "comes from a source that may not instruct",
        Reason.REVIEW: "waits for approval (reverie approve ID)",
        Reason.SCOPE: "holds for other paths, or for paths and none was given",
        Reason.VALIDITY: "isn't true now",
        Reason.LIMIT: "three procedures are enough, and five due goals",
        Reason.SHOWN: "stands in the prompt already",
    }
)


@command("context")
def context(
    door: Door,
    task: Annotated[Names, argument("TASK…", "What the prompt is about.")] = None,
    path: AtPath = None,
    conversation: Annotated[
        Text,
        option("--conversation", "Without a task: its last messages say what the prompt is about.", "ID"),
    ] = None,
    with_: With = None,
    max_tokens: Annotated[
        int | None, option("--max-tokens", "Tokens, besides the soul's own 500. Default: 800.", "N")
    ] = None,
    explain: Annotated[
        bool, option("--explain", "Show what entered, what was left out, and why, instead of the text.")
    ] = False,
) -> Code:
    """Print the context block for a prompt: who the agent is, standing instructions, what helps with the task.

    For example:
      reverie context "plan Anna's birthday dinner"
      reverie context "fix the login" --path src/login.py --max-tokens 400
      reverie context --conversation chat-1 --explain
      reverie context --with Kade --agent nova

    The text stands between markers, so that `reverie observe` recognises it and skips it. Without a task, a path and a
    conversation, it holds only what always enters. This counts as no access. An empty block is no error.
    """
    agent = door.opened()
    asked = " ".join(task) if task else None
    block = agent.context(
        asked, path=from_here(path), conversation=conversation, with_=with_, max_tokens=max_tokens
    )
    own = f", {block.identity_tokens:,} of them the soul's" if block.identity_tokens else ""
    spent = (
        f"{block.tokens:,} tokens{own}, of a budget of {block.max_tokens:,}"
        if block.text
        else "nothing enters"
    )
    if explain:
        code = door.tell(block, lambda: _explained(agent, block))
    else:
        code = door.tell(block, *([block.text] if block.text else []))
        if block.left_out:
            spent = f"{spent}; {len(block.left_out):,} left out (--explain tells why)"
    door.out.say(spent)
    return code


def _explained(agent: Agent, block: ContextBlock) -> Sequence[str]:
    parts = []
    for layer in Layer:
        entered = [one for one in block.entered if one.layer is layer]
        left = [one for one in block.left_out if one.layer is layer]
        if entered or left:
            lines = [*map(_entered, entered), *_left_out(agent, left)]
            head = f"{layer.value}: {len(entered):,} entered, {len(left):,} left out"
            parts.append(tables.block(head, *lines))
    return parts


def _entered(one: Entered) -> str:
    weight = "activation" if one.layer is Layer.BASELINE else "relevance × activation"
    told = "" if one.layer in (Layer.IDENTITY, Layer.PEOPLE, Layer.DUE) else f" · {weight} {one.score:.3f}"
    return tables.block(one.text, f"{words.counted(one.tokens, 'token')}{told} · {one.id}")


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
        found = agent.get(one.id)
    except NotFound:  # forgotten since
        return one.id
    return found.essence if isinstance(found, Memory) else found.content


@command("window")
def window(
    door: Door,
    max_tokens: Annotated[int, option("--max-tokens", "The model's window, the answer included.", "N")],
    file: Annotated[
        Text, argument("[FILE|-]", "Messages as for observe. Default: what the bank holds of --conversation.")
    ] = None,
    reserve: Annotated[
        float | None, option("--reserve", "The part that stays free for the answer. Default: 0.85.", "0..1")
    ] = None,
    system: Annotated[Text, option("--system", "The system prompt, before everything else.", "TEXT")] = None,
    path: AtPath = None,
    goals: Annotated[
        Names, option("--goal", "A goal, instead of those in the bank; repeatable.", "TEXT")
    ] = None,
    jobs: Annotated[Names, option("--job", "A scheduled job; repeatable.", "TEXT")] = None,
    conversation: Annotated[
        Text,
        option(
            "--conversation",
            "Which conversation of FILE, or for lines that name none; else of the bank.",
            "ID",
        ),
    ] = None,
    with_: With = None,
    channel: Channel = "api",
    samples: Samples = None,
) -> Code:
    """Show what a model would get for the next turn of a conversation.

    For example:
      reverie window chat.jsonl --max-tokens 100000
      reverie window --conversation plaza --max-tokens 100000 --agent nova
      tail -n 200 chat.jsonl | reverie window - --max-tokens 32000 --system "You are Mama." --json

    Of FILE nothing is stored but summaries of its older messages. The window holds the system prompt, who the agent is,
    memories that bear on the latest message, a summary of older messages, recent ones in full, goals and jobs, and what
    else happened in the last 24 hours. With --json, its parts, the list of messages for a chat API, and what was left
    out and why.
    """
    if file is None and conversation is None:
        raise InvalidInput("FILE", "there is none", "give a file, -, or --conversation for one of the bank")
    room = None if file is None else _read(door, file, conversation, channel, samples or ())
    messages = None if file is None else room.messages if room else ()
    made = door.opened().window(
        messages, max_tokens=max_tokens, reserve=reserve, system=system, path=from_here(path), goals=goals,
        jobs=jobs or (), with_=with_, conversation=room.conversation if room else conversation,
        channel=room.channel if room else channel,
    )  # fmt: skip
    parts = jsonable(made)
    assert isinstance(parts, dict)
    code = door.tell({"as_messages": made.as_messages(), **parts}, made.text)
    summarized = f", {words.counted(made.summarized, 'older message')} summarized" if made.summarized else ""
    full = words.counted(len(made.messages), "message")
    door.out.say(f"{made.token_count:,} of {made.budget:,} tokens: {full} in full{summarized}")
    for one in made.left_out[:_MOST_TOLD]:
        door.out.say(f"left out of {one.section}: {one.item} ({one.reason})")
    if len(made.left_out) > _MOST_TOLD:
        door.out.say(f"and {len(made.left_out) - _MOST_TOLD:,} more; --json names them")
    return code


def _read(
    door: Door, file: str, conversation: str | None, channel: str, samples: Sequence[str]
) -> Room | None:
    """Return the file's one conversation; None for an empty file."""
    with read_file(file, door) as stream:
        from reverie.doors.formats.messages import read_rooms

        rooms = read_rooms(stream, conversation=conversation or "main", channel=channel, chosen=samples)
    meant = [room for room in rooms if conversation in (None, room.conversation)]
    if len(meant) == 1 or not rooms:
        return meant[0] if meant else None
    names = sorted({room.conversation for room in rooms})
    if meant and len({room.conversation for room in meant}) == 1:
        raise InvalidInput("FILE", "one conversation comes on several channels", "give the lines of one")
    problem = "the file holds several conversations" if conversation is None else "it isn't in the file"
    raise InvalidInput("--conversation", problem, f"choose from {words.listed(names[:_MOST_TOLD])}")


@command("soul list")
def soul_list(door: Door) -> Code:
    """List the entries, oldest first.

    For example:
      reverie soul list --agent mama

    Exit code 1 if there is none.
    """
    agent = door.opened()
    watch = door.watch(agent)
    none = "The soul has no entries: `reverie soul add` adds one."
    return door.list(
        agent.soul.list(), lambda one: tables.block(one.text, watch.ago(one.created_at), one.id), none
    )


@command("soul show")
def soul_show(
    door: Door, refresh: Annotated[bool, option("--refresh", "Write it anew first.")] = False
) -> Code:
    """Show the self-portrait (soul.md): the soul's entries, then what the agent is sure of.

    For example:
      reverie soul show
      reverie soul show --refresh

    Each sleep writes it anew. With REVERIE_SOUL_FILE it is also a file, in which your own text survives.
    """
    agent = door.opened()
    notes = agent.soul.refresh() if refresh else ()
    text = agent.soul.portrait()
    code = door.tell({"portrait": text, "notes": notes}, text.rstrip())
    for note in notes:
        door.out.say(note)
    return code


@command("soul add")
def soul_add(
    door: Door, text: Annotated[str, argument("TEXT", "The conviction, in the agent's own words.")],
    override: Override = False,
) -> Code:  # fmt: skip
    """Add an entry to the agent's soul.

    For example:
      reverie soul add "I would rather ask than guess"

    Prints the id of the entry. An entry that exists is refused.
    """
    entry = door.opened(make=True).soul.add(text, override=override)
    return door.tell(entry, f"added {entry.id}")


@command("soul remove")
def soul_remove(door: Door, id: Annotated[str, argument("ID", "The entry's id.")]) -> Code:
    """Remove an entry from the agent's soul.

    For example:
      reverie soul remove 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    The audit log keeps that it existed. Exit code 1 if there is no such entry.
    """
    entry = door.opened().soul.remove(id)
    return door.tell(entry, f"removed {entry.id}: {entry.text}")
