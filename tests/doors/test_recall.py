"""Recall on the command line: what is found, why, and what is said where nothing is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.client import Agent, Reverie
from reverie.domain.query import MemoryHit, Recall
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.commands import Cli

KEY = "5e" * 32
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"
NUTS, LISBON, VET = "Anna is allergic to nuts", "Bo lives in Lisbon", "The vet is open on Monday"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with three memories and three messages, made once for all that only read."""
    path = tmp_path_factory.mktemp("recall") / "read.bank"
    with Reverie.open(path, key=KEY, embedder=HashingEmbedder.for_tests()) as reverie:
        mama = reverie.agent("mama")
        seen = {"content": "The vet saw Pixel", "speaker": "Anna", "ref": "m1"}
        mama.observe(seen, conversation="monday", channel="telegram")
        mama.observe({"content": "Lisbon is sunny", "speaker": "Bo", "ref": "m2"}, conversation="tuesday")
        mama.observe({"content": "I looked up the vet", "role": "agent", "ref": "m3"}, conversation="monday")
        mama.remember_many(
            [
                {"essence": NUTS, "importance": 0.9, "lesson": "Ask before cooking", "tags": ["food"]},
                {"essence": LISBON, "kind": "relationship", "entities": ["Bo"], "topics": ["home"]},
                {"essence": VET, "scope": ["pets/**"], "confidence": 0.5},
            ]
        )
    return path


@pytest.fixture
def bank(cli: Cli, stored: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("REVERIE_KEY", KEY)
    cli.bank = stored
    return cli


def texts(cli: Cli, *arguments: str) -> list[str]:
    return [hit["text"] for hit in cli("recall", *arguments, "--json").document["hits"]]


def test_the_best_answer_comes_first_and_needs_no_quotes(bank: Cli) -> None:
    found = texts(bank, "who lives in Lisbon")
    assert found[0] == LISBON
    assert texts(bank, "who", "lives", "in", "Lisbon") == found


def test_without_a_question_the_latest_come(bank: Cli) -> None:
    assert len(texts(bank)) == 3


def test_a_hit_shows_kind_score_relevance_age_lesson_and_id(bank: Cli) -> None:
    first, facts, lesson, id = bank("recall", "allergic nuts", "--limit", "1").out.splitlines()
    assert first == f"1. {NUTS}"
    assert re.fullmatch(rf"   fact · score 0\.\d{{3}} · relevance [01]\.\d\d · just now \({TIME}\)", facts)
    assert lesson == "   lesson: Ask before cooking"
    assert re.fullmatch(r"   [0-9a-f-]{36}", id)


def test_a_hit_shows_the_refs_of_its_sources(cli: Cli) -> None:
    (source,) = cli.observe({"content": "I can't eat nuts", "ref": "m7"})
    cli.remember(NUTS, "--source", source)
    assert " · said in m7" in cli("recall", "allergic to nuts").out


def test_a_message_shows_who_said_it_and_where(bank: Cli) -> None:
    first, facts, *_ = bank("recall", "the vet saw Pixel", "--episodes", "--limit", "1").out.splitlines()
    assert first == "1. Anna: The vet saw Pixel"
    assert re.search(rf"just now \({TIME}\) · monday · ref m1$", facts)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        (("allergic nuts", "--emotion", "joy"), {"emotion"}),
        (("when did the vet see Pixel last year?", "--episodes", "--min-score", "0"), {"context", "date"}),
    ],
)
def test_terms_are_explained_and_add_up(bank: Cli, question: tuple[str, ...], terms: set[str]) -> None:
    hit = bank("recall", *question, "--json").document["hits"][0]
    out = bank("recall", *question, "--limit", "1", "--explain").out
    explained = re.findall(r"^ +-?\d\.\d{3} +([a-z]+) +[a-z]", out, re.MULTILINE)
    assert set(explained) == set(hit["terms"]) >= terms
    assert _adds_up(out)


def _adds_up(out: str) -> bool:
    points = re.findall(r"^ +(-?\d\.\d{3}) ", out, re.MULTILINE)
    *terms, total = [int(text.replace(".", "")) for text in points]
    return sum(terms) == total


def test_a_repetition_is_explained_below_the_first_hit(cli: Cli) -> None:
    for kind in ("fact", "policy"):
        cli.remember("Anna drinks green tea in the garden", "--kind", kind)
    out = cli("recall", "who drinks green tea?", "--explain", "--min-score", "0").out
    first, second = out.split("2. Anna drinks green tea in the garden")
    assert "nearly repeats a better hit" not in first
    assert re.search(r"^ *-\d\.\d{3} +repeat +nearly repeats a better hit", second, re.MULTILINE)
    assert _adds_up(second)


