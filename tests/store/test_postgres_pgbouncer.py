"""Banks through a real PgBouncer in transaction mode: any transaction may get any of a few connections."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from reverie import Reverie, StoreSettings
from reverie.errors import InvalidInput, StoreError
from reverie.store.postgres import roles, scour
from tests.pgbouncer import MISSING, pgbouncer
from tests.postgres_keeper import own_server
from tests.store.postgres_banks import DIMENSIONS, ask, live, opened, store_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING, reason="PgBouncer isn't installed")]

APP, AGENTS, TEXTS = "reverie_app", 5, 6


class Pooled:
    """A prepared database, reached past the pooler (as superuser) and by way of it."""

    def __init__(self, direct: str, port: int) -> None:
        self.direct = direct
        self.admin, self.app = (
            f"postgresql://{user}@127.0.0.1:{port}/postgres" for user in ("postgres", APP)
        )


@pytest.fixture(scope="module")
def pooled() -> Iterator[Pooled]:
    with own_server() as server:
        roles.prepare(server.url(), partitions=1, dimensions=(DIMENSIONS,))
        with pgbouncer(server, ["postgres", APP]) as port:
            yield Pooled(server.url(), port)


def _live_together(clients: list[Reverie], names: list[str]) -> None:
    """Every agent writes and reads over all clients in turn, all agents at once."""

    def one(name: str) -> None:
        for number in range(TEXTS):
            agent = clients[number % len(clients)].agent(name)
            agent.remember(f"{number} is the number of the house of {name} in street {number}")
            agent.observe(f"message {number} to {name}")
            assert all(
                name in hit.text for hit in agent.recall("the number of the house", min_score=0.0).hits
            )
            assert agent.stats().memories == number + 1

    with ThreadPoolExecutor(len(names)) as threads:
        for done in [threads.submit(one, name) for name in names]:
            done.result(timeout=120)


@pytest.mark.parametrize("user", ["admin", "app"])
def test_agents_of_many_clients_share_few_connections_and_see_their_own(pooled: Pooled, user: str) -> None:
    url = getattr(pooled, user)
    names = [f"{user}-{number}" for number in range(AGENTS)]
    clients = [opened(url, store=StoreSettings(connections=4)) for _ in range(3)]
    assert all(client.info().engine == "postgres" for client in clients)
    _live_together(clients, names)
    for name in names:
        kept = [one.essence for one in clients[0].agent(name).memories()]
        assert len(kept) == TEXTS
        assert all(f"of {name} in" in text for text in kept)
    assert [*clients[0].check()] == []
    ((count,),) = ask(
        pooled.direct, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reverie'"
    )
    assert count <= 2 * 3
    for client in clients:
        client.close()


def test_nothing_of_an_agent_or_an_error_is_left_on_a_shared_connection(pooled: Pooled) -> None:
    with opened(pooled.app) as reverie:
        live(reverie, "mama")
        live(reverie, "papa")
        store = store_of(reverie)
        for break_it in ("SELECT 1 / 0", "SELECT essence FROM nowhere", "UPDATE memories SET essence = ''"):
            with pytest.raises(StoreError), store.reader("mama") as session:
                session.run(break_it)
            with pytest.raises(StoreError), store.write("mama") as unit:
                unit.executor.run("SELECT 1 / 0")
        for _ in range(12):  # more often than there are connections
            with store.reader(None) as session:
                assert session.run("SELECT count(*) FROM memories") == [(0,)]
            with store.reader("papa") as session:
                assert session.run("SELECT DISTINCT agent_id FROM memories") == [("papa",)]
    with psycopg.connect(pooled.app, autocommit=True, prepare_threshold=None) as stranger:
        for _ in range(12):
            row = stranger.execute("SELECT coalesce(current_setting('reverie.agent', true), '')").fetchone()
            assert row == ("",)


def test_servers_connections_that_are_killed_are_replaced(pooled: Pooled) -> None:
    with opened(pooled.app) as reverie:
        mama = reverie.agent("killed")
        for number in range(6):
            ask(
                pooled.direct,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reverie_app'",
            )
            mama.remember(f"{number} is the number of the house in street {number} of town {number}")
            assert mama.recall("the number of the house", min_score=0.0).hits
        assert mama.stats().memories == 6


def test_what_needs_the_server_itself_says_so(pooled: Pooled) -> None:
    with pytest.raises(InvalidInput, match="pooler"):
        roles.prepare(pooled.admin)
    with pytest.raises(InvalidInput, match="pooler"):
        scour.scour(pooled.admin)
