"""What was deleted stands in no raw page: looked for in plain files, whose pages are as the cipher would get them."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from reverie.domain.query import EVERYTHING
from reverie.store.sqlite.engine import SqliteStore
from tests.contract.store_rows import (
    NOW,
    a_memory,
    a_version,
    an_entry,
    an_episode,
    keep,
    settle,
    tell,
    vectors,
)
from tests.store.sqlite_banks import KEY, open_store

pytestmark = pytest.mark.slow

ROWS = 600


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[SqliteStore]:
    """A plain bank, so that its bytes can be read."""
    store = open_store(tmp_path / "bank", key=None, synchronous="normal")
    with store.write("mama") as unit:
        settle(unit)
    yield store
    store.close()


def _raw(store: SqliteStore) -> bytes:
    path = Path(store.info().where)
    return b"".join(file.read_bytes() for file in (path, Path(f"{path}-wal")) if file.exists())


class _Words:
    """Common words, and markers that begin differently, so that an index can't shorten what makes each its own."""

    def __init__(self) -> None:
        self.chance = random.Random(7)
        self.marks: list[str] = []
        self._common = [self._letters(self.chance.randint(3, 9)) for _ in range(2000)]

    def text(self, most: int = 60) -> str:
        return " ".join(self.chance.choices(self._common, k=self.chance.randint(3, most)))

    def mark(self) -> str:
        self.marks.append(f"zqj{len(self.marks):05}x{self._letters(3)}")
        return f"{self.text(9)} {self._letters(3)}{self.marks[-1]} {self.text(9)}"

    def _letters(self, count: int) -> str:
        return "".join(self.chance.choices(string.ascii_lowercase, k=count))

    def left_in(self, raw: bytes) -> list[str]:
        return [mark for mark in self.marks if mark.encode() in raw]


def test_deleted_rows_leave_no_word_in_split_pages(plain: SqliteStore) -> None:
    words = _Words()
    ids = [f"{words.chance.getrandbits(64):016x}" for _ in range(ROWS)]
    doomed = set(words.chance.sample(ids, 100))
    for start in range(0, ROWS, 100):
        some = ids[start : start + 100]
        texts = {id: words.text(200) + (words.mark() if id in doomed else "") for id in some}
        with plain.write("mama") as unit:
            tell(unit, *(an_episode(id, start + n, content=texts[id]) for n, id in enumerate(some)))
            keep(unit, *(a_memory(id, essence=texts[id], lesson=texts[id][::-1]) for id in some))
            for id in some:
                unit.memories.add_version(
                    a_version(id, 1, essence=texts[id] + (words.mark() if id in doomed else ""))
                )
            unit.audit.add([an_entry(id, id, reason=texts[id]) for id in some])
    with plain.write("mama") as unit:
        for id in sorted(doomed)[:40]:
            unit.memories.update(a_memory(id, essence=words.text(200) + words.mark(), tags=(words.mark(),)))
    assert len(words.left_in(_raw(plain))) == len(words.marks)
    with plain.write("mama") as unit:
        unit.memories.delete(doomed)
        unit.audit.scrub(doomed)
        unit.episodes.delete(sorted(doomed)[::2])
        for id in sorted(doomed)[1::2]:
            unit.episodes.rewrite(an_episode(id, content="clean"), vectors(1)[0])
    plain.scour()
    assert words.left_in(_raw(plain)) == []
    with plain.read("mama") as unit:
        assert unit.episodes.count(EVERYTHING) == ROWS - 50
        assert len(unit.memories.ids(EVERYTHING, now=NOW)) == ROWS - 100
    assert [*plain.check()] == []


def test_rows_that_moved_when_their_page_split_leave_no_copy(plain: SqliteStore) -> None:
    chance = random.Random(7)
    marks = {f"{chance.getrandbits(64):016x}": f"zqj{number:05}x" for number in range(1000)}
    with plain.write("mama") as unit:
        for id, mark in marks.items():
            before, behind = chance.choices([1, 20, 200], k=2)
            unit.audit.add([an_entry(id, id, reason="pad " * before + mark + " pad" * behind)])
    with plain.write("mama") as unit:
        unit.audit.scrub(marks)
    plain._writer.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = _raw(plain)
    assert any(mark.encode() in raw for mark in marks.values()), "secure_delete is enough now: scour less"
    plain.scour()
    raw = _raw(plain)
    assert [mark for mark in marks.values() if mark.encode() in raw] == []


