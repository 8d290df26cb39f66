"""Every action of the page, done in a real browser; what it did is asked of the client, or over REST."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from reverie.client import Agent, Reverie, Right
from reverie.domain.ids import made_at
from reverie.domain.memory import Memory
from reverie.domain.sleep import Act
from reverie.doors.page.app import PAGES
from reverie.errors import Forgotten, NotFound
from tests.browser.browsing import ACTED, Site, Tab, doubted, kept, tab
from tests.doors.test_serve import serving

pytestmark = pytest.mark.slow

_NUMBERS = count(1)
TOLD = "My partner Jonas is a carpenter in Ghent."


@pytest.fixture(scope="module")
def window(chromium: Browser, lived: Site) -> Iterator[Tab]:
    """A tab for all tests of this module."""
    with tab(chromium, lived) as made:
        yield made


@pytest.fixture
def mama(lived: Site) -> Agent:
    """An agent that nobody has told anything, in the bank of the life."""
    return lived.banks["life"].agent(f"mama-{next(_NUMBERS)}")


@pytest.fixture
def seen(window: Tab, mama: Agent, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A tab that looks at mama's memory, and by the end has asked for what the test says that it does."""
    with window.at("life", mama.id):
        yield window
        assert {route for mark in request.node.iter_markers("does") for route in mark.args} <= window.asked


@pytest.fixture
def life(seen: Tab, lived: Site) -> Agent:
    """The agent that lived a life; the tab looks at its memory."""
    seen.agent = "life"
    return lived.banks["life"].agent("life")


def now(agent: Agent, memory: Memory) -> Memory:
    """The memory as it is by now."""
    found = agent.get(memory.id)
    assert isinstance(found, Memory)
    return found


def is_gone(agent: Agent, id: str) -> bool:
    try:
        agent.get(id)
    except (Forgotten, NotFound):
        return True
    return False


def test_each_action_is_done() -> None:
    tests = [one for name, one in globals().items() if name.startswith("test_")]
    done = {
        route
        for test in tests
        for mark in getattr(test, "pytestmark", ())
        if mark.name == "does"
        for route in mark.args
    }
    assert done >= {f"POST {one.path}" for one in PAGES if one.method == "POST"} | {
        f"GET {one}" for one in ACTED
    }


# Coming in


def test_the_link_that_serve_prints_leads_in(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "--no-loop") as (_, said), chromium.new_context() as context:
        page = context.new_page()
        page.goto(said["page"])
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is remembered yet")


def test_a_link_logs_in_once_and_out(chromium: Browser, lived: Site) -> None:
    link = lived.link
    with chromium.new_context() as context, chromium.new_context() as other:
        page = context.new_page()
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_contain_text("What ")
        late = other.new_page()
        late.goto(link)
        expect(late.get_by_role("alert")).to_contain_text("used already")
        late.get_by_label("Token").fill(lived.tokens.create("phone", Right.READ)[1])
        late.get_by_role("button", name="Log in").click()
        expect(late.get_by_role("heading", level=1)).to_contain_text("What ")
        expect(late.get_by_role("link", name="Tokens")).to_have_count(0)
        page.get_by_role("button", name="Log out").click()
        expect(page).to_have_url(f"{lived.url}/login")
        page.goto(lived.url)
        expect(page).to_have_url(f"{lived.url}/login")


def test_whose_memory_is_shown_is_chosen(seen: Tab, mama: Agent) -> None:
    kept(mama, "Anna likes tea")
    page = seen.open()
    page.get_by_label("Whose memory").select_option("society/kade")
    expect(page).to_have_url(f"{seen.site.url}/b/society/kade")
    expect(page.get_by_role("heading", level=1)).to_have_text("What kade knows")


# Memories


