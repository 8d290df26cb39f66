"""sleep: from what was said to what is known, in one transaction. The mind is scripted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from reverie import Action, CaptureSettings, Kind, Origin, Reverie, Settings, SleepSettings, SourceTrust
from reverie.domain.change import Connect, Fade, Proposal, Reinforce, Spent
from reverie.domain.memory import CONTRADICTS, State
from reverie.domain.sleep import Act
from reverie.errors import InvalidInput, Paused
from reverie.services.sleep.sleep import due, sleep_through
from reverie.services.sleep.sleeps import report, sleeps
from tests.services.beds import Bed, bed, contradict, learn, reasons, revise
from tests.services.bench import NOON, Clock, state_of

pytestmark = pytest.mark.slow

Make = Callable[..., Bed]


@pytest.fixture
def make(lasting: Reverie, clock: Clock, request: pytest.FixtureRequest) -> Make:
    """Makes the bed of the test's agent, with settings and a mind of its own."""

    def made(mind: object = ..., **settings: Any) -> Bed:
        chosen = {} if mind is ... else {"mind": mind}
        changed = Settings(capture=CaptureSettings(enabled=False), **settings)
        return bed(lasting, agent_id=request.node.name[:190], clock=clock, settings=changed, **chosen)

    return made


def test_what_is_learned_has_all_its_dimensions_and_its_evidence(asleep: Bed) -> None:
    ids = asleep.said(
        "I keep seven bees in the garden", speaker="Anna", time=(NOON - timedelta(hours=3)).isoformat()
    )
    done = asleep.sleep(learn("Anna keeps seven bees in the garden", ids, importance=0.4))
    [memory] = asleep.memories()
    assert (memory.essence, memory.origin, memory.source_episodes) == (
        "Anna keeps seven bees in the garden", Origin.SLEEP, tuple(ids),
    )  # fmt: skip
    assert (memory.confidence, memory.importance, memory.lesson) == (0.9, 0.4, "Judged")
    assert (memory.source_trust, memory.believed_from) == (SourceTrust.PRINCIPAL, NOON - timedelta(hours=3))
    [change] = done.changes
    assert (change.act, change.target, change.text, change.sources) == (
        Act.LEARN, memory.id, memory.essence, tuple(ids),
    )  # fmt: skip
    assert (change.before, done.remaining, done.refused) == (None, 0, None)
    assert done.sleep.episodes == tuple(ids)


def test_a_sleep_is_stored_with_its_record_and_audit_entries(asleep: Bed) -> None:
    ids = asleep.said("I keep seven bees", speaker="Anna")
    asleep.mind.dream = lambda _: Proposal(
        changes=(learn("Anna keeps seven bees", ids),),
        spent=Spent(calls=2, input_tokens=5),
        notes=("asked twice",),
    )
    done = asleep.again()
    desk = asleep.reverie._desk
    [record] = sleeps(desk, asleep.agent.id, limit=10, before=None)
    assert record == done.sleep
    assert (record.mind, record.spent, record.notes) == (
        "scripted/1",
        Spent(calls=2, input_tokens=5),
        ("asked twice",),
    )
    assert report(desk, asleep.agent.id, record.id) == done
    with desk.store.read(asleep.agent.id) as unit:
        entries = unit.audit.list(job=record.id)
    assert [entry.action for entry in entries] == [Action.REMEMBER, Action.SLEEP]
    assert (entries[-1].target, entries[-1].after) == (record.id, {"episodes": 1, "learn": 1})
    assert all(episode.consolidated_at == NOON for episode in asleep.agent.episodes())
    assert asleep.job().last_at == NOON
    assert asleep.job().holder is None


def test_an_inferred_memory_is_born_less_sure(asleep: Bed) -> None:
    ids = asleep.said("I keep seven bees", "My brother paints harbours", speaker="Anna")
    asleep.sleep(
        learn("Anna keeps seven bees", ids[:1], stated=False),
        learn("Anna's brother paints harbours", ids[1:], confidence=1.0),
    )
    assert sorted(one.confidence for one in asleep.memories()) == [0.6, 0.9]


def test_a_learn_that_is_known_already_reinforces(asleep: Bed) -> None:
    known = asleep.knows("Anna keeps seven bees", kind="fact", confidence=0.5)
    ids = asleep.said("Anna keeps seven bees")
    done = asleep.sleep(learn("Anna keeps seven bees", ids))
    now = asleep.memory(known.id)
    assert [one.act for one in done.changes] == [Act.REINFORCE]
    assert (now.confidence, now.reinforcement_count, now.source_episodes) == (0.55, 2, ids)
    assert len(asleep.memories()) == 1


