"""What stands around episodes in a bank in memory, whatever way it was come to: against every message read anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.message import Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.language import query_terms
from reverie.ports.search import EpisodeCandidates, Probe
from reverie.store.sqlite import postings, threads
from reverie.store.sqlite.batches import episode_batch
from reverie.store.sqlite.corpus import EPISODE_COLUMNS, VERSION_BITS, Corpus
from reverie.store.sqlite.snapshot import Snapshot
from tests.contract.context_reference import FLAGS, Line, Said, agree
from tests.contract.search_fixtures import DIMENSIONS, DIRECTIONS, NOW

pytestmark = pytest.mark.slow

WORDS = ["garden", "river", "lantern", "bridge", "the", "cooking", "yesterday", "dog?", "why?"]
_texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


_rows = st.builds(
    Line,
    conversation=st.sampled_from(["one", "two", "three"]),
    text=_texts,
    direction=st.integers(0, len(DIRECTIONS) - 1),
    speaker=st.sampled_from(["Anna", "Ben", None]),
    role=st.sampled_from(Role),
)
_batches = st.lists(st.lists(_rows, max_size=7), min_size=1, max_size=4)
_questions = st.fixed_dictionaries(
    {
        "vector": st.none() | st.integers(0, len(DIRECTIONS) - 1).map(lambda place: DIRECTIONS[place]),
        "terms": _texts.map(query_terms),
        "limit": st.integers(1, 8) | st.just(100),
    }
)


@pytest.fixture(autouse=True)
def _short_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are sorted and postings merged with small examples too."""
    monkeypatch.setattr(threads, "_TAIL_LEAST", 6)
    monkeypatch.setattr(postings, "_TAIL_LEAST", 16)


@dataclass
class Bank:
    """A snapshot, and beside it the messages that it should hold."""

    snapshot: Snapshot = field(
        default_factory=lambda: replace(
            Snapshot.empty(), episode_rows=Corpus.empty(EPISODE_COLUMNS, DIMENSIONS)
        )
    )
    said: dict[int, Said] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    next: int = 0

    def say(self, rows: list[Line]) -> None:
        """New messages at the ends of their conversations."""
        new: dict[int, Said] = {}
        for line in rows:
            number = self.next + len(new)
            position = self.ends.get(line.conversation, 0)
            self.ends[line.conversation] = position + 1
            new[number] = _said(number, position, line)
        self.next += len(new)
        self._store(new)

    def rewrite(self, number: int, text: str, direction: int) -> None:
        """Another wording at the same place."""
        old = self.said[number]
        line = Line(old.conversation, text, direction, old.speaker, old.role)
        self._store({number: _said(number, old.position, line)})

    def delete(self, numbers: set[int]) -> None:
        """Messages that are gone; their places stay empty."""
        corpus = self.snapshot.episode_rows
        gone = np.isin(corpus.column("order") >> VERSION_BITS, sorted(numbers))
        self.snapshot = replace(self.snapshot, episode_rows=corpus.without(gone))
        for number in numbers:
            del self.said[number]

    def tidy(self) -> None:
        """The living rows alone, numbered anew."""
        corpus = self.snapshot.episode_rows
        self.snapshot = replace(self.snapshot, episode_rows=corpus.only(np.flatnonzero(corpus.alive)))

    def episodes(self, filter: Filter = EVERYTHING, **asked: Any) -> EpisodeCandidates:
        return self.snapshot.episodes(Probe(filter=filter, now=NOW, **asked))

    def check(
        self, vector: Any, words: Any, filter: Filter = EVERYTHING, limit: int = 100
    ) -> EpisodeCandidates:
        """Asks, and fails where an answer isn't what the messages make it."""
        got = self.episodes(filter, vector=vector, terms=words, limit=limit)
        agree(got, list(self.said.values()), vector, words)
        return got

    def _store(self, new: dict[int, Said]) -> None:
        if not new:
            return
        rows = [_row(number, one) for number, one in new.items()]
        names = (self.snapshot.conversations, self.snapshot.channels, self.snapshot.speaker_names)
        corpus = self.snapshot.episode_rows.append(episode_batch(rows, DIMENSIONS, *names))
        self.snapshot = replace(self.snapshot, episode_rows=corpus)
        self.said |= new