def test_a_search_explains_each_score_while_one_types(seen: Tab, life: Agent) -> None:
    question = "where does Maya work"
    found = life.recall(question, limit=30, explain=True).hits
    page = seen.open("memories")
    page.get_by_role("searchbox", name="Search").press_sequentially(question)
    hits = page.locator("#found ol > li")
    expect(hits).to_have_count(len(found))
    assert seen.query() == {"q": question}
    assert sorted(hits.locator("a.text").all_text_contents()) == sorted(one.memory.essence for one in found)
    first = hits.first
    widths = first.locator(".stacked[role=img] rect:not(.track)").evaluate_all(
        "all => all.map(one => one.width.baseVal.value)"
    )
    assert sum(widths) == pytest.approx(100, abs=0.5)
    first.locator("summary").click()
    named = first.locator(".terms > span:not(.num):not(.about)").all_inner_texts()
    assert named == [name for name, points in found[0].terms.items() if round(points, 3)]
    page.get_by_label("Kind").select_option("preference")
    expect(hits.locator(".badge.kind").filter(has_not_text="preference")).to_have_count(0)
    assert {*hits.locator(".badge.kind").all_text_contents()} == {"preference"}
    assert seen.query() == {"q": question, "kind": "preference"}
    page.go_back()
    expect(hits).to_have_count(len(found))


def test_memories_are_a_timeline_with_filters(seen: Tab, life: Agent) -> None:
    every = life.memories(newest_first=True)
    page = seen.open("memories")
    shown = page.locator("#found a.text")
    assert shown.all_inner_texts() == [one.essence for one in every]
    assert page.locator("#found h2.day").count() == len(
        {(made_at(one.id) or one.created_at).date() for one in every}
    )
    day = every[0].created_at.date().isoformat()
    page.get_by_label("Learned from").fill(day)
    lately = life.memories(newest_first=True, since=day)
    expect(shown).to_have_count(len(lately))
    assert shown.all_inner_texts() == [one.essence for one in lately]


def test_older_memories_are_a_page_further(seen: Tab, mama: Agent) -> None:
    mama.remember_many([{"essence": f"Guest number {n} brings a cake"} for n in range(45)])
    page = seen.open("memories")
    expect(page.locator("#found a.text")).to_have_count(40)
    seen.press("Older", "link")
    expect(page.locator("#found a.text")).to_have_count(5)


@pytest.mark.does("POST memories/{id}/edit")
def test_a_memory_is_corrected(seen: Tab, mama: Agent) -> None:
    memory = kept(mama, "Jonas is a plumber in Ghent", tags=["work"])
    page = seen.open("memories", memory.id)
    seen.press("Edit", "link")
    page.get_by_label("What it says").fill("Jonas is a carpenter in Ghent")
    page.get_by_label("Importance").fill("2")
    seen.press("Save")
    expect(page.get_by_role("alert")).to_contain_text("importance")
    assert now(mama, memory) == memory
    assert "status of 422" in seen.problems.pop()  # a browser tells it whenever a form is refused
    page.get_by_label("Importance").fill("0.8")
    page.get_by_label("Tags").fill("work, trade")
    page.get_by_label("Why").fill("he told me")
    seen.press("Save")
    seen.told("It says so from now on")
    assert page.locator("del").all_inner_texts() == ["plumber"]
    assert page.locator("ins").all_inner_texts() == ["carpenter"]
    changed = now(mama, memory)
    assert (changed.essence, changed.importance, {*changed.tags}) == (
        "Jonas is a carpenter in Ghent",
        0.8,
        {"work", "trade"},
    )
    assert mama.audit(actions="revise")[0].reason == "he told me"


@pytest.mark.does("POST memories/{id}/pin", "POST memories/{id}/approve", "POST memories/{id}/adopt")
def test_a_memory_is_pinned_approved_and_trusted(seen: Tab, mama: Agent) -> None:
    memory = doubted(mama, "The keeper has a map", source_trust="external")
    seen.open("memories", memory.id)
    seen.press("Pin")
    seen.told("It is pinned")
    assert now(mama, memory).pinned
    seen.press("Unpin")
    assert not now(mama, memory).pinned
    seen.press("Approve")
    assert not now(mama, memory).needs_review
    seen.press("Trust it")
    assert now(mama, memory).source_trust == "principal"


