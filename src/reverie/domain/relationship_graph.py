"""RelationshipGraph: who sees whom how; as edges for networkx, as GraphML and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.relationship import Relationship

_ATTRIBUTES: Mapping[str, str] = {
    "type": "string", "trust": "double", "tone": "string", "rationale": "string", "notes": "string",
    "assigned_at": "string", "interaction_count": "long", "first_met_at": "string", "last_met_at": "string",
}  # fmt: skip
"""What an edge tells, with its type in GraphML."""
_NOT_XML = re.compile("[^\\t\\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationshipGraph:
    """``nodes``: names of all, in order, agents and others; ``views``: (agent, how it sees one other), in order;
    ``agents``: whose views these are. A name stands once, whatever its case in conversations: an agent's id as it is.
    """

    nodes: tuple[str, ...] = ()
    views: tuple[tuple[str, Relationship], ...] = ()
    agents: tuple[str, ...] = ()

    def edges(self) -> list[tuple[str, str, dict[str, str | int | float]]]:
        """Return (agent, other, attributes) of every view, as ``networkx.DiGraph.add_edges_from`` takes them: ``type``,
        ``trust``, ``interaction_count``, and of ``tone``, ``rationale``, ``notes``, ``assigned_at``, ``first_met_at``
        and ``last_met_at`` those that are known; times as ISO 8601.
        """
        return [(agent, view.other, _attributes(view)) for agent, view in self.views]

    def to_json(self) -> str:
        """Return node-link JSON, which ``networkx.node_link_graph(json.loads(…), edges="edges")`` reads."""
        told = {
            "directed": True, "multigraph": False, "graph": {},
            "nodes": [{"id": name, "agent": name in self.agents} for name in self.nodes],
            "edges": [{"source": agent, "target": other, **told} for agent, other, told in self.edges()],
        }  # fmt: skip
        return json.dumps(told, ensure_ascii=False, indent=1)

    def to_graphml(self) -> str:
        """Return GraphML 1.0. Nodes are n0, n1 …, since an id may hold no space there; ``label`` is the name.
        Characters that XML can't hold become U+FFFD.
        """
        ids = {name: f"n{place}" for place, name in enumerate(self.nodes)}
        keys = [_key("label", "node", "string"), _key("agent", "node", "boolean")]
        keys += [_key(name, "edge", kind) for name, kind in _ATTRIBUTES.items()]
        nodes = [
            f'    <node id="{id}">{_data("node_label", name)}'
            f"{_data('node_agent', str(name in self.agents).lower())}</node>"
            for name, id in ids.items()
        ]
        edges = [
            f'    <edge id="e{place}" source="{ids[agent]}" target="{ids[other]}">'
            + "".join(_data(f"edge_{name}", value) for name, value in told.items())
            + "</edge>"
            for place, (agent, other, told) in enumerate(self.edges())
        ]
        body = [*keys, '  <graph id="relationships" edgedefault="directed">', *nodes, *edges, "  </graph>"]
        return _HEAD + "\n".join([*body, "</graphml>\n"])


def _attributes(view: Relationship) -> dict[str, str | int | float]:
    told: dict[str, str | int | float] = {}
    for name in _ATTRIBUTES:
        value = getattr(view, name)
        if value is not None:
            told[name] = value.isoformat() if isinstance(value, datetime) else value
    return told


def _key(name: str, of: str, kind: str) -> str:
    return f'  <key id="{of}_{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>'


def _data(key: str, value: object) -> str:
    from xml.sax.saxutils import escape  # brings urllib and ssl, for which no start of a program should wait

    return f'<data key="{key}">{escape(_NOT_XML.sub(chr(0xFFFD), str(value)))}</data>'
