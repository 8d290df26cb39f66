"""rooms: conversations that several agents share, and an agent's dialogues with others (s4).

Each member has its own view of what is said: a row in its bank, which it may summarize or forget without the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.link import LINK_CHANNEL
from reverie.domain.message import MAX_AT_ONCE, Conversation, Message, Role
from reverie.domain.names import name_key
from reverie.domain.outcome import Observed
from reverie.domain.query import Filter
from reverie.domain.room import ROOM_CHANNEL, RoomView
from reverie.domain.text import at_most, checked_switch
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput, NotFound, NotHeard, ReverieError
from reverie.errors.showing import typed
from reverie.memory.society import conversations_due
from reverie.ports.store import Unit
from reverie.services.observe import observe, outbox
from reverie.services.prompt import meetings_of
from reverie.services.runtime import Desk, RecentEmbedder, read_again

_AT_ONCE = 500


def checked_members(members: object) -> tuple[str, ...]:
    """Return the ids of agents, each once, in their order; they need not have written anything. Raise InvalidInput."""
    if isinstance(members, str) or not isinstance(members, Iterable):
        raise InvalidInput("members", f"{typed(members)} is no list of agents", "give their ids")
    given = at_most(members, MAX_AT_ONCE, "members")
    ids = tuple(dict.fromkeys(checked_name(one, "members") for one in given))
    if not ids:
        raise InvalidInput("members", "there are none", "give the ids of the agents that take part")
    return ids


def say(
    desk: Desk,
    room: str,
    members: Sequence[str],
    speaker: str,
    content: str,
    *,
    time: datetime | str | None = None,
    ref: str | None = None,
    tags: Sequence[str] = (),
) -> Mapping[str, Observed]:
    """Have every member's bank observe the message, in a transaction of its own; the text is embedded once for all.

    A speaker who is a member, whatever the case of the name, is spoken of by its id. A time without a zone is read in
    the speaker's own where it is a member, else in UTC; without a time it is said now, and for all at once. What fails
    in one bank keeps it from no other. Raise InvalidInput and RefConflict (where that is so in every bank), NotHeard
    (some members have it and others don't; it says which and why).
    """
    who = _named(speaker, members)
    moment = desk.clock() if time is None else to_utc(time, zone=_zone(desk, who, members), field="time")
    said = Message(content=content, speaker=who, time=moment, ref=ref, tags=tuple(tags))
    once = replace(desk, embedder=RecentEmbedder(desk.embedder))
    stored: dict[str, Observed] = {}
    failed: dict[str, ReverieError] = {}
    with desk.dirty.waiting():
        for member in members:
            own = replace(said, role=Role.AGENT) if member == who else said
            try:
                outbox.flush_first(desk, member)
                stored[member] = observe(once, member, own, conversation=room, channel=ROOM_CHANNEL)
            except ReverieError as error:
                failed[member] = error
    if failed and not stored:
        raise next(iter(failed.values()))
    if failed:
        why = next(iter(failed.values()))
        raise NotHeard(room, stored, failed, moment, ref) from why
    return stored


def _named(speaker: object, members: Sequence[str]) -> str:
    """Return the speaker as the room knows it."""
    name = checked_name(speaker, "speaker")
    if name in members:
        return name
    return next((one for one in members if name_key(one) == name_key(name)), name)


def _zone(desk: Desk, speaker: str, members: Sequence[str]) -> tzinfo:
    return desk.zone(speaker) if speaker in members else UTC


@read_again
def rooms(
    desk: Desk, agent_id: str, *, with_: Sequence[str], channels: Sequence[str], since: datetime | str | None,
    until: datetime | str | None, limit: int, after: str | None, newest_first: bool,
) -> Sequence[RoomView]:  # fmt: skip
    """Return the agent's conversations in the order of their ids, or the latest first, a page at a time. Raise
    InvalidInput, NotFound (``after`` with ``newest_first``: nobody knows the place in time of what is gone).
    """
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    checked_switch(newest_first, "newest_first")
    if after is not None:
        checked_name(after, "after")
    others, on = _others(with_), [checked_name(one, "channels") for one in channels]
    first, last = _range(desk, agent_id, since, until)
    with desk.reading(agent_id) as unit:
        if newest_first and after is not None and unit.conversations.get(after) is None:
            raise NotFound("conversation", after)
        page = unit.conversations.own(
            among=None if others is None else _spoken_in(unit, others), channels=on, since=first, until=last,
            limit=limit, after=after, latest_first=newest_first,
        )  # fmt: skip
        if not page:
            return []
        # What came by links counts for nothing: it is no dialogue of this agent's.
        live = unit.summaries.rooms()
        soon = conversations_due(
            [(one.last_at, one.id, one.live) for one in live], desk.settings.self_care.live_entries
        )
        counts = {one.id: one.live for one in live}
        return [_view(unit, one, counts.get(one.id, 0), one.id in soon) for one in page]


def _view(unit: Unit, conversation: Conversation, live: int, is_due: bool) -> RoomView:
    closed = conversation.episodes - live
    made = unit.summaries.closed(conversation.id) if closed else ()
    return RoomView(
        conversation=conversation, live=live, closed=closed, summaries=tuple(one.memory_id for one in made),
        is_due=is_due,
    )  # fmt: skip


@read_again
def history(
    desk: Desk,
    agent_id: str,
    *,
    with_: Sequence[str],
    since: datetime | str | None,
    until: datetime | str | None,
    limit: int,
    newest_first: bool,
) -> Sequence[Episode]:
    """Return what was said with others, in order of (time, id) or its reverse; not what came by neural links. Raise
    InvalidInput.
    """
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    checked_switch(newest_first, "newest_first")
    others = _others(with_)
    first, last = _range(desk, agent_id, since, until)
    with desk.reading(agent_id) as unit:
        where = Filter(since=first, until=last)
        if others is not None:
            spoken = _spoken_in(unit, others)
            if not spoken:
                return []
            where = replace(where, conversations=frozenset(spoken))
        return _listed(unit, where, limit, newest_first=newest_first)


def _listed(unit: Unit, where: Filter, limit: int, *, newest_first: bool) -> Sequence[Episode]:
    found: list[Episode] = []
    after: str | None = None
    while len(found) < limit:
        page = unit.episodes.list(where, limit=max(limit, _AT_ONCE), after=after, newest_first=newest_first)
        found += [one for one in page if one.channel != LINK_CHANNEL]
        if len(page) < max(limit, _AT_ONCE):
            break
        after = page[-1].id
    return found[:limit]


def _range(
    desk: Desk, agent_id: str, since: datetime | str | None, until: datetime | str | None
) -> tuple[datetime | None, datetime | None]:
    zone = UTC if since is None and until is None else desk.zone(agent_id)
    first = None if since is None else to_utc(since, zone=zone, field="since")
    last = None if until is None else to_utc(until, zone=zone, field="until")
    if first is not None and last is not None and first >= last:
        raise InvalidInput("until", "it is not later than since", "give a range that has a length")
    return first, last


def _others(with_: Sequence[str]) -> frozenset[str] | None:
    """Return keys of names; None for everybody. Raise InvalidInput."""
    return frozenset(name_key(checked_name(one, "with_")) for one in with_) or None


def _spoken_in(unit: Unit, others: Collection[str]) -> Sequence[str]:
    """Return the conversations in which one of them has spoken, whatever the case of the name, in order of id."""
    names = {one.other for one in meetings_of(unit, others)}
    return unit.conversations.with_speakers(names) if names else []
