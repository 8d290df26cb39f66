"""`bench fit` on little invented data: the signals are those of recall, and who is judged has taught nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import fit, fit_corpora, fit_relevance, realmem_data
from bench.__main__ import main
from bench.candidates import Asked
from bench.fit_corpora import Corpus
from bench.softmax import probability
from bench.talk_data import NOTHING, Question, Sitting, Talk
from bench.vectors import KeptVectors
from reverie import Strategy
from reverie.domain.message import Message, Role
from reverie.embedders.minilm import MiniLM
from reverie.memory.scoring.score import EPISODE_WEIGHTS, MEMORY_WEIGHTS, Curve, leads

DAY = datetime(2026, 1, 5, 18, tzinfo=UTC)
SAID = [
    ("Anna", "I adopted a puppy called Biscuit from the shelter."),
    ("Ben", "Congratulations! I train for the half marathon in June."),
    ("Anna", "My sister opened a bakery in Lisbon."),
]
ASKED = [("What did Anna adopt?", 0), ("What does Ben train for?", 1), ("What did Anna's sister open?", 2)]
TABLE = {"semantic": 0.45, "lexical": 0.4, "importance": 0.05}


def _talk(name: str) -> Talk:
    messages = [
        Message(
            content=text, role=Role.USER, speaker=speaker, ref=str(place), time=DAY + timedelta(minutes=place)
        )
        for place, (speaker, text) in enumerate(SAID)
    ]
    sitting = Sitting(
        id="s", messages=messages, statements={str(n): text for n, (_, text) in enumerate(SAID)}
    )
    questions = [
        Question(text=text, kind="fact", evidence=frozenset({str(place)}), statements=frozenset({str(place)}))
        for text, place in ASKED
    ]
    nothing = Question(text="Who plays the drums?", kind=NOTHING)
    return Talk(id=name, sittings=[sitting], questions=[*questions, nothing], today=DAY + timedelta(days=30))


def _corpus(*names: str) -> Corpus:
    return fit_corpora.of_talks([_talk(name) for name in names], KeptVectors(MiniLM()))


def _asked(bank: str, best: str, wanted: int = 1) -> Asked:
    """A question whose evidence is what one signal likes, and the other doesn't."""
    other = {"semantic": "lexical", "lexical": "semantic"}[best]
    return Asked(
        bank=bank, wanted=wanted, right=np.array([bool(wanted), False, False]),
        signals={best: np.array([0.9, 0.1, 0.2]), other: np.array([0.1, 0.9, 0.2]), "importance": np.full(3, 0.5)},
    )  # fmt: skip


def test_candidates_are_ranked_by_the_shipped_weights_as_recall_ranks_them() -> None:
    corpus = _corpus("one")
    for some, table in ((corpus.episodes, EPISODE_WEIGHTS), (corpus.memories, MEMORY_WEIGHTS)):
        assert [one.wanted for one in some] == [1, 1, 1, 0]
        for one in some:
            assert one.signals.keys() == table.keys()
            assert np.all(np.diff(one.total(table)) <= 1e-9)
            assert one.order(table).tolist() == list(range(len(one.right)))
            assert list(one.recalled) == one.right.tolist()
        assert [bool(one.right[0]) for one in some] == [True, True, True, False]


def test_what_another_talk_answers_is_asked_too_and_nothing_answers_it() -> None:
    talks = [_talk("one"), _talk("two")]
    corpus = fit_corpora.of_talks(talks, KeptVectors(MiniLM()), foreign=2)
    for some in (corpus.episodes, corpus.memories):
        assert [one.wanted for one in some if one.bank == "one"] == [1, 1, 1, 0, 0, 0]
        assert not any(one.right.any() for one in some if not one.wanted)
    alone = fit_corpora.of_talks(talks[:1], KeptVectors(MiniLM()), foreign=2)
    assert [one.wanted for one in alone.episodes] == [1, 1, 1, 0]


