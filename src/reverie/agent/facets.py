"""Facets for who an agent is and whom it knows: soul, goals, diary, relationships, links, rooms and summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.agent.base import Base, Date, Labels, Moment, Names, listed
from reverie.domain.diary import DiaryEntry, DiaryMonth
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.goal import Goal
from reverie.domain.kinds import Kind, Priority
from reverie.domain.link import Include, NeuralLink
from reverie.domain.memory import Memory
from reverie.domain.outcome import Observed
from reverie.domain.relationship import Relationship, View
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.domain.room import Expanded, RoomView
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.trust import SourceTrust
from reverie.services.link import link, received
from reverie.services.remember import goals
from reverie.services.runtime import Desk
from reverie.services.society import diary, relate, rooms
from reverie.services.soul import portrait, soul
from reverie.services.upkeep import selfcare


class Soul(Base):
    """Who the agent is: core beliefs, values, fears and convictions. They stand in each context block, and only these
    verbs change them.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     entry = mama.soul.add("I would rather ask than guess")
    ...     [entry.text for entry in mama.soul.list()]
    ['I would rather ask than guess']
    """

    def add(self, text: str, *, override: bool = False) -> SoulEntry:
        """Add an entry. ``override`` allows a text that was forgotten. Raises InvalidInput (also for an entry that is
        there), Forgotten.
        """
        return soul.add(self._desk, self.id, text, override=override, actor=self._actor)

    def remove(self, id: str) -> SoulEntry:
        """Remove an entry and return it. Raises NotFound."""
        return soul.remove(self._desk, self.id, id, actor=self._actor)

    def list(self) -> Sequence[SoulEntry]:
        """Return all entries, oldest first."""
        return soul.entries(self._desk, self.id)

    def portrait(self) -> str:
        """Return the self-portrait (soul.md) as Markdown: the entries verbatim, then a section for each kind of what is
        known for sure, at most ``Settings.soul.tokens`` tokens.
        """
        return portrait.portrait(self._desk, self.id)

    def refresh(self) -> tuple[str, ...]:
        """Write the self-portrait anew, as each sleep does, and the file where ``Settings.soul.file`` is set. Return
        notes for its reader, such as that a section you changed by hand stands below it now.
        """
        return portrait.refresh(self._desk, self.id)


class Goals(Base):
    """What the agent or its people want to reach: memories of kind goal, open until they are completed.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     report = mama.goals.add("Hand in the report", due="2126-12-03")
    ...     [(one.memory.essence, f"{one.due:%H:%M}") for one in mama.due()]
    [('Hand in the report', '23:59')]
    """

    def add(
        self, text: str, *, due: Moment | Date | None = None, lesson: str | None = None,
        emotions: Sequence[Emotion | str] | None = None, importance: float | None = None,
        priority: Priority | str | None = None, confidence: float | None = None,
        scope: Labels = (), tags: Labels = (), topics: Labels = (), entities: Labels = (),
        source_episodes: Labels = (), supersedes: Labels = (), source_trust: SourceTrust | str | None = None,
        pinned: bool = False, time: Moment | None = None, valid_from: Moment | None = None,
        valid_to: Moment | None = None, override: bool = False,
    ) -> Goal:  # fmt: skip
        """Keep a goal. ``due``: when it falls due; a date without a time is due at 23:59 of that day in the agent's
        zone, words such as "tomorrow at nine" are read as in messages (docs/due.md), and None leaves it as it is. The
        other parameters are those of ``Agent.remember``. Raises what that does.
        """
        return goals.add(
            self._desk, self.id, text, due=due, override=override, actor=self._actor, lesson=lesson, emotions=emotions,
            importance=importance, priority=priority, confidence=confidence, scope=scope, tags=tags, topics=topics,
            entities=entities, source_episodes=source_episodes, supersedes=supersedes, source_trust=source_trust,
            pinned=pinned, time=time, valid_from=valid_from, valid_to=valid_to,
        )  # fmt: skip

    def complete(self, id: str, *, note: str | None = None) -> Goal:
        """Mark a goal as achieved; a second call changes nothing. Raises NotFound, InvalidInput (no goal)."""
        return goals.complete(self._desk, self.id, id, note=note, actor=self._actor)

    def postpone(self, id: str, due: Moment | Date | None) -> Goal:
        """Let a goal fall due at another time, as ``add`` takes it; None: at none. Raises NotFound, InvalidInput."""
        return goals.postpone(self._desk, self.id, id, due, actor=self._actor)

    def reopen(self, id: str) -> Goal:
        """Open a goal again. Raises NotFound, InvalidInput (no goal)."""
        return goals.reopen(self._desk, self.id, id, actor=self._actor)

    def list(self, *, achieved: bool = False) -> Sequence[Goal]:
        """Return open goals, or with ``achieved`` those that were reached."""
        return goals.goals(self._desk, self.id, achieved=achieved)


class Diary(Base):
    """The agent's diary: one page for each date of its own zone, with mood, place and a structured body.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     nova = reverie.agent("nova")
    ...     page = nova.diary.write("Kade kept his word", mood="hopeful", location="Harbour", date="2026-05-13")
    ...     [page.date for page in nova.diary.search("kade word")]
    ['2026-05-13']
    """

    def write(
        self, body: str | Mapping[str, object], *, mood: str | None = None, location: str | None = None,
        date: Date | None = None, override: bool = False,
    ) -> DiaryEntry:  # fmt: skip
        """Write on the page of a date (None or "today": today's in the agent's zone), after what stands there already.

        ``body``: text, or a JSON object of any shape. ``mood`` and ``location`` become the page's, too (``location``
        None: where the agent is, if that is known). Raises InvalidInput, Forgotten.
        """
        return diary.write(
            self._desk, self.id, body, mood=mood, location=location, date=date, override=override,
            actor=self._actor,
        )  # fmt: skip

    def page(self, date: Date | None = None) -> DiaryEntry:
        """Return the page of a date (None or "today": today's). Raises NotFound, InvalidInput."""
        return diary.page(self._desk, self.id, date)

    def pages(
        self, *, since: Date | None = None, until: Date | None = None, limit: int = 100,
        newest_first: bool = False,
    ) -> Sequence[DiaryEntry]:  # fmt: skip
        """Return pages from ``since`` (inclusive) to ``until`` (exclusive), in order of date. Raises InvalidInput."""
        return diary.pages(
            self._desk, self.id, since=since, until=until, limit=limit, newest_first=newest_first
        )

    def search(
        self,
        keywords: str,
        *,
        since: Date | None = None,
        until: Date | None = None,
        limit: int = 100,
    ) -> Sequence[DiaryEntry]:
        """Return the pages that hold every keyword (stemmed; in body, mood or location), newest first. Raises
        InvalidInput.
        """
        return diary.search(self._desk, self.id, keywords, since=since, until=until, limit=limit)

    def month(self, month: str | None = None) -> DiaryMonth:
        """Return the overview of a month (YYYY-MM; None or "today": this one). Raises InvalidInput."""
        return diary.month(self._desk, self.id, month)

    def remove(self, date: Date) -> DiaryEntry:
        """Remove a page for good, as ``forget`` would, and return it. Raises NotFound, InvalidInput."""
        return diary.remove(self._desk, self.id, date, actor=self._actor)


class Relationships(Base):
    """How the agent sees others, agents and people, and how often they spoke.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     nova = reverie.agent("nova")
    ...     kade = nova.relationships.assign("Kade", "ally", 0.6, tone="warm", rationale="He kept his word")
    ...     kade = nova.relationships.assign("Kade", "rival", -0.2, rationale="He sold the map")
    ...     [(view.type, view.trust) for view in nova.relationships.history("Kade")]
    [('ally', 0.6), ('rival', -0.2)]
    """

    def assign(
        self, other: str, type: str | None = None,  # noqa: A002  # the source's word
        trust: float | None = None, tone: str | None = None,
        rationale: str | None = None, notes: str | None = None, *, override: bool = False,
    ) -> Relationship:  # fmt: skip
        """Set how the agent sees ``other`` from now on, and keep what you don't give (None).

        ``type``: one of RELATIONSHIP_TYPES or your own word; ``trust`` in [-1, 1]; ``rationale``: why, of this change
        alone (None: no reason is known). Each change stands in the history. Names that look alike are one: whatever
        their case, and however their accents are written. Raises InvalidInput (also for a name with invisible
        characters), Forgotten.
        """
        return relate.assign(
            self._desk, self.id, other, type=type, trust=trust, tone=tone, rationale=rationale, notes=notes,
            override=override, actor=self._actor,
        )  # fmt: skip

    def get(self, other: str, *, as_of: Moment | None = None) -> Relationship:
        """Return how it sees ``other``, in any case of the name, or saw it then. Raises NotFound, InvalidInput."""
        return relate.relationship(self._desk, self.id, other, as_of=as_of)

    def list(self, *, as_of: Moment | None = None) -> Sequence[Relationship]:
        """Return everyone it has assigned something to or has spoken with, in order of name. Raises InvalidInput."""
        return relate.relationships(self._desk, self.id, as_of=as_of)

    def history(self, other: str | None = None) -> Sequence[View]:
        """Return every view of one other, or of all, oldest first: when and why it changed. Raises InvalidInput."""
        return relate.history(self._desk, self.id, other)

    def remove(self, other: str) -> Relationship:
        """Forget what was assigned to ``other``, with its history, and return the last of it. What conversations tell
        of the two stays. Raises NotFound, InvalidInput.
        """
        return relate.remove(self._desk, self.id, other, actor=self._actor)

    def graph(self, *, as_of: Moment | None = None) -> RelationshipGraph:
        """Return the agent and its others as a graph: edges for networkx, GraphML, JSON. Raises InvalidInput."""
        return relate.graph(self._desk, [self.id], as_of=as_of)


class Link(Base):
    """Neural links: ask another agent for its whole memory, which it may share within two minutes.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     nova, kade = reverie.agent("nova"), reverie.agent("kade")
    ...     kept = kade.remember("The lighthouse keeper has the second map")
    ...     asked = nova.link.request("kade")
    ...     [one.other for one in kade.link.pending()]
    ...     shared = kade.link.accept(asked.id)
    ...     nova.recall("who has the second map?").hits[0].memory.learned_from
    ['nova']
    'kade'
    """

    def request(self, to: str, *, message: str | None = None) -> NeuralLink:
        """Ask the agent ``to`` for its memory; it has two minutes to accept. ``message``: why, in a few words.

        Raises InvalidInput (oneself), NotFound (no such agent in this store), LinkRefused (it blocks requests, or one
        is pending already).
        """
        return link.request(self._desk, self.id, to, message=message, actor=self._actor)

    def pending(self) -> Sequence[NeuralLink]:
        """Return the requests that this agent can accept now, oldest first."""
        return link.pending(self._desk, self.id)

    def accept(
        self, id: str, *, include: Include | Names = (), kinds: Kind | Names = None, scope: str | None = None,
        tags: Names = None,
    ) -> NeuralLink:  # fmt: skip
        """Share this agent's bank with the agent that asked: messages, memories of every state with their history,
        procedures, summaries and connections are copied, in one transaction; nothing leaves here. ``counts`` of the
        result tell how many.

        ``include`` adds "soul", "diary" and "relationships"; ``kinds``, ``scope`` and ``tags`` narrow it to memories
        that pass, and the messages on which they rest. A summary comes then only if all that it stands for passes, one
        of messages never; what of it passes comes by itself. What holds a secret, in words or names, stays behind.
        ``counts`` has how many were ``withheld``. There they are labelled as learned from this agent, and not trusted
        until they are adopted; what the other knows already is not doubled. Raises NotFound, LinkRefused (answered
        already, its two minutes are over, or nothing passes: then it stays open), EmbedderMismatch, InvalidInput.
        """
        return link.accept(
            self._desk, self.id, id, include=listed(include, "include"), kinds=listed(kinds, "kinds"),
            scope=scope, tags=listed(tags, "tags"), actor=self._actor,
        )  # fmt: skip

    def decline(self, id: str) -> NeuralLink:
        """Decline a request. Raises NotFound, LinkRefused."""
        return link.decline(self._desk, self.id, id, actor=self._actor)

    def get(self, id: str) -> NeuralLink:
        """Return one link as it stands now. Raises NotFound, InvalidInput."""
        return link.single(self._desk, self.id, id)

    def items(self, id: str, *, limit: int = 100, after: str | None = None) -> Sequence[Memory]:
        """Return the memories that came by a link and are still here, of every state, in order of id, a page at a time.
        ``after``: the last id of the page before. What the agent had itself already isn't among them. Raises
        NotFound, LinkRefused (it is the other that received something), InvalidInput.
        """
        return received.brought(self._desk, self.id, id, limit=limit, after=after)

    def standing(self, id: str) -> Sequence[Memory]:
        """Return what came by a link and will stand in every context block once you adopt it (``agent.adopt(id)``):
        policies and preferences, oldest first. Look at them before. Raises NotFound, LinkRefused (nothing came by it).
        """
        return received.standing(self._desk, self.id, id)

    def revoke(self, id: str) -> NeuralLink:
        """Take back what was shared, from either end: everything that came by the link goes, adopted or not. What the
        receiver knew already, and what it learned since, stays. Raises NotFound, LinkRefused.
        """
        return link.revoke(self._desk, self.id, id, actor=self._actor)

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
        """Return all links of this agent, asked and received, newest first, a page at a time. Raises InvalidInput."""
        return link.links(self._desk, self.id, limit=limit, before=before)

    def block(self, other: str) -> None:
        """Refuse requests from that agent from now on, and decline one that is pending. Raises InvalidInput."""
        link.block(self._desk, self.id, other, actor=self._actor)

    def unblock(self, other: str) -> bool:
        """Take requests from that agent again, and return whether they were refused. Raises InvalidInput."""
        return link.unblock(self._desk, self.id, other, actor=self._actor)

    def blocked(self) -> Sequence[str]:
        """Return the ids of agents whose requests are refused, in order."""
        return link.blocked(self._desk, self.id)


class Society(Base):
    """The rooms that the agent shares with others: who takes part, and what was said there."""

    def rooms(
        self, *, with_: Names = None, channels: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[RoomView]:  # fmt: skip
        """Return its conversations with their participants, and how many messages of each are live and closed, in the
        order of their ids, or with ``newest_first`` the latest first, a page at a time. ``after``: the last id of the
        page before.

        ``with_``: only those in which one of these has spoken; ``channels``: only on these, such as "room"; ``since``
        and ``until``: only those in which something may have been said in that range. Raises InvalidInput, NotFound
        (``after``, with ``newest_first``).
        """
        return rooms.rooms(
            self._desk, self.id, with_=listed(with_, "with_"), channels=listed(channels, "channels"), since=since,
            until=until, limit=limit, after=after, newest_first=newest_first,
        )  # fmt: skip

    def history(
        self, *, with_: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """Return what was said in conversations in which one of ``with_`` has spoken (None: in all), live and closed,
        in the order of time. Raises InvalidInput.
        """
        return rooms.history(
            self._desk, self.id, with_=listed(with_, "with_"), since=since, until=until, limit=limit,
            newest_first=newest_first,
        )  # fmt: skip


class Summaries(Base):
    """What self-care has summarized, and what each summary stands for."""

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Summary]:
        """Return the summaries in the order of making, a page at a time. ``after``: the last memory id of the page
        before. Raises InvalidInput.
        """
        return selfcare.summaries(self._desk, self.id, limit=limit, after=after)

    def expand(self, summary_id: str) -> Expanded:
        """Return the memories or messages that a summary stands for, in the order of time. Nothing is changed.

        Raises NotFound, InvalidInput (that memory is no summary).
        """
        return selfcare.expand(self._desk, self.id, summary_id)


class Room:
    """A conversation of several agents of this store, made by ``Reverie.room``: what is said in it reaches the bank of
    each, as its own view of it.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     plaza = reverie.room("plaza", ["nova", "kade"])
    ...     told = plaza.say("nova", "The ferry leaves at six")
    ...     [said.speaker for said in reverie.agent("kade").society.history(with_="nova")]
    ['nova']
    """

    def __init__(self, desk: Desk, id: str, members: Sequence[str], *, actor: str) -> None:
        self._desk = desk
        self._actor = actor
        self.id = id
        self.members = tuple(members)

    def say(
        self, speaker: str, content: str, *, time: Moment | None = None, ref: str | None = None,
        tags: Names = (),
    ) -> Mapping[str, Observed]:  # fmt: skip
        """Store what ``speaker``, a member or anybody else, says in each member's bank: in the speaker's own as its own
        words (role agent). Return what each kept, by member. A repetition of a ``ref`` is kept once. Raises
        InvalidInput.
        """
        return rooms.say(
            self._desk, self.id, self.members, speaker, content, time=time, ref=ref, tags=listed(tags, "tags"),
        )  # fmt: skip
