"""`bench beam` and the talks that are in the repository, on little data and on their own files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from bench import beam_data, talk_data
from bench.__main__ import main
from bench.beam import by_zsum
from bench.talk_data import NOTHING
from reverie.domain.message import Role

SAID = [
    ("user", "I adopted a puppy called Biscuit. ->-> 1,1", "March-15-2024"),
    ("assistant", "Congratulations on the puppy!", None),
    ("user", "My budget for the kitchen is 900 euros.", None),
    ("user", "My sister opened a bakery in Lisbon.", None),
    ("user", "The budget for the kitchen is 1200 euros by now.", "May-02-2024"),
]
PROBES = {
    "information_extraction": [
        {"question": "What did I adopt?", "source_chat_ids": {"first": [0], "then": [[1]]}}
    ],
    "knowledge_update": [
        {
            "question": "What is my budget for the kitchen?",
            "source_chat_ids": {"original_info": [2], "updated_info": [4]},
        }
    ],
    "abstention": [{"question": "What is my brother called?"}],
    "summarization": [{"question": "What was never stored?", "source_chat_ids": [99]}],
}


@pytest.fixture
def little_beam(tmp_path: Path) -> Path:
    folder = tmp_path / "beam"
    turns = [
        {"id": place, "role": role, "content": content} | ({"time_anchor": anchor} if anchor else {})
        for place, (role, content, anchor) in enumerate(SAID)
    ]
    batches = [
        {"batch_number": 1, "turns": [turns[:2], turns[2:4]]},
        {"batch_number": 2, "turns": [turns[4:]]},
    ]
    (folder / "1").mkdir(parents=True)
    (folder / "1" / "chat.json").write_text(json.dumps(batches), "utf-8")
    (folder / "1" / "probing_questions.json").write_text(json.dumps(PROBES), "utf-8")
    return folder


def test_a_chat_is_read_in_batches_without_the_notes(little_beam: Path) -> None:
    (talk,) = beam_data.read(little_beam, everything=True)
    assert [len(one.messages) for one in talk.sittings] == [4, 1]
    first, second, *_ = talk.sittings[0].messages
    assert first.content == "I adopted a puppy called Biscuit."
    assert (first.role, second.role) == (Role.USER, Role.AGENT)
    assert first.time == datetime(2024, 3, 15, 9, tzinfo=UTC)
    assert second.time == datetime(2024, 3, 15, 9, 1, tzinfo=UTC)
    assert talk.sittings[1].messages[0].time == datetime(2024, 5, 2, 9, 4, tzinfo=UTC)


def test_evidence_is_what_is_stored_of_nested_ids(little_beam: Path) -> None:
    found, update, nothing = beam_data.read(little_beam, everything=True)[0].questions
    assert found.evidence == {"0", "1"}
    assert (*update.old, *update.new) == ("2", "4")
    assert (nothing.kind, nothing.evidence) == (NOTHING, frozenset())
    assert beam_data.read(little_beam, everything=False)[0].questions[0].evidence == {"0"}


def test_beam_compares_rankings_over_both_ways_to_store(
    little_beam: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["beam", "--data", str(little_beam), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    for prefix, messages in (("", 4), ("all_", 5)):
        for way in ("", "semantic_", "lexical_", "zsum_"):
            assert 0 <= metrics[f"{prefix}{way}recall@5"] <= metrics[f"{prefix}{way}recall@10"] <= 1
        assert (metrics[f"{prefix}n"], metrics[f"{prefix}unanswerable_n"]) == (2, 1)
        assert metrics[f"{prefix}messages"] == messages
        assert metrics[f"{prefix}updates_n"] == 1
        assert metrics[f"{prefix}knowledge_update_recall@10"] == 1


def test_the_sum_of_z_scores_weighs_both_signals_alike() -> None:
    class Found:
        semantic = np.array([0.9, 0.5, 0.1], np.float32)
        lexical = np.array([0.0, 30.0, 30.0], np.float32)

    assert by_zsum(Found()).tolist()[0] == 1
    Found.lexical = np.zeros(3, np.float32)
    assert by_zsum(Found()).tolist() == [0, 1, 2]


def test_written_talks_have_the_messages_that_their_questions_name() -> None:
    for talks in (
        talk_data.dialogues(), talk_data.chats(everything=False), talk_data.chats(everything=True),
    ):  # fmt: skip
        for talk in talks:
            there = {message.ref for sitting in talk.sittings for message in sitting.messages}
            assert len(talk.questions) == 56
            assert sum(one.kind == NOTHING for one in talk.questions) == 10
            assert all(
                one.evidence <= there and bool(one.evidence) != (one.kind == NOTHING)
                for one in talk.questions
            )


def test_a_personas_conversation_is_rebuilt_from_its_row_with_names(tmp_path: Path) -> None:
    rows = 'user 1 personas,user 2 personas,Best Generated Conversation\nx,y,"never read"\n'
    talk = "User 1: Hi, I'm [User 1's name].\nUser 2: Hello, User 1!\n(a pause)\nUser 1: I keep bees."
    (tmp_path / "Synthetic-Persona-Chat_test.csv").write_text(rows + f'x,y,"{talk}"\n', "utf-8")
    line = {
        "id": "0.0", "source": "test1", "names": ["Nora", "Wes"], "date": "2026-01-05",
        "statements": [{"text": "Nora keeps bees.", "refs": [2]}],
        "questions": [{"ask": "Who has bees?", "refs": [2], "statement": 0, "answer": "Nora"}],
    }  # fmt: skip
    lines = [json.dumps(line), json.dumps({"unanswerable": ["Where does Wes live?"]})]
    (tmp_path / "0.jsonl").write_text("\n".join(lines), "utf-8")
    (bank,) = talk_data.personas(tmp_path, tmp_path)
    (sitting,) = bank.sittings
    assert [(one.speaker, one.content) for one in sitting.messages] == [
        ("Nora", "Hi, I'm Nora."), ("Wes", "Hello, Nora!"), ("Nora", "I keep bees."),
    ]  # fmt: skip
    asked, nothing = bank.questions
    assert (*asked.evidence, *asked.statements) == ("0.0:2", "0.0.0")
    assert sitting.statements == {"0.0.0": "Nora keeps bees."}
    assert nothing.kind == NOTHING
