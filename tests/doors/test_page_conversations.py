"""The page's conversations: the list, the search, one to read, and forgetting a message."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie.client import Right
from reverie.errors import NotFound
from tests.doors.page_site import PageSite, page_site, text_of

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def test_conversations_are_listed_the_latest_first(site: PageSite) -> None:
    for name, day in (("b/old", 1), ("a new", 9), ("c", 5)):
        said = {"content": f"said in {name}", "time": NOON + timedelta(days=day), "speaker": "Anna"}
        site.mama.observe(said, conversation=name)
    told = text_of(site.browser().get("conversations"))
    assert told.index("a new") < told.index("c Anna" if "c Anna" in told else " c ") < told.index("b/old")
    assert "1 message" in told
    assert "Anna" in told


def test_many_conversations_come_in_pages(site: PageSite) -> None:
    for n in range(45):
        site.mama.observe({"content": "Hello", "time": NOON + timedelta(days=n)}, conversation=f"c{n:02}")
    browser = site.browser()
    first, second = browser.get("conversations"), browser.get("conversations", after="c05")
    assert "conversations?after=c05" in first
    assert [name in first for name in ("c44", "c05", "c04")] == [True, True, False]
    assert "c04" in second
    assert "Back to the first" in second
    browser.get("conversations", after="x", status=404)


def test_conversations_are_found_by_their_days(site: PageSite) -> None:
    for name, day in (("march", 0), ("april", 25)):
        said = {"content": f"The ferry leaves in {name}", "time": NOON + timedelta(days=day)}
        site.mama.observe(said, conversation=name)
    browser = site.browser()
    for query in ({}, {"q": "when does the ferry leave?"}):
        part = browser.part("conversations", since="2026-04-08", until="2026-04-08", **query)
        assert "april" in part
        assert "march" not in part
        assert "april" not in browser.part("conversations", until="2026-03-14", **query)
    assert "Nothing was said then" in browser.part("conversations", since="2027-01-01")
    browser.get("conversations", since="some day", status=422)


def test_what_was_said_is_found(site: PageSite) -> None:
    (id,) = site.mama.observe("The ferry to Visby leaves at noon", conversation="a/b").episode_ids
    browser = site.browser()
    part = browser.part("conversations", q="when does the ferry leave?")
    assert "The ferry to Visby leaves at noon" in part
    assert browser.url("conversations", "a/b", at=id) in part
    assert "Nobody said that" in browser.part("conversations", q="zeppelin")


def test_what_was_kept_is_marked_in_place(site: PageSite) -> None:
    (id,) = site.mama.observe("Hello! I am allergic to peanuts.", conversation="a/b").episode_ids
    (memory,) = site.mama.memories(sources=id)
    browser = site.browser()
    page = browser.get("conversations", "a/b")
    assert "Hello! <mark>I am allergic to peanuts.</mark>" in page
    assert browser.url("memories", memory.id) in page


def test_a_long_conversation_is_read_in_pages(site: PageSite) -> None:
    ids = site.mama.observe([f"number {n}." for n in range(150)], conversation="c").episode_ids
    browser = site.browser()

    def seen(**query: Any) -> list[int]:
        page = browser.get("conversations", "c", **query)
        return [int(one.partition(".")[0]) for one in text_of(page).split("number ")[1:]]

    assert seen() == list(range(60))
    assert seen(after=ids[59]) == list(range(60, 120))
    assert seen(before=ids[60]) == list(range(60))
    assert seen(end="yes") == list(range(90, 150))
    assert seen(at=ids[100]) == list(range(88, 150))
    assert 'rel="next"' not in browser.get("conversations", "c", end="yes")
    assert 'rel="prev"' not in browser.get("conversations", "c")


def test_a_conversation_that_is_not_there_is_told(site: PageSite) -> None:
    site.mama.observe("Hello", conversation="c")
    assert "conversation" in site.browser().get("conversations", "d", status=404)


def test_a_message_is_forgotten_after_a_look_at_what_goes(site: PageSite) -> None:
    (id,) = site.mama.observe("I am allergic to peanuts.", conversation="c").episode_ids
    (memory,) = site.mama.memories(sources=id)
    browser = site.browser()
    asked = browser.get("messages", id, "forget")
    assert "rests on it alone" in asked
    assert memory.essence in asked
    assert site.mama.get(id).id == id
    assert "Forgotten" in browser.post("messages", id, "forget")
    for gone in (id, memory.id):
        with pytest.raises(NotFound):
            site.mama.get(gone)
    assert site.mama.audit(actions="forget")
    site.browser(Right.WRITE).post("messages", id, "forget", status=403)


def test_an_empty_list_says_what_to_do(site: PageSite) -> None:
    site.kept("Anna likes tea")
    assert "reverie observe" in site.browser().get("conversations")