def test_words_that_border_the_pages_of_a_keyword_index_go_too(plain: SqliteStore) -> None:
    numbers = [str(7_000_000 + n) for n in range(3000)]
    with plain.write("mama") as unit:
        tell(unit, *(an_episode(f"e{n}", n, content=f"pin {number}") for n, number in enumerate(numbers)))
    plain.scour()  # one segment is left, which FTS5 by itself would never merge again
    borders = {
        bytes(term)[1:].decode()
        for (term,) in plain._writer.connection.execute("SELECT term FROM episodes_fts_idx")
        if len(term) == 8
    }
    doomed = [f"e{n}" for n, number in enumerate(numbers) if number in borders]
    assert len(doomed) > 3
    with plain.write("mama") as unit:
        unit.episodes.delete(doomed)
    plain.scour()
    raw = _raw(plain)
    assert [number for number in borders if number.encode() in raw] == []


def _indexed(store: SqliteStore) -> bytes:
    """The pages of both keyword indexes, as they are in the file now."""
    tables = ("memories_fts_data", "episodes_fts_data")
    return b"".join(
        bytes(block)
        for table in tables
        for (block,) in store._writer.connection.execute(f"SELECT block FROM {table}")
    )


@pytest.mark.parametrize("count", [999, 1_000, 1_500])
def test_many_deleted_rows_leave_no_word_in_the_keyword_index(plain: SqliteStore, count: int) -> None:
    words = _Words()
    texts = {f"x{number:05}": words.mark() for number in range(count)}
    with plain.write("mama") as unit:
        tell(unit, *(an_episode(id, number, content=text) for number, (id, text) in enumerate(texts.items())))
        keep(
            unit,
            *(a_memory(id, essence=text) for id, text in texts.items()),
            a_memory("stays", essence="apricot"),
        )
    with plain.write("mama") as unit:
        unit.memories.delete(texts)
        unit.episodes.delete([*texts])
    assert [mark for mark in words.marks if mark[-6:].encode() in _indexed(plain)] == []
    with plain.read("mama") as unit:
        assert unit.memories.list(EVERYTHING, match="apricot", now=NOW)
    assert [*plain.check()] == []


def test_after_undone_deletions_words_still_go_with_their_rows(
    plain: SqliteStore,
) -> None:
    words = _Words()
    texts = {f"x{number:05}": words.mark() for number in range(1_200)}
    with plain.write("mama") as unit:
        keep(unit, *(a_memory(id, essence=text) for id, text in texts.items()))
    with suppress(ZeroDivisionError), plain.write("mama") as unit:
        unit.memories.delete(texts)
        raise ZeroDivisionError
    with plain.write("mama") as unit:
        unit.memories.delete(["x00007"])
    assert words.marks[7][-6:].encode() not in _indexed(plain)
    with plain.read("mama") as unit:
        assert len(unit.memories.ids(EVERYTHING, now=NOW)) == len(texts) - 1
    assert [*plain.check()] == []


def test_the_stem_of_a_deleted_word_goes_with_it(plain: SqliteStore) -> None:
    with plain.write("mama") as unit:
        tell(unit, an_episode("e1", content="my unrepeatable blunderings"), an_episode("e2", 1))
        keep(unit, a_memory("m1", essence="other blunderings"))
    assert b"blunder" in _raw(plain)
    with plain.write("mama") as unit:
        unit.episodes.delete(["e1"])
        unit.memories.delete(["m1"])
    plain.scour()
    assert b"blunder" not in _raw(plain)
    assert b"unrepeat" not in _raw(plain)


def test_a_deleted_vector_leaves_no_number(plain: SqliteStore) -> None:
    with plain.write("mama") as unit:
        tell(unit, an_episode("e1"), an_episode("e2", 1))
        unit.episodes.delete(["e2"])
    plain.scour()
    assert vectors(2)[0].tobytes() in _raw(plain)
    assert vectors(2)[1].tobytes() not in _raw(plain)


def test_what_a_reader_held_up_goes_with_the_next_scour(plain: SqliteStore) -> None:
    with plain.write("mama") as unit:
        tell(unit, an_episode("e1", content="marzipan"))
    plain.scour()
    with plain.read("mama") as reader:
        reader.agents.rev()
        with plain.write("mama") as unit:
            unit.episodes.delete(["e1"])
        plain.scour()
    plain.scour()
    assert b"marzipan" not in _raw(plain)


def test_scouring_leaves_an_encrypted_bank_whole(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank", key=KEY)
    with store.write("mama") as unit:
        settle(unit)
        tell(unit, *(an_episode(f"e{n}", n, content="marzipan " * 50) for n in range(300)))
    store.scour()
    assert b"marzipan" not in _raw(store)
    store.close()
    store = open_store(tmp_path / "bank", key=KEY)
    with store.read("mama") as unit:
        assert unit.episodes.count(EVERYTHING) == 300
    assert [*store.check()] == []
    store.close()