def test_the_same_episodes_are_not_counted_twice(asleep: Bed) -> None:
    ids = asleep.said("Anna keeps seven bees")
    known = asleep.knows("Anna keeps seven bees", source_episodes=ids)
    done = asleep.sleep(
        Reinforce(memory_id=known.id, reason="", sources=ids), learn("Anna keeps seven bees", ids)
    )
    assert done.changes == ()
    assert reasons(done) == ["its episodes are the memory's sources already"] * 2
    assert asleep.memory(known.id) == known


def test_a_learn_with_another_value_stays_beside_the_other(asleep: Bed) -> None:
    old = asleep.knows("Anna lives in Munich", kind="fact")
    ids = asleep.said("Anna lives in Berlin")
    done = asleep.sleep(learn("Anna lives in Berlin", ids))
    assert [one.act for one in done.changes] == [Act.LEARN]
    assert asleep.memory(old.id) == old
    assert [one.essence for one in asleep.memories() if one.id != old.id] == ["Anna lives in Berlin"]


def test_reinforce_rests_on_the_episodes_that_it_names(asleep: Bed) -> None:
    known = asleep.knows("Anna keeps seven bees", confidence=0.5)
    ids = asleep.said("Anna says that she keeps seven bees", "The train to Vienna was late")
    done = asleep.sleep(Reinforce(memory_id=known.id, reason="said again", sources=ids[:1]))
    [change] = done.changes
    assert (change.act, change.reason, change.sources) == (Act.REINFORCE, "said again", ids[:1])
    assert asleep.memory(known.id).confidence == 0.55


def test_reinforcement_brings_back_what_had_faded(asleep: Bed) -> None:
    known = asleep.knows("Anna keeps seven bees", confidence=0.5)
    asleep.said("Nothing of note")
    over = asleep.said("Anna keeps bees no longer")
    asleep.sleep(Fade(memory_id=known.id, confidence=0.02, sources=over))
    assert (asleep.memory(known.id).state, asleep.memory(known.id).confidence) == (State.INACTIVE, 0.02)
    again = asleep.said("Anna keeps seven bees")
    asleep.sleep(Reinforce(memory_id=known.id, reason="", sources=again))
    assert (asleep.memory(known.id).state, asleep.memory(known.id).confidence) == (State.ACTIVE, 0.1)


def test_revise_keeps_the_id_and_the_old_wording(asleep: Bed, clock: Clock) -> None:
    old = asleep.knows("Anna lives in Munich", kind="fact")
    moved = clock.wait(days=3)
    ids = asleep.said("Anna lives in Berlin now", time=moved.isoformat())
    clock.wait(hours=2)
    done = asleep.sleep(revise(old, "Anna lives in Berlin", ids, reason="she moved"))
    new = asleep.memory(old.id)
    assert (new.essence, new.version, new.believed_from, new.confidence) == (
        "Anna lives in Berlin",
        2,
        moved,
        0.9,
    )
    shown = asleep.agent.portrait(old.id)
    assert [one.essence for one in shown.versions] == ["Anna lives in Munich"]
    [change] = done.of(Act.REVISE)
    assert change.before is not None
    assert (change.before["essence"], change.text, change.reason) == (old.essence, new.essence, "she moved")
    hits = asleep.agent.recall("Anna lives in", as_of=moved - timedelta(days=1), min_score=0).hits
    assert [hit.text for hit in hits] == ["Anna lives in Munich"]
    assert asleep.agent.recall("Anna lives in Berlin").hits[0].text == "Anna lives in Berlin"


def test_a_learn_that_says_what_a_revision_says_gives_way_to_it(asleep: Bed) -> None:
    old = asleep.knows("Anna lives in Munich", kind="fact")
    ids = asleep.said("Anna lives in Berlin")
    done = asleep.sleep(learn("Anna lives in Berlin", ids), revise(old, "Anna lives in Berlin", ids))
    assert [one.essence for one in asleep.memories()] == ["Anna lives in Berlin"]
    assert reasons(done) == ["another change of this night says it"]


