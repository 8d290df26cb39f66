"""The asynchronous twins of ``Reverie``, ``Agent``, its facets and ``Room``."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable, Callable, Generator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, ParamSpec

from reverie.agent import Agent, Names, Progress
from reverie.agent.facets import Diary, Goals, Link, Relationships, Room, Society, Soul, Summaries
from reverie.agent.items import Items
from reverie.agent.jobs import Host, Jobs, Procedures
from reverie.agent.wrapping import Client, wrapped
from reverie.aio.twins import Twin, from_thread, once, pages, stream, verb
from reverie.client import Reverie
from reverie.domain.agent import Agent as Profile
from reverie.domain.import_report import ImportKind, ImportReport
from reverie.domain.imported import Imported, OnConflict
from reverie.domain.outcome import Copied
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

Given = ParamSpec("Given")


class AsyncSoul(Twin[Soul]):
    """``Agent.soul`` for asyncio."""

    add = verb(Soul.add)
    remove = verb(Soul.remove)
    list = verb(Soul.list)
    portrait = verb(Soul.portrait)
    refresh = verb(Soul.refresh)


class AsyncGoals(Twin[Goals]):
    """``Agent.goals`` for asyncio."""

    add = verb(Goals.add)
    complete = verb(Goals.complete)
    postpone = verb(Goals.postpone)
    reopen = verb(Goals.reopen)
    list = verb(Goals.list)


class AsyncDiary(Twin[Diary]):
    """``Agent.diary`` for asyncio."""

    write = verb(Diary.write)
    page = verb(Diary.page)
    pages = verb(Diary.pages)
    search = verb(Diary.search)
    month = verb(Diary.month)
    remove = verb(Diary.remove)


class AsyncRelationships(Twin[Relationships]):
    """``Agent.relationships`` for asyncio."""

    assign = verb(Relationships.assign)
    get = verb(Relationships.get)
    list = verb(Relationships.list)
    history = verb(Relationships.history)
    remove = verb(Relationships.remove)
    graph = verb(Relationships.graph)


class AsyncItems(Twin[Items]):
    """``Agent.items`` for asyncio."""

    put = verb(Items.put)
    get = verb(Items.get)
    delete = verb(Items.delete)
    write = verb(Items.write)
    search = verb(Items.search)
    namespaces = verb(Items.namespaces)


class AsyncLink(Twin[Link]):
    """``Agent.link`` for asyncio."""

    request = verb(Link.request)
    pending = verb(Link.pending)
    accept = verb(Link.accept)
    decline = verb(Link.decline)
    get = verb(Link.get)
    items = verb(Link.items)
    standing = verb(Link.standing)
    revoke = verb(Link.revoke)
    list = verb(Link.list)
    block = verb(Link.block)
    unblock = verb(Link.unblock)
    blocked = verb(Link.blocked)


class AsyncSociety(Twin[Society]):
    """``Agent.society`` for asyncio."""

    rooms = verb(Society.rooms)
    history = verb(Society.history)


class AsyncSummaries(Twin[Summaries]):
    """``Agent.summaries`` for asyncio."""

    list = verb(Summaries.list)
    expand = verb(Summaries.expand)


class AsyncProcedures(Twin[Procedures]):
    """``Agent.procedures`` for asyncio."""

    record = verb(Procedures.record)
    get = verb(Procedures.get)
    list = verb(Procedures.list)


class AsyncJobs(Twin[Jobs]):
    """``Agent.jobs`` for asyncio."""

    pause = verb(Jobs.pause)
    resume = verb(Jobs.resume)
    sleep_through = verb(Jobs.sleep_through)
    sleeps = verb(Jobs.sleeps)
    diff = verb(Jobs.diff)
    sources = verb(Jobs.sources)
    retry = verb(Jobs.retry)
    flush = verb(Jobs.flush)
    reembed = verb(Jobs.reembed)
    backfill = verb(Jobs.backfill)


class AsyncHost(Twin[Host]):
    """``Agent.host`` for asyncio."""

    night = verb(Host.night)
    apply_night = verb(Host.apply_night)
    extraction = verb(Host.extraction)
    apply_extraction = verb(Host.apply_extraction)


class AsyncRoom(Twin[Room]):
    """``Room`` for asyncio."""

    say = verb(Room.say)

    @property
    def id(self) -> str:
        """The room's id."""
        return self.inner.id

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of the agents that share it."""
        return self.inner.members


class AsyncAgent(Twin[Agent]):
    """``Agent`` for asyncio: the same verbs with the same parameters, to be awaited.

    ``episodes``, ``audit`` and ``export`` are asynchronous iterators. Without a ``limit`` the first two yield
    everything, a page at a time; an episode that is forgotten meanwhile may end them with NotFound.
    """

    def __init__(self, id: str, inner: Callable[[], Agent]) -> None:
        super().__init__(inner)
        self._id = id

    observe = verb(Agent.observe)
    remember = verb(Agent.remember)
    remember_many = verb(Agent.remember_many)
    revise = verb(Agent.revise)
    forget = verb(Agent.forget)
    adopt = verb(Agent.adopt)
    approve = verb(Agent.approve)
    recall = verb(Agent.recall)
    recall_episodes = verb(Agent.recall_episodes)
    get = verb(Agent.get)
    portrait = verb(Agent.portrait)
    memories = verb(Agent.memories)
    episodes = pages(Agent.episodes)
    conversations = verb(Agent.conversations)
    scoped = verb(Agent.scoped)
    context = verb(Agent.context)
    window = verb(Agent.window)
    due = verb(Agent.due)
    attend = verb(Agent.attend)
    sleep = verb(Agent.sleep)
    self_care = verb(Agent.self_care)
    housekeeping = verb(Agent.housekeeping)
    revert = verb(Agent.revert)
    stats = verb(Agent.stats)
    audit = pages(Agent.audit)
    export = stream(Agent.export)
    set_profile = verb(Agent.set_profile)

    async def import_bank(
        self, lines: Iterable[bytes | str | Mapping[str, object]] | AsyncIterable[bytes | str | Mapping[str, object]],
        *, on_conflict: OnConflict | str = OnConflict.REFUSE, untrusted: bool = False, dry_run: bool = False,
        on_progress: Progress | None = None,
    ) -> Imported:  # fmt: skip
        """Bring an export into this bank, as ``Agent.import_bank`` does. ``lines`` may be asynchronous."""
        given = from_thread(lines)
        return await asyncio.to_thread(
            lambda: self.inner.import_bank(
                given, on_conflict=on_conflict, untrusted=untrusted, dry_run=dry_run, on_progress=on_progress
            )
        )

    def wrap(
        self, client: Client, *, conversation: str = "main", speaker: str | None = None,
        max_tokens: int | None = None, observe: bool = True, context: bool = True,
    ) -> Client:  # fmt: skip
        """Return a client of OpenAI's or Anthropic's package with this memory around its calls, as ``Agent.wrap``
        does. Nothing is to be awaited.
        """
        return wrapped(
            client, lambda: self.inner, conversation=conversation, speaker=speaker, max_tokens=max_tokens,
            observe=observe, context=context,
        )  # fmt: skip

    async def import_from(
        self, source: str | os.PathLike[str] | Mapping[str, object] | Iterable[bytes | str | Mapping[str, object]]
        | AsyncIterable[bytes | str | Mapping[str, object]], *,
        kind: ImportKind | str | None = None, speaker: str | None = None, name: str | None = None,
        untrusted: bool = False, dry_run: bool = False, on_progress: Progress | None = None,
    ) -> ImportReport:  # fmt: skip
        """Bring in what other programs wrote down, as ``Agent.import_from`` does. Lines may be asynchronous."""
        given = from_thread(source) if isinstance(source, AsyncIterable) else source
        return await asyncio.to_thread(
            lambda: self.inner.import_from(
                given, kind=kind, speaker=speaker, name=name, untrusted=untrusted, dry_run=dry_run,
                on_progress=on_progress,
            )
        )  # fmt: skip

    async def profile(self) -> Profile:
        """Return time zone, principals, home and location as they are known."""
        return await asyncio.to_thread(lambda: self.inner.profile)

    @property
    def id(self) -> str:
        """The agent's id."""
        return self._id

    @property
    def soul(self) -> AsyncSoul:
        """Who the agent is."""
        return AsyncSoul(lambda: self.inner.soul)

    @property
    def goals(self) -> AsyncGoals:
        """What is to be reached."""
        return AsyncGoals(lambda: self.inner.goals)

    @property
    def diary(self) -> AsyncDiary:
        """A page for each date."""
        return AsyncDiary(lambda: self.inner.diary)

    @property
    def relationships(self) -> AsyncRelationships:
        """How the agent sees others."""
        return AsyncRelationships(lambda: self.inner.relationships)

    @property
    def items(self) -> AsyncItems:
        """Values by namespace and key, for programs."""
        return AsyncItems(lambda: self.inner.items)

    @property
    def link(self) -> AsyncLink:
        """Neural links to other agents."""
        return AsyncLink(lambda: self.inner.link)

    @property
    def society(self) -> AsyncSociety:
        """The rooms that the agent shares with others."""
        return AsyncSociety(lambda: self.inner.society)

    @property
    def summaries(self) -> AsyncSummaries:
        """What self-care has summarized."""
        return AsyncSummaries(lambda: self.inner.summaries)

    @property
    def procedures(self) -> AsyncProcedures:
        """Named workflows, and how they went."""
        return AsyncProcedures(lambda: self.inner.procedures)

    @property
    def jobs(self) -> AsyncJobs:
        """What runs in the background, and its controls."""
        return AsyncJobs(lambda: self.inner.jobs)

    @property
    def host(self) -> AsyncHost:
        """Sleep and extraction by the model that the agent runs on."""
        return AsyncHost(lambda: self.inner.host)


