"""list: what is in the bank, a page at a time, without asking a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.domain.message import Conversation
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.groups import Narrowing, given
from reverie.doors.cli.recall import refuse_foreign
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent

_COLUMNS = ("conversation", "channel", "messages", "last", "participants")


@dataclass(frozen=True, kw_only=True)
class What:
    """What to list and how much of it."""

    episodes: Annotated[bool, typer.Option("--episodes", help="List what was said.")] = False
    rooms: Annotated[bool, typer.Option("--conversations", help="List the conversations.")] = False
    match: Annotated[
        str | None, typer.Option("--match", metavar="WORDS", help="Only what has all these words.")
    ] = None
    deep: Annotated[
        bool, typer.Option("--deep", help="Superseded, inactive and summarized memories too.")
    ] = False
    review: Annotated[
        bool, typer.Option("--review", help="Only memories whose wording waits for approval.")
    ] = False
    newest: Annotated[bool, typer.Option("--newest", help="The newest messages first (with --episodes).")] = (
        False
    )
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")] = 100
    after: Annotated[
        str | None, typer.Option("--after", metavar="ID", help="The page after this one's last id.")
    ] = None


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "list")(listing)


def listing(door: Door, *, what: What, filters: Narrowing) -> Code:
    """List memories in the order of storing, messages in the order of time, or conversations.

    For example:
      reverie list --kind preference
      reverie list --episodes --match "vet Pixel" --newest
      reverie list --conversations
      reverie list --review

    Exit code 1 if there is nothing.
    """
    with door.agent_opened() as agent:
        return _show(door, _listed(agent, what, filters), Watch.of(agent), what.limit)


def _listed(agent: Agent, what: What, filters: Narrowing) -> Sequence[object]:
    page: dict[str, Any] = {"limit": what.limit, "after": what.after}
    of_memories = given(filters, ("kinds", "tags", "scope")) | {"deep": what.deep}
    if what.review:
        of_memories["review"] = True
    of_episodes = given(filters, ("conversations", "channels", "roles", "speakers"))
    both = given(filters, ("since", "until")) | {"match": what.match}
    if what.rooms:
        _refuse_any(both | of_memories | of_episodes | {"episodes": what.episodes, "newest": what.newest})
        return agent.conversations(**page)
    if what.episodes:
        refuse_foreign(of_memories, episodes=True)
        return agent.episodes(newest_first=what.newest, **page, **both, **of_episodes)
    refuse_foreign(of_episodes | {"newest": what.newest}, episodes=False)
    return agent.memories(**page, **both, **of_memories)


def _refuse_any(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value:
            raise InvalidInput(
                f"--{name}", "conversations aren't filtered", "leave it out, or list --episodes"
            )


def _show(door: Door, found: Sequence[object], watch: Watch, limit: int) -> Code:
    if door.out.as_json:
        door.out.document(found)
        return Code.DONE if found else Code.NOTHING
    if not found:
        door.out.say("Nothing here.")
        return Code.NOTHING
    if isinstance(found[0], Conversation):
        rows = [_conversation(room, watch) for room in found if isinstance(room, Conversation)]
        door.out.show(*tables.fitting(_COLUMNS, rows, door.out.width))
    else:
        door.out.show(*(tables.item_lines(item, watch) for item in found))
    if len(found) == limit:
        door.out.say(f"There may be more: --after {getattr(found[-1], 'id', '')}")
    return Code.DONE


def _conversation(room: Conversation, watch: Watch) -> tuple[str, ...]:
    return (
        room.id,
        room.channel,
        f"{room.episodes:,}",
        watch.time(room.last_at),
        words.listed(room.participants),
    )
