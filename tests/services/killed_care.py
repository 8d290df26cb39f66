"""A self-care that stops at a point, to be killed there: ``python -m tests.services.killed_care PLACE POINT``.

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

from reverie import SelfCareSettings
from tests.services.bench import Clock, opened
from tests.services.cared import Narrator, narrated, observed, talked

POINTS = {
    "in the mind, before the first batch": (0, "mind"),
    "in the first batch": (1, "cover"),
    "between two batches": (1, "mind"),
    "in the second batch": (2, "cover"),
    "in the closing of a talk": (1, "close"),
    "at the end": (1, "log"),
}
"""By name, behind how many of what it stops."""
SETTINGS = SelfCareSettings(min_observations=5, batch=10, target=1)
OBSERVED, SAID = 40, 8
_ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def stopped(place: str, point: str) -> Iterator[subprocess.Popen[str]]:
    """The process, which stands at that point; it is killed in the end, if it wasn't."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.services.killed_care", place, point], cwd=_ROOT, text=True,
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


def _stop_behind(of: type, verb: str, count: int, matches: Any = lambda *_: True) -> None:
    """From now on the verb waits once it has been called so often."""
    write, calls = getattr(of, verb), [0]

    def waiting(self: Any, *given: Any, **fields: Any) -> Any:
        done = write(self, *given, **fields)
        calls[0] += bool(matches(*given))
        if calls[0] == count:
            calls[0] += 1
            print("inside", flush=True)
            sys.stdin.read()
        return done

    setattr(of, verb, waiting)


def cares(place: str, point: str) -> None:
    """Cares for an agent, and stops."""
    from reverie.domain.audit import Action
    from reverie.store.audit import AuditRows
    from reverie.store.summaries import SummaryRows

    clock = Clock()
    with opened(place, clock=clock) as reverie:
        mama, _ = narrated(reverie, self_care=SETTINGS)
        observed(mama, clock, OBSERVED)
        talked(mama, SAID)
        clock.wait(hours=2)
        count, what = POINTS[point]
        match what:
            case "mind":
                _stop_behind(Narrator, "narrate", count + 1)
            case "cover":
                _stop_behind(SummaryRows, "cover", count)
            case "close":
                _stop_behind(SummaryRows, "add", count)
            case _:
                _stop_behind(
                    AuditRows, "add", 1, lambda log: any(one.action is Action.SELF_CARE for one in log)
                )
        mama.self_care()


if __name__ == "__main__":
    cares(*sys.argv[1:])
