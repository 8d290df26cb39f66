"""Units: all or nothing, one agent's bank, one state; and what a closed store says."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from reverie.domain.query import EVERYTHING, Filter
from reverie.errors import Busy, Closed, InvalidInput, ReverieError, StoreError
from reverie.ports.store import Store, Unit
from tests.contract.conftest import Banks
from tests.contract.store_rows import (
    DIMENSIONS,
    NOW,
    SECRET,
    a_memory,
    a_version,
    an_agent,
    an_entry,
    an_episode,
    keep,
    settle,
    tell,
    vectors,
)

ROOT = Path(__file__).resolve().parents[2]


def _fill(unit: Unit) -> None:
    tell(unit, an_episode("e1", speaker="Ann", ref="r1"))
    keep(unit, a_memory("m1", source_episodes=("e1",)))
    unit.memories.add_version(a_version("m1", 1))
    unit.memories.touch({"m1": (1, NOW)})
    unit.audit.add([an_entry("a1")])
    unit.tombstones.add([b"digest"], NOW)


def _fail(store: Store, error: type[BaseException]) -> None:
    with store.write("mama") as unit:
        _fill(unit)
        raise error


def _everything(unit: Unit) -> list[object]:
    return [
        unit.agents.get(),
        unit.agents.secret(),
        unit.agents.rev(),
        unit.agents.embedder(),
        unit.conversations.get("kitchen"),
        unit.conversations.list(),
        unit.conversations.count(),
        unit.conversations.next_positions(["kitchen"]),
        unit.episodes.get(["e1"]),
        unit.episodes.vectors(["e1"]).keys(),
        unit.episodes.by_ref("kitchen", ["r1"]),
        unit.episodes.tail("kitchen", 5),
        unit.episodes.ids(EVERYTHING),
        unit.episodes.list(EVERYTHING),
        unit.episodes.list(EVERYTHING, match="words"),
        unit.episodes.count(EVERYTHING),
        unit.memories.get(["m1"]),
        unit.memories.vectors(["m1"]).keys(),
        unit.memories.versions("m1"),
        unit.memories.past([("m1", 1)]),
        unit.memories.list(EVERYTHING, now=NOW),
        unit.memories.list(EVERYTHING, match="essence", now=NOW),
        unit.memories.ids(EVERYTHING, now=NOW),
        unit.memories.derived_from(["e1"]),
        unit.memories.of_conversation(["kitchen"]),
        unit.memories.connections(["m1"]),
        unit.memories.counts(),
        unit.audit.list(),
        unit.tombstones.known([b"digest"]),
    ]


def test_a_write_that_ends_well_is_seen_by_later_reads(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_a_write_sees_its_own_changes(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        assert unit.memories.get(["m1"]) == {"m1": a_memory("m1")}


def test_a_write_that_raises_changes_nothing(store: Store) -> None:
    with store.read("mama") as unit:
        before = _everything(unit)
    with pytest.raises(KeyboardInterrupt):
        _fail(store, KeyboardInterrupt)
    with store.read("mama") as unit:
        assert _everything(unit) == before


def test_a_write_after_a_failed_one_works(store: Store) -> None:
    with pytest.raises(RuntimeError):
        _fail(store, RuntimeError)
    with store.write("mama") as unit:
        _fill(unit)


def test_no_read_shows_what_another_agent_has(store: Store) -> None:
    with store.read("papa") as unit:
        before = _everything(unit)
    with store.write("mama") as unit:
        _fill(unit)
    with store.read("papa") as unit:
        assert _everything(unit) == before


def test_two_agents_may_use_the_same_ids_and_names(store: Store) -> None:
    for agent_id in ("mama", "papa"):
        with store.write(agent_id) as unit:
            _fill(unit)
    with store.read("mama") as hers, store.read("papa") as his:
        assert _everything(hers)[1:] == _everything(his)[1:]


def test_no_write_reaches_another_agents_rows(store: Store) -> None:
    for agent_id in ("mama", "papa"):
        with store.write(agent_id) as unit:
            _fill(unit)
    with store.read("papa") as unit:
        before = _everything(unit)
    with store.write("mama") as unit:
        unit.memories.update(a_memory("m1", essence="other words"), vectors(1)[0])
        unit.memories.touch({"m1": (7, NOW)})
        unit.episodes.rewrite(an_episode("e1", content="other words"), vectors(1)[0])
        unit.memories.unlink(["e1"])
        unit.audit.scrub(["m1"])
        unit.tombstones.remove([b"digest"])
        unit.memories.delete(["m1"])
        unit.episodes.delete(["e1"])
        unit.agents.set_embedder("other", 3)
    with store.read("papa") as unit:
        assert _everything(unit) == before


def test_a_unit_puts_no_other_agent(store: Store) -> None:
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        unit.agents.put(an_agent("papa", home="elsewhere"), SECRET)


def test_nothing_but_the_agent_can_be_written_first(store: Store) -> None:
    with pytest.raises(InvalidInput, match="agent"), store.write("stranger") as unit:
        keep(unit, a_memory("m1"))
    assert "stranger" not in store.agent_ids()


def test_vectors_need_an_embedder_first(store: Store) -> None:
    with store.write("new") as unit:
        unit.agents.put(an_agent("new"), SECRET)
    with pytest.raises(InvalidInput, match="embedder"), store.write("new") as unit:
        keep(unit, a_memory("m1"))


@pytest.mark.parametrize("shape", [(1, DIMENSIONS + 1), (2, DIMENSIONS), (0, DIMENSIONS)])
def test_vectors_of_another_shape_are_refused(store: Store, shape: tuple[int, int]) -> None:
    with pytest.raises(InvalidInput, match="vectors"), store.write("mama") as unit:
        unit.memories.add([a_memory("m1")], vectors(3)[:, :1].repeat(shape[1], axis=1)[: shape[0]])


def test_a_read_sees_one_state_while_others_write(store: Store) -> None:
    with store.read("mama") as unit:
        before = _everything(unit)
        with store.write("mama") as other:
            _fill(other)
        assert _everything(unit) == before


def test_a_read_that_lasts_hinders_no_writer_and_no_reader(store: Store) -> None:
    with store.read("mama") as first:
        first.agents.rev()
        with store.write("mama") as unit:
            _fill(unit)
        with store.read("mama") as second:
            assert second.agents.rev() > first.agents.rev()


def test_a_reader_never_waits_for_a_writer(store: Store) -> None:
    with store.write("mama") as writer:
        keep(writer, a_memory("m1"))
        with store.read("mama") as unit:
            assert unit.memories.ids(EVERYTHING, now=NOW) == []


def test_many_reads_may_be_open_at_once(store: Store) -> None:
    with ExitStack() as stack:
        units = [stack.enter_context(store.read(agent_id)) for agent_id in ("mama", "papa") * 4]
        assert {unit.agents.rev() for unit in units} == {0}


def test_a_unit_that_reads_cannot_write(store: Store) -> None:
    with store.read("mama") as unit, pytest.raises(StoreError):
        keep(unit, a_memory("m1"))


def test_a_unit_is_of_no_use_after_its_block(store: Store) -> None:
    with store.write("mama") as writer:
        pass
    with store.read("mama") as reader:
        pass
    for unit in (writer, reader):
        with pytest.raises(StoreError):
            unit.agents.rev()


def test_a_nested_write_is_refused_and_the_outer_one_survives(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        with pytest.raises(StoreError), store.write("papa"):
            pass
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_a_writer_that_waits_too_long_gets_busy(banks: Banks) -> None:
    other = banks.again(busy_seconds=0.05)
    with banks.store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        with pytest.raises(Busy), other.write("mama") as late:
            keep(late, a_memory("m2"))
    with other.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_whoever_waits_too_long_for_another_thread_gets_busy(store: Store) -> None:
    raised: list[type[Exception]] = []

    def write() -> None:
        try:
            with store.write("mama"):
                pass
        except ReverieError as error:
            raised.append(type(error))

    with store.write("mama"):
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert raised == [Busy]


def test_threads_that_write_at_once_lose_nothing(banks: Banks) -> None:
    store = banks.again(busy_seconds=30)

    def write(number: int) -> None:
        for turn in range(10):
            with store.write("mama") as unit:
                keep(unit, a_memory(f"m{number}-{turn}"))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read("mama") as unit:
        assert len(unit.memories.ids(EVERYTHING, now=NOW)) == unit.agents.rev() == 40


_CHILD = """
import sys
from tests.contract.store_engines import SPREAD_ENGINES
from tests.contract.store_rows import a_memory, keep
name, place, who, count = sys.argv[1:]
store = SPREAD_ENGINES[name].open(place, 30.0)
for turn in range(int(count)):
    with store.write("mama") as unit:
        keep(unit, a_memory(f"{who}-{turn}"))
    print(turn, flush=True)