def _said(number: int, position: int, line: Line) -> Said:
    return Said(
        id=f"e{number:03}", conversation=line.conversation, position=position, text=line.text,
        vector=DIRECTIONS[line.direction], speaker=line.speaker, role=line.role,
    )  # fmt: skip


def _row(number: int, one: Said) -> tuple[object, ...]:
    """A row of EPISODE_FIELDS."""
    return (number, one.id, one.conversation, one.position, 0, "api", str(one.role), one.speaker, one.text,
            "[]", "[]", "[]", None, one.vector.astype("<f4").tobytes())  # fmt: skip


@given(batches=_batches, asked=_questions)
def test_the_context_is_what_the_conversations_make_it(
    batches: list[list[Line]], asked: dict[str, Any]
) -> None:
    bank = Bank()
    for batch in batches:
        bank.say(batch)
        bank.check(asked["vector"], asked["terms"], limit=asked["limit"])


@given(batches=_batches, asked=_questions, data=st.data())
def test_the_context_is_right_after_any_changes(
    batches: list[list[Line]], asked: dict[str, Any], data: st.DataObject
) -> None:
    bank = Bank()
    for batch in batches:
        bank.say(batch)
        for number in _some(data, bank, "rewritten"):
            bank.rewrite(number, data.draw(_texts), data.draw(st.integers(0, len(DIRECTIONS) - 1)))
        bank.check(asked["vector"], asked["terms"])
        bank.delete(_some(data, bank, "deleted"))
        if data.draw(st.booleans(), label="tidied"):
            bank.tidy()
        bank.check(asked["vector"], asked["terms"], limit=asked["limit"])


def _some(data: st.DataObject, bank: Bank, label: str) -> set[int]:
    if not bank.said:
        return set()
    return data.draw(st.sets(st.sampled_from(sorted(bank.said)), max_size=3), label=label)


def _talk() -> Bank:
    bank = Bank()
    bank.say(
        [
            Line("one", "why the garden", 1, "Anna"),
            Line("one", "the river yesterday", 2, "Ben"),
            Line("one", "a bridge", 3, "Anna"),
        ]
    )
    return bank


def test_a_filter_hides_candidates_and_no_neighbours() -> None:
    bank = _talk()
    narrow = Filter(ids=frozenset({"e001"}))
    got = bank.check(DIRECTIONS[1], query_terms("garden river"), filter=narrow)
    assert list(got.ids) == ["e001"]
    assert np.isnan(got.around[0]).tolist() == [True, False, False, True]
    assert got.around[0, 1] == pytest.approx(1, abs=1e-4)
    assert got.before[0] > 0


def test_a_gone_message_leaves_an_empty_place() -> None:
    bank = _talk()
    bank.delete({1})
    got = bank.check(DIRECTIONS[0], query_terms("garden river"))
    assert np.isnan(got.around).tolist() == [[True, True, True, False], [False, True, True, True]]
    assert got.before.tolist() == [0, 0]


def test_of_a_message_stored_anew_the_new_words_and_vector_count() -> None:
    bank = _talk()
    bank.rewrite(0, "dog?", 7)
    got = bank.check(DIRECTIONS[7], query_terms("garden dog"))
    assert got.around[1, 1] == pytest.approx(1, abs=1e-4)
    assert got.answers.tolist() == [False, True, False]


def test_a_probe_without_context_leaves_it_neutral() -> None:
    got = _talk().episodes(vector=DIRECTIONS[1], terms=query_terms("garden why yesterday"), context=False)
    assert len(got.ids) == 3
    assert not got.session.any()
    assert not got.before.any()
    assert np.isnan(got.around).all()
    assert got.around.shape == (3, 4)
    for name in FLAGS:
        assert not getattr(got, name).any()


@pytest.mark.parametrize("filter", [EVERYTHING, Filter(ids=frozenset())])
def test_without_candidates_there_is_no_context(filter: Filter) -> None:
    bank = _talk() if filter is not EVERYTHING else Bank()
    got = bank.episodes(filter, vector=DIRECTIONS[1], terms=["garden"])
    assert (len(got.ids), got.session.shape, got.around.shape) == (0, (0,), (0, 4))
