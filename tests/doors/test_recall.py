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
ALL = {"Anna is allergic to nuts", "Bo lives in Lisbon", "The vet is open on Monday"}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with three memories and three messages, made once for all that only read."""
    path = tmp_path_factory.mktemp("recall") / "read.bank"
    with Reverie.open(path, key=KEY, embedder=HashingEmbedder.for_tests()) as reverie:
        mama = reverie.agent("mama")
        mama.observe(
            {"content": "The vet saw Pixel", "speaker": "Anna", "ref": "m1"},
            conversation="monday",
            channel="telegram",
        )
        mama.observe({"content": "Lisbon is sunny", "speaker": "Bo", "ref": "m2"}, conversation="tuesday")
        mama.observe({"content": "I looked up the vet", "role": "agent", "ref": "m3"}, conversation="monday")
        nuts = {"importance": 0.9, "lesson": "Ask before cooking", "tags": ["food"]}
        mama.remember_many(
            [
                {"essence": "Anna is allergic to nuts", **nuts},
                {
                    "essence": "Bo lives in Lisbon",
                    "kind": "relationship",
                    "entities": ["Bo"],
                    "topics": ["home"],
                },
                {"essence": "The vet is open on Monday", "scope": ["pets/**"], "confidence": 0.5},
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


def test_the_best_answer_comes_first(bank: Cli) -> None:
    assert texts(bank, "who lives in Lisbon")[0] == "Bo lives in Lisbon"


def test_a_question_needs_no_quotes(bank: Cli) -> None:
    assert texts(bank, "who", "lives", "in", "Lisbon") == texts(bank, "who lives in Lisbon")


def test_a_hit_shows_rank_text_kind_score_relevance_age_lesson_and_id(bank: Cli) -> None:
    first, facts, lesson, id = bank("recall", "allergic nuts", "--limit", "1").out.splitlines()
    assert first == "1. Anna is allergic to nuts"
    assert re.fullmatch(rf"   fact · score 0\.\d{{3}} · relevance [01]\.\d\d · just now \({TIME}\)", facts)
    assert lesson == "   lesson: Ask before cooking"
    assert re.fullmatch(r"   [0-9a-f-]{36}", id)


def test_a_hit_shows_the_refs_of_its_sources(cli: Cli) -> None:
    (source,) = cli.observe({"content": "I can't eat nuts", "ref": "m7"})
    cli.remember("Anna is allergic to nuts", "--source", source)
    assert " · said in m7" in cli("recall", "allergic to nuts").out


def test_the_explained_terms_add_up_to_the_score(bank: Cli) -> None:
    out = bank("recall", "allergic nuts", "--explain", "--limit", "1").out
    *points, total = [
        int(text.replace(".", "")) for text in re.findall(r"^ +(-?\d\.\d{3}) ", out, re.MULTILINE)
    ]
    assert sum(points) == total


def test_every_term_is_explained(bank: Cli) -> None:
    hit = bank("recall", "allergic nuts", "--limit", "1", "--emotion", "joy", "--json").document["hits"][0]
    out = bank("recall", "allergic nuts", "--limit", "1", "--emotion", "joy", "--explain").out
    assert _explained(out) == set(hit["terms"])


def test_every_term_of_a_message_is_explained_too(bank: Cli) -> None:
    asked = ("recall", "when did the vet see Pixel last year?", "--episodes", "--min-score", "0")
    hit = bank(*asked, "--json").document["hits"][0]
    assert (
        _explained(bank(*asked, "--limit", "1", "--explain").out) == set(hit["terms"]) >= {"context", "date"}
    )


def test_what_steps_back_says_why_though_it_is_not_the_first_hit(cli: Cli) -> None:
    for kind in ("fact", "policy"):
        cli.remember("Anna drinks green tea in the garden", "--kind", kind)
    out = cli("recall", "who drinks green tea?", "--explain", "--min-score", "0").out
    first, second = out.split("2. Anna drinks green tea in the garden")
    assert "nearly repeats a better hit" not in first
    assert re.search(r"^ *-\d\.\d{3} +repeat +nearly repeats a better hit", second, re.MULTILINE)
    *points, total = [
        int(text.replace(".", "")) for text in re.findall(r"^ +(-?\d\.\d{3}) ", second, re.MULTILINE)
    ]
    assert sum(points) == total


def test_what_comes_behind_a_later_one_says_why_and_what_loses_nothing_says_no_more(cli: Cli) -> None:
    cli.remember("In Lisbon by the sea lives Ana", "--time", "2026-01-01")
    cli.remember("Ana has a house in Porto and lives there", "--time", "2026-02-01")
    cli.remember("Ana's mother has a red bike and lives in Faro", "--time", "2026-03-01")
    out = cli("recall", "Where does Ana live?", "--explain", "--min-score", "0").out
    told = re.findall(r"^ *(-?\d\.\d{3}) +newer *(.*)$", out, re.MULTILINE)
    assert len(told) == 3
    assert all(bool(meaning) == (float(points) != 0) for points, meaning in told[1:])
    assert any(meaning for _, meaning in told[1:])


def _explained(out: str) -> set[str]:
    rows = re.findall(r"^ +-?\d\.\d{3} +([a-z]+) +[a-z]", out, re.MULTILINE)
    return set(rows)


def test_what_was_said_is_recalled_with_its_ref(bank: Cli) -> None:
    hits = bank("recall", "the vet saw Pixel", "--episodes", "--json").document["hits"]
    assert (hits[0]["ref"], hits[0]["episode"]["speaker"]) == ("m1", "Anna")


def test_a_message_shows_who_said_it_and_where(bank: Cli) -> None:
    first, facts, *_ = bank("recall", "the vet saw Pixel", "--episodes", "--limit", "1").out.splitlines()
    assert first == "1. Anna: The vet saw Pixel"
    assert re.search(rf"just now \({TIME}\) · monday · ref m1$", facts)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--kind", "relationship"), {"Bo lives in Lisbon"}),
        (("--tag", "food"), {"Anna is allergic to nuts"}),
        (("--topic", "home"), {"Bo lives in Lisbon"}),
        (("--entity", "Bo"), {"Bo lives in Lisbon"}),
        (("--min-importance", "0.8"), {"Anna is allergic to nuts"}),
        (("--min-confidence", "0.8"), {"Anna is allergic to nuts", "Bo lives in Lisbon"}),
        (("--scope", "pets/cat.txt"), ALL),
        (("--scope", "work/plan.txt"), {"Anna is allergic to nuts", "Bo lives in Lisbon"}),
        (("--since", "2020-01-01"), ALL),
        (("--until", "2020-01-01"), set()),
        (("--max-tokens", "0"), set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_memories_are_filtered(bank: Cli, arguments: tuple[str, ...], found: set[str]) -> None:
    assert set(texts(bank, "Anna Bo vet", "--min-score", "0", *arguments)) == found


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--speaker", "Anna"), {"m1"}),
        (("--role", "agent"), {"m3"}),
        (("--channel", "telegram"), {"m1"}),
        (("--conversation", "monday"), {"m1", "m3"}),
        (("--conversation", "monday", "--conversation", "tuesday"), {"m1", "m2", "m3"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_messages_are_filtered(bank: Cli, arguments: tuple[str, ...], found: set[str]) -> None:
    hits = bank("recall", "vet", "--episodes", "--min-score", "0", *arguments, "--json").document["hits"]
    assert {hit["ref"] for hit in hits} == found


def test_a_moment_gone_by_answers_with_what_was_believed_then(cli: Cli) -> None:
    id = cli.remember("Bo lives in Porto", "--time", "2026-01-01")
    cli("revise", id, "Bo lives in Lisbon", "--time", "2026-03-01")
    assert texts(cli, "where does Bo live", "--as-of", "2026-02-01") == ["Bo lives in Porto"]


def test_finding_nothing_is_said_in_words_and_in_the_code(bank: Cli) -> None:
    ran = bank("recall", "xylophone", "--min-score", "0.99")
    assert (ran.code, ran.out) == (1, "")
    assert "none relevant enough" in ran.err


def test_nothing_passing_the_filters_is_said_in_words(bank: Cli) -> None:
    assert "nothing here passes the filters" in bank("recall", "vet", "--kind", "goal").err


def test_what_is_too_large_for_the_budget_is_not_laid_on_filters(bank: Cli) -> None:
    ran = bank("recall", "vet", "--max-tokens", "0")
    assert (ran.code, "--max-tokens" in ran.err, "filters" in ran.err) == (1, True, False)


@pytest.mark.parametrize(
    ("more", "says"), [((), "no memories yet"), (("--episodes",), "observed nothing yet")]
)
def test_an_agent_with_nothing_is_told_so(cli: Cli, more: tuple[str, ...], says: str) -> None:
    cli("init", "--home", "Szeged")
    assert says in cli("recall", "vet", *more).err


def test_without_filters_none_is_blamed(bank: Cli) -> None:
    err = bank("recall", "xylophone", "--strategy", "lexical").err
    assert ("Nothing found" in err, "filters" in err) == (True, False)


def test_an_agent_without_memories_is_told_of_those_with(bank: Cli) -> None:
    assert "in it are: mama" in bank("recall", "vet", "--agent", "mamma").err


def test_falling_back_to_deep_recall_is_said_in_words(bank: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    really_recall = Agent.recall

    def fallen_back(agent: Agent, *arguments: str, **given: object) -> Recall[MemoryHit]:
        return replace(really_recall(agent, *arguments, **given), deep=True, fell_back=True)  # type: ignore[arg-type]

    monkeypatch.setattr(Agent, "recall", fallen_back)
    assert "This comes from deep recall" in bank("recall", "allergic nuts").err


def test_without_a_question_the_latest_come(bank: Cli) -> None:
    assert len(texts(bank)) == 3


def test_what_did_not_fit_is_counted(bank: Cli) -> None:
    assert "2 more hits beyond" in bank("recall", "Anna Bo vet", "--min-score", "0", "--limit", "1").err


def test_text_that_looks_like_markup_is_shown_as_it_is(cli: Cli) -> None:
    cli.remember("press [bold]Enter[/bold] :smile:")
    assert cli("recall", "press Enter").out.startswith("1. press [bold]Enter[/bold] :smile:\n")
