"""The page's memories: the list, the search, one memory, and what can be done to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie.client import Right
from reverie.domain.memory import Memory
from reverie.errors import NotFound
from tests.doors.page_site import PageSite, found, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def test_memories_are_listed_newest_first_a_page_at_a_time(site: PageSite) -> None:
    site.mama.remember_many([f"Guest {n} drinks tea" for n in range(90)])
    browser = site.browser()
    pages, address = [], browser.url("memories")
    while address:
        page = browser.client.get(address).text
        pages.append([int(part.split()[0]) for part in text_of(page).split("Guest ")[1:]])
        older = [part for part in page.split('href="') if 'rel="next"' in part.partition(">")[0]]
        address = older[0].partition('"')[0] if older else ""
    assert [len(one) for one in pages] == [40, 40, 10]
    assert [n for page in pages for n in page] == list(range(89, -1, -1))


def test_filters_narrow_the_list(site: PageSite) -> None:
    site.kept("Anna likes tea", kind="preference")
    old = site.kept("Anna lives in Porto")
    site.kept("Anna lives in Lisbon", supersedes=[old.id])
    browser = site.browser()
    assert "Porto" not in browser.get("memories")
    assert "tea" not in browser.get("memories", kind="fact")
    assert "replaced" in browser.get("memories", state="archived")
    assert "No memory is like that" in browser.get("memories", review="yes")
    assert "is unknown" in browser.get("memories", state="gone", status=422)


def test_a_range_of_days_narrows_list_and_search(site: PageSite) -> None:
    site.kept("Anna likes tea")
    browser = site.browser()
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for query in ({}, {"q": "what does Anna like?"}):
        assert "Anna likes tea" in browser.part("memories", since=today, until=today, **query)
        assert "Anna likes tea" not in browser.part("memories", until="2020-01-01", **query)
        assert "Anna likes tea" not in browser.part("memories", since="2999-01-01", **query)
    browser.get("memories", until="9999-12-31")
    browser.get("memories", since="yesterday or so", status=422)
    browser.get("memories", until="2026-99-99", status=422)


def test_memories_stand_under_the_day_they_were_learned(site: PageSite) -> None:
    site.kept("Anna likes tea")
    assert f"{datetime.now(UTC):%a} {datetime.now(UTC).day} " in site.browser().get("memories")


def test_a_search_shows_what_each_score_is_made_of(site: PageSite) -> None:
    tea = site.kept("Anna likes green tea", kind="preference")
    site.kept("The museum opens at ten")
    browser = site.browser()
    part = browser.part("memories", q="what does Anna drink? tea")
    (hit,) = site.mama.recall("what does Anna drink? tea", limit=1, explain=True).hits
    assert hit.id == tea.id
    assert part.index("Anna likes green tea") < part.index("museum")
    for name, points in hit.terms.items():
        if round(points, 3):
            assert f"<span>{name}</span>" in part
            assert f"{points:+.3f}" in part
    assert "how close the meaning is" in part
    assert "<html" not in part
    assert "<html" in browser.get("memories", q="tea")
    assert "museum" not in browser.part("memories", q="tea", kind="preference")
    assert "Nothing answers that" in browser.part("memories", q="tea", review="yes")


def test_a_memory_stands_in_its_conversation(site: PageSite) -> None:
    said = ["Hello!", "Hello.", "I am allergic to peanuts. Never forget it.", "I won't.", "Bye!", "See you."]
    ids = site.mama.observe(said, conversation="chat").episode_ids
    memory = next(one for one in site.mama.memories(sources=ids[2]) if one.quoted is not None)
    page = site.browser().get("memories", memory.id)
    assert f"<mark>{memory.essence}" in page
    shown = text_of(page)
    assert "Hello." in shown
    assert "Bye!" in shown
    assert "See you." not in shown


def test_messages_side_by_side_are_shown_once(site: PageSite) -> None:
    ids = site.mama.observe([f"number {n}" for n in range(9)], conversation="chat").episode_ids
    memory = site.kept("They counted", source_episodes=[ids[3], ids[4], ids[8]])
    page = site.browser().get("memories", memory.id)
    assert [page.count(f"number {n}<") for n in range(9)] == [0, *[1] * 8]
    assert page.count('class="talk"') == 1


def test_a_memory_tells_its_history_and_what_superseded_it(site: PageSite) -> None:
    old = site.kept("Anna lives in Porto")
    site.mama.revise(old.id, essence="Anna lives in Braga", reason="she said so")
    new = site.kept("Anna lives in Lisbon", supersedes=[old.id])
    page = site.browser().get("memories", old.id)
    assert "<del>Porto</del><ins>Braga</ins>" in page
    assert f'Replaced by <a href="{site.browser().url("memories", new.id)}">Anna lives in Lisbon</a>' in page
    assert "she said so" in page


def test_a_memory_is_edited(site: PageSite) -> None:
    memory = site.kept("Anna lives in Porto", tags=["old"], lesson="Write to Porto")
    browser = site.browser()
    form = browser.get("memories", memory.id, "edit")
    assert ">Anna lives in Porto</textarea>" in form
    fields: dict[str, Any] = {
        "essence": "Anna lives in Lisbon", "kind": "fact", "priority": "high", "importance": "0.7",
        "tags": "home, city", "lesson": "",
        "topics": ", ".join(memory.topics), "entities": ", ".join(memory.entities), "scope": "",
        "reason": "she moved",
    }  # fmt: skip
    assert "says so from now on" in browser.post("memories", memory.id, "edit", **fields)
    now = site.mama.get(memory.id)
    assert isinstance(now, Memory)
    assert (now.essence, now.tags, now.importance, now.lesson) == (
        "Anna lives in Lisbon",
        ("home", "city"),
        0.7,
        None,
    )
    assert now.priority.value == "high"
    (entry,) = site.mama.audit(target=memory.id, actions="revise")
    assert entry.reason == "she moved"


def test_an_edit_that_changes_nothing_is_not_logged(site: PageSite) -> None:
    memory = site.kept("Anna lives in Porto")
    labels = ("tags", "topics", "entities", "scope")
    fields: dict[str, Any] = {name: ", ".join(getattr(memory, name)) for name in labels}
    fields |= {
        "essence": memory.essence,
        "kind": "fact",
        "priority": "normal",
        "importance": f"{memory.importance:g}",
    }
    assert "Nothing was changed" in site.browser().post("memories", memory.id, "edit", **fields)
    assert site.mama.audit(target=memory.id, actions="revise") == []


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"importance": "much"}, "is no number"),
        ({"importance": "7"}, "importance"),
        ({"kind": "x"}, "not a kind"),
    ],
)
def test_what_an_edit_gets_wrong_stays_in_the_form(site: PageSite, fields: dict[str, Any], told: str) -> None:
    memory = site.kept("Anna lives in Porto")
    given: dict[str, Any] = {
        "essence": "Anna lives in Lisbon",
        "kind": "fact",
        "priority": "normal",
        **fields,
    }
    page = site.browser().post("memories", memory.id, "edit", status=422, **given)
    assert told in page
    assert ">Anna lives in Lisbon</textarea>" in page
    assert site.mama.get(memory.id) == memory


@pytest.mark.parametrize(("word", "action"), [("pin", "revise"), ("approve", "approve"), ("adopt", "adopt")])
def test_an_action_is_done_and_logged(site: PageSite, word: str, action: str) -> None:
    memory = site.doubted("Anna lives in Porto", source_trust="external")
    browser = site.browser()
    assert 'class="told good"' in browser.post("memories", memory.id, word)
    assert [one.action.value for one in site.mama.audit(target=memory.id, actions=action)] == [action]
    now = site.mama.get(memory.id)
    assert isinstance(now, Memory)
    assert (now.pinned, now.source_trust.value) == (
        word == "pin",
        "principal" if word == "adopt" else "external",
    )


def test_a_pin_is_taken_away_again(site: PageSite) -> None:
    memory = site.kept("Anna lives in Porto", pinned=True)
    assert "no longer pinned" in site.browser().post("memories", memory.id, "pin")


def test_forgetting_says_what_goes_and_gives_a_receipt(site: PageSite) -> None:
    ids = site.mama.observe(
        ["The lighthouse keeper has the second map.", "So he has the second map!"]
    ).episode_ids
    memory = site.kept("The lighthouse keeper has the second map", source_episodes=ids[:1])
    browser = site.browser()
    asked = text_of(browser.get("memories", memory.id, "forget"))
    assert "The lighthouse keeper has the second map." in asked
    assert "can't be undone" in asked
    assert site.mama.get(memory.id) == memory
    receipt = text_of(browser.post("memories", memory.id, "forget"))
    assert "Forgotten" in receipt
    assert "may still tell of it So he has the second map!" in receipt.replace("These messages", "").replace(
        "They share its rare words, or half of its words. Read them, and forget those that shall go as well. ",
        "",
    )
    with pytest.raises(NotFound):
        site.mama.get(memory.id)
    assert [one.target for one in site.mama.audit(actions="forget")][:1] != []
    browser.get("memories", memory.id, status=404)


def test_who_may_only_read_is_shown_no_buttons_and_refused(site: PageSite) -> None:
    memory = site.kept("Anna lives in Porto")
    reads, writes = site.browser(Right.READ), site.browser(Right.WRITE)
    assert found(reads.get("memories", memory.id), r'<div class="actions">\s*(.*?)\s*</div>') == ""
    for word in ("pin", "approve", "adopt", "forget", "edit"):
        reads.post("memories", memory.id, word, status=403)
    for word in ("approve", "adopt", "forget"):
        writes.post("memories", memory.id, word, status=403)
    assert "Edit" in writes.get("memories", memory.id)
    assert "Forget" not in writes.get("memories", memory.id)


def test_a_message_is_no_memory(site: PageSite) -> None:
    (id,) = site.mama.observe("Hello!").episode_ids
    assert "no memory" in site.browser().get("memories", id, status=404)