@pytest.mark.does("POST memories/{id}/forget")
def test_a_memory_is_forgotten_after_a_look(seen: Tab, mama: Agent) -> None:
    said = mama.observe({"speaker": "Anna", "content": TOLD}, conversation="chat").episode_ids
    memory = kept(mama, TOLD, source_episodes=said)
    page = seen.open("memories", memory.id)
    seen.press("Forget…", "link")
    expect(page.get_by_role("main").get_by_role("listitem").filter(has_text="Anna,")).to_contain_text(TOLD)
    seen.press("Forget it for good")
    expect(page.get_by_role("heading", level=1)).to_have_text("Forgotten")
    assert is_gone(mama, memory.id)
    assert is_gone(mama, said[0])


@pytest.mark.does(
    "POST review/{id}/approve",
    "POST review/{id}/trust",
    "GET review/{id}/near",
    "POST memories/{id}/edit",
    "POST memories/{id}/forget",
)
def test_the_review_is_done_by_keyboard(seen: Tab, mama: Agent) -> None:
    approved, corrected, dropped = (doubted(mama, text) for text in (
        "Never push on Fridays", "Anna sings in a choir", "Ben owes the town a boat",
    ))  # fmt: skip
    outside = kept(mama, "The keeper has a map", source_trust="external")
    kept(mama, "Never push after four on Fridays")
    page = seen.open("review")
    rows = page.locator("[data-row]")
    waits = rows.filter(has_text="Never push on Fridays")
    waits.get_by_text("What else is known about it").click()
    expect(waits.get_by_role("link", name="Never push after four on Fridays")).to_be_visible()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("j")
    expect(rows.filter(has_text="Never push on Fridays")).to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_text("Approved: Never push on Fridays")).to_be_visible()
    assert not now(mama, approved).needs_review
    expect(rows.filter(has_text="Anna sings")).to_be_focused()
    with page.expect_navigation():
        page.keyboard.press("e")
    page.get_by_label("What it says").fill("Anna sings in two choirs")
    page.keyboard.press("Tab")
    seen.press("Save")
    assert (now(mama, corrected).essence, now(mama, corrected).needs_review) == (
        "Anna sings in two choirs",
        False,
    )
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    with page.expect_navigation():
        page.keyboard.press("d")
    seen.press("Forget it for good")
    assert is_gone(mama, dropped.id)
    seen.press("Go on reviewing", "link")
    page.keyboard.press("j")
    page.keyboard.press("t")
    expect(page.get_by_text("Trusted from now on: The keeper has a map")).to_be_visible()
    assert now(mama, outside).source_trust == "principal"
    expect(page.get_by_text("Nothing waits")).to_be_visible()


# Conversations and nights


def test_conversations_are_found_by_what_was_said(seen: Tab, life: Agent) -> None:
    page = seen.open("conversations")
    rooms = len({one.conversation for one in life.episodes(limit=500)})
    expect(page.locator("#found > ul > li")).to_have_count(rooms)
    page.keyboard.press("/")
    page.keyboard.type("data analyst in Freiburg")
    first = page.locator("#found ol > li a").first
    expect(first).to_contain_text("Freiburg", timeout=10_000)
    with page.expect_navigation():
        first.click()
    about = page.locator(".said.about")
    expect(about).to_contain_text("data analyst")
    expect(about).to_be_in_viewport()
    kept_there = [one.essence for one in life.memories() if one.essence in about.inner_text()]
    assert kept_there
    assert {*about.locator("mark").all_inner_texts()} >= {*kept_there[:1]}


