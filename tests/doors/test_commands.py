"""What holds for every command: help, JSON, wrong input, a missing bank, an empty bank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from reverie.doors.cli.program import GROUPS, MODULES, PANELS, program
from tests.doors.commands import Cli

ID = "0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e"


def commands(command: Any, above: str = "") -> Iterator[str]:
    for name, one in command.commands.items():
        yield from commands(one, f"{above}{name} ") if hasattr(one, "commands") else [above + name]


ALL = [*commands(program())]
READING = {
    "recall": "recall x", "list": "list", "scoped": "scoped src/app.py", "show": f"show {ID}",
    "goals list": "goals list", "goals due": "goals due", "procedures list": "procedures list",
    "procedures show": "procedures show release",
    "context": "context x", "window": "window --conversation x --max-tokens 9000", "soul list": "soul list",
    "soul show": "soul show", "sleeps list": "sleeps list", "sleeps show": f"sleeps show {ID}",
    "summaries list": "summaries list", "summaries show": f"summaries show {ID}", "rooms list": "rooms list",
    "rooms show": "rooms show", "diary list": "diary list", "diary show": "diary show 2026-05-13",
    "diary search": "diary search x", "diary month": "diary month 2026-05",
    "relationships list": "relationships list", "relationships show": "relationships show Kade",
    "relationships history": "relationships history", "relationships graph": "relationships graph",
    "link list": "link list", "link show": f"link show {ID}", "link blocked": "link blocked", "profile": "profile",
    "stats": "stats", "check": "check", "audit": "audit", "export": "export",
}  # fmt: skip
CHANGING = {
    "revise": f"revise {ID} x", "forget": f"forget {ID} --yes", "adopt": f"adopt {ID}", "approve": f"approve {ID}",
    "goals complete": f"goals complete {ID}", "goals postpone": f"goals postpone {ID} 2026-12-03",
    "goals reopen": f"goals reopen {ID}",
    "procedures record": "procedures record release success", "soul remove": f"soul remove {ID}", "sleep": "sleep",
    "revert": f"revert {ID} --yes", "night": "night", "self-care": "self-care", "housekeeping": "housekeeping",
    "backfill": "backfill", "pause": "pause", "resume": "resume", "retry": "retry",
    "diary remove": "diary remove 2026-05-13 --yes", "relationships remove": "relationships remove Kade --yes",
    "link request": "link request kade", "link accept": f"link accept {ID}", "link decline": f"link decline {ID}",
    "link adopt": f"link adopt {ID} --yes", "link revoke": f"link revoke {ID} --yes",
    "link unblock": "link unblock kade", "rooms say": "rooms say plaza Anna Hello", "backup": "backup copy.bank",
    "reembed": "reembed", "worker": "worker --once",
}  # fmt: skip
MAKING = {
    "remember": "remember x", "goals add": "goals add x", "procedures add": "procedures add x --step y",
    "soul add": "soul add x", "diary add": "diary add x", "relationships add": "relationships add Kade",
    "link block": "link block kade", "init": "init", "observe": "observe -", "import": "import -",
    "llm check": "llm check",
}  # fmt: skip
ELSEWHERE = {
    "copy", "daemon", "demo", "install", "mcp", "open", "postgres init", "postgres move", "postgres scour",
    "postgres status", "rekey", "serve", "token create", "token list", "token revoke", "uninstall", "watch"
}  # fmt: skip
"""They have no --bank, need a key, or run until they are ended."""
NOTHING = {
    "list": "reverie remember", "recall": "no memories yet", "goals list": "reverie goals add",
    "goals due": "Nothing is due",
    "procedures list": "reverie procedures add", "soul list": "reverie soul add", "sleep": "nothing was said",
    "sleeps list": "not slept", "night": "nothing was said", "summaries list": "reverie self-care",
    "rooms list": "reverie rooms say", "rooms show": "Nothing was said", "diary list": "reverie diary add",
    "diary search": "No page", "diary month": "Nothing was written", "diary show": "reverie diary list",
    "relationships list": "reverie relationships add", "relationships history": "reverie relationships add",
    "relationships graph": "reverie relationships add", "link list": "reverie link request",
    "link blocked": "Nobody", "scoped": "No memory", "retry": "nothing is parked",
    "link unblock": "weren't refused", "show": "reverie list", "revise": "reverie list", "adopt": "reverie list",
}  # fmt: skip
"""What these say where there is nothing; they end with 1."""
WRONG = {
    "recall x --limit 0": "--limit", "recall x --min-score 2": "--min-score", "recall x --since then": "--since",
    "recall x --strategy guess": "--strategy", "recall x --emotion bliss": "--emotion",
    "recall x --speaker Anna": "--speaker", "recall x --episodes --deep": "--deep",
    "recall x --conversation a --conversation b": "--conversation", "list --newest": "--newest",
    "list --speaker Anna": "--speaker", "list --episodes --kind fact": "--kind", "remember x --kind wish": "--kind",
    "list --episodes --review": "--review",
    "remember x --priority urgent": "--priority", "remember x --importance 7": "--importance",
    "remember x --emotion joy --emotion joy": "--emotion", "context x --max-tokens -1": "--max-tokens",
    "context --path  ": "--path", "context  ": "TASK", "scoped  ": "PATH", "forget --yes": "forget",
    f"forget {ID} --everything --yes": "forget", "forget --conversation x --since 2026-01-01 --yes": "forget",
    "procedures record x fine": "OUTCOME", "procedures add x": "--step", "procedures add x --step  ": "--step",
    "window --max-tokens 9000": "FILE", "night --id x": "--id", "init --time-zone Mars": "--time-zone",
    "profile --time-zone Mars": "--time-zone", "stats --bank oracle://x": "--bank", "rekey": "--new-key-file",
    "diary add x --body-json {": "--body-json", "diary add --body-json [1]": "--body-json",
    'diary add --body-json {"a":NaN}': "--body-json", 'diary add --body-json {"a":1,"a":2}': "--body-json",
    'diary add x --body-json {"text":"y"}': "TEXT", "diary add  ": "TEXT", "diary add x --date soon": "--date",
    "diary show 2026-13-01": "DATE", "diary month May": "MONTH", "diary search  ": "WORDS",
    "diary remove 2026-05-13": "diary remove", "relationships add Kade --trust 3": "--trust",
    "relationships add mama": "OTHER", "relationships show Kade --as-of then": "--as-of",
    "rooms say square Anna Hello": "--members", "backfill --agent nobody": "--agent",
    "housekeeping --agent nobody": "--agent", "pause --agent nobody": "--agent", "observe no/such/file": "FILE",
    "observe .": "FILE", "watch no/such/file": "FILE", "import no/such/file": "FILE", "export a/b/c": "FILE",
    "import - --on-conflict ask": "--on-conflict", "night --apply no/such/file": "FILE",
    "goals add x --due soon": "--due", f"goals postpone {ID} soon": "TIME", "goals due --until soon": "--until",
    "observe - --sample 0": "--sample", "mcp --toolsets core,nothing": "--toolsets",
    "serve --also main=x": "--also", "token create x --right all": "--right",
}  # fmt: skip


def words(line: str) -> list[str]:
    """The words of a line; two spaces stand for an argument of one space."""
    return [word or " " for word in line.replace("  ", " \0").replace("\0", "").split(" ")]


def test_every_command_is_in_these_tables() -> None:
    assert {*READING, *CHANGING, *MAKING, *ELSEWHERE} == {*ALL}
    assert {name for names in PANELS.values() for name in names.split()} >= {*GROUPS}


@pytest.mark.parametrize("name", ALL)
def test_every_command_teaches_by_example(cli: Cli, name: str) -> None:
    ran = cli.bare(*name.split(), "--help")
    assert (ran.code, f" reverie {name}" in ran.out or f"| reverie {name}" in ran.out) == (0, True), ran.out


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_alone_shows_its_commands(cli: Cli, group: str) -> None:
    ran = cli(group)
    assert (ran.code, "Usage" in ran.out, ran.err) == (0, True, "")


@pytest.mark.parametrize("name", [*READING, *CHANGING])
def test_only_a_command_that_stores_makes_a_bank(
    cli: Cli, name: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    ran = cli(*{**READING, **CHANGING}[name].split())
    assert (ran.code, ran.out, cli.bank.exists()) == (3, "", False)
    assert "there is no bank at" in ran.err


@pytest.mark.parametrize("name", [name for name in {**READING, **CHANGING, **MAKING} if name != "import"])
def test_json_is_one_document_and_says_nothing_else(
    cli: Cli, name: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    cli.remember("Anna keeps bees")
    ran = cli(*{**READING, **CHANGING, **MAKING}[name].split(), "--json", stdin='{"content": "Hello"}')
    if name == "export":
        assert all(isinstance(json.loads(line), dict) for line in ran.out.splitlines())
    elif ran.out:
        listed = name.endswith(("list", "history", "search", "blocked", " due")) or name in (
            "audit",
            "scoped",
            "rooms show",
        )
        assert (isinstance(ran.document, list), ran.err) == (listed, "")
    else:
        assert ran.error["exit_code"] == ran.code in (1, 2)


@pytest.mark.parametrize("name", NOTHING)
def test_an_empty_bank_says_what_to_do(cli: Cli, name: str) -> None:
    cli("init", "--home", "Szeged")
    ran = cli(*{**READING, **CHANGING}[name].split())
    assert (ran.code, ran.out) == (1, "")
    assert NOTHING[name] in ran.err


@pytest.mark.parametrize("line", WRONG)
def test_wrong_input_is_named_as_it_was_given(cli: Cli, line: str) -> None:
    cli.remember("Anna keeps bees")
    cli("diary", "add", "Rain.", "--date", "2026-05-13")
    ran = cli(*words(line), "--json", stdin='{"content": "Hello"}')
    assert (ran.code, ran.out) == (2, "")
    error = ran.error
    assert (error["field"], bool(error["problem"]), bool(error["remedy"])) == (WRONG[line], True, True)
    assert error["exit_code"] == 2


@pytest.mark.parametrize(
    "line",
    ["nonsense", "recall --nonsense", "show", "recall x --limit many", "watch x --every 0", "list --limit 0"],
)
def test_wrong_usage_is_told_on_stderr_with_its_help(cli: Cli, line: str) -> None:
    ran = cli.bare(*line.split())
    assert (ran.code, ran.out, "--help`" in ran.err) == (2, "", True)
    assert cli.bare(*line.split(), "--json").error["type"] == "Usage"


def test_each_command_has_a_panel_and_a_module() -> None:
    named = [name for names in PANELS.values() for name in names.split()]
    defined = [name for names in MODULES.values() for name in names.split()]
    assert sorted(named) == sorted(defined)
    assert set(GROUPS) <= set(named)
