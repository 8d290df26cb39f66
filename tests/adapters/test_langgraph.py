"""LangGraph's store over a bank does what LangGraph's own in-memory store does, operation by operation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("langgraph")

from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from reverie import Agent
from reverie.adapters.langgraph import ReverieStore, memory_node
from tests.services.bench import Clock, opened

_LEAVES = [("a", "x"), ("a", "y"), ("b",), ("a", "x", "deep")]
_WORDS = ["green tea", "the harbour at night", "seven stones"]
_INDEX: dict[str, Any] = {"whole": None, "part": ["text"], "not": False}
"""By key: where a put changed it, LangGraph's store would keep vectors of the value before."""

names, keys, words = st.sampled_from(_LEAVES), st.sampled_from([*_INDEX]), st.sampled_from(_WORDS)
prefixes = st.sampled_from([(), ("a",), ("a", "x"), ("b",), ("c",)])
values = st.fixed_dictionaries(
    {"text": words, "n": st.integers(-2, 2), "tags": st.lists(words, max_size=2)},
    optional={
        "of": st.fixed_dictionaries({"s": words}),
        "any": st.none() | st.booleans() | st.text(max_size=3),
    },
)


def _put(name: tuple[str, ...], key: str, value: dict[str, Any] | None) -> PutOp:
    return PutOp(name, key, value, index=_INDEX[key])


puts = st.builds(_put, names, keys, st.none() | values)
unfound = st.builds(_put, names, st.just("not"), st.none() | values)
numbers = st.dictionaries(
    st.sampled_from(["$gt", "$gte", "$lt", "$lte", "$eq", "$ne"]), st.integers(-2, 2), min_size=1, max_size=2
)
filters = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "n": numbers | st.integers(-2, 2), "of": st.fixed_dictionaries({"s": words}), "text": words,
    },
)  # fmt: skip
matches = st.tuples(
    st.sampled_from(["prefix", "suffix"]),
    st.sampled_from([("a",), ("*", "x"), ("x",), ("a", "*", "deep"), ("b",)]),
).map(lambda drawn: MatchCondition(*drawn))  # type: ignore[arg-type]  # drawn from the names that there are
listings = st.builds(
    lambda *given: ListNamespacesOp(*given), st.none() | st.lists(matches, max_size=2).map(tuple),
    st.none() | st.integers(1, 3), st.integers(1, 4), st.integers(0, 2),
)  # fmt: skip
pages = st.builds(lambda *given: SearchOp(("b",), *given), filters, st.integers(0, 3), st.integers(0, 2))
searches = st.builds(
    lambda prefix, wanted, query: SearchOp(prefix, wanted, limit=100, query=query),
    prefixes,
    filters,
    st.none() | words,
)
reads = st.builds(lambda *given: GetOp(*given), names, keys) | searches | pages
writes = st.tuples(st.lists(unfound, max_size=3), puts).map(lambda drawn: [*drawn[0], drawn[1]])
"""One of them with texts: LangGraph's store fails where two of a batch have the same."""
batches = st.lists(
    st.tuples(st.lists(reads, max_size=4), writes | st.just([])).map(lambda drawn: [*drawn[0], *drawn[1]])
    | st.lists(listings, min_size=1, max_size=2),
    max_size=6,
)


class _Embeddings(Embeddings):
    """The bank's embedder for LangGraph's own store."""

    def __init__(self, agent: Agent) -> None:
        self._embedder = agent._desk.embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[*map(float, row)] for row in self._embedder.embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        return [*map(float, self._embedder.embed_query(text))]


def _pair(agent: Agent) -> tuple[InMemoryStore, ReverieStore]:
    embed = _Embeddings(agent)
    dims = agent._desk.embedder.dimensions
    return InMemoryStore(index={"dims": dims, "embed": embed}), ReverieStore(agent, root=uuid4().hex)


def _plain(op: Op, result: Any) -> object:
    """A result as it may be compared: without times; of several namespaces, or of equal scores, in any order."""
    if isinstance(op, SearchOp):
        rows = [
            (one.namespace, one.key, one.value, one.score and round(one.score, 4) + 0.0) for one in result
        ]
        return rows if op.namespace_prefix == ("b",) and op.query is None else sorted(rows, key=repr)
    if isinstance(op, GetOp) and result is not None:
        return result.namespace, result.key, result.value
    return result


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with opened(tmp_path_factory.mktemp("langgraph") / "mama.bank") as reverie:
        yield reverie.agent("mama")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=batches)
