"""The laws of the society's world: what a bank shows against its agent's ledger. What contradicts it is a violation."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bench.society_ledger import Ledger, by_date
from bench.society_talk import marks
from reverie import Agent, Episode, Kind, Memory, Settings, SourceTrust, State, Summary
from reverie.domain.memory import Origin
from reverie.domain.summary import SelfCareReport

Row = TypeVar("Row", Memory, Episode)
_AT_ONCE = 1_000
_SAMPLED = 2
_MOST_LISTED = 3


class Checked(Protocol):
    """What the laws look at of a world."""

    day: int
    ledgers: dict[str, Ledger]
    settings: Settings
    without: frozenset[str]

    def agent(self, name: str) -> Agent:
        """The agent of that name."""
        ...

    def wrong(self, what: str, where: str) -> None:
        """Enters a violation."""
        ...

    def count(self, what: str, by: int = 1) -> None:
        """Counts what was done."""
        ...


@dataclass(frozen=True, slots=True)
class Bank:
    """Everything that a bank shows."""

    memories: Mapping[str, Memory]
    episodes: Mapping[str, Episode]

    def texts(self, summaries: Collection[str]) -> Iterable[tuple[str, str, bool]]:
        """Every text with the name of its row, and whether it was made of several messages: what a sleep said of them
        together stays when one of them is forgotten, and the receipt names it (docs/forgetting.md).
        """
        for id, memory in self.memories.items():
            of_several = bool(memory.source_episodes) and id not in summaries
            yield f"memory {id}", f"{memory.essence} {memory.lesson or ''}", of_several
        for id, episode in self.episodes.items():
            yield f"episode {id}", episode.content, False


def check(world: Checked) -> None:
    """Every agent's bank, today."""
    chance = random.Random(world.day)
    for name, ledger in world.ledgers.items():
        _Check(world, name, ledger).all(chance)


def bank_of(agent: Agent) -> Bank:
    """All rows of every state."""
    memories = _paged(lambda after: agent.memories(deep=True, limit=_AT_ONCE, after=after))
    episodes = _paged(lambda after: agent.episodes(limit=_AT_ONCE, after=after))
    return Bank({one.id: one for one in memories}, {one.id: one for one in episodes})


def care_checked(world: Checked, name: str, care: Callable[[], SelfCareReport]) -> None:
    """Lets the agent take care of itself, and enters what each new summary stands for."""
    agent, ledger = world.agent(name), world.ledgers[name]
    before = _of_kind(agent, State.ACTIVE)
    report = care()
    after = bank_of(agent).memories
    if report.declined is not None:
        world.count("self_care_declined")
        summaries = {one.memory_id for one in _paged_summaries(agent)}
        details = {one.id for one in _active(after.values())} - summaries
        if len(details) >= world.settings.self_care.min_observations:
            world.wrong(f"self-care was declined with {len(details)} observations", name)
        if any(after[id].state is not State.ACTIVE for id in before):
            world.wrong("self-care that was declined changed memories", name)
        return
    world.count("self_cares")
    world.count("summaries", len(report.summaries))
    taken = {id for id in before if id in after and after[id].state is State.SUMMARIZED}
    lost = [id for id in before if id not in after]
    stood: set[str] = set()
    for summary in report.summaries:
        expanded = agent.summaries.expand(summary)
        items = [one.id for one in expanded.memories] + [one.id for one in expanded.episodes]
        if stood & {*items}:
            world.wrong("two new summaries stand for the same", f"{name}, {summary}")
        stood |= {*items}
        ledger.stands_for[summary] = frozenset(items)
        world.count("closed", len(expanded.episodes))
        world.count("summarized", len(expanded.memories))
    if lost:
        world.wrong(f"self-care lost {len(lost)} memories", name)
    if not taken <= stood:
        world.wrong(f"{len(taken - stood)} memories were summarized under no summary", name)
    world.count("pinned_or_kept", len(before) - len(taken))
    tokens = sum(_size(one) for one in _active(after.values()))
    left = len(_active(after.values()))
    if tokens > world.settings.self_care.target and left > 1:
        world.wrong(f"after self-care there are {tokens} tokens of observations", name)


def _of_kind(agent: Agent, state: State) -> list[str]:
    return [
        one.id
        for one in bank_of(agent).memories.values()
        if one.kind is Kind.OBSERVATION and one.state is state
    ]


def _active(memories: Iterable[Memory]) -> list[Memory]:
    """What self-care counts: the agent's own observations, not those of others that nobody adopted."""
    return [
        one
        for one in memories
        if one.kind is Kind.OBSERVATION
        and one.state is State.ACTIVE
        and one.superseded_by is None
        and (one.learned_from is None or one.source_trust is SourceTrust.PRINCIPAL)
    ]


