"""The page in words that a reader understands: why something waits, what fits, what stands where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest

from reverie.client import Right
from reverie.domain.ids import made_at, uuid7
from tests.doors.page_site import PageSite, page_site, text_of


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PageSite]:
    with page_site(tmp_path) as made:
        yield made


def test_review_says_why_a_memory_waits(site: PageSite) -> None:
    seen = site.mama.observe({"speaker": "Anna", "content": "I run every Tuesday"}, conversation="c1")
    doubted = site.doubted("Anna runs in Lisbon every Tuesday", source_episodes=seen.episode_ids)
    site.doubted("Anna owns a boat")
    told = text_of(site.browser().get("review"))
    assert "I run every Tuesday" in told
    assert "Why it waits: a check doubts that this is what was said." in told
    assert "It rests on no message: somebody told it on purpose." in told
    site.mama.revise(doubted.id, importance=0.5, reason="it has a name that nobody mentioned")
    assert "Why it waits: it has a name that nobody mentioned." in text_of(site.browser().get("review"))


def test_review_shows_what_else_is_known_about_the_same(site: PageSite) -> None:
    site.kept("Anna paid the plumber 150 euros")
    doubted = site.doubted("Anna paid the plumber 140 euros")
    alone = site.doubted("Quebec")
    browser = site.browser()
    assert "Anna paid the plumber 150 euros" in browser.part("review", doubted.id, "near")
    assert "Nothing else that is known comes near it" in browser.part("review", alone.id, "near")
    seen = site.mama.observe("I run every Tuesday")
    browser.get("review", seen.episode_ids[0], "near", status=404)


def test_review_names_the_keys_of_what_is_there(site: PageSite) -> None:
    browser = site.browser()
    assert "<kbd>" not in browser.get("review")
    site.doubted("Anna owns a boat")
    assert "<kbd>a</kbd>" in browser.get("review")
    assert "<kbd>t</kbd>" not in browser.get("review")
    assert "<kbd>" not in site.browser(Right.READ).get("review")


def test_looking_on_the_page_is_no_recall_of_the_agent(site: PageSite) -> None:
    tea = site.kept("Anna likes green tea")
    doubted = site.doubted("Anna likes black tea")
    browser = site.browser()
    assert "green tea" in browser.part("memories", q="what tea does Anna like?")
    browser.part("review", doubted.id, "near")
    assert site.mama.stats().pending_touches == 0
    site.mama.recall("what tea does Anna like?")
    assert site.mama.stats().pending_touches == 2
    assert tea.touches == 0


def test_what_hardly_fits_stands_behind_what_does(site: PageSite) -> None:
    for text in ("The boiler is leaking", "Kata moved to Lisbon", "Clara works nights"):
        site.mama.observe(text, conversation=text[:3])
        site.kept(f"{text} again")
    browser = site.browser()
    for place in ("memories", "conversations"):
        part = browser.part(place, q="the boiler is leaking")
        fits, _, rest = part.partition("more that fit less</summary>")
        assert "The boiler is leaking" in fits
        assert "Kata" not in fits
        assert "Kata" in rest


def test_a_conversation_is_called_by_the_first_thing_said(site: PageSite) -> None:
    site.mama.observe([{"content": "The boiler is leaking"}, {"content": "I see"}], conversation="c-17")
    for place in ("conversations",):
        page = site.browser().get(place)
        assert re.search(r'class="text" href="[^"]*/c-17">The boiler is leaking</a>', page)


def test_the_beginning_is_where_somebody_looked_last(site: PageSite) -> None:
    site.kept("Anna likes tea")
    site.reverie.agent("zoe").remember("Ben likes coffee")
    browser = site.browser()
    assert "What mama knows" in browser.client.get("/").text
    browser.client.get(browser.url("memories").replace("mama", "zoe"))
    assert "What zoe knows" in browser.client.get("/").text


def test_memories_stand_under_one_heading_a_day(site: PageSite) -> None:
    now = datetime.now(UTC)
    for text, days in (("Anna sold her boat", 0), ("Kata moved to Lisbon", 20), ("The boiler leaks", 1)):
        seen = site.mama.observe({"content": text, "time": (now - timedelta(days=days)).isoformat()})
        site.kept(f"{text}, it seems", source_episodes=seen.episode_ids)
    (heading,) = re.findall(r'class="day">([^<]+)<', site.browser().get("memories"))
    assert heading.startswith("Kept on")


def test_an_id_tells_when_it_was_made() -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert made_at(uuid7(int(noon.timestamp() * 1000), 7)) == noon
    assert made_at("ours") is None
    assert made_at("f" * 12 + "7" + "f" * 19) is None
    assert made_at("0" * 32) is None


def test_the_portrait_shows_no_marks(site: PageSite) -> None:
    site.mama.soul.add("I ask rather than guess")
    page = site.browser().get("soul", "portrait")
    assert "<h3>Who I am</h3>" in page
    assert "reverie:begin" not in page
    assert "##" not in page


def test_the_log_says_what_each_entry_is_about(site: PageSite) -> None:
    doubted = site.doubted("Anna owns a boat")
    site.mama.approve(doubted.id)
    site.reverie.agent("kade").remember("Ben likes coffee")
    asked = site.mama.link.request("kade")
    browser = site.browser()
    row = browser.get("audit", action="approve")
    assert f'href="{browser.url("memories", doubted.id)}" title="{doubted.id}">Anna owns a boat</a>' in row
    assert f'href="{browser.url("links", asked.id)}"' in browser.get("audit", action="link")
    site.mama.forget(doubted.id)
    assert "boat" not in browser.get("audit")


def test_a_preview_adds_up_and_says_what_each_line_is(site: PageSite) -> None:
    site.mama.observe("We plan a picnic in Porto", conversation="c1")
    tea = site.kept("Anna likes a picnic in Porto")
    browser = site.browser()
    part = browser.part("context", task="plan a picnic in Porto")
    sums = re.search(r"((?:\d+ \+ .*?)*)headings and marks (\d+) = (\d+)", text_of(part))
    assert sums is not None
    told = text_of(part).partition("= ")[0]
    parts = [int(one) for one in re.findall(r"(\d+) \+", told)]
    assert sum(parts) + int(sums[2]) == int(sums[3])
    assert f'<a class="text" href="{browser.url("memories", tea.id)}">' in part


def test_the_menu_marks_where_somebody_came_from(site: PageSite) -> None:
    doubted = site.doubted("Anna owns a boat")
    seen = site.mama.observe("I run every Tuesday")
    browser = site.browser()

    def mark(page: str) -> str:
        found = re.search(r'aria-current="page">([^<]+)<', page)
        return found[1] if found else ""

    assert mark(browser.get("memories", doubted.id, "forget", from_="review")) == "Review"
    assert mark(browser.get("memories", doubted.id, "forget")) == "Memories"
    assert mark(browser.get("messages", seen.episode_ids[0], "forget")) == "Conversations"
    assert mark(browser.post("messages", seen.episode_ids[0], "forget")) == "Conversations"


def test_revoking_says_whether_it_logs_you_out(site: PageSite) -> None:
    site.tokens.create("phone", Right.READ)
    own = text_of(site.browser(Right.ADMIN).get("tokens"))
    assert own.count("it logs you out") == 1
    assert own.count("You stay logged in") == 1


def test_taking_a_link_back_says_whose_memory_loses_what(site: PageSite) -> None:
    site.kept("Anna likes tea")
    link = site.reverie.agent("kade").link.request("mama")
    site.mama.link.accept(link.id)
    page = text_of(unquote(site.browser().get("links", link.id)))
    assert "What kade learned by this link is taken out of its memory again" in page
    assert "Leave it" in page
