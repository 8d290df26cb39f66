"""`check`: what is wrong, one fault a line, and what to do."""

from __future__ import annotations

import pytest

from reverie.client import Reverie
from tests.doors.commands import Cli

FOUND = [
    "*** in database main ***\nTree 5 page 7: btreeInitPage() returns error code 11\nPage 9: never used",
    "row 3 missing from index memories_by_time",
]
FAULTS = [
    "Tree 5 page 7: btreeInitPage() returns error code 11",
    "Page 9: never used",
    "row 3 missing from index memories_by_time",
]


def test_each_fault_is_one_line_with_its_page_and_advice(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setattr(Reverie, "check", lambda _: iter(FOUND))
    ran = cli("check")
    head, *faults = ran.out.splitlines()
    assert (ran.code, head) == (3, f"{cli.bank} is damaged: 3 faults, in pages 7, 9")
    assert [fault.strip() for fault in faults] == FAULTS
    assert "restore the last backup" in ran.err
    document = cli("check", "--json").document
    assert (document["ok"], document["faults"], document["pages"]) == (False, FAULTS, [7, 9])
    assert "backup" in document["advice"]


def test_a_long_list_of_faults_is_cut_for_people(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("init")
    monkeypatch.setattr(Reverie, "check", lambda _: iter([f"Page {n}: never used" for n in range(1, 51)]))
    head, *shown = cli("check").out.splitlines()
    assert (len(shown), shown[-1]) == (21, "  … and 30 more; --json has them all")
    assert head.endswith("20, …")
    assert len(cli("check", "--json").document["faults"]) == 50


def test_a_good_file_needs_no_advice(cli: Cli) -> None:
    cli.remember("something")
    document = cli("check", "--json").document
    assert (document["ok"], document["faults"], document["pages"], document["advice"]) == (True, [], [], None)
    assert cli("check").err == ""


def test_a_damaged_file_is_found_bad(cli: Cli) -> None:
    cli.remember("something")
    raw = bytearray(cli.bank.read_bytes())
    raw[len(raw) // 2] ^= 1
    cli.bank.write_bytes(raw)
    assert cli("check").code == 3
