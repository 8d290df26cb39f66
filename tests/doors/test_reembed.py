"""The command that moves banks to another embedder, asked of a server on this machine; and what waits meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.client import Reverie
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.commands import Cli
from tests.embedders.providers import Answer, Provider, ollama_wire, patient, serving

pytestmark = pytest.mark.slow

OLD = "hashing-for-tests-384/1"
NEW = "ollama/nomic-embed-text/768"


@pytest.fixture
def ollama() -> Iterator[Provider]:
    with serving(ollama_wire, 768) as provider:
        yield provider


@pytest.fixture
def cli(
    ollama: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Cli:
    """A bank with mama's and papa's vectors by the old embedder; from now on the settings name Ollama."""
    with Reverie.open(
        tmp_path / "test.bank", key=bytes(range(32)), embedder=HashingEmbedder.for_tests()
    ) as reverie:
        reverie.agent("mama").remember("Péter is allergic to peanuts")
        reverie.agent("mama").observe(["hello", "good morning"])
        reverie.agent("papa").remember("papa likes tea")
    monkeypatch.setenv("REVERIE_KEY", bytes(range(32)).hex())
    monkeypatch.setenv("REVERIE_EMBED_PROVIDER", "ollama")
    monkeypatch.setenv("REVERIE_EMBED_BASE_URL", ollama.url)
    monkeypatch.setenv("REVERIE_REMEMBER_EMOTIONS", "false")
    return Cli(tmp_path / "test.bank", capsys, monkeypatch)


def test_a_bank_of_another_embedder_says_how_it_can_move(cli: Cli) -> None:
    ran = cli("recall", "peanuts")
    assert ran.code == 3
    assert "reverie reembed" in ran.err


def test_reembed_moves_one_agents_bank(cli: Cli) -> None:
    ran = cli("reembed")
    assert (ran.code, ran.out) == (0, f"mama: 3 texts embedded, moved from {OLD} to {NEW}\n")
    assert cli("recall", "peanuts", "--min-score", "0").code == 0
    assert cli("reembed").out == f"mama: its vectors are by {NEW} already\n"


def test_reembed_moves_all_agents_and_tells_as_json(cli: Cli) -> None:
    ran = cli.bare("reembed", "--bank", str(cli.bank), "--json")
    told = [
        (one["agent_id"], one["embedded"], one["switched"], one["after"]) for one in ran.document["agents"]
    ]
    assert told == [("mama", 3, True, NEW), ("papa", 1, True, NEW)]


def test_after_a_failure_the_next_call_goes(
    cli: Cli, ollama: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    ollama.script = [Answer(status=404)]
    ran = cli("reembed")
    assert ran.code != 0
    assert "knows" in ran.err or "know" in ran.err
    assert "reverie reembed" in cli("recall", "peanuts").err
    assert cli("reembed").code == 0


def test_what_waits_for_a_server_is_stored(
    cli: Cli, ollama: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    cli("reembed")
    ollama.script = [Answer(status=404)] * 3
    ran = cli("remember", "Anna lives in Lisbon", "--json")
    assert (ran.code, ran.document["outcome"]) == (0, "queued")
    seen = cli("observe", "-", stdin='{"content": "I moved to Lisbon"}')
    assert seen.code == 0
    assert "waiting in the bank until the embedder works again: 1 message" in seen.err
    assert "2 writes waiting for it" in cli("stats").out
    ollama.script = []
    cli("remember", "Péter lives in Porto")
    assert [hit["text"] for hit in cli("recall", "Lisbon", "--json", "--min-score", "0").document["hits"]][:1]
    assert "waiting" not in cli("stats").out
    assert cli("recall", "moved Lisbon", "--episodes").code == 0


def test_a_recall_by_words_alone_says_so(cli: Cli, ollama: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)
    cli("reembed")
    ollama.script = [Answer(status=404)]
    ran = cli("recall", "peanuts")
    assert ran.code == 0
    assert "Péter is allergic to peanuts" in ran.out
    assert "by words alone" in ran.err


def test_a_bank_without_agents_has_nothing_to_move(cli: Cli, tmp_path: Path) -> None:
    with Reverie.open(tmp_path / "empty.bank", key=bytes(range(32))):
        pass
    assert "no agents" in cli.bare("reembed", "--bank", str(tmp_path / "empty.bank")).out