def test_realmems_queries_want_facts_and_the_turns_that_they_come_from() -> None:
    told = [{"speaker": "User", "content": text, "is_query": False} for _, text in SAID]
    used = [{"session_uuid": "s1", "content": SAID[2][1]}]
    dialogues: list[dict[str, Any]] = [
        {
            "session_uuid": "s1", "current_time": "2026-01-05 (Monday)", "dialogue_turns": told,
            "extracted_memory": [{"content": text, "source_turn": place} for place, (_, text) in enumerate(SAID, 1)],
        },
        {
            "session_uuid": "s2", "current_time": "2026-01-09 (Friday)", "extracted_memory": [],
            "dialogue_turns": [
                {"speaker": "User", "content": "Where is my sister's bakery?", "is_query": True},
                {"speaker": "Assistant", "content": "Let me see.", "memory_used": used},
            ],
        },
    ]  # fmt: skip
    corpus = fit_corpora.of_realmem([realmem_data.persona("Anna_A", dialogues)], KeptVectors(MiniLM()))
    for (one,) in (corpus.memories, corpus.episodes):
        assert (one.bank, one.wanted, one.right.tolist()[0], one.right.sum()) == ("Anna_A", 1, True, 1)


def test_a_life_is_asked_now_and_of_memories_as_of_then(tmp_path: Path) -> None:
    lines = [
        {"life": "little", "zone": "Europe/Berlin", "start": "2026-03-02", "days": 3, "author": "us"},
        {"day": 1, "time": "09:00", "speaker": "Nora", "role": "user", "content": "I live in Leipzig."},
        {"day": 2, "time": "09:00", "speaker": "Nora", "role": "user", "content": "I live in Berlin now."},
        {
            "day": 2,
            "ask": "Where does Nora live?",
            "expect": "Berlin",
            "as_of": [{"day": 1, "expect": "Leipzig"}],
        },
    ]
    path = tmp_path / "little.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    corpus = fit_corpora.of_lives([path], KeptVectors(MiniLM()))
    assert [len(corpus.memories), len(corpus.episodes)] == [2, 1]
    assert {one.bank for one in (*corpus.memories, *corpus.episodes)} == {"life little"}
    assert corpus.episodes[0].right.sum() == 1


def test_locomos_observations_are_statements_of_their_sessions(little_locomo: Path) -> None:
    data = json.loads(little_locomo.read_text("utf-8"))
    data[0]["observation"] = {
        "session_1_observation": {
            "Anna": [["Anna has a puppy.", "D1:1"]],
            "Ben": [["Ben runs.", ["D1:2; D1:4"]]],
        }
    }
    little_locomo.write_text(json.dumps(data), "utf-8")
    first, second = fit_corpora.locomo_talks(little_locomo)
    assert [len(one.statements) for one in first.sittings] == [2, 0]
    assert [[*one.statements] for one in first.questions] == [["session_1.0"], ["session_1.1"], []]
    assert not any(one.statements for one in second.sittings)


def test_weights_are_those_of_the_data_and_the_first_signal_keeps_its_share() -> None:
    weights = fit.fitted(
        {"one": [_asked("a", "lexical"), _asked("b", "semantic")]}, ["semantic", "lexical"], TABLE
    )
    assert weights == pytest.approx({"semantic": 0.45, "lexical": 0.45})


def test_every_corpus_counts_alike() -> None:
    corpora = {"one": [_asked("a", "semantic")] * 2, "two": [_asked("b", "lexical")]}
    more = {"one": corpora["one"] * 10, "two": corpora["two"]}
    names = ["semantic", "lexical"]
    assert fit.fitted(more, names, TABLE) == pytest.approx(fit.fitted(corpora, names, TABLE))


def test_a_corpus_is_judged_by_weights_that_the_others_taught() -> None:
    corpora = {"one": [_asked("a", "lexical")], "two": [_asked("b", "semantic")] * 5}
    weights = fit.left_out(corpora, ["semantic", "lexical"], TABLE)
    assert weights["one"]["semantic"] > 0 > weights["one"]["lexical"]
    assert weights["one"]["importance"] == 0.05


def test_the_same_bank_in_another_corpus_teaches_nothing_about_it() -> None:
    corpora = {
        "chats": [_asked("a", "lexical")],
        "chats_all": [_asked("a", "lexical"), _asked("b", "semantic")],
    }
    assert [one.bank for one in fit.without(corpora, "chats")["chats_all"]] == ["b"]
    assert fit.without({"chats": corpora["chats"], "chats_all": corpora["chats"]}, "chats") == {}


