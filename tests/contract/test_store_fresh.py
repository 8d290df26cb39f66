"""Laws of another embedder's vectors, kept beside a bank's own until it moves to them; on each engine."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.errors import InvalidInput
from reverie.ports.fresh import PARTS, Part
from reverie.ports.store import Store, Unit
from tests.contract.store_rows import a_memory, a_version, an_episode, keep, tell
from tests.contract.store_rows import vectors as old_vectors

Wide = NDArray[np.float32]
NEW, WIDE = "other/12", 12


def wide(count: int, seed: int = 7) -> list[Wide]:
    return list(np.random.default_rng(seed).standard_normal((count, WIDE)).astype(np.float32))


def fill(unit: Unit, embedder: str = NEW) -> dict[tuple[Part, str], Wide]:
    """Gives every row that lacks one a vector; those that were given."""
    given: dict[tuple[Part, str], Wide] = {}
    for part in PARTS:
        rows = unit.fresh.missing(embedder, part, limit=100)
        made = wide(len(rows), seed=len(part))
        unit.fresh.put(embedder, part, [(id, text, one) for (id, text), one in zip(rows, made, strict=True)])
        given |= {(part, id): one for (id, _), one in zip(rows, made, strict=True)}
    return given


def live(unit: Unit) -> None:
    tell(unit, an_episode("e1", 0), an_episode("e2", 1, content="ünnepi 🜍 szöveg"))
    keep(unit, a_memory("m1"), a_memory("m2"))
    unit.memories.add_version(a_version("m1", 1))
    unit.memories.add_version(a_version("m1", 10))


@pytest.fixture
def lived(store: Store) -> Store:
    for agent_id in ("mama", "papa"):
        with store.write(agent_id) as unit:
            live(unit)
    return store


def test_what_is_missing_is_told_in_pages_with_its_text(lived: Store) -> None:
    with lived.read("mama") as unit:
        assert unit.fresh.missing(NEW, "episodes", limit=9) == [
            ("e1", "words of e1"), ("e2", "ünnepi 🜍 szöveg"),
        ]  # fmt: skip
        assert unit.fresh.missing(NEW, "memories", limit=1) == [("m1", "essence of m1")]
        assert unit.fresh.missing(NEW, "memories", limit=9, after="m1") == [("m2", "essence of m2")]
        first = unit.fresh.missing(NEW, "versions", limit=1)
        assert first == [("m1/1", "wording 1")]
        assert unit.fresh.missing(NEW, "versions", limit=9, after="m1/1") == [("m1/10", "wording 10")]
        assert unit.fresh.size() == 6
        assert unit.fresh.count(NEW) == 0


def test_what_has_a_vector_is_missing_no_more(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
        assert [unit.fresh.missing(NEW, part, limit=9) for part in PARTS] == [[], [], []]
        assert unit.fresh.count(NEW) == 6
        assert unit.fresh.count("other/13") == 0
        assert len(unit.fresh.missing("other/13", "memories", limit=9)) == 2


def test_keeping_vectors_bumps_no_rev(lived: Store) -> None:
    with lived.write("mama") as unit:
        before = unit.agents.rev()
        fill(unit)
        assert unit.agents.rev() == before


def test_changed_words_are_missing_again(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
        unit.memories.update(a_memory("m1", essence="other words"), old_vectors(1)[0])
        unit.episodes.rewrite(an_episode("e1", content="less"), old_vectors(1)[0])
        assert unit.fresh.missing(NEW, "memories", limit=9) == [("m1", "other words")]
        assert unit.fresh.missing(NEW, "episodes", limit=9) == [("e1", "less")]
        assert not unit.fresh.switch(NEW, WIDE)


def test_a_change_that_leaves_the_words_keeps_the_vector(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
        unit.memories.update(a_memory("m1", importance=0.5))
        assert unit.fresh.missing(NEW, "memories", limit=9) == []


def test_no_switch_where_a_row_has_none(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
        keep(unit, a_memory("m3"))
        before = unit.agents.rev(), unit.memories.vectors(["m1"])["m1"].tolist()
        assert not unit.fresh.switch(NEW, WIDE)
        assert (unit.agents.rev(), unit.memories.vectors(["m1"])["m1"].tolist()) == before
        assert unit.agents.embedder() == ("test/8", 8)


def test_a_switch_changes_all_vectors_and_the_embedder(lived: Store) -> None:
    with lived.write("mama") as unit:
        given = fill(unit)
        fill(unit, "third/12")
        before = unit.agents.rev()
        assert unit.fresh.switch(NEW, WIDE)
        assert unit.agents.rev() == before + 1
        assert unit.agents.embedder() == (NEW, WIDE)
        assert unit.fresh.count(NEW) == unit.fresh.count("third/12") == 0
    with lived.read("mama") as unit:
        for part, found in (
            ("episodes", unit.episodes.vectors(["e1", "e2"])),
            ("memories", unit.memories.vectors(["m1"])),
        ):
            for id, vector in found.items():
                np.testing.assert_array_equal(vector, given[part, id])  # type: ignore[index]
        page = next(iter(unit.transfer.pages("memory_versions")))
        kept = {row[1]: np.frombuffer(bytes(row[-1]), "<f4") for row in page}  # type: ignore[arg-type]
        for version in (1, 10):
            np.testing.assert_array_equal(kept[version], given["versions", f"m1/{version}"])
        assert [version.essence for version in unit.memories.versions("m1")] == ["wording 1", "wording 10"]


def test_a_switch_of_one_agent_leaves_the_others(lived: Store) -> None:
    with lived.write("papa") as unit:
        fill(unit)
    with lived.write("mama") as unit:
        fill(unit)
        assert unit.fresh.switch(NEW, WIDE)
    with lived.read("papa") as unit:
        assert unit.agents.embedder() == ("test/8", 8)
        assert unit.fresh.count(NEW) == 6
        assert unit.memories.vectors(["m1"])["m1"].shape == (8,)


def test_after_a_switch_rows_of_the_new_dimensions_are_stored(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
        assert unit.fresh.switch(NEW, WIDE)
    with lived.write("mama") as unit:
        unit.memories.add([a_memory("m9")], np.stack(wide(1)))
        with pytest.raises(InvalidInput):
            keep(unit, a_memory("m10"))


def test_vectors_of_other_dimensions_undo_the_switch(lived: Store) -> None:
    with lived.write("mama") as unit:
        fill(unit)
    with pytest.raises(InvalidInput, match="12 dimensions, not 13"), lived.write("mama") as unit:
        unit.fresh.switch(NEW, 13)
    with lived.read("mama") as unit:
        assert unit.agents.embedder() == ("test/8", 8)
        assert unit.memories.vectors(["m1"])["m1"].shape == (8,)


def test_an_empty_bank_moves_at_once(store: Store) -> None:
    with store.write("mama") as unit:
        assert unit.fresh.switch(NEW, WIDE)
        assert unit.agents.embedder() == (NEW, WIDE)


def test_no_vector_is_kept_of_what_is_gone_or_has_other_words(lived: Store) -> None:
    with lived.write("mama") as unit:
        unit.memories.delete(["m2"])
        one = wide(1)[0]
        unit.fresh.put(
            NEW,
            "memories",
            [("m2", "essence of m2", one), ("m1", "old words", one), ("m1", "essence of m1", one)],
        )
        unit.fresh.put(NEW, "versions", [("m2/1", "wording 1", one), ("m1/2", "wording 2", one)])
        assert unit.fresh.count(NEW) == 1


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_vectors_must_be_finite(lived: Store, bad: float) -> None:
    with pytest.raises(InvalidInput, match="NaN"), lived.write("mama") as unit:
        unit.fresh.put(NEW, "memories", [("m1", "essence of m1", np.full(WIDE, bad, np.float32))])


def test_what_is_forgotten_loses_its_vectors(lived: Store) -> None:
    with lived.write("mama") as unit:
        keep(unit, a_memory("m"), a_memory("m11"))
        unit.memories.add_version(a_version("m11", 1))
        fill(unit)
        unit.fresh.forget(memories=["m1"], episodes=["e2"])
        assert unit.fresh.count(NEW) == 9 - 4
        assert [id for id, _ in unit.fresh.missing(NEW, "versions", limit=9)] == ["m1/1", "m1/10"]
        unit.fresh.clear()
        assert unit.fresh.count(NEW) == 0
        unit.fresh.forget(memories=["m1"], episodes=[])
