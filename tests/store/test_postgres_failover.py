"""Servers that take over from others: no acknowledged write is lost, who wrote is told the truth, and we go on."""

from __future__ import annotations

import threading
import time

import pytest

from bench.failover import fail_over
from reverie import StoreSettings
from reverie.errors import ReadOnly, Unreachable
from reverie.store.postgres import roles
from tests.patroni_cluster import missing_programs, patroni_cluster
from tests.postgres_fixtures import OwnServers
from tests.postgres_server import Server
from tests.store.postgres_banks import DIMENSIONS, ask, opened

pytestmark = pytest.mark.slow

FACT = "the train to the sea leaves at seven from the second platform"
WAITING = "pg_stat_activity WHERE wait_event = 'SyncRep'"
OTHER = "the boat to the island goes only on Sundays in summer"


@pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}")
def test_a_primary_that_dies_under_load_takes_no_acknowledged_write_with_it() -> None:
    with patroni_cluster() as cluster:
        seen = fail_over(cluster, writers=4, seconds=2.0)
    print(f"{seen.acknowledged} writes; without writes for {seen.without_writes_s:.1f} s")
    assert seen.lost == []
    assert seen.made == []
    assert seen.faults == []
    for writer in seen.writers:
        assert min(writer.at) < seen.killed_at, "it wrote before"
        assert max(writer.at) > seen.killed_at + seen.promoted_s, "and went on by itself"
    patient, impatient = seen.writers[:-1], seen.writers[-1]
    assert [writer.refused + writer.doubtful for writer in patient] == [[]] * len(patient)
    assert impatient.refused + impatient.doubtful, "whoever can't wait is told so"


@pytest.fixture
def server(own_postgres_server: OwnServers) -> Server:
    """A server of the test's own, prepared."""
    made = own_postgres_server(settings={"synchronous_commit": "on"})
    roles.prepare(made.url(), partitions=1, dimensions=(DIMENSIONS,))
    return made


def _set(server: Server, name: str, value: str) -> None:
    ask(server.url(), f"ALTER SYSTEM SET {name} = {value}")
    ask(server.url(), "SELECT pg_reload_conf()")


def test_a_write_that_no_standby_confirms_is_in_doubt_and_one_confirmed_late_is_made_once(
    server: Server,
) -> None:
    with opened(server.url(), store=StoreSettings(busy_timeout=0.5)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        _set(server, "synchronous_standby_names", "'absent'")
        with pytest.raises(Unreachable, match="may have been made") as unreachable:
            mama.remember(OTHER)
        assert unreachable.value.in_doubt
        assert [one.essence for one in mama.memories()] == [FACT], "nobody sees it before it is confirmed"
    with opened(server.url(), store=StoreSettings(busy_timeout=30.0)) as reverie:
        mama = reverie.agent("mama")
        back = threading.Timer(0.5, _set, (server, "synchronous_standby_names", "''"))
        back.start()
        mama.remember(FACT)
        back.join()
        assert [(one.essence, one.reinforcement_count) for one in mama.memories()] == [(FACT, 2), (OTHER, 1)]


def test_a_write_that_is_made_to_stop_waiting_for_its_standby_is_confirmed_anew(server: Server) -> None:
    """The server says that such a commit is done, and only warns that the standby may lack it."""
    with opened(server.url(), store=StoreSettings(busy_timeout=30.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        _set(server, "synchronous_standby_names", "'absent'")
        done = threading.Event()

        def write() -> None:
            mama.remember(OTHER)
            done.set()

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(2):
            while not ask(server.url(), f"SELECT pid FROM {WAITING}"):
                time.sleep(0.02)
            ask(server.url(), f"SELECT pg_cancel_backend(pid) FROM {WAITING}")
            assert not done.wait(0.3)
        _set(server, "synchronous_standby_names", "''")
        writer.join()
        assert done.is_set()
        assert [(one.essence, one.reinforcement_count) for one in mama.memories()] == [(FACT, 1), (OTHER, 1)]


def test_an_address_that_leads_to_a_standby_for_a_while_is_asked_again(server: Server) -> None:
    with opened(server.url(), store=StoreSettings(busy_timeout=30.0)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(FACT)
        _set(server, "default_transaction_read_only", "on")
        back = threading.Timer(0.7, _reset, (server,))
        back.start()
        mama.remember(OTHER)
        back.join()
        assert [one.essence for one in mama.memories()] == [FACT, OTHER]


def test_a_server_that_takes_no_writes_from_the_beginning_says_so_at_once(server: Server) -> None:
    _set(server, "default_transaction_read_only", "on")
    with opened(server.url(), store=StoreSettings(busy_timeout=60.0)) as reverie, pytest.raises(ReadOnly):
        reverie.agent("mama").remember(FACT)


def _reset(server: Server) -> None:
    ask(server.url("postgres", user="postgres"), "ALTER SYSTEM RESET default_transaction_read_only")
    ask(server.url(), "SELECT pg_reload_conf()")
