"""`check`: what is wrong, one fault a line, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reverie.client import Reverie
from reverie.doors.cli import diagnosis
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


@pytest.fixture
def damaged(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A bank whose store finds faults as SQLite words them."""

    def found(_: Reverie) -> Iterator[str]:
        return iter(FOUND)

    cli("init")
    monkeypatch.setattr(Reverie, "check", found)
    return cli


def test_each_fault_is_one_line_with_the_pages_named_first(damaged: Cli) -> None:
    ran = damaged("check")
    assert ran.code == 3
    head, *faults = ran.out.splitlines()
    assert head == f"{damaged.bank} is damaged: 3 faults, in pages 7, 9"
    assert [fault.strip() for fault in faults] == FAULTS


def test_what_to_do_is_said(damaged: Cli) -> None:
    assert "restore the last backup" in damaged("check").err


def test_each_fault_is_one_text_in_json(damaged: Cli) -> None:
    ran = damaged("check", "--json")
    assert (ran.code, ran.document["ok"], ran.document["faults"], ran.document["pages"]) == (
        3,
        False,
        FAULTS,
        [7, 9],
    )
    assert "backup" in ran.document["advice"]


def test_a_good_file_needs_no_advice(cli: Cli) -> None:
    cli("init")
    ran = cli("check", "--json")
    assert (ran.document["pages"], ran.document["advice"]) == ([], None)
    assert cli("check").err == ""


def test_a_long_list_is_cut_for_people_and_counted() -> None:
    found = diagnosis.of("a.bank", [f"Page {number}: never used" for number in range(1, 51)])
    head, *shown = found.lines()
    assert (len(shown), shown[-1]) == (21, "  … and 30 more; --json has them all")
    assert head.endswith("20, …")
    assert len(found.faults) == 50