def test_questions_without_an_answer_are_not_judged_by_recall() -> None:
    asked = [_asked("a", "semantic"), _asked("a", "semantic", wanted=0)]
    assert fit.judged(asked, {"semantic": 1.0}) == {
        "recall@5": 1.0,
        "recall@10": 1.0,
        "first": 1.0,
        "mrr": 1.0,
    }
    assert fit.judged(asked, {"lexical": 1.0})["mrr"] == pytest.approx(1 / 3)
    assert fit.recalled(asked)["recall@10"] == 0


def test_of_a_question_that_nothing_answers_all_hits_are_wrong() -> None:
    hits = fit_relevance.best(
        [_asked("a", "semantic"), _asked("b", "semantic", wanted=0)], TABLE, Strategy.HYBRID
    )
    assert hits.first.tolist() == [True, False, False] * 2
    assert hits.unanswerable.tolist() == [False] * 3 + [True] * 3
    assert hits.right.tolist() == [True] + [False] * 5
    about, lead = hits.rows[:3].T
    assert lead.tolist() == pytest.approx(leads(about).tolist())
    assert about[0] == pytest.approx(0.45 * 0.9 + 0.4 * 0.1)  # importance isn't about the question


def test_what_is_said_is_held_against_what_is_so_in_bins() -> None:
    likely, right = np.array([0.05, 0.05, 0.95, 1.0]), np.array([False, False, True, False])
    bins = [*fit_relevance.reliability(likely, right)]
    assert bins == [pytest.approx((0.05, 0, 0.5)), pytest.approx((0.975, 0.5, 0.5))]
    assert fit_relevance.calibration_error(likely, right) == pytest.approx(0.5 * 0.05 + 0.5 * 0.475)
    shares = np.array([3, 3, 1, 1])
    assert fit_relevance.calibration_error(likely, right, shares) == pytest.approx(0.75 * 0.05 + 0.25 * 0.475)


def test_the_area_is_how_often_the_right_one_is_said_to_be_likelier() -> None:
    assert fit_relevance.area(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False])) == 0.875
    assert np.isnan(fit_relevance.area(np.array([0.9]), np.array([True])))


def test_the_relevance_prints_its_curve_and_a_floor(capsys: pytest.CaptureFixture[str]) -> None:
    corpora = {
        "dialogues": [_asked("a", "semantic"), _asked("a", "semantic", wanted=0)] * 5,
        "personas": [_asked("b", "semantic"), _asked("b", "lexical")] * 5,
    }
    curves = dict.fromkeys(Strategy, Curve(-1.0, 2.0, 3.0))
    metrics = fit_relevance.fit("Episodes", corpora, TABLE, curves)
    assert "Episodes, hybrid" in capsys.readouterr().out
    assert 0 < metrics["curve_hybrid_floor_98"] < 1
    rows = fit_relevance.best(corpora["dialogues"], TABLE, Strategy.HYBRID).rows
    likely = probability(np.array(curves[Strategy.HYBRID]), rows)
    assert metrics["curve_hybrid_dialogues_shipped_ece"] == pytest.approx(
        fit_relevance.calibration_error(likely, np.array(([True] + [False] * 5) * 5))
    )


def _metrics(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    metrics = json.loads(said.readouterr().out.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in metrics.values())
    return dict(metrics)


def test_both_tables_are_fitted_and_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = _corpus("one", "two"), _corpus("three")
    corpora = {"dialogues": first, "personas": second, "locomo": second}
    monkeypatch.setattr(fit_corpora, "read", lambda *_: corpora)
    metrics = _metrics(["fit"], capsys)
    for kind, table in (("episodes", EPISODE_WEIGHTS), ("memories", MEMORY_WEIGHTS)):
        assert metrics[f"{kind}_weight_semantic"] == 0.45
        assert metrics[f"{kind}_locomo_shipped_recall@10"] == 1
        assert f"{kind}_locomo_left_out_recall@10" not in metrics
        for signal in table:
            assert f"{kind}_without_{signal}_personas_mrr" in metrics
        for number in ("bias", "slope", "lead"):
            assert np.isfinite(metrics[f"{kind}_curve_hybrid_{number}"])
    measured_alone = {"locomo": second}
    monkeypatch.setattr(fit_corpora, "read", lambda *_: measured_alone)
    alone = _metrics(["fit"], capsys)
    assert alone["episodes_locomo_shipped_recall@10"] == 1
    assert not [name for name in alone if "weight" in name]
