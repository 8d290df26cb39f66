"""`reverie context`: the block for a prompt, and its report."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.domain.block import Reason
from reverie.doors.cli.prompt import WHY
from tests.doors.commands import Cli

TABS = "Always use tabs in Python"
CAKE = "Anna's birthday cake must be without nuts"


@pytest.fixture
def anna(cli: Cli) -> Cli:
    """A bank that knows a little."""
    cli.remember(TABS, "--kind", "preference", "--priority", "high")
    cli.remember(CAKE)
    cli.remember("Tables are plural", "--scope", "db/**")
    return cli


def test_the_block_for_a_task_is_printed_with_its_cost(anna: Cli) -> None:
    ran = anna("context", "bake", "a", "birthday", "cake", "for", "Anna")
    assert ran.code == 0
    *lines, end = ran.out.splitlines()
    assert end.startswith("</reverie-context ")
    assert lines == [
        "<reverie-context>",
        "## Standing instructions", f"- {TABS}",
        "## What you know that may help, oldest first", f"- {CAKE}",
    ]  # fmt: skip
    assert "tokens, of a budget of 800; 1 left out (--explain tells why)" in ran.err


def test_a_path_brings_what_is_scoped_to_it(anna: Cli) -> None:
    assert "- Tables are plural" in anna("context", "--path", "db/users.sql").out
    assert "- Tables are plural" not in anna("context", "--path", "web/index.html").out


def test_a_file_here_is_meant_by_its_absolute_name_too(
    anna: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here = Path.cwd()
    anna.remember("Rows are singular", "--scope", f"{here}/db/**")
    for path in ("db/users.sql", f"{here}/db/users.sql"):
        both = anna("context", "--path", path).out
        assert "- Tables are plural" in both
        assert "- Rows are singular" in both
        assert len(anna("recall", "plural or singular", "--scope", path, "--json").document["hits"]) >= 2


def test_a_conversation_stands_for_a_task(anna: Cli) -> None:
    anna.observe({"content": "Which birthday cake shall Anna have?", "conversation": "chat"})
    assert f"- {CAKE}" in anna("context", "--conversation", "chat").out
    assert anna("context", "--conversation", "nobody's").code == 1


def test_the_budget_holds(anna: Cli) -> None:
    ran = anna("context", "bake a birthday cake for Anna", "--max-tokens", "40", "--json")
    assert 0 < ran.document["tokens"] <= 40
    assert [one["text"] for one in ran.document["entered"]] == [f"- {TABS}"]


def test_explain_tells_what_entered_what_was_left_out_and_why(anna: Cli) -> None:
    ran = anna("context", "bake a birthday cake for Anna", "--explain")
    text = " ".join(ran.out.split())
    assert f"baseline: 1 entered, 0 left out - {TABS} " in text
    assert "tokens · activation 0.800 · " in text
    assert f"contextual: 1 entered, 1 left out - {CAKE} " in text
    assert f"– Tables are plural {WHY[Reason.THRESHOLD]} · " in text
    assert "<reverie-context>" not in ran.out


def test_every_reason_has_words() -> None:
    assert set(WHY) == set(Reason)


def test_the_report_comes_whole_as_json(anna: Cli) -> None:
    block = anna("context", "bake a birthday cake for Anna", "--json").document
    assert set(block) == {"text", "tokens", "max_tokens", "identity_tokens", "entered", "left_out", "rev"}
    assert [(left["layer"], left["reason"]) for left in block["left_out"]] == [("contextual", "threshold")]


def test_an_empty_block_is_no_error(cli: Cli) -> None:
    cli.remember(CAKE)
    ran = cli("context")
    assert (ran.code, ran.out) == (0, "")
    assert "nothing enters" in ran.err
