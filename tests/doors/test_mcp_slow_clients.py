"""Over HTTP: clients that never end what they say, or never take what they asked for."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest

from reverie.doors.mcp.patience import Patience
from tests.doors.mcp_site import ACCEPT, ASK, BEARER, Site, served

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
