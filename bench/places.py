"""Empty stores for a bench: in a file of its own or on a server, gone at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import servers
from bench.filling import KEY
from reverie import Reverie, Settings
from reverie.domain.time import Clock
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Mind


@contextmanager
def empty(
    url: str | None,
    *,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
    mind: Mind | None = None,
) -> Iterator[Reverie]:
    """A store with nothing in it: an encrypted file, or where ``url`` names a server a database there."""
    with ExitStack() as stack:
        if url is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-"))
            opened = Reverie.open(
                Path(folder) / "empty.bank",
                key=KEY,
                settings=settings,
                embedder=embedder,
                mind=mind,
                clock=clock,
            )
        else:
            place = stack.enter_context(servers.database(url)).url
            opened = Reverie.open(place, settings=settings, embedder=embedder, mind=mind, clock=clock)
        yield stack.enter_context(opened)
