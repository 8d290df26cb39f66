"""The doors of a society in short, for the fast suite; each has a slow module of its own with the whole of it."""

from __future__ import annotations

from pathlib import Path

from tests.doors.commands import Cli
from tests.doors.mcp_host import hosted

DAY = "2026-05-13"


def test_two_agents_live_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    assert cli("rooms", "say", "plaza", "papa", "Hello", "--members", "mama,papa").code == 0
    assert cli("relationships", "add", "papa", "--type", "ally", "--trust", "0.6").code == 0
    assert "ally +0.6" in cli("relationships", "graph", "--svg", "-").out
    assert cli("diary", "add", "Papa said hello.", "--date", DAY).code == 0
    assert "Papa said hello." in cli("diary", "show", DAY).out
    id = cli("link", "request", "papa", "--json").document["id"]
    assert cli("link", "accept", id, "--agent", "papa").code == 0
    assert cli("self-care").out.startswith("nothing was done: ")


def test_a_model_lives_by_the_tools(tmp_path: Path) -> None:
    with hosted(tmp_path / "a.bank", toolsets=("society",)) as host:
        host.values("add_to_longterm_memory", content="Kade has the second map")
        host.values("write_diary", text="Kade kept his word.", date=DAY)
        assert host.values("assign_relationship", other="Kade", trust=0.5)["trust"] == 0.5
        assert "second map" in host.text("retrieve_specific_memories", query="map")
        assert "kept his word" in host.text("search_diary_for_keywords", keywords="word")
