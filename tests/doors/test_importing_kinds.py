"""`reverie import` of what other programs wrote down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.doors.commands import Cli
from tests.services.foreign_files import gpt, node, zipped

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
    assert (ran.code, "mem0: 1 memory read; 1 memory new to agent mama" in ran.out) == (2, True)
    assert "item 2: it has no memory" in ran.err
    assert "nuts" in cli("list").out


def test_a_folder_is_imported(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "trip.md").write_text("# Trip\n\nWe go to Porto in May.\n")
    assert cli("import", str(folder)).code == 0
    assert "Porto" in cli("list").out


def test_the_report_names_what_was_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(
        json.dumps([gpt(node("a", "root", "I moved to Lisbon"), node("b", "a", "Nice", "assistant"))])
    )
    assert "chatgpt: 1 conversation read; 2 messages new to agent mama" in cli("import", str(path)).out
    assert "chatgpt: 1 conversation read; nothing new to agent mama" in cli("import", str(path)).out


@pytest.mark.parametrize(
    ("given", "content", "why"),
    [
        (["--as", "myspace"], MEM0.encode(), "--as: 'myspace' is no kind; choose from reverie, chatgpt"),
        (["--on-conflict", "newer"], MEM0.encode(), "--on-conflict: it is for Reverie's own exports, and this is"),
        (["--as", "mem0", "--on-conflict", "?"], MEM0.encode(), "--on-conflict: it is for Reverie's own exports"),
        ([], b'{"colour":"red"}', "FILE: its kind can't be told; name the kind: --as reverie|chatgpt"),
        ([], b"[]", "FILE: its kind can't be told; name the kind: --as"), ([], b"", "FILE: it is empty; give"),
        (["--as", "claude"], b"", "FILE: it is empty; give"), ([], b"PK\x03\x04", "FILE: the zip can't be read"),
        (["--as", "claude"], b"PK\x03\x04", "FILE: the zip can't be read (BadZipFile); unpack it"),
        ([], zipped(a__png=b"x"), "FILE: the zip holds no file of a known kind; give the export itself"),
        ([], b"SQLite format 3\0", "FILE: it is a bank, no export of one; export it first"),
    ],
)  # fmt: skip
def test_other_files_are_refused_with_what_to_do(
    cli: Cli, tmp_path: Path, given: list[str], content: bytes, why: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    ran = cli("import", str(path), *given)
    assert (ran.code, ran.err[: len(why) + 9]) == (2, f"reverie: {why}")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("nope.json", "FILE: it can't be read (No such file or directory); give a file or a folder"),
        (".", "FILE: it holds no file whose kind can be told; name the kind: --as"),
        ("-", "line 1, JSON: a list, or an object over many lines; give one JSON object a line"),
    ],
)
def test_what_cant_be_read_is_told_with_what_to_do(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, why: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    ran = cli("import", file, stdin=MEM0)
    assert (ran.code, ran.err[: len(why) + 9]) == (2, f"reverie: {why}")
    assert file != "-" or "--as KIND` takes other kinds" in ran.err
