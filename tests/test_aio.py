"""The async door."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest

from reverie import EmbedderMismatch, InvalidInput
from reverie.aio import AsyncReverie
from reverie.embedders.hashing import HashingEmbedder
from tests.contract.store_engines import ENGINES

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest) -> str:
    """An empty place of the test's own on each engine."""
    return ENGINES[request.param].place(request)


def test_the_async_door_is_what_its_tool_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_aio", ROOT / "tools" / "make_aio.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    sys.modules["make_aio"] = tool
    spec.loader.exec_module(tool)
    written = {path: path.read_text("utf-8") for path in (ROOT / "src" / "reverie" / "aio").glob("*.py")}
    assert written == tool.generated()


def test_the_verbs_work_from_an_event_loop(place: str) -> None:
    async def session() -> tuple[str, int, list[str], str]:
        async with await AsyncReverie.open(place, embedder=HashingEmbedder.for_tests()) as reverie:
            mama = await reverie.agent("mama", time_zone="Europe/Budapest")
            await mama.remember("Anna prefers tea", importance=0.7)
            await mama.observe(["tea, please", "no sugar"])
            found = await mama.recall("what does Anna prefer?")
            stats = await mama.stats()
            return found.hits[0].text, stats.episodes, await reverie.check(), (await mama.profile()).time_zone

    assert asyncio.run(session()) == ("Anna prefers tea", 2, [], "Europe/Budapest")


def test_the_event_loop_goes_on_while_a_verb_works(place: str) -> None:
    async def session() -> bool:
        async with await AsyncReverie.open(place, embedder=HashingEmbedder.for_tests()) as reverie:
            mama = await reverie.agent("mama")
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


def test_errors_cross_the_door_as_they_are(place: str) -> None:
    async def remember(essence: str, dimensions: int) -> None:
        embedder = HashingEmbedder.for_tests(dimensions=dimensions)
        async with await AsyncReverie.open(place, embedder=embedder) as reverie:
            await (await reverie.agent("mama")).remember(essence)

    with pytest.raises(InvalidInput, match="essence"):
        asyncio.run(remember("", 384))
    asyncio.run(remember("Anna prefers tea", 384))
    with pytest.raises(EmbedderMismatch):
        asyncio.run(remember("Anna prefers coffee", 64))
