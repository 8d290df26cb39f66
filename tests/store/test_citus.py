"""PostgreSQL on a cluster: how a database is spread, what lies where, and writes that touch two nodes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import psycopg
import pytest

from reverie.domain.agent import Agent
from reverie.errors import InvalidInput, StoreError
from reverie.ports.store import Unit
from reverie.store.postgres.balance import move, status
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.roles import prepare
from tests.contract.store_rows import NOW
from tests.postgres_databases import Databases
from tests.postgres_server import Server
from tests.store.postgres_banks import ask, live, opened

pytestmark = pytest.mark.slow

_WHERE = """SELECT n.nodename || ':' || n.nodeport FROM pg_dist_placement AS p JOIN pg_dist_node AS n
ON n.groupid = p.groupid AND n.noderole = 'primary'
WHERE p.shardid = get_shard_id_for_distribution_column('reverie.agents', %s::text)"""


@pytest.fixture
def bare(citus_databases: Databases) -> Iterator[str]:
    """A cluster's database with nothing of ours in it."""
    url = citus_databases.make(prepared=False)
    yield url
    citus_databases.drop(url)


@pytest.fixture
def roles(citus_databases: Databases) -> dict[str, Any]:
    """Names of roles that only one test has: of those that it makes on one node the others know nothing."""
    own = f"{citus_databases.prefix}_{secrets.token_hex(3)}"
    return {"owner_role": f"{own}_owner", "app_role": f"{own}_app"}


def test_a_cluster_must_be_asked_for_or_declined(bare: str, roles: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="--citus for that, or --no-citus"):
        prepare(bare, **roles)
    rehearsed = prepare(bare, citus=True, shards=2, dimensions=(8,), dry_run=True, **roles)
    assert "spread the tables over the cluster's nodes" in rehearsed.did
    assert ask(bare, "SELECT 1 FROM pg_namespace WHERE nspname = 'reverie'") == []
    with pytest.raises(InvalidInput, match="only a cluster has them"):
        prepare(bare, citus=False, shards=2, **roles)
    with pytest.raises(InvalidInput, match="have none"):
        prepare(bare, citus=True, partitions=2, **roles)
    assert prepare(bare, citus=False, partitions=1, dimensions=(8,), **roles).shards is None
    with pytest.raises(InvalidInput, match="made for one server"):
        prepare(bare, citus=True, **roles)


def test_a_cluster_is_prepared_from_its_coordinator_alone(
    bare: str, roles: dict[str, Any], citus_databases: Databases
) -> None:
    with pytest.raises(InvalidInput, match="it is a worker node"):
        prepare(citus_databases.node_urls(bare)[1], citus=True, **roles)
    done = prepare(bare, citus=True, shards=2, dimensions=(8,), **roles)
    assert (done.shards, done.partitions) == (2, 0)
    again = prepare(bare, dimensions=(8, 12), **roles)
    assert again.did == ("index vectors of 12 dimensions", f"give {roles['app_role']} its rights")
    with pytest.raises(InvalidInput, match="shards"):
        prepare(bare, shards=4, **roles)


def test_on_one_server_there_is_no_cluster(postgres_database: str) -> None:
    with pytest.raises(InvalidInput, match="made for one server"):
        prepare(postgres_database, citus=True)
    found = status(postgres_database)
    assert (found.shards, found.nodes, found.busiest, found.uneven) == (None, (), None, ())
    assert found.bytes > 0
    with pytest.raises(InvalidInput, match="on one server"):
        move(postgres_database, "mama")


def test_every_table_is_spread_and_an_agents_rows_lie_together(citus_database: str) -> None:
    with opened(citus_database) as reverie:
        live(reverie, "mama")
    kinds = ask(
        citus_database,
        "SELECT DISTINCT citus_table_type, colocation_id > 0, table_name = 'meta'::regclass FROM citus_tables",
    )
    assert sorted(kinds) == [("distributed", True, False), ("reference", True, True)]
    colocated = (
        "SELECT count(DISTINCT colocation_id) FROM citus_tables WHERE citus_table_type = 'distributed'"
    )
    assert ask(citus_database, colocated) == [(1,)]


