"""Attended: what a round of the memory loop did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Rejection(StrEnum):
    """Why a memory that a mind proposed was not kept."""

    MALFORMED = "malformed"
    """It is no proposal at all, or there are more than one snippet can carry."""
    SOURCES = "sources"
    """It names none, or one that the snippet doesn't hold."""
    STALE = "stale"
    """None of its sources is new: an earlier snippet held them all."""
    IMPORTANCE = "importance"
    """No number from 0 to 1."""
    UNIMPORTANT = "unimportant"
    """Under the floor (``Settings.loop.floor``)."""
    ACCOUNT = "account"
    """It tells hardly more than the number of a card or an account."""
    ESSENCE = "essence"
    """No text, none but white space, or too long."""
    LESSON = "lesson"
    """The same of the lesson."""
    KIND = "kind"
    """Not of the taxonomy."""
    EMOTIONS = "emotions"
    """More than three, or no distinct ones of the taxonomy."""
    LABELS = "labels"
    """Topics, entities or tags that can't be names, or too many of them."""
    UNSUPPORTED = "unsupported"
    """It shares no word with its sources, names of speakers aside, or says the other way round what they say."""
    MAY_NOT_INSTRUCT = "may not instruct"
    """A policy or a workflow that rests on somebody whose word is none."""
    FORGOTTEN = "forgotten"
    """Its text was forgotten on purpose."""
    KNOWN = "known"
    """A sleep has read its sources, and a memory that rests on them says it, or said it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Attended:
    """What one or more rounds did.

    ``conversations`` held something new and were looked at, ``snippets`` of them were read and are done.
    ``inserted`` are ids of new memories, ``reinforced`` of those that were there already, in the order of writing;
    ``rejected`` counts proposals that were not kept, by reason. ``skipped`` messages lay in no snippet, since too
    many came at once: sleep reads them. ``unread`` are ids of messages that the mind could not read and left out,
    each once. ``failures`` counts what went wrong and is tried again later. ``left``
    conversations still hold something new: the round was stopped, another process was faster, or there was too
    much for one round.
    """

    conversations: int = 0
    snippets: int = 0
    inserted: tuple[str, ...] = ()
    reinforced: tuple[str, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)
    skipped: int = 0
    unread: tuple[str, ...] = ()
    failures: int = 0
    left: int = 0

    def __add__(self, other: Attended) -> Attended:
        return Attended(
            conversations=self.conversations + other.conversations,
            snippets=self.snippets + other.snippets,
            inserted=self.inserted + other.inserted,
            reinforced=self.reinforced + other.reinforced,
            rejected=dict(Counter(self.rejected) + Counter(other.rejected)),
            skipped=self.skipped + other.skipped,
            unread=tuple(dict.fromkeys((*self.unread, *other.unread))),
            failures=self.failures + other.failures,
            left=self.left + other.left,
        )

    def __bool__(self) -> bool:
        """Return whether anything was done, or went wrong."""
        return bool(self.conversations or self.failures)


NOTHING = Attended()
