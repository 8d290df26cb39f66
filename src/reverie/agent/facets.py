"""What an agent has beside its memories, each with verbs of its own: ``agent.soul``, ``agent.goals``, ``agent.diary``,
``agent.relationships`` and ``agent.link``; and ``reverie.room``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.agent.base import Date, Moment, Names, listed
from reverie.domain.diary import DiaryEntry, DiaryMonth
from reverie.domain.goal import Goal
from reverie.domain.kinds import Kind
from reverie.domain.link import Include, NeuralLink
from reverie.domain.memory import Memory
from reverie.domain.outcome import Observed
from reverie.domain.relationship import Relationship, View
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.domain.soul import SoulEntry
from reverie.services.link import link, received
from reverie.services.remember import goals
from reverie.services.runtime import Desk
from reverie.services.society import diary, relate, rooms
from reverie.services.soul import portrait, soul


class Facet:
    """One agent's desk, id and signature in the audit log."""

    def __init__(self, desk: Desk, agent_id: str, *, actor: str) -> None:
        self._desk = desk
        self._agent_id = agent_id
        self._actor = actor


class Soul(Facet):
    """Who the agent is: core beliefs, values, fears, convictions. They stand in each context block, and only these
    calls change them.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     entry = mama.soul.add("I would rather ask than guess")
    ...     [entry.text for entry in mama.soul.list()]
    ['I would rather ask than guess']
    """

    def add(self, text: str, *, override: bool = False) -> SoulEntry:
        """Adds an entry. ``override`` lets in a text that was forgotten. Raises InvalidInput (also for one that is
        there), Forgotten.
        """
        return soul.add(self._desk, self._agent_id, text, override=override, actor=self._actor)

    def remove(self, id: str) -> SoulEntry:
        """Takes an entry away and gives it back. Raises NotFound."""
        return soul.remove(self._desk, self._agent_id, id, actor=self._actor)

    def list(self) -> Sequence[SoulEntry]:
        """All entries, oldest first."""
        return soul.entries(self._desk, self._agent_id)

    def portrait(self) -> str:
        """The self-portrait (soul.md) as it stands: the entries word for word, then what is known for sure, a section a
        kind, at most ``Settings.soul.tokens`` tokens. Markdown.
        """
        return portrait.portrait(self._desk, self._agent_id)

    def refresh(self) -> tuple[str, ...]:
        """Has the mind write the self-portrait anew, as each sleep does, and the file where ``Settings.soul.file`` is
        set; what its reader should know: a section that was changed by hand stands below it now, say.
        """
        return portrait.refresh(self._desk, self._agent_id)


class Goals(Facet):
    """What the agent or its people want to reach: memories of kind goal, open until they are completed."""

    def add(self, text: str, *, override: bool = False, **fields: object) -> Goal:
        """Keeps a goal; ``fields`` are those of ``Draft``. Raises InvalidInput, Forgotten."""
        return goals.add(self._desk, self._agent_id, text, override=override, actor=self._actor, **fields)

    def complete(self, id: str, *, note: str | None = None) -> Goal:
        """The goal is achieved; a second call changes nothing. Raises NotFound, InvalidInput (no goal)."""
        return goals.complete(self._desk, self._agent_id, id, note=note, actor=self._actor)

    def reopen(self, id: str) -> Goal:
        """The goal is open again. Raises NotFound, InvalidInput (no goal)."""
        return goals.reopen(self._desk, self._agent_id, id, actor=self._actor)

    def list(self, *, achieved: bool = False) -> Sequence[Goal]:
        """Open goals, or with ``achieved`` those that were reached."""
        return goals.goals(self._desk, self._agent_id, achieved=achieved)


