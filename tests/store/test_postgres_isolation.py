"""Row-level security: whatever SQL our role sends, it reaches the rows of the transaction's agent and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from reverie.domain.change import Spent
from reverie.errors import AccessRefused, StoreError
from reverie.ports.store import Unit
from reverie.store.postgres import indexing, near, postings
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.session import Session
from tests.contract.store_rows import NOW, after, upkeep, vectors
from tests.store.postgres_banks import DIMENSIONS, PARTITIONS, TABLES, ask, live, opened, store_of

AGENTS = ("mama", "papa")


@dataclass(frozen=True)
class Banks:
    """mama's and papa's, alike and with rows in every table; ``store`` works as the application's role.

    ``nodes``: the database on each node of a cluster, or the one server; ``refused``: what refuses an act that no
    application may do. A cluster refuses some before it comes to rights.
    """

    url: str
    nodes: tuple[str, ...]
    refused: type[StoreError]
    store: PostgresStore
    tables: tuple[tuple[str, str], ...]

    def as_mama(self, sql: str, *params: object) -> list[tuple[object, ...]]:
        """The rows of one statement in a transaction of mama's, which is undone."""
        return self.attempt("mama", sql, *params)

    def attempt(self, agent_id: str, sql: str, *params: object) -> list[tuple[object, ...]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Session, "commit", lambda session, key=None: None)
            with self.store._aside(agent_id) as session:
                return session.run(sql, params)

    def counts(self) -> dict[tuple[str, str], int]:
        """How many rows each agent has in each table, as the owner sees it."""
        counted = " UNION ALL ".join(
            f"SELECT '{table}', '{agent_id}', (SELECT count(*) FROM {table} WHERE {column} = '{agent_id}')"
            for table, column in self.tables
            for agent_id in AGENTS
        )
        return {(table, agent_id): count for table, agent_id, count in ask(self.url, counted)}


BY_NODES = [pytest.param(node, marks=pytest.mark.slow) for node in ("coordinator", "worker")]


@pytest.fixture(scope="module", params=["server", *BY_NODES])
def banks(request: pytest.FixtureRequest) -> Iterator[Banks]:
    """On one server, and on a cluster by way of each of its kinds of nodes."""
    alone = request.param == "server"
    databases = request.getfixturevalue("postgres_databases" if alone else "citus_databases")
    url = databases.make()
    by = databases.node_urls(url)[1] if request.param == "worker" else url
    with pytest.MonkeyPatch.context() as patch, opened(by) as reverie:
        patch.setattr(near, "EXACT_ROWS", 0)
        patch.setattr(indexing, "EXACT_ROWS", 0)
        patch.setattr(postings, "PIECE", 10)
        for agent_id in AGENTS:
            live(reverie, agent_id)
            ask(url, "INSERT INTO copies VALUES (%s, 'x', 1, 'someone', 0)", agent_id)
        store = store_of(reverie)
        for agent_id in AGENTS:
            with store.write(agent_id) as unit:
                upkeep(unit, unit.conversations.list(limit=1)[0].id)
                _caches(unit)
        store.catch_up()
        yield Banks(
            url,
            tuple(databases.node_urls(url)),
            AccessRefused if alone else StoreError,
            store,
            tuple((table, column) for table, column in ask(url, TABLES)),
        )
    databases.drop(url)


def _caches(unit: Unit) -> None:
    """Rows in the tables of what is not copied."""
    assert unit.jobs.take("sleep", "somebody", now=NOW, until=after(hours=1))
    unit.usage.add(NOW, Spent(calls=1))
    unit.portraits.put({"facts": "a portrait"}, NOW)
    unit.nights.put("night", NOW, "{}")
    rows = unit.fresh.missing("another", "memories", limit=1)
    unit.fresh.put("another", "memories", [(id, text, vectors(1)[0]) for id, text in rows])


def _columns(banks: Banks, table: str) -> list[str]:
    return [
        name
        for (name,) in ask(
            banks.url,
            "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND attgenerated = '' AND NOT attisdropped ORDER BY attnum",
            table,
        )
    ]


