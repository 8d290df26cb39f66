"""Laws of moving a bank to another embedder: old vectors serve until the switch, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np
import pytest

from reverie import Agent, EmbedderMismatch, RememberSettings, Settings, StoreSettings
from reverie.domain.outcome import Inserted
from reverie.errors import EmbedderFailed, StoreError
from reverie.services.upkeep import reembed as moving
from tests.services.bench import NOON, Clock, at_once
from tests.services.conftest import Open
from tests.services.moody import Moody

QUESTIONS = ("what is Péter allergic to?", "Where does Anna live?", "fact 7", "message 3")
# Touches would be written when time has passed, which the comparisons would see.
SMALL = Settings(
    store=StoreSettings(batch=4, touch_flush_every=1e6), remember=RememberSettings(emotions=False)
)


@pytest.fixture
def old(open_bank: Open, clock: Clock) -> Agent:
    agent = open_bank(embedder=Moody(name="old"), settings=SMALL).agent("mama")
    agent.observe([{"content": f"message {number} of the day", "ref": f"r{number}"} for number in range(10)])
    for number in range(10):
        agent.remember(f"fact {number} is about {'abcdefghij'[number] * 5}")
    agent.remember("Péter is allergic to peanuts")
    home = agent.remember("Anna lives in Porto").memory
    clock.wait(days=3)
    agent.revise(home.id, essence="Anna lives in Lisbon")
    clock.wait(days=3)
    agent.revise(home.id, essence="Anna lives in Győr")
    return agent


@pytest.fixture(params=[384, 48], ids=["the same dimensions", "other dimensions"])
def new(request: pytest.FixtureRequest, open_bank: Open, old: Agent) -> Agent:
    return open_bank(embedder=Moody(request.param, name="new"), settings=SMALL).agent("mama")


def moody(agent: Agent) -> Moody:
    embedder = agent._desk.embedder
    assert isinstance(embedder, Moody)
    return embedder


def answers(agent: Agent) -> list[object]:
    found: list[object] = [
        [(hit.id, hit.text) for hit in agent.recall(query, limit=20, min_score=0).hits] for query in QUESTIONS
    ]
    found += [
        [(hit.id, hit.text) for hit in agent.recall_episodes(query, min_score=0).hits] for query in QUESTIONS
    ]
    found += [
        [(hit.id, hit.text) for hit in agent.recall("Where does Anna live?", as_of=NOON, min_score=0).hits]
    ]
    return found


def state(agent: Agent) -> tuple[object, ...]:
    return agent.memories(deep=True, limit=100), agent.episodes(limit=100), agent.audit(limit=100)


def as_if_born_so(open_bank: Open, agent: Agent) -> bool:
    """Whether every vector is what this agent's embedder makes of its text."""
    embedder = moody(agent)
    with agent._desk.store.read(agent.id) as unit:
        texts = {("m", one.id): one.essence for one in agent.memories(deep=True, limit=100)}
        vectors = {("m", id): one for id, one in unit.memories.vectors([id for _, id in texts]).items()}
        episodes = agent.episodes(limit=100)
        texts |= {("e", one.id): one.content for one in episodes}
        vectors |= {("e", id): one for id, one in unit.episodes.vectors([one.id for one in episodes]).items()}
        for page in unit.transfer.pages("memory_versions"):
            for row in page:
                name = f"{row[0]!s}/{row[1]!s}"
                texts["v", name] = str(row[2])
                vectors["v", name] = np.frombuffer(bytes(row[-1]), "<f4")  # type: ignore[arg-type]
                assert row[-2] == embedder.id
        assert unit.agents.embedder() == (embedder.id, embedder.dimensions)
    assert texts.keys() == vectors.keys()
    return all(np.array_equal(vectors[key], embedder.embed([text])[0]) for key, text in texts.items())


def test_the_other_embedder_is_refused_until_the_bank_has_moved(new: Agent) -> None:
    for verb in (
        lambda: new.recall("Anna"), lambda: new.recall_episodes("Anna"), lambda: new.remember("Anna sings"),
        lambda: new.observe("Anna sings"), lambda: new.context(task="Anna"),
    ):  # fmt: skip
        with pytest.raises(EmbedderMismatch, match="reverie reembed"):
            verb()


def test_a_bank_moves_with_all_that_has_a_vector(old: Agent, new: Agent, open_bank: Open) -> None:
    before = state(old)
    done = new.jobs.reembed()
    assert (done.switched, done.embedded, done.before) == (True, 10 + 12 + 2, moody(old).id)
    assert as_if_born_so(open_bank, new)
    assert state(new) == before
    assert new.recall("Where does Anna live?").hits[0].text == "Anna lives in Győr"
    found = new.recall("Where does Anna live?", as_of=NOON).hits[0]
    assert found.text == "Anna lives in Porto"
    assert new.recall_episodes("message 3").hits[0].text == "message 3 of the day"


