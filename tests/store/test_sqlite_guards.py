"""The traps of encrypted SQLite, each pinned, and that the engine doesn't fall into them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.trust import SourceTrust
from reverie.errors import NotEncrypted, StoreError
from reverie.store.sqlite import connection as connections
from reverie.store.sqlite.place import PLAIN_HEADER
from reverie.store.sqlite.session import Session
from tests.contract.store_rows import NOW, a_memory, an_episode, keep, settle, tell, vectors
from tests.store.sqlite_banks import KEY, child, open_store, said


def _keyed(path: Path, *pragmas: str) -> bytes:
    connection = apsw.Connection(str(path))
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
    connection.close()
    return path.read_bytes()


def test_the_library_takes_an_empty_key_for_none(tmp_path: Path) -> None:
    assert _keyed(tmp_path / "trap", "cipher = 'aegis'", "key = ''").startswith(PLAIN_HEADER)


def test_the_library_takes_a_cipher_after_the_key_without_a_word(tmp_path: Path) -> None:
    key = f"key = \"x'{KEY.hex()}'\""
    _keyed(tmp_path / "trap", key, "cipher = 'aegis'")
    with pytest.raises(apsw.NotADBError):
        _keyed(tmp_path / "trap", "cipher = 'aegis'", key)


def test_unread_statements_stop_at_the_first_row() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("SELECT 1; CREATE TABLE t (a)")
    assert not connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    connection.execute("SELECT 1; CREATE TABLE t (a)").fetchall()
    assert connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    connection.close()


def test_a_bank_that_the_library_left_plain_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_unlock", lambda connection, key: None)
    with pytest.raises(NotEncrypted):
        open_store(tmp_path / "bank")


def test_a_build_without_the_cipher_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CIPHER", "rot13")
    with pytest.raises(StoreError, match="rot13"):
        open_store(tmp_path / "bank")


@pytest.mark.parametrize(("synchronous", "level"), [("full", 2), ("normal", 1)])
def test_every_connection_has_every_guard(tmp_path: Path, synchronous: str, level: int) -> None:
    store = open_store(tmp_path / "bank", synchronous=synchronous, cache_mib=64)
    with store.reader():
        pass
    for line, reads in ((store._writer, 0), (store._readers[0], 1)):
        pragma = line.connection.pragma
        assert {
            name: pragma(name)
            for name in ("cipher", "journal_mode", "synchronous", "temp_store", "secure_delete", "threads",
                         "trusted_schema", "query_only", "cache_size")
        } == {
            "cipher": "aegis", "journal_mode": "wal", "synchronous": level, "temp_store": 2, "secure_delete": 1,
            "threads": 0, "trusted_schema": 0, "query_only": reads, "cache_size": -32 * 1024,
        }  # fmt: skip
    assert store.info().synchronous == synchronous
    store.close()


def test_no_statement_cache_holds_the_key(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    stats: dict[str, Any] = dict(store._writer.connection.cache_stats(include_entries=True))
    assert stats["entries"]
    assert KEY.hex() not in str(stats)
    store.close()


def test_opening_one_store_leaves_the_locks_of_another_alone(tmp_path: Path) -> None:
    first = open_store(tmp_path / "bank")
    with first.write("mama") as unit:
        settle(unit)
    with first.write("mama") as unit:
        open_store(tmp_path / "bank").close()
        keep(unit, a_memory("m1"))
        code = """
from reverie.errors import Busy
store = open_store(Path(sys.argv[1]), busy_seconds=0.05)
try:
    with store.write("mama"):
        print("not locked")
except Busy:
    print("locked")
store.close()
"""
        assert said(child(code, tmp_path / "bank")) == "locked"
    assert [*first.check()] == []
    first.close()


def test_deletions_are_noted_and_pruned_beyond_ten_thousand(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank", synchronous="normal")
    ids = [f"m{n:05}" for n in range(10_200)]
    with store.write("mama") as unit:
        settle(unit)
        unit.memories.add([*map(a_memory, ids)], vectors(len(ids)))
        tell(unit, an_episode("e1"))
        unit.memories.delete(ids[:150])
        unit.memories.delete(ids[150:10_000])
        unit.episodes.delete(["e1"])

    def state() -> tuple[object, ...]:
        with store.reader() as session:
            counts = session.run(
                "SELECT rev, corpus, COUNT(*) FROM deletions GROUP BY rev, corpus ORDER BY rev"
            )
            return counts, session.run("SELECT rev, pruned_rev FROM agents")[0]

    # 10,001 are noted: the oldest revision's go as a whole, so that no reader sees half a revision.
    assert state() == ([(4, "memories", 9850), (5, "episodes", 1)], (5, 3))
    with store.write("mama") as unit:
        unit.memories.delete(ids[10_000:])
    assert state() == ([(5, "episodes", 1), (6, "memories", 200)], (6, 4))
    store.close()


def test_keywords_ignore_accents_and_are_stemmed_in_english(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        tell(unit, an_episode("e1", content="crème brûlée for the gardeners"))
        for words in ("creme", "BRULEE", "gardener", "gardening crème"):
            assert len(unit.episodes.list(EVERYTHING, match=words)) == 1, words
    store.close()


def test_a_reinforcement_leaves_the_keyword_index_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    connection = store._writer.connection
    before = connection.execute("SELECT * FROM memories_fts_data").fetchall()
    with store.write("mama") as unit:
        unit.memories.update(a_memory("m1", reinforcement_count=2))
    assert connection.execute("SELECT * FROM memories_fts_data").fetchall() == before
    store.close()


def test_every_filter_is_answered_by_an_index(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    asked: list[str] = []
    run = Session.run

    def noted(session: Session, sql: str, params: object = ()) -> object:
        asked.append(sql)
        return run(session, sql, params)  # type: ignore[arg-type]

    with store.read("mama") as unit, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "run", noted)
        unit.episodes.list(EVERYTHING)
        unit.episodes.get(["e"])
        unit.episodes.by_ref("kitchen", ["r"])
        unit.episodes.tail("kitchen", 6)
        unit.memories.list(EVERYTHING, now=NOW)
        unit.memories.list(Filter(review=True), now=NOW)
        unit.memories.list(Filter(trusts=frozenset({SourceTrust.EXTERNAL, SourceTrust.OTHER})), now=NOW)
        unit.memories.tokens()
        unit.goals.count_open()
        unit.memories.get(["m"])
        unit.memories.past([("m", 1)])
        unit.memories.derived_from(["e"])
        unit.memories.of_conversation(["kitchen"])
        unit.memories.connections(["m"])
        unit.audit.list(target="m")
        unit.audit.list(job="j", newest_first=True)
        unit.tombstones.known([b"d"])
        unit.conversations.list()
    slow, used = {}, ""
    for sql in asked:
        steps = store._writer.connection.execute(
            f"EXPLAIN QUERY PLAN {sql}", ("x",) * sql.count("?")
        ).fetchall()
        plan = " | ".join(str(step[3]) for step in steps)
        used += plan
        if "SCAN" in plan or "TEMP B-TREE FOR ORDER" in plan:
            slow[sql] = plan
    assert len(set(asked)) > 12
    assert slow == {}
    indexes = "memories_in_review memories_from_outside memories_by_size audit_by_target audit_by_job".split()
    assert [one for one in indexes if one not in used] == []
    store.close()
