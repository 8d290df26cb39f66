"""`reverie import` of what other programs wrote down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doors.commands import Cli
from tests.services.foreign_files import gpt, node

MEM0 = json.dumps([{"id": "m1", "memory": "Anna is allergic to nuts"}, {"id": "m2", "memory": None}])


def test_the_kind_is_told_by_the_content_and_the_report_counts(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([gpt(node("a", "root", "I moved to Lisbon"))]))
    dry = cli("import", str(path), "--dry-run", "--json")
    assert (dry.code, cli("import", str(path)).code) == (3, 0)  # there is no bank to look into yet
    again = cli("import", str(path), "--speaker", "Anna", "--json").document
    assert (again["kinds"], again["messages"]["added"], again["messages"]["known"]) == (["chatgpt"], 0, 1)


def test_what_cant_be_read_is_named_and_the_rest_enters(cli: Cli) -> None:
    ran = cli("import", "-", "--as", "mem0", stdin=MEM0)
    assert (ran.code, "mem0: 0 conversations read; 1 thing new to agent mama" in ran.out) == (2, True)
    assert "item 2: it has no memory" in ran.err
    assert "nuts" in cli("list").out


def test_a_folder_is_imported(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "trip.md").write_text("# Trip\n\nWe go to Porto in May.\n")
    assert cli("import", str(folder)).code == 0
    assert "Porto" in cli("list").out


@pytest.mark.parametrize(
    ("given", "words", "why"),
    [
        (["--as", "myspace"], MEM0, "is no kind"), ([], '{"colour":"red"}', "takes other kinds"),
        (["--as", "claude"], "", ""),
    ],
)  # fmt: skip
def test_other_files_are_refused_with_what_to_do(
    cli: Cli, tmp_path: Path, given: list[str], words: str, why: str
) -> None:
    path = tmp_path / "file.json"
    path.write_text(words)
    ran = cli("import", str(path), *given)
    assert (ran.code == 0, why in ran.err) == (not why, True)
