"""Proving a bank whole: its content is one that the steps allow, and all that hangs together agrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from reverie import Action, Agent, Episode, Inserted, Memory, Reverie
from reverie.domain.query import EVERYTHING, Filter
from reverie.embedders.hashing import HashingEmbedder
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import Probe
from tests.crash import story
from tests.crash.fleet import Place
from tests.crash.story import Content

EMBEDDER = HashingEmbedder.for_tests()
_NEW = 9999
_PAGE = 500
_COUNTS = """
SELECT c.id, c.episodes, c.next_position, count(e.id), min(e.position), max(e.position),
    (SELECT sum(p.episodes) FROM participants p WHERE p.agent_id = c.agent_id AND p.conversation_id = c.id)
FROM conversations c LEFT JOIN episodes e ON e.agent_id = c.agent_id AND e.conversation_id = c.id
GROUP BY c.agent_id, c.id"""
_ORPHANS = """
SELECT 'touches', memory_id FROM memory_touches WHERE memory_id NOT IN (SELECT id FROM memories)
UNION ALL SELECT 'versions', memory_id FROM memory_versions WHERE memory_id NOT IN (SELECT id FROM memories)
UNION ALL SELECT 'sources', memory_id FROM memory_sources WHERE memory_id NOT IN (SELECT id FROM memories)
UNION ALL SELECT 'edges', source FROM connections WHERE source NOT IN (SELECT id FROM memories)
UNION ALL SELECT 'edges', target FROM connections WHERE target NOT IN (SELECT id FROM memories)"""
_REVS = """
SELECT a.rev, (SELECT coalesce(max(rev), 0) FROM (
    SELECT agent_id, rev FROM memories UNION ALL SELECT agent_id, rev FROM episodes
    UNION ALL SELECT agent_id, rev FROM memory_versions UNION ALL SELECT agent_id, rev FROM deletions
) WHERE agent_id = a.id) FROM agents a"""


@contextmanager
def opened(place: Place) -> Iterator[tuple[Reverie, Agent]]:
    """The bank there, opened in this process (which must be told the key file's place)."""
    with Reverie.open(place.bank, embedder=EMBEDDER, settings=story.settings()) as reverie:
        yield reverie, reverie.agent(story.AGENT)


def content_of(agent: Agent) -> Content:
    """What the tables say; fails for a text that isn't whole."""
    memories: dict[int, int] = {}
    reinforced: dict[int, int] = {}
    for memory in _memories(agent):
        number, version = story.number_of(memory.essence)
        assert memory.essence == story.essence(number, version)
        assert number not in memories, f"memory {number} is there twice"
        assert memory.version == version
        memories[number], reinforced[number] = version, memory.reinforcement_count
    episodes = []
    for position, episode in enumerate(sorted(_episodes(agent), key=lambda e: e.position)):
        number, _ = story.number_of(episode.content)
        assert episode.content == story.content(number)
        assert (episode.position, episode.ref, episode.speaker) == (position, f"t{number}", "Anna")
        episodes.append(number)
    return Content(memories=memories, reinforced=reinforced, episodes=tuple(episodes))


def _memories(agent: Agent) -> list[Memory]:
    found = list(agent.memories(deep=True, limit=_PAGE))
    while len(found) % _PAGE == 0 and (more := agent.memories(deep=True, limit=_PAGE, after=_last(found))):
        found += more
    return found


def _episodes(agent: Agent) -> list[Episode]:
    found = list(agent.episodes(limit=_PAGE))
    while len(found) % _PAGE == 0 and (more := agent.episodes(limit=_PAGE, after=_last(found))):
        found += more
    return found


def _last(found: Sequence[Memory] | Sequence[Episode]) -> str | None:
    return found[-1].id if found else None


def prove(reverie: Reverie, agent: Agent, *allowed: Content) -> Content:
    """The bank is whole, holds one of the allowed contents, and takes the next write. Gives what it held."""
    held = prove_whole(reverie, agent)
    assert held in allowed
    _prove_that_it_goes_on(agent, held)
    return held


def prove_whole(reverie: Reverie, agent: Agent) -> Content:
    """No page is faulty; tables, keyword index, vectors, snapshot, counters and audit log tell the same."""
    assert list(reverie.check()) == []
    held = content_of(agent)
    _prove_tables(reverie, held)
    _prove_snapshot(reverie, agent)
    for memory in _memories(agent):
        assert [m.id for m in agent.memories(match=memory.essence.split()[0])] == [memory.id]
        portrait = agent.portrait(memory.id)
        assert [old.version for old in portrait.versions] == list(range(1, memory.version))
        actions = [entry.action for entry in portrait.audit]
        assert actions.count(Action.REMEMBER) == 1
        assert actions.count(Action.REVISE) == memory.version - 1
        assert actions.count(Action.REINFORCE) == memory.reinforcement_count - 1
    return held


def _prove_tables(reverie: Reverie, held: Content) -> None:
    with reverie._desk.store.reader() as session:  # type: ignore[attr-defined]  # the engine's own
        rows = session.run(_COUNTS)
        assert session.run(_ORPHANS) == []
        for rev, greatest in session.run(_REVS):
            assert greatest <= rev
    count = len(held.episodes)
    assert rows == ([(story.ROOM, count, count, count, 0, count - 1, count)] if count else [])


def _prove_snapshot(reverie: Reverie, agent: Agent) -> None:
    """A fresh snapshot finds each text by its meaning and by its words: as the tables have them, no more."""
    desk = reverie._desk
    view = desk.search.view(story.AGENT)
    memories = {memory.id: memory.essence for memory in _memories(agent)}
    episodes = {episode.id: episode.content for episode in _episodes(agent)}
    with desk.store.read(story.AGENT) as unit:
        assert view.rev == unit.agents.rev()
        for found, stored in ((memories, unit.memories), (episodes, unit.episodes)):
            vectors = stored.vectors(found)
            assert vectors.keys() == found.keys()
            for id, text in found.items():
                assert np.array_equal(vectors[id], EMBEDDER.embed_query(text))
    now = desk.clock()
    everything = Probe(filter=EVERYTHING, now=now, limit=100_000)
    assert set(view.memories(everything).ids) == memories.keys()
    assert set(view.episodes(Probe(filter=Filter(), now=now, limit=100_000)).ids) == episodes.keys()
    for texts, search, filter in ((memories, view.memories, EVERYTHING), (episodes, view.episodes, Filter())):
        for id, text in texts.items():
            probe = Probe(
                filter=filter, now=now, vector=EMBEDDER.embed_query(text), terms=query_terms(text.split()[0]), limit=1
            )  # fmt: skip
            found_now = search(probe)
            assert list(found_now.ids) == [id]
            assert found_now.semantic[0] > 0.9999
            assert found_now.lexical[0] > 0


def _prove_that_it_goes_on(agent: Agent, held: Content) -> None:
    before = agent.stats()
    assert isinstance(agent.remember(story.essence(_NEW)), Inserted)
    assert agent.observe(story.message(_NEW), conversation=story.ROOM).stored == 1
    after = agent.stats()
    assert (after.rev, after.memories, after.episodes) == (
        before.rev + 2,
        before.memories + 1,
        before.episodes + 1,
    )
    for number, version in [*held.memories.items(), (_NEW, 1)]:
        assert agent.recall(story.essence(number, version)).hits[0].text == story.essence(number, version)
    for number in (*held.episodes, _NEW):
        assert agent.recall_episodes(story.content(number)).hits[0].ref == f"t{number}"
