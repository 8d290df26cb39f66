"""One agent's memory: the verbs that everybody needs, and facets for the rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from reverie.agent.base import Base, Labels, Messages, Moment, Names, Progress, listed, told, waited_for
from reverie.agent.facets import Diary, Goals, Link, Relationships, Society, Soul, Summaries
from reverie.agent.items import Items
from reverie.agent.jobs import Host, Jobs, Procedures
from reverie.agent.wrapping import Client, wrapped
from reverie.domain.agent import Agent as Profile
from reverie.domain.ask import Ask, filter_of
from reverie.domain.attended import Attended
from reverie.domain.audit import AuditEntry
from reverie.domain.block import ContextBlock, Entered
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.goal import Goal
from reverie.domain.housekept import Housekept
from reverie.domain.import_report import ImportKind, ImportReport
from reverie.domain.imported import Imported, OnConflict
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.message import Conversation
from reverie.domain.outcome import Forgot, Observed, Remembered
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.revision import Revision
from reverie.domain.sleep import Reverted, SleepReport
from reverie.domain.summary import SelfCareReport
from reverie.domain.time import to_utc
from reverie.domain.trust import SourceTrust
from reverie.domain.working import WorkingMemory
from reverie.errors import InvalidInput, NotFound
from reverie.services.exchange import export, importing, transfer
from reverie.services.forget import forget
from reverie.services.link import link
from reverie.services.loop import loop
from reverie.services.observe import outbox
from reverie.services.observe import storing as observe
from reverie.services.prompt import context, scoped, window
from reverie.services.recall import look, recall
from reverie.services.remember import adopt, goals, revise
from reverie.services.remember import writing as remember
from reverie.services.runtime import profiles
from reverie.services.sleep import revert, sleep
from reverie.services.upkeep import housekeeping, selfcare, stats

Portrait: TypeAlias = look.Portrait
Stats: TypeAlias = stats.Stats


class Agent(Base):
    """One agent's memory. ``Reverie.agent`` makes it; it is cheap and holds no state of its own.

    docs/verbs.md lists the verbs on one page. The rest is in facets: ``soul``, ``goals``, ``diary``, ``relationships``,
    ``link``, ``society``, ``summaries``, ``procedures``, ``jobs`` and ``host``.
    """

    @waited_for
    def observe(
        self, messages: Messages, *, conversation: str = "main", channel: str = "api", override: bool = False,
        on_progress: Progress | None = None,
    ) -> Observed:  # fmt: skip
        """Store what was said, at the end of a conversation.

        ``messages``: one or many Messages, mappings with their fields, plain texts (said by the user), or messages of
        OpenAI, Anthropic, LangChain, pydantic-ai or Google as they are (docs/messages.md). A message whose ``ref`` the
        conversation holds already is skipped, so you may observe a batch again after a crash. A message that was
        forgotten is skipped too, unless ``override``. Messages that the embedder gives no vectors for wait in the bank
        (``Observed.queued``). Raises InvalidInput, RefConflict.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     seen = reverie.agent("mama").observe([
        ...         {"speaker": "Anna", "content": "I moved to Lisbon last week!", "ref": "m1"},
        ...         {"role": "assistant", "content": "Congratulations! How is it?", "ref": "m2"},
        ...     ], conversation="chat-1")
        ...     seen.stored
        2
        """
        outbox.flush_first(self._desk, self.id)
        return observe.observe(
            self._desk, self.id, messages, conversation=conversation, channel=channel, override=override,
            progress=told(on_progress),
        )  # fmt: skip

    def remember(
        self, text: str, *, kind: Kind | str = Kind.FACT, lesson: str | None = None,
        emotions: Sequence[Emotion | str] | None = None, importance: float | None = None,
        priority: Priority | str | None = None, confidence: float | None = None, scope: Labels = (), tags: Labels = (),
        topics: Labels = (), entities: Labels = (), source_episodes: Labels = (), supersedes: Labels = (),
        source_trust: SourceTrust | str | None = None, origin: Origin | str = Origin.COMMIT, pinned: bool = False,
        time: Moment | None = None, valid_from: Moment | None = None, valid_to: Moment | None = None,
        override: bool = False,
    ) -> Remembered:  # fmt: skip
        """Keep one insight, or reinforce the memory that says the same.

        The parameters are the fields of ``Draft``. ``text`` becomes the memory's essence. This machine judges emotions
        and importance that you don't give, unless ``Settings.remember.emotions`` is False or ``Settings.mind`` is
        "none"; only a language model writes a lesson (``jobs.backfill``). ``supersedes``: ids of memories that this one
        replaces. ``override`` allows a text that was forgotten. Raises InvalidInput, Forgotten, NotFound (a source
        episode, a superseded memory).

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     first = mama.remember("Anna's train leaves at 7:40")
        ...     again = mama.remember("Anna's train leaves at 7:40.")
        ...     other = mama.remember("Anna's train leaves at 8:40")
        ...     type(first).__name__, type(again).__name__, type(other).__name__
        ('Inserted', 'Reinforced', 'Inserted')
        """
        draft: dict[str, object] = {
            "essence": text, "kind": kind, "lesson": lesson, "emotions": emotions, "importance": importance,
            "priority": priority, "confidence": confidence, "scope": scope, "tags": tags, "topics": topics,
            "entities": entities, "source_episodes": source_episodes, "supersedes": supersedes,
            "source_trust": source_trust, "origin": origin, "pinned": pinned, "time": time, "valid_from": valid_from,
            "valid_to": valid_to,
        }  # fmt: skip
        return self.remember_many([draft], override=override)[0]

    @waited_for
    def remember_many(
        self, memories: Iterable[Draft | Mapping[str, object] | str], *, override: bool = False,
        on_progress: Progress | None = None,
    ) -> tuple[Remembered, ...]:  # fmt: skip
        """``remember`` many at full embedding speed, and return the outcomes in the order given.

        All are checked before the first is kept. Those that the embedder gives no vectors for wait in the bank
        (``Queued``).
        """
        outbox.flush_first(self._desk, self.id)
        return remember.remember(
            self._desk, self.id, memories, override=override, actor=self._actor, progress=told(on_progress),
            may_wait=True,
        )  # fmt: skip

    def revise(
        self, id: str, *, essence: str | None = None, kind: Kind | str | None = None, lesson: str | None = None,
        emotions: Sequence[Emotion | str] | None = None, importance: float | None = None,
        priority: Priority | str | None = None, confidence: float | None = None, scope: Labels | None = None,
        tags: Labels | None = None, topics: Labels | None = None, entities: Labels | None = None,
        pinned: bool | None = None, valid_from: Moment | None = None, valid_to: Moment | None = None,
        time: Moment | None = None, clear: Labels = (), reason: str | None = None, override: bool = False,
    ) -> Memory:  # fmt: skip
        """Give a memory new values under its old id. None leaves a field as it is; ``clear`` names fields to empty.

        A replaced wording stays in the history, where ``recall(…, as_of=…)`` finds it. Raises NotFound, InvalidInput,
        Forgotten.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     home = mama.remember("Anna lives in Porto").memory
        ...     mama.revise(home.id, essence="Anna lives in Lisbon").version
        2
        """
        given: dict[str, object] = {
            "essence": essence, "kind": kind, "lesson": lesson, "emotions": emotions, "importance": importance,
            "priority": priority, "confidence": confidence, "scope": scope, "tags": tags, "topics": topics,
            "entities": entities, "pinned": pinned, "valid_from": valid_from, "valid_to": valid_to, "time": time,
            "clear": clear,
        }  # fmt: skip
        return revise.revise(
            self._desk, self.id, id, Revision.of(given), override=override, actor=self._actor, reason=reason
        )

    def forget(
        self, id: str | None = None, *, conversation: str | None = None, since: Moment | None = None,
        until: Moment | None = None, everything: bool = False,
    ) -> Forgot:  # fmt: skip
        """Delete for good one memory or episode by id, a conversation, a range of time, or everything.

        Ask for exactly one of these. Returns a receipt. Raises NotFound, InvalidInput.
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

    def adopt(self, id: str, *, reason: str | None = None) -> int:
        """Trust a memory, or all that came by a neural link, as a principal's word. From then on they may instruct the
        agent, and their wording waits for no approval. Return 1 for a memory, and for a link how many changed.

        ``id``: a memory's or a link's. ``reason`` goes into the audit entry of a single memory. Raises NotFound,
        InvalidInput (an episode's id), LinkRefused (nothing came by that link).
        """
        try:
            adopt.adopt(self._desk, self.id, id, actor=self._actor, reason=reason)
        except NotFound as missing:
            try:
                return link.adopt(self._desk, self.id, id, actor=self._actor)
            except NotFound:
                raise missing from None
        return 1

    def approve(self, id: str, *, reason: str | None = None) -> Memory:
        """Approve a memory's wording that waits for it (``memories(review=True)``). Nothing else changes.

        Audited. Raises NotFound, InvalidInput (an episode's id).
        """
        return adopt.approve(self._desk, self.id, id, actor=self._actor, reason=reason)

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
        """Return the memories that answer, best first, each with the terms of its score.

        ``limit``: at most so many (default ``Settings.recall.limit``); ``max_tokens``: for their texts together,
        counted by ``tokens`` or the built-in estimate; ``min_score``: the least ``relevance`` in [0, 1]; ``strategy``:
        semantic, lexical, temporal, topic or hybrid; ``deep``: also search what is superseded, inactive or summarized;
        ``explain``: put each hit's terms into words (``explanation``); ``as_of``: answer with what was believed and
        valid at that moment; ``emotions``: those of the situation, which lift memories that share them (None: the
        question's own, as judged; empty: none). ``conversation`` without a query asks with that conversation's last
        messages; with a query it keeps to memories that come from it. Where nothing is above the floor, deep recall is
        tried and ``fell_back`` says so. Raises InvalidInput.

        The rest filters; None and empty mean any. Of several names one is enough, and case is ignored. ``scope``: a
        path that one of a memory's globs matches; a memory without globs passes. ``since`` (inclusive) and ``until``
        (exclusive) bound when a memory was made, ``min_confidence`` what time has left of its confidence. A memory
        whose importance nobody has judged passes no ``min_importance``.
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
        """Return the messages that answer, best first. Hits carry your own ``ref``. The parameters are those of
        ``recall``.

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
        """Return the memory or episode of that id. It isn't touched. Raises NotFound."""
        return look.get(self._desk, self.id, id)

    def portrait(self, id: str) -> Portrait:
        """Return a memory with everything that belongs to it, and how it stands now. Raises NotFound."""
        return look.portrait(self._desk, self.id, id)

    def memories(
        self, *, match: str | None = None, deep: bool = False, kinds: Kind | Names = None, scope: str | None = None,
        tags: Names = None, since: Moment | None = None, until: Moment | None = None, review: bool | None = None,
        source_trust: SourceTrust | Names = None, states: State | Names = None, sources: Names = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[Memory]:  # fmt: skip
        """Return memories in the order of storing or its reverse, a page at a time. ``after``: the last id of the page
        before.

        ``match``: keywords that must all be there; ``review``: only those whose wording waits for approval
        (``approve``), or only the others (False); ``source_trust``: only what was said by such a source, as "external"
        or "other"; ``states``: only those that stand so, superseded ones too; None: those that are active or archived,
        or with ``deep`` all; ``sources``: only those that rest on one of these messages, by id. Raises InvalidInput,
        NotFound (``after``, unless it was forgotten).
        """
        given: dict[str, object] = {
            "kinds": kinds, "scope": scope, "tags": tags, "since": since, "until": until, "review": review,
            "states": states, "source_trust": source_trust,
        }  # fmt: skip
        where = filter_of(given, zone=self._zone(since, until), memories=True)
        return look.memories(
            self._desk, self.id, where, deep=deep and states is None, match=match, limit=limit, after=after,
            newest_first=newest_first, sources=None if sources is None else listed(sources, "sources"),
        )  # fmt: skip

    def episodes(
        self, *, match: str | None = None, conversations: Names = None, channels: Names = None, roles: Names = None,
        speakers: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """Return episodes in the order of time, a page at a time. ``match``: keywords that must all be there.

        Raises InvalidInput, NotFound (``after``, also where that episode was forgotten).
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
        """Return conversations in the order of their ids, a page at a time."""
        return look.conversations(self._desk, self.id, limit=limit, after=after)

    def scoped(self, path: str, *, limit: int = 20) -> Sequence[Memory]:
        """Return memories that concern a file: first those whose scope globs cover it, the most specific first, then
        those that name it. Nothing is looked up on disk. Raises InvalidInput.
        """
        return scoped.scoped(self._desk, self.id, path, limit=limit)

    @waited_for
    def context(
        self, task: str | None = None, *, max_tokens: int | None = None, path: str | None = None,
        conversation: str | None = None, with_: Names = None, quote: Names = None,
        shown: Iterable[Entered] = (), tokens: Callable[[str], int] | None = None,
    ) -> ContextBlock:  # fmt: skip
        """Return what should stand in the prompt before this task: who the agent is, standing rules, what bears on the
        task, and workflows that fit.

        At most ``max_tokens`` tokens (``Settings.context.tokens``: 800) beside the soul's own 500, whole memories only,
        counted by ``tokens`` or the built-in estimate. The same bank gives the same text, so prompt caches survive.
        ``path``: the file at hand; ``conversation``: without a task, its last messages are the task; ``with_``: who
        takes part (None: who has spoken in ``conversation``), for how the agent sees them; ``quote``: the conversations
        whose messages may be quoted (None: all; where ``conversation`` isn't among them, memories that quote it stay
        out, too); ``shown``: what entered earlier blocks that the model still sees, which doesn't enter again, by its
        line or words. The block says what entered, what was left out, and why. Reads only: nothing is touched. Raises
        InvalidInput.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     rule = mama.remember("Never commit secrets", kind="policy")
        ...     "Never commit secrets" in mama.context("push the release").text
        True
        """
        return context.context(
            self._desk, self.id, task, max_tokens=max_tokens, path=path, conversation=conversation,
            with_=None if with_ is None else listed(with_, "with_"),
            quote=None if quote is None else listed(quote, "quote"), shown=shown, tokens=tokens,
        )  # fmt: skip

    @waited_for
    def window(
        self, messages: Messages | None = None, *, max_tokens: int, system: str | None = None, path: str | None = None,
        conversation: str | None = None, with_: Names = None, channel: str = "api", goals: Iterable[str] | None = None,
        jobs: Iterable[str] = (), reserve: float | None = None, tokens: Callable[[str], int] | None = None,
    ) -> WorkingMemory:  # fmt: skip
        """Return a whole turn's context: system prompt and soul, relevant memories, a summary of older messages, recent
        messages in full, goals and jobs, and what happened in the last 24 hours.

        ``messages``: the conversation so far, as ``observe`` takes it, said on ``channel``; None: the latest that the
        bank holds of ``conversation``, behind its summaries of those that are closed. ``with_`` as for ``context``.
        ``max_tokens``: the model's window, of which ``reserve`` (``Settings.window.reserve``: 0.85) stays free for the
        answer; ``goals`` None: those that are kept; ``jobs``: what is scheduled. The oldest messages are summarized
        first, and no history twice. Raises InvalidInput where not even the last message fits, NotFound.
        """
        return window.window(
            self._desk, self.id, messages, max_tokens=max_tokens, system=system, path=path, conversation=conversation,
            with_=None if with_ is None else listed(with_, "with_"), channel=channel, goals=goals, jobs=jobs,
            reserve=reserve, tokens=tokens,
        )  # fmt: skip

    def due(self, until: Moment | None = None) -> Sequence[Goal]:
        """Return the open goals that fall due before ``until`` (None: whenever), soonest first; what is overdue comes
        first. ``goals.complete`` closes one, ``goals.postpone`` moves it. Raises InvalidInput.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     seen = mama.observe("Remind me tomorrow at nine to call my mother.")
        ...     [one.memory.essence for one in mama.due()]
        ['Remind me tomorrow at nine to call my mother.']
        """
        before = None if until is None else to_utc(until, zone=self._zone(until), field="until")
        return goals.due(self._desk, self.id, until=before)

    def attend(self, *, conversation: str | None = None) -> Attended:
        """Run one round of the memory loop: read what is new in the agent's conversations, or in this one, and keep
        what is worth it. A ``Worker`` does it in the background. Raises EmbedderMismatch.
        """
        return loop.attend(self._desk, self.id, conversation=conversation, actor=self._actor)

    def sleep(self, *, dry_run: bool = False) -> SleepReport:
        """Make knowledge of the next ``Settings.sleep.batch`` episodes that no sleep has read: the mind proposes
        changes, each is checked against its episodes, and what stands is applied in one transaction.

        ``dry_run`` changes nothing and shows what would change. The report is falsy where nothing was left to read.
        Raises Paused, JobRunning (here or in another process), MindFailed, CapReached, InvalidInput (no mind); then
        nothing was changed, and the next sleep reads the same episodes.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     seen = mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
        ...     report = mama.sleep()
        ...     mama.recall("what does Jonas do?").hits[0].text
        'My partner Jonas is a carpenter in Ghent.'
        """
        return sleep.sleep(self._desk, self.id, actor=self._actor, dry_run=dry_run)

    def self_care(self, *, dry_run: bool = False, on_progress: Progress | None = None) -> SelfCareReport:
        """Relieve the agent of detail: summarize batches of observations, and close conversations that are over under
        summaries. Nothing is lost: ``summaries.expand`` shows what a summary stands for, deep recall finds it, and
        ``revert`` undoes all of it.

        Declines (``declined`` says why) with fewer than ``Settings.self_care.min_observations`` observations, or away
        from home where the agent has one. ``dry_run`` changes nothing and shows what would be done. Raises Paused,
        JobRunning, MindFailed, CapReached, InvalidInput (no mind); what was done until then stays done.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     nova = reverie.agent("nova")
        ...     kept = nova.remember("Kade walks to the harbour every morning", kind="observation")
        ...     nova.self_care().declined is None
        False
        """
        return selfcare.self_care(
            self._desk, self.id, actor=self._actor, dry_run=dry_run, progress=told(on_progress)
        )

    def housekeeping(self, *, on_progress: Progress | None = None) -> Housekept:
        """Merge duplicates, archive what is stale, and make memories of what recurs. Audited. Run it weekly; running it
        twice is running it once.
        """
        return housekeeping.housekeeping(self._desk, self.id, actor=self._actor, progress=told(on_progress))

    def revert(
        self, sleep_id: str, *, change: str | None = None, force: bool = False, dry_run: bool = False
    ) -> Reverted:
        """Undo one sleep exactly: what it learned goes, what it changed is as it was, and its episodes will be slept on
        again. Of a self-care, by its report's id: its summaries go, and what they stand for is active, or live, again.
        What was forgotten since is never brought back.

        ``change``: undo only this change of a sleep, by its id in ``jobs.diff``. The rest of the night stands, what
        else was changed of the memory since stays, and no sleep reads the episodes again.

        Raises NotRevertible where later changes depend on it; ``force`` drops these too, and ``dry_run`` shows what
        would be done. Raises NotFound, InvalidInput (it was undone already), JobRunning.
        """
        job = revert.job_of(self._desk, self.id, sleep_id)
        return revert.revert(
            self._desk, self.id, sleep_id, actor=self._actor, change=change, force=force, dry_run=dry_run, job=job
        )  # fmt: skip

    def stats(self) -> Stats:
        """Return the bank in numbers."""
        return stats.stats(self._desk, self.id)

    def audit(
        self, *, target: str | None = None, job: str | None = None, actor: str | None = None,
        actions: Names = None, since: Moment | None = None, until: Moment | None = None, limit: int = 100,
        after: str | None = None, newest_first: bool = False,
    ) -> Sequence[AuditEntry]:  # fmt: skip
        """Return who changed what and when, with before and after, in the order of time or its reverse, a page at a
        time.

        ``target``: only what concerns that id; ``job``: only what one sleep did; ``actions``: only acts such as
        "revise". Raises InvalidInput, NotFound (``after``).
        """
        zone = self._zone(since, until)
        return look.audit(
            self._desk, self.id, target=target, job=job, actor=actor, actions=listed(actions, "actions"),
            since=None if since is None else to_utc(since, zone=zone, field="since"),
            until=None if until is None else to_utc(until, zone=zone, field="until"),
            limit=limit, after=after, newest_first=newest_first,
        )  # fmt: skip

    def export(self, *, log: bool = True, vectors: bool = False) -> Iterator[Mapping[str, object]]:
        """Yield the whole bank as JSON values, one for each line of the file that docs/export.md describes:
        ``import_bank`` makes an equal bank of them. This is plain text: keep such a file as you would the bank's key.

        ``log``: with sleeps and the audit log; ``vectors``: with vectors, so that they needn't be computed again.
        """
        return export.export(self._desk, self.id, with_log=log, with_vectors=vectors)

    @waited_for
    def import_bank(
        self, lines: Iterable[bytes | str | Mapping[str, object]], *, on_conflict: OnConflict | str = OnConflict.REFUSE,
        untrusted: bool = False, dry_run: bool = False, on_progress: Progress | None = None,
    ) -> Imported:  # fmt: skip
        """Bring an export into this bank, all of it or nothing (docs/export.md). An agent that has never written
        becomes the exported one.

        ``lines``: what ``export`` yields, or the lines of its file. ``on_conflict``: what stays where both have an id
        and differ. ``untrusted``: for files of others: what they say enters as external text, and what would steer the
        agent stays out. ``dry_run`` shows what would happen. Raises InvalidInput (naming the line), EmbedderMismatch.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     kept = mama.remember("Anna grows seven kinds of tomatoes")
        ...     copied = reverie.agent("papa").import_bank(mama.export())
        ...     copied.source, copied.counts["memory"].added > 0
        ('mama', True)
        """
        return importing.import_bank(
            self._desk, self.id, lines, on_conflict=on_conflict, untrusted=untrusted, dry_run=dry_run,
            actor=self._actor, progress=told(on_progress),
        )  # fmt: skip

    def wrap(
        self, client: Client, *, conversation: str = "main", speaker: str | None = None,
        max_tokens: int | None = None, observe: bool = True, context: bool = True,
    ) -> Client:  # fmt: skip
        """Return a client of OpenAI's or Anthropic's package, synchronous or asynchronous, with this memory around its
        calls (docs/wrapping.md).

        Before ``chat.completions``, ``responses`` and ``messages`` are asked (``create``, ``parse``, ``stream``), what
        ``context`` says of the user's last message enters the system prompt, at most ``max_tokens`` of it. Behind the
        answer, at a stream's end, the new messages and the answer are observed in ``conversation``. ``speaker``: the
        user's name, for messages that have none. ``observe`` and ``context`` switch each off. Where memory fails, the
        call goes on, and the log (``reverie.wrap``) says so. Your client and your lists stay as they are. Raises
        InvalidInput.
        """
        return wrapped(
            client, lambda: self, conversation=conversation, speaker=speaker, max_tokens=max_tokens, observe=observe,
            context=context,
        )  # fmt: skip

    @waited_for
    def import_from(
        self, source: str | os.PathLike[str] | Mapping[str, object] | Iterable[bytes | str | Mapping[str, object]], *,
        kind: ImportKind | str | None = None, speaker: str | None = None, name: str | None = None,
        untrusted: bool = False, dry_run: bool = False, on_progress: Progress | None = None,
    ) -> ImportReport:  # fmt: skip
        """Bring in what other programs wrote down: exports of ChatGPT, Claude and WhatsApp, transcripts of Claude Code
        and Codex, memories of mem0, Letta, Zep, LangGraph and MCP's memory server, Markdown notes (docs/importing.md).

        ``source``: a file, a folder, a zip, the lines of a file, or values such as mem0's ``get_all`` gives. ``kind``:
        None tells it by the content. Messages become episodes, and what others concluded becomes memories that are
        external. Each is known by its source's own id: the same import again adds nothing, and goes on where one was
        killed. ``speaker``: the person whose export it is (None: the agent's only principal); ``name``: of a chat that
        names itself by its file alone; ``untrusted``: everything is external; ``dry_run`` shows what would happen.
        What can't be read is left out and reported. Raises InvalidInput where nothing can.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     done = reverie.agent("mama").import_from([
        ...         {"id": "7c1", "memory": "Anna is allergic to nuts", "created_at": "2025-03-01T10:00:00Z"},
        ...     ])
        ...     done.kinds[0].value, done.memories.added
        ('mem0', 1)
        """
        from reverie.services.exchange.foreign import import_from

        if dry_run is False:
            outbox.flush_first(self._desk, self.id)
        return import_from(
            self._desk, self.id, source, kind=kind, speaker=speaker, name=name, untrusted=untrusted, dry_run=dry_run,
            actor=self._actor, progress=told(on_progress),
        )  # fmt: skip

    @property
    def profile(self) -> Profile:
        """Time zone, principals, home and location as they are known."""
        return profiles.profile(self._desk, self.id)

    def set_profile(
        self, *, time_zone: str | None = None, principals: Sequence[str] | None = None, home: str | None = None,
        location: str | None = None,
    ) -> Profile:  # fmt: skip
        """Change what you give and leave the rest (None). ``home`` or ``location`` "" takes it away. Raises
        InvalidInput.
        """
        return profiles.change_profile(
            self._desk, self.id, time_zone=time_zone, principals=principals, home=home, location=location,
            actor=self._actor,
        )  # fmt: skip

    @property
    def soul(self) -> Soul:
        """Who the agent is."""
        return self._facet(Soul)

    @property
    def goals(self) -> Goals:
        """What is to be reached."""
        return self._facet(Goals)

    @property
    def diary(self) -> Diary:
        """A page for each date."""
        return self._facet(Diary)

    @property
    def relationships(self) -> Relationships:
        """How the agent sees others."""
        return self._facet(Relationships)

    @property
    def items(self) -> Items:
        """Values by namespace and key, for programs."""
        return self._facet(Items)

    @property
    def link(self) -> Link:
        """Neural links to other agents."""
        return self._facet(Link)

    @property
    def society(self) -> Society:
        """The rooms that the agent shares with others."""
        return self._facet(Society)

    @property
    def summaries(self) -> Summaries:
        """What self-care has summarized."""
        return self._facet(Summaries)

    @property
    def procedures(self) -> Procedures:
        """Named workflows, and how they went."""
        return self._facet(Procedures)

    @property
    def jobs(self) -> Jobs:
        """What runs in the background, and its controls."""
        return self._facet(Jobs)

    @property
    def host(self) -> Host:
        """Sleep and extraction by the model that the agent runs on."""
        return self._facet(Host)
