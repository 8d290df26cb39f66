"""A network that fails when a test says so: between us and a PostgreSQL server, cutting connections at a statement."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

Side = Literal["before", "after"]
_COMMITTED = b"COMMIT\0"  # as the server tells that it has


class Proxy:
    """Passes on what it gets. ``cut`` breaks the next connection that sends some words: ``before`` the server has
    them, or ``after`` the server has committed what came with them, but before the news reaches the client.
    """

    def __init__(self, url: str) -> None:
        self._to = conninfo_to_dict(url)
        self._lock = threading.Lock()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._threads: list[threading.Thread] = []
        self._armed: tuple[bytes, Side] | None = None
        self.cuts = 0
        self.cut_then_away = False
        self._port = 0
        self._listener: socket.socket | None = None
        self.come_back()

    @property
    def url(self) -> str:
        """The same database by way of the proxy."""
        user, name = (quote(str(self._to.get(key) or ""), safe="") for key in ("user", "dbname"))
        password = f":{quote(str(self._to['password']), safe='')}" if self._to.get("password") else ""
        return (
            f"postgresql://{user}{password}@127.0.0.1:{self._port}/{name}?sslmode=disable&gssencmode=disable"
        )

    def cut(self, words: bytes, side: Side) -> None:
        """Arms it, for one connection."""
        with self._lock:
            self._armed = words, side

    def go_away(self) -> None:
        """Breaks every connection and takes no new one."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._accepting.join()  # while it waits, the port isn't free
            listener.close()
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            _close(*pair)

    def come_back(self) -> None:
        """Takes connections, on the same port as before."""
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        listener.listen(50)
        self._port = listener.getsockname()[1]
        self._listener = listener
        self._accepting = self._start(self._accept, listener)

    def close(self) -> None:
        """Ends all threads."""
        self.go_away()
        for thread in self._threads:
            thread.join(5)

    def _accept(self, listener: socket.socket) -> None:
        listener.settimeout(0.05)
        while listener is self._listener:
            try:
                client, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            client.settimeout(None)
            try:
                server = self._upstream()
            except OSError:
                client.close()
                continue
            with self._lock:
                self._pairs.append((client, server))
            self._start(self._pass_on, client, server)

    def _upstream(self) -> socket.socket:
        host, port = str(self._to.get("host") or "localhost"), int(self._to.get("port") or 5432)
        if host.startswith("/"):
            made = socket.socket(socket.AF_UNIX)
            made.connect(f"{host}/.s.PGSQL.{port}")
            return made
        return socket.create_connection((host, port))

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        told: bytes | None = None  # what the server has said since the cut, which nobody hears
        with suppress(OSError, ValueError):  # the other end, or go_away, closed one of them
            while told is None or _COMMITTED not in told:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    side = self._cut(data) if source is client else None
                    if not data or side == "before":
                        raise ConnectionResetError
                    if side == "after":
                        told = b""
                    if source is client:
                        server.sendall(data)
                    elif told is None:
                        client.sendall(data)
                    else:
                        told += data
            if self.cut_then_away:
                self.cut_then_away = False
                self.go_away()
        _close(client, server)

    def _cut(self, data: bytes) -> Side | None:
        """Where the connection ends, if it does."""
        with self._lock:
            if self._armed is None or self._armed[0] not in data:
                return None
            side, self._armed = self._armed[1], None
            self.cuts += 1
        return side

    def _start(self, work: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread


def _close(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for it
        end.close()


@contextmanager
def proxy_to(url: str) -> Iterator[Proxy]:
    """A proxy before the server of that URL."""
    proxy = Proxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
