"""A process that stops in the middle of a verb, to be killed there: ``python -m tests.services.killed VERB PLACE …``.

It prints ``inside`` when it is there, and goes on when its input is closed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reverie import CaptureSettings, Settings
from reverie.domain.change import Proposal
from reverie.ports.night import Night
from reverie.services.exchange.importing import import_bank
from reverie.services.sleep.sleep import sleep
from reverie.store.audit import AuditRows
from reverie.store.memories import MemoryRows
from tests.services.beds import Dreamer
from tests.services.bench import opened
from tests.services.scripted import minded

AGENT = "mama"
POINTS: dict[str, tuple[type, str]] = {"memories": (MemoryRows, "add"), "the log": (AuditRows, "add")}
"""Where an import may stop: behind the first rows of these, all in its one transaction."""
_ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def stopped(*words: str) -> Iterator[subprocess.Popen[str]]:
    """The process, which stands inside the verb; it is killed in the end, if it wasn't."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.services.killed", *words], cwd=_ROOT, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *sys.path])},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "inside\n"
            yield child
        finally:
            child.kill()


def _wait(*_: object) -> None:
    print("inside", flush=True)
    sys.stdin.read()


def sleeps(place: str) -> None:
    """Stops while its mind thinks."""

    def dream(_: Night) -> Proposal:
        _wait()
        return Proposal()

    with opened(place, settings=Settings(capture=CaptureSettings(enabled=False))) as reverie:
        thinking, agent = minded(reverie, Dreamer(dream=dream))
        agent.observe([f"Anna lives in house {number}" for number in range(12)], conversation="chat")
        sleep(thinking._desk, AGENT, actor="child")


def imports(place: str, file: str, point: str) -> None:
    """Stops in its transaction."""
    of, verb = POINTS[point]
    write = getattr(of, verb)

    def waiting(*given: Any, **fields: Any) -> Any:
        done = write(*given, **fields)
        _wait()
        return done

    setattr(of, verb, waiting)
    with opened(place) as reverie, Path(file).open("rb") as lines:
        import_bank(reverie.agent(AGENT)._desk, AGENT, lines, actor="child")


if __name__ == "__main__":
    verb, *given = sys.argv[1:]
    if verb == "sleeps":
        sleeps(*given)
    else:
        imports(*given)
