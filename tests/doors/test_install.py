"""install and uninstall: what they do to the configuration that people have."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.doors.cli import server
from reverie.doors.install.jsonc import Document
from reverie.errors import InvalidInput
from tests.doors.commands import Cli

HOSTS = ("claude-code", "codex", "cursor", "opencode")
_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME")

# What people have: by host, files with their contents.
_THEIRS: Mapping[str, Mapping[str, str]] = {
    "claude-code": {
        ".claude/settings.json": """{
    "model": "opus",
    "hooks": {
        "Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}],
        "Notification": []
    }
}
""",
        ".claude.json": '{"numStartups": 7, "mcpServers": {"other": {"command": "x"}}, "projects": {"/é": {}}}',
    },
    "codex": {
        ".codex/config.toml": """# my own words
model = "o9"  # the large one

[mcp_servers.other]
command = "x"

[projects."/srv/shop"]
trust_level = "trusted"
""",
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bell"}]}]}}\n',
    },
    "cursor": {
        ".cursor/hooks.json": '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": [{"command": "./audit.sh"}]\n\t}\n}\n',
        ".cursor/mcp.json": '{"mcpServers": {"other": {"url": "https://mcp.example"}}, "x": [1]}',
    },
    "opencode": {
        ".config/opencode/opencode.jsonc": """{
  // which model
  "model": "a/b", /* here */
  "mcp": {
    "other": {"type": "local", "command": ["x"]}, // theirs
  },
}
""",
    },
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HOME, and none of the variables that name other folders."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def files(folder: Path) -> dict[str, str]:
    """What lies in a folder, by relative path."""
    return {
        str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def furnish(folder: Path, host: str) -> Mapping[str, str]:
    for name, text in _THEIRS[host].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return _THEIRS[host]


def commands(value: object) -> Iterator[str]:
    """Every command in a configuration."""
    if isinstance(value, dict):
        if isinstance(value.get("command"), str):
            yield value["command"]
        for one in value.values():
            yield from commands(one)
    for one in value if isinstance(value, list) else ():
        yield from commands(one)


def said(path: Path) -> Any:
    text = path.read_text("utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else Document(text).value


@pytest.mark.parametrize("host", HOSTS)
def test_an_empty_home_gets_hooks_and_a_server_and_is_empty_again(host: str, cli: Cli, home: Path) -> None:
    ran = cli.bare("install", host, "--json")
    assert ran.code == 0, ran.err
    made = files(home)
    assert {one["file"] for one in ran.document["changed"]} == {str(home / name) for name in made}
    everything = "\n".join(made.values())
    assert host in everything
    assert '"mcp"' in everything
    for name in made:
        assert (home / name).stat().st_mode & 0o077 == 0
        if not name.endswith(".js"):
            assert said(home / name)
    again = cli.bare("install", host, "--json").document
    assert (again["changed"], files(home)) == ([], made)
    assert cli.bare("uninstall", host).code == 0
    assert files(home) == {}


@pytest.mark.parametrize("host", HOSTS)
def test_what_stands_there_stays(host: str, cli: Cli, home: Path) -> None:
    before = furnish(home, host)
    assert cli.bare("install", host).code == 0
    for name, text in before.items():
        assert files(home)[name] != text, name
        theirs, ours = list(commands(_read(text, name))), list(commands(said(home / name)))
        assert [one for one in ours if one in theirs] == theirs
        for comment in ("// which model", "/* here */", "// theirs", "# my own words", "# the large one"):
            assert (comment in files(home)[name]) == (comment in text)
    assert cli.bare("uninstall", host).code == 0
    assert files(home) == before


@pytest.mark.parametrize("host", ["claude-code", "cursor"])
def test_a_file_in_which_a_comment_is_left_stays(host: str, cli: Cli, home: Path) -> None:
    names = _THEIRS[host]
    for name in names:
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("{\n  // my own words\n}\n", "utf-8")
    before = files(home)
    assert cli.bare("install", host).code == 0
    assert cli.bare("uninstall", host).code == 0
    assert files(home) == before


def _read(text: str, name: str) -> object:
    return tomllib.loads(text) if name.endswith(".toml") else Document(text).value


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_shows_a_diff_and_writes_nothing(host: str, cli: Cli, home: Path) -> None:
    before = furnish(home, host)
    ran = cli.bare("install", host, "--dry-run")
    assert files(home) == before
    assert ran.code == 0
    assert all(f"+++ {home / name}" in ran.out for name in before)
    assert "+" in ran.out


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_broken_file_is_refused_and_all_is_left_alone(host: str, verb: str, cli: Cli, home: Path) -> None:
    before = dict(furnish(home, host))
    for name in before:
        (home / name).write_text("{ broken = [", "utf-8")
        ran = cli.bare(verb, host)
        assert ran.code == 2
        assert str(home / name) in ran.err
        assert files(home) == before | {name: "{ broken = ["}
        (home / name).write_text(before[name], "utf-8")


@pytest.mark.parametrize(
    ("host", "variable", "expected"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", {"settings.json", ".claude.json"}),
        ("codex", "CODEX_HOME", {"config.toml", "hooks.json"}),
        ("opencode", "XDG_CONFIG_HOME", {"opencode/opencode.json", "opencode/plugins/reverie.js"}),
    ],
)
def test_variables_name_other_folders(
    host: str, variable: str, expected: set[str], cli: Cli, home: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    assert cli.bare("install", host).code == 0
    assert (set(files(tmp_path / "elsewhere")), files(home)) == (expected, {})


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("claude-code", {".claude/settings.json", ".mcp.json"}),
        ("codex", {".codex/config.toml", ".codex/hooks.json"}),
        ("cursor", {".cursor/hooks.json", ".cursor/mcp.json"}),
        ("opencode", {"opencode.json", ".opencode/plugins/reverie.js"}),
    ],
)
def test_a_projects_files_name_programs_and_no_places(
    host: str, expected: set[str], cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert cli.bare("install", host, "--project").code == 0
    made = files(project)
    assert (set(made), files(home)) == (expected, {})
    assert "python" not in "".join(made.values())
    assert cli.bare("uninstall", host, "--project").code == 0
    assert files(project) == {}


def test_the_bank_that_is_named_is_the_one_that_is_used(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.bare("install", "claude-code", "--bank", "my work.bank", "--agent", "work").code == 0
    hook = next(commands(said(home / ".claude/settings.json")))
    entry = said(home / ".claude.json")["mcpServers"]["reverie"]["args"]
    assert hook.endswith(f"--bank '{tmp_path / 'my work.bank'}' --agent work")
    assert entry[-5:] == ["mcp", "--bank", str(tmp_path / "my work.bank"), "--agent", "work"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_server_that_could_not_start_is_not_written(
    host: str, cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(server, "find_spec", lambda _: None)
        ran = cli.bare("install", host)
        assert (ran.code, server.GET_PACKAGES in ran.err) == (0, True)
        assert "reverie-hook" in "".join(files(home).values())
        assert '"mcp"' not in "".join(files(home).values())
    ran = cli.bare("install", host)
    assert (ran.code, server.GET_PACKAGES in ran.err) == (0, False)
    assert '"mcp"' in "".join(files(home).values())
    with monkeypatch.context() as patch:
        patch.setattr(server, "find_spec", lambda _: None)
        assert cli.bare("uninstall", host).code == 0
    assert files(home) == {}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "REVERIE_BANK and REVERIE_AGENT of this shell are not written down"),
        (("--agent", "b"), "REVERIE_BANK of this shell is not written down"),
        (("--agent", "b", "--bank", "b.bank"), ""),
    ],
)
def test_variables_of_the_shell_are_told_and_not_written(
    options: tuple[str, ...], said: str, cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_BANK", "postgresql://anna:secret@db/x")
    monkeypatch.setenv("REVERIE_AGENT", "a")
    ran = cli.bare("install", "claude-code", *options)
    assert (ran.code, said in ran.err, "of this shell" in ran.err) == (0, True, bool(said)), ran.err
    assert "secret" not in ran.out + ran.err + "".join(files(home).values())


def test_an_older_installation_is_replaced_with_what_people_added_to_it(cli: Cli, home: Path) -> None:
    assert cli.bare("install", "claude-code", "--agent", "old").code == 0
    servers = home / ".claude.json"
    servers.write_text(servers.read_text().replace('"args"', '"env": {"A": "b"}, "args"'), "utf-8")
    assert cli.bare("install", "claude-code").code == 0
    assert "old" not in "".join(files(home).values())
    assert len(list(commands(said(home / ".claude/settings.json")))) == 6
    assert said(servers)["mcpServers"]["reverie"]["env"] == {"A": "b"}


def test_anothers_server_of_our_name_is_left_alone(cli: Cli, home: Path) -> None:
    theirs = '{"mcpServers": {"reverie": {"command": "dreamer"}}}'
    (home / ".claude.json").write_text(theirs, "utf-8")
    ran = cli.bare("install", "claude-code")
    assert (ran.code, files(home)) == (2, {".claude.json": theirs})
    assert cli.bare("uninstall", "claude-code").code == 0
    assert files(home) == {".claude.json": theirs}


def test_codex_has_its_hooks_in_one_place(cli: Cli, home: Path) -> None:
    config = home / ".codex/config.toml"
    config.parent.mkdir()
    theirs = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "bell"  # mine\n'
    config.write_text(theirs, "utf-8")
    assert cli.bare("install", "codex").code == 0
    hooks = said(config)["hooks"]
    assert [*hooks] == ["Stop", "SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact"]
    assert [len(groups) for groups in hooks.values()] == [2, 1, 1, 1, 1]
    assert set(files(home)) == {".codex/config.toml"}
    before = files(home)
    assert cli.bare("install", "codex").code == 0
    assert files(home) == before
    assert cli.bare("uninstall", "codex").code == 0
    assert files(home)[".codex/config.toml"].strip() == theirs.strip()


def test_a_file_behind_a_link_is_written_where_it_lies(cli: Cli, home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o640)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(real)
    assert cli.bare("install", "claude-code").code == 0
    assert (home / ".claude/settings.json").is_symlink()
    assert "reverie" in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_can_not_be_written_is_named(cli: Cli, home: Path) -> None:
    (home / ".claude").mkdir(mode=0o500)
    ran = cli.bare("install", "claude-code")
    assert ran.code == 2
    assert ".claude" in ran.err


def test_an_unknown_host_is_refused(cli: Cli) -> None:
    assert cli.bare("install", "emacs").code == 2


_LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_VALUE = st.recursive(
    _LEAF,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=3), _VALUE, max_size=3),
    st.sampled_from((None, 2, "\t")),
    st.integers(0, 2),
)
def test_what_is_added_to_any_json_can_be_taken_away(value: dict[str, Any], indent: Any, depth: int) -> None:
    text = json.dumps(value, indent=indent)
    path = ("hooks", "Stop", "more")[: depth + 1]
    file = Document(text)
    try:
        file.append(path, {"a": [1]})
    except InvalidInput:  # something else has the name
        return
    assert file.get(path)[-1] == {"a": [1]}
    at = len(file.get(path)) - 1
    file.remove(path, at)
    for length in range(len(path), 0, -1):
        if file.get(path[:length]) in ([], {}):
            file.remove(path[:length])
    assert Document(text).value == file.value or "hooks" in value
    if value:
        assert file.text == text or "hooks" in value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, // why\n "b": 2}', '{"a": 1, // why\n "b": 2,}', '{ // why\n "b": 2}', '{ // why\n "b": 2 /* x */}',
        '{"a": 1 // why\n, "b": 2}', '{"b": 2 // why\n}',
    ],
)  # fmt: skip
def test_a_comment_before_what_is_taken_away_ends_where_it_did(text: str) -> None:
    file = Document(text)
    before = file.value
    file.remove(("b",))
    assert "// why" in file.text
    assert file.value == {name: value for name, value in before.items() if name != "b"}


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"a" 1}', '{"a": 1} x', '{"a": 1, "a": 2}', "{'a': 1}", '{"a": nul}', '{"a":' + "[" * 500],
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        Document(text)
