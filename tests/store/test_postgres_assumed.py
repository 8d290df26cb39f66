"""The embedder of a bank that a process remembers: what that saves, and that every search compares it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import psycopg
import pytest

from reverie.domain.query import EVERYTHING
from reverie.errors import EmbedderMismatch
from reverie.ports.search import Probe
from reverie.store.postgres.engine import PostgresStore
from tests.contract.search_fixtures import AGENT, DIRECTIONS, NOW, OPENERS, Searched, a_memory, an_episode

BY_MEANING = Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[0])
BY_WORDS = Probe(filter=EVERYTHING, now=NOW, terms=("garden",))


@pytest.fixture
def bank(postgres_database: str) -> Iterator[Searched]:
    """A bank of which one question was asked."""
    made = Searched(opener=OPENERS["postgres"], place=postgres_database)
    made.keep(a_memory("m1", "a garden"))
    made.say(an_episode("e1", speaker="Anna"))
    made.view().memories(BY_MEANING)
    yield made
    made.close()


def _move(bank: Searched) -> None:
    """The bank gets another embedder, by another process."""
    store, _ = bank.another()
    with store.write(AGENT) as unit:
        unit.agents.set_embedder("other", len(DIRECTIONS[0]))


def test_the_next_question_does_not_ask_for_the_embedder(
    bank: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def glance(*_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(PostgresStore, "glance", glance)
    view = bank.view()
    assert view.embedder == ("test", len(DIRECTIONS[0]))
    assert view.memories(BY_MEANING).ids == ("m1",)
    with pytest.raises(AssertionError, match="asked"):
        bank.view("papa")


def test_a_question_without_a_vector_assumes_no_embedder(
    bank: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    _, search = bank.another()
    glance = PostgresStore.glance

    def counted(store: PostgresStore, agent_id: str, sql: str, params: Sequence[object]) -> Sequence[Any]:
        asked.append(agent_id)
        return glance(store, agent_id, sql, params)

    monkeypatch.setattr(PostgresStore, "glance", counted)
    for _ in range(2):
        search.view(AGENT).memories(BY_WORDS)
    assert asked == [AGENT, AGENT]


def test_every_search_refuses_a_bank_of_another_embedder(bank: Searched) -> None:
    _move(bank)
    for ask in (
        lambda: bank.view().memories(BY_WORDS),
        lambda: bank.view().episodes(BY_MEANING),
        lambda: bank.view().nearest(DIRECTIONS[:1], filter=EVERYTHING, now=NOW, limit=1),
        lambda: bank.view().nearest_episodes(DIRECTIONS[:1], filter=EVERYTHING, limit=1),
    ):
        bank.search._made_by[AGENT] = ("test", len(DIRECTIONS[0]))  # type: ignore[attr-defined]
        with pytest.raises(EmbedderMismatch, match="'other'"):
            ask()


def test_after_the_refusal_the_new_embedder_is_told(bank: Searched) -> None:
    _move(bank)
    with pytest.raises(EmbedderMismatch):
        bank.view().memories(BY_MEANING)
    assert bank.view().embedder == ("other", len(DIRECTIONS[0]))


def test_of_an_agent_that_is_gone_nothing_is_found(bank: Searched) -> None:
    with psycopg.connect(bank.place) as owner:
        owner.execute("DELETE FROM reverie.agents WHERE id = %s", (AGENT,))
    assert bank.view().memories(BY_MEANING).ids == ()
    assert bank.view().embedder is None


def test_a_views_revision_is_that_of_its_first_answer(bank: Searched) -> None:
    view = bank.view()
    assert view.memories(BY_MEANING).ids == ("m1",)
    with bank.store.read(AGENT) as unit:
        shown = unit.agents.rev()
    bank.keep(a_memory("m2"))
    assert view.rev == shown
    assert bank.view().rev > shown


def test_a_view_answers_from_its_told_revision_or_later(bank: Searched) -> None:
    view = bank.view()
    before = view.rev
    bank.keep(a_memory("m2"))
    assert np.array_equal(view.memories(BY_MEANING).ids, ("m1", "m2"))
    assert view.rev == before
