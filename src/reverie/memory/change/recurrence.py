"""What recurs: the same thing said in several episodes on several days, and what sort of memory it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, tzinfo

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.language import asks, terms
from reverie.memory.dedupe import texts_differ

EVENTS = "events"
"""The conversation of events that the agent records, where it names no other."""

_LONGEST = 1_000  # characters: what is longer is a document, not something that is said again and again
_FEWEST_TERMS = 2


def is_event(episode: Episode) -> bool:
    """Return whether the agent recorded something that happened, and doesn't merely talk."""
    told = bool(episode.outcome or episode.tags or episode.conversation == EVENTS)
    return episode.role is Role.AGENT and told


def may_recur(episode: Episode) -> bool:
    """Return whether an episode can be one of several that say the same: a person's statement or the agent's event,
    neither a question nor a document, and of more than one telling word.
    """
    if episode.role is not Role.USER and not is_event(episode):
        return False
    text = episode.content
    return len(text) <= _LONGEST and not asks(text) and len(set(terms(text))) >= _FEWEST_TERMS


def says_the_same(one: Episode, other: Episode) -> bool:
    """Return whether two near episodes say one thing: by the same person, with the same outcome, and nothing that the
    duplicates' guard knows tells them apart.
    """
    if (one.role, one.speaker, one.outcome) != (other.role, other.speaker, other.outcome):
        return False
    return texts_differ(one.content, other.content) is None


def recurring(
    episodes: Iterable[Episode], zone: tzinfo, *, least: int, days: int
) -> tuple[Episode, ...] | None:
    """Return those of the episodes that make what they say recurring, in order of time: at least so many, on so many
    days of the agent's zone. None where it doesn't recur.

    Where the more trusted of them suffice, these alone: so nobody who repeats it lessens its trust. What was stored
    twice (same words, same moment) counts once.
    """
    once: dict[tuple[datetime, str], Episode] = {}
    for episode in sorted(episodes, key=lambda one: (one.time, one.id)):
        known = once.setdefault((episode.time, episode.content), episode)
        if episode.source_trust.rank < known.source_trust.rank:
            once[episode.time, episode.content] = episode
    for least_trust in SourceTrust:
        some = tuple(one for one in once.values() if one.source_trust.rank <= least_trust.rank)
        if len(some) >= least and len({day_of(one.time, zone) for one in some}) >= days:
            return some
    return None


def day_of(moment: datetime, zone: tzinfo) -> date:
    """Return the date of a moment in a zone."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:  # at the ends of the calendar some zones have no date
        return moment.date()


def event_of(events: Sequence[Episode]) -> tuple[str, tuple[str, ...]]:
    """Return the essence of an event that recurs, as its latest episode tells it, with its outcome; and the tags that
    all of them have.
    """
    latest = events[-1]
    shared = set(latest.tags).intersection(*(event.tags for event in events))
    told = latest.content.strip()
    if latest.outcome and latest.outcome.casefold() not in told.casefold():
        told = f"{told}: {latest.outcome}"
    return told, tuple(tag for tag in latest.tags if tag in shared)