def test_every_table_holds_rows_of_both_agents(banks: Banks) -> None:
    assert len(banks.tables) >= 26
    assert [place for place, count in banks.counts().items() if not count] == []


def test_without_an_agent_there_is_no_row_in_any_table(banks: Banks) -> None:
    with banks.store.reader(None) as session:
        seen = {table: session.run(f"SELECT count(*) FROM {table}")[0][0] for table, _ in banks.tables}
    assert seen == dict.fromkeys(seen, 0)


def test_a_statement_without_filter_reaches_own_rows_alone(banks: Banks) -> None:
    counts = banks.counts()
    for table, column in banks.tables:
        own = [("mama",)] * counts[table, "mama"]
        assert banks.as_mama(f"SELECT {column} FROM {table}") == own, table
        assert banks.as_mama(f"SELECT 1 FROM {table} WHERE {column} = 'papa' OR {column} <> 'mama'") == []
        assert banks.as_mama(f"DELETE FROM {table} RETURNING {column}") == own, table
        assert banks.as_mama(f"UPDATE {table} SET {column} = {column} RETURNING {column}") == own, table
    assert banks.counts() == counts


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO {table} ({columns}) SELECT {as_papas} FROM {table}",
        "INSERT INTO {table} ({columns}) SELECT {as_papas} FROM {table} ON CONFLICT DO NOTHING",
        "INSERT INTO {table} ({columns}) SELECT {as_strangers} FROM {table} RETURNING *",
        (
            "INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} ON CONFLICT ({key})"
            " DO UPDATE SET {column} = 'papa'"
        ),
        "UPDATE {table} SET {column} = 'papa'",
        "UPDATE {table} SET {column} = NULL",
        "MERGE INTO {table} USING (VALUES (1)) AS one ON true WHEN MATCHED THEN UPDATE SET {column} = 'papa'",
    ],
)
def test_no_row_can_be_given_to_another_agent(banks: Banks, statement: str) -> None:
    for table, column in banks.tables:
        columns = _columns(banks, table)
        key = ask(
            banks.url,
            "SELECT string_agg(quote_ident(a.attname), ', ') FROM pg_index x JOIN pg_attribute a"
            " ON a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey)"
            " WHERE x.indrelid = %s::regclass AND indisprimary",
            table,
        )[0][0]
        others = [name for name in columns if name != column]
        text = statement.format(
            table=table, column=column, key=key, columns=", ".join([column, *others]),
            as_papas=", ".join(["'papa'", *others]), as_strangers=", ".join(["'nobody yet'", *others]),
        )  # fmt: skip
        with pytest.raises(StoreError) as refused:
            banks.as_mama(text)
        # A conflict's row can't move to another partition, whoever asks; that comes before the policy.
        moved = isinstance(refused.value.__cause__, psycopg.errors.FeatureNotSupported)
        assert isinstance(refused.value, banks.refused) or moved, table
    assert banks.attempt("nobody yet", "SELECT 1 FROM memories") == []


def test_a_refusal_doesnt_tell_whether_an_id_is_taken(banks: Banks) -> None:
    """So nobody learns by a collision which ids another agent has."""
    insert = "INSERT INTO tombstones (agent_id, digest, at) VALUES ('papa', ?, 0)"
    ((taken,),) = ask(banks.url, "SELECT digest FROM tombstones WHERE agent_id = 'papa' LIMIT 1")
    said = []
    for digest in (taken, b"free"):
        with pytest.raises(AccessRefused) as refused:
            banks.as_mama(insert, digest)
        said.append(str(refused.value))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "act", ["SELECT 1 FROM {}", "DELETE FROM {}", "TRUNCATE {}", "LOCK TABLE {}", "TABLE {}"]
)
def test_partitions_cant_be_asked_by_their_own_names(banks: Banks, act: str) -> None:
    partitions = ask(banks.url, PARTITIONS)
    if len(banks.nodes) > 1:
        pytest.skip("the tables of a cluster have none; of shards: test_citus.py")
    assert len(partitions) >= 8
    for (partition,) in partitions:
        with pytest.raises(AccessRefused):
            banks.as_mama(act.format(partition))


