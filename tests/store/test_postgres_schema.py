"""Migrations: from zero they make the schema, each whole or not at all, and never twice; marks tell what is ours."""

from __future__ import annotations

import threading
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from reverie import Reverie
from reverie.domain.memory import Origin
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import (
    AccessRefused,
    Forgotten,
    NewerSchema,
    NotABank,
    NotPrepared,
    OlderSchema,
    StoreError,
)
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.schema import Marks, Migration, migrations, present
from tests.contract.store_rows import NOW, a_memory, keep, settle
from tests.store.postgres_ground import REAL_STEPS, Ground, take

pytestmark = pytest.mark.slow

FIRST_ROWS = Path(__file__).with_name("postgres_schema_1.sql").read_text(encoding="utf-8")
SCHEMA = files("reverie.store.postgres").joinpath("schema.sql").read_text(encoding="utf-8")

# Everything that the catalogs know of a schema, in words; the order of columns is nobody's business.
DESCRIBED = """
SELECT 'table', c.relname, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions::text, c.relrowsecurity,
    c.relforcerowsecurity, pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid))
FROM pg_class c WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p', 'S')
UNION ALL SELECT 'column', c.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    a.attnotnull, a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstattarget,
    pg_get_expr(d.adbin, d.adrelid))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
    AND NOT a.attisdropped
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'reverie'
UNION ALL SELECT 'constraint', conname, concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid))
FROM pg_constraint WHERE connamespace = 'reverie'::regnamespace
UNION ALL SELECT 'policy', tablename || '.' || policyname, concat_ws(' ', permissive, roles, cmd, qual, with_check)
FROM pg_policies WHERE schemaname = 'reverie'
UNION ALL SELECT 'function', proname, pg_get_functiondef(oid)
FROM pg_proc WHERE pronamespace = 'reverie'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'reverie'::regnamespace
"""


def _described(connection: psycopg.Connection[tuple[str, ...]]) -> set[tuple[str, ...]]:
    return set(connection.execute(DESCRIBED.encode()).fetchall())


def _look(ground: Ground) -> Marks:
    with psycopg.connect(ground.url, autocommit=True) as connection:
        return present(connection, "the place")


def test_the_migrations_from_zero_make_what_schema_sql_says(ground: Ground) -> None:
    ground.prepare(dimensions=())
    with psycopg.connect(ground.url, autocommit=True) as connection:
        made = _described(connection)
        connection.execute("ALTER SCHEMA reverie RENAME TO migrated")
        connection.execute("CREATE SCHEMA reverie")
        connection.execute("SET search_path = reverie, public")
        connection.execute("SET reverie.partitions = 2")
        connection.execute(SCHEMA.encode())
        connection.execute("RESET search_path")
        written = _described(connection)
    assert made - written == set()
    assert written - made == set()
    assert len(made) > 200


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in migrations()] == [*range(1, len(migrations()) + 1)]


def test_every_table_but_the_marks_is_guarded_by_the_same_policy(ground: Ground) -> None:
    ground.prepare()
    rows = ground.ask(
        "SELECT c.relname, c.relrowsecurity, array_agg(p.qual) FROM pg_class c"
        " LEFT JOIN pg_policies p ON p.schemaname = 'reverie' AND p.tablename = c.relname"
        " WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " GROUP BY 1, 2 ORDER BY 1"
    )
    own = "current_setting('reverie.agent'::text, true))"
    for table, secured, policies in rows:
        if table == "meta":
            assert (secured, policies) == (False, [None])
        else:
            column = "id" if table == "agents" else "agent_id"
            assert (table, secured, policies) == (table, True, [f"({column} = {own}"])
    assert {"agents", "memories", "episodes", "audit", "terms", "copies"} <= {table for table, *_ in rows}


def test_a_prepared_schema_says_what_it_is(ground: Ground) -> None:
    ground.prepare()
    assert _look(ground) == Marks(
        number=len(migrations()), partitions=2, app_role=ground.app, owner=ground.owner
    )


def test_preparing_again_takes_no_step_twice(ground: Ground) -> None:
    first, second = ground.prepare(), ground.prepare()
    assert [what for what in first.did if "schema to number" in what]
    assert second.did == (f"give {ground.app} its rights",)


