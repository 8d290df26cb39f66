"""Over HTTP: who is let in, what they get, and clients that never end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Literal

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from reverie.doors.serving.listening import is_loopback, opened
from reverie.doors.serving.patience import Patience
from reverie.errors import InvalidInput
from tests.doors.mcp_site import ACCEPT, ASK, BEARER, TOKEN, Site, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("http")) as site:
        yield site


@pytest.mark.parametrize("mode", ["legacy", "auto"], ids=["with a handshake", "without one"])
def test_the_sdks_own_client_is_served(site: Site, mode: Literal["legacy", "auto"]) -> None:
    async def asked() -> tuple[CallToolResult, list[CallToolResult]]:
        async with (
            httpx2.AsyncClient(headers=BEARER) as http,
            Client(streamable_http_client(site.place.url, http_client=http), mode=mode) as client,
        ):
            await client.list_tools()
            learned = await client.call_tool("memory_learn", {"content": f"Anna plays the harp {mode}"})
            asking = [client.call_tool("memory_recall", {"query": "Anna harp"}) for _ in range(10)]
            return learned, await asyncio.gather(*asking)

    learned, found = asyncio.run(asked())
    assert not learned.is_error
    assert all("plays the harp" in json.dumps(one.structured_content) for one in found)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"bearer {TOKEN.upper()}"},
        {"X-Authorization": f"Bearer {TOKEN}"},
    ],
    ids=str,
)
def test_without_the_token_nothing_is_served(site: Site, headers: dict[str, str]) -> None:
    answer = site.post(headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "memory_learn" not in answer.text
    assert TOKEN not in answer.text


def test_two_tokens_are_none(site: Site) -> None:
    headers = [*ACCEPT.items(), *BEARER.items(), ("Authorization", "Bearer guess")]
    assert httpx2.post(site.place.url, json=ASK, headers=headers).status_code == 401


def test_the_token_lets_in(site: Site) -> None:
    assert "memory_learn" in site.post(BEARER).text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1:1"])
def test_a_name_that_was_turned_to_this_machine_is_refused(site: Site, host: str) -> None:
    assert site.post({**BEARER, "Host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://evil.example", "null", "http://127.0.0.1:1"]
)
def test_a_page_from_elsewhere_is_refused(site: Site, origin: str) -> None:
    assert site.post({**BEARER, "Origin": origin}).status_code == 403


def test_this_machine_may_be_called_by_each_of_its_names(site: Site) -> None:
    port = site.place.socket.getsockname()[1]
    answers = [
        site.post({**BEARER, "Host": f"{name}:{port}"}) for name in ("localhost", "127.0.0.1", "[::1]")
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200]


@pytest.mark.parametrize("port", [False, True], ids=["behind a proxy", "with its port"])
def test_a_name_that_was_allowed_is_served(site: Site, port: bool) -> None:
    name = f"memory.example:{site.place.socket.getsockname()[1]}" if port else "memory.example"
    assert site.post({**BEARER, "Host": name, "Origin": f"https://{name}"}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_there_are_no_sessions_to_hang_on_to(site: Site, method: str) -> None:
    answer = httpx2.request(method, site.place.url, headers={**ACCEPT, **BEARER})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/", "/docs", "/mcp/../etc"])
def test_there_is_nothing_else_here(site: Site, path: str) -> None:
    url = site.place.url.removesuffix("/mcp") + path
    assert httpx2.post(url, json=ASK, headers={**ACCEPT, **BEARER}).status_code == 404


def test_a_body_that_is_no_message_is_refused_alone(site: Site) -> None:
    bad = httpx2.post(
        site.place.url, content=b"{", headers={**ACCEPT, **BEARER, "Content-Type": "application/json"}
    )
    assert 400 <= bad.status_code < 500
    assert site.post(BEARER).status_code == 200


def test_a_body_beyond_measure_is_refused(site: Site) -> None:
    body = {**ASK, "params": {"x": "x" * (4 * 1024 * 1024)}}
    assert site.post(BEARER, body).status_code == 413


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost", "::1"])
def test_loopback_is_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "memory.example", "localhost.example", ""])
def test_what_others_can_reach_is_refused_unless_asked_for(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(InvalidInput, match="--allow-host NAME"):
        opened(host, 0, own_token=True)
    with pytest.raises(InvalidInput, match="needs a token of your own"):
        opened(host, 0, names=["memory.example"], own_token=False)


def test_what_others_can_reach_is_opened_with_a_token() -> None:
    place = opened("0.0.0.0", 0, names=["memory.example"], own_token=True)
    place.socket.close()
    assert place.names == ("memory.example",)


def test_the_address_of_ipv6_stands_in_brackets() -> None:
    try:
        place = opened("::1", 0, own_token=False)
    except InvalidInput:
        pytest.skip("this machine has no IPv6 loopback")
    with place.socket:
        assert place.url.startswith("http://[::1]:")


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(InvalidInput, match="choose another"):
        opened("127.0.0.1", taken.getsockname()[1], own_token=False)


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    with pytest.raises(InvalidInput, match="--port"):
        opened("127.0.0.1", port, own_token=False)


_DEADLINE_SECONDS = 60
_NEVER = 3_600
_BODY = json.dumps(ASK).encode()


def _head(site: Site, *, length: int, token: bool = True) -> bytes:
    headers = {**ACCEPT, **(BEARER if token else {}), "Host": f"localhost:{site.place.port}"}
    headers |= {"Content-Type": "application/json", "Content-Length": str(length)}
    return b"POST /mcp HTTP/1.1\r\n%s\r\n" % "".join(f"{a}: {b}\r\n" for a, b in headers.items()).encode()


def _whole(site: Site) -> bytes:
    return _head(site, length=len(_BODY)) + _BODY


def _beginnings(site: Site) -> list[bytes]:
    """Nothing; half a head; half a body, with the token and without; a whole request and half a second one."""
    half = b"POST /mcp HTTP/1.1\r\nX-Long: "
    bodies = (_head(site, length=1_000_000, token=token) for token in (True, False))
    return [b"", half, *bodies, _whole(site) + half]


@contextmanager
def _connected(site: Site, beginnings: Iterable[bytes]) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        made = []
        for said in beginnings:
            client = stack.enter_context(socket.create_connection(("127.0.0.1", site.place.port)))
            client.sendall(said)
            client.setblocking(False)
            made.append(client)
        yield made


def _is_cut_off(client: socket.socket, more: bytes) -> bool:
    """Says a little more, and reads what there is."""
    try:
        client.send(more)
        while client.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _cut_off(site: Site, clients: list[socket.socket], *, more: bytes = b"", leave: int = 0) -> None:
    """Waits until all but so many are cut off, while another client is served."""
    until = monotonic() + _DEADLINE_SECONDS
    left = list(clients)
    while len(left) > leave:
        assert monotonic() < until, f"{len(left)} of {len(clients)} hold on"
        left = [client for client in left if not _is_cut_off(client, more)]
        assert site.post(BEARER).status_code == 200


@pytest.mark.parametrize("more", [b"", b"x"], ids=["silent", "a byte at a time"])
def test_a_request_that_never_ends_is_cut_off(tmp_path: Path, more: bytes) -> None:
    with ExitStack() as stack:
        site = stack.enter_context(served(tmp_path, patience=Patience(seconds=1)))
        clients = stack.enter_context(_connected(site, _beginnings(site) * 20))
        _cut_off(site, clients, more=more)


def test_those_who_wait_longest_make_room(tmp_path: Path) -> None:
    patience = Patience(seconds=_NEVER, most=10)
    with served(tmp_path, patience=patience) as site, _connected(site, [b"POST"] * 100) as clients:
        _cut_off(site, clients, leave=10)


def test_an_answer_that_nobody_takes_is_given_up(tmp_path: Path) -> None:
    with served(tmp_path, patience=Patience(seconds=1)) as site, _connected(site, [b""]) as clients:
        until, request = monotonic() + _DEADLINE_SECONDS, b""
        with suppress(ConnectionError):
            while monotonic() < until:
                request = request or _whole(site)
                with suppress(BlockingIOError):
                    request = request[clients[0].send(request) :]
        assert monotonic() < until
