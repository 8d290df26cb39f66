"""Calls that mypy must refuse: each error is expected where it stands, and an `ignore` without one is an error."""

from __future__ import annotations

from reverie import AsyncReverie, Reverie, Settings, SleepSettings


def wrong(reverie: Reverie) -> None:
    mama = reverie.agent("mama")
    mama.remember("tea", importance=0.7)
    mama.remember("tea", improtance=0.7)  # type: ignore[call-arg]
    mama.revise("m1", esence="tea")  # type: ignore[call-arg]
    mama.goals.add("sail", prio="high")  # type: ignore[call-arg]
    mama.recall("tea", limit="ten")  # type: ignore[arg-type]
    Settings(sleep=SleepSettings(evry=60))  # type: ignore[call-arg]


async def also(reverie: AsyncReverie) -> None:
    await reverie.agent("mama").remember("tea", improtance=0.7)  # type: ignore[call-arg]
