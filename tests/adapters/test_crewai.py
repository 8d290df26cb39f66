"""The storage under CrewAI's own ``Memory``, with an embedder that counts letters; no model is asked."""

from __future__ import annotations

import asyncio
import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reverie import Agent, InvalidInput

pytestmark = pytest.mark.filterwarnings("ignore")
with pytest.MonkeyPatch.context() as _patch:  # it asks for the settings when it is imported
    _patch.setenv("OTEL_SDK_DISABLED", "true")
    _patch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    pytest.importorskip("crewai.memory", exc_type=ImportError)

from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend  # noqa: E402
from crewai.memory.types import MemoryRecord  # noqa: E402
from crewai.memory.unified_memory import Memory  # noqa: E402

from reverie.adapters.crewai import ReverieStorage  # noqa: E402

START = datetime(2026, 1, 1)  # noqa: DTZ001  # as CrewAI makes them


def letters(texts: list[str]) -> list[list[float]]:
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def record(id: str, place: int = 0, **fields: Any) -> MemoryRecord:
    moment = START + timedelta(days=place)
    given = {
        "content": f"record {id}",
        "created_at": moment,
        "last_accessed": moment,
        "embedding": [1.0, place / 10],
    }
    return MemoryRecord(id=id, **{**given, **fields})


@pytest.fixture
def storage(mama: Agent) -> ReverieStorage:
    made = ReverieStorage(mama)
    made.save([
        record("a", 0, scope="/crew/sales", categories=["x"], metadata={"rank": 1}, private=True, source="anna"),
        record("b", 1, scope="/crew/sales/leads", categories=["x", "y"], metadata={"rank": 2}, importance=0.9),
        record("c", 2, scope="/crewless", categories=["y"]),
        record("d", 3, metadata={"deep": {"list": [1, "two", None]}}),
    ])  # fmt: skip
    return made


def ids(found: Any) -> list[str]:
    return [one.id if isinstance(one, MemoryRecord) else one[0].id for one in found]


def test_it_is_a_storage_backend_and_records_come_back_as_saved(storage: ReverieStorage) -> None:
    assert isinstance(storage, StorageBackend)
    assert copy.deepcopy(storage) is storage
    saved = record(
        "e", 4, scope="/z/", content="  spaced\n", categories=[], metadata={"deep": {"list": [1, None]}}
    )
    storage.save([saved])
    assert storage.get_record("e") == saved
    assert storage.get_record("nothing") is None
    assert ReverieStorage(Agent(storage._items._desk, "mama", actor="test"), name="other").count() == 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["a", "b", "c", "d"]),
        ({"scope_prefix": "/"}, ["a", "b", "c", "d"]),
        ({"scope_prefix": "/crew"}, ["a", "b"]),
        ({"scope_prefix": "crew/sales/leads/"}, ["b"]),
        ({"categories": ["y", "z"]}, ["b", "c"]),
        ({"metadata_filter": {"rank": 2}}, ["b"]),
        ({"metadata_filter": {"deep": {"list": [1, "two", None]}}}, ["d"]),
        ({"categories": ["x"], "metadata_filter": {"rank": 1}, "scope_prefix": "/crew"}, ["a"]),
        ({"limit": 2}, ["a", "b"]),
        ({"limit": 0}, []),
        ({"min_score": 0.99}, ["a", "b"]),
    ],
)
def test_a_search_keeps_to_its_filters(
    storage: ReverieStorage, given: dict[str, Any], expected: list[str]
) -> None:
    found = storage.search([2.0, 0.0], **given)
    assert ids(found) == expected == ids(asyncio.run(storage.asearch([2.0, 0.0], **given)))
    assert all(0 <= score <= 1 for _, score in found)
    assert not found or (found[0][1] == pytest.approx(1.0 if "a" in expected else found[0][1]))


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({}, []),
        ({"record_ids": ["a", "nothing"]}, ["d", "c", "b"]),
        ({"record_ids": []}, ["d", "c", "b", "a"]),
        ({"record_ids": ["a"], "scope_prefix": "/crewless"}, ["d", "c", "b", "a"]),
        ({"scope_prefix": "/crew"}, ["d", "c"]),
        ({"categories": ["x"]}, ["d", "c"]),
        ({"metadata_filter": {"rank": 1}}, ["d", "c", "b"]),
        ({"older_than": START + timedelta(days=2)}, ["d", "c"]),
        ({"older_than": datetime(2026, 1, 2, tzinfo=UTC)}, ["d", "c", "b"]),
    ],
)
def test_a_deletion_keeps_to_its_filters(
    storage: ReverieStorage, given: dict[str, Any], left: list[str]
) -> None:
    assert asyncio.run(storage.adelete(**given)) == 4 - len(left)
    assert ids(storage.list_records()) == left
    assert set(ids(storage.search([1.0, 0.0]))) == set(left)