def _size(memory: Memory) -> int:
    return -(-len(memory.essence.encode()) // 3) + -(-len((memory.lesson or "").encode()) // 3)


def _paged(page: Callable[[str | None], Sequence[Row]]) -> list[Row]:
    rows: list[Row] = []
    while True:
        some = page(rows[-1].id if rows else None)
        rows += some
        if len(some) < _AT_ONCE:
            return rows


def _paged_summaries(agent: Agent) -> list[Summary]:
    found: list[Summary] = []
    while True:
        some = agent.summaries.list(limit=_AT_ONCE, after=found[-1].memory_id if found else None)
        found += some
        if len(some) < _AT_ONCE:
            return found


class _Check:
    """One agent's bank against its ledger."""

    def __init__(self, world: Checked, name: str, ledger: Ledger) -> None:
        self._world, self._name, self._ledger = world, name, ledger
        self._agent = world.agent(name)
        self._bank = bank_of(self._agent)
        self._summaries = {one.memory_id: one for one in _paged_summaries(self._agent)}

    def all(self, chance: random.Random) -> None:
        """Every law."""
        self._messages()
        self._memories()
        self._derived()
        self._texts()
        self._links()
        self._expanded()
        self._deep(chance)
        self._rooms()
        self._person()

    def _wrong(self, what: str, ids: Iterable[object] = ()) -> None:
        some = sorted(map(str, ids))
        shown = f": {', '.join(some[:_MOST_LISTED])}" + (
            f" and {len(some) - 3} more" if len(some) > 3 else ""
        )
        self._world.wrong(what + (shown if some else ""), self._name)

    def _wrongs(self, what: str, ids: Iterable[object]) -> None:
        found = [*ids]
        if found:
            self._wrong(f"{what} ({len(found)})", found)

    def _messages(self) -> None:
        """Each is there as it was said, until it was forgotten; and no other is there, but for what came by links."""
        ledger, there = self._ledger, self._bank.episodes
        wanted = {id for id, one in ledger.heard.items() if one.mark not in ledger.forgotten}
        self._wrongs("messages are lost", wanted - there.keys())
        own = {id for id, one in there.items() if one.channel != "link"}
        self._wrongs("messages are there that nobody said to it, or that were forgotten", own - wanted)
        changed = []
        for id in wanted & own:
            said, kept = ledger.heard[id], there[id]
            told = (said.conversation, said.position, said.speaker, said.content, said.at)
            if told != (kept.conversation, kept.position, kept.speaker, kept.content, kept.time):
                changed.append(id)
        self._wrongs("messages changed", changed)

    def _memories(self) -> None:
        """Each is live, archived, inactive, summarized or superseded, and says what was told, now or before."""
        ledger, there = self._ledger, self._bank.memories
        wanted = {id for id, one in ledger.noted.items() if one.mark not in ledger.forgotten}
        self._wrongs("memories are lost", wanted - there.keys())
        self._wrongs(
            "forgotten memories are there",
            (id for id, one in ledger.noted.items() if one.mark in ledger.forgotten and id in there),
        )
        self._wrongs("memories changed", (id for id in wanted & there.keys() if not self._says(id)))
        self._wrongs(
            "superseded memories lead nowhere", (id for id in wanted & there.keys() if not self._survives(id))
        )
        under = ledger.summarized()
        self._wrongs(
            "memories are summarized under no summary",
            (id for id in wanted & there.keys() if there[id].state is State.SUMMARIZED and id not in under),
        )
        self._wrongs(
            "memories under a summary are not summarized",
            (id for id in under & there.keys() if there[id].state is not State.SUMMARIZED),
        )

    def _says(self, id: str) -> bool:
        told = _bare(self._ledger.noted[id].texts[0])
        if _bare(self._bank.memories[id].essence) == told:
            return True
        return any(_bare(one.essence) == told for one in self._agent.portrait(id).versions)

    def _survives(self, id: str) -> bool:
        seen = {id}
        memory = self._bank.memories[id]
        while memory.superseded_by is not None:
            if memory.superseded_by in seen or memory.superseded_by not in self._bank.memories:
                return False
            memory = self._bank.memories[memory.superseded_by]
            seen.add(memory.id)
        return True

    def _derived(self) -> None:
        """What nobody told it was made of what is there, or came by a link."""
        linked = bool(self._ledger.came)
        strange, dangling = [], []
        for id, one in self._bank.memories.items():
            if any(source not in self._bank.episodes for source in one.source_episodes):
                dangling.append(id)
            if one.learned_from is not None or one.origin is Origin.LINK:
                if not linked:
                    strange.append(id)
            elif id not in self._ledger.noted and id not in self._summaries and not one.source_episodes:
                strange.append(id)
        self._wrongs("memories rest on messages that are not there", dangling)
        self._wrongs("memories came from nowhere", strange)
        came = [id for id, one in self._bank.episodes.items() if one.channel == "link"]
        self._wrongs("messages came by no link", () if linked else came)

    def _texts(self) -> None:
        """Nothing stands in the bank that nobody told it, and nothing that was forgotten."""
        strange, back = [], []
        for where, text, of_several in self._bank.texts(self._summaries):
            for mark in marks(text):
                if not self._ledger.may_know(mark):
                    strange.append(f"{where} #{mark}")
                if mark in self._ledger.forgotten and not of_several:
                    back.append(f"{where} #{mark}")
        self._wrongs("texts of others", strange)
        self._wrongs("forgotten texts", back)

    def _links(self) -> None:
        """What was shared is there."""
        if not self._ledger.came:
            return
        there = {mark for _, text, _ in self._bank.texts(()) for mark in marks(text)}
        for one in self._ledger.came.values():
            self._wrongs(f"of what {one.giver} shared is missing", one.sure - there - self._ledger.forgotten)

    def _expanded(self) -> None:
        """Each summary brings back exactly what it stood for when it was made."""
        stands_for = self._ledger.stands_for
        came = {id for id in self._summaries if self._bank.memories[id].learned_from is not None}
        own = self._summaries.keys() - came
        self._wrongs("summaries are lost", stands_for.keys() - own)
        self._wrongs("summaries are there that should have gone", own - stands_for.keys())
        for id in self._summaries:
            expanded = self._agent.summaries.expand(id)
            items = {one.id for one in expanded.memories} | {one.id for one in expanded.episodes}
            if id in stands_for and items != stands_for[id]:
                self._wrongs(f"summary {id} stands for something else", items ^ stands_for[id])
            most = self._summaries[id].items
            # Two that are one here already count twice in a summary that came by a link.
            if not (1 if id in came else most) <= len(items) <= most:
                self._wrong(f"summary {id} stands for {most}, and gives {len(items)}")
            self._span(self._summaries[id], [one.id for one in expanded.episodes])

    def _span(self, summary: Summary, ids: Sequence[str]) -> None:
        """A conversation's summary stands for its messages from its first to its last position."""
        said = self._ledger.rooms.get(summary.conversation or "")
        if said is None or summary.first is None or summary.last is None:
            return
        wanted = [
            id
            for id in said[summary.first : summary.last + 1]
            if self._ledger.heard[id].mark not in self._ledger.forgotten
        ]
        if wanted != [*ids]:
            self._wrong(f"summary {summary.memory_id} gives {len(ids)} messages of {len(wanted)}")

    def _deep(self, chance: random.Random) -> None:
        """What is summarized is found by deep recall."""
        ledger = self._ledger
        hidden = [one for id, one in ledger.noted.items() if id in ledger.summarized()]
        for noted in chance.sample(hidden, min(_SAMPLED, len(hidden))):
            found = self._agent.recall(noted.texts[0], deep=True, limit=20)
            self._world.count("deep_recalls")
            if _bare(noted.texts[0]) not in {_bare(hit.memory.essence) for hit in found.hits}:
                self._wrong(f"deep recall does not find {noted.id}")

    def _rooms(self) -> None:
        """Live and closed messages are all that were said."""
        ledger = self._ledger
        under = ledger.summarized()
        for view in self._agent.society.rooms(limit=_AT_ONCE):
            said = [
                id
                for id in ledger.rooms.get(view.conversation.id, ())
                if ledger.heard[id].mark not in ledger.forgotten
            ]
            closed = sum(id in under for id in said)
            if (view.live, view.closed) != (len(said) - closed, closed):
                self._wrong(
                    f"room {view.conversation.id}: {view.live} live, {view.closed} closed of {len(said)}"
                )

    def _person(self) -> None:
        """Soul, diary and relationships are as it made them."""
        ledger, without = self._ledger, self._world.without
        if [one.text for one in self._agent.soul.list()] != ledger.soul:
            self._wrong("the soul changed")
        if "diary" not in without:
            pages = {one.date: one.notes for one in self._agent.diary.pages(limit=_AT_ONCE)}
            for date, notes in by_date(ledger.wrote).items():
                told = [(one.body, one.mood, one.location) for one in notes]
                if told != [(dict(one.body), one.mood, one.location) for one in pages.get(date, ())]:
                    self._wrong(f"the diary's page of {date} is not as it was written")
            self._wrongs("pages are there that nobody wrote", pages.keys() - by_date(ledger.wrote).keys())
        if "relate" not in without:
            self._related()

    def _related(self) -> None:
        ledger, relationships = self._ledger, self._agent.relationships
        views = [(one.other, one.type, one.trust, one.tone, one.rationale) for one in ledger.saw]
        kept = [(one.other, one.type, one.trust, one.tone, one.rationale) for one in relationships.history()]
        if kept != views:
            self._wrong(f"the history of relationships has {len(kept)} views of {len(views)}")
        met = {one.other: one.interaction_count for one in relationships.list() if one.interaction_count}
        if met != ledger.spoken_by():
            self._wrong(f"who met whom is not as it was: {met} and not {ledger.spoken_by()}")


def _bare(text: str) -> str:
    return " ".join(text.split()).rstrip(".! ")
