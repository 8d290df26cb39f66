"""Asking for another agent's memory and answering, on each engine; what is copied is in test_link_copy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, InvalidInput, Reverie
from reverie.domain.link import CORPORA, Include, LinkItem, LinkState, Side
from reverie.errors import LinkRefused
from reverie.services.aggregates import AGGREGATES
from tests.services.bench import Clock, kept
from tests.services.linked import share


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
    assert kade.link.pending() != []


def test_a_second_request_beside_the_first_is_refused(nova: Agent, kade: Agent) -> None:
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


def test_only_an_accepted_link_can_be_adopted_or_revoked(nova: Agent, kade: Agent) -> None:
    asked = nova.link.request("kade")
    for verb in (nova.adopt, nova.link.revoke, kade.link.revoke):
        with pytest.raises(LinkRefused, match="not accepted"):
            verb(asked.id)


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


SAID = "The ferry leaves at six"
KEPT = "The lighthouse keeper has the second map"


@pytest.fixture
def links(reverie: Reverie) -> list[str]:
    """Nova has Kade's and Vera's banks, who heard the same, and both have Iris's memory."""
    nova, kade, vera, iris = (reverie.agent(name) for name in ("nova", "kade", "vera", "iris"))
    reverie.room("plaza", ["kade", "vera"]).say("kade", SAID)
    iris.remember(KEPT)
    for giver in (kade, vera):
        share(giver, iris)
    return [share(nova, giver) for giver in (kade, vera)]


def _heard_and_known(agent: Agent) -> tuple[list[str], list[str]]:
    return [one.content for one in agent.episodes()], [one.essence for one in agent.memories(deep=True)]


def test_what_two_agents_know_comes_once(reverie: Reverie, links: list[str]) -> None:
    assert _heard_and_known(reverie.agent("nova")) == ([SAID], [KEPT])


@pytest.mark.parametrize("first", [0, 1])
def test_it_stays_until_both_links_are_taken_back(reverie: Reverie, links: list[str], first: int) -> None:
    nova = reverie.agent("nova")
    nova.link.revoke(links[first])
    assert _heard_and_known(nova) == ([SAID], [KEPT])
    nova.link.revoke(links[1 - first])
    assert _heard_and_known(nova) == ([], [])


def test_what_comes_back_stays_while_that_link_stands(reverie: Reverie) -> None:
    nova, kade, iris = (reverie.agent(name) for name in ("nova", "kade", "iris"))
    iris.remember(KEPT)
    first = share(nova, iris)
    share(kade, nova)
    back = share(nova, kade)
    nova.link.revoke(first)
    assert _heard_and_known(nova) == ([], [KEPT])
    nova.link.revoke(back)
    assert _heard_and_known(nova) == ([], [])


def test_what_a_link_includes_has_a_corpus() -> None:
    shared = {one.include for one in AGGREGATES if one.include is not None}
    assert shared == set(Include)
    assert shared < {corpus for corpora in CORPORA.values() for corpus in corpora}


def test_a_link_item_names_the_table_of_its_copy() -> None:
    tables = {one: LinkItem(link_id="l", corpus=one, source_id="s", id="i").table for one in (*Include,)}
    assert tables == {"soul": "memories", "relationships": "memories", "diary": "episodes"}
