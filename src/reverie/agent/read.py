"""What can be asked of an agent's memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from reverie.agent.base import Base, Moment, Names, listed, waited_for
from reverie.domain.ask import Ask, filter_of
from reverie.domain.audit import AuditEntry
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.message import Conversation
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.time import to_utc
from reverie.services.exchange import export
from reverie.services.recall import look, recall
from reverie.services.upkeep import stats


class Reading(Base):
    """What can be asked of an agent's memory. See ``reverie.Agent``."""

    @waited_for
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

        ``limit``: at most so many (default ``Settings.recall.limit``); ``max_tokens``: their texts
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

    @waited_for
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

    def sources(self, ids: Sequence[str]) -> Sequence[Episode]:
        """Those of these episodes that are there, in the order given: what a change rests on. Raises InvalidInput."""
        return look.sources(self._desk, self.id, listed(ids, "ids"))

    def show(self, id: str) -> look.Portrait:
        """A memory with all that hangs on it, and how it stands now. Raises NotFound."""
        return look.portrait(self._desk, self.id, id)

    def memories(
        self, *, match: str | None = None, deep: bool = False, kinds: Kind | Names = None, scope: str | None = None,
        tags: Names = None, since: Moment | None = None, until: Moment | None = None, review: bool | None = None,
        limit: int = 100, after: str | None = None,
    ) -> Sequence[Memory]:  # fmt: skip
        """Memories in the order of storing, a page at a time (``after``: the last id of the page before);
        ``match``: keywords that all must be there; ``review``: those whose wording waits for approval (``approve``), or
        without them (False). Raises InvalidInput, NotFound (``after``, unless it was forgotten).
        """
        given: dict[str, object] = {
            "kinds": kinds, "scope": scope, "tags": tags, "since": since, "until": until, "review": review,
        }  # fmt: skip
        where = filter_of(given, zone=self._zone(since, until), memories=True)
        return look.memories(self._desk, self.id, where, deep=deep, match=match, limit=limit, after=after)

    def episodes(
        self, *, match: str | None = None, conversations: Names = None, channels: Names = None, roles: Names = None,
        speakers: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """Episodes in the order of time, a page at a time; ``match``: keywords that all must be there. Raises
        InvalidInput, NotFound (``after``, also where that episode was forgotten).
        """
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
        self, *, target: str | None = None, job: str | None = None, actor: str | None = None,
        actions: Names = None, since: Moment | None = None, until: Moment | None = None, limit: int = 100,
        after: str | None = None, newest_first: bool = False,
    ) -> Sequence[AuditEntry]:  # fmt: skip
        """Who changed what and when, with before and after, in the order of time or its reverse, a page at a time.

        ``target`` keeps to what concerns that id, ``job`` to what one sleep did, ``actions`` to acts such as "revise".
        Raises InvalidInput, NotFound (``after``).
        """
        zone = self._zone(since, until)
        return look.audit(
            self._desk, self.id, target=target, job=job, actor=actor, actions=listed(actions, "actions"),
            since=None if since is None else to_utc(since, zone=zone, field="since"),
            until=None if until is None else to_utc(until, zone=zone, field="until"),
            limit=limit, after=after, newest_first=newest_first,
        )  # fmt: skip

    def export(self, *, log: bool = True, vectors: bool = False) -> Iterator[Mapping[str, object]]:
        """The whole bank as JSON values, one a line of the file that docs/export.md describes: everything that
        ``import_bank`` makes an equal bank of. Plain text: keep such a file as you would the bank's key.

        ``log``: with sleeps and the audit log; ``vectors``: so that they needn't be computed again.
        """
        return export.export(self._desk, self.id, with_log=log, with_vectors=vectors)

    def stats(self) -> stats.Stats:
        """The bank in numbers."""
        return stats.stats(self._desk, self.id)