store.close()
"""


def _child(banks: Banks, who: str, count: int) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, banks.name, banks.place, who, str(count)],
        env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_two_processes_write_at_once_and_see_each_other(banks: Banks) -> None:
    store = banks.again(busy_seconds=30)
    with _child(banks, "child", 30) as child:
        assert child.stdout is not None
        for turn, line in enumerate(child.stdout):
            with store.read("mama") as unit:
                assert f"child-{line.strip()}" in unit.memories.get([f"child-{line.strip()}"])
            with store.write("mama") as unit:
                keep(unit, a_memory(f"parent-{turn}"))
    assert child.returncode == 0
    with store.read("mama") as unit:
        found = unit.memories.ids(EVERYTHING, now=NOW)
        assert unit.agents.rev() == 60
    assert sorted(found) == sorted(f"{who}-{turn}" for who in ("child", "parent") for turn in range(30))


def test_closing_twice_is_no_error_and_a_closed_store_says_so(banks: Banks) -> None:
    store = banks.again()
    store.close()
    store.close()
    for use in (store.agent_ids, store.info, store.scour, lambda: [*store.check()]):
        with pytest.raises(Closed):
            use()
    for begin in (store.read, store.write):
        with pytest.raises(Closed), begin("mama"):
            pass


def test_closing_inside_a_unit_lets_it_end(banks: Banks) -> None:
    store = banks.again()
    with store.write("mama") as unit:
        store.close()
        keep(unit, a_memory("m1"))
    with banks.store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_closing_while_another_thread_writes_lets_it_end(banks: Banks) -> None:
    store = banks.again(busy_seconds=30)
    closing: list[BaseException | None] = []

    def close() -> None:
        try:
            store.close()
        except ReverieError as error:
            closing.append(error)
        else:
            closing.append(None)

    thread = threading.Thread(target=close)
    with store.write("mama") as unit:
        thread.start()
        while _is_open(store):
            time.sleep(0.001)
        keep(unit, a_memory("m1"))
    thread.join()
    assert closing == [None]
    with banks.store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def _is_open(store: Store) -> bool:
    try:
        with store.read("mama"):
            return True
    except Closed:
        return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # fork in a process with threads
def test_a_forked_process_finds_the_store_closed(store: Store) -> None:
    child = os.fork()
    if not child:
        try:
            with store.read("mama") as unit:
                unit.agents.rev()
        except Closed:
            store.close()
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))


def test_agent_ids_are_those_that_have_written_sorted(store: Store) -> None:
    for agent_id in ("Zoé", "anna"):
        with store.write(agent_id) as unit:
            settle(unit, agent_id)
    with store.read("never"):
        assert store.agent_ids() == ["Zoé", "anna", "mama", "papa"]


def test_info_grows_with_what_is_stored(store: Store) -> None:
    before = store.info()
    with store.write("mama") as unit:
        tell(unit, *(an_episode(f"e{n:03}", n, content="long " * 200) for n in range(200)))
    after = store.info()
    assert after.bytes > before.bytes > 0
    assert (after.engine, after.where, after.schema) == (before.engine, before.where, before.schema)


def test_a_sound_store_has_no_faults(store: Store) -> None:
    with store.write("mama") as unit:
        _fill(unit)
    assert [*store.check()] == []


def test_scouring_changes_nothing_that_is_there(store: Store) -> None:
    with store.write("mama") as unit:
        _fill(unit)
    with store.read("mama") as unit:
        before = _everything(unit)
    store.scour()
    store.scour()
    with store.read("mama") as unit:
        assert _everything(unit) == before


def test_scouring_leaves_a_readers_state_whole(store: Store) -> None:
    with store.write("mama") as unit:
        _fill(unit)
    with store.read("mama") as unit:
        before = _everything(unit)
        with store.write("mama") as other:
            other.memories.delete(["m1"])
        store.scour()
        assert _everything(unit) == before


def test_empty_sequences_do_nothing(store: Store) -> None:
    with store.write("mama") as unit:
        unit.episodes.add([], vectors(0))
        unit.memories.add([], vectors(0))
        unit.audit.add([])
        unit.tombstones.add([], NOW)
        unit.tombstones.remove([])
        unit.memories.touch({})
        unit.memories.unlink([])
        unit.memories.delete([])
        unit.audit.scrub([])
        assert unit.episodes.delete([]) == []
        assert [
            unit.episodes.get([]), unit.episodes.vectors([]), unit.episodes.by_ref("kitchen", []),
            unit.memories.get([]), unit.memories.vectors([]), unit.memories.past([]),
            unit.memories.derived_from([]), unit.conversations.next_positions([]),
        ] == [{}] * 8  # fmt: skip
        assert unit.tombstones.known([]) == frozenset()
        assert unit.memories.of_conversation([]) == frozenset()
        assert unit.memories.connections([]) == []
        assert unit.episodes.ids(Filter(ids=frozenset())) == []
        assert unit.agents.rev() == 0


def test_ids_that_are_not_there_change_nothing(store: Store) -> None:
    with store.write("mama") as unit:
        _fill(unit)
        before = _everything(unit)
        unit.memories.update(a_memory("m9"), vectors(1)[0])
        unit.memories.add_version(a_version("m9", 1))
        unit.episodes.rewrite(an_episode("e9"), vectors(1)[0])
        unit.memories.touch({"m9": (1, NOW)})
        unit.memories.unlink(["e9"])
        unit.memories.delete(["m9"])
        unit.audit.scrub(["m9"])
        unit.tombstones.remove([b"other"])
        assert unit.episodes.delete(["e9"]) == []
        assert _everything(unit) == before
