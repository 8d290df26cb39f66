"""Neural links, relationships and their graph on the command line."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reverie.doors.cli.words import trust as bar
from tests.doors.commands import Cli

pytestmark = pytest.mark.slow
MAP = "The lighthouse keeper has the second map"
OF_PAPA = ("--agent", "papa")


@pytest.fixture
def two(cli: Cli) -> Cli:
    """mama, who knows little, and papa, who knows where the map is."""
    cli.remember("Anna lives in Munich")
    cli("remember", MAP, *OF_PAPA, "--tag", "map")
    cli("remember", "Papa likes fish", *OF_PAPA)
    cli("diary", "add", "I hid the first map.", *OF_PAPA, "--date", "2026-05-13")
    return cli


@pytest.fixture
def asked(two: Cli) -> str:
    """The id of mama's request."""
    return str(two("link", "request", "papa", "--json").document["id"])


@pytest.fixture
def accepted(two: Cli, asked: str) -> str:
    """The id of the link by which mama got papa's memory."""
    done = two("link", "accept", asked, *OF_PAPA)
    assert (done.code, done.out.startswith("shared with mama: ")) == (0, True)
    return asked


def test_a_request_says_how_to_accept_it(two: Cli) -> None:
    ran = two("link", "request", "papa", "--message", "What of the map?")
    id = ran.out.removeprefix("asked papa: ").strip()
    assert f"reverie link accept {id} --agent papa" in ran.err
    pending = two("link", "list", "--pending", *OF_PAPA).out
    assert ("mama asked" in pending, "“What of the map?”" in pending, id in pending) == (True, True, True)


def test_what_is_shared_is_recalled_with_whose_it_was(two: Cli, accepted: str) -> None:
    (hit, *_) = two("recall", "who has the second map?", "--json").document["hits"]
    assert (hit["text"], hit["memory"]["learned_from"]) == (MAP, "papa")
    assert "learned from papa, source external" in two("recall", "who has the second map?").out
    assert two("diary", "list").code == 1
    listed = two("link", "list").out
    assert ("asked papa" in listed, "accepted just now" in listed) == (True, True)


def test_what_is_shared_can_be_narrowed_and_widened(two: Cli, asked: str) -> None:
    done = two("link", "accept", asked, *OF_PAPA, "--tag", "map", "--include", "diary,soul", "--json")
    assert done.document["terms"]["tags"] == ["map"]
    assert [one["essence"] for one in two("list", "--json").document if one["learned_from"]] == [MAP]
    assert "I hid the first map." in two("list", "--episodes", "--channel", "link").out
    assert "with diary, soul · tags map" in two("link", "list").out


def test_what_came_by_a_link_is_adopted_and_taken_back(two: Cli, accepted: str) -> None:
    assert two("link", "adopt", accepted).out == "adopted 2 memories\n"
    refused = two("link", "revoke", accepted, *OF_PAPA)
    assert (refused.code, "add --yes" in refused.err) == (2, True)
    assert [one["state"] for one in two("link", "list", "--json").document] == ["accepted"]
    done = two("link", "revoke", accepted, *OF_PAPA, "--yes")
    assert (done.code, done.out) == (0, "revoked: what was shared is gone from the bank of mama\n")
    assert [one["essence"] for one in two("list", "--json").document] == ["Anna lives in Munich"]


def test_what_would_instruct_is_shown_before_it_is_adopted(two: Cli) -> None:
    two("remember", "Never open the red door", "--kind", "policy", "--priority", "high", *OF_PAPA)
    id = two("link", "request", "papa", "--json").document["id"]
    two("link", "accept", id, *OF_PAPA)
    shown = two("link", "adopt", id, "--dry-run").out
    assert ("would stand" in shown, "(policy): Never open the red door" in shown) == (True, True)
    assert two("link", "adopt", id, "--dry-run", "--json").document["kinds"] == {"fact": 2, "policy": 1}
    no = two("link", "adopt", id, terminal=True, stdin="n\n")
    assert (no.code, "would stand" in no.err, "Nothing was adopted" in no.err) == (1, True, True)
    assert "Never open" not in two("context", "a walk").out
    assert "stand now" in two("link", "adopt", id).err
    assert "Never open" in two("context", "a walk").out


def test_what_came_by_a_link_is_shown(two: Cli, asked: str) -> None:
    before = two("link", "show", asked)
    assert (before.code, "papa" in before.out) == (1, True)
    two("link", "accept", asked, *OF_PAPA)
    shown = two("link", "show", asked).out
    assert ("accepted just now" in shown, f"(fact): {MAP}" in shown, "Munich" in shown) == (True, True, False)
    (first, second) = two("link", "show", asked, "--json").document["memories"]
    page = two("link", "show", asked, "--limit", "1", "--after", first["id"], "--json").document["memories"]
    assert page == [second]
    assert two("link", "show", asked, *OF_PAPA).code == 1


def test_a_request_is_declined_once(two: Cli, asked: str) -> None:
    wrong = two("link", "accept", asked, *OF_PAPA, "--include", "dreams", "--json")
    assert (wrong.code, wrong.error["field"]) == (2, "--include")
    assert two("link", "decline", asked, *OF_PAPA).out == "declined what mama asked for\n"
    again = two("link", "accept", asked, *OF_PAPA, "--json")
    assert (again.code, again.error["type"]) == (2, "LinkRefused")
    assert two("link", "list", "--pending", *OF_PAPA).code == 1


def test_requests_of_somebody_blocked_are_refused(two: Cli) -> None:
    assert two("link", "block", "mama", *OF_PAPA).code == 0
    assert two("link", "blocked", *OF_PAPA).out == "mama\n"
    assert "No agent of this bank is called Mama yet" in two("link", "block", "Mama", *OF_PAPA).err
    refused = two("link", "request", "papa")
    assert (refused.code, "takes no requests from mama" in refused.err) == (2, True)
    assert [two("link", "unblock", "mama", *OF_PAPA).code for _ in range(2)] == [0, 1]
    nobody = two("link", "request", "zed")
    assert (nobody.code, "no agent 'zed' in this store; `reverie stats`" in nobody.err) == (1, True)


def test_links_work_in_a_database_as_well(cli: Cli, postgres_database: str) -> None:
    on_server = ("--bank", postgres_database)
    cli("remember", "Anna lives in Munich", *on_server)
    cli("remember", MAP, *OF_PAPA, *on_server)
    id = cli("link", "request", "papa", "--json", *on_server).document["id"]
    assert cli("link", "accept", id, *OF_PAPA, *on_server).code == 0
    assert MAP in cli("recall", "who has the second map?", *on_server).out


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
