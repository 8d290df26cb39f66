"""forget: out of the bank for good, with a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.memory import Memory
from reverie.domain.outcome import Forgot
from reverie.doors.cli import tables, words
from reverie.doors.cli.agreeing import Yes, agreed
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent

_TARGET = "What to forget (exactly one)"
_MOST_TOLD = 20


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "forget")(forget)


def forget(
    door: Door,
    id: Annotated[str | None, typer.Argument(metavar="ID", help="A memory or an episode.")] = None,
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", metavar="ID", help="A whole conversation.", rich_help_panel=_TARGET),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="TIME", help="What was said or learned from then on.", rich_help_panel=_TARGET
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until", metavar="TIME", help="What was said or learned before.", rich_help_panel=_TARGET
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All of this agent's.", rich_help_panel=_TARGET)
    ] = False,
    yes: Yes = False,
) -> Code:
    """Delete for good: rows, vectors, indexes, history. The same text isn't learned again.

    For example:
      reverie forget 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e
      reverie forget --conversation chat-1 --yes
      reverie forget --since 2026-11-20 --until 2026-11-21

    A memory takes along the messages that hold only it; a message the memories that rest on it
    alone. The receipt says what went, and which messages that are left still tell of it, as far as words
    show: an answer may have repeated it. On a terminal you are asked first; elsewhere --yes is needed.
    """
    if (
        sum((id is not None, conversation is not None, since is not None or until is not None, everything))
        != 1
    ):
        raise InvalidInput(
            "forget",
            "it needs exactly one target",
            "give an ID, --conversation, --since/--until or --everything",
        )
    with door.agent_opened() as agent:
        if not yes and not agreed(f"Forget {_what(agent, id, conversation, since, until)}?", "forget"):
            door.out.say("Nothing was forgotten.")
            return Code.NOTHING
        receipt = agent.forget(id, conversation=conversation, since=since, until=until, everything=everything)
        if door.out.as_json:
            door.out.document(receipt)
        else:
            door.out.show(tables.pairs(_receipt(receipt)))
    return Code.DONE


def _what(
    agent: Agent, id: str | None, conversation: str | None, since: str | None, until: str | None
) -> str:
    if id is not None:
        found = agent.get(id)
        return f"“{found.essence if isinstance(found, Memory) else found.content}”"
    if conversation is not None:
        return f"conversation {conversation!r} and what was learned from it alone"
    if since is not None or until is not None:
        return f"what {agent.id!r} heard and learned from {since or 'the beginning'} until {until or 'now'}"
    return f"everything that {agent.id!r} remembers"


def _receipt(receipt: Forgot) -> list[tuple[str, str]]:
    gone = (
        words.memories(len(receipt.memories)),
        words.counted(len(receipt.episodes), "message"),
        words.counted(len(receipt.conversations), "conversation"),
        *([words.counted(len(receipt.soul), "soul entry", "soul entries")] if receipt.soul else []),
        *([words.counted(len(receipt.diary), "diary page")] if receipt.diary else []),
        *([words.counted(len(receipt.relationships), "relationship")] if receipt.relationships else []),
        *([words.counted(len(receipt.summaries), "summary", "summaries")] if receipt.summaries else []),
        *([f"{receipt.queued:,} that waited for the embedder"] if receipt.queued else []),
    )
    return [
        ("forgotten", ", ".join(gone)),
        (
            "rewritten",
            words.counted(len(receipt.rewritten_episodes), "message") + " that held more than that",
        ),
        *_more(receipt),
        ("unlinked", words.memories(len(receipt.unlinked_memories)) + " that lost a source"),
        ("not learned again", words.counted(receipt.tombstones, "text")),
        *_still_told(receipt),
        ("outside our reach", words.listed(receipt.elsewhere)),
    ]


def _still_told(receipt: Forgot) -> list[tuple[str, str]]:
    """The messages that may tell of it still, by their ids."""
    missed = [
        ("still told", "not looked up, the bank could not be searched: try `reverie recall --episodes`")
    ]
    if not receipt.still_told:
        return [] if receipt.searched else missed
    shown, more = receipt.still_told[:_MOST_TOLD], len(receipt.still_told) - _MOST_TOLD
    count = words.counted(len(receipt.still_told), "message")
    head = f"{count} left, by the words: look with `reverie show ID`, then `reverie forget ID`"
    rows = [*([] if receipt.searched else missed), ("still told", head), *(("", id) for id in shown)]
    return [*rows, ("", f"and {more:,} more (all with --json)")] if more > 0 else rows


def _more(receipt: Forgot) -> list[tuple[str, str]]:
    """What a receipt seldom tells."""
    rows = []
    if receipt.whole_episodes:
        whole = words.counted(len(receipt.whole_episodes), "message")
        rows.append(("whole", f"{whole} that held more: the embedder failed"))
    if receipt.reactivated_memories or receipt.reopened_episodes:
        memories = words.memories(len(receipt.reactivated_memories))
        messages = words.counted(receipt.reopened_episodes, "message")
        rows.append(("no longer summarized", f"{memories}, {messages}"))
    if receipt.reworded_memories:
        rows.append(("reworded", words.memories(len(receipt.reworded_memories)) + " without it"))
    return rows
