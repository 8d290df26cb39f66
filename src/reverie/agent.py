"""Agent: one agent's memory, the door to everything that can be done with it. Thin: each method checks nothing and
decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import cast

from reverie.domain import agent as profiles
from reverie.domain.ask import Ask, filter_of
from reverie.domain.audit import AuditEntry
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.message import Conversation
from reverie.domain.outcome import Backfilled, Forgot, Observed, Remembered
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.revision import Revision
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.services import (
    backfill,
    forget,
    look,
    observe,
    profile,
    recall,
    remember,
    revise,
    stats,
    transfer,
)
from reverie.services.desk import Desk

Moment = datetime | str
Names = str | Iterable[str] | None
Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""


class Agent:
    """One agent's memory. Made by ``Reverie.agent``; cheap, holds no state of its own."""

    def __init__(self, desk: Desk, id: str, *, actor: str) -> None:
        self._desk = desk
        self._actor = actor
        self.id = id

    def observe(
        self,
        messages: object,
        *,
        conversation: str = "main",
        channel: str = "api",
        override: bool = False,
        on_progress: Progress | None = None,
    ) -> Observed:
        """Stores what was said, at the end of a conversation.

        ``messages``: one or many Messages, mappings with their fields, or plain texts (said by the user). A
        message with a ``ref`` that the conversation holds already is passed over, so a batch may be
        observed again after a crash; so is one that was forgotten, unless ``override``. Raises InvalidInput,
        RefConflict.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     seen = reverie.agent("mama").observe([
        ...         {"speaker": "Anna", "content": "I moved to Lisbon last week!", "ref": "m1"},
        ...         {"role": "assistant", "content": "Congratulations! How is it?", "ref": "m2"},
        ...     ], conversation="chat-1")
        ...     seen.stored
        2
        """
        return observe.observe(
            self._desk, self.id, messages, conversation=conversation, channel=channel, override=override,
            progress=on_progress,
        )  # fmt: skip

    def remember(self, essence: str, *, override: bool = False, **fields: object) -> Remembered:
        """Keeps one insight, or reinforces the memory that says the same.

        ``fields`` are those of ``Draft``: kind, lesson, emotions, importance, priority, confidence, scope,
        tags, topics, entities, source_episodes, supersedes, source_trust, pinned, time, valid_from, valid_to,
        origin.
        Emotions that aren't given are judged by the built-in classifier, unless ``Settings.emotions`` is False.
        ``supersedes``: ids of memories that this one replaces. ``override`` lets a text be learned that was
        forgotten. Raises InvalidInput, Forgotten, NotFound (a source episode, a superseded memory).

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     first = mama.remember("Anna's train leaves at 7:40")
        ...     again = mama.remember("Anna's train leaves at 7:40.")
        ...     other = mama.remember("Anna's train leaves at 8:40")
        ...     type(first).__name__, type(again).__name__, type(other).__name__
        ('Inserted', 'Reinforced', 'Inserted')
        """
        return self.remember_many([{"essence": essence, **fields}], override=override)[0]

    def remember_many(
        self, memories: Iterable[Draft | Mapping[str, object] | str], *, override: bool = False,
        on_progress: Progress | None = None,
    ) -> tuple[Remembered, ...]:  # fmt: skip
        """``remember`` for many, at full embedding speed; outcomes in the order given. All are checked
        before the first is kept.
        """
        return remember.remember(
            self._desk, self.id, memories, override=override, actor=self._actor, progress=on_progress
        )

    def revise(
        self, id: str, *, override: bool = False, reason: str | None = None, **fields: object
    ) -> Memory:
        """Gives a memory new values under its old id; ``fields`` are those of ``Revision``.

        A replaced wording stays in the history, and ``recall(…, as_of=…)`` finds it there. Raises NotFound,
        InvalidInput, Forgotten.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     home = mama.remember("Anna lives in Porto").memory
        ...     mama.revise(home.id, essence="Anna lives in Lisbon").version
        2
        """
        return revise.revise(
            self._desk, self.id, id, Revision.of(fields), override=override, actor=self._actor, reason=reason
        )

    def recall(
        self, query: str | None = None, *, limit: int | None = None, max_tokens: int | None = None,
        min_score: float | None = None, strategy: Strategy | str = Strategy.HYBRID, deep: bool = False,
        explain: bool = False, as_of: Moment | None = None, emotions: Sequence[Emotion | str] | None = None,
        kinds: Kind | Names = None, scope: str | None = None, tags: Names = None, topics: Names = None,
        entities: Names = None,
        since: Moment | None = None, until: Moment | None = None, conversation: str | None = None,
        min_importance: float | None = None, min_confidence: float | None = None,
        tokens: Callable[[str], int] | None = None,
    ) -> Recall[MemoryHit]:  # fmt: skip
        """Memories that answer, best first, each with its score's terms.

        ``limit``: at most so many (default ``Settings.recall_limit``); ``max_tokens``: their texts
        together, counted by ``tokens`` or the built-in estimate; ``min_score``: the least ``relevance`` in
        [0, 1]; ``strategy``: semantic, lexical, temporal, topic or hybrid; ``deep`` also searches what is
        superseded, inactive or summarized; ``explain``: each hit's ``explanation`` says its terms in words;
        ``as_of`` answers with what was believed and valid at that moment; ``emotions``: those of the
        situation, which lift memories that share them (None: the question's own, as judged; empty: none).
        The rest filters (see ``Filter``). ``conversation`` without a query asks with that conversation's
        last messages, with one it keeps to memories that come from it. Where nothing is above the floor,
        deep recall is tried and ``fell_back`` says so. Raises InvalidInput.
        """
        given: dict[str, object] = {
            "kinds": kinds, "scope": scope, "tags": tags, "topics": topics, "entities": entities, "since": since,
            "until": until, "min_importance": min_importance, "min_confidence": min_confidence,
        }  # fmt: skip
        zone = self._zone(since, until, as_of)
        ask = Ask(
            query=query, filter=filter_of(given, zone=zone, memories=True), strategy=cast(Strategy, strategy),
            limit=limit, max_tokens=max_tokens, min_score=min_score, deep=deep, explain=explain,
            as_of=None if as_of is None else to_utc(as_of, zone=zone, field="as_of"),
            emotions=cast(Sequence[Emotion] | None, emotions), conversation=conversation, tokens=tokens,
        )  # fmt: skip
        return recall.recall(self._desk, self.id, ask)

    def recall_episodes(
        self, query: str | None = None, *, limit: int | None = None, max_tokens: int | None = None,
        min_score: float | None = None, strategy: Strategy | str = Strategy.HYBRID, explain: bool = False,
        conversations: Names = None, channels: Names = None, roles: Names = None, speakers: Names = None,
        tags: Names = None, topics: Names = None, entities: Names = None,
        since: Moment | None = None, until: Moment | None = None, min_importance: float | None = None,
        tokens: Callable[[str], int] | None = None,
    ) -> Recall[EpisodeHit]:  # fmt: skip
        """What was said that answers, best first; hits carry the caller's own ``ref``. The parameters are
        as in ``recall``.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     said = "My sister's wedding is on 5 June"
        ...     seen = mama.observe({"content": said, "speaker": "Anna", "ref": "m7"})
        ...     mama.recall_episodes("when does Anna's sister marry?").hits[0].ref
        'm7'
        """
        given: dict[str, object] = {
            "conversations": conversations, "channels": channels, "roles": roles, "speakers": speakers, "tags": tags,
            "topics": topics, "entities": entities, "since": since, "until": until, "min_importance": min_importance,
        }  # fmt: skip
        zone = self._zone(since, until)
        ask = Ask(
            query=query, filter=filter_of(given, zone=zone, memories=False), strategy=cast(Strategy, strategy),
            limit=limit, max_tokens=max_tokens, min_score=min_score, explain=explain, tokens=tokens,
        )  # fmt: skip
        return recall.recall_episodes(self._desk, self.id, ask)

    def get(self, id: str) -> Memory | Episode:
        """The memory or episode of that id; touches nothing. Raises NotFound."""
        return look.get(self._desk, self.id, id)

    def show(self, id: str) -> look.Portrait:
        """A memory with all that hangs on it, and how it stands now. Raises NotFound."""
        return look.portrait(self._desk, self.id, id)

    def memories(
        self, *, match: str | None = None, deep: bool = False, kinds: Kind | Names = None, scope: str | None = None,
        tags: Names = None, since: Moment | None = None, until: Moment | None = None, limit: int = 100,
        after: str | None = None,
    ) -> Sequence[Memory]:  # fmt: skip
        """Memories in the order of storing, a page at a time (``after``: the last id of the page before);
        ``match``: keywords that all must be there.
        """
        given: dict[str, object] = {
            "kinds": kinds, "scope": scope, "tags": tags, "since": since, "until": until,
        }  # fmt: skip
        where = filter_of(given, zone=self._zone(since, until), memories=True)
        return look.memories(self._desk, self.id, where, deep=deep, match=match, limit=limit, after=after)

    def episodes(
        self, *, match: str | None = None, conversations: Names = None, channels: Names = None, roles: Names = None,
        speakers: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """Episodes in the order of time, a page at a time; ``match``: keywords that all must be there."""
        given: dict[str, object] = {
            "conversations": conversations, "channels": channels, "roles": roles, "speakers": speakers,
            "since": since, "until": until,
        }  # fmt: skip
        where = filter_of(given, zone=self._zone(since, until), memories=False)
        return look.episodes(
            self._desk, self.id, where, match=match, limit=limit, after=after, newest_first=newest_first
        )

    def conversations(self, *, limit: int = 100, after: str | None = None) -> Sequence[Conversation]:
        """Conversations in the order of their ids, a page at a time."""
        return look.conversations(self._desk, self.id, limit=limit, after=after)

    def audit(
        self, *, target: str | None = None, limit: int = 100, after: str | None = None
    ) -> Sequence[AuditEntry]:
        """What was changed, in the order of time, a page at a time; with ``target`` only what concerns that
        id.
        """
        return look.audit(self._desk, self.id, target=target, limit=limit, after=after)

    def forget(
        self, id: str | None = None, *, conversation: str | None = None, since: Moment | None = None,
        until: Moment | None = None, everything: bool = False,
    ) -> Forgot:  # fmt: skip
        """Deletes for good: one memory or episode by id, a conversation, a range of time, or everything;
        gives a receipt.

        Exactly one of these must be asked for. Raises NotFound, InvalidInput.
        """
        if not isinstance(everything, bool):
            raise InvalidInput("everything", "it is neither True nor False", "give everything=True")
        ranged = since is not None or until is not None
        if sum((id is not None, conversation is not None, ranged, everything)) != 1:
            raise InvalidInput(
                "forget",
                "it needs exactly one target",
                "give an id, conversation=, since=/until=, or everything=True",
            )
        if id is not None:
            return forget.forget_item(self._desk, self.id, id, actor=self._actor)
        if conversation is not None:
            return forget.forget_conversation(self._desk, self.id, conversation, actor=self._actor)
        if everything:
            transfer.abandon(self._desk, self.id)
            return forget.forget_everything(self._desk, self.id, actor=self._actor)
        zone = self._zone(since, until)
        first = None if since is None else to_utc(since, zone=zone, field="since")
        last = None if until is None else to_utc(until, zone=zone, field="until")
        return forget.forget_between(self._desk, self.id, first, last, actor=self._actor)

    def backfill(self, *, on_progress: Progress | None = None) -> Backfilled:
        """Judges the emotions of all memories that have none: those stored before there was a classifier, imported, or
        cleared. In batches, each a transaction: when it was interrupted, call it again, and it goes on.

        Raises InvalidInput where ``Settings.emotions`` is False, EmbedderMismatch.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     wedding = mama.remember("Anna is so happy that she cried with joy").memory
        ...     wedding = mama.revise(wedding.id, clear=["emotions"])
        ...     done = mama.backfill()
        ...     done.judged, mama.get(wedding.id).emotions[0].value
        (1, 'joy')
        """
        return backfill.backfill(self._desk, self.id, actor=self._actor, progress=on_progress)

    def stats(self) -> stats.Stats:
        """The bank in numbers."""
        return stats.stats(self._desk, self.id)

    @property
    def profile(self) -> profiles.Agent:
        """Time zone, principals, home and location as they are known."""
        return profile.profile(self._desk, self.id)

    def set_profile(
        self, *, time_zone: str | None = None, principals: Sequence[str] | None = None, home: str | None = None,
        location: str | None = None,
    ) -> profiles.Agent:  # fmt: skip
        """Changes what is given and leaves the rest (None). Raises InvalidInput."""
        return profile.change_profile(
            self._desk, self.id, time_zone=time_zone, principals=principals, home=home, location=location,
            actor=self._actor,
        )  # fmt: skip

    def _zone(self, *moments: Moment | None) -> tzinfo:
        """The zone in which these are read; asked for only where there is something to read."""
        return UTC if all(moment is None for moment in moments) else self._desk.zone(self.id)