def test_a_principals_newer_statement_wins_and_both_stay_linked(asleep: Bed, clock: Clock) -> None:
    old = asleep.knows("Anna likes coffee", kind="preference")
    later = clock.wait(days=1)
    ids = asleep.said("Anna hates coffee", time=later.isoformat())
    done = asleep.sleep(
        learn("Anna hates coffee", ids, kind=Kind.PREFERENCE),
        contradict(old, "new:0", resolution="she changed her mind"),
    )
    new = done.of(Act.LEARN)[0].target
    loser = asleep.memory(old.id)
    assert (loser.superseded_by, loser.valid_to) == (new, later)
    assert loser.confidence == pytest.approx(0.7)
    assert (new, old.id, CONTRADICTS) in [(one.source, one.target, one.relation) for one in asleep.edges()]
    [verdict] = done.of(Act.CONTRADICT)
    assert verdict.reason == "the newer statement of a principal holds. she changed her mind"
    assert asleep.agent.recall("Anna coffee").hits[0].id == new
    before = asleep.agent.recall("Anna coffee", as_of=later - timedelta(hours=1), min_score=0).hits
    assert [hit.id for hit in before] == [old.id]


def test_what_was_inferred_loses_against_what_was_stated_before(asleep: Bed) -> None:
    old = asleep.knows("Anna likes coffee", kind="preference")
    ids = asleep.said("Anna left her coffee, she hates it")
    done = asleep.sleep(
        learn("Anna hates coffee", ids, kind=Kind.PREFERENCE, stated=False), contradict(old, "new:0")
    )
    loser = asleep.memory(done.of(Act.LEARN)[0].target)
    assert loser.confidence == pytest.approx(0.4)
    assert loser.superseded_by is None
    assert asleep.memory(old.id) == old


def test_memories_are_connected_with_a_relation_of_the_minds_own(asleep: Bed) -> None:
    one, other = asleep.knows("Anna keeps bees"), asleep.knows("Anna sells honey")
    asleep.said("Anna keeps bees and sells honey")
    done = asleep.sleep(
        Connect(memory_a=one.id, memory_b=other.id, relation="makes"),
        Connect(memory_a=other.id, memory_b=one.id, relation="makes"),
    )
    [edge] = asleep.edges()
    assert (edge.source, edge.target, edge.relation) == (one.id, other.id, "makes")
    assert reasons(done) == ["it was proposed twice"]


def test_a_dry_run_tells_what_would_be_and_changes_nothing(asleep: Bed) -> None:
    old = asleep.knows("Anna lives in Munich", kind="fact")
    ids = asleep.said("Anna lives in Berlin", "Anna keeps seven bees")
    changes = (revise(old, "Anna lives in Berlin", ids[:1]), learn("Anna keeps seven bees", ids[1:]))
    before = state_of(asleep.agent)
    dry = asleep.sleep(*changes, dry_run=True)
    assert dry.dry_run
    assert state_of(asleep.agent) == before
    assert asleep.job().last_at is None
    done = asleep.sleep(*changes)
    shown = [(one.act, one.text, one.reason, one.sources) for one in dry.changes]
    assert shown == [(one.act, one.text, one.reason, one.sources) for one in done.changes]
    assert dry.changes[0].before == done.changes[0].before
    assert dry.remaining == done.remaining == 0


def test_a_sleep_that_changes_too_much_is_refused_as_a_whole(make: Make) -> None:
    asleep = make(sleep=SleepSettings(max_memories=2, max_share=0.5))
    known = [asleep.knows(f"Anna's {name} is called Max") for name in ("dog", "uncle", "rabbit", "boat")]
    ids = asleep.said("Anna has a dog and an uncle and a rabbit and a boat called Max")
    before = state_of(asleep.agent)
    faded = [Fade(memory_id=one.id, confidence=0.3, sources=ids) for one in known]
    done = asleep.sleep(*faded[:3])
    assert done.refused is not None
    assert "3 of 4" in done.refused
    assert state_of(asleep.agent)[:4] == before[:4]
    assert (asleep.waiting(), asleep.job().failures, asleep.job().note) == (1, 1, "refused")
    assert asleep.sleep(*faded[:2]).refused is None


def test_an_agent_with_nothing_new_does_not_sleep(asleep: Bed) -> None:
    assert not asleep.sleep()
    asleep.said("Anna keeps bees")
    assert asleep.sleep()
    assert not asleep.sleep()
    assert len(asleep.mind.nights) == 1


def test_without_a_mind_nobody_sleeps(make: Make) -> None:
    asleep = make(mind=None)
    with pytest.raises(InvalidInput, match="nobody thinks"):
        asleep.again()
    assert not due(asleep.reverie._desk, asleep.agent.id)


def test_a_paused_agent_does_not_sleep(asleep: Bed) -> None:
    from reverie.services.runtime.pause import pause, resume

    asleep.said("Anna keeps bees")
    pause(asleep.reverie._desk, asleep.agent.id, actor="caller")
    with pytest.raises(Paused):
        asleep.sleep()
    resume(asleep.reverie._desk, asleep.agent.id, actor="caller")
    assert asleep.sleep()


