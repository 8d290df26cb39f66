"""A night on the command line: the document for any chat, and the answer that comes back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.doors.commands import Cli

JONAS = "My partner Jonas is a carpenter in Ghent."
CHAT = json.dumps({"content": JONAS, "speaker": "Anna", "time": "2026-03-14T18:00:00+00:00"})


def answering(*contents: str, **more: object) -> str:
    """An answer that learns these."""
    new = [{"category": "fact", "content": content, "sourceEpisodes": ["e1"]} for content in contents]
    return json.dumps({**more, "new": new})


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A bank that was told something."""
    assert cli("observe", "-", stdin=CHAT).code == 0
    return cli


def id_in(document: str) -> str:
    """The night that a document asks to be named."""
    found = re.search(r'`"night": "([^"]+)"`', document)
    assert found is not None
    return found[1]


def test_the_document_has_prompt_schema_data_and_id(told: Cli) -> None:
    done = told("night")
    assert (done.code, done.err) == (0, "a night of 1 message\n")
    assert done.out.startswith("You are the sleep of")
    assert JONAS in done.out
    block = re.search(r"```json\n(.+)\n```", done.out)
    assert block is not None
    schema = json.loads(block[1])
    assert schema["properties"]["night"] == {"const": id_in(done.out)}
    assert schema["required"][0] == "night"


def test_an_answer_in_a_file_is_applied_and_reported(told: Cli, tmp_path: Path) -> None:
    id = id_in(told("night").out)
    file = tmp_path / "answer.md"
    file.write_text(
        f"Here:\n```json\n{answering('Jonas is a carpenter in Ghent.', night=id)}\n```\n", encoding="utf-8"
    )
    done = told("night", "--apply", str(file))
    assert (done.code, done.err) == (0, "")
    assert "Learned (1)\n  Jonas is a carpenter in Ghent." in done.out
    assert "· host ·" in done.out
    late = told("night", "--apply", str(file))
    assert (late.code, "not open" in late.err) == (2, True)
    assert told("night").code == 1


def test_an_answer_on_stdin_may_be_addressed_by_the_option(told: Cli) -> None:
    id = id_in(told("night").out)
    assert "names none" in told("night", "--apply", "-", stdin=answering()).err
    done = told("night", "--apply", "-", "--id", id, stdin=answering("Jonas is a carpenter in Ghent."))
    assert (done.code, "Learned (1)" in done.out) == (0, True)


def test_what_was_refused_is_printed_as_a_question_to_paste(told: Cli) -> None:
    id = id_in(told("night").out)
    wrong = answering("Jonas is a carpenter in Ghent.", "Jonas earns 975 euro", night=id)
    done = told("night", "--apply", "-", stdin=wrong)
    assert "Most of your answer was taken" in done.out
    assert "new[1]: it has a number that none of its sources has" in done.out
    assert id_in(done.out) == id
    again = told("night", "--apply", "-", stdin=answering(night=id))
    assert (again.code, "nothing changed" in again.out) == (0, True)


def test_as_json_it_is_the_question_and_the_report(told: Cli) -> None:
    night = told("night", "--json").document
    assert (night["episodes"], night["round"], JONAS in night["text"]) == (1, 1, True)
    report: dict[str, Any] = told(
        "night", "--apply", "-", "--json", stdin=answering("Jonas earns 975 euro", night=night["id"])
    ).document
    assert (report["sleep"]["mind"], report["question"]["round"]) == ("host", 2)


@pytest.mark.parametrize(
    ("arguments", "stdin", "why"),
    [
        (("--id", "x"), "", "--id: there is no answer"),
        (("--apply", "-", "--max-tokens", "900"), "", "--max-tokens: an answer"),
        (("--apply", "nowhere.json"), "", "FILE: 'nowhere.json' can't be read"),
        (("--apply", "-"), "\xff", "FILE: it is not UTF-8"),
        (("--apply", "-"), "not yet", "answer: it holds no JSON object"),
        (("--max-tokens", "1"), "", "--max-tokens"),
    ],
    ids=["no answer", "both", "no file", "no text", "no JSON", "too few"],
)
def test_slips_are_told(told: Cli, arguments: tuple[str, ...], stdin: str, why: str) -> None:
    done = told("night", *arguments, stdin=stdin.encode("latin-1"))
    assert (done.code, done.out) == (2, "")
    assert why in done.err


def test_nothing_waits_in_a_bank_that_was_told_nothing(cli: Cli) -> None:
    cli("remember", "Anna lives in Munich")
    done = cli("night")
    assert (done.code, done.out, done.err) == (1, "", "nothing was said since the last sleep\n")
