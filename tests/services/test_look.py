"""get, show, lists, stats, profile, audit, and life after close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from itertools import product

import pytest

from reverie import Action, Agent, Closed, InvalidInput, NotFound, Reverie
from tests.services.bench import NOON, Clock, kept, state_of
from tests.services.conftest import Open

pytestmark = pytest.mark.slow

HOSTILE = ["mama", "Mama", "mama'; DROP TABLE memories; --", "%", "_", "*", "../mama", "ma ma", "🦊", "main"]


def test_pages_of_memories_together_are_the_list(mama: Agent) -> None:
    made = [kept(mama, f"Guest {n} drinks tea", kind="fact" if n % 2 else "goal").id for n in range(7)]
    for size, newest_first in product((1, 2, 3, 7, 100), (False, True)):
        read: list[str] = []
        while page := mama.memories(limit=size, after=read[-1] if read else None, newest_first=newest_first):
            assert len(page) <= size
            read += [memory.id for memory in page]
        assert read == (made[::-1] if newest_first else made)
    assert [m.id for m in mama.memories(kinds="goal")] == made[::2]
    assert [m.id for m in mama.memories(match="guest 3")] == [made[3]]
    assert mama.memories(match="guest elephant") == []


def test_pages_of_episodes_make_the_list_both_ways(mama: Agent, clock: Clock) -> None:
    made: list[str] = []
    for n in range(5):
        made += mama.observe([f"message {n}", f"reply {n}"], conversation=f"c{n % 2}").episode_ids
        clock.wait(minutes=n % 2)
    for newest_first in (False, True):
        read: list[str] = []
        while page := mama.episodes(limit=3, after=read[-1] if read else None, newest_first=newest_first):
            read += [episode.id for episode in page]
        assert read == (made[::-1] if newest_first else made)
    assert len(mama.episodes(conversations="c1")) == 4
    assert [e.content for e in mama.episodes(match="replies 3")] == ["reply 3"]


def test_memories_are_listed_by_how_they_stand(mama: Agent) -> None:
    old = kept(mama, "Anna lives in Porto")
    new = kept(mama, "Anna lives in Lisbon", supersedes=[old.id])
    assert [one.id for one in mama.memories()] == [new.id]
    assert [one.id for one in mama.memories(states=["archived", "active"])] == [old.id, new.id]
    assert [one.id for one in mama.memories(states="archived")] == [old.id]
    assert mama.memories(states="inactive") == []
    with pytest.raises(InvalidInput, match="states"):
        mama.memories(states="gone")


def test_memories_are_listed_by_what_they_rest_on(mama: Agent) -> None:
    tea, coffee, _ = mama.observe(["Tea?", "Coffee for Ben!", "Hello"]).episode_ids
    both = kept(mama, "Anna likes tea, and Ben coffee", source_episodes=[tea, coffee])
    one = kept(mama, "Anna likes tea", source_episodes=[tea])
    assert [each.id for each in mama.memories(sources=tea)] == [both.id, one.id]
    assert [each.id for each in mama.memories(sources=[coffee, "unknown"])] == [both.id]
    assert mama.memories(sources=[]) == []


def test_memories_list_on_behind_a_forgotten_one(mama: Agent) -> None:
    made = [kept(mama, f"Guest {n} drinks tea").id for n in range(3)]
    mama.forget(made[0])
    assert [memory.id for memory in mama.memories(after=made[0])] == made[1:]


def test_messages_never_end_silently_at_a_forgotten_one(mama: Agent) -> None:
    gone, *_ = mama.observe(["one", "two"]).episode_ids
    mama.forget(gone)
    with pytest.raises(NotFound, match=gone):
        mama.episodes(after=gone)


def test_a_portrait_shows_how_a_memory_stands_now(mama: Agent, clock: Clock) -> None:
    source = mama.observe("I like tea").episode_ids[0]
    memory = kept(mama, "Anna likes tea", source_episodes=[source])
    clock.wait(days=90)
    portrait = mama.portrait(memory.id)
    assert portrait.memory == memory
    assert portrait.confidence_now == pytest.approx(0.9**4)
    assert portrait.activation_now == pytest.approx(0.4 * 0.5)
    assert [e.id for e in portrait.sources] == [source]
    assert [entry.action for entry in portrait.audit] == [Action.REMEMBER]


def test_every_change_is_audited_with_before_and_after(mama: Agent, open_bank: Open, clock: Clock) -> None:
    memory = kept(mama, "Anna likes tea", tags=["a"])
    clock.wait(hours=1)
    mama.remember("Anna likes tea!", tags=["b"])
    clock.wait(hours=1)
    open_bank(actor="nightly").agent("mama").revise(
        memory.id, essence="Anna likes coffee", reason="heard today"
    )
    first, second, third = mama.audit(target=memory.id)
    assert (first.action, first.actor, first.at, first.before) == (Action.REMEMBER, "caller", NOON, None)
    assert _told(first.after, "essence", "tags", "kind") == ("Anna likes tea", ["a"], "fact")
    assert second.action is Action.REINFORCE
    assert _told(second.before, "tags", "reinforcement_count", "essence") == (["a"], 1, None)
    assert _told(second.after, "tags", "reinforcement_count", "essence") == (["a", "b"], 2, None)
    assert (third.action, third.actor, third.reason) == (Action.REVISE, "nightly", "heard today")
    assert (_told(third.before, "essence"), _told(third.after, "essence")) == (
        ("Anna likes tea",), ("Anna likes coffee",)
    )  # fmt: skip


def _told(payload: Mapping[str, object] | None, *names: str) -> tuple[object, ...]:
    assert payload is not None
    return tuple(payload.get(name) for name in names)


def test_stats_count_what_is_there(mama: Agent, engine: str) -> None:
    mama.observe([{"content": "a", "speaker": "Anna"}, {"content": "b", "speaker": "Ben"},
                  {"content": "c", "speaker": "Anna"}], conversation="c")  # fmt: skip
    kept(mama, "Anna likes tea")
    kept(mama, "Never serve tea to the cat", kind="policy")
    stats = mama.stats()
    assert (stats.memories, stats.episodes, stats.conversations) == (2, 3, 1)
    assert (stats.kinds, stats.states) == ({"fact": 1, "policy": 1}, {"active": 2})
    assert stats.speakers == {"Anna": 2, "Ben": 1}
    assert stats.embedder == "hashing-for-tests-384/1"
    assert (stats.store.engine, stats.store.encrypted) == (engine, engine == "sqlite")
    assert stats.rev > 0


def test_an_agent_that_never_wrote_is_not_listed(mama: Agent, reverie: Reverie) -> None:
    assert (mama.profile.id, mama.profile.time_zone, mama.profile.principals) == ("mama", "UTC", ())
    stats = mama.stats()
    assert (stats.memories, stats.episodes, stats.rev, stats.embedder) == (0, 0, 0, None)
    assert reverie.agents() == []


def test_a_profile_changes_by_what_is_given_and_is_audited(reverie: Reverie) -> None:
    papa = reverie.agent("papa", time_zone="Europe/Budapest", principals=["Anna"])
    papa.set_profile(home="kitchen")
    assert (papa.profile.time_zone, papa.profile.principals, papa.profile.home) == (
        "Europe/Budapest", ("Anna",), "kitchen",
    )  # fmt: skip
    made, entry = papa.audit()
    assert (made.action, made.before, (made.after or {})["principals"]) == (Action.PROFILE, None, ["Anna"])
    assert (entry.action, entry.before, entry.after) == (Action.PROFILE, {"home": None}, {"home": "kitchen"})
    before = state_of(papa)
    reverie.agent("papa", time_zone="Europe/Budapest")
    assert state_of(papa) == before


def test_agents_share_a_file_and_nothing_else(reverie: Reverie) -> None:
    agents = [reverie.agent(name) for name in HOSTILE]
    made = {}
    for agent in agents:
        agent.observe({"content": f"I am {agent.id}", "ref": "m1", "speaker": agent.id}, conversation="c")
        made[agent.id] = kept(agent, "Anna likes tea", lesson=agent.id, tags=[agent.id], scope=[agent.id]).id
    assert reverie.agents() == sorted(HOSTILE)
    for agent in agents:
        assert [m.lesson for m in agent.memories(deep=True)] == [agent.id]
        assert [hit.memory.lesson for hit in agent.recall("tea", deep=True, limit=1000).hits] == [agent.id]
        assert [hit.text for hit in agent.recall_episodes(limit=1000).hits] == [f"I am {agent.id}"]
        assert [e.target for e in agent.audit()] == [made[agent.id]]
        assert agent.stats().speakers == {agent.id: 1}
        for other, memory_id in made.items():
            with nullcontext() if other == agent.id else pytest.raises(NotFound):
                agent.get(memory_id)


@pytest.mark.parametrize("name", ["", " mama", "a\nb", "x" * 201, None, 5, "\ud800"])
def test_a_bad_name_is_no_agent(reverie: Reverie, name: object) -> None:
    with pytest.raises(InvalidInput, match="agent"):
        reverie.agent(name)  # type: ignore[arg-type]


VERBS: list[Callable[[Agent], object]] = [
    lambda a: a.observe("x"), lambda a: a.remember("x"), lambda a: a.recall("x"), lambda a: a.recall_episodes("x"),
    lambda a: a.get("x"), lambda a: a.portrait("x"), lambda a: a.memories(), lambda a: a.episodes(),
    lambda a: a.conversations(), lambda a: a.audit(), lambda a: a.forget("x"), lambda a: a.stats(),
    lambda a: a.profile, lambda a: a.revise("x", essence="y"), lambda a: a.set_profile(home="x"),
]  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_after_close_every_verb_says_closed(
    reverie: Reverie, mama: Agent, verb: Callable[[Agent], object]
) -> None:
    kept(mama, "Anna likes tea")
    mama.recall("tea")
    reverie.close()
    with pytest.raises(Closed, match="open it again"):
        verb(mama)


def test_closing_twice_is_closing_once(open_bank: Open, reverie: Reverie, mama: Agent) -> None:
    memory = kept(mama, "Anna likes tea")
    mama.recall("tea")
    reverie.close()
    reverie.close()
    assert open_bank().agent("mama").portrait(memory.id).memory.touches == 1