def _stored(ground: Ground) -> None:
    store = PostgresStore(ground.url)
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    store.close()


def _essences(ground: Ground) -> list[str]:
    store = PostgresStore(ground.url)
    with store.read("mama") as unit:
        found = [memory.essence for memory in unit.memories.get(["m1"]).values()]
    store.close()
    return found


def test_a_later_step_finds_the_rows_of_the_earlier_schema(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.prepare()
    _stored(ground)
    step = Migration(
        number=len(REAL_STEPS) + 1,
        sql="CREATE TABLE notes (a text); INSERT INTO notes SELECT essence FROM memories; SELECT 'a row';"
        " INSERT INTO notes VALUES ('100 % after a row');",
    )
    with monkeypatch.context() as patch:
        take(patch, [*REAL_STEPS, step])
        assert ground.prepare().number == step.number
        assert ground.ask("SELECT a FROM reverie.notes") == [("essence of m1",), ("100 % after a row",)]
        assert _essences(ground) == ["essence of m1"]


def test_an_old_bank_with_wordings_of_a_reader_is_to_be_gone_over(ground: Ground) -> None:
    ground.prepare()
    store = PostgresStore(ground.url)
    for agent_id, origin in (("mama", Origin.SLEEP), ("papa", Origin.COMMIT)):
        with store.write(agent_id) as unit:
            settle(unit, agent_id)
            keep(unit, a_memory("m1", origin=origin))
    store.close()
    as_of_schema_7(ground)
    ground.prepare()
    store = PostgresStore(ground.url)
    for agent_id, counts in (("mama", {"requote.due": 1}), ("papa", {})):
        with store.read(agent_id) as unit:
            assert unit.counters.all() == counts
    store.close()


def test_nothing_of_an_old_bank_waits_for_approval(ground: Ground) -> None:
    ground.prepare()
    _stored(ground)
    as_of_schema_7(ground)
    ground.prepare()
    store = PostgresStore(ground.url)
    with store.write("mama") as unit:
        assert unit.memories.get(["m1"]) == {"m1": a_memory("m1")}
        unit.nights.put("n1", NOW, "[]")
        assert unit.nights.get("n1") == (NOW, "[]")
    store.close()


def as_of_schema_7(ground: Ground) -> None:
    """Takes out what later schemas brought."""
    ground.ask("ALTER TABLE reverie.memories DROP COLUMN needs_review")
    ground.ask("DROP TABLE reverie.nights")
    ground.ask("UPDATE reverie.meta SET value = '7' WHERE key = 'schema'")


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("SELECT 1 / 0", "DivisionByZero"),
        ("RESET ROLE; SELECT pg_terminate_backend(pg_backend_pid())", "went away"),
    ],
)
def test_a_step_that_ends_in_the_middle_leaves_the_schema_before_it(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, end: str, said: str
) -> None:
    ground.prepare()
    _stored(ground)
    told = f"CREATE TABLE half (a text); DELETE FROM memories; {end};"
    step = Migration(number=len(REAL_STEPS) + 1, sql=told)
    with monkeypatch.context() as patch:
        take(patch, [*REAL_STEPS, step])
        with pytest.raises(StoreError, match=said):
            ground.prepare()
        assert ground.ask("SELECT to_regclass('reverie.half')") == [(None,)]
    assert _look(ground).number == len(REAL_STEPS)
    assert _essences(ground) == ["essence of m1"]


def test_several_that_prepare_the_same_database_at_once_all_succeed(ground: Ground) -> None:
    did: list[tuple[str, ...]] = []

    def one() -> None:
        did.append(ground.prepare().did)

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = [what for each in did for what in each if "schema to number" in what]
    assert (len(did), len(steps)) == (4, len(REAL_STEPS))


def test_a_database_without_the_schema_is_not_prepared(ground: Ground) -> None:
    with pytest.raises(NotPrepared, match="reverie postgres init"):
        _look(ground)
    ground.ask("CREATE SCHEMA reverie")
    with pytest.raises(NotPrepared):
        _look(ground)


