"""`bench realmem`: which facts count as evidence, when things happen, and the whole command on a little life."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench import realmem
from bench.__main__ import main
from bench.realmem_data import Persona, persona, read

PUPPY = "Anna adopted a puppy called Biscuit."
BAKERY = "Anna's sister opened a bakery in Lisbon."
RACE = "Anna trains for the half marathon in June."


def _turn(speaker: str, content: str, **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "content": content, "is_query": False, "query_id": None, **more}


def _query(content: str) -> dict[str, Any]:
    return _turn("User", content) | {"is_query": True, "query_id": "Q-1"}


def _answer(*used: tuple[str, str]) -> dict[str, Any]:
    return _turn(
        "Assistant",
        "Let me see.",
        memory_used=[{"session_uuid": session, "content": text} for session, text in used],
    )


def _fact(content: str, source: int = 1, said: str = "") -> dict[str, Any]:
    return {"content": content, "source_turn": source, "source_content_snapshot": said, "type": "Static"}


def _session(
    name: str, day: str, turns: Sequence[Mapping[str, Any]], facts: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    return {
        "session_uuid": name,
        "current_time": f"{day} (Monday)",
        "dialogue_turns": list(turns),
        "extracted_memory": list(facts),
    }


HELLO = [_turn("User", "Hello!"), _turn("Assistant", "Hello, Anna.")]


def _evidence(life: Persona) -> list[tuple[str, ...]]:
    return [query.evidence for query in life.queries()]


def test_evidence_are_the_facts_of_earlier_sessions_alone() -> None:
    asked = [_query("What is my puppy's name?"), _answer(("a", PUPPY), ("b", BAKERY), ("c", RACE))]
    life = persona(
        "Anna",
        [
            _session("a", "2026-01-05", HELLO, [_fact(PUPPY)]),
            _session("b", "2026-01-06", asked, [_fact(BAKERY)]),
            _session("c", "2026-01-07", HELLO, [_fact(RACE)]),
        ],
    )
    assert _evidence(life) == [("0.0",)]
    assert (life.matching.exactly, life.matching.not_yet, life.matching.unmatched) == (1, 2, 0)


def test_a_query_that_needs_nothing_known_by_then_is_not_asked() -> None:
    asked = [_query("What is my puppy's name?"), _answer(("a", "Nobody ever said this."))]
    life = persona(
        "Anna", [_session("a", "2026-01-05", HELLO, [_fact(PUPPY)]), _session("b", "2026-01-06", asked)]
    )
    assert _evidence(life) == []
    assert life.matching.unmatched == 1


def test_a_fact_is_known_again_by_its_words_where_its_text_differs() -> None:
    asked = [_query("What is my puppy's name?"), _answer(("a", "anna adopted a puppy, called Biscuit"))]
    life = persona(
        "Anna", [_session("a", "2026-01-05", HELLO, [_fact(PUPPY)]), _session("b", "2026-01-06", asked)]
    )
    assert _evidence(life) == [("0.0",)]
    assert (life.matching.exactly, life.matching.normalised) == (0, 1)


def test_of_two_facts_with_one_text_the_named_session_says_which_is_meant() -> None:
    asked = [_query("What is my puppy's name?"), _answer(("a", PUPPY))]
    unnamed = [_query("And my puppy?"), _answer(("?", PUPPY))]
    life = persona(
        "Anna",
        [
            _session("a", "2026-01-05", HELLO, [_fact(RACE), _fact(PUPPY)]),
            _session("b", "2026-01-06", HELLO, [_fact(PUPPY)]),
            _session("c", "2026-01-07", asked + unnamed),
        ],
    )
    assert _evidence(life) == [("0.1",), ("1.0",)]


def test_what_an_answer_used_belongs_to_the_last_query_before_it() -> None:
    turns = [
        _query("And my puppy?"),
        _query("And my sister?"),
        _turn("User", "Well?"),
        _answer(("a", BAKERY)),
    ]
    facts = [_fact(PUPPY), _fact(BAKERY)]
    life = persona("Anna", [_session("a", "2026-01-05", HELLO, facts), _session("b", "2026-01-06", turns)])
    assert [(query.text, query.evidence) for query in life.queries()] == [("And my sister?", ("0.1",))]


def test_time_never_runs_back_and_sessions_of_a_day_follow_each_other() -> None:
    days = ("2026-01-05", "2026-01-05", "2026-01-04", "2026-01-09")
    life = persona("Anna", [_session(str(number), day, HELLO) for number, day in enumerate(days)])
    moments = [turn.time for session in life.sessions for turn in session.turns]
    assert moments == sorted(set(moments))
    assert moments[0] == datetime(2026, 1, 5, 9, tzinfo=UTC)
    assert moments[-2] == datetime(2026, 1, 9, 9, tzinfo=UTC)
    assert life.sessions[2].turns[0].time.date() == datetime(2026, 1, 5, tzinfo=UTC).date()


def test_a_fact_comes_from_the_quoted_turn_else_the_counted_one_else_all() -> None:
    facts = [_fact(PUPPY, 1, "Hello, Anna."), _fact(BAKERY, 2, "never said"), _fact(RACE, -1, "never said")]
    (session,) = persona("Anna", [_session("a", "2026-01-05", HELLO, facts)]).sessions
    assert [fact.sources for fact in session.facts] == [(1,), (1,), (0, 1)]


def test_a_structured_fact_becomes_text_and_an_empty_turn_no_message() -> None:
    turns = [_turn("User", " "), *HELLO]
    (session,) = persona("Anna", [_session("a", "2026-01-05", turns, [_fact({"day": 1})])]).sessions  # type: ignore[arg-type]  # as the data has it
    assert session.facts[0].text == '{"day": 1}'
    assert [turn.message is None for turn in session.turns] == [True, False, False]


def test_an_unknown_persona_is_named(little_life: Path) -> None:
    assert [one.id for one in read(little_life, ["0"])] == ["Anna_Berg"]
    with pytest.raises(SystemExit, match="no persona 'Ben': choose from Anna_Berg"):
        read(little_life, ["Ben"])


@pytest.fixture
def little_life(tmp_path: Path) -> Path:
    said = [
        _turn("User", "I adopted a puppy, Biscuit!"),
        _turn("Assistant", ""),
        _turn("Assistant", "Lovely."),
    ]
    sessions = [
        _session("a", "2026-01-05", said, [_fact(PUPPY, 1, said[0]["content"]), _fact(RACE, -1)]),
        _session("b", "2026-01-06", HELLO, [_fact(BAKERY), _fact("Anna adopted a puppy called Biscuit")]),
        _session("c", "2026-01-07", [_query("What is the name of my puppy?"), _answer(("b", PUPPY[:-1]))]),
    ]
    (tmp_path / "Anna_Berg_dialogues_256k.json").write_text(
        json.dumps({"dialogues": sessions}), encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize("more", [(), ("--without-episodes",)])
def test_realmem_counts_a_merged_fact_where_the_memory_is_that_it_became(
    little_life: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["realmem", "--data", str(little_life), "--json", *more]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (metrics["n"], metrics["facts"], metrics["memories"]) == (1, 4, 3)
    assert metrics["episodes"] == (0 if more else 6)
    assert metrics["recall@5"] == metrics["recall@10"] == metrics["recall@10_Anna_Berg"] == 1.0
    assert metrics["mrr"] == metrics["semantic_mrr"] == metrics["lexical_mrr"] == 1.0


def test_a_memory_has_the_turn_that_it_comes_from_as_its_source(
    little_life: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    remember = realmem._remember

    def watched(agent: Any, session: Any, observed: Any, became: dict[str, str]) -> None:
        remember(agent, session, observed, became)
        for fact in session.facts:
            sources = agent.get(became[fact.key]).source_episodes
            seen.append(sorted(agent.get(one).content for one in sources))

    monkeypatch.setattr(realmem, "_remember", watched)
    realmem.lived(read(little_life)[0])
    assert seen[:2] == [["I adopted a puppy, Biscuit!"], ["I adopted a puppy, Biscuit!", "Lovely."]]


def test_no_memory_is_asked_for_before_its_session_has_ended(little_life: Path) -> None:
    life = realmem.lived(read(little_life)[0])
    (answer,) = life.answers
    assert len(answer.found["hybrid"]) == 3
    assert answer.evidence[0] in answer.found["hybrid"]


@pytest.mark.slow
def test_realmem_finds_on_a_server_what_it_finds_in_a_file(
    little_life: Path, postgres_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for more in ([], ["--url", postgres_server]):
        assert main(["realmem", "--data", str(little_life), "--json", *more]) == 0
        metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
        found.append({name: value for name, value in metrics.items() if name != "lived_s"})
    assert found[0] == found[1]
