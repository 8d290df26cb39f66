"""What ``memory_update`` does to a memory, and what ``memory_recall`` then says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from reverie.domain.memory import Memory
from tests.doors.mcp_host import Host, hosted

PORTO, LISBON = "Anna lives in Porto", "Anna has moved and her home is Lisbon now"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "a.bank", actor="mcp") as host:
        yield host


def recalled(host: Host, query: str, **given: object) -> list[Mapping[str, str]]:
    return list(host.values("memory_recall", query=query, **given)["memories"])


def test_what_was_true_is_superseded_and_told_as_past(host: Host) -> None:
    old = host.values("memory_learn", content=PORTO, type="relationship", scope="crm/**", priority="high")[
        "id"
    ]
    done = host.values("memory_update", id=old, how="supersedes", content=LISBON)
    assert (done["outcome"], done["superseded"]) == ("superseded", old)
    (now,) = recalled(host, "where is Anna's home?")
    assert (now["text"], now["state"], now["type"]) == (LISBON, "current", "relationship")
    told = {one["text"]: one for one in recalled(host, "where does Anna live?", also_past=True)}
    past = told[PORTO]
    assert (past["state"], past["superseded_by"]) == ("superseded", done["id"])
    assert past["valid_to"] == now["date"]
    new = host.reverie.agent("mama").get(done["id"])
    assert isinstance(new, Memory)
    assert (new.scope, new.priority) == (("crm/**",), "high")
    text = host.text("memory_recall", query="Anna lives", also_past=True)
    assert f"superseded by {done['id']}, true until {past['valid_to']}" in text


def test_a_question_for_what_was_before_needs_no_flag(host: Host) -> None:
    old = host.values("memory_learn", content=PORTO)["id"]
    host.values("memory_update", id=old, how="supersedes", content=LISBON)
    found = {one["text"]: one["state"] for one in recalled(host, "where did Anna live before Lisbon?")}
    assert found == {LISBON: "current", PORTO: "superseded"}


def test_what_was_wrong_is_corrected_under_its_id(host: Host) -> None:
    id = host.values("memory_learn", content="Anna's cat is named Nimo")["id"]
    done = host.values("memory_update", id=id, how="Corrects", content="Anna's cat is named Nemo")
    assert done == {"id": id, "outcome": "corrected"}
    texts = [one["text"] for one in recalled(host, "Anna's cat", also_past=True)]
    assert texts == ["Anna's cat is named Nemo"]


@pytest.mark.parametrize("how", ["supersedes", "corrects"])
def test_a_models_wording_never_stands_as_the_users(host: Host, how: str) -> None:
    said = host.reverie.agent("mama").remember(PORTO, source_trust="principal").memory
    done = host.values("memory_update", id=said.id, how=how, content=LISBON)
    assert done["outcome"] == "beside"
    kept = {one["text"]: (one["trust"], one["state"]) for one in recalled(host, "Anna lives home")}
    assert kept == {PORTO: ("principal", "current"), LISBON: ("agent", "current")}


def test_the_same_again_replaces_nothing(host: Host) -> None:
    id = host.values("memory_learn", content=PORTO)["id"]
    done = host.values("memory_update", id=id, how="supersedes", content=f"{PORTO}.")
    assert done == {"id": id, "outcome": "reinforced"}
    assert [one["state"] for one in recalled(host, "Anna lives")] == ["current"]


def test_a_wrong_update_brings_the_right(host: Host) -> None:
    learned = host.values("memory_learn", content=PORTO)["id"]
    newer = host.values("memory_update", id=learned, how="supersedes", content=LISBON)["id"]
    happened = host.values("memory_episode", event="Deployed 2.4")["id"]
    steps = host.values("memory_procedure", name="deploy", steps=["tag", "push"])["id"]
    for id, how, advice in [
        (newer, "replaces", "choose from supersedes, corrects"),
        ("gone", "corrects", "memory_recall gives the ids"),
        (learned, "supersedes", f"{newer} has superseded it already"),
        (happened, "corrects", "keep what is so with memory_learn"),
        (steps, "corrects", "give memory_procedure its new steps"),
    ]:
        assert advice in host.refusal("memory_update", id=id, how=how, content="Something else")


def test_a_failure_keeps_what_to_do_next_time(host: Host) -> None:
    host.values("memory_procedure", name="deploy", steps=["tag", "push"])
    host.values("memory_procedure", name="deploy", outcome="failure", lesson="Migrate the database first")
    read = host.values("memory_procedure", name="deploy")
    assert (read["failure_count"], read["lesson"]) == (1, "Migrate the database first")
    assert "lesson: Migrate the database first" in host.text("memory_procedure", name="deploy")
