"""Servers that stop and networks that break: no acknowledged write is lost, none is made twice, and we go on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie import Agent, Reinforced, Reverie, StoreSettings
from reverie.domain.address import masked
from reverie.errors import AccessRefused, Unreachable
from reverie.ports.store import Unit
from reverie.store.postgres import roles
from reverie.store.postgres.engine import PostgresStore
from tests.contract.store_rows import a_memory, keep, settle
from tests.postgres_databases import Databases
from tests.postgres_fixtures import OwnServers
from tests.store.postgres_banks import DIMENSIONS, ask, opened, store_of
from tests.store.postgres_proxy import Proxy, Side, proxy_to
from tests.store.postgres_writer import REPEATED

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COMMIT = b"INTO writes"
"""Stands in what is sent with a write's COMMIT, and with no other."""
SIDES: list[Side] = ["before", "after"]
FACT = "the train to the sea leaves at seven from the second platform"


def test_a_server_that_dies_loses_no_acknowledged_write(
    own_postgres_server: OwnServers,
) -> None:
    server = own_postgres_server(settings={"synchronous_commit": "on"})
    roles.prepare(server.url(), partitions=2, dimensions=(DIMENSIONS,))
    with subprocess.Popen(
        [sys.executable, "-m", "tests.store.postgres_writer", server.url()], cwd=ROOT, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as writer:  # fmt: skip
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stderr is not None
        lines: list[str] = []
        failures: list[Callable[[], None]] = [
            lambda: server.stop("immediate"), server.kill, lambda: server.stop("fast"),
        ]  # fmt: skip
        for fail in failures:
            _read(writer.stdout, lines, 14)
            fail()
            server.start()
        _read(writer.stdout, lines, 14)
        writer.stdin.close()
        lines += (
            writer.stdout.read().splitlines()
        )  # communicate() would skip what readline() has already buffered
        errors = writer.stderr.read()
        assert writer.wait() == 0, errors
    told = {
        what: [int(line.split()[1]) for line in lines if line.startswith(what)]
        for what in ("said", "kept", "again")
    }
    with opened(server.url()) as reverie:
        mama = reverie.agent("mama")
        said = [one.content for one in mama.episodes(limit=1000)]
        assert sorted(said) == sorted(f"message {number}" for number in told["said"])
        kept = [one for one in mama.memories(limit=1000) if one.essence != REPEATED]
        assert sorted(int(one.essence.split()[0]) for one in kept) == sorted(told["kept"])
        assert {one.reinforcement_count for one in kept} == {1}
        (repeated,) = [one for one in mama.memories(limit=1000) if one.essence == REPEATED]
        assert repeated.reinforcement_count == 1 + len(told["again"])
        found = sum(line.startswith("found") for line in lines)
        assert repeated.touches == found + len(told["again"])  # a repetition touches, too
        assert [*reverie.check()] == []


def _read(stream: object, lines: list[str], count: int) -> None:
    for _ in range(count):
        line = stream.readline()  # type: ignore[attr-defined]
        assert line, "the writer has ended"
        lines.append(line.strip())


@pytest.fixture
def proxy(postgres_database: str) -> Iterator[Proxy]:
    with proxy_to(postgres_database) as made:
        yield made


@pytest.fixture
def reverie(proxy: Proxy) -> Iterator[Reverie]:
    """Banks by way of the proxy; mama knows FACT, which was said, and has a memory to be forgotten."""
    with opened(proxy.url, store=StoreSettings(busy_timeout=10.0)) as made:
        mama = made.agent("mama")
        mama.observe({"content": FACT, "ref": "r1"})
        mama.remember(FACT)
        yield made


def _reinforce(mama: Agent) -> None:
    assert isinstance(mama.remember(FACT), Reinforced)


def _insert(mama: Agent) -> None:
    mama.remember("the boat to the island goes only on Sundays in summer")


def _observe(mama: Agent) -> None:
    assert mama.observe(["one more", {"content": "and another", "ref": "r2"}]).stored == 2


def _revise(mama: Agent) -> None:
    assert mama.revise(mama.memories()[0].id, essence="the bus to the sea leaves at nine").version == 2


def _forget(mama: Agent) -> None:
    assert mama.forget(mama.memories()[0].id).memories


def _profile(mama: Agent) -> None:
    mama.set_profile(time_zone="Europe/Lisbon")


def _touch(mama: Agent) -> None:
    assert mama.recall(FACT).hits
    mama._desk.touches.flush()


VERBS = [_reinforce, _insert, _observe, _revise, _forget, _profile, _touch]


def _effects(mama: Agent) -> tuple[object, ...]:
    """What a verb done twice would change twice."""
    stats = mama.stats()
    return (
        sorted(
            (one.essence, one.reinforcement_count, one.version, one.touches)
            for one in mama.memories(deep=True)
        ),
        sorted(one.content for one in mama.episodes()),
        [(entry.action, entry.before is None) for entry in mama.audit()],
        (stats.rev, stats.memories, stats.episodes, stats.pending_touches),
        [room.episodes for room in mama.conversations()],
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("verb", VERBS)
def test_a_write_broken_at_the_commit_has_one_effect(
    proxy: Proxy, reverie: Reverie, postgres_database: str, verb: Callable[[Agent], None], side: Side
) -> None:
    proxy.cut(COMMIT, side)
    verb(reverie.agent("mama"))
    assert proxy.cuts == 1
    with opened(postgres_database) as direct:
        papa = direct.agent("papa")  # the same life without a break
        papa.observe({"content": FACT, "ref": "r1"})
        papa.remember(FACT)
        verb(papa)
        assert _effects(direct.agent("mama")) == _effects(papa)


def test_an_unconfirmed_write_says_that_it_is_in_doubt(proxy: Proxy, postgres_database: str) -> None:
    with opened(proxy.url, store=StoreSettings(busy_timeout=1.0, connect_timeout=1.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        proxy.cut(COMMIT, "after")
        proxy.cut_then_away = True
        with pytest.raises(Unreachable, match="may have been made") as unreachable:
            mama.remember(FACT)
        assert unreachable.value.in_doubt
        proxy.come_back()
        assert mama.memories()[0].reinforcement_count == 2


def test_touches_whose_commit_is_in_doubt_are_not_counted_twice(proxy: Proxy) -> None:
    with opened(proxy.url, store=StoreSettings(busy_timeout=1.0, connect_timeout=1.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        assert mama.recall(FACT).hits
        proxy.cut(COMMIT, "after")
        proxy.cut_then_away = True
        with pytest.raises(Unreachable):
            reverie._desk.touches.flush()
        proxy.come_back()
        assert mama.stats().pending_touches == 0
        assert mama.memories()[0].touches == 1


def test_a_refused_commit_is_not_in_doubt(postgres_databases: Databases) -> None:
    url = postgres_databases.make()
    ((app_role,),) = ask(url, "SELECT value FROM meta WHERE key = 'app_role'")
    with opened(url) as reverie:
        reverie.agent("mama").remember(FACT)
        ask(url, f'REVOKE INSERT ON writes FROM "{app_role}"')
        with pytest.raises(AccessRefused):
            reverie.agent("mama").remember(FACT)
        assert reverie.agent("mama").memories()[0].reinforcement_count == 1
    postgres_databases.drop(url)


def test_a_unit_of_work_whose_connection_breaks_is_undone(proxy: Proxy) -> None:
    store = PostgresStore(proxy.url, busy_seconds=10.0)

    def work(unit: Unit) -> None:
        settle(unit)
        proxy.go_away()
        keep(unit, a_memory("m1"))

    with pytest.raises(Unreachable), store.write("mama") as unit:
        work(unit)
    proxy.come_back()
    assert store.agent_ids() == []
    store.close()


READS: list[Callable[[Agent], object]] = [
    lambda mama: mama.recall(FACT).hits[0].text,
    lambda mama: mama.recall_episodes(FACT).hits[0].text,
    lambda mama: mama.memories()[0].essence,
    lambda mama: mama.episodes()[0].content,
    lambda mama: mama.get(mama.memories()[0].id).essence,  # type: ignore[union-attr]
    lambda mama: mama.portrait(mama.memories()[0].id).memory.essence,
    lambda mama: mama.stats().memories and FACT,
    lambda mama: mama.profile.id and FACT,
    lambda mama: mama.conversations() and FACT,
    lambda mama: mama.audit() is not None and FACT,
]


@pytest.mark.parametrize(
    "words", [b"FROM memories", b"FROM episodes", b"FROM agents", b"reverie.agent", b"FROM conv"]
)
def test_a_broken_read_is_read_again(proxy: Proxy, reverie: Reverie, words: bytes) -> None:
    before = proxy.cuts
    for read in READS:
        proxy.cut(words, "before")
        assert read(reverie.agent("mama")) == FACT
    assert proxy.cuts > before


def test_a_recall_during_an_outage_waits_for_the_server(proxy: Proxy, reverie: Reverie) -> None:
    proxy.go_away()
    back = threading.Timer(0.7, proxy.come_back)
    back.start()
    assert reverie.agent("mama").recall(FACT).hits
    back.join()


def test_an_absent_server_is_unreachable_and_hides_the_password(proxy: Proxy) -> None:
    with opened(proxy.url, store=StoreSettings(busy_timeout=0.3, connect_timeout=1.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        proxy.go_away()
        for act in (lambda: mama.recall(FACT), lambda: mama.remember(FACT), reverie.agents, reverie.info):
            with pytest.raises(Unreachable) as unreachable:
                act()
            assert str(unreachable.value) == masked(str(unreachable.value))
        proxy.come_back()
        assert mama.recall(FACT).hits


def test_after_a_long_outage_the_server_is_noticed_at_once(proxy: Proxy) -> None:
    """The pool's own pauses between two tries would have grown to seconds by then."""
    with opened(proxy.url, store=StoreSettings(busy_timeout=1.0, connect_timeout=1.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        proxy.go_away()
        until = time.monotonic() + 3.3
        while time.monotonic() < until:
            with pytest.raises(Unreachable):
                mama.memories()
        proxy.come_back()
        assert mama.recall(FACT).hits


def test_connections_that_broke_at_rest_disturb_nobody(proxy: Proxy) -> None:
    store = PostgresStore(proxy.url, connections=4, busy_seconds=10.0)
    held = [store.reader("mama") for _ in range(3)]
    for one in held:
        one.__enter__()
    for one in held:
        one.__exit__(None, None, None)
    proxy.go_away()
    proxy.come_back()
    with store.write("mama") as unit:
        settle(unit)
    with store.read("mama") as unit:
        assert unit.agents.get() is not None
    store.close()


def test_closing_during_an_outage_ends(proxy: Proxy) -> None:
    reverie = opened(proxy.url, store=StoreSettings(busy_timeout=0.5, connect_timeout=1.0))
    mama = reverie.agent("mama")
    mama.remember(FACT)
    mama.recall(FACT)
    store_of(reverie).look_after("mama", "memories")
    proxy.go_away()
    reverie.close()
    assert threading.active_count() < 50
    assert not [one for one in threading.enumerate() if one.name.startswith(("reverie-indexer", "pool-"))]