class Diary(Facet):
    """The agent's diary: one page a date of its own zone, with mood, place and a structured body.

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
        """Writes on the page of a date (None: today, in the agent's zone), behind what stands there already.

        ``body``: text, or a JSON object of any shape; ``mood`` and ``location`` become the page's, too (``location``
        None: where the agent is, if that is known). Raises InvalidInput, Forgotten.
        """
        return diary.write(
            self._desk, self._agent_id, body, mood=mood, location=location, date=date, override=override,
            actor=self._actor,
        )  # fmt: skip

    def page(self, date: Date | None = None) -> DiaryEntry:
        """The page of a date (None: today). Raises NotFound, InvalidInput."""
        return diary.page(self._desk, self._agent_id, date)

    def pages(
        self, *, since: Date | None = None, until: Date | None = None, limit: int = 100,
        newest_first: bool = False,
    ) -> Sequence[DiaryEntry]:  # fmt: skip
        """Pages from ``since`` (inclusive) to ``until`` (exclusive), in order of date. Raises InvalidInput."""
        return diary.pages(
            self._desk, self._agent_id, since=since, until=until, limit=limit, newest_first=newest_first
        )

    def search(
        self,
        keywords: str,
        *,
        since: Date | None = None,
        until: Date | None = None,
        limit: int = 100,
    ) -> Sequence[DiaryEntry]:
        """Pages on which each of the keywords stands (stemmed; in body, mood or location), newest first. Raises
        InvalidInput.
        """
        return diary.search(self._desk, self._agent_id, keywords, since=since, until=until, limit=limit)

    def month(self, month: str | None = None) -> DiaryMonth:
        """The overview of a month (YYYY-MM; None: this one). Raises InvalidInput."""
        return diary.month(self._desk, self._agent_id, month)

    def remove(self, date: Date) -> DiaryEntry:
        """Takes a page out for good, as ``forget`` would, and gives it back. Raises NotFound, InvalidInput."""
        return diary.remove(self._desk, self._agent_id, date, actor=self._actor)


class Relationships(Facet):
    """How the agent sees others, agents and people: what it says of them, and how often they spoke.

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
        """How the agent sees ``other`` from now on; what is not given (None) stays as it is.

        ``type``: one of RELATIONSHIP_TYPES or your own word; ``trust`` in [-1, 1]; ``rationale``: why, of this change
        alone (None: no reason is known). Each change stands in the history. Names that look alike are one: whatever
        their case, and however their accents are written. Raises InvalidInput (also for a name with invisible
        characters), Forgotten.
        """
        return relate.assign(
            self._desk, self._agent_id, other, type=type, trust=trust, tone=tone, rationale=rationale, notes=notes,
            override=override, actor=self._actor,
        )  # fmt: skip

    def get(self, other: str, *, as_of: Moment | None = None) -> Relationship:
        """How it sees ``other`` (whatever the case of the name), or saw it then. Raises NotFound, InvalidInput."""
        return relate.relationship(self._desk, self._agent_id, other, as_of=as_of)

    def list(self, *, as_of: Moment | None = None) -> Sequence[Relationship]:
        """Everyone whom it has assigned something to, or has spoken with, in order of name. Raises InvalidInput."""
        return relate.relationships(self._desk, self._agent_id, as_of=as_of)

    def history(self, other: str | None = None) -> Sequence[View]:
        """Every view of one other, or of all, oldest first: when and why it changed. Raises InvalidInput."""
        return relate.history(self._desk, self._agent_id, other)

    def remove(self, other: str) -> Relationship:
        """Forgets what was assigned to ``other``, history and all, and gives the last of it back. What conversations
        tell of the two stays. Raises NotFound, InvalidInput.
        """
        return relate.remove(self._desk, self._agent_id, other, actor=self._actor)

    def graph(self, *, as_of: Moment | None = None) -> RelationshipGraph:
        """The agent and its others as a graph: edges for networkx, GraphML, JSON. Raises InvalidInput."""
        return relate.graph(self._desk, [self._agent_id], as_of=as_of)


