"""Housekeeping promotes what recurs: the same thing in at least 3 episodes on 2 days becomes a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie import (
    Action,
    Agent,
    Episode,
    HousekeepingSettings,
    Kind,
    Memory,
    Priority,
    Reverie,
    Settings,
    State,
)
from reverie.domain.memory import Origin
from reverie.domain.snippet import Extracted, Snippet
from reverie.domain.trust import SourceTrust
from reverie.errors import MindFailed
from reverie.services.upkeep import promoting, recurring
from reverie.store.episodes import EpisodeRows
from tests.services.bench import NOON, Clock, kept, state_of
from tests.services.conftest import Open
from tests.services.kept_house import kept_house, said, standing
from tests.services.scripted import Scripted, each_new, proposal

pytestmark = pytest.mark.slow

RUN = "I run along the river on Tuesday evenings"
BEES = "Péter keeps seven bees in the garden"


def _only(agent: Agent) -> Memory:
    (memory,) = agent.memories(deep=True)
    return memory


def _talk(kind: Kind = Kind.FACT, **changed: object) -> Scripted:
    """A mind that makes a memory of that kind out of each message."""

    def script(snippet: Snippet) -> Sequence[Extracted]:
        return [proposal(message, kind=kind, **changed) for message in snippet.new]

    return Scripted(script)


def test_what_is_said_three_times_on_two_days_is_a_memory(reverie: Reverie, mama: Agent) -> None:
    ids = said(reverie, 9, 9.1, 2, content=BEES, speaker="Anna")
    (done,) = kept_house(mama, Scripted()).promoted
    memory = _only(mama)
    assert (done.memory_id, done.episodes, done.known) == (memory.id, tuple(sorted(ids)), False)
    assert (memory.essence, memory.source_episodes) == (BEES, tuple(sorted(ids)))
    assert (memory.origin, memory.source_trust) == (Origin.SLEEP, SourceTrust.PRINCIPAL)
    assert (memory.created_at, memory.reinforcement_count) == (NOON - timedelta(days=2), 1)


@pytest.mark.parametrize("days", [(9,), (9, 2), (9, 9.1, 9.2), (2, 2.1, 2.2, 2.3, 2.4)], ids=str)
def test_too_few_times_or_days_make_none(reverie: Reverie, mama: Agent, days: Sequence[float]) -> None:
    for place, day in enumerate(days):
        said(reverie, day, content=BEES + "." * (place % 2), ref=f"r{place}")
    done = kept_house(mama, Scripted())
    assert (done.promoted, done.episodes) == ((), len(days))
    assert mama.memories() == []


def test_days_are_counted_in_the_agents_zone(reverie: Reverie) -> None:
    agent = reverie.agent("mama", time_zone="Pacific/Auckland")
    hours = ("2026-11-10T10:30Z", "2026-11-10T11:30Z", "2026-11-10T12:30Z")  # midnight is at 11:00
    agent.observe([{"content": BEES, "time": hour} for hour in hours])
    assert len(kept_house(agent, Scripted()).promoted) == 1


def test_the_third_time_counts_whenever_the_first_two_were(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    said(reverie, 300, 200, content=BEES)
    assert kept_house(mama, Scripted()).promoted == ()
    clock.wait(days=30)
    said(reverie, 0, content=BEES)
    assert len(kept_house(mama, Scripted()).promoted) == 1


def test_twice_in_a_row_is_once(reverie: Reverie, mama: Agent) -> None:
    said(reverie, 9, 5, 2, content=BEES)
    mind = Scripted()
    kept_house(mama, mind)
    before, asked = state_of(mama), len(mind.seen)
    done = kept_house(mama, mind)
    assert (done.changed, done.episodes, len(mind.seen)) == (0, 0, asked)
    assert state_of(mama) == before


def test_a_later_repeat_reinforces_with_the_new_episode(reverie: Reverie, mama: Agent) -> None:
    said(reverie, 9, 5, 4, content=BEES)
    kept_house(mama, Scripted())
    first = _only(mama)
    (new,) = said(reverie, 1, content=BEES)
    (done,) = kept_house(mama, Scripted(lambda _: pytest.fail("it is known already"))).promoted
    memory = _only(mama)
    assert (done.memory_id, done.episodes, done.known) == (first.id, (new,), True)
    assert memory.source_episodes == tuple(sorted({*first.source_episodes, new}))
    assert (memory.reinforcement_count, memory.last_reinforced_at) == (2, NOON - timedelta(days=1))
    assert memory.touches == first.touches


def test_what_a_memory_says_already_reinforces_it_once(reverie: Reverie, mama: Agent) -> None:
    known = kept(mama, BEES, source_trust="principal")
    ids = said(reverie, 9, 5, 4, content=BEES)
    (done,) = kept_house(mama, Scripted()).promoted
    memory = _only(mama)
    assert (done.memory_id, done.known, memory.id) == (known.id, True, known.id)
    assert (memory.reinforcement_count, memory.source_episodes) == (2, tuple(sorted(ids)))


def test_what_the_loop_has_seen_all_of_changes_nothing(reverie: Reverie, mama: Agent) -> None:
    known = kept(mama, BEES, source_episodes=said(reverie, 9, 5, 4, content=BEES), origin="loop")
    done = kept_house(mama, Scripted())
    assert (done.promoted, done.passed_over["recurs, but known"]) == ((), 1)
    assert _only(mama) == known


def test_another_memory_of_the_episodes_does_not_stand_for_it(reverie: Reverie, mama: Agent) -> None:
    kept(mama, "Everybody is tired of the rain", source_episodes=said(reverie, 9, 5, 4, content=BEES))
    assert len(kept_house(mama, Scripted()).promoted) == 1


def test_what_was_superseded_since_is_not_promoted_anew(reverie: Reverie, mama: Agent) -> None:
    known = kept(mama, BEES, source_episodes=said(reverie, 9, 5, 4, content=BEES))
    kept(mama, "All bees have flown away", supersedes=[known.id], source_trust="principal")
    done = kept_house(mama, Scripted())
    assert (done.promoted, done.passed_over["recurs, but known, and withdrawn since"]) == ((), 1)


def test_an_archived_memory_that_is_said_again_is_active_again(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    said(reverie, 9, 5, 4, content=BEES)
    kept_house(mama, Scripted())
    clock.wait(days=400)
    assert len(kept_house(mama).archived) == 1
    mama.observe(BEES)
    kept_house(mama, Scripted())
    assert _only(mama).state is State.ACTIVE


def test_what_was_forgotten_is_not_promoted(reverie: Reverie, mama: Agent) -> None:
    mama.forget(kept(mama, BEES).id)
    said(reverie, 9, 5, 4, content=BEES)
    done = kept_house(mama, Scripted())
    assert (done.promoted, done.passed_over) == ((), {"recurs, but forgotten": 1})
    assert mama.memories() == []


def test_small_talk_is_what_the_mind_makes_nothing_of(reverie: Reverie, mama: Agent) -> None:
    said(reverie, 9, 5, 4, content="Good morning, dear agent")
    done = kept_house(mama, Scripted(lambda _: []))
    assert (done.promoted, done.passed_over) == ((), {"recurs, but nothing worth keeping": 1})


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "Where are my seven bees?"},
        {"content": "Bees"},
        {"content": "bees and honey " * 100},
        {"content": BEES, "role": "assistant"},
        {"content": BEES, "role": "tool"},
        {"content": BEES, "role": "system"},
    ],
    ids=["question", "word", "document", "agent", "tool", "system"],
)
def test_some_episodes_never_recur(reverie: Reverie, mama: Agent, fields: dict[str, object]) -> None:
    said(reverie, 9, 5, 4, **fields)  # type: ignore[arg-type]  # a message's fields
    assert kept_house(mama, Scripted()).promoted == ()


def test_what_another_one_says_is_another_thing(reverie: Reverie, mama: Agent) -> None:
    for speaker, day in (("Anna", 9), ("Anna", 5), ("Ben", 4)):
        said(reverie, day, content="I am allergic to walnuts", speaker=speaker)
    assert kept_house(mama, Scripted()).promoted == ()


@pytest.mark.parametrize(
    "other", ["Péter keeps eight bees in the garden", "Péter keeps no seven bees in the garden"]
)
def test_what_differs_in_what_matters_is_another_thing(reverie: Reverie, mama: Agent, other: str) -> None:
    said(reverie, 9, 5, content=BEES)
    said(reverie, 4, content=other)
    desk = replace(
        mama._desk,
        settings=replace(
            mama._desk.settings, housekeeping=replace(mama._desk.settings.housekeeping, promote_cosine=0.5)
        ),
        mind=Scripted(),
    )
    assert kept_house(mama, desk=desk).promoted == ()


def test_a_message_that_was_stored_twice_counts_once(mama: Agent) -> None:
    for room in ("a", "b", "c"):
        days = [{"content": BEES, "time": f"2026-11-0{day}T12:00Z"} for day in (1, 2)]
        mama.observe(days, conversation=room)
    assert kept_house(mama, Scripted()).promoted == ()


@pytest.mark.parametrize(
    ("channels", "trust", "sources"),
    [
        (("api", "api", "api"), SourceTrust.PRINCIPAL, 3),
        (("api", "api", "api", "web"), SourceTrust.PRINCIPAL, 3),
        (("api", "web", "web"), SourceTrust.EXTERNAL, 3),
        (("web", "web", "web"), SourceTrust.EXTERNAL, 3),
        (("api", "api", "room"), SourceTrust.OTHER, 3),
    ],
)
def test_it_is_trusted_as_the_least_of_its_sources(
    mama: Agent, channels: Sequence[str], trust: SourceTrust, sources: int
) -> None:
    for place, channel in enumerate(channels):
        message = {"content": BEES, "time": f"2026-11-0{place + 1}T12:00Z"}
        mama.observe(message, conversation=f"{channel}{place}", channel=channel)
    kept_house(mama, Scripted())
    memory = _only(mama)
    assert (memory.source_trust, len(memory.source_episodes)) == (trust, sources)


@pytest.mark.parametrize("kind", [Kind.POLICY, Kind.WORKFLOW])
@pytest.mark.parametrize(("channel", "promoted"), [("web", 0), ("room", 0), ("api", 1)])
def test_only_principals_make_what_instructs(mama: Agent, kind: Kind, channel: str, promoted: int) -> None:
    for day in (1, 2, 3):
        message = {"content": "Pushes to main wait until Monday", "time": f"2026-11-0{day}T12:00Z"}
        mama.observe(message, channel=channel)
    assert len(kept_house(mama, _talk(kind)).promoted) == promoted


@pytest.mark.parametrize(
    ("content", "kind", "becomes"),
    [
        (BEES, Kind.FACT, Kind.FACT),
        (BEES, Kind.PREFERENCE, Kind.PREFERENCE),
        (BEES, Kind.OBSERVATION, Kind.PATTERN),
        ("I like tea after running", Kind.PREFERENCE, Kind.PREFERENCE),
    ],
)
def test_what_was_observed_again_and_again_is_a_pattern(
    reverie: Reverie, mama: Agent, content: str, kind: Kind, becomes: Kind
) -> None:
    said(reverie, 9, 5, 4, content=content)
    kept_house(mama, _talk(kind))
    memory = _only(mama)
    assert (memory.kind, memory.priority in (Priority.NORMAL, Priority.MEDIUM)) == (becomes, True)


def test_an_event_recorded_repeatedly_is_a_pattern(mama: Agent) -> None:
    for day, more in ((1, "ci"), (2, "night"), (3, "ci")):
        event = {
            "content": "The staging deploy ran out of memory", "role": "assistant", "outcome": "failure",
            "tags": ["deploy", more], "time": f"2026-11-0{day}T12:00Z",
        }  # fmt: skip
        mama.observe(event, conversation="events")
    kept_house(mama, Scripted(lambda _: pytest.fail("an event is worded already")))
    memory = _only(mama)
    assert memory.essence == "The staging deploy ran out of memory: failure"
    assert (memory.kind, memory.tags, memory.source_trust) == (Kind.PATTERN, ("deploy",), SourceTrust.AGENT)


def test_events_that_ended_otherwise_are_other_events(mama: Agent) -> None:
    for day, outcome in ((1, "success"), (2, "failure"), (3, "success")):
        event = {
            "content": "The staging deploy ran", "role": "assistant", "outcome": outcome,
            "time": f"2026-11-0{day}T12:00Z",
        }  # fmt: skip
        mama.observe(event, conversation="events")
    assert kept_house(mama, Scripted()).promoted == ()


def test_each_promotion_is_in_the_audit_log(reverie: Reverie, mama: Agent) -> None:
    ids = said(reverie, 9, 5, 4, content=BEES)
    kept_house(mama, Scripted())
    (entry,) = [each for each in mama.audit() if each.action is Action.PROMOTE]
    assert (entry.actor, entry.target, entry.reason) == ("weekly", _only(mama).id, "said in 3 episodes")
    assert entry.after == {"source_episodes": sorted(ids)}


def test_without_a_mind_nothing_counts_as_looked_at(reverie: Reverie, mama: Agent) -> None:
    said(reverie, 9, 5, 4, content=BEES)
    done = kept_house(mama)
    assert (done.promoted, done.episodes) == ((), 0)
    assert done.passed_over == {"not promoted: no mind on this machine": 1}
    assert len(kept_house(mama, Scripted()).promoted) == 1


def test_raw_words_go_to_no_mind_elsewhere(reverie: Reverie, mama: Agent) -> None:
    said(reverie, 9, 5, 4, content=BEES)
    away = Scripted(lambda _: pytest.fail("it must not be asked"))
    away.is_local = False
    assert kept_house(mama, away).promoted == ()


def test_a_failing_mind_leaves_promotion_for_the_next_time(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    def fail(_: Snippet) -> Sequence[Extracted]:
        raise MindFailed("scripted/1", "it is tired")

    old = kept(mama, "The old printer needs black ink")
    clock.wait(days=400)
    said(reverie, 9, 5, 4, content=BEES)
    done = kept_house(mama, Scripted(fail))
    assert (done.promoted, done.archived) == ((), (old.id,))
    assert done.passed_over["not promoted: the mind failed"] == 1
    assert len(kept_house(mama, Scripted()).promoted) == 1


def test_whatever_a_mind_raises_the_rest_is_done(reverie: Reverie, mama: Agent) -> None:
    def fail(_: Snippet) -> Sequence[Extracted]:
        raise RuntimeError(BEES)

    said(reverie, 9, 5, 4, content=BEES)
    done = kept_house(mama, Scripted(fail))
    assert (done.promoted, done.passed_over, done.complete) == (
        (),
        {"not promoted: the mind failed": 1},
        False,
    )


@pytest.mark.parametrize("gone", [False, True], ids=["advanced by another", "forgotten"])
def test_where_one_watermark_is_lost_no_other_moves(reverie: Reverie, mama: Agent, gone: bool) -> None:
    said(reverie, 9, 8, 7, content=BEES)
    mama.observe({"content": "Trains", "time": NOON - timedelta(days=1)}, conversation="trains")

    def lose() -> None:
        if gone:
            mama.forget(conversation="trains")
            return
        with mama._desk.store.write("mama") as unit:
            unit.watermarks.advance("housekeeping", "trains", seen=0, position=1)

    done = kept_house(mama, Scripted(meanwhile=lose))
    assert (len(done.promoted), _only(mama).reinforcement_count) == (1, 1)


def test_each_new_episode_is_read_once_in_any_portions(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    mama.observe([f"Note {n}" for n in range(100)])
    read: list[int] = []
    forward = EpisodeRows.forward

    def counting(self: EpisodeRows, *given: object) -> Sequence[Episode]:
        found = forward(self, *given)  # type: ignore[arg-type]  # as it was called
        read.append(len(found))
        return found

    monkeypatch.setattr(promoting, "_PORTION", 10)
    monkeypatch.setattr(EpisodeRows, "forward", counting)
    assert kept_house(mama, Scripted()).episodes == 100
    assert sum(read) <= 100 + len(read)


def test_of_two_processes_at_once_one_promotes(open_bank: Open) -> None:
    ours, theirs = open_bank(), open_bank()
    said(ours, 9, 5, 4, content=BEES)
    mind = Scripted(meanwhile=lambda: kept_house(theirs.agent("mama"), Scripted()))
    done = kept_house(ours.agent("mama"), mind)
    memory = _only(ours.agent("mama"))
    assert (done.promoted, memory.reinforcement_count, memory.touches) == ((), 1, 0)


def test_an_episode_that_is_forgotten_meanwhile_is_no_source(reverie: Reverie, mama: Agent) -> None:
    (first,) = said(reverie, 9, content="Péter is keeping seven bees in the garden")
    ids = said(reverie, 8, 5, 4, content=BEES)
    mind = Scripted(meanwhile=lambda: mama.forget(first))
    desk = replace(
        mama._desk,
        settings=replace(
            mama._desk.settings, housekeeping=replace(mama._desk.settings.housekeeping, promote_cosine=0.5)
        ),
        mind=mind,
    )
    (done,) = kept_house(mama, desk=desk).promoted
    assert len(mind.seen) == 2
    assert done.episodes == tuple(sorted(ids))


def test_an_interruption_keeps_what_was_done(
    reverie: Reverie, mama: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promoting, "_PORTION", 4)
    for room in range(3):
        mama.observe(
            [
                {
                    "content": f"Room {'abc'[room] * 4} is painted {'red blue green'.split()[room]}",
                    "time": time,
                }
                for time in ("2026-11-01", "2026-11-02", "2026-11-03")
            ],
            conversation=f"room {room}",
        )

    def two(snippet: Snippet) -> Sequence[Extracted]:
        if mama.memories():
            raise KeyboardInterrupt
        return each_new(snippet)

    with pytest.raises(KeyboardInterrupt):
        kept_house(mama, Scripted(two))
    assert 0 < len(mama.memories()) < 3
    kept_house(mama, Scripted())
    assert len(standing(mama)) == 3


def test_portions_of_any_size_promote_alike(reverie: Reverie, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for size in (1, 2, 7, 2_000):
        monkeypatch.setattr(promoting, "_PORTION", size)
        monkeypatch.setattr(recurring, "_PAGE", max(size // 2, 1))
        agent = reverie.agent(f"agent {size}")
        for day in range(1, 9):
            for content in (BEES, RUN, "Tuesday's tea was cold")[: 1 + day % 3]:
                agent.observe(
                    {"content": content, "time": f"2026-11-0{day}T12:00Z"}, conversation=f"room {day % 2}"
                )
        kept_house(agent, Scripted())
        found.append(
            {
                (memory.essence, len(memory.source_episodes), memory.kind)
                for memory in standing(agent).values()
            }
        )
    assert [*map(len, found)] == [3, 3, 3, 3]
    assert found.count(found[0]) == 4


def test_the_settings_say_how_often_and_on_how_many_days(open_bank: Open) -> None:
    reverie = open_bank(
        settings=Settings(mind="none", housekeeping=HousekeepingSettings(promote_episodes=2, promote_days=1))
    )
    said(reverie, 9, 9.1, content=BEES)
    assert len(kept_house(reverie.agent("mama"), Scripted()).promoted) == 1


def test_the_built_in_mind_promotes_no_small_talk(reverie: Reverie, mama: Agent) -> None:
    for content in ("My sister Klara lives in Porto", "Thanks, good night!"):
        said(reverie, 9, 5, 4, content=content, speaker="Anna")
    done = mama.housekeeping()
    assert (len(done.promoted), done.episodes) == (1, 6)
    memory = _only(mama)
    assert memory.essence == "My sister Klara lives in Porto"
    assert memory.quoted is not None
    assert memory.quoted.speaker == "Anna"
    assert memory.quoted.episode in memory.source_episodes
    assert mama.housekeeping().changed == 0