@pytest.mark.parametrize(
    "theirs",
    [
        "CREATE TABLE reverie.films (a text)",
        "CREATE TABLE reverie.meta (a text)",
        "CREATE TABLE reverie.meta (key text, value text)",
        "CREATE TABLE reverie.meta (key text, value text); INSERT INTO reverie.meta VALUES ('application', 'films')",
    ],
)
def test_somebody_elses_schema_of_that_name_is_left_alone(ground: Ground, theirs: str) -> None:
    ground.ask(f"CREATE SCHEMA reverie; {theirs}")
    for look in (lambda: _look(ground), ground.prepare):
        with pytest.raises(NotABank):
            look()
    assert len(ground.ask("SELECT 1 FROM pg_class WHERE relnamespace = 'reverie'::regnamespace")) == 1


def test_a_later_schema_is_refused_and_left_alone(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    ground.prepare()
    with monkeypatch.context() as patch:
        take(patch, REAL_STEPS[:-1])
        for look in (lambda: _look(ground), ground.prepare):
            with pytest.raises(NewerSchema):
                look()
    assert _look(ground).number == len(REAL_STEPS)


def test_rows_of_the_first_schema_outlive_every_later_step_and_answer(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        take(patch, REAL_STEPS[:1])
        ground.prepare(dimensions=(16,))
    with psycopg.connect(ground.url) as connection:
        connection.execute("SET search_path = reverie, public")
        connection.execute(FIRST_ROWS.encode())
    embedder = HashingEmbedder.for_tests(16)
    if len(REAL_STEPS) > 1:
        with pytest.raises(OlderSchema, match="reverie postgres init"):
            Reverie.open(ground.url, embedder=embedder)
    ground.prepare(dimensions=(16,))
    with Reverie.open(ground.url, embedder=embedder) as reverie:
        mama = reverie.agent("mama")
        assert reverie.agents() == ["mama", "papa"]
        assert [*reverie.check()] == []
        (home,) = mama.memories()
        assert (home.essence, home.tags, home.touches) == ("Anna lives in Lisbon", ("home",), 1)
        assert [past.essence for past in mama.portrait(home.id).versions] == ["Anna lives in Porto"]
        assert mama.recall("who lives in Lisbon?").hits[0].id == home.id
        said = mama.recall_episodes("the wedding of a sister").hits[0]
        assert (said.ref, said.terms["lexical"] > 0) == ("m1", True)
        with pytest.raises(Forgotten):
            mama.remember("the PIN is on the yellow note")
        mama.remember("Anna has a cat")
        assert [memory.essence for memory in mama.memories()] == ["Anna lives in Lisbon", "Anna has a cat"]


def test_a_role_without_rights_is_told_so_and_not_that_there_is_nothing(ground: Ground) -> None:
    ground.prepare()
    url = ground.login("stranger")
    with pytest.raises(AccessRefused, match="may not look"):
        PostgresStore(url)


def test_what_analyze_keeps_holds_no_text_and_no_vector(ground: Ground) -> None:
    ground.prepare()
    store = PostgresStore(ground.url)
    with store.write("mama") as unit:
        settle(unit)
        for number in range(50):
            keep(unit, a_memory(f"m{number}", essence=f"xyzzy {number % 5}", tags=["plugh"]))
    store.close()
    ground.ask("ANALYZE")
    kept = ground.ask(
        "SELECT tablename || '.' || attname, concat_ws(' ', most_common_vals, histogram_bounds)"
        " FROM pg_stats WHERE schemaname = 'reverie'"
    )
    assert kept
    assert [name for name, held in kept if "xyzzy" in held or "plugh" in held] == []
    assert [name for name, _ in kept if name.endswith((".near", ".vector")) or "by_near" in name] == []


def test_the_schema_may_have_any_name(ground: Ground) -> None:
    ground.prepare(schema='My "schema')
    with psycopg.connect(ground.url, autocommit=True) as connection:
        assert present(connection, "here", 'My "schema').partitions == 2
        tables = sql.SQL("SELECT count(*) FROM {}.memories_1").format(sql.Identifier('My "schema'))
        assert connection.execute(tables).fetchall() == [(0,)]