def test_what_is_paused_during_a_sleep_is_left_as_it_was(asleep: Bed) -> None:
    from reverie.services.runtime.pause import pause

    asleep.said("Anna keeps bees")
    asleep.mind.meanwhile = lambda: pause(asleep.reverie._desk, asleep.agent.id, actor="caller")
    with pytest.raises(Paused):
        asleep.sleep()
    assert asleep.waiting() == 1


def test_sleeping_through_reads_all_batches_in_order_of_time(make: Make) -> None:
    asleep = make(sleep=SleepSettings(batch=2))
    asleep.said(*(f"Anna saw {count} herons" for count in range(5)))
    told: list[tuple[int, int]] = []
    reports = sleep_through(
        asleep.reverie._desk,
        asleep.agent.id,
        actor="caller",
        progress=lambda done, total: told.append((done, total)),
    )
    assert [len(one.sleep.episodes) for one in reports] == [2, 2, 1]
    assert told == [(2, 5), (4, 5), (5, 5)]
    read = [
        one.content for night in asleep.mind.nights for cluster in night.clusters for one in cluster.episodes
    ]
    assert sorted(read) == [f"Anna saw {count} herons" for count in range(5)]


def test_a_night_shows_earlier_episodes_and_what_is_known(asleep: Bed, clock: Clock) -> None:
    known = asleep.knows("Anna keeps seven bees")
    asleep.knows("The museum shows old maps")
    first = asleep.said("Anna keeps bees in the garden")
    asleep.sleep()
    clock.wait(days=1)
    second = asleep.said("Anna keeps bees in the garden too")
    asleep.sleep()
    [cluster] = asleep.mind.nights[1].clusters
    assert [one.id for one in cluster.episodes] == [*second]
    assert [one.id for one in cluster.earlier] == [*first]
    assert [one.id for one in cluster.known] == [known.id]
    assert cluster.vectors.shape == cluster.known_vectors.shape == cluster.earlier_vectors.shape == (1, 384)


def test_every_night_shows_rules_goals_and_what_matters_most(asleep: Bed) -> None:
    rules = [asleep.knows(f"Never pay bill {count} by cheque", kind="policy") for count in range(3)]
    goal = asleep.agent.goals.add("Learn the cello")
    lesser = [asleep.knows(f"Anna owns vase {count}", importance=0.75) for count in range(10)]
    vital = [asleep.knows(f"Anna is allergic to nut {count}", importance=0.95) for count in range(10)]
    asleep.said("It rained all day")
    asleep.sleep()
    core = [one.id for one in asleep.mind.nights[0].core]
    assert core[:4] == [*(one.id for one in rules), goal.id]
    assert set(core[4:14]) == {one.id for one in vital}
    assert set(core[14:]) < {one.id for one in lesser}
    assert len(core) == len(set(core)) == 16


def test_sleep_is_due_when_idle_with_enough_long_since_the_last(asleep: Bed, clock: Clock) -> None:
    desk = asleep.reverie._desk
    assert not due(desk, asleep.agent.id)
    asleep.said(*(f"Anna saw {count} herons" for count in range(9)))
    clock.wait(minutes=6)
    assert not due(desk, asleep.agent.id)  # too few
    asleep.said("Anna saw an otter")
    assert not due(desk, asleep.agent.id)  # somebody talks
    clock.wait(minutes=5)
    assert due(desk, asleep.agent.id)
    [last] = asleep.said("Anna saw an owl", time="2020-01-01T00:00Z")
    assert not due(desk, asleep.agent.id)  # of long ago, but told just now
    asleep.agent.forget(last)
    asleep.sleep()
    asleep.said(*(f"Anna saw {count} geese" for count in range(10)))
    clock.wait(hours=5)
    assert not due(desk, asleep.agent.id)  # slept just now
    clock.wait(hours=1)
    assert due(desk, asleep.agent.id)


def test_what_a_night_replaces_it_does_not_confirm(asleep: Bed, clock: Clock) -> None:
    old = asleep.knows("Anna likes coffee", kind="preference")
    clock.wait(days=1)
    ids = asleep.said("Anna hates coffee", "Anna likes coffee a lot")
    done = asleep.sleep(
        learn("Anna hates coffee", ids[:1], kind=Kind.PREFERENCE),
        contradict(old, "new:0"),
        Reinforce(memory_id=old.id, reason="", sources=ids[1:]),
        Fade(memory_id=old.id, confidence=0.1, sources=ids[:1]),
    )
    assert reasons(done) == ["this night replaces the memory"] * 2
    assert asleep.memory(old.id).superseded_by == done.of(Act.LEARN)[0].target
