"""Processes that make the same bank at the same time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import apsw
import pytest

from reverie.store.sqlite.connection import Access, Line, connect
from reverie.store.sqlite.place import make_private
from reverie.store.sqlite.schema import migrations, recognize
from reverie.wiring.keys import file_key
from tests.crash.fleet import Fleet, Place
from tests.crash.kills import on
from tests.crash.proof import opened, prove
from tests.crash.story import Content, Step

OPEN: Step = ("open",)


@pytest.mark.parametrize("count", [2, 4])
def test_processes_that_race_for_a_first_bank_share_one_key(fleet: Fleet, fresh: Place, count: int) -> None:
    children = fleet.start(count)
    for child in children:
        child.send(on(fresh, OPEN))
    assert [child.answer() for child in children] == [{"verb": "open"}] * count
    for number, child in enumerate(children):
        child.ask("remember", number)
    for child in children:
        for number in range(count):
            assert child.ask("recall", number)["best"] == [number, 1]
    assert [path.name for path in fresh.key.parent.iterdir()] == ["key"]
    with opened(fresh) as (reverie, agent):
        prove(reverie, agent, Content().after(*(("remember", number) for number in range(count))))


class _Interrupted:
    """A connection; after its n-th call, something else happens in the world."""

    def __init__(self, connection: apsw.Connection, calls: int, happen: Callable[[], object]) -> None:
        self._connection, self._left, self._happen = connection, calls, happen

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._connection, name)
        return self._counted(value) if name in ("execute", "pragma") else value

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            answer = call(*args, **named)
            self._left -= 1
            if self._left == 0:
                self._happen()
            return answer

        return counted


@pytest.mark.parametrize("calls", range(1, 6))
def test_a_file_that_becomes_a_bank_while_it_is_opened_is_recognized(
    fleet: Fleet, fresh: Place, calls: int
) -> None:
    make_private(fresh.bank)
    access = Access(
        path=fresh.bank, key=file_key(fresh.key, make=True).raw, key_source="a test", busy_seconds=1,
        cache_mib=1, synchronous="full",
    )  # fmt: skip
    line = connect(access, writing=True)
    [other] = fleet.start()

    def happen() -> None:
        # Who looks may keep others out meanwhile; then they come later.
        answer = other.try_to("open", str(fresh.bank), str(fresh.key), 0.05)
        assert answer.get("error") in (None, "Busy")

    looked_at = cast(apsw.Connection, _Interrupted(line.connection, calls, happen))
    try:
        known = len(migrations())
        assert recognize(Line(looked_at, line.patience), access, known) in range(known + 1)
    finally:
        line.connection.close()
