"""Relationships and their graph on the command line."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reverie.doors.cli.words import trust as bar
from tests.doors.commands import Cli

pytestmark = pytest.mark.slow


@pytest.fixture
def village(cli: Cli) -> Cli:
    """Two agents that see each other, and one of them Anna, whom the other has only met."""
    cli("rooms", "say", "plaza", "Anna", "Wait for me!", "--members", "mama,papa")
    cli("relationships", "add", "papa", "--type", "ally", "--trust", "0.6", "--rationale", "He kept his word")
    cli("relationships", "add", "Anna", "--type", "old flame", "--trust", "-1", "--tone", "wary")
    cli("relationships", "add", "mama", "--trust", "0.2", "--agent", "papa")
    return cli


def test_what_is_assigned_is_shown_and_what_is_not_given_stays(cli: Cli) -> None:
    done = cli("relationships", "add", "Kade", "--type", "ally", "--trust", "0.6", "--tone", "warm")
    assert (done.code, done.out) == (0, "mama sees Kade as ally, trust +0.60, warm\n")
    assert (
        cli("relationships", "add", "Kade", "--trust", "-0.2").out
        == "mama sees Kade as ally, trust -0.20, warm\n"
    )
    shown = cli("relationships", "show", "kade").out
    assert "····#|····· -0.20" in shown
    assert "never in a conversation" in shown


def test_changes_stand_in_the_history_with_why(village: Cli) -> None:
    village("relationships", "add", "papa", "--trust", "-0.5", "--rationale", "He sold the map")
    shown = village("relationships", "history", "papa").out
    assert shown.index("He kept his word") < shown.index("He sold the map")
    assert [view["trust"] for view in village("relationships", "history", "papa", "--json").document] == [
        0.6,
        -0.5,
    ]
    assert len(village("relationships", "history", "--json").document) == 3
    assert village("relationships", "history", "--agent", "nobody").code == 1


def test_everybody_met_is_listed(village: Cli) -> None:
    shown = village("relationships", "list", "--agent", "papa").out
    assert [line.split()[0] for line in shown.splitlines()[3:] if line.strip()] == ["Anna", "mama"]
    nobody = village("relationships", "list", "--agent", "nobody")
    assert (nobody.code, nobody.out, "has nothing in this bank" in nobody.err) == (1, "", True)


def test_what_was_assigned_is_removed(village: Cli) -> None:
    assert (
        village("relationships", "remove", "papa", "--yes").out
        == "removed papa, last seen as ally, trust +0.60\n"
    )
    gone = village("relationships", "remove", "papa", "--yes")
    assert (gone.code, "reverie relationships list" in gone.err) == (1, True)


def test_the_graph_is_a_table_for_each_agent(village: Cli) -> None:
    own = village("relationships", "graph").out
    assert "mama sees 2 others" in own
    assert "papa sees" not in own
    whole = village("relationships", "graph", "--all").out
    assert "papa sees 1 other and has met 1 more" in whole
    assert "#####|····· -1.00" in whole


def test_the_graph_comes_as_nodes_and_edges_in_json(village: Cli) -> None:
    document = village("relationships", "graph", "--all", "--json").document
    assert [node["id"] for node in document["nodes"]] == ["Anna", "mama", "papa"]
    assert ("mama", "papa", 0.6) in {
        (one["source"], one["target"], one["trust"]) for one in document["edges"]
    }


def test_the_graph_is_written_as_svg_and_graphml(village: Cli, tmp_path: Path) -> None:
    svg, graphml = tmp_path / "v.svg", tmp_path / "v.graphml"
    done = village("relationships", "graph", "--all", "--svg", str(svg), "--graphml", str(graphml))
    assert (done.code, done.out) == (0, f"wrote {svg}\nwrote {graphml}\n")
    for path, name in ((svg, "svg"), (graphml, "graphml")):
        assert ET.parse(path).getroot().tag.endswith(f"}}{name}")  # our own
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    there = village("relationships", "graph", "--svg", str(svg))
    assert (there.code, "--force" in there.err) == (2, True)
    assert village("relationships", "graph", "--svg", str(svg), "--force").code == 0


def test_a_picture_goes_to_standard_output_alone(village: Cli) -> None:
    out = village("relationships", "graph", "--svg", "-").out
    assert out.startswith("<?xml")
    assert out.endswith("</svg>\n")
    both = village("relationships", "graph", "--svg", "-", "--graphml", "-")
    assert (both.code, both.out) == (2, "")


@pytest.mark.parametrize(
    ("trust", "shown"), [(0.0, "·····|····· +0.00"), (1.0, "·····|##### +1.00"), (-0.4, "···##|····· -0.40")]
)
def test_trust_is_a_bar_from_the_middle(trust: float, shown: str) -> None:
    assert bar(trust) == shown


def test_relationships_live_in_a_database_as_well(cli: Cli, postgres_database: str) -> None:
    on_server = ("--bank", postgres_database)
    assert cli("relationships", "add", "Kade", "--trust", "0.6", *on_server).code == 0
    assert json.loads(cli("relationships", "graph", "--json", *on_server).out)["nodes"][0]["id"] == "Kade"
    assert cli("diary", "add", "Kade kept his word.", *on_server).code == 0
    assert cli("diary", "search", "word", *on_server).code == 0
