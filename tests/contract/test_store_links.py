"""Laws of neural links as a bank holds them, of what came by them, and of raw rows on their way; on each engine."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie.domain.audit import Action
from reverie.domain.link import Include, LinkItem, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import State
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.ports.store import Store, Unit
from tests.contract.store_rows import NOW, a_memory, after, an_entry, an_episode, keep, tell


def _link(id: str, **fields: object) -> NeuralLink:
    usual: dict[str, object] = {
        "id": id, "side": Side.ASKED, "other": "kade", "asked_at": NOW, "expires_at": NOW + timedelta(minutes=2),
    }  # fmt: skip
    return NeuralLink(**usual | fields)  # type: ignore[arg-type]


FULL = _link(
    "l1", side=Side.RECEIVED, state=LinkState.ACCEPTED, message="why 🜍", decided_at=after(seconds=5),
    revoked_at=after(days=1), counts={"memories": 3},
    terms=LinkTerms(include=(Include.SOUL, Include.DIARY), kinds=("fact",), scope="src/a.py", tags=("x", "y")),
)  # fmt: skip


def _item(id: str, link_id: str = "l1", corpus: str = "memories", **fields: object) -> LinkItem:
    usual: dict[str, object] = {"link_id": link_id, "corpus": corpus, "source_id": f"of {id}", "id": id}
    return LinkItem(**usual | fields)  # type: ignore[arg-type]


def test_an_emptied_log_keeps_links_and_not_who_was_blocked(store: Store) -> None:
    with store.write("mama") as unit:
        unit.links.put(_link("l1"))
        unit.audit.add([an_entry(id, id, action=Action.LINK) for id in ("l1", "papa")])
        unit.audit.empty_all()
        assert [entry.target for entry in unit.audit.list()] == ["l1", "mama"]


def test_a_link_comes_back_as_it_was_put_and_is_replaced(store: Store) -> None:
    with store.write("mama") as unit:
        unit.links.put(_link("l1", message="first"))
        unit.links.put(FULL)
        unit.links.put(_link("l2"))
    with store.read("mama") as unit:
        assert unit.links.get("l1") == FULL
        assert unit.links.get("l2") == _link("l2")
        assert unit.links.get("l3") is None
    with store.read("papa") as unit:
        assert unit.links.get("l1") is None


def test_links_are_listed_newest_first_a_page_at_a_time(store: Store) -> None:
    with store.write("mama") as unit:
        for number in range(5):
            unit.links.put(_link(f"l{number}"))
        assert [one.id for one in unit.links.list(limit=2)] == ["l4", "l3"]
        assert [one.id for one in unit.links.list(limit=9, before="l3")] == ["l2", "l1", "l0"]


def test_only_a_write_that_changes_something_takes_a_revision(store: Store) -> None:
    with store.write("mama") as unit:
        rev = unit.agents.rev()
        unit.links.put(FULL)
        unit.links.add_items([_item("m1"), _item("m2")])
        unit.links.block("kade", NOW)
        assert unit.agents.rev() == rev + 3
        unit.links.add_items([])
        assert not unit.links.unblock("nobody")
        unit.links.drop_items("l9")
        unit.links.drop_messages(after(days=1), None)
        assert unit.agents.rev() == rev + 3
        assert unit.links.unblock("kade")
        unit.links.drop_items("l1")
        unit.links.drop_messages(None, None)
        assert unit.agents.rev() == rev + 6


def test_items_are_found_by_link_and_by_either_id(store: Store) -> None:
    items = [_item("m1"), _item("m2", own=True), _item("e1", corpus="episodes"), _item("m1", link_id="l2")]
    with store.write("mama") as unit:
        unit.links.add_items(items)
        assert unit.links.items("l1") == [items[2], items[0], items[1]]
        assert unit.links.items("l1", corpus="memories") == items[:2]
        assert unit.links.items_of("memories", ["m1", "e1"]) == [items[0], items[3]]
        assert unit.links.copies_of("l1", "memories", ["of m2", "of e1"]) == [items[1]]
        unit.links.drop_items("l1")
        assert unit.links.items("l1") == []
        assert unit.links.items("l2") == [items[3]]


def test_something_comes_by_a_link_once(store: Store) -> None:
    with store.write("mama") as unit:
        unit.links.add_items([_item("m1")])
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        unit.links.add_items([_item("m2", source_id="of m1")])


def test_what_is_deleted_came_by_no_link_any_more(store: Store) -> None:
    kept = [
        _item("m2"),
        _item("e2", corpus="episodes"),
        _item("s2", corpus="soul"),
        _item("d2", corpus="diary"),
    ]
    gone = [
        _item("m1"),
        _item("e1", corpus="episodes"),
        _item("s1", corpus="soul"),
        _item("d1", corpus="diary"),
    ]
    with store.write("mama") as unit:
        keep(unit, *map(a_memory, ("m1", "m2", "s1", "s2")))
        tell(unit, *(an_episode(id, place) for place, id in enumerate(("e1", "e2", "d1", "d2"))))
        unit.links.add_items([*kept, *gone])
        unit.memories.delete(["m1", "s1"])
        unit.episodes.delete(["e1", "d1"])
        assert set(unit.links.items("l1")) == set(kept)


def test_messages_of_a_time_go_and_the_links_stay(store: Store) -> None:
    with store.write("mama") as unit:
        for number in range(3):
            unit.links.put(_link(f"l{number}", message="why", asked_at=after(days=number)))
        unit.links.drop_messages(after(days=1), after(days=2))
        assert [one.message for one in unit.links.list()] == ["why", None, "why"]
        unit.links.drop_messages(None, None)
        assert [one.message for one in unit.links.list()] == [None] * 3


def test_who_is_blocked_is_listed_in_order_until_unblocked(store: Store) -> None:
    with store.write("mama") as unit:
        for other in ("kade", "ann", "kade"):
            unit.links.block(other, NOW)
        assert unit.links.blocked() == ["ann", "kade"]
        assert unit.links.unblock("kade")
        assert not unit.links.unblock("kade")
        assert unit.links.blocked() == ["ann"]
    with store.read("papa") as unit:
        assert unit.links.blocked() == []


def test_own_memories_are_unlinked_and_unreplaced(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m1"), a_memory("m2", learned_from="kade"), a_memory("m3", state=State.ARCHIVED),
            a_memory("m4", state=State.INACTIVE), a_memory("m5", superseded_by="m1"), a_memory("m6"),
        )  # fmt: skip
        assert unit.links.own_memories() == ["m1", "m3", "m6"]


def test_trust_is_given_to_many_at_once_under_one_revision(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, *map(a_memory, ("m1", "m2", "m3")))
        rev = unit.agents.rev()
        unit.links.entrust(["m1", "m3"], SourceTrust.PRINCIPAL, after(hours=1))
        unit.links.entrust([], SourceTrust.OTHER, after(hours=2))
        assert unit.agents.rev() == rev + 1
        known = unit.memories.get(["m1", "m2", "m3"])
        assert [known[id].source_trust for id in sorted(known)] == ["principal", "agent", "principal"]
        assert [known[id].updated_at for id in sorted(known)] == [after(hours=1), NOW, after(hours=1)]


def test_rows_go_to_another_agent_unchanged_but_for_the_id(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1", tags=("a",), learned_from="kade"))
        tell(unit, an_episode("e1", speaker="Ann", ref="r"))

    def work(mama: Unit, papa: Unit) -> None:
        rev = papa.transfer.stamp()
        assert papa.agents.rev() == rev
        assert mama.transfer.order("memories") == ["m1"]
        for table, id in (("memories", "m1"), ("episodes", "e1")):
            (row,) = mama.transfer.among(table, "id", [id, "nothing"])
            columns = mama.transfer.columns(table)
            assert len(columns) == len(row)
            assert columns[-1] == "vector"
            told = dict(zip(columns, row, strict=True)) | {"id": "new", "rev": rev}
            papa.transfer.add(table, [tuple(told.values())])
        papa.conversations.widen(
            [("kitchen", "terminal", micros(NOW), micros(NOW), 1, 1)], {("kitchen", "Ann"): 1}
        )
        assert papa.memories.get(["new"])["new"] == a_memory(
            "new", essence="essence of m1", tags=("a",), learned_from="kade"
        )
        assert (papa.memories.vectors(["new"])["new"] == mama.memories.vectors(["m1"])["m1"]).all()
        assert (papa.episodes.vectors(["new"])["new"] == mama.episodes.vectors(["e1"])["e1"]).all()

    store.transact_both("mama", "papa", work)
    with store.read("papa") as unit:
        room = unit.conversations.get("kitchen")
        assert room is not None
        assert (room.episodes, room.participants, room.last_at) == (1, ("Ann",), NOW)
        assert [one.id for one in unit.episodes.tail("kitchen", 5)] == ["new"]
    assert [*store.check()] == []


def test_messages_found_by_time_tell_whether_a_link_brought_them(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", 0, speaker="Ann"), an_episode("e2", 1, time=after(hours=1)))
        tell(unit, an_episode("e3", 0, conversation="link:kade:kitchen", channel="link"))
        assert sorted(unit.transfer.said_at([micros(NOW), 7])) == [
            ("e1", micros(NOW), "Ann", "words of e1", True),
            ("e3", micros(NOW), None, "words of e3", False),
        ]
        assert unit.transfer.said_at([]) == []


def test_rows_whose_key_is_taken_are_passed_over(store: Store) -> None:
    with store.write("mama") as unit:
        row = ("m1", "m2", "supports", micros(NOW))
        unit.transfer.add_new("connections", [row])
        unit.transfer.add_new("connections", [row, ("m1", "m3", "supports", micros(NOW))])
        assert len(unit.memories.connections(["m1"])) == 2
