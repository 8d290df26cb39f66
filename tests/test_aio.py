"""The asynchronous door and its worker."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator

import pytest

from reverie import Agent, Attended, EmbedderMismatch, InvalidInput, Reverie
from reverie.agent import facets, items, jobs
from reverie.agent.base import Base
from reverie.aio import AsyncAgent, AsyncReverie, client, twins
from reverie.embedders.hashing import HashingEmbedder
from reverie.worker import AsyncWorker, Worker
from tests.contract.store_engines import ENGINES

FACETS = [
    kind
    for room in (facets, items, jobs)
    for kind in vars(room).values()
    if isinstance(kind, type) and issubclass(kind, Base) and kind is not Base
]
KINDS = [Reverie, Agent, facets.Room, *FACETS]


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest) -> str:
    """An empty place of the test's own on each engine."""
    return ENGINES[request.param].place(request)


def _opened(place: str, dimensions: int = 384) -> client.Opening:
    return AsyncReverie.open(place, embedder=HashingEmbedder.for_tests(dimensions=dimensions))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_verb_has_a_twin_with_its_parameters(kind: type) -> None:
    twin = getattr(client, f"Async{kind.__name__}")
    for name, function in inspect.getmembers(kind):
        if name.startswith("_"):
            continue
        other = inspect.getattr_static(twin, name)
        if kind is Reverie and name == "open":
            continue  # it passes on what it gets
        if isinstance(function, property):
            assert isinstance(other, property) or inspect.iscoroutinefunction(other)
            continue
        waits_for_nothing = (kind is Reverie and name in ("agent", "room")) or (
            kind is Agent and name == "wrap"
        )
        assert inspect.iscoroutinefunction(other) or inspect.isasyncgenfunction(other) or waits_for_nothing
        assert [*inspect.signature(other).parameters] == [*inspect.signature(function).parameters]


def test_the_verbs_work_from_an_event_loop(place: str) -> None:
    async def session() -> tuple[str, int, list[str]]:
        async with _opened(place) as reverie:
            mama = reverie.agent("mama")
            await mama.remember("Anna prefers tea", importance=0.7)
            await mama.observe(["tea, please", "no sugar"])
            found = await mama.recall("what does Anna prefer?")
            stats = await mama.stats()
            faults = [fault async for fault in reverie.check()]
            return found.hits[0].text, stats.episodes, faults

    assert asyncio.run(session()) == ("Anna prefers tea", 2, [])


def test_a_profile_is_set_before_the_first_awaited_verb(place: str) -> None:
    async def session() -> None:
        async with _opened(place) as reverie:
            mama = reverie.agent("mama", time_zone="Europe/Budapest", principals=["Anna"], home="Győr")
            assert (mama.id, [*await reverie.agents()]) == ("mama", [])  # nothing is written yet
            await asyncio.gather(mama.soul.list(), mama.goals.list(), mama.stats())
            profile = await reverie.agent("mama").profile()
            assert (profile.time_zone, profile.principals, profile.home) == (
                "Europe/Budapest", ("Anna",), "Győr",
            )  # fmt: skip
            await mama.set_profile(home="Vienna")
            assert (await mama.profile()).home == "Vienna"  # it was set once, not again

    asyncio.run(session())


def test_a_wrong_profile_refuses_every_verb(place: str) -> None:
    async def session() -> None:
        async with _opened(place) as reverie:
            mama = reverie.agent("mama", time_zone="Mars")
            for _ in range(2):
                with pytest.raises(InvalidInput, match="time_zone"):
                    await mama.remember("Anna prefers tea")
            assert not await reverie.agents()

    asyncio.run(session())


def test_the_event_loop_goes_on_while_a_verb_works(place: str) -> None:
    async def session() -> bool:
        async with _opened(place) as reverie:
            mama = reverie.agent("mama")
            loop = asyncio.get_running_loop()
            seen: list[int] = []

            def progress(done: int, _every: int) -> None:
                # Runs in the worker thread: it waits until the loop has answered.
                asyncio.run_coroutine_threadsafe(answer(), loop).result(timeout=30)
                seen.append(done)

            async def answer() -> None:
                await asyncio.sleep(0)

            await mama.observe([f"message {number}" for number in range(600)], on_progress=progress)
            return len(seen) > 1

    assert asyncio.run(session())