@pytest.mark.does("POST messages/{message}/forget")
def test_a_message_is_forgotten_in_its_conversation(seen: Tab, mama: Agent) -> None:
    said = mama.observe(
        [{"speaker": "Anna", "content": TOLD}, {"speaker": "Anna", "content": "Rain again."}],
        conversation="chat",
    ).episode_ids
    mama.sleep()
    (memory,) = mama.memories()
    page = seen.open("conversations", "chat")
    assert page.locator(".talk mark").all_inner_texts() == [TOLD]
    page.get_by_role("link", name="Forget this message").first.click()
    expect(page.get_by_text("This memory, which rests on it alone")).to_contain_text(TOLD)
    seen.press("Forget it for good")
    expect(page.get_by_role("heading", level=1)).to_have_text("Forgotten")
    assert is_gone(mama, said[0])
    assert is_gone(mama, memory.id)
    assert [one.content for one in mama.episodes()] == ["Rain again."]


@pytest.mark.does("POST nights/{id}/undo")
def test_a_night_is_read_and_undone(seen: Tab, life: Agent) -> None:
    nights = [one for one in life.jobs.sleeps() if life.jobs.diff(one.id).changes]
    learned = [one.text for one in life.jobs.diff(nights[0].id).of(Act.LEARN)]
    page = seen.open("nights")
    page.locator(f"a[href$='{nights[0].id}']").click()
    assert page.locator("#main ins").all_inner_texts() == learned
    assert page.locator(".evidence a").count() >= len(learned)
    seen.press("Undo this night…", "link")
    expect(page.get_by_text("will go", exact=False).first).to_be_visible()
    seen.press("Undo it")
    seen.told("Undone")
    assert life.jobs.diff(nights[0].id).sleep.reverted_at is not None
    assert not {*learned} & {one.essence for one in life.memories()}


@pytest.mark.does("POST nights", "POST nights/{id}/undo")
def test_it_sleeps_and_what_came_later_is_undone_too(seen: Tab, mama: Agent) -> None:
    mama.observe({"speaker": "Anna", "content": TOLD}, conversation="chat")
    page = seen.open("nights")
    seen.press("Sleep now")
    seen.told("It slept: 1 learned")
    (night,), (memory,) = mama.jobs.sleeps(), mama.memories()
    mama.revise(memory.id, essence="Jonas is a carpenter in Bruges")
    seen.open("nights", night.id, "undo")
    expect(page.get_by_role("heading", level=2)).to_contain_text("be undone alone")
    seen.press("Look what undoing these, too, would drop", "link")
    seen.press("Undo it")
    assert mama.memories() == []


@pytest.mark.does("POST nights/{id}/undo")
def test_one_change_of_a_night_is_undone(seen: Tab, mama: Agent) -> None:
    mama.observe(
        [
            {"speaker": "Anna", "content": TOLD},
            {"speaker": "Anna", "content": "My sister Lena lives in Cologne."},
        ],
        conversation="chat",
    )
    mama.sleep()
    page = seen.open("nights", mama.jobs.sleeps()[0].id)
    page.locator("[data-row]").filter(has_text="Lena").get_by_role("link", name="Undo this").click()
    expect(page.get_by_role("blockquote")).to_contain_text("Lena")
    seen.press("Undo it")
    assert [one.essence for one in mama.memories()] == [TOLD]


def test_a_task_shows_what_would_stand_in_the_prompt(seen: Tab, life: Agent) -> None:
    task = "Plan a weekend trip"
    page = seen.open("context")
    page.get_by_label("Task").press_sequentially(task)
    block = page.locator("pre.block")
    expect(block).to_be_visible(timeout=10_000)
    assert seen.query() == {"task": task}
    asked = life.context(task)
    assert block.inner_text().splitlines()[1:-1] == asked.text.splitlines()[1:-1]
    expect(page.locator(".tile strong").first).to_have_text(str(asked.tokens))
    page.get_by_label("At most, in tokens").fill("100")
    page.get_by_label("At most, in tokens").press("Tab")
    expect(page.get_by_text("of 100, and up to")).to_be_visible()
    expect(page.locator(".tile strong").first).to_have_text(str(life.context(task, max_tokens=100).tokens))