def test_scopes_and_categories_are_listed(storage: ReverieStorage) -> None:
    assert storage.list_scopes() == ["/crew", "/crewless"]
    assert storage.list_scopes("/crew/") == ["/crew/sales"]
    assert storage.list_categories() == {"x": 2, "y": 2}
    assert storage.list_categories("/crew") == {"x": 2, "y": 1}
    assert (storage.count(), storage.count("/crew/sales")) == (4, 2)
    info = storage.get_scope_info("/crew/sales")
    assert (info.path, info.record_count, info.categories) == ("/crew/sales", 2, ["x", "y"])
    assert (info.oldest_record, info.newest_record) == (START, START + timedelta(days=1))
    assert info.child_scopes == ["/crew/sales/leads"]
    assert storage.get_scope_info("/none").record_count == 0
    assert ids(storage.list_records(limit=2, offset=1)) == ["c", "b"]
    storage.reset("/crew")
    assert storage.count() == 2


def test_an_update_replaces_and_a_touch_only_dates(storage: ReverieStorage) -> None:
    storage.update(record("a", 0, content="new", scope="/moved", embedding=None))
    found = storage.get_record("a")
    assert found is not None
    assert (found.content, found.scope, found.embedding) == ("new", "/moved", [1.0, 0.0])
    storage.touch_records(["a", "nothing"])
    touched = storage.get_record("a")
    assert touched is not None
    assert touched.last_accessed > found.last_accessed
    assert touched.model_copy(update={"last_accessed": found.last_accessed}) == found


@pytest.mark.parametrize(
    ("records", "error", "problem"),
    [
        ([record("e", embedding=[1.0])], EmbeddingDimensionMismatchError, "1-dimensional"),
        ([record("e", metadata={"at": START})], InvalidInput, r"metadata\.at"),
        ([record("e", embedding=[1.0, float("nan")])], InvalidInput, r"vector\[1\]"),
        ([record("e", content=" ")], InvalidInput, r"records\[1\]\.content"),
    ],
)
def test_what_cannot_be_saved_is_refused_as_a_whole(
    storage: ReverieStorage, records: list[MemoryRecord], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        storage.save([record("first"), *records])
    assert storage.count() == 4


def test_the_first_vectors_must_be_of_one_kind(mama: Agent) -> None:
    with pytest.raises(EmbeddingDimensionMismatchError):
        ReverieStorage(mama).save([record("a"), record("b", embedding=[1.0])])
    assert ReverieStorage(mama).count() == 0


def test_a_question_of_other_dimensions_is_refused(storage: ReverieStorage) -> None:
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.search([1.0, 0.0, 0.0])


def test_a_record_without_a_vector_comes_last(storage: ReverieStorage) -> None:
    storage.save([record("e", embedding=None)])
    assert storage.search([1.0, 0.0])[-1][0].id == "e"


def test_crewai_remembers_recalls_updates_and_forgets(mama: Agent) -> None:
    memory = Memory(storage=ReverieStorage(mama), embedder=letters, root_scope="/crew/research")
    known = {"categories": ["food"], "importance": 0.5, "metadata": {"by": "anna"}}
    for text in ("Anna drinks green tea", "The office closes at six"):
        memory.remember(text, scope="/people", **known)
    memory.drain_writes()
    [best, _] = memory.recall("green tea for anna", depth="shallow")
    assert best.record.content == "Anna drinks green tea"
    assert best.record.scope == "/crew/research/people"
    assert best.record.metadata == {"by": "anna"}
    memory.update(best.record.id, content="Anna drinks black tea")
    assert memory.recall("black tea", depth="shallow")[0].record.content == "Anna drinks black tea"
    assert (
        mama.items.search("crewai", query="what does she drink?")[0].item.value["content"]
        == "Anna drinks black tea"
    )
    assert memory.forget(record_ids=[best.record.id]) == 1
    assert ids(one.record for one in memory.recall("tea", depth="shallow")) != [best.record.id]
    memory.reset()
    assert not memory.recall("office", depth="shallow")
    memory.close()
