"""What waits keeps its order whatever clocks say, and what the embedder refuses alone keeps nothing else waiting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import Agent, RememberSettings, Settings, StoreSettings
from reverie.errors import EmbedderFailed
from reverie.services.observe import outbox
from tests.services.bench import Clock
from tests.services.conftest import Open
from tests.services.exports import brought, lines_of
from tests.services.moody import Moody, flush, kept, raw, said, told, waiting

pytestmark = pytest.mark.slow

BAD = "zzz"


class Choosy(Moody):
    """Refuses every request that holds a text with ``BAD``, as a server's content filter does."""

    tolerant = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not self.tolerant and any(BAD in text for text in texts):
            raise EmbedderFailed(self.id, "it refuses the request")
        return super().embed(texts)


@pytest.fixture
def choosy() -> Choosy:
    return Choosy()


@pytest.fixture
def mama(open_bank: Open, choosy: Choosy) -> Agent:
    return open_bank(
        embedder=choosy,
        settings=Settings(store=StoreSettings(batch=4), remember=RememberSettings(emotions=False)),
    ).agent("mama")


def test_a_text_that_the_embedder_refuses_keeps_no_other_waiting(mama: Agent, choosy: Choosy) -> None:
    kept(mama, f"Anna {BAD}")
    kept(mama, "Anna lives in Lisbon")
    told(mama, "hello there")
    assert [one.essence for one in mama.memories()] == ["Anna lives in Lisbon"]
    assert said(mama) == ["hello there"]
    assert flush(mama) == (0, 0, 0)


def test_only_the_refused_message_is_set_aside(mama: Agent, choosy: Choosy) -> None:
    choosy.broken = True
    told(mama, "one", "two", f"three {BAD}", "four")
    told(mama, "five")
    choosy.broken = False
    assert flush(mama) == (4, 1, 0)
    assert said(mama) == ["one", "two", "four", "five"]
    assert waiting(mama) == 1


def test_what_is_set_aside_is_counted_and_stays_to_be_seen(mama: Agent, choosy: Choosy) -> None:
    kept(mama, f"Anna {BAD}")
    assert flush(mama) == (0, 1, 0)
    assert flush(mama) == (0, 0, 0)
    stats = mama.stats()
    assert (stats.queued, stats.counters[outbox.REFUSED]) == (1, 1)
    with mama._desk.store.read("mama") as unit:
        [write] = unit.outbox.list()
    assert write.failure == "it refuses the request"


def test_what_is_set_aside_is_tried_again_on_request(mama: Agent, choosy: Choosy) -> None:
    choosy.broken = True
    told(mama, f"one {BAD}", "two")
    choosy.broken = False
    assert flush(mama) == (1, 1, 0)
    assert mama.jobs.retry() == 1
    assert flush(mama) == (0, 1, 0)
    choosy.tolerant = True
    assert mama.jobs.retry() == 1
    assert flush(mama) == (1, 0, 0)
    assert said(mama) == ["two", f"one {BAD}"]
    assert waiting(mama) == 0


def test_what_is_set_aside_can_be_forgotten(mama: Agent, choosy: Choosy) -> None:
    choosy.broken = True
    told(mama, f"one {BAD}", "two")
    choosy.broken = False
    flush(mama)
    choosy.tolerant = True
    mama.forget(conversation="chat")
    assert waiting(mama) == 0


def test_an_embedder_that_answers_nothing_sets_nothing_aside(mama: Agent, choosy: Choosy) -> None:
    choosy.broken = True
    told(mama, f"one {BAD}", "two")
    kept(mama, "Anna lives in Lisbon")
    before = raw(mama)
    for _ in range(3):
        assert flush(mama) == (0, 0, 2)
    assert raw(mama) == before
    with mama._desk.store.read("mama") as unit:
        assert [one.failure for one in unit.outbox.list()] == [None, None]


def test_a_clock_going_back_keeps_the_order(
    mama: Agent, choosy: Choosy, clock: Clock, open_bank: Open
) -> None:
    choosy.broken = True
    told(mama, "first")
    clock.now -= timedelta(hours=2)
    told(mama, "second")
    behind = Clock()
    behind.now = clock.now - timedelta(hours=3)
    told(open_bank(embedder=choosy, clock=behind).agent("mama"), "third")
    choosy.broken = False
    assert flush(mama) == (3, 0, 0)
    assert said(mama) == ["first", "second", "third"]


def test_a_withdrawn_sentence_leaves_its_message_in_its_place(mama: Agent, choosy: Choosy) -> None:
    kept(mama, "The code is 4711")
    choosy.broken = True
    told(mama, "The code is 4711. It rains.")
    told(mama, "second")
    [known] = mama.memories()
    choosy.broken = False
    with mama._desk.store.write("mama") as unit:
        first = unit.outbox.list()[0]
        unit.outbox.remove([first.id])
        unit.outbox.add(first)
    mama.forget(known.id)
    flush(mama)
    assert said(mama) == ["It rains.", "second"]


def test_an_export_takes_what_waits_in_its_order(mama: Agent, choosy: Choosy, open_bank: Open) -> None:
    choosy.broken = True
    told(mama, f"one {BAD}", "two")
    choosy.broken = False
    flush(mama)
    choosy.broken = True
    told(mama, "three")
    lines = lines_of(mama)
    choosy.broken, choosy.tolerant = False, True
    papa = open_bank(embedder=choosy).agent("papa")
    brought(papa, lines)
    assert flush(papa) == (2, 0, 0)
    assert said(papa) == ["two", f"one {BAD}", "three"]