def test_streams_yield_what_the_verbs_list(place: str) -> None:
    async def session() -> None:
        async with _opened(place) as reverie:
            mama = reverie.agent("mama")
            await mama.observe([f"message {number}" for number in range(230)])
            await mama.remember("Anna prefers tea")
            usual = mama.inner
            assert [one async for one in mama.episodes()] == [*usual.episodes(limit=1_000)]
            assert [one async for one in mama.episodes(limit=7)] == [*usual.episodes(limit=7)]
            with pytest.raises(InvalidInput, match="limit"):
                [one async for one in mama.episodes(limit=0)]
            assert [one async for one in mama.audit(newest_first=True)] == [
                *usual.audit(limit=1_000, newest_first=True)
            ]
            copied = await reverie.agent("papa").import_bank(mama.export())
            assert copied.counts["episode"].added == 230
            assert [one.content async for one in reverie.agent("papa").episodes()] == [
                one.content for one in usual.episodes(limit=1_000)
            ]

    asyncio.run(session())


def test_a_stream_makes_only_what_is_read() -> None:
    made: list[int] = []
    closed: list[bool] = []

    def counting(_: object) -> Iterator[int]:
        try:
            for number in range(10_000):
                made.append(number)
                yield number
        finally:
            closed.append(True)

    async def session() -> None:
        numbers = twins.stream(counting)(twins.Twin(lambda: None))
        async for number in numbers:
            if number == 3:
                break
        await numbers.aclose()

    asyncio.run(session())
    assert len(made) < 1_000
    assert closed == [True]


def test_a_bank_may_be_awaited_and_closed_by_hand(place: str) -> None:
    async def session() -> int:
        reverie = await _opened(place)
        await reverie.agent("mama").observe("hello")
        count = (await reverie.agent("mama").stats()).episodes
        await reverie.close()
        return count

    assert asyncio.run(session()) == 1


def test_errors_cross_the_door_as_they_are(place: str) -> None:
    async def remember(text: str, dimensions: int) -> None:
        async with _opened(place, dimensions) as reverie:
            await reverie.agent("mama").remember(text)

    with pytest.raises(InvalidInput, match="essence"):
        asyncio.run(remember("", 384))
    asyncio.run(remember("Anna prefers tea", 384))
    with pytest.raises(EmbedderMismatch):
        asyncio.run(remember("Anna prefers coffee", 64))


def test_the_worker_of_each_door_refuses_the_other(place: str) -> None:
    async def session() -> None:
        async with _opened(place) as reverie:
            with pytest.raises(InvalidInput, match="AsyncWorker"):
                Worker(reverie)  # type: ignore[arg-type]  # on purpose
            with pytest.raises(InvalidInput, match="use Worker"):
                AsyncWorker(reverie.inner)  # type: ignore[arg-type]  # on purpose

    asyncio.run(session())


def test_the_asynchronous_worker_reads_what_is_observed(place: str) -> None:
    async def session() -> tuple[bool, bool]:
        async with _opened(place) as reverie:
            rounds: asyncio.Queue[Attended] = asyncio.Queue()
            async with AsyncWorker(reverie, every=0.01, on_round=rounds.put_nowait) as worker:
                await reverie.agent("mama").observe(
                    ["I moved to Lisbon last week", "I work as a nurse there"]
                )
                done = await asyncio.wait_for(rounds.get(), 60)
                assert worker.is_running
            return bool(done), worker.is_running

    assert asyncio.run(session()) == (True, False)


def test_an_agent_knows_its_id_and_a_room_its_members(place: str) -> None:
    async def session() -> None:
        async with _opened(place) as reverie:
            plaza = reverie.room("plaza", ["nova", "kade"])
            await plaza.say("nova", "The ferry leaves at six")
            assert (plaza.id, plaza.members) == ("plaza", ("nova", "kade"))
            kade = reverie.agent("kade")
            assert isinstance(kade, AsyncAgent)
            assert [one.speaker for one in await kade.society.history(with_="nova")] == ["nova"]
            assert kade.id == "kade"

    asyncio.run(session())
