"""Postings that a process keeps: what they save, that they are never stale, and that they stay few."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pytest

from reverie.domain.query import EVERYTHING
from reverie.ports.search import Probe
from reverie.store.executor import Corpus
from reverie.store.postgres import postings, words
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.postings import POSTING, Postings
from reverie.store.postgres.postings_cache import CachedPostings, PostingsCache
from reverie.store.postgres.search import PostgresSearch
from tests.contract.search_fixtures import AGENT, NOW, OPENERS, Searched, a_memory

pytestmark = pytest.mark.slow

WORDS = ("garden", "forest", "lamp", "window", "river")  # their own stems
PROBE = Probe(filter=EVERYTHING, now=NOW, terms=WORDS)


def _postings(size: int) -> Postings:
    return np.zeros(size, POSTING)


TEN = CachedPostings(7, _postings(10)).size


@pytest.fixture
def bank(postgres_database: str) -> Iterator[Searched]:
    made = Searched(opener=OPENERS["postgres"], place=postgres_database)
    yield made
    made.close()


def _known(
    store: PostgresStore, kept: PostingsCache, corpus: Corpus = "memories", agent_id: str = AGENT
) -> words.Statistics:
    with store.reader(agent_id) as session:
        return words.statistics(session, agent_id, corpus, WORDS, kept)


def _told(statistics: words.Statistics) -> dict[str, list[tuple[int, ...]]]:
    return {term: sorted(found.tolist()) for term, found in statistics.postings.items()}


def test_a_words_postings_are_sent_once_until_they_change(
    bank: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[list[int]] = []

    def joined(rows: Iterable[tuple[int, bytes]]) -> Mapping[int, Postings]:
        parts = [*rows]
        sent.append(sorted({term for term, _ in parts}))
        return postings.joined(parts)

    monkeypatch.setattr(words, "joined", joined)
    bank.keep(a_memory("m1", "a garden with a lamp"), a_memory("m2", "the river behind the garden"))
    for _ in range(2):
        bank.memories(terms=WORDS)
    bank.keep(a_memory("m3", "one more garden"))
    bank.memories(terms=WORDS)
    first, second, third = sent
    assert len(first) == 3
    assert second == []
    assert len(third) == 1


def test_cached_postings_equal_those_read_anew(bank: Searched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "PIECE", 60)  # so that there are pieces and tails
    search = bank.search
    bank.store, _ = bank.another()  # which alone writes
    assert isinstance(bank.store, PostgresStore)
    chance, kept, here = random.Random(3), PostingsCache(), dict[str, str]()
    for step in range(60):
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 4))) + f" {step}"
        act = chance.choice(("keep", "keep", "change", "forget", "forget all" if step % 9 == 0 else "keep"))
        if act == "keep" or not here:
            id = f"m{step:02}"
            bank.keep(a_memory(id, text))
            here[id] = text
        elif act == "change":
            id = chance.choice([*here])
            with bank.store.write(AGENT) as unit:
                unit.memories.update(a_memory(id, text))
        else:
            gone = [*here] if act == "forget all" else chance.sample([*here], k=1)
            with bank.store.write(AGENT) as unit:
                unit.memories.delete(gone)
            for id in gone:
                del here[id]
        assert _told(_known(bank.store, kept)) == _told(_known(bank.store, PostingsCache()))
        warm, cold = (one.view(AGENT).memories(PROBE) for one in (search, PostgresSearch(bank.store)))
        assert warm.ids == cold.ids
        assert warm.lexical.tolist() == cold.lexical.tolist()


def test_an_older_state_gets_its_own_postings(bank: Searched) -> None:
    assert isinstance(bank.store, PostgresStore)
    kept = PostingsCache()
    bank.keep(a_memory("m1", "a garden"))
    with bank.store.reader(AGENT) as session:
        before = _told(words.statistics(session, AGENT, "memories", WORDS, kept))
        bank.keep(a_memory("m2", "the other garden"))
        after = _told(_known(bank.store, kept))
        assert _told(words.statistics(session, AGENT, "memories", WORDS, kept)) == before
    assert [len(after["garden"]), len(before["garden"])] == [2, 1]


def test_postings_of_one_agent_are_not_those_of_another(bank: Searched) -> None:
    assert isinstance(bank.store, PostgresStore)
    kept = PostingsCache()
    bank.keep(a_memory("m1", "a garden"))
    bank.keep(a_memory("m1", "a garden"), a_memory("m2", "a garden, too"), agent_id="papa")
    sizes = [len(_known(bank.store, kept, agent_id=one).postings["garden"]) for one in (AGENT, "papa", AGENT)]
    assert sizes == [1, 2, 1]


def test_postings_that_were_asked_for_longest_ago_are_let_go_of() -> None:
    kept = PostingsCache(most_bytes=10 * TEN)
    for term in range(10):
        kept.keep(AGENT, "memories", {term: CachedPostings(7, _postings(10))})
    kept.of(AGENT, "memories", [0])
    kept.keep(AGENT, "memories", {10: CachedPostings(7, _postings(10)), 11: CachedPostings(7, _postings(10))})
    assert sorted(kept.of(AGENT, "memories", range(12))) == [0, *range(3, 12)]


def test_postings_that_take_the_place_of_others_count_once() -> None:
    kept = PostingsCache(most_bytes=10 * TEN)
    for version in range(3):
        kept.keep(AGENT, "memories", {term: CachedPostings(version, _postings(10)) for term in range(10)})
    assert {
        term: one.version for term, one in kept.of(AGENT, "memories", range(10)).items()
    } == dict.fromkeys(range(10), 2)


def test_postings_larger_than_an_eighth_of_all_drive_nothing_out() -> None:
    kept = PostingsCache(most_bytes=8 * TEN)
    kept.keep(AGENT, "memories", {1: CachedPostings(7, _postings(10))})
    kept.keep(AGENT, "memories", {2: CachedPostings(7, _postings(11))})
    assert sorted(kept.of(AGENT, "memories", [1, 2])) == [1]


def test_a_closed_search_keeps_nothing(bank: Searched) -> None:
    assert isinstance(bank.search, PostgresSearch)
    bank.keep(a_memory("m1", "a garden"))
    bank.memories(terms=WORDS)
    assert bank.search._kept._bytes > 0
    bank.search.close()
    assert bank.search._kept._bytes == 0
    assert not bank.search._kept._known