def _opening(function: Callable[Given, Reverie]) -> Callable[Given, Opening]:
    def opening(*args: Given.args, **kwargs: Given.kwargs) -> Opening:
        """Open a bank as ``Reverie.open`` does: ``async with AsyncReverie.open(…) as reverie``, or ``await`` it and
        close it yourself.
        """
        return Opening(lambda: function(*args, **kwargs))

    return opening


class AsyncReverie(Twin[Reverie]):
    """``Reverie`` for asyncio: the same verbs with the same parameters, to be awaited. ``agent`` and ``room`` need no
    ``await``; ``check`` is an asynchronous iterator.

    >>> import asyncio
    >>> from reverie import AsyncReverie
    >>> async def session():
    ...     async with AsyncReverie.open("example.bank") as reverie:
    ...         mama = reverie.agent("mama")
    ...         await mama.remember("Péter is allergic to peanuts")
    ...         return (await mama.recall("what must Péter not eat?")).hits[0].text
    >>> asyncio.run(session())
    'Péter is allergic to peanuts'
    """

    open = staticmethod(_opening(Reverie.open))
    relationship_graph = verb(Reverie.relationship_graph)
    agents = verb(Reverie.agents)
    info = verb(Reverie.info)
    tokens = verb(Reverie.tokens)
    warm = verb(Reverie.warm)
    attend = verb(Reverie.attend)
    housekeeping = verb(Reverie.housekeeping)
    flush = verb(Reverie.flush)
    reembed = verb(Reverie.reembed)
    sleep = verb(Reverie.sleep)
    check = stream(Reverie.check)
    check_model = verb(Reverie.check_model)
    backup = verb(Reverie.backup)
    close = verb(Reverie.close)

    def agent(
        self, id: str, *, time_zone: str | None = None, principals: Sequence[str] | None = None,
        home: str | None = None, location: str | None = None,
    ) -> AsyncAgent:  # fmt: skip
        """Return the agent of that id. What else you give here changes its profile just before the first verb that you
        await, which raises InvalidInput if it can't be so. Raises InvalidInput.
        """
        profiled = once(
            lambda: self.inner.agent(
                id, time_zone=time_zone, principals=principals, home=home, location=location
            )
        )
        return AsyncAgent(self.inner.agent(id).id, profiled)

    def room(self, id: str, members: Sequence[str]) -> AsyncRoom:
        """Return a conversation that these agents share, as ``Reverie.room`` does. Raises InvalidInput."""
        room = self.inner.room(id, members)
        return AsyncRoom(lambda: room)

    async def copy_to(
        self, other: AsyncReverie, *, agents: Names = None, on_progress: Progress | None = None
    ) -> tuple[Copied, ...]:
        """Copy these agents, or all, into another file or database, as ``Reverie.copy_to`` does."""
        if not isinstance(other, AsyncReverie):
            raise InvalidInput("other", f"{shown(other)} is no AsyncReverie", "give an open one")
        return await asyncio.to_thread(
            self.inner.copy_to, other.inner, agents=agents, on_progress=on_progress
        )


class Opening:
    """A bank that is opened once you enter it (``async with``) or await it."""

    def __init__(self, work: Callable[[], Reverie]) -> None:
        self._work = work
        self._opened: AsyncReverie | None = None

    def __await__(self) -> Generator[Any, None, AsyncReverie]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> AsyncReverie:
        reverie = await asyncio.to_thread(self._work)
        self._opened = AsyncReverie(lambda: reverie)
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.close()
