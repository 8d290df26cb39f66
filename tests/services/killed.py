"""A process that stops in the middle of a verb, to be killed there: ``python -m tests.services.killed VERB PLACE …``.

It prints ``inside`` when it is there, and goes on when its input is closed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reverie import CaptureSettings, SelfCareSettings, Settings
from reverie.domain.audit import Action
from reverie.domain.change import Proposal
from reverie.ports.night import Night
from reverie.services.exchange.importing import import_bank
from reverie.services.sleep.sleep import sleep
from reverie.store.audit import AuditRows
from reverie.store.memories import MemoryRows
from reverie.store.summaries import SummaryRows
from tests.services.beds import Dreamer
from tests.services.bench import Clock, opened
from tests.services.cared import Narrator, narrated, observed, talked
from tests.services.scripted import minded

AGENT = "mama"
POINTS: dict[str, tuple[type, str]] = {"memories": (MemoryRows, "add"), "the log": (AuditRows, "add")}
"""Where an import may stop: behind the first rows of these, all in its one transaction."""
CARE_POINTS: dict[str, tuple[Any, ...]] = {
    "in the mind, before the first batch": (Narrator, "narrate", 1),
    "in the first batch": (SummaryRows, "cover", 1),
    "between two batches": (Narrator, "narrate", 2),
    "in the second batch": (SummaryRows, "cover", 2),
    "in the closing of a talk": (SummaryRows, "add", 1),
    "at the end": (AuditRows, "add", 1, lambda log: any(one.action is Action.SELF_CARE for one in log)),
}
"""Where a self-care may stop, behind the n-th call of these."""
CARE_SETTINGS = SelfCareSettings(min_observations=5, batch=10, target=1)
OBSERVED, SAID = 40, 8
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
    """Stop in the import's transaction."""
    _stop_behind(*POINTS[point], 1)
    with opened(place) as reverie, Path(file).open("rb") as lines:
        import_bank(reverie.agent(AGENT)._desk, AGENT, lines, actor="child")


def cares(place: str, point: str) -> None:
    """Stop in a self-care."""
    clock = Clock()
    with opened(place, clock=clock) as reverie:
        mama, _ = narrated(reverie, self_care=CARE_SETTINGS)
        observed(mama, clock, OBSERVED)
        talked(mama, SAID)
        clock.wait(hours=2)
        _stop_behind(*CARE_POINTS[point])
        mama.self_care()


def _stop_behind(of: type, verb: str, count: int, matches: Callable[..., bool] = lambda *_: True) -> None:
    """Wait behind the verb, once it has been called so often."""
    write, calls = getattr(of, verb), [0]

    def waiting(self: Any, *given: Any, **fields: Any) -> Any:
        done = write(self, *given, **fields)
        calls[0] += matches(*given)
        if calls[0] == count:
            calls[0] += 1
            _wait()
        return done

    setattr(of, verb, waiting)


if __name__ == "__main__":
    verb, *given = sys.argv[1:]
    verbs: dict[str, Callable[..., None]] = {"sleeps": sleeps, "imports": imports, "cares": cares}
    verbs[verb](*given)
