"""The relationship graph in the forms that other programs read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.relationship import Relationship
from reverie.domain.relationship_graph import RelationshipGraph

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SPACE = "{http://graphml.graphdrawing.org/xmlns}"
HOSTILE = "<a & \"b\"> 'c' ]]> \ufffe\uffff 日本 \t\n {}"
KADE = Relationship(
    other="Kade & Co", type="ally", trust=-0.25, tone="warm", rationale=HOSTILE, assigned_at=NOW,
    interaction_count=3, first_met_at=NOW, last_met_at=NOW,
)  # fmt: skip
GRAPH = RelationshipGraph(
    nodes=("Kade & Co", "nova", "Ärger"), agents=("nova",),
    views=(("nova", KADE), ("nova", Relationship(other="Ärger"))),
)  # fmt: skip
TOLD = {
    "type": "ally", "trust": -0.25, "tone": "warm", "rationale": HOSTILE, "assigned_at": NOW.isoformat(),
    "interaction_count": 3, "first_met_at": NOW.isoformat(), "last_met_at": NOW.isoformat(),
}  # fmt: skip
BARE = {"type": "neutral", "trust": 0.0, "interaction_count": 0}


def _read(graphml: str) -> tuple[dict[str, dict[str, str]], list[tuple[str, str, dict[str, str]]]]:
    root = ET.fromstring(graphml)
    keys = {key.attrib["id"]: key.attrib for key in root.iter(f"{SPACE}key")}

    def told(item: ET.Element, of: str) -> dict[str, str]:
        found = {}
        for data in item.iter(f"{SPACE}data"):
            key = keys[data.attrib["key"]]
            assert key["for"] == of
            found[key["attr.name"]] = data.text or ""
        return found

    nodes = {node.attrib["id"]: told(node, "node") for node in root.iter(f"{SPACE}node")}
    edges = [
        (edge.attrib["source"], edge.attrib["target"], told(edge, "edge"))
        for edge in root.iter(f"{SPACE}edge")
    ]
    return nodes, edges


def test_edges_have_what_is_known_and_nothing_else() -> None:
    assert GRAPH.edges() == [("nova", "Kade & Co", TOLD), ("nova", "Ärger", BARE)]
    assert RelationshipGraph().edges() == []


def test_json_is_node_link() -> None:
    assert json.loads(GRAPH.to_json()) == {
        "directed": True, "multigraph": False, "graph": {},
        "nodes": [
            {"id": "Kade & Co", "agent": False}, {"id": "nova", "agent": True}, {"id": "Ärger", "agent": False}
        ],
        "edges": [
            {"source": "nova", "target": "Kade & Co", **TOLD}, {"source": "nova", "target": "Ärger", **BARE}
        ],
    }  # fmt: skip


def test_graphml_has_typed_keys_and_whole_texts() -> None:
    nodes, edges = _read(GRAPH.to_graphml())
    assert nodes == {
        "n0": {"label": "Kade & Co", "agent": "false"}, "n1": {"label": "nova", "agent": "true"},
        "n2": {"label": "Ärger", "agent": "false"},
    }  # fmt: skip
    without_xml = HOSTILE.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    assert edges[0] == (
        "n1",
        "n0",
        {**{name: str(value) for name, value in TOLD.items()}, "rationale": without_xml},
    )
    assert edges[1] == ("n1", "n2", {name: str(value) for name, value in BARE.items()})
    assert 'attr.name="trust" attr.type="double"' in GRAPH.to_graphml()


@given(st.lists(st.text(max_size=20), unique=True, max_size=5), st.text(max_size=20))
def test_any_names_and_texts_make_graphml_that_parses(names: list[str], text: str) -> None:
    views = tuple(("nova", Relationship(other=name, tone=text)) for name in names if name != "nova")
    made = RelationshipGraph(nodes=tuple(dict.fromkeys(["nova", *names])), agents=("nova",), views=views)
    nodes, edges = _read(made.to_graphml())
    assert (len(nodes), len(edges)) == (len(made.nodes), len(views))
    assert len(json.loads(made.to_json())["edges"]) == len(views)


def test_networkx_reads_all_three() -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is no dependency")
    graph = networkx.DiGraph()
    graph.add_edges_from(GRAPH.edges())
    assert graph["nova"]["Kade & Co"]["trust"] == -0.25
    read = networkx.parse_graphml(GRAPH.to_graphml())
    named = networkx.relabel_nodes(read, networkx.get_node_attributes(read, "label"))
    assert named["nova"]["Kade & Co"]["trust"] == -0.25
    assert named.nodes["nova"]["agent"] is True
    linked = networkx.node_link_graph(json.loads(GRAPH.to_json()), edges="edges")
    assert set(linked.edges) == {("nova", "Kade & Co"), ("nova", "Ärger")}
