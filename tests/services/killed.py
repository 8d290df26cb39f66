"""Verbs that stop in their middle, in a process that is killed there (``tests.crash.worker.Worker.stop_inside``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie import CaptureSettings, RememberSettings, SelfCareSettings, Settings
from reverie.domain.audit import Action
from reverie.domain.change import Proposal
from reverie.ports.night import Night
from reverie.services.exchange.importing import import_bank
from reverie.services.sleep.sleep import sleep
from reverie.store.audit import AuditRows
from reverie.store.memories import MemoryRows
from reverie.store.summaries import SummaryRows
from tests.crash.fleet import Child, Fleet
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
_UNFELT = Settings(remember=RememberSettings(emotions=False))
"""Each process would load the model that judges emotions."""
OBSERVED, SAID = 40, 8
Wait = Callable[[], None]
"""Says that the process is inside the verb, and never returns."""


@contextmanager
def stopped(fleet: Fleet, verb: str, *given: str) -> Iterator[Child]:
    """The process, which stands inside the verb; it is killed in the end, if it wasn't."""
    [child] = fleet.start()
    try:
        assert child.ask("stop_inside", verb, *given) == {"inside": True}
        yield child
    finally:
        child.close()


def sleeps(wait: Wait, place: str) -> None:
    """Stops while its mind thinks."""

    def dream(_: Night) -> Proposal:
        wait()
        return Proposal()

    with opened(place, settings=replace(_UNFELT, capture=CaptureSettings(enabled=False))) as reverie:
        thinking, agent = minded(reverie, Dreamer(dream=dream))
        agent.observe([f"Anna lives in house {number}" for number in range(12)], conversation="chat")
        sleep(thinking._desk, AGENT, actor="child")


def imports(wait: Wait, place: str, file: str, point: str) -> None:
    """Stop in the import's transaction."""
    _stop_behind(wait, *POINTS[point], 1)
    with opened(place, settings=_UNFELT) as reverie, Path(file).open("rb") as lines:
        import_bank(reverie.agent(AGENT)._desk, AGENT, lines, actor="child")


def cares(wait: Wait, place: str, point: str) -> None:
    """Stop in a self-care."""
    clock = Clock()
    with opened(place, clock=clock, settings=_UNFELT) as reverie:
        mama, _ = narrated(reverie, self_care=CARE_SETTINGS)
        observed(mama, clock, OBSERVED)
        talked(mama, SAID)
        clock.wait(hours=2)
        _stop_behind(wait, *CARE_POINTS[point])
        mama.self_care()


def _stop_behind(
    wait: Wait, of: type, verb: str, count: int, matches: Callable[..., bool] = lambda *_: True
) -> None:
    """Wait behind the verb, once it has been called so often."""
    write, calls = getattr(of, verb), [0]

    def waiting(self: Any, *given: Any, **fields: Any) -> Any:
        done = write(self, *given, **fields)
        calls[0] += matches(*given)
        if calls[0] == count:
            calls[0] += 1
            wait()
        return done

    setattr(of, verb, waiting)


VERBS: Mapping[str, Callable[..., None]] = {"sleeps": sleeps, "imports": imports, "cares": cares}