def test_the_owners_functions_are_those_that_cross_agents(banks: Banks) -> None:
    functions = ask(
        banks.url,
        "SELECT proname::text, proconfig::text LIKE '%%search_path=pg_catalog, pg_temp%%' FROM pg_proc"
        " WHERE pronamespace = 'reverie'::regnamespace AND prosecdef ORDER BY 1",
    )
    names = ("dead_jobs", "due_agents", "due_counts", "known_agents")
    assert functions == [(name, True) for name in names]


def test_a_word_of_another_agent_is_found_nowhere(banks: Banks) -> None:
    ((words,),) = ask(banks.url, "SELECT array_to_string(tsvector_to_array(words), ' ') FROM memories"
                      " WHERE agent_id = 'papa' LIMIT 1")  # fmt: skip
    asked = " | ".join(f"'{word}'" for word in words.split())
    assert banks.as_mama("SELECT id FROM memories WHERE words @@ ?::tsquery", asked) == []
    terms = [
        term for (term,) in ask(banks.url, "SELECT term FROM terms WHERE agent_id = 'papa' AND term <> 0")
    ]
    for table in ("terms", "postings"):
        assert banks.as_mama(f"SELECT 1 FROM {table} WHERE term = ANY (?)", terms) == []


def test_all_agents_are_told_by_their_ids_alone(banks: Banks) -> None:
    with banks.store.reader(None) as session:
        assert session.run("SELECT * FROM known_agents()") == [("mama",), ("papa",)]
    assert banks.store.agent_ids() == ["mama", "papa"]


def test_a_vector_search_finds_no_other_agents_rows(banks: Banks) -> None:
    ((vector,),) = ask(banks.url, "SELECT near::text FROM memories_near WHERE agent_id = 'papa' LIMIT 1")
    size = f"halfvec({DIMENSIONS})"
    found = banks.as_mama(
        f"SELECT DISTINCT agent_id FROM (SELECT agent_id FROM memories_near WHERE vector_dims(near) = {DIMENSIONS}"
        f" ORDER BY near::{size} <#> ?::{size} LIMIT 50) AS nearest",
        vector,
    )
    assert found == [("mama",)]


def test_planner_statistics_show_no_contents(banks: Banks) -> None:
    _analyse(banks)
    assert any(name.startswith("memories") for name, _ in _sampled(banks))
    seen = banks.as_mama("SELECT DISTINCT tablename::text FROM pg_stats WHERE schemaname = 'reverie'")
    assert seen in ([], [("meta",)])
    assert banks.as_mama("SELECT 1 FROM pg_stats_ext WHERE schemaname = 'reverie'") == []
    for catalog in ("pg_statistic", "pg_statistic_ext_data", "pg_authid"):
        with pytest.raises(AccessRefused):
            banks.as_mama(f"SELECT * FROM {catalog}")


def test_statistics_sample_no_texts_and_vectors(banks: Banks) -> None:
    _analyse(banks)
    assert {column for _, column in _sampled(banks)}.isdisjoint(
        {"content", "essence", "lesson", "vector", "near", "before", "after", "reason", "bag", "tags", "expr"}
    )


def _analyse(banks: Banks) -> None:
    for node in banks.nodes:
        ask(node, "ANALYZE")


def _sampled(banks: Banks) -> list[tuple[str, str]]:
    """Columns of our tables of which samples are kept, on any node: also of shards, which pg_stats doesn't show."""
    query = (
        "SELECT starelid::regclass::text, attname::text FROM pg_statistic JOIN pg_attribute"
        " ON attrelid = starelid AND attnum = staattnum WHERE starelid >= 16384"  # not the server's own
    )
    return [row for node in banks.nodes for row in ask(node, query)]


