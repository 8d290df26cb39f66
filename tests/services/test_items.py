"""Values that a program keeps: exact, found by name, filter and meaning, and gone when they should be."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from reverie import Agent, AsyncReverie, InvalidInput, ItemChange
from reverie.domain.item import MAX_DEPTH
from tests.services.bench import KEY, Clock
from tests.services.conftest import Open

HOUR = timedelta(hours=1)
KEY_PATTERN = "AKIAQ3EGUX7NBDOWJ5PT"  # of the form of an access key


def keys(agent: Agent, *args: Any, **how: Any) -> list[str]:
    return [hit.item.key for hit in agent.items.search(*args, **how)]


def test_a_value_comes_back_as_put_and_is_never_merged(mama: Agent, clock: Clock) -> None:
    value: Mapping[str, Any] = {"text": "a\r\n\x00b ", "n": [1 << 70, 0.1, None, True, {"": {}}], "é": "日本"}
    first = mama.items.put(("users", "anna"), "one", value)
    mama.items.put(("users", "anna"), "two", value)
    clock.wait(hours=1)
    again = mama.items.put(("users", "anna"), "one", {})
    got = mama.items.get(("users", "anna"), "two")
    assert got is not None
    assert got.value == value
    assert (again.id, again.created_at, again.updated_at, again.value) == (
        first.id,
        first.created_at,
        clock(),
        {},
    )
    assert keys(mama) == ["one", "two"]
    assert keys(mama, newest_first=True, limit=1) == ["two"]
    assert mama.items.get("users", "one") is None
    assert (mama.items.delete(("users", "anna"), "one"), mama.items.delete(("users", "anna"), "one")) == (
        True,
        False,
    )
    assert mama.stats().items == 1


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"rank": 2}, ["b"]),
        ({"rank": {"$gte": 2}}, ["b", "c"]),
        ({"rank": {"$gt": 1, "$lt": 3}}, ["b"]),
        ({"rank": {"$lte": 1}}, ["a"]),
        ({"rank": {"$ne": 2}}, ["a", "c", "d"]),
        ({"name": {"$gte": "x"}}, ["d"]),
        ({"of": {"city": "Porto"}}, ["a", "c"]),
        ({"of": {"city": {"$eq": "Porto"}, "tags": ["x", "y"]}}, ["c"]),
        ({"missing": None}, ["a", "b", "c", "d"]),
        ({"missing": {"$gt": 0}}, []),
    ],
)
def test_a_filter_compares_fields(mama: Agent, wanted: Mapping[str, object], found: list[str]) -> None:
    held: dict[str, dict[str, object]] = {
        "a": {"rank": 1, "of": {"city": "Porto"}}, "b": {"rank": 2}, "d": {"rank": "2", "name": "x"},
        "c": {"rank": 3, "of": {"city": "Porto", "tags": ["x", "y"]}},
    }  # fmt: skip
    for key, value in held.items():
        mama.items.put("of", key, value)
    assert sorted(keys(mama, "of", filter=wanted)) == found
    assert keys(mama, "of", filter=wanted, limit=1, offset=1) == keys(mama, "of", filter=wanted)[1:2]


@pytest.mark.parametrize("wanted", [{"$near": 2}, {"$gt": 1, "city": "Porto"}])
def test_what_is_no_operator_is_refused_beside_one(mama: Agent, wanted: Mapping[str, object]) -> None:
    with pytest.raises(InvalidInput, match=r"^filter\.rank: "):
        mama.items.search("of", filter={"rank": wanted})


def test_a_query_ranks_by_the_nearest_text(mama: Agent, open_bank: Open) -> None:
    mama.items.put("of", "plain", {})
    mama.items.put("of", "sea", {}, texts=["a stone", "the harbour at night"])
    mama.items.put(
        "of", "tea", {"says": "green tea in the morning"}, texts=lambda value: [str(value["says"])]
    )
    for agent in (mama, mama, open_bank().agent("mama")):
        hits = agent.items.search("of", "green tea in the morning")
        assert [hit.item.key for hit in hits] == ["tea", "sea", "plain"]
        assert hits[0].score == pytest.approx(1)
        assert hits[2].score is None
    mama.items.put("of", "tea", {}, texts="the harbour at night")
    assert keys(mama, "of", "the harbour at night", limit=2) == ["sea", "tea"]


def test_an_item_with_a_ttl_goes_unless_it_is_refreshed(mama: Agent, clock: Clock) -> None:
    mama.items.put("of", "brief", {}, ttl=HOUR)
    clock.wait(minutes=50)
    assert mama.items.get("of", "brief", refresh=True) is not None
    clock.wait(minutes=50)
    assert keys(mama, refresh=True) == ["brief"]
    clock.wait(minutes=59)
    assert mama.items.get("of", "brief") is not None
    clock.wait(minutes=1)
    assert (mama.items.get("of", "brief"), keys(mama), mama.items.namespaces()) == (None, [], [])
    assert mama.stats().items == 1
    mama.items.put("of", "other", {})
    assert mama.stats().items == 1


def test_namespaces_match_from_both_ends(mama: Agent) -> None:
    places = [("a", "x"), ("a", "b", "c"), ("b", "c"), ("a", "b", "d")]
    for place in places:
        mama.items.put(place, "k", {})
    assert mama.items.namespaces() == sorted(places)
    assert mama.items.namespaces(prefix="a", suffix=("*", "c")) == [("a", "b", "c")]
    assert mama.items.namespaces(max_depth=2) == [("a", "b"), ("a", "x"), ("b", "c")]
    assert mama.items.namespaces(max_depth=1, offset=1, limit=5) == [("b",)]


def test_changes_are_made_all_or_none(mama: Agent) -> None:
    changes = [
        ItemChange(namespace="of", key="a", value={"n": 1}),
        ItemChange(namespace="of", key="a", value={"n": 2}),
        ItemChange(namespace="of", key="b"),
        ItemChange(namespace="of", key="b", value={}),
        ItemChange(namespace="of", key="b"),
    ]
    results = mama.items.write(changes)
    assert [one and one.value for one in results] == [{"n": 1}, {"n": 2}, None, {}, {}]
    assert keys(mama) == ["a"]
    with pytest.raises(InvalidInput, match=r"changes\[1\]\.value\.deep\[1\]"):
        mama.items.write(
            [
                ItemChange(namespace="of", key="a"),
                ItemChange(namespace="of", key="c", value={"deep": [0, {1}]}),
            ]
        )
    assert keys(mama) == ["a"]


def test_secrets_never_reach_the_store(mama: Agent) -> None:
    value = {"note": f"the key is {KEY_PATTERN}", "password": "hunter2hunter2", "ok": "tea"}
    item = mama.items.put("of", "a", value, texts=lambda held: [str(held), f"so {KEY_PATTERN}"])
    assert item.value["ok"] == "tea"
    assert not any(secret in f"{item.value} {item.texts}" for secret in (KEY_PATTERN, "hunter2"))
    for namespace, key in ((KEY_PATTERN, "a"), ("of", KEY_PATTERN)):
        with pytest.raises(InvalidInput, match="secret"):
            mama.items.put(namespace, key, {})


def _deep(levels: int) -> dict[str, object]:
    return {"x": _deep(levels - 1)} if levels > 1 else {}


@pytest.mark.parametrize(("value", "told"), [(7, "an int is no object"), ([], "a list is no object")])
def test_a_wrong_type_is_told_with_its_article(mama: Agent, value: Any, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        mama.items.put("of", "k", value)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (None, "value"), ([], "value"), ({"a": {2: 3}}, r"value\.a"), ({"a": [float("nan")]}, r"value\.a\[0\]"),
        ({"a": b"x"}, r"value\.a"), ({"a": "\ud800"}, r"value\.a"), (_deep(MAX_DEPTH + 1), "value"),
        ({"a": "x" * (1 << 22)}, "value"), ({"a": 10**5000}, r"value\.a"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_by_its_place(mama: Agent, value: Any, place: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{place}"):
        mama.items.put("of", "a", value)
    assert mama.items.put("of", "a", _deep(MAX_DEPTH)).value == _deep(MAX_DEPTH)


def test_a_forget_takes_items_of_its_time_and_imports_leave_them_out(mama: Agent, clock: Clock) -> None:
    old = mama.items.put("of", "old", {"n": 1})
    clock.wait(hours=1)
    began = clock()
    new = mama.items.put("of", "new", {"n": 2})
    lines = [*mama.export()]
    assert mama.forget(since=began).items == (new.id,)
    assert keys(mama) == ["old"]
    counts = mama.import_bank(lines).counts["item"]
    assert (counts.known, counts.forgotten) == (1, 1)
    mama.items.put("of", "new", {"n": 2})
    assert keys(mama) == ["old", "new"]
    assert [one.target for one in mama.audit() if one.action == "item"] == [
        old.id,
        new.id,
        keys_to_ids(mama)["new"],
    ]


def keys_to_ids(agent: Agent) -> dict[str, str]:
    return {hit.item.key: hit.item.id for hit in agent.items.search()}


def test_a_bank_keeps_its_own_item_of_a_key(mama: Agent, nova: Agent) -> None:
    mama.items.put("of", "a", {"n": 1})
    nova.items.put("of", "a", {"n": 2})
    mama.items.put("of", "b", {"n": 3})
    counts = nova.import_bank(mama.export()).counts["item"]
    assert (counts.known, counts.added) == (1, 1)
    assert [hit.item.value for hit in nova.items.search("of")] == [{"n": 2}, {"n": 3}]


def test_the_verbs_can_be_awaited(tmp_path: Any) -> None:
    async def session() -> object:
        async with AsyncReverie.open(tmp_path / "a.bank", key=KEY) as reverie:
            mama = reverie.agent("mama")
            await mama.items.put("of", "a", {"n": 1})
            return [hit.item.value for hit in await mama.items.search("of")]

    assert asyncio.run(session()) == [{"n": 1}]
