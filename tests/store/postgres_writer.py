"""A process that writes for as long as its input is open: ``python -m tests.store.postgres_writer URL``.

It prints a line once a write was acknowledged: ``said N`` for message N, ``kept N`` for memory N, ``again`` for one
more of the memory that it always repeats, ``found`` for a recall that found that.
"""

from __future__ import annotations

import sys
import threading

from reverie import StoreSettings
from reverie.domain.outcome import Reinforced
from tests.store.postgres_banks import opened

REPEATED = "mama always waters the garden behind the old house in the evening"


def main(url: str) -> None:
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    with opened(url, store=StoreSettings(busy_timeout=60.0, connections=3)) as reverie:
        mama = reverie.agent("mama")
        number = 0
        while not ended.is_set():
            number += 1
            mama.observe(
                {"content": f"message {number}", "ref": f"r{number}"} if number % 2 else f"message {number}"
            )
            print("said", number, flush=True)
            mama.remember(f"{number} is the number of the house in street {number} of town {number}")
            print("kept", number, flush=True)
            if isinstance(mama.remember(REPEATED), Reinforced):
                print("again", number, flush=True)
            if mama.recall(REPEATED, limit=1).hits:
                print("found", number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
