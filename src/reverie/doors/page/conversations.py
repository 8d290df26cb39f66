"""Conversations: the list, a search in what was said, and one to read, with what was kept marked in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from starlette.responses import Response

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, State
from reverie.domain.room import RoomView
from reverie.doors.page.frame import PAGE_SIZE, View, missing
from reverie.doors.page.marking import Pieces, marked
from reverie.doors.page.memory import receipt
from reverie.doors.page.times import day_behind
from reverie.errors import NotFound

_HITS = 30
_READ = 60
_BEFORE = 12
_MOST_KEPT = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A message with what was kept of it; ``day``: the date, where the message before is of another."""

    episode: Episode
    pieces: Pieces
    kept: Sequence[Memory]
    day: str | None


def index(view: View) -> Response:
    """Show conversations, the latest first, or the messages that answer a question."""
    query, since, until = (view.asked(name) for name in ("q", "since", "until"))
    chosen = {"since": since, "until": until}
    values: dict[str, Any] = {"query": query, "chosen": chosen, "filtered": bool(since or until)}
    first, last = view.times.read(since, "since"), view.times.read(day_behind(until) or "", "until")
    if query:
        values["found"] = view.agent.recall_episodes(query, limit=_HITS, since=first, until=last)
    else:
        rooms = view.agent.society.rooms(
            since=first, until=last, limit=PAGE_SIZE + 1, after=view.after, newest_first=True
        )
        values |= view.pager(rooms, "conversations", last=id_of, chosen=chosen)
    return view.either("conversations_found.html", "conversations.html", **values)


def id_of(room: RoomView) -> str:
    """Return the conversation's id."""
    return room.conversation.id


def show(view: View) -> Response:
    """Show what was said, with what was kept of each message."""
    id = view.value("id")
    page, is_first, is_last = _page(view, id)
    if not page:
        raise NotFound("conversation", id)
    kept = view.agent.memories(sources=[one.id for one in page], states=[*State], limit=_MOST_KEPT)
    return view.page(
        "conversation.html", id=id, said=_told(view, page, kept), at=view.asked("at"), channel=page[0].channel,
        start=None if is_first else view.url("conversations", id),
        earlier=None if is_first else view.url("conversations", id, before=page[0].id),
        later=None if is_last else view.url("conversations", id, after=page[-1].id),
        end=None if is_last else view.url("conversations", id, end="yes"),
    )  # fmt: skip


def _page(view: View, id: str) -> tuple[Sequence[Episode], bool, bool]:
    """Return messages, and whether they are the first and the last of the conversation."""

    def read(
        limit: int, *, after: str | None = None, newest_first: bool = False
    ) -> tuple[Sequence[Episode], bool]:
        found = view.agent.episodes(conversations=id, limit=limit + 1, after=after, newest_first=newest_first)
        return found[:limit], len(found) <= limit

    at, after, before = (view.asked(name) or None for name in ("at", "after", "before"))
    if at is not None and isinstance(about := view.agent.get(at), Episode) and about.conversation == id:
        earlier, is_first = read(_BEFORE, after=at, newest_first=True)
        later, is_last = read(_READ, after=at)
        return [*reversed(earlier), about, *later], is_first, is_last
    if before is not None or view.asked("end"):
        earlier, is_first = read(_READ, after=before, newest_first=True)
        return [*reversed(earlier)], is_first, before is None
    later, is_last = read(_READ, after=after)
    return later, after is None, is_last


def _told(view: View, page: Sequence[Episode], kept: Sequence[Memory]) -> Sequence[Told]:
    days = [None, *(view.times.day(one.time) for one in page)]
    found = []
    for episode, (last, day) in zip(page, pairwise(days), strict=True):
        mine = [one for one in kept if episode.id in one.source_episodes]
        quotes = [one.essence for one in mine if one.quoted is not None and one.quoted.episode == episode.id]
        found.append(
            Told(
                episode=episode,
                pieces=marked(episode.content, quotes),
                kept=mine,
                day=day if day != last else None,
            )
        )
    return found


def ask_forget(view: View) -> Response:
    """Say what goes with a message."""
    episode = _message(view)
    kept = view.agent.memories(sources=episode.id, states=[*State])
    return view.page(
        "message_forget.html", episode=episode, gone=[one for one in kept if len(one.source_episodes) == 1],
        kept=[one for one in kept if len(one.source_episodes) > 1],
    )  # fmt: skip


def forget(view: View) -> Response:
    """Forget a message, and show the receipt."""
    return receipt(view, view.agent.forget(_message(view).id))


def _message(view: View) -> Episode:
    found = view.agent.get(view.value("message"))
    if not isinstance(found, Episode):
        raise missing("that is no message")
    return found
