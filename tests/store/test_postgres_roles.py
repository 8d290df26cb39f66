"""prepare: what each role may do afterwards, who may prepare, and what is said to those who may not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from reverie import Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import AccessRefused, InvalidInput, ReverieError, StoreError, Unreachable
from reverie.store.postgres import roles
from reverie.store.postgres.place import as_user
from reverie.store.postgres.server_state import ServerState, look
from tests.postgres_fixtures import OwnServers
from tests.postgres_server import free_port
from tests.store.postgres_ground import Ground

pytestmark = pytest.mark.slow

# What everybody but the owner may do, as the catalogs keep it.
RIGHTS = """
SELECT c.relname, c.relacl::text FROM pg_class c WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind <> 'i'
UNION ALL SELECT p.proname, p.proacl::text FROM pg_proc p WHERE p.pronamespace = 'reverie'::regnamespace
UNION ALL SELECT n.nspname, n.nspacl::text FROM pg_namespace n WHERE n.nspname = 'reverie'
ORDER BY 1
"""


def _works(url: str, text: str = "Anna likes tea") -> None:
    with Reverie.open(url, embedder=HashingEmbedder.for_tests(8)) as reverie:
        mama = reverie.agent("mama")
        mama.remember(text)
        assert mama.recall(text).hits[0].text == text


def test_an_empty_database_is_ready_after_one_call(ground: Ground) -> None:
    done = ground.prepare()
    assert (done.app_role, done.owner_role, done.partitions, done.dimensions) == (
        ground.app,
        ground.owner,
        2,
        (8,),
    )
    assert len(done.did) == len(done.sql) > 5
    _works(ground.url)


def test_the_application_may_use_parents_and_functions_alone(ground: Ground) -> None:
    ground.prepare()
    allowed = ground.ask(
        "SELECT c.relname, array_agg(p.act ORDER BY p.act) FROM pg_class c,"
        " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p (act)"
        " WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p')"
        f" AND has_table_privilege('{ground.app}', c.oid, p.act) GROUP BY 1"
    )
    rights = dict(allowed)
    assert rights.pop("meta") == ["SELECT"]
    assert {tuple(each) for each in rights.values()} == {("DELETE", "INSERT", "SELECT", "UPDATE")}
    assert {"agents", "memories", "episodes", "copies"} <= rights.keys()
    assert [name for name in rights if name[-1].isdigit()] == []
    others = ground.ask(
        "SELECT has_schema_privilege(%s, 'reverie', 'CREATE'),"
        " (SELECT coalesce(bool_or(has_sequence_privilege(%s, oid, 'USAGE, SELECT, UPDATE')), false) FROM pg_class"
        "  WHERE relkind = 'S' AND relnamespace = 'reverie'::regnamespace),"
        " (SELECT bool_or(has_function_privilege('public', oid, 'EXECUTE')) FROM pg_proc"
        "  WHERE pronamespace = 'reverie'::regnamespace)",
        ground.app, ground.app,
    )  # fmt: skip
    assert others == [(False, False, False)]


def test_the_application_logs_in_and_stays_within_its_agent(
    own_postgres_server: OwnServers,
) -> None:
    server = own_postgres_server(port=free_port())
    password = "p:a/s@s'w%rd ó"
    roles.prepare(server.url(), partitions=1, dimensions=(8,), password=password)
    url = server.url(user="reverie_app", password=password, tcp=True)
    _works(url)
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM reverie.memories").fetchall() == [(0,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT count(*) FROM reverie.memories_0")
    with pytest.raises(AccessRefused) as refused:
        Reverie.open(server.url(user="reverie_app", password="wrong-one", tcp=True))
    assert "wrong-one" not in str(refused.value)


def test_a_new_password_reaches_the_server_as_a_hash_alone(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server(port=free_port(), settings={"log_statement": "all"})
    roles.prepare(server.url(), partitions=1, dimensions=(8,), password="xyzzy-1")
    roles.prepare(server.url(), password="xyzzy-2")
    log = server.log.read_text(encoding="utf-8")
    assert ("SCRAM-SHA-256$" in log, "xyzzy" in log) == (True, False)
    with psycopg.connect(server.url(user="reverie_app", password="xyzzy-2", tcp=True)):
        pass
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url(user="reverie_app", password="xyzzy-1", tcp=True))


def test_preparing_again_mends_the_rights(ground: Ground) -> None:
    ground.prepare()
    before = ground.ask(RIGHTS)
    ground.ask(f"GRANT ALL ON reverie.memories_0 TO {ground.app}")
    ground.ask("GRANT ALL ON SCHEMA reverie TO PUBLIC")
    ground.ask("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA reverie TO PUBLIC")
    ground.ask(f"REVOKE ALL ON reverie.memories FROM {ground.app}")
    ground.ask(f"GRANT UPDATE (value) ON reverie.meta TO {ground.app}")
    assert ground.ask(RIGHTS) != before
    ground.prepare()
    assert ground.ask(RIGHTS) == before
    assert ground.ask(f"SELECT has_column_privilege('{ground.app}', 'reverie.meta', 'value', 'UPDATE')") == [
        (False,)
    ]


def test_no_superuser_is_needed(ground: Ground) -> None:
    url = ground.login("dba", "CREATEROLE")
    (name,) = ground.ask("SELECT current_database()")[0]
    with psycopg.connect(ground.url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        grant = sql.SQL("GRANT CREATE ON DATABASE {} TO {}")
        connection.execute(grant.format(sql.Identifier(name), sql.Identifier(ground.role("dba"))))
    ground.prepare(url, password="x")
    assert ground.prepare(url, dimensions=(8, 12)).did == (
        "index vectors of 12 dimensions", f"give {ground.app} its rights",
    )  # fmt: skip
    _works(url)
    rows = "SELECT count(*) FROM reverie.memories"
    assert ground.ask(rows) == [(1,)]
    assert ground.ask(rows, url=url) == [(0,)], "who prepared is bound by row-level security too"


@pytest.mark.parametrize(
    ("attributes", "lacks"),
    [("", "the extension vector"), ("CREATEROLE", "the extension vector")],
)
def test_who_may_not_make_the_extension_is_told_what_to_do(
    ground: Ground, attributes: str, lacks: str
) -> None:
    with pytest.raises(AccessRefused, match=lacks) as refused:
        ground.prepare(ground.login("someone", attributes))
    assert "CREATE EXTENSION vector" in str(refused.value)


def test_who_may_not_make_a_schema_is_told_what_to_do(ground: Ground) -> None:
    ground.ask("CREATE EXTENSION vector")
    with pytest.raises(AccessRefused, match="GRANT CREATE ON DATABASE"):
        ground.prepare(ground.login("someone", "CREATEROLE"))


def test_who_may_not_make_roles_may_use_those_that_are_there(ground: Ground) -> None:
    url = ground.login("someone")
    (name,) = ground.ask("SELECT current_database()")[0]
    ground.ask("CREATE EXTENSION vector")
    ground.ask(f'GRANT CREATE ON DATABASE "{name}" TO {ground.role("someone")}')
    with pytest.raises(AccessRefused, match="may not make the roles") as refused:
        ground.prepare(url)
    assert "CREATEROLE" in str(refused.value)
    ground.ask(f"CREATE ROLE {ground.owner}")
    ground.ask(f"CREATE ROLE {ground.app} LOGIN")
    with pytest.raises(AccessRefused, match=f"GRANT {ground.owner} TO"):
        ground.prepare(url)
    ground.ask(f"GRANT {ground.owner} TO {ground.role('someone')}")
    ground.prepare(url)
    _works(ground.url)


def test_a_server_without_a_recent_pgvector_is_refused(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(**changes: object) -> None:
        def changed(*asked: Any) -> ServerState:
            return replace(look(*asked), **changes)  # type: ignore[arg-type]

        monkeypatch.setattr(roles, "look", changed)

    for changes, said in (
        ({"shipped": None}, "has no extension vector"),
        ({"shipped": "0.7.4"}, "install a later one"),
        ({"extension": "0.7.4"}, "ALTER EXTENSION vector UPDATE"),
        ({"version": 130012}, "older than 14"),
    ):
        found(**changes)
        with pytest.raises(StoreError, match=said):
            ground.prepare()
    found(shipped="0.10.1")
    ground.prepare()


def test_a_role_that_row_security_doesnt_bind_is_refused(ground: Ground) -> None:
    for attributes in ("SUPERUSER", "BYPASSRLS"):
        ground.login(attributes.lower(), attributes)
        with pytest.raises(InvalidInput, match="doesn't bind"):
            ground.prepare(app_role=ground.role(attributes.lower()))
    ground.ask(f"CREATE ROLE {ground.owner}")
    ground.ask(f"CREATE ROLE {ground.app} IN ROLE {ground.owner}")
    with pytest.raises(InvalidInput, match="may act as the owner"):
        ground.prepare()
    with pytest.raises(InvalidInput, match="two roles"):
        ground.prepare(app_role=ground.owner)


@pytest.mark.parametrize("other", ["partitions", "app_role", "owner_role"])
def test_a_second_call_changes_nothing_settled(ground: Ground, other: str) -> None:
    ground.prepare()
    value: Any = 3 if other == "partitions" else ground.role("other")
    with pytest.raises(InvalidInput, match="can't be changed") as refused:
        ground.prepare(**{other: value})
    assert refused.value.field == other
    done = ground.prepare(app_role=None, owner_role=None, partitions=None)
    assert (done.app_role, done.owner_role, done.partitions) == (ground.app, ground.owner, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("app_role", ""), ("app_role", "pg_monitor"), ("owner_role", "public"), ("owner_role", "é" * 32),
        ("app_role", "a\0b"), ("owner_role", "information_schema"), ("password", ""), ("password", "a\0b"),
        ("partitions", 0), ("partitions", 5000), ("partitions", True), ("dimensions", (0,)), ("dimensions", (4001,)),
    ],
)  # fmt: skip
def test_an_impossible_name_or_number_is_refused_first(field: str, value: object) -> None:
    nowhere = "postgresql://anna@127.0.0.1:1/nowhere"
    with pytest.raises(InvalidInput) as refused:
        roles.prepare(nowhere, **{field: value})  # type: ignore[arg-type]
    assert refused.value.field == field


def test_a_dry_run_changes_nothing_and_its_sql_does_it_all(ground: Ground) -> None:
    rehearsed = ground.prepare(dry_run=True, password="xyzzy")
    assert (rehearsed.dry_run, "xyzzy" in repr(rehearsed)) == (True, False)
    assert ground.ask("SELECT count(*) FROM pg_roles WHERE rolname = %s", ground.app) == [(0,)]
    assert ground.ask("SELECT to_regnamespace('reverie')") == [(None,)]
    with psycopg.connect(ground.url, autocommit=True) as connection:
        for act in rehearsed.sql:
            connection.execute(act.encode())
    assert ground.prepare().did == (f"give {ground.app} its rights",)
    _works(ground.url)


def test_the_extension_may_lie_in_a_schema_that_is_not_public(ground: Ground) -> None:
    ground.ask("CREATE SCHEMA extensions")
    ground.ask("CREATE EXTENSION vector SCHEMA extensions")
    ground.prepare()
    ground.ask("DROP SCHEMA public")
    _works(ground.url)


def test_without_public_the_extension_lies_beside_the_tables(ground: Ground) -> None:
    ground.ask("DROP SCHEMA public")
    ground.prepare()
    _works(ground.url)


def test_a_member_of_the_applications_role_may_log_in(ground: Ground) -> None:
    ground.prepare()
    url = ground.login("billing", f"IN ROLE {ground.app}")
    _works(url)
    assert ground.ask("SELECT count(*) FROM reverie.memories", url=url) == [(0,)]


def test_an_empty_schema_that_somebody_made_for_us_is_taken(ground: Ground) -> None:
    ground.ask("CREATE SCHEMA reverie")
    ground.prepare()
    _works(ground.url)


def test_every_partition_has_an_index_for_each_dimension(ground: Ground) -> None:
    ground.prepare(dimensions=(2, 768))
    rows = ground.ask(
        "SELECT count(*) FROM pg_indexes WHERE schemaname = 'reverie' AND indexdef LIKE '% USING hnsw %'"
        " AND tablename ~ '_[0-9]+$'"
    )
    assert rows == [(2 * 2 * 2,)]  # tables, dimensions, partitions


def test_the_applications_url_has_no_password(ground: Ground) -> None:
    done = ground.prepare()
    assert done.url == as_user(ground.url, ground.app)
    assert as_user(
        "postgresql://anna:hunter2@h:1,i:2/d?sslmode=require&password=x&sslrootcert=/a/b.crt", "é@"
    ) == ("postgresql://%C3%A9%40@h:1,i:2/d?sslmode=require&sslrootcert=/a/b.crt")


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(Unreachable) as refused:
        roles.prepare("postgresql://anna:hunter2@127.0.0.1:1/nowhere?sslpassword=hunter3")
    error: BaseException | None = refused.value
    while error is not None:
        assert "hunter" not in f"{error} {error!r}"
        error = error.__cause__
    assert isinstance(refused.value, ReverieError)


def _holds(folder: Path, words: bytes) -> list[str]:
    return [
        str(path) for path in (folder / "base").rglob("*") if path.is_file() and words in path.read_bytes()
    ]


def test_scouring_takes_forgotten_words_out_of_the_files(own_postgres_server: OwnServers) -> None:
    from reverie.store.postgres.scour import scour

    server = own_postgres_server()
    roles.prepare(server.url(), partitions=1, dimensions=(8,))
    with Reverie.open(server.url(), embedder=HashingEmbedder.for_tests(8)) as reverie:
        mama = reverie.agent("mama")
        pin = mama.remember("The xyzzy-plugh is on the yellow note").memory
        mama.remember("Anna likes tea")
        mama.forget(pin.id)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        assert _holds(server.data, b"xyzzy-plugh")
        done = scour(server.url())
        assert (done.held, done.checkpointed) == (0, True)
        assert _holds(server.data, b"xyzzy-plugh") == []
        assert _holds(server.data, b"Anna likes tea")
    _works(server.url())


def test_scouring_says_who_may_still_see_what_was_deleted(ground: Ground) -> None:
    from reverie.store.postgres.scour import scour

    ground.prepare()
    with psycopg.connect(ground.url) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM pg_class")
        assert scour(ground.url, wait_seconds=0).held == 1
    assert scour(ground.url).held == 0


def test_only_who_may_act_as_the_owner_scours(ground: Ground) -> None:
    from reverie.store.postgres.scour import scour

    ground.prepare()
    with pytest.raises(AccessRefused, match="may not act as"):
        scour(as_user(ground.url, ground.app))
