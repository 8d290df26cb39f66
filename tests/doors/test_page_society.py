"""The page's soul, diary, relationships and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.client import Right
from reverie.doors.page.urls import address
from tests.doors.page_site import PageSite, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def test_a_core_belief_is_added_and_removed(site: PageSite) -> None:
    browser = site.browser()
    assert "No core belief yet" in browser.get("soul")
    assert "stands in every prompt" in browser.post("soul", text="I would rather ask than guess")
    (entry,) = site.mama.soul.list()
    page = browser.get("soul")
    assert "I would rather ask than guess" in page
    assert browser.url("soul", "portrait") in page
    assert "I would rather ask than guess" in browser.part("soul", "portrait")
    assert 'class="told bad"' in browser.post("soul", text="I would rather ask than guess")
    assert 'class="told bad"' in browser.post("soul", text="")
    site.browser(Right.WRITE).post("soul", entry.id, "remove", status=403)
    assert "Removed: I would rather ask than guess" in browser.post("soul", entry.id, "remove")
    assert site.mama.soul.list() == []
    assert len(site.mama.audit(actions="soul")) == 2


def test_the_diary_is_a_calendar(site: PageSite) -> None:
    site.mama.diary.write("Kade kept his word", mood="hopeful", location="Harbour", date="2026-05-13")
    site.mama.diary.write({"text": "Rain", "weather": ["wet", "cold"]}, date="2026-05-31")
    browser = site.browser()
    month = browser.get("diary", month="2026-05")
    assert "May 2026" in month
    assert re.findall(r"day=(2026-05-\d\d)", month) == ["2026-05-13", "2026-05-31"]
    assert "hopeful 1" in month
    assert "Kade kept his word" in text_of(browser.get("diary", day="2026-05-13"))
    assert 'weather: ["wet", "cold"]' in browser.get("diary", day="2026-05-31").replace("&#34;", '"')
    assert "No page in April 2026" in browser.get("diary", month="2026-04")
    found = browser.get("diary", q="kade word")
    assert "Kade kept his word" in found
    assert "Rain" not in found
    assert "No page says that" in browser.get("diary", q="zeppelin")


@pytest.mark.parametrize("month", ["0001-01", "9999-12", "2026-02"])
def test_months_at_the_ends_of_the_calendar_are_shown(site: PageSite, month: str) -> None:
    assert "Diary" in site.browser().get("diary", month=month)


def test_a_month_that_is_none_is_told(site: PageSite) -> None:
    assert "month" in site.browser().get("diary", month="May", status=422)
    assert "Diary" in site.browser().get("diary", day="2026-05-99", status=200)


def test_relationships_are_a_graph_and_a_table(site: PageSite) -> None:
    site.mama.relationships.assign("Anna", "friend", 0.8, rationale="She asked")
    site.mama.relationships.assign("Ben", "rival", -0.9)
    site.mama.observe({"content": "Hello", "speaker": "Carl"})
    browser = site.browser()
    page = browser.get("relationships")
    shown = re.findall(r'class="tie (\w+)" data-to', page)
    assert sorted(shown) == ["bad3", "good3", "met"]
    assert page.count("data-node=") == 3
    assert "+0.80" in page
    assert "only met" in page
    assert "She asked" in browser.get("relationships", "Anna")
    browser.get("relationships", "Nobody", status=404)


def test_a_slider_leads_through_their_history(site: PageSite) -> None:
    for trust in (0.1, 0.9):
        site.mama.relationships.assign("Anna", "friend", trust)
    browser = site.browser()
    assert 'type="range"' in browser.get("relationships")
    assert "+0.10" in browser.get("relationships", step="0")
    assert "+0.90" in browser.get("relationships", step="1")
    for step in ("2", "99", "x"):
        assert "as of" not in browser.get("relationships", step=step)


def test_an_agent_that_knows_nobody_says_so(site: PageSite) -> None:
    assert "It knows nobody yet" in site.browser().get("relationships")


def test_a_link_shows_what_was_shared_and_is_revoked(site: PageSite) -> None:
    papa = site.reverie.agent("papa")
    papa.remember("The keeper has a map")
    papa.remember("Never sell the map", kind="policy")
    asked = site.mama.link.request("papa", message="the map")
    theirs = site.browser()
    theirs.agent = "papa"
    assert "pending" in theirs.get("links")
    assert "Accepted" in theirs.post("links", asked.id, "accept")
    browser = site.browser()
    page = text_of(browser.get("links", asked.id))
    assert "The keeper has a map" in page
    assert "1 policy or preference of it will stand" in page
    assert "2 memories are trusted" in browser.post("links", asked.id, "adopt")
    assert "gone again" in browser.post("links", asked.id, "revoke")
    assert site.mama.memories() == []
    assert "revoked" in browser.get("links")
    assert 'class="told bad"' in browser.post("links", asked.id, "revoke")
    assert site.mama.audit(actions="link")


def test_a_request_is_declined(site: PageSite) -> None:
    site.reverie.agent("papa").remember("The keeper has a map")
    asked = site.mama.link.request("papa")
    theirs = site.browser()
    theirs.agent = "papa"
    assert "Declined." in theirs.post("links", asked.id, "decline")
    assert site.mama.link.get(asked.id).state.value == "declined"


def test_rooms_show_who_shares_them(site: PageSite) -> None:
    browser = site.browser()
    assert "reverie rooms say plaza" in browser.get("rooms")
    plaza = site.reverie.room("plaza", ["mama", "kade"])
    plaza.say("Kade", "The ferry leaves at six")
    plaza.say("Iris", "At seven!")
    site.mama.observe("No room at all", conversation="chat")
    page = browser.get("rooms")
    told = text_of(page)
    assert "2 messages Iris, kade room" in told
    assert "chat" not in told
    assert address("main", "kade", "conversations", "plaza") in page
    assert browser.url("conversations", "plaza") in page
    mine = site.browser(Right.READ, agents=["mama"])
    assert address("main", "kade", "conversations", "plaza") not in mine.get("rooms")


def test_an_agent_without_links_says_what_to_do(site: PageSite) -> None:
    assert "reverie link request" in site.browser().get("links")


def test_a_view_of_long_ago_is_shown_by_its_time(site: PageSite) -> None:
    site.mama.relationships.assign("Anna", "friend", 0.8)
    assert f"{datetime.now(UTC).year}" in site.browser().get("relationships", "Anna")