def test_every_result_is_that_of_langgraphs_own_store(agent: Agent, batches: Sequence[list[Op]]) -> None:
    theirs, ours = _pair(agent)
    for batch in batches:
        for empty in [one for one, held in theirs._data.items() if not held]:
            del theirs._data[empty]  # it lists namespaces that hold nothing
        expected, found = theirs.batch(batch), ours.batch(batch)
        assert [*map(_plain, batch, found)] == [*map(_plain, batch, expected)]


def test_scores_fall_and_what_has_no_text_comes_last(agent: Agent) -> None:
    for store in _pair(agent):
        store.put(("d",), "none", {"text": "x"}, index=False)
        store.put(("d",), "tea", {"text": "green tea"}, index=["text"])
        store.put(("d",), "sea", {"text": "the harbour"}, index=["text"])
        hits = store.search(("d",), query="green tea")
        assert [hit.key for hit in hits] == ["tea", "sea", "none"]
        assert hits[0].score == pytest.approx(1, abs=1e-5)
        assert hits[2].score is None


def test_namespaces_are_checked_as_langgraph_does(agent: Agent) -> None:
    for store in _pair(agent):
        for wrong in ((), ("a.b",), ("",), ("langgraph", "x")):
            with pytest.raises(InvalidNamespaceError):
                store.put(wrong, "k", {})


def test_the_asynchronous_verbs_work(agent: Agent) -> None:
    async def session() -> object:
        store = _pair(agent)[1]
        await asyncio.gather(*(store.aput(("d",), f"k{n}", {"n": n}) for n in range(8)))
        await store.adelete(("d",), "k0")
        return sorted([one.value["n"] for one in await store.asearch(("d",))]), await store.alist_namespaces()

    assert asyncio.run(session()) == ([*range(1, 8)], [("d",)])


def test_a_ttl_is_in_minutes_and_reads_refresh_it(tmp_path: Path) -> None:
    clock = Clock()
    with opened(tmp_path / "a.bank", clock=clock) as reverie:
        store = ReverieStore(reverie.agent("mama"), ttl={"default_ttl": 10, "refresh_on_read": True})
        store.put(("d",), "default", {})
        store.put(("d",), "long", {}, ttl=None)
        clock.wait(minutes=9)
        assert store.get(("d",), "default") is not None
        clock.wait(minutes=9)
        assert len(store.search(("d",), refresh_ttl=False)) == 2
        clock.wait(minutes=1)
        assert [one.key for one in store.search(("d",))] == ["long"]


def test_a_graph_is_told_before_and_learns_after(mama: Agent) -> None:
    mama.remember("Anna is allergic to peanuts")
    seen: list[list[AnyMessage]] = []

    def model(state: MessagesState) -> dict[str, Any]:
        seen.append(state["messages"])
        return {"messages": [AIMessage(f"Answer {len(seen)}")]}

    builder = StateGraph(MessagesState)
    memory = memory_node(mama)
    builder.add_node("before", memory)
    builder.add_node("model", model)
    builder.add_node("after", memory)
    for edge in ((START, "before"), ("before", "model"), ("model", "after"), ("after", END)):
        builder.add_edge(*edge)
    graph = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "chat-1"}}
    graph.invoke({"messages": [SystemMessage("Be kind"), HumanMessage("May Anna eat peanuts?")]}, config)
    graph.invoke({"messages": [HumanMessage("Is Anna allergic to peanuts?")]}, config)
    assert [one.type for one in seen[0]] == ["system", "system", "human"]
    assert "allergic to peanuts" in str(seen[0][1].content)
    assert [one.type for one in seen[1]] == ["system", "system", "human", "ai", "human"]
    told = [(one.role.value, one.content) for one in mama.episodes(conversations="chat-1")]
    assert told == [
        ("user", "May Anna eat peanuts?"), ("agent", "Answer 1"), ("user", "Is Anna allergic to peanuts?"),
        ("agent", "Answer 2"),
    ]  # fmt: skip
