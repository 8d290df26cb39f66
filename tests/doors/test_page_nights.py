"""The page's review, nights and context preview."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from reverie.client import Right
from reverie.domain.memory import Memory
from tests.doors.page_site import PageSite, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def slept(site: PageSite) -> str:
    """Let mama sleep on what Anna told, and return the sleep's id."""
    said = {"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."}
    site.mama.observe(said, conversation="chat")
    report = site.mama.sleep()
    assert report.changes
    return report.sleep.id


# Review


def test_what_waits_is_approved_one_by_one(site: PageSite) -> None:
    first, second = site.doubted("Never push on Fridays"), site.doubted("Anna sings in a choir")
    site.kept("Ben sails")
    browser = site.browser()
    page = browser.get("review")
    assert page.count(">needs review<") == 2
    assert "Ben sails" not in page
    part = browser.client.post(
        browser.url("review", first.id, "approve"),
        data={"csrf": browser.csrf},
        headers={"hx-request": "true"},
    ).text
    assert "Approved: Never push on Fridays" in part
    assert "<html" not in part
    assert part.count(">needs review<") == 1
    assert "Nothing waits" in browser.post("review", second.id, "approve")
    assert [one.target for one in site.mama.audit(actions="approve")] == [first.id, second.id]
    assert site.mama.memories(review=True) == []


def test_the_keys_of_the_review_press_its_buttons(site: PageSite) -> None:
    site.doubted("Never push on Fridays")
    page = site.browser().get("review")
    assert {key for key in "aed" if f'data-key="{key}"' in page} == set("aed")
    assert page.count("data-row") == 1


def test_an_edit_from_the_review_leads_back_there(site: PageSite) -> None:
    memory = site.doubted("Never push on Fridays")
    browser = site.browser()
    assert 'name="from" value="review"' in browser.get("memories", memory.id, "edit", from_="review")
    fields: dict[str, Any] = {
        "essence": "Never push on a Friday",
        "kind": "fact",
        "priority": "normal",
        "from": "review",
    }
    assert "<h1>Review</h1>" in browser.post("memories", memory.id, "edit", **fields)
    now = site.mama.get(memory.id)
    assert isinstance(now, Memory)
    assert (now.essence, now.needs_review) == ("Never push on a Friday", False)


def test_a_drop_from_the_review_leads_back_there(site: PageSite) -> None:
    memory = site.doubted("Never push on Fridays")
    browser = site.browser()
    asked = browser.get("memories", memory.id, "forget", from_="review")
    assert 'name="from" value="review"' in asked
    assert "Go on reviewing" in browser.post(
        "memories", memory.id, "forget", **dict[str, Any]({"from": "review"})
    )


def test_what_came_from_outside_is_trusted_there(site: PageSite) -> None:
    memory = site.kept("The keeper has a map", source_trust="external")
    browser = site.browser()
    assert "From outside" in browser.get("review")
    assert "Trusted from now on" in browser.post("review", memory.id, "trust")
    assert [one.target for one in site.mama.audit(actions="adopt")] == [memory.id]
    assert "From outside" not in browser.get("review")


def test_an_empty_review_says_so(site: PageSite) -> None:
    assert "Nothing waits" in site.browser().get("review")


# Nights


def test_a_night_shows_what_changed_with_its_evidence(site: PageSite) -> None:
    id = slept(site)
    browser = site.browser()
    assert browser.url("nights", id) in browser.get("nights")
    page = browser.get("nights", id)
    told = text_of(page)
    assert "<ins>My partner Jonas is a carpenter in Ghent.</ins>" in page
    assert "Anna, " in told
    assert "of 1 conversation" in told


def test_a_night_that_reworded_shows_the_difference(site: PageSite) -> None:
    site.kept("Jonas works as a plumber in Ghent", entities=["Jonas"])
    site.mama.observe(
        {"speaker": "Anna", "content": "Jonas works as a carpenter in Ghent now."}, conversation="chat"
    )
    night = site.mama.host.night()
    assert night is not None
    reworded = {
        "memoryId": "m1", "newContent": "Jonas works as a carpenter in Ghent", "reason": "he changed his trade",
        "sourceEpisodes": ["e1"], "stated": True,
    }  # fmt: skip
    report = site.mama.host.apply_night(night.id, {"update": [reworded]})
    page = site.browser().get("nights", report.sleep.id)
    assert "<del>plumber</del><ins>carpenter</ins>" in page
    assert "he changed his trade" in page
    assert "Jonas works as a carpenter in Ghent now." in page


def test_a_change_of_validity_is_told_as_a_time(site: PageSite) -> None:
    site.mama.set_profile(time_zone="Europe/Brussels")
    site.kept("Jonas works as a plumber in Ghent", entities=["Jonas"])
    site.mama.observe({"speaker": "Anna", "content": "Jonas works as a carpenter in Ghent now."})
    night = site.mama.host.night()
    assert night is not None
    reworded = {
        "memoryId": "m1", "newContent": "Jonas works as a carpenter in Ghent", "reason": "he changed his trade",
        "sourceEpisodes": ["e1"], "stated": True, "since": "2026-04-17",
    }  # fmt: skip
    report = site.mama.host.apply_night(night.id, {"update": [reworded]})
    assert "valid from: – 17 Apr 2026, 00:00" in text_of(site.browser().get("nights", report.sleep.id))