@pytest.mark.slow
def test_the_bank_answers_as_if_it_had_always_been_so(old: Agent, new: Agent, open_bank: Open) -> None:
    new.jobs.reembed()
    asked = answers(new)
    again = open_bank(embedder=Moody(moody(new).dimensions, name="new"), settings=SMALL).agent("mama")
    assert answers(again) == asked


@pytest.mark.slow
def test_the_old_embedder_serves_until_the_switch(old: Agent, new: Agent) -> None:
    asked = answers(old)
    moody(new).left = 20
    with pytest.raises(EmbedderFailed):
        new.jobs.reembed()
    assert answers(old) == asked
    assert isinstance(old.remember("Klára plays the cello"), Inserted)
    moody(new).left, moody(new).broken = None, False
    new.jobs.reembed()
    with pytest.raises(EmbedderMismatch):
        old.recall("Anna")
    with pytest.raises(EmbedderMismatch):
        old.observe("hello")
    assert new.recall("Who plays the cello?").hits[0].text == "Klára plays the cello"


@pytest.mark.slow
def test_what_is_written_during_the_move_moves_too(old: Agent, new: Agent, open_bank: Open) -> None:
    writes: list[Callable[[], object]] = [
        lambda: old.remember("Klára plays the cello"),
        lambda: old.observe("message 10 of the day"),
        lambda: old.revise(old.memories(match="peanuts")[0].id, essence="Péter is allergic to hazelnuts"),
        lambda: old.forget(old.memories(match="fact 7")[0].id),
        lambda: old.forget(old.episodes(match="message 5")[0].id),
    ]

    def between(_done: int, _size: int) -> None:
        if writes:
            writes.pop(0)()

    done = new.jobs.reembed(on_progress=between)
    assert done.switched
    assert writes == []
    assert as_if_born_so(open_bank, new)
    assert [one.essence for one in new.memories(match="peanuts")] == []
    assert new.recall("hazelnuts").hits[0].text == "Péter is allergic to hazelnuts"


@pytest.mark.slow
def test_a_bank_that_never_rests_stays_as_is(old: Agent, new: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "_switch", lambda _desk, _unit: False)
    with pytest.raises(StoreError, match="try again"):
        new.jobs.reembed()
    assert old.recall("peanuts").hits


@pytest.mark.slow
def test_a_move_can_be_stopped(old: Agent, new: Agent) -> None:
    stop = Event()
    seen: list[tuple[int, int]] = []

    def progress(done: int, size: int) -> None:
        seen.append((done, size))
        if done >= 8:
            stop.set()

    done = moving.reembed(new._desk, "mama", progress=progress, stop=stop)
    assert not done.switched
    assert seen == [(4, 24), (8, 24)]
    assert old.recall("peanuts").hits
    assert new.jobs.reembed(on_progress=progress).embedded == 16
    assert seen[-1] == (24, 24)


def test_moving_where_the_bank_is_there_already_does_nothing(old: Agent, open_bank: Open) -> None:
    calls = moody(old).calls
    done = old.jobs.reembed()
    assert (done.switched, done.embedded, moody(old).calls) == (False, 0, calls)
    nobody = open_bank(embedder=Moody(), settings=SMALL).agent("nobody")
    assert nobody.jobs.reembed().before is None
    assert nobody._desk.store.agent_ids() == ["mama"]


@pytest.mark.slow
def test_all_agents_can_be_moved_at_once(old: Agent, new: Agent, open_bank: Open) -> None:
    other = open_bank(embedder=Moody(name="old"), settings=SMALL).agent("papa")
    other.remember("papa likes tea")
    reverie = open_bank(embedder=moody(new), settings=SMALL)
    assert [(one.agent_id, one.switched) for one in reverie.reembed()] == [("mama", True), ("papa", True)]
    assert reverie.agent("papa").recall("tea").hits


@pytest.mark.slow
def test_two_that_move_at_once_agree(old: Agent, new: Agent, open_bank: Open) -> None:
    other = open_bank(embedder=Moody(moody(new).dimensions, name="new"), settings=SMALL).agent("mama")
    at_once(new.jobs.reembed, other.jobs.reembed)
    assert as_if_born_so(open_bank, new)
    assert as_if_born_so(open_bank, other)


@pytest.mark.slow
def test_a_bank_can_move_back(old: Agent, new: Agent, open_bank: Open) -> None:
    asked = answers(old)
    new.jobs.reembed()
    again = open_bank(embedder=Moody(name="old"), settings=SMALL).agent("mama")
    assert again.jobs.reembed().switched
    assert answers(again) == asked
    assert answers(old) == asked


@pytest.mark.slow
def test_what_is_forgotten_during_a_move_leaves_no_vector(old: Agent, new: Agent) -> None:
    moody(new).left = 22
    with pytest.raises(EmbedderFailed):
        new.jobs.reembed()
    with old._desk.store.read("mama") as unit:
        there = unit.fresh.count(moody(new).id)
    old.forget(old.episodes(match="message 5")[0].id)
    old.forget(old.memories(match="fact 1")[0].id)
    with old._desk.store.read("mama") as unit:
        assert unit.fresh.count(moody(new).id) == there - 2