class Link(Facet):
    """Neural links: another agent's whole memory, for the asking, if it shares it within two minutes.

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
        """Asks the agent ``to`` for its memory; it has two minutes to accept. ``message``: why, in a few words.

        Raises InvalidInput (oneself), NotFound (no such agent in this store), LinkRefused (it blocks requests, or one
        is pending already).
        """
        return link.request(self._desk, self._agent_id, to, message=message, actor=self._actor)

    def pending(self) -> Sequence[NeuralLink]:
        """Requests to this agent that it can accept now, oldest first."""
        return link.pending(self._desk, self._agent_id)

    def accept(
        self, id: str, *, include: Include | Names = (), kinds: Kind | Names = None, scope: str | None = None,
        tags: Names = None,
    ) -> NeuralLink:  # fmt: skip
        """Shares this agent's bank with the one that asked: messages, memories of every state with their history,
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
            self._desk, self._agent_id, id, include=listed(include, "include"), kinds=listed(kinds, "kinds"),
            scope=scope, tags=listed(tags, "tags"), actor=self._actor,
        )  # fmt: skip

    def decline(self, id: str) -> NeuralLink:
        """Says no. Raises NotFound, LinkRefused."""
        return link.decline(self._desk, self._agent_id, id, actor=self._actor)

    def get(self, id: str) -> NeuralLink:
        """One link as it stands now. Raises NotFound, InvalidInput."""
        return link.single(self._desk, self._agent_id, id)

    def items(self, id: str, *, limit: int = 100, after: str | None = None) -> Sequence[Memory]:
        """The memories that came by a link and are here still, of every state, in order of id, a page at a time:
        ``after`` is the last id of the page before. What the agent had itself already isn't among them. Raises
        NotFound, LinkRefused (it is the other that received something), InvalidInput.
        """
        return received.brought(self._desk, self._agent_id, id, limit=limit, after=after)

    def adopt(self, id: str) -> int:
        """Makes everything that came by a link trusted as this agent's own; how many memories. (``agent.adopt`` does it
        for one.) Raises NotFound, LinkRefused (nothing came by it).
        """
        return link.adopt(self._desk, self._agent_id, id, actor=self._actor)

    def standing(self, id: str) -> Sequence[Memory]:
        """What came by a link that stands in every context block once it is adopted: policies and preferences, oldest
        first. To be looked at before ``adopt``. Raises NotFound, LinkRefused (nothing came by it).
        """
        return received.standing(self._desk, self._agent_id, id)

    def revoke(self, id: str) -> NeuralLink:
        """Takes back what was shared, from either end: everything that came by the link goes, adopted or not; what the
        receiver knew already, and what it learned of it since, stays. Raises NotFound, LinkRefused.
        """
        return link.revoke(self._desk, self._agent_id, id, actor=self._actor)

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
        """All links of this agent, asked and received, newest first, a page at a time. Raises InvalidInput."""
        return link.links(self._desk, self._agent_id, limit=limit, before=before)

    def block(self, other: str) -> None:
        """Requests from that agent are refused from now on; one that is pending is declined. Raises InvalidInput."""
        link.block(self._desk, self._agent_id, other, actor=self._actor)

    def unblock(self, other: str) -> bool:
        """They are taken again; whether they were refused. Raises InvalidInput."""
        return link.unblock(self._desk, self._agent_id, other, actor=self._actor)

    def blocked(self) -> Sequence[str]:
        """Whose requests are refused, in order."""
        return link.blocked(self._desk, self._agent_id)


class Room:
    """A conversation that several agents of this store take part in, made by ``Reverie.room``: what is said in it
    reaches the bank of each, as its own view of it.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     plaza = reverie.room("plaza", ["nova", "kade"])
    ...     told = plaza.say("nova", "The ferry leaves at six")
    ...     [said.speaker for said in reverie.agent("kade").history(with_="nova")]
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
        """``speaker``, a member or anybody else, says something: each member's bank keeps it, the speaker's own as
        its own words (role agent). What each kept, by member. A repetition of a ``ref`` is kept once. Raises
        InvalidInput.
        """
        return rooms.say(
            self._desk, self.id, self.members, speaker, content, time=time, ref=ref, tags=listed(tags, "tags"),
        )  # fmt: skip
