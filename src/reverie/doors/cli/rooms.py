"""rooms, history: conversations with others, and what was said in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.outcome import Observed
from reverie.domain.room import RoomView
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Reverie

_COLUMNS = ("room", "channel", "live", "closed", "last", "participants")
_CHANNEL = "room"

With = Annotated[
    options.Names,
    typer.Option("--with", metavar="NAME", help="In which NAME has spoken; may be repeated."),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]
After = Annotated[
    str | None, typer.Option("--after", metavar="ROOM", help="The page after this one's last room.")
]
Newest = Annotated[bool, typer.Option("--newest", help="The newest first.")]
TheRoom = Annotated[str, typer.Argument(metavar="ROOM", help="The conversation's id.")]
Speaker = Annotated[str, typer.Argument(metavar="SPEAKER", help="Who says it, a member or anybody else.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="What is said.")]
Members = Annotated[
    options.Names,
    typer.Option(
        "--members",
        metavar="A,B",
        help="Agents that hear it; may be repeated. Default: those that have heard something in it before.",
    ),
]
Time = Annotated[str | None, typer.Option("--time", metavar="TIME", help="When. Default: now.")]
Ref = Annotated[
    str | None, typer.Option("--ref", metavar="ID", help="Your own id for it; a repetition is kept once.")
]
_ANYWHERE = ("bank", "unencrypted", "keyring", "as_json")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(name="rooms", rich_markup_mode="rich")
    verb(group, None)(rooms)
    verb(group, "say", shared=_ANYWHERE)(say)
    app.add_typer(group)
    verb(app, "history")(history)


def rooms(door: Door, with_: With = None, limit: Limit = 100, after: After = None) -> Code:
    """List the agent's conversations: who takes part, and how many messages are live or closed.

    For example:
      reverie rooms --agent nova --with Kade
      reverie rooms say plaza nova "The ferry leaves at six" --members nova,kade

    Closed messages stand under a summary: `reverie self-care` closes those that are due. Exit code 1 if
    there is none.
    """
    with door.agent_opened() as agent:
        found = agent.society.rooms(with_=with_, limit=limit, after=after)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say("No conversation here.")
        else:
            watch = Watch.of(agent)
            door.out.show(*tables.fitting(_COLUMNS, [_row(room, watch) for room in found], door.out.width))
            _advise(door, found, limit)
    return Code.DONE if found else Code.NOTHING


def say(
    door: Door,
    room: TheRoom,
    speaker: Speaker,
    text: Text,
    members: Members = None,
    time: Time = None,
    ref: Ref = None,
) -> Code:
    """Say something in a room: each member's bank keeps it, as its own view.

    For example:
      reverie rooms say plaza nova "The ferry leaves at six" --members nova,kade
      reverie rooms say plaza Anna "Wait for me!"

    Who says it may be a member or anybody else; to a member who says it, these are its own words.
    """
    named = _named(members)
    with door.opened(make=bool(named)) as reverie:
        heard_by = named or _before(reverie, room)
        if not heard_by:
            raise InvalidInput(
                "--members", f"nobody is in {room!r:.200} yet", "name its agents: --members a,b"
            )
        heard = reverie.room(room, heard_by).say(speaker, text, time=time, ref=ref)
        if door.out.as_json:
            door.out.document(heard)
        else:
            door.out.show(*_heard(heard))
    return Code.DONE


def history(
    door: Door,
    with_: With = None,
    since: options.Since = None,
    until: options.Until = None,
    limit: Limit = 100,
    newest: Newest = False,
) -> Code:
    """Show what was said in conversations with somebody, live and closed, in the order of time.

    For example:
      reverie history --agent nova --with Kade --since 2026-11-20
      reverie history --newest --limit 20

    Exit code 1 if there is nothing.
    """
    with door.agent_opened() as agent:
        found = agent.society.history(with_=with_, since=since, until=until, limit=limit, newest_first=newest)
        if door.out.as_json:
            door.out.document(found)
        elif not found:
            door.out.say("Nothing was said.")
        else:
            watch = Watch.of(agent)
            door.out.show(*(tables.item_lines(episode, watch) for episode in found))
            if len(found) == limit:
                door.out.say("There may be more: --since, --until and --limit choose")
    return Code.DONE if found else Code.NOTHING


def _row(view: RoomView, watch: Watch) -> tuple[str, ...]:
    room = view.conversation
    return (
        room.id,
        room.channel,
        f"{view.live:,}{' (due)' if view.is_due else ''}",
        f"{view.closed:,}",
        watch.time(room.last_at),
        words.listed(room.participants),
    )


def _advise(door: Door, found: Sequence[RoomView], limit: int) -> None:
    if any(room.is_due for room in found):
        door.out.say("What is due is closed under a summary by `reverie self-care`.")
    if len(found) == limit:
        door.out.say(f"There may be more: --after {found[-1].conversation.id}")


def _named(members: options.Names) -> list[str]:
    """Agents named one at a time or with commas."""
    return [name for each in members or () for part in each.split(",") if (name := part.strip())]


def _before(reverie: Reverie, room: str) -> list[str]:
    """The agents whose banks hold something that was said there."""
    return [
        id
        for id in reverie.agents()
        if reverie.agent(id).episodes(conversations=room, channels=_CHANNEL, limit=1)
    ]


def _heard(heard: Mapping[str, Observed]) -> list[str]:
    return [f"{member}: {_outcome(seen)}" for member, seen in heard.items()]


def _outcome(seen: Observed) -> str:
    if seen.stored:
        return f"heard ({seen.episode_ids[-1]})" if seen.episode_ids else "heard"
    if seen.queued:
        return "will hear it once the embedder works"
    if seen.forgotten:
        return "has forgotten this on purpose, and doesn't hear it again"
    return "has heard it already" if seen.known else "nothing that may be stored"
