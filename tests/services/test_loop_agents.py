"""loop: an agent that can't be attended to keeps no other waiting."""

from __future__ import annotations

from typing import Any

import pytest

from reverie import Reverie
from reverie.domain.attended import Attended
from reverie.errors import StoreError, Unreachable
from reverie.services.loop import loop
from reverie.services.runtime.desk import Desk
from tests.services.scripted import Scripted, minded

TEA = "Anna likes green tea in the morning"
BEES = "Péter keeps seven bees in the garden"


def test_an_agent_that_fails_keeps_no_other_waiting(
    reverie: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(BEES)
    thinking.agent("aunt").observe(TEA)
    really = loop.attend

    def fail(desk: Desk, agent_id: str, **more: Any) -> Attended:
        if agent_id == "aunt":
            raise StoreError(TEA)
        return really(desk, agent_id, **more)

    monkeypatch.setattr(loop, "attend", fail)
    done = thinking.attend()
    assert (done.failures, len(done.inserted)) == (1, 1)
    assert "StoreError" in caplog.text
    assert TEA not in caplog.text


@pytest.mark.parametrize(
    ("error", "asked"),
    [(StoreError("damaged"), ["aunt", "mama"]), (Unreachable("the server", "it went away"), ["aunt"])],
    ids=["each for itself", "all at once"],
)
def test_a_round_that_fails_for_all_raises_and_all_stay_dirty(
    reverie: Reverie, monkeypatch: pytest.MonkeyPatch, error: StoreError, asked: list[str]
) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(BEES)
    thinking.agent("aunt").observe(TEA)
    seen: list[str] = []

    def fail(_: Desk, agent_id: str, **more: object) -> Attended:
        seen.append(agent_id)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(loop, "attend", fail)
        with pytest.raises(type(error)):
            thinking.attend()
    assert seen == asked
    assert len(thinking.attend(everyone=False).inserted) == 2
