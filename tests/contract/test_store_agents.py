"""Agents, the log and the tombstones: small tables, kept exactly."""

from __future__ import annotations

from reverie.domain.audit import Action
from reverie.ports.store import Store
from tests.contract.store_rows import (
    FIRST,
    LAST,
    NOW,
    SECRET,
    a_memory,
    a_version,
    an_agent,
    an_entry,
    an_episode,
    keep,
    tell,
    vectors,
)


def test_an_agent_that_never_wrote_has_nothing(store: Store) -> None:
    with store.read("stranger") as unit:
        assert (unit.agents.get(), unit.agents.secret(), unit.agents.rev(), unit.agents.embedder()) == (
            None, b"", 0, None,
        )  # fmt: skip


def test_a_profile_comes_back_as_given(store: Store) -> None:
    agent = an_agent(
        "Ősz 🍂 'quoted' \"twice\"", time_zone="Europe/Budapest", principals=("Zoé", "a,b", "[]"), home="ház",
        location="日本", created_at=FIRST,
    )  # fmt: skip
    with store.write(agent.id) as unit:
        unit.agents.put(agent, SECRET)
    with store.read(agent.id) as unit:
        assert unit.agents.get() == agent


def test_the_first_secret_stays_when_the_profile_changes(store: Store) -> None:
    with store.write("mama") as unit:
        unit.agents.put(an_agent("mama", home="here"), b"another secret")
        assert unit.agents.secret() == SECRET
        assert unit.agents.get() == an_agent("mama", home="here")


def test_the_embedder_is_the_one_set_last(store: Store) -> None:
    with store.write("mama") as unit:
        unit.agents.set_embedder("other/768", 768)
        assert unit.agents.embedder() == ("other/768", 768)


def test_each_write_that_a_recall_could_see_raises_rev_by_one(store: Store) -> None:
    with store.write("mama") as unit:
        revs = [unit.agents.rev()]
        for write in (
            lambda: tell(unit, *(an_episode(f"e{n}", n) for n in range(3))),
            lambda: keep(unit, a_memory("m1"), a_memory("m2")),
            lambda: unit.memories.add_version(a_version("m1", 1)),
            lambda: unit.memories.update(a_memory("m1", version=2)),
            lambda: unit.episodes.rewrite(an_episode("e1", 1, content="new"), vectors(1)[0]),
            lambda: unit.memories.delete(["m1", "m2"]),
            lambda: unit.episodes.delete(["e0", "e1", "nobody"]),
        ):
            write()
            revs.append(unit.agents.rev())
    assert revs == [0, 1, 2, 3, 4, 5, 6, 7]


def test_what_no_recall_shows_leaves_rev_as_it_is(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.memories.touch({"m1": (3, NOW)})
        unit.audit.add([an_entry("a1")])
        unit.tombstones.add([b"digest"], NOW)
        unit.agents.put(an_agent("mama", home="here"), SECRET)
        assert unit.agents.rev() == 1


def test_rev_goes_back_with_a_write_that_failed(store: Store) -> None:
    try:
        with store.write("mama") as unit:
            keep(unit, a_memory("m1"))
            raise RuntimeError
    except RuntimeError:
        pass
    with store.read("mama") as unit:
        assert unit.agents.rev() == 0


def test_log_entries_come_back_as_given_in_order_of_id(store: Store) -> None:
    entries = [
        an_entry("a1", at=FIRST), an_entry("a2", at=LAST, before=None, after=None, reason=None),
        an_entry("a3", action=Action.FORGET, after={"ő": [1, 0.1, None, True, {"deep": "日本\n\t"}]}),
    ]  # fmt: skip
    with store.write("mama") as unit:
        unit.audit.add([entries[2], entries[0], entries[1]])
        assert unit.audit.list() == entries


def test_log_entries_are_listed_by_target_page_by_page(store: Store) -> None:
    entries = [an_entry(f"a{n}", f"m{n % 2}") for n in range(6)]
    with store.write("mama") as unit:
        unit.audit.add(entries)
        assert unit.audit.list(limit=2, after="a1") == entries[2:4]
        assert unit.audit.list(target="m1", limit=2, after="a1") == [entries[3], entries[5]]
        assert unit.audit.list(target="m9") == unit.audit.list(after="z") == unit.audit.list(limit=0) == []


def test_a_scrub_leaves_who_what_and_when_but_no_contents(store: Store) -> None:
    with store.write("mama") as unit:
        unit.audit.add([an_entry("a1", "m1"), an_entry("a2", "m2"), an_entry("a3", "m1")])
        unit.audit.scrub(["m1", *(f"x{n}" for n in range(1200))])
        bare = {"before": None, "after": None, "reason": None}
        assert unit.audit.list() == [
            an_entry("a1", "m1", **bare), an_entry("a2", "m2"), an_entry("a3", "m1", **bare)
        ]  # fmt: skip


def test_single_log_entries_are_emptied_by_their_own_ids(store: Store) -> None:
    with store.write("mama") as unit:
        unit.audit.add([an_entry("a1", "m1"), an_entry("a2", "m1")])
        unit.audit.empty(["a2", *(f"x{n}" for n in range(1200))])
        assert unit.audit.list() == [
            an_entry("a1", "m1"), an_entry("a2", "m1", before=None, after=None, reason=None)
        ]  # fmt: skip


def test_all_log_entries_of_an_agent_are_emptied_and_no_others(store: Store) -> None:
    for name in ("mama", "papa"):
        with store.write(name) as unit:
            unit.audit.add([an_entry("a1", "m1"), an_entry("a2", "m2")])
    with store.write("mama") as unit:
        unit.audit.empty_all()
        bare = {"before": None, "after": None, "reason": None}
        assert unit.audit.list() == [an_entry("a1", "m1", **bare), an_entry("a2", "m2", **bare)]
    with store.read("papa") as unit:
        assert unit.audit.list() == [an_entry("a1", "m1"), an_entry("a2", "m2")]


def test_tombstones_are_known_until_they_are_lifted(store: Store) -> None:
    digests = {n.to_bytes(32) for n in range(1200)}
    with store.write("mama") as unit:
        unit.tombstones.add(digests, NOW)
        unit.tombstones.add([bytes(32)], LAST)
        assert unit.tombstones.known([*digests, b"other"]) == digests
        unit.tombstones.remove(digests - {bytes(32)})
        assert unit.tombstones.known(digests) == {bytes(32)}