def test_a_night_is_undone_after_a_look(site: PageSite) -> None:
    id = slept(site)
    browser = site.browser()
    asked = text_of(browser.get("nights", id, "undo"))
    assert "1 memory will go" in asked
    assert len(site.mama.memories()) == 1
    assert "Undone" in browser.post("nights", id, "undo")
    assert site.mama.memories() == []
    assert site.mama.audit(actions="revert")
    assert "Undo this night" not in browser.get("nights", id)
    browser.post("nights", id, "undo", status=422)
    site.browser(Right.WRITE).post("nights", id, "undo", status=403)


def test_what_came_later_stands_in_the_way_of_undoing(site: PageSite) -> None:
    id = slept(site)
    (memory,) = site.mama.memories()
    site.mama.revise(memory.id, essence="Jonas is a carpenter in Bruges")
    browser = site.browser()
    assert "be undone alone" in browser.get("nights", id, "undo")
    assert "be undone alone" in browser.post("nights", id, "undo")
    assert len(site.mama.memories()) == 1
    assert "Later changes that go, too" in browser.get("nights", id, "undo", force="yes")
    assert "Undone" in browser.post("nights", id, "undo", force="yes")
    assert site.mama.memories() == []


def test_one_change_is_undone_after_a_look(site: PageSite) -> None:
    id = slept(site)
    site.mama.observe({"speaker": "Anna", "content": "I never drink coffee."}, conversation="chat")
    later = site.mama.sleep().sleep.id
    (change,) = site.mama.jobs.diff(id).changes
    browser = site.browser()
    link = browser.url("nights", id, "undo", change=change.id)
    page = browser.get("nights", id)
    assert escape(link) in page
    assert f'aria-label="Undo this: {change.text}"' in page
    assert escape(link) not in site.browser(Right.WRITE).get("nights", id)
    asked = text_of(browser.get("nights", id, "undo", change=change.id))
    assert "Undo this change of" in asked
    assert str(change.text) in asked
    assert "1 memory will go" in asked
    assert "wait for the next sleep" not in asked
    before = len(site.mama.memories())
    assert "Undone: 1 memory removed." in browser.post("nights", id, "undo", change=change.id)
    assert len(site.mama.memories()) == before - 1
    page = browser.get("nights", id)
    assert escape(link) not in page
    assert "undone" in text_of(page)
    assert "Undo this night" in page
    assert site.mama.jobs.diff(later).sleep.reverted_at is None
    browser.post("nights", id, "undo", status=422, change=change.id)
    site.browser(Right.WRITE).post("nights", id, "undo", status=403, change=change.id)
    browser.get("nights", id, "undo", status=404, change="nothing")


def test_what_came_later_stands_in_the_way_of_undoing_one_change(site: PageSite) -> None:
    id = slept(site)
    (memory,) = site.mama.memories()
    (change,) = site.mama.jobs.diff(id).changes
    site.mama.revise(memory.id, essence="Jonas is a carpenter in Bruges")
    browser = site.browser()
    asked = browser.get("nights", id, "undo", change=change.id)
    assert "be undone alone" in asked
    assert escape(browser.url("nights", id, "undo", change=change.id, force="yes")) in asked
    assert "be undone alone" in browser.post("nights", id, "undo", change=change.id)
    assert len(site.mama.memories()) == 1
    assert "changes that go, too" in browser.get("nights", id, "undo", change=change.id, force="yes")
    assert "Undone" in browser.post("nights", id, "undo", change=change.id, force="yes")
    assert site.mama.memories() == []


def test_it_sleeps_when_it_is_told_to(site: PageSite) -> None:
    browser = site.browser()
    assert "It has not slept yet" in browser.get("nights")
    assert "nothing to sleep on" in browser.post("nights")
    site.mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
    assert "It slept: 1 learned" in browser.post("nights")
    assert len(site.mama.jobs.sleeps()) == 1


def test_a_night_that_is_not_there_is_told(site: PageSite) -> None:
    assert "no sleep" in site.browser().get("nights", "nothing", status=404)


# Context preview


def test_a_task_shows_its_block_and_what_stayed_out(site: PageSite) -> None:
    site.kept("Never commit secrets", kind="policy")
    site.doubted("Never push on Fridays", kind="policy")
    browser = site.browser()
    assert "Type a task above" in browser.get("context")
    part = browser.part("context", task="push the release")
    block = site.mama.context("push the release")
    assert "Never commit secrets" in part
    assert "waits for approval" in part
    assert f"<strong>{block.tokens}</strong>" in part
    assert "<html" not in part
    assert "Standing rules" in part


def test_a_small_budget_says_what_had_no_room(site: PageSite) -> None:
    for n in range(30):
        site.kept(
            f"Rule {n}: never push the release on day {n} of the month, not even when somebody asks",
            kind="policy",
        )
    part = site.browser().part("context", task="push the release", tokens="120")
    assert "no room left" in part


@pytest.mark.parametrize("tokens", ["many", "-1", "1.5", "9" * 30])
def test_a_budget_that_is_none_is_told(site: PageSite, tokens: str) -> None:
    site.kept("Never commit secrets", kind="policy")
    assert 'role="alert"' in site.browser().part("context", task="push", tokens=tokens)


def test_a_preview_touches_nothing(site: PageSite) -> None:
    memory = site.kept("Never commit secrets", kind="policy")
    site.browser().part("context", task="push the release")
    assert site.mama.get(memory.id) == memory