def test_shards_asked_by_their_own_names_show_own_rows_alone(
    citus_database: str, citus_databases: Databases
) -> None:
    with opened(citus_database) as reverie:
        for agent_id in ("mama", "papa"):
            live(reverie, agent_id)
    shards = [name for (name,) in ask(citus_database, "SELECT shard_name FROM citus_shards WHERE table_name::text"
                                      " IN ('memories', 'episodes', 'audit')")]  # fmt: skip
    ((role,),) = ask(citus_database, "SELECT value FROM meta WHERE key = 'app_role'")
    seen = set()
    for node in citus_databases.node_urls(citus_database)[1:]:
        with psycopg.connect(node, autocommit=True) as connection:
            connection.execute(f"SET ROLE {role}".encode())
            connection.execute("SET reverie.agent = 'mama'")
            for shard in shards:
                try:
                    rows = connection.execute(f"SELECT DISTINCT agent_id FROM {shard}".encode()).fetchall()
                except psycopg.errors.UndefinedTable:  # it lies on the other node
                    continue
                seen |= set(rows)
    assert seen == {("mama",)}


@pytest.fixture
def own_database(citus_databases: Databases) -> Iterator[str]:
    """A prepared database whose shards a test may change."""
    url = citus_databases.make()
    yield url
    citus_databases.drop(url)


def test_status_tells_sizes_and_a_huge_agent_moves_with_all_its_rows(own_database: str) -> None:
    with opened(own_database) as reverie:
        for agent_id in ("mama", "papa"):
            live(reverie, agent_id)
        before = reverie.agent("mama").memories(deep=True, limit=100)
        found = status(own_database)
        assert (found.agents, {share.agent_id for share in found.largest}) == (2, {"mama", "papa"})
        assert sum(node.bytes for node in found.nodes) == found.bytes > 0
        ((here,),) = ask(own_database, _WHERE, "mama")
        (other,) = {node.node for node in found.nodes} - {here}
        done = move(own_database, "mama", to=other)
        assert (done.source, done.target, ask(own_database, _WHERE, "mama")) == (here, other, [(other,)])
        again = move(own_database, "mama", to=other)
        assert (again.shard, again.source, again.target) == (done.shard, other, other)
        assert reverie.agent("mama").memories(deep=True, limit=100) == before
        reverie.agent("mama").remember("Mama has moved to another house")
        assert reverie.agent("mama").recall("where has mama moved?").hits
    with pytest.raises(InvalidInput, match="there is no agent"):
        move(own_database, "nobody")
    with pytest.raises(InvalidInput, match="no node of the cluster"):
        move(own_database, "mama", to="nowhere:1")


def test_a_write_of_two_agents_on_two_nodes_is_whole_whichever_dies(
    own_citus_cluster: tuple[str, list[Server]],
) -> None:
    """What a neural link writes: both banks or none, and once."""
    url, servers = own_citus_cluster
    one, other = _apart(url)
    store = PostgresStore(url, busy_seconds=60.0)
    for agent_id in (one, other):
        with store.write(agent_id) as unit:
            unit.agents.put(Agent(id=agent_id, time_zone="UTC", created_at=NOW), b"secret")
    acknowledged: list[str] = []
    for victim in servers:
        _kill_while_writing(store, one, other, victim, acknowledged)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT recover_prepared_transactions()")
    counted = []
    for agent_id in (one, other):
        with store.read(agent_id) as unit:
            counted.append(dict(unit.counters.all()))
    store.close()
    assert counted[0] == counted[1]
    assert set(counted[0].values()) == {1}
    assert set(acknowledged) <= set(counted[0])
    assert len(acknowledged) > len(servers)


def _apart(url: str) -> Sequence[str]:
    """Names of two agents that lie on two nodes."""
    found: dict[str, str] = {}
    for number in range(50):
        ((node,),) = ask(url, _WHERE, f"agent{number}")
        found.setdefault(node, f"agent{number}")
    return list(found.values())[:2]


def _kill_while_writing(
    store: PostgresStore, one: str, other: str, victim: Server, acknowledged: list[str]
) -> None:
    first, ended, first_written = len(acknowledged), threading.Event(), threading.Event()

    def count(name: str, ours: Unit, theirs: Unit) -> None:
        ours.counters.add({name: 1})
        theirs.counters.add({name: 1})

    def write() -> None:
        number = first
        while not ended.is_set():
            number += 1
            name = f"{victim.folder.name}-{number}"
            try:
                store.transact_both(one, other, partial(count, name))
            except StoreError:
                continue  # it was made or wasn't: the banks must agree
            acknowledged.append(name)
            if len(acknowledged) > first + 10:
                first_written.set()

    writing = threading.Thread(target=write)
    writing.start()
    assert first_written.wait(60)
    victim.kill()
    victim.start()
    so_far = len(acknowledged)
    waited = threading.Event()
    for _ in range(600):
        if len(acknowledged) > so_far + 3:
            break
        waited.wait(0.1)
    ended.set()
    writing.join(90)
    assert not writing.is_alive()
    assert len(acknowledged) > so_far + 3, "it goes on by itself once the node is back"