def test_only_a_later_memory_that_counts_is_explained(cli: Cli) -> None:
    cli.remember("In Lisbon by the sea lives Ana", "--time", "2026-01-01")
    cli.remember("Ana has a house in Porto and lives there", "--time", "2026-02-01")
    cli.remember("Ana's mother has a red bike and lives in Faro", "--time", "2026-03-01")
    out = cli("recall", "Where does Ana live?", "--explain", "--min-score", "0").out
    told = re.findall(r"^ *(-?\d\.\d{3}) +newer *(.*)$", out, re.MULTILINE)
    assert len(told) == 3
    assert all(bool(meaning) == (float(points) != 0) for points, meaning in told[1:])
    assert any(meaning for _, meaning in told[1:])


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("--kind relationship", {LISBON}),
        ("--tag food", {NUTS}),
        ("--topic home", {LISBON}),
        ("--entity Bo", {LISBON}),
        ("--min-importance 0.8", {NUTS}),
        ("--min-confidence 0.8", {NUTS, LISBON}),
        ("--scope pets/cat.txt", {NUTS, LISBON, VET}),
        ("--scope work/plan.txt", {NUTS, LISBON}),
        ("--since 2020-01-01", {NUTS, LISBON, VET}),
        ("--until 2020-01-01", set()),
        ("--max-tokens 0", set()),
    ],
)
def test_memories_are_filtered(bank: Cli, arguments: str, found: set[str]) -> None:
    assert set(texts(bank, "Anna Bo vet", "--min-score", "0", *arguments.split())) == found


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("--speaker Anna", {"m1"}),
        ("--role agent", {"m3"}),
        ("--channel telegram", {"m1"}),
        ("--conversation monday", {"m1", "m3"}),
        ("--conversation monday --conversation tuesday", {"m1", "m2", "m3"}),
    ],
)
def test_messages_are_filtered(bank: Cli, arguments: str, found: set[str]) -> None:
    ran = bank("recall", "vet", "--episodes", "--min-score", "0", *arguments.split(), "--json")
    assert {hit["ref"] for hit in ran.document["hits"]} == found


def test_a_past_moment_is_answered_with_what_was_believed(cli: Cli) -> None:
    id = cli.remember("Bo lives in Porto", "--time", "2026-01-01")
    cli("revise", id, LISBON, "--time", "2026-03-01")
    assert texts(cli, "where does Bo live", "--as-of", "2026-02-01") == ["Bo lives in Porto"]


@pytest.mark.parametrize(
    ("arguments", "says", "never"),
    [
        ("xylophone --min-score 0.99", "none relevant enough", "filters"),
        ("vet --kind goal", "nothing here passes the filters", "question"),
        ("vet --max-tokens 0", "--max-tokens", "filters"),
        ("xylophone --strategy lexical", "Nothing found", "filters"),
        ("vet --agent mamma", "in it are: mama", "filters"),
        ("xylophone --min-score 0.99", "--episodes searches what was said", "filters"),
        ("xylophone --min-score 0.99 --episodes", "none relevant enough", "searches what was said"),
    ],
)
def test_why_nothing_is_found_is_said(bank: Cli, arguments: str, says: str, never: str) -> None:
    ran = bank("recall", *arguments.split())
    assert (ran.code, ran.out, says in ran.err, never in ran.err) == (1, "", True, False)


def test_a_limit_out_of_range_is_told_with_the_range(bank: Cli) -> None:
    ran = bank("list", "--limit", "5000")
    assert (ran.code, "is not a whole number from 1 to 1,000; give a number of that range" in ran.err) == (
        2,
        True,
    )


@pytest.mark.parametrize(
    ("more", "says"), [((), "no memories yet"), (("--episodes",), "observed nothing yet")]
)
def test_an_agent_with_nothing_is_told_so(cli: Cli, more: tuple[str, ...], says: str) -> None:
    cli("init", "--home", "Szeged")
    assert says in cli("recall", "vet", *more).err


def test_falling_back_to_deep_recall_is_said(bank: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    really_recall = Agent.recall

    def fallen_back(agent: Agent, *arguments: str, **given: object) -> Recall[MemoryHit]:
        return replace(really_recall(agent, *arguments, **given), deep=True, fell_back=True)  # type: ignore[arg-type]

    monkeypatch.setattr(Agent, "recall", fallen_back)
    assert "This comes from deep recall" in bank("recall", "allergic nuts").err


def test_what_did_not_fit_is_counted(bank: Cli) -> None:
    assert "2 more hits beyond" in bank("recall", "Anna Bo vet", "--min-score", "0", "--limit", "1").err


def test_text_that_looks_like_markup_is_shown_as_it_is(cli: Cli) -> None:
    cli.remember("press [bold]Enter[/bold] :smile:")
    assert cli("recall", "press Enter").out.startswith("1. press [bold]Enter[/bold] :smile:\n")
