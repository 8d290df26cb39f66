"""Processes killed while they move a bank to another embedder, or store what waited: nothing is lost, nothing comes
twice, and the next call goes on.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reverie import Agent, EmbedderMismatch, RememberSettings, Reverie, Settings, StoreSettings
from reverie.domain.address import is_server
from reverie.embedders.hashing import HashingEmbedder
from tests.contract.store_engines import ENGINES
from tests.services.bench import KEY
from tests.services.moody import Moody

ROOT = Path(__file__).resolve().parents[2]
SMALL = Settings(store=StoreSettings(batch=4), remember=RememberSettings(emotions=False))

_MOVER = """
import sys
from reverie.embedders.hashing import HashingEmbedder
from reverie.store.fresh import FreshRows
from tests.crash.test_reembed import opened

def told(name):
    really = getattr(FreshRows, name)
    def wrapped(*args, **given):
        result = really(*args, **given)
        print(name, flush=True)
        sys.stdin.readline()
        return result
    setattr(FreshRows, name, wrapped)

for name in ("put", "_replace", "clear"):
    told(name)
reverie = opened(sys.argv[1], HashingEmbedder.for_tests(48))
print("moved" if reverie.agent("mama").reembed().switched else "not moved", flush=True)
"""

_FLUSHER = """
import sys
from reverie.services import observe, outbox
from tests.crash.test_reembed import opened
from tests.services.moody import Moody

def told(module, name):
    really = getattr(module, name)
    def wrapped(*args, **given):
        result = really(*args, **given)
        print(name, flush=True)
        sys.stdin.readline()
        return result
    setattr(module, name, wrapped)

told(outbox, "_take")
told(observe, "_append")
told(outbox, "_together")
reverie = opened(sys.argv[1], Moody())
print("flushed", reverie.agent("mama").flush().left, flush=True)
"""


def opened(place: str, embedder: HashingEmbedder | Moody) -> Reverie:
    """The bank, by the embedder."""
    key = None if is_server(place) else KEY
    return Reverie.open(place, key=key, embedder=embedder, settings=SMALL)


def killed_at(script: str, place: str, step: int) -> str:
    """Runs the script until it has taken so many steps, and kills it there; the last thing that it said."""
    child = subprocess.Popen(
        [sys.executable, "-c", script, place], cwd=ROOT, text=True, env=None,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    said = ""
    with child:
        for _ in range(step):
            said = child.stdout.readline().strip()
            if said.startswith(("moved", "flushed")):
                child.wait(30)
                return said
            child.stdin.write("\n")
            child.stdin.flush()
        said = child.stdout.readline().strip()
        child.send_signal(signal.SIGKILL)
    return said


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest) -> str:
    return ENGINES[request.param].place(request)


def everything(agent: Agent) -> tuple[object, ...]:
    return agent.memories(deep=True, limit=100), agent.episodes(limit=100), agent.audit(limit=100)


def test_killing_who_moves_a_bank_leaves_the_old_one_or_the_new_one(place: str) -> None:
    with opened(place, HashingEmbedder.for_tests()) as reverie:
        mama = reverie.agent("mama")
        mama.observe([f"message {number}" for number in range(6)])
        for number in range(6):
            mama.remember(f"fact {number} is about {'abcdef'[number] * 5}")
        mama.revise(mama.memories()[0].id, essence="another fact entirely")
        before = everything(mama)
    ended = []
    for step in range(0, 40, 2):
        ended.append(killed_at(_MOVER, place, step))
        with opened(place, HashingEmbedder.for_tests()) as reverie:
            mama = reverie.agent("mama")
            try:
                assert mama.recall_episodes("message 3", min_score=0).hits[0].text == "message 3"
            except EmbedderMismatch:
                break
            assert everything(mama) == before
            assert list(reverie.check()) == []
    assert "_replace" in ended, "none was killed within the switch"
    with opened(place, HashingEmbedder.for_tests(48)) as reverie:
        mama = reverie.agent("mama")
        assert everything(mama) == before
        assert mama.recall_episodes("message 3", min_score=0).hits[0].text == "message 3"
        assert list(reverie.check()) == []


def test_killing_who_stores_what_waited_stores_all_of_it_once(place: str) -> None:
    moody = Moody()
    with opened(place, moody) as reverie:
        mama = reverie.agent("mama")
        moody.broken = True
        for number in range(4):
            mama.observe([f"message {number} {part}" for part in "abc"])
            mama.remember(f"fact {number} is about {'abcdef'[number] * 5}")
    for step in range(40):
        if killed_at(_FLUSHER, place, step) == "flushed 0":
            break
    with opened(place, Moody()) as reverie:
        mama = reverie.agent("mama")
        said = sorted(mama.episodes(limit=100), key=lambda one: one.position)
        assert [one.content for one in said] == [
            f"message {number} {part}" for number in range(4) for part in "abc"
        ]
        assert sorted(one.essence[:6] for one in mama.memories()) == [f"fact {number}" for number in range(4)]
        assert mama.stats().queued == 0
        assert list(reverie.check()) == []
