"""Asking for another agent's memory and answering, on each engine; what is copied is in test_link_copy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, InvalidInput, NotFound, Reverie
from reverie.domain.link import LinkState, Side
from reverie.errors import LinkRefused
from tests.services.bench import Clock, kept


@pytest.fixture
def kade(reverie: Reverie) -> Agent:
    kade = reverie.agent("kade")
    kept(kade, "The lighthouse keeper has the second map")
    return kade


def test_shared_memories_answer_and_are_labelled_as_learned(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade", message="for the crossing")
    (pending,) = kade.link.pending()
    assert (pending.id, pending.other, pending.message) == (asked.id, "nova", "for the crossing")
    shared = kade.link.accept(asked.id)
    assert (shared.state, shared.counts) == (LinkState.ACCEPTED, {"memories": 1})
    (hit,) = nova.recall("who has the second map?").hits
    found = hit.memory
    assert (found.learned_from, found.origin, found.source_trust) == ("kade", "link", "external")
    assert [one.learned_from for one in kade.memories()] == [None]


def test_both_sides_hold_the_same_line(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    for step in (lambda: None, lambda: kade.link.accept(asked.id), lambda: nova.link.revoke(asked.id)):
        step()
        (ours,), (theirs,) = nova.link.list(), kade.link.list()
        assert (ours.side, ours.other) == (Side.ASKED, "kade")
        assert (theirs.side, theirs.other) == (Side.RECEIVED, "nova")
        assert replace(ours, side=theirs.side, other=theirs.other) == theirs


@pytest.mark.parametrize(("seconds", "accepted"), [(119.999999, True), (120, False), (86_400, False)])
def test_a_request_is_open_for_two_minutes(
    nova: Agent, kade: Agent, clock: Clock, seconds: float, accepted: bool
) -> None:
    asked = nova.link.request("kade")
    clock.wait(seconds=seconds)
    if accepted:
        assert kade.link.accept(asked.id).decided_at == clock.now
        return
    assert kade.link.pending() == []
    assert [one.state for agent in (nova, kade) for one in agent.link.list()] == [LinkState.EXPIRED] * 2
    for answer in (kade.link.accept, kade.link.decline):
        with pytest.raises(LinkRefused, match="its time was over"):
            answer(asked.id)
    assert nova.memories() == []


def test_a_request_is_answered_once(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    assert kade.link.decline(asked.id).state is LinkState.DECLINED
    for answer in (kade.link.accept, kade.link.decline):
        with pytest.raises(LinkRefused, match="answered already: declined"):
            answer(asked.id)
    again = nova.link.request("kade")
    kade.link.accept(again.id)
    with pytest.raises(LinkRefused, match="answered already: accepted"):
        kade.link.accept(again.id)
    assert len(nova.memories()) == 1


def test_only_the_one_who_was_asked_answers(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    for answer in (nova.link.accept, nova.link.decline):
        with pytest.raises(LinkRefused, match="it is kade's to"):
            answer(asked.id)
    with pytest.raises(NotFound):
        nova.link.accept("nothing")
    assert kade.link.pending() != []


def test_a_refused_request_says_why_and_leaves_nothing(nova: Agent, kade: Agent, reverie: Reverie) -> None:
    with pytest.raises(InvalidInput, match="itself"):
        nova.link.request("nova")
    with pytest.raises(NotFound, match="nobody"):
        nova.link.request("nobody")
    with pytest.raises(InvalidInput, match="message"):
        nova.link.request("kade", message="x" * 3000)
    assert [*reverie.agents()] == ["kade"]
    nova.link.request("kade")
    with pytest.raises(LinkRefused, match="asked already"):
        nova.link.request("kade")
    assert len(kade.link.list()) == 1


def test_a_second_request_is_taken_once_the_first_has_expired(nova: Agent, kade: Agent, clock: Clock) -> None:
    first = nova.link.request("kade")
    clock.wait(minutes=2)
    second = nova.link.request("kade")
    assert [one.id for one in kade.link.pending()] == [second.id]
    assert [one.id for one in nova.link.list(limit=1)] == [second.id]
    assert [one.id for one in nova.link.list(before=second.id)] == [first.id]


def test_who_is_blocked_cant_ask_and_what_is_pending_is_declined(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    kade.link.block("nova")
    kade.link.block("nova")
    assert kade.link.blocked() == ["nova"]
    assert [one.state for one in nova.link.list()] == [LinkState.DECLINED]
    with pytest.raises(LinkRefused, match="takes no requests"):
        nova.link.request("kade")
    assert kade.link.unblock("nova")
    assert not kade.link.unblock("nova")
    assert nova.link.request("kade").id != asked.id
    with pytest.raises(InvalidInput, match="itself"):
        kade.link.block("kade")


def test_only_an_accepted_link_can_be_adopted_or_revoked(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    for verb in (nova.adopt, nova.link.revoke, kade.link.revoke):
        with pytest.raises(LinkRefused, match="not accepted"):
            verb(asked.id)
        with pytest.raises(NotFound):
            verb("nothing")


def test_a_paused_agent_can_answer(nova: Agent, kade: Agent) -> None:
    kade.jobs.pause()
    nova.jobs.pause()
    asked = nova.link.request("kade")
    assert kade.link.accept(asked.id).counts == {"memories": 1}


def test_both_logs_note_each_step_without_contents(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade", message="a secret wish")
    kade.link.accept(asked.id)
    kade.link.revoke(asked.id)
    for agent, other in ((nova, "kade"), (kade, "nova")):
        log = agent.audit(target=asked.id)
        assert [(one.action, (one.after or {})["with"], (one.after or {})["state"]) for one in log] == [
            ("link", other, state) for state in ("pending", "accepted", "revoked")
        ]
        assert not any("wish" in str(one) or "lighthouse" in str(one) for one in log)


def test_wrong_terms_are_named(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    for field, wrong in (("include", "dreams"), ("kinds", "dreams"), ("tags", " x")):
        with pytest.raises(InvalidInput, match=field):
            kade.link.accept(asked.id, **{field: [wrong]})  # type: ignore[arg-type]
    assert [one.id for one in kade.link.pending()] == [asked.id]


def test_prompts_label_what_came_by_a_link(nova: Agent, kade: Agent) -> None:
    kade.link.accept(nova.link.request("kade").id)
    asked = "Where is the second map of the lighthouse keeper?"
    label = "[external, learned from kade] The lighthouse keeper has the second map"
    assert label in nova.context(asked).text
    assert label in str(nova.window([{"role": "user", "content": asked}], max_tokens=8_000))
    nova.adopt(nova.link.list()[0].id)
    assert "learned from" not in nova.context(asked).text
