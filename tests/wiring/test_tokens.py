from __future__ import annotations

import os
from pathlib import Path

import pytest

from reverie.client import server_token
from reverie.errors import InvalidInput
from reverie.wiring.settings import surroundings
from reverie.wiring.tokens import environment_token, file_token, new_token

TOKEN = "t0ken-" + "5e" * 16

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


def test_the_environment_gives_a_token() -> None:
    around = surroundings({"REVERIE_MCP_TOKEN": TOKEN})
    assert environment_token(around.mcp_token or "", "REVERIE_MCP_TOKEN").text == TOKEN


def test_an_empty_variable_is_no_token() -> None:
    assert surroundings({"REVERIE_MCP_TOKEN": ""}).mcp_token is None


def test_a_token_shows_in_no_repr() -> None:
    around = surroundings({"REVERIE_MCP_TOKEN": TOKEN})
    assert TOKEN not in repr(around) + repr(environment_token(TOKEN, "REVERIE_MCP_TOKEN"))


@posix
def test_a_file_that_is_not_there_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"
    token = file_token(path)
    assert path.read_text().strip() == token.text
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_keeps_its_token(tmp_path: Path) -> None:
    assert file_token(tmp_path / "token").text == file_token(tmp_path / "token").text


@posix
def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(TOKEN)
    path.chmod(0o640)
    with pytest.raises(InvalidInput, match=r"read by others; run: chmod 600"):
        file_token(path)


@pytest.mark.parametrize(
    "content", [b"", b"short", b"\xff" * 40, b"two words that are long enough for a token"], ids=repr
)
def test_a_file_without_a_token_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.touch(0o600)
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="holds no token"):
        file_token(path)


def test_a_folder_is_no_token_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="can't be read or made"):
        file_token(tmp_path)


@pytest.mark.parametrize("text", ["short", "x" * 31, f"{TOKEN}\n{TOKEN}", f"{TOKEN} {TOKEN}", "ö" * 40])
def test_what_is_no_token_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        environment_token(text, "REVERIE_MCP_TOKEN")
    assert text not in str(raised.value)


def test_no_two_new_tokens_are_the_same_and_each_would_pass(tmp_path: Path) -> None:
    one, other = new_token(), new_token()
    assert one.text != other.text
    assert (one.fresh, environment_token(one.text, "here").fresh) == (True, False)


def test_the_environment_comes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server_token().fresh
    kept = server_token(tmp_path / "token")
    assert kept.text == server_token(tmp_path / "token").text
    monkeypatch.setenv("REVERIE_MCP_TOKEN", TOKEN)
    assert (server_token(tmp_path / "token").text, server_token().fresh) == (TOKEN, False)
