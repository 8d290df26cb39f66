"""`reverie serve` and `reverie token` as processes: what a user starts, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from reverie.client import Right, Tokens
from reverie.doors.serving.listening import _LAST_WORDS_SECONDS, opened
from tests.doors.commands import Cli

PAPER = "/v1/banks/work/agents/mama/memories"


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The server of a bank in that folder, and what it printed."""
    command = [
        sys.executable, "-m", "reverie", "serve", "--json", "--port", "0", "--unencrypted", "--bank",
        str(folder / "a.bank"), "--tokens", str(folder / "tokens.json"), *options,
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        text = ""
        for line in lines:
            text += line
            if line == "}\n":
                break
        try:
            yield process, json.loads(text)
        finally:
            process.kill()


def test_it_serves_its_banks_until_it_is_told_to_end(tmp_path: Path) -> None:
    with serving(tmp_path, "--also", f"work={tmp_path / 'b.bank'}") as (process, said):
        headers = {"Authorization": f"Bearer {said['token']}"}
        assert said["banks"] == ["main", "work"]
        once = {**headers, "Idempotency-Key": "k1"}
        made = httpx2.post(f"{said['url']}{PAPER}", json={"text": "Paper is bought"}, headers=once)
        assert made.status_code == 201
        with httpx2.stream(
            "GET", f"{said['url']}/v1/banks/work/agents/mama/events", headers=headers
        ) as events:
            httpx2.post(f"{said['url']}{PAPER}", json={"text": "Ink is sold out"}, headers=headers)
            told = next(line for line in events.iter_lines() if line.startswith("data:"))
            assert json.loads(told.removeprefix("data:"))["action"] == "remember"
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
    with serving(tmp_path, "--also", f"work={tmp_path / 'b.bank'}") as (_, said):
        assert said["token"] is None  # shown once
        again = httpx2.post(f"{said['url']}{PAPER}", json={"text": "Paper is bought"}, headers=once)
        assert (again.status_code, again.json()["title"]) == (409, "AlreadyDone")
        found = httpx2.get(f"{said['url']}{PAPER}", headers=headers).json()
        assert [one["essence"] for one in found["items"]] == ["Paper is bought", "Ink is sold out"]


def test_a_stream_ends_with_its_token_and_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-loop") as (process, said):
        path = f"{said['url']}/v1/banks/main/agents/mama/events"
        rules = {"Authorization": f"Bearer {said['token']}"}
        tokens = Tokens(tmp_path / "tokens.json")
        made, text = tokens.create("phone", Right.READ)
        reads = {"Authorization": f"Bearer {text}"}
        unknown = httpx2.get(path, headers={**rules, "Last-Event-ID": "nobody's"})
        assert (unknown.status_code, unknown.json()["title"]) == (404, "NotFound")
        with httpx2.stream("GET", path, headers=reads) as events:
            lines = events.iter_lines()
            assert next(lines) == "id: 0"  # nothing was done yet
            tokens.revoke(made.id)
            assert {line for line in lines if line} <= {": nothing new"}
        with httpx2.stream("GET", path, headers=rules) as events:
            lines = events.iter_lines()
            assert next(lines) == "id: 0"
            told = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert {line for line in lines if line} <= {": nothing new"}
            assert time.monotonic() - told < _LAST_WORDS_SECONDS
        assert process.wait(30) == 0


def test_the_printed_link_opens_the_page_once(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-loop") as (_, said), httpx2.Client(follow_redirects=False) as browser:
        assert browser.get(said["url"]).headers["location"] == "/login"
        assert browser.get(said["page"]).headers["location"] == "/"
        assert "Nothing is remembered yet" in browser.get(said["url"]).text
        with httpx2.Client() as other:
            assert other.get(said["page"]).status_code == 403
        assert browser.get(f"{said['url']}/v1/banks").status_code == 401  # a session is no token


def test_open_leads_the_browser_to_the_page(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n')
    browser.chmod(0o700)
    command = [
        sys.executable, "-m", "reverie", "open", "--json", "--no-loop", "--unencrypted", "--bank",
        str(tmp_path / "a.bank"), "--tokens", str(tmp_path / "tokens.json"),
    ]  # fmt: skip
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "BROWSER": str(browser)},
    ) as process:
        assert process.stdout is not None
        said = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        with httpx2.Client(follow_redirects=True) as client:
            assert "Nothing is remembered yet" in client.get(said["page"]).text
        assert seen.read_text() == said["page"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_tokens_are_made_listed_and_revoked(cli: Cli, tmp_path: Path) -> None:
    kept = ("--tokens", str(tmp_path / "tokens.json"))
    asked = ("--right", "read", "--agent", "mama", "--json")
    made = cli.bare("token", "create", "phone", *asked, *kept).document
    (listed,) = cli.bare("token", "list", "--json", *kept).document
    assert "token" not in listed
    assert {**listed, "token": made["token"]} == made
    assert cli.bare("token", "revoke", made["id"], *kept).code == 0
    assert cli.bare("token", "list", *kept).code == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("token", "create", "a", "--right", "all"), "choose from read, write, admin"),
        (("token", "revoke", "0123"), "reverie token list"),
        (("serve", "--also", "main=b.bank"), "a name of its own"),
        (("serve", "--host", "0.0.0.0"), "--allow-host"),  # refused
    ],
)
def test_a_slip_is_told(cli: Cli, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    said = cli.bare(*words, "--tokens", str(tmp_path / "tokens.json"))
    assert said.code != 0
    assert told in said.err
    assert not (tmp_path / "tokens.json").exists()


@pytest.mark.parametrize(
    ("host", "names", "called"),
    [
        ("127.0.0.1", (), "127.0.0.1:{}"),
        ("127.0.0.2", (), "127.0.0.2:{}"),
        ("0.0.0.0", ("Memory.Example",), "127.0.0.1:{}"),
        ("0.0.0.0", ("Memory.Example",), "memory.example"),
    ],
)
def test_a_server_is_called_as_it_says(host: str, names: tuple[str, ...], called: str) -> None:
    place = opened(host, 0, names=names)
    with place.socket:
        assert urlsplit(place.url).netloc in place.origins
        assert called.format(place.port) in place.origins
        assert place.origins == [one.lower() for one in place.origins]


def test_an_answer_in_two_parts_waits_for_nobody() -> None:
    place = opened("127.0.0.1", 0)
    with place.socket, socket.create_connection(("127.0.0.1", place.port)), place.socket.accept()[0] as made:
        assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
