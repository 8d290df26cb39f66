"""The worker stores what waits for an embedder."""

from __future__ import annotations

import time
from collections.abc import Callable

from reverie import RememberSettings, Reverie, Settings
from reverie.worker import Worker
from tests.services.moody import Moody, waiting


def test_a_worker_stores_what_waited(open_bank: Callable[..., Reverie]) -> None:
    moody = Moody()
    reverie = open_bank(embedder=moody, settings=Settings(remember=RememberSettings(emotions=False)))
    mama, papa = reverie.agent("mama"), reverie.agent("papa")
    moody.broken = True
    assert mama.observe("hello").queued == 1
    papa.remember("papa likes tea")
    moody.broken = False
    with Worker(reverie, every=0.01):
        until = time.monotonic() + 120
        while (waiting(mama) or waiting(papa)) and time.monotonic() < until:
            time.sleep(0.01)
    assert [one.content for one in mama.episodes()] == ["hello"]
    assert [one.essence for one in papa.memories()] == ["papa likes tea"]
    assert reverie.flush().stored == 0