# Soul, diary, others


@pytest.mark.does("POST soul", "POST soul/{id}/remove")
def test_a_core_belief_is_added_and_removed(seen: Tab, mama: Agent) -> None:
    page = seen.open("soul")
    page.get_by_label("A core belief").fill("I would rather ask than guess")
    seen.press("Add")
    assert [one.text for one in mama.soul.list()] == ["I would rather ask than guess"]
    seen.sure("Remove")
    seen.told("Removed: I would rather ask than guess")
    assert mama.soul.list() == []


def test_the_diary_is_leafed_through(seen: Tab, mama: Agent) -> None:
    mama.diary.write("Kade kept his word", mood="hopeful", date="2026-05-13")
    mama.diary.write("Rain at the harbour", mood="calm", date="2026-06-02")
    page = seen.open("diary", month="2026-06")
    seen.press("Earlier", "link")
    expect(page.get_by_role("heading", name="May 2026")).to_be_visible()
    page.locator(".calendar a").click()
    expect(page.get_by_role("article")).to_contain_text("Kade kept his word")
    page.get_by_role("searchbox").fill("harbour")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_role("article")).to_contain_text("Rain at the harbour")


def test_relationships_are_dragged_and_led_through_time(seen: Tab, mama: Agent, lived: Site) -> None:
    for trust in (0.1, 0.9):
        mama.relationships.assign("Anna", "friend", trust)
        lived.clock.now += timedelta(days=1)
    mama.relationships.assign("Ben", "rival", -0.9)
    page = seen.open("relationships")
    node = page.locator("[data-node]").first
    box = node.locator("circle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 90, y + 60, steps=4)
    page.mouse.up()
    page.mouse.move(x, y)
    after = node.locator("circle").bounding_box()
    assert after is not None
    assert (after["x"] - box["x"], after["y"] - box["y"]) == pytest.approx((-90, 60), abs=2)
    ends = page.evaluate(
        """() => {
          const line = document.querySelector('[data-to="1"]'), circle = document.querySelector("[data-node] circle");
          const at = new DOMPoint(line.x2.baseVal.value, line.y2.baseVal.value).matrixTransform(line.getScreenCTM());
          const box = circle.getBoundingClientRect();
          return [at.x - box.x - box.width / 2, at.y - box.y - box.height / 2];
        }"""
    )
    assert ends == pytest.approx([0, 0], abs=2)
    slider = page.get_by_role("slider")
    slider.focus()
    with page.expect_navigation():
        page.keyboard.press("Home")
    expect(page.get_by_role("row", name="Anna")).to_contain_text("+0.10")
    earliest = mama.relationships.list(as_of=min(one.at for one in mama.relationships.history()))
    assert page.locator("[data-node]").count() == len(earliest)


@pytest.mark.does("POST links/{id}/accept", "POST links/{id}/adopt", "POST links/{id}/revoke")
def test_a_link_is_accepted_trusted_and_revoked(seen: Tab, mama: Agent, lived: Site) -> None:
    papa = lived.banks["life"].agent(f"papa-of-{mama.id}")
    kept(papa, "The keeper has a map")
    kept(papa, "Never sell the map", kind="policy")
    asked = mama.link.request(papa.id, message="the map")
    seen.agent = papa.id
    page = seen.open("links")
    page.get_by_role("link", name=mama.id).click()
    seen.sure("Accept")
    assert len(mama.memories()) == 2
    seen.agent = mama.id
    seen.open("links", asked.id)
    expect(page.get_by_text("The keeper has a map")).to_be_visible()
    seen.sure("Trust all of it")
    seen.told("2 memories are trusted")
    assert {one.source_trust.value for one in mama.memories()} == {"principal"}
    seen.sure("Revoke")
    seen.told("gone again")
    assert mama.memories() == []
    assert mama.link.get(asked.id).state.value == "revoked"


@pytest.mark.does("POST links/{id}/decline")
def test_a_link_is_declined(seen: Tab, mama: Agent, lived: Site) -> None:
    papa = lived.banks["life"].agent(f"papa-of-{mama.id}")
    kept(papa, "The keeper has a map")
    asked = mama.link.request(papa.id)
    seen.agent = papa.id
    seen.open("links", asked.id)
    seen.press("Decline")
    assert mama.link.get(asked.id).state.value == "declined"


# Upkeep


def test_the_audit_log_is_filtered(seen: Tab, mama: Agent) -> None:
    memory = kept(mama, "Anna likes tea")
    mama.revise(memory.id, essence="Anna likes coffee", reason="she said so")
    page = seen.open("audit")
    with page.expect_navigation():
        page.get_by_label("What", exact=True).select_option("revise")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(len(mama.audit(actions="revise")))
    rows.first.locator("summary").click()
    expect(rows.first.locator("ins")).to_contain_text("Anna likes coffee")
    expect(rows.first).to_contain_text("she said so")


@pytest.mark.does("POST upkeep", "POST upkeep/pause", "POST upkeep/resume", "POST upkeep/retry")
def test_the_work_is_paused_and_the_profile_changed(seen: Tab, mama: Agent) -> None:
    kept(mama, "Anna likes tea")
    page = seen.open("upkeep")
    expect(page.get_by_role("heading", name="Jobs")).to_be_visible()
    seen.press("Pause")
    assert mama.profile.paused_at is not None
    seen.press("Resume")
    assert mama.profile.paused_at is None
    seen.press("Try again what failed")
    seen.told("0 jobs are tried again")
    page.get_by_label("Time zone").fill("Mars/Olympus")
    seen.press("Save")
    seen.told("time_zone")
    page.get_by_label("Time zone").fill("Europe/Brussels")
    page.get_by_label("Whose word").fill("Anna, Ben")
    seen.press("Save")
    assert (mama.profile.time_zone, [*mama.profile.principals]) == ("Europe/Brussels", ["Anna", "Ben"])


@pytest.mark.does("POST upkeep/backup", "GET upkeep/export")
def test_a_bank_is_backed_up_and_exported(seen: Tab, mama: Agent, tmp_path: Path) -> None:
    kept(mama, "Anna likes tea")
    page = seen.open("upkeep")
    page.get_by_label("Where to").fill(str(tmp_path / "copy.bank"))
    seen.press("Back up")
    seen.told("and read back")
    with Reverie.open(tmp_path / "copy.bank", encrypted=False) as copy:
        assert [one.essence for one in copy.agent(mama.id).memories()] == ["Anna likes tea"]
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Export as a file").click()
    lines = Path(fetched.value.path()).read_text("utf-8").splitlines()
    assert len(lines) == len([*mama.export()])
    assert any("Anna likes tea" in json.dumps(json.loads(line)) for line in lines)


@pytest.mark.does("POST tokens", "POST tokens/{id}/revoke")
def test_a_token_is_made_and_revoked(seen: Tab, mama: Agent, lived: Site) -> None:
    kept(mama, "Anna likes tea")
    page = seen.open("tokens")
    page.get_by_label("What it is for").fill("my phone")
    page.get_by_label("What it may do").select_option("write")
    page.get_by_label("Only these agents").fill(mama.id)
    seen.press("Make it")
    token = page.get_by_role("status").locator("code").inner_text()
    over_rest = f"{lived.url}/v1/banks/life/agents/{mama.id}/memories"
    headers = {"Authorization": f"Bearer {token}"}
    assert [one["essence"] for one in httpx2.get(over_rest, headers=headers).json()["items"]] == [
        "Anna likes tea"
    ]
    seen.sure("Revoke", page.get_by_role("row", name="my phone"))
    seen.told("Revoked: my phone")
    assert httpx2.get(over_rest, headers=headers).status_code == 401
