"""Toolset ``graph``: the requests and answers of MCP's reference memory server, kept in a bank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors.mcp_host import Host, hosted

ANNA = {"name": "Anna", "entityType": "person", "observations": ["likes tea", "Likes tea."]}
ACME = {"name": "Acme: Ltd.", "entityType": "entity", "observations": []}
WORKS = {"from": "Anna", "to": "Acme: Ltd.", "relationType": "works_at"}
SELF = {"from": "Anna", "to": "Anna", "relationType": "relation"}
ALL = {"entities": [ANNA, ACME], "relations": [WORKS, SELF]}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "a.bank", toolsets=("core", "graph"), actor="mcp") as host:
        yield host


@pytest.fixture
def full(host: Host) -> Host:
    host.values("create_entities", entities=[ANNA, ACME])
    host.values("create_relations", relations=[WORKS, SELF])
    return host


def test_the_graph_comes_back_as_it_was_given(full: Host) -> None:
    assert full.values("read_graph") == ALL
    assert json.loads(full.text("read_graph")) == ALL


def test_an_imported_file_is_the_graph(host: Host) -> None:
    lines = [{"type": "entity", **ANNA}, {"type": "entity", **ACME}]
    lines += [{"type": "relation", **WORKS}, {"type": "relation", **SELF}]
    done = host.reverie.agent("mama").import_from([json.dumps(line) for line in lines])
    assert done.kinds[0].value == "mcp-memory"
    assert host.values("read_graph") == ALL
    assert host.values("create_entities", entities=[ANNA, ACME]) == {"entities": []}


def test_what_exists_is_skipped(full: Host) -> None:
    again = {**ANNA, "entityType": "cat", "observations": ["is grey"]}
    bo = {"name": "Bo", "entityType": "person", "observations": ["plays chess", "plays chess"]}
    made = full.values("create_entities", entities=[again, bo, bo])
    assert made == {"entities": [{**bo, "observations": ["plays chess"]}]}
    assert full.values("create_relations", relations=[WORKS]) == {"relations": []}
    added = full.values(
        "add_observations", observations=[{"entityName": "Anna", "contents": ["likes tea", "has a cat"]}]
    )
    assert added == {"results": [{"entityName": "Anna", "addedObservations": ["has a cat"]}]}
    assert full.values("open_nodes", names=["Anna"])["entities"] == [
        {**ANNA, "observations": ["likes tea", "Likes tea.", "has a cat"]}
    ]


def test_an_unknown_entity_is_an_error_and_nothing_is_added(full: Host) -> None:
    told = [{"entityName": name, "contents": ["is tall"]} for name in ("Anna", "anna")]
    assert "no entity 'anna'; create_entities makes one" in full.refusal(
        "add_observations", observations=told
    )
    assert full.values("read_graph") == ALL


@pytest.mark.parametrize(
    ("tool", "found", "related"),
    [
        ({"query": "LIKES"}, [ANNA], [WORKS, SELF]),
        ({"query": "tea person"}, [ANNA], [WORKS, SELF]),
        ({"query": "acme"}, [ACME], [WORKS]),
        ({"query": "coffee"}, [], []),
        ({"names": ["Acme: Ltd.", "Nobody"]}, [ACME], [WORKS]),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_nodes_are_found_with_their_relations(
    full: Host, tool: dict[str, object], found: list[object], related: list[object]
) -> None:
    name = "search_nodes" if "query" in tool else "open_nodes"
    assert full.values(name, **tool) == {"entities": found, "relations": related}


def test_what_is_deleted_is_gone_and_may_be_created_again(full: Host) -> None:
    done = full.values("delete_relations", relations=[SELF])
    assert done == {"success": True, "message": "Relations deleted successfully"}
    gone = [
        {"entityName": "Anna", "observations": ["likes tea"]},
        {"entityName": "Nobody", "observations": ["x"]},
    ]
    full.values("delete_observations", deletions=gone)
    left = {**ANNA, "observations": ["Likes tea."]}
    assert full.values("read_graph") == {"entities": [left, ACME], "relations": [WORKS]}
    full.values("delete_entities", entityNames=["Anna", "Nobody"])
    assert full.values("read_graph") == {"entities": [ACME], "relations": []}
    agent = full.reverie.agent("mama")
    assert not [one for one in agent.memories(deep=True) if "tea" in one.essence]
    assert not agent.episodes(match="tea")
    full.values("create_entities", entities=[ANNA])
    assert full.values("open_nodes", names=["Anna"])["entities"] == [ANNA]


def test_recall_finds_the_graph_and_to_forget_is_to_delete(full: Host) -> None:
    (found, *_) = full.values("memory_recall", query="where does Anna work?")["memories"]
    assert found["text"] == "Anna works at Acme: Ltd."
    full.values("memory_forget", id=found["id"])
    assert full.values("read_graph")["relations"] == [SELF]


@pytest.mark.parametrize(
    ("tool", "given", "advice"),
    [
        ("create_entities", {"entities": [{"name": "Anna"}]}, "entities[0].entityType: it is missing"),
        ("create_entities", {"entities": [{**ANNA, "name": " Anna"}]}, "entities[0].name: it begins"),
        ("create_entities", {"entities": "Anna"}, "entities: it is no array"),
        ("create_relations", {"relations": [{**WORKS, "to": 5}]}, "relations[0].to: this number is not text"),
        ("open_nodes", {}, "names: open_nodes needs it"),
    ],
)
def test_a_wrong_request_is_named_by_its_path(
    host: Host, tool: str, given: dict[str, object], advice: str
) -> None:
    assert advice in host.refusal(tool, **given)
    assert host.values("read_graph") == {"entities": [], "relations": []}
