"""What an agent is told, and what it is made to forget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reverie.agent.base import Base, Moment, Names, Progress, listed, told, waited_for
from reverie.agent.facets import Goals, Soul
from reverie.domain.attended import Attended
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.imported import Imported, OnConflict
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory
from reverie.domain.message import Message, Role
from reverie.domain.outcome import Backfilled, Forgot, Observed, Remembered
from reverie.domain.revision import Revision
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.services.exchange import importing, transfer
from reverie.services.forget import forget
from reverie.services.loop import loop
from reverie.services.observe import outbox
from reverie.services.observe import storing as observe
from reverie.services.remember import adopt, revise
from reverie.services.remember import writing as remember
from reverie.services.upkeep import backfill


class Writing(Base):
    """What an agent is told, and what it is made to forget. See ``reverie.Agent``."""

    @waited_for
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
        observed again after a crash; so is one that was forgotten, unless ``override``. What the embedder gives no
        vectors for waits in the bank (``Observed.queued``). Raises InvalidInput, RefConflict.

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

    def remember(self, essence: str, *, override: bool = False, **fields: object) -> Remembered:
        """Keeps one insight, or reinforces the memory that says the same.

        ``fields`` are those of ``Draft``: kind, lesson, emotions, importance, priority, confidence, scope,
        tags, topics, entities, source_episodes, supersedes, source_trust, pinned, time, valid_from, valid_to,
        origin.
        Emotions and importance that aren't given are judged on this machine, unless ``Settings.remember.emotions`` is
        False or ``Settings.mind`` is none; a lesson by a language model alone (``backfill``).
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

    @waited_for
    def remember_many(
        self, memories: Iterable[Draft | Mapping[str, object] | str], *, override: bool = False,
        on_progress: Progress | None = None,
    ) -> tuple[Remembered, ...]:  # fmt: skip
        """``remember`` for many, at full embedding speed; outcomes in the order given. All are checked
        before the first is kept. What the embedder gives no vectors for waits in the bank (``Queued``).
        """
        outbox.flush_first(self._desk, self.id)
        return remember.remember(
            self._desk, self.id, memories, override=override, actor=self._actor, progress=told(on_progress),
            may_wait=True,
        )  # fmt: skip

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
        """Judges emotions, lesson and importance of all memories that lack one: those stored before there was a
        classifier or a mind, imported, or cleared. In batches, each a transaction: when it was interrupted, call it
        again, and it goes on.

        Raises InvalidInput where nobody judges (``Settings.remember.emotions`` False and no mind), EmbedderMismatch.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     wedding = mama.remember("Anna is so happy that she cried with joy").memory
        ...     wedding = mama.revise(wedding.id, clear=["emotions"])
        ...     done = mama.backfill()
        ...     done.judged, mama.get(wedding.id).emotions[0].value
        (1, 'joy')
        """
        return backfill.backfill(self._desk, self.id, actor=self._actor, progress=told(on_progress))

    def learn(
        self, content: str, *, type: Kind | str = Kind.FACT,  # noqa: A002  # the tool's word
        scope: Names = (), priority: Priority | str | None = None,
        lesson: str | None = None, emotions: Sequence[Emotion | str] | None = None, importance: float | None = None,
        tags: Names = (), override: bool = False,
    ) -> Remembered:  # fmt: skip
        """``remember`` in the words of agents' tools (``memory_learn``): a conscious commit of one insight.

        ``type`` is its kind, ``scope`` one glob or several of the files that it holds for. Raises InvalidInput,
        Forgotten.
        """
        fields: dict[str, object] = {
            "kind": type, "scope": listed(scope, "scope"), "priority": priority, "lesson": lesson, "emotions": emotions,
            "importance": importance, "tags": listed(tags, "tags"),
        }  # fmt: skip
        given = {name: value for name, value in fields.items() if value is not None}
        return self.remember(content, override=override, **given)

    def episode(
        self, event: str, *, outcome: str | None = None, tags: Names = (), conversation: str = "events",
        channel: str = "api", override: bool = False,
    ) -> Observed:  # fmt: skip
        """Records an event, told by the agent itself (``memory_episode``), with how it came out. Raises
        InvalidInput.
        """
        message = Message(content=event, role=Role.AGENT, outcome=outcome, tags=listed(tags, "tags"))
        return self.observe(message, conversation=conversation, channel=channel, override=override)

    def adopt(self, id: str, *, reason: str | None = None) -> Memory:
        """The owner vouches for a memory: from now on it counts as a principal's word, and may instruct the agent.

        Its wording waits for no approval any more. Audited. Raises NotFound, InvalidInput (it is an episode's id).
        """
        return adopt.adopt(self._desk, self.id, id, actor=self._actor, reason=reason)

    def approve(self, id: str, *, reason: str | None = None) -> Memory:
        """A person has looked at a memory whose wording waits for approval (``memories(review=True)``), and vouches for
        it; nothing else changes, and one that waits for none stays as it is.

        Audited. Raises NotFound, InvalidInput (it is an episode's id).
        """
        return adopt.approve(self._desk, self.id, id, actor=self._actor, reason=reason)

    def attend(self, *, conversation: str | None = None) -> Attended:
        """One round of the memory loop: reads what is new in the agent's conversations, or in this one, and keeps
        what is worth it. ``reverie.worker.Worker`` does it in the background. Raises EmbedderMismatch.
        """
        return loop.attend(self._desk, self.id, conversation=conversation, actor=self._actor)

    @waited_for
    def import_bank(
        self, lines: Iterable[bytes | str | Mapping[str, object]], *, on_conflict: OnConflict | str = OnConflict.REFUSE,
        untrusted: bool = False, dry_run: bool = False, on_progress: Progress | None = None,
    ) -> Imported:  # fmt: skip
        """Brings an export into this bank, all of it or nothing (docs/export.md). An agent that has never written
        becomes the exported one.

        ``lines``: what ``export`` gives, or the lines of its file. ``on_conflict``: what stays where both have an id
        and differ. ``untrusted``: for files of others: what they say enters as external text, what would steer the
        agent stays out. ``dry_run`` shows what would be. Raises InvalidInput (naming the line), EmbedderMismatch.

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

    @property
    def soul(self) -> Soul:
        """Who the agent is."""
        return Soul(self._desk, self.id, actor=self._actor)

    @property
    def goals(self) -> Goals:
        """What is to be reached."""
        return Goals(self._desk, self.id, actor=self._actor)