def test_running_statements_show_no_values(banks: Banks) -> None:
    """To whoever may see them. The nodes of a cluster write values into what they ask each other."""
    marker = "xyzzy-of-papas"
    with banks.store.reader("papa") as session:
        session.run("SELECT id FROM memories WHERE essence = ?", (marker,))
        query = (
            "SELECT query FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'reverie'"
        )
        shown = [row for node in banks.nodes for row in ask(node, query)]
    texts = [text for (text,) in shown]
    assert any("essence" in text for text in texts)
    assert not any(marker in text or "papa" in text for text in texts)


@pytest.mark.parametrize(
    "act",
    [
        "CREATE TABLE reverie.mine (a int)",
        "CREATE TABLE public.mine (a int)",
        "CREATE FUNCTION reverie.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE VIEW reverie.mine AS SELECT * FROM memories",
        "CREATE POLICY mine ON memories USING (true)",
        "CREATE TRIGGER mine AFTER INSERT ON memories EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE INDEX ON memories (essence)",
        "CREATE ROLE mine",
        "DROP TABLE memories",
        "DROP POLICY own_agent ON memories",
        "DROP FUNCTION known_agents()",
        "DROP SCHEMA reverie CASCADE",
        "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE memories NO FORCE ROW LEVEL SECURITY",
        "ALTER POLICY own_agent ON memories USING (true)",
        "ALTER TABLE memories DISABLE TRIGGER ALL",
        "ALTER FUNCTION known_agents() SECURITY INVOKER",
        "ALTER TABLE memories OWNER TO CURRENT_USER",
        "TRUNCATE memories",
        "TRUNCATE agents, tombstones",
        "INSERT INTO meta VALUES ('app_role', 'mine')",
        "UPDATE meta SET value = '0'",
        "DELETE FROM meta",
        "SELECT lo_import('/etc/passwd')",
        "SELECT pg_read_file('postgresql.conf')",
        "COPY memories TO PROGRAM 'cat'",
        "SET session_replication_role = 'replica'",
    ],
)
def test_the_applications_role_may_not(banks: Banks, act: str) -> None:
    with pytest.raises(banks.refused):
        banks.as_mama(act)


def test_without_row_security_a_query_is_refused(banks: Banks) -> None:
    with banks.store.reader("mama") as session:
        session.run("SET LOCAL row_security = off")
        with pytest.raises(AccessRefused):
            session.run("SELECT 1 FROM memories")


def test_the_url_of_a_superuser_works_as_the_applications_role(banks: Banks) -> None:
    ((app_role,),) = ask(banks.url, "SELECT value FROM meta WHERE key = 'app_role'")
    assert ask(banks.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == [(True,)]
    with banks.store.reader("mama") as session:
        ((role, superuser),) = session.run("SELECT current_user::text, current_setting('is_superuser')")
    assert (role, superuser) == (app_role, "off")


def test_sql_that_names_another_agent_is_not_stopped(banks: Banks) -> None:
    """It guards against a forgotten filter. Whoever can send SQL of his own can also say whose rows he wants."""
    with banks.store.reader("mama") as session:
        session.run("SET LOCAL reverie.agent = 'papa'")
        assert session.run("SELECT DISTINCT agent_id FROM memories") == [("papa",)]


def test_resetting_the_role_escapes_under_a_superusers_url(banks: Banks) -> None:
    """So an application gets the URL of ``reverie_app``, which has nothing to reset to."""
    with banks.store.reader("mama") as session:
        session.run("RESET ROLE")
        assert session.run("SELECT DISTINCT agent_id FROM memories ORDER BY 1") == [("mama",), ("papa",)]
    ((app_role,),) = ask(banks.url, "SELECT value FROM meta WHERE key = 'app_role'")
    with psycopg.connect(banks.url, autocommit=True) as connection:
        connection.execute(f'SET SESSION AUTHORIZATION "{app_role}"'.encode())
        connection.execute("RESET ROLE")
        assert connection.execute("SELECT count(*) FROM reverie.memories").fetchall() == [(0,)]
