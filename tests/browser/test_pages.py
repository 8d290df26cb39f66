"""Every page in a real browser: wide and narrow, light and dark, by keyboard, and for whoever hears it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from reverie.client import Agent
from reverie.doors.page.app import PAGES
from tests.browser.browsing import ACTED, NARROW, WIDE, Site, Tab, tab

pytestmark = pytest.mark.slow

Looked = Callable[[Agent], Sequence[str]]
LOOKS: dict[str, Looked] = {
    path: lambda _, path=path: [path] if path else []
    for path in ("", "memories", "review", "conversations", "nights", "context", "soul", "diary", "relationships",
                 "rooms", "links", "audit", "upkeep", "tokens")
} | {
    "memories/{id}": lambda agent: ["memories", _memory(agent)],
    "memories/{id}/edit": lambda agent: ["memories", _memory(agent), "edit"],
    "memories/{id}/forget": lambda agent: ["memories", _memory(agent), "forget"],
    "conversations/{id}": lambda agent: ["conversations", agent.episodes(limit=1)[0].conversation],
    "messages/{message}/forget": lambda agent: ["messages", agent.episodes(limit=1)[0].id, "forget"],
    "nights/{id}": lambda agent: ["nights", agent.jobs.sleeps(limit=1)[0].id],
    "nights/{id}/undo": lambda agent: ["nights", agent.jobs.sleeps(limit=1)[0].id, "undo"],
    "relationships/{other}": lambda agent: ["relationships", agent.relationships.list()[0].other],
    "links/{id}": lambda agent: ["links", next(one.id for one in agent.link.list() if one.counts)],
}  # fmt: skip
"""Where each page lies, of an agent that is there."""
PARTS = {"numbers": "", "upkeep/state": "upkeep", "soul/portrait": "soul"}
"""What is only a part of a page, and of which."""
QUERIES: dict[str, dict[str, str]] = {
    "memories": {"q": "where does she work"}, "conversations": {"q": "where does she work"},
    "context": {"task": "plan a trip"}, "diary": {"q": "long"}, "relationships": {"step": "0"},
}  # fmt: skip
"""Pages that look otherwise once something was asked."""
SEEN = [
    *(("society", path, {}) for path in LOOKS),
    *(("life", path, {}) for path in LOOKS if path != "links/{id}"),
    *(("life" if path == "memories" else "society", path, query) for path, query in QUERIES.items()),
]
NAMED = frozenset(
    "link button textbox searchbox combobox checkbox radio slider spinbutton listbox img image dialog navigation Date"
    " DisclosureTriangle".split()
)
_MOST_SHIFT = 0.01


def _memory(agent: Agent) -> str:
    """The id of a memory that rests on a message."""
    return next(one.id for one in agent.memories(newest_first=True) if one.source_episodes)


def test_each_page_is_looked_at() -> None:
    assert {one.path for one in PAGES if one.method == "GET"} == {*LOOKS, *PARTS, *ACTED}


@pytest.fixture(scope="module")
def tabs(chromium: Browser, lived: Site) -> Iterator[Mapping[tuple[int, int], Tab]]:
    """A wide and a narrow one."""
    with ExitStack() as stack:
        yield {size: stack.enter_context(tab(chromium, lived, size=size)) for size in (WIDE, NARROW)}


@pytest.mark.parametrize(("bank", "path", "query"), SEEN, ids=lambda one: str(one) if one else "plain")
def test_a_page_is_sound(
    tabs: Mapping[tuple[int, int], Tab], lived: Site, bank: str, path: str, query: Mapping[str, str]
) -> None:
    agent = lived.banks[bank].agent("nova" if bank == "society" else "life")
    where = LOOKS[path](agent)
    for size, seen in tabs.items():
        with seen.at(bank, agent.id):
            page = seen.open(*where, **query)
            _check_shape(page)
            # What takes long: a society's pages wide, a life's narrow.
            if (size == WIDE) is (bank == "society"):
                _check_names(page)
                _check_keyboard(page)
                _check_dark(page)
        parts = {f"GET {part}" for part, whole in PARTS.items() if whole == path}
        assert {f"GET {path}", *parts} <= seen.asked


def _check_shape(page: Page) -> None:
    """Nothing lies outside of the screen, or moved while it was drawn; headings are in order."""
    wide, screen, shift, violations = page.evaluate(
        "[document.documentElement.scrollWidth, innerWidth, notes.shift, notes.violations]"
    )
    assert wide <= screen
    assert shift < _MOST_SHIFT
    assert violations == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len({*ids}), sorted(ids)
    levels = [
        int(one.evaluate("one => one.tagName[1]"))
        for one in page.locator("h1, h2, h3, h4, h5, h6").filter(visible=True).all()
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def _check_names(page: Page) -> None:
    """Whatever can be worked with has a name."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    shown = [(one["role"]["value"], one["name"]["value"]) for one in nodes if not one["ignored"]]
    assert "main" in {role for role, _ in shown}
    assert [role for role, name in shown if role in NAMED and not name.strip()] == []


def _check_keyboard(page: Page) -> None:
    """Tab leads to each control, and each shows that it is there."""
    controls: dict[int, str] = dict(page.evaluate("notes.controls()"))
    page.evaluate("notes.focused.length = 0; document.activeElement.blur()")
    dates = page.locator("input[type=date]").count()
    for _ in range(len(controls) + 4 * dates + 2):
        page.keyboard.press("Tab")
    focused = page.evaluate("notes.focused")
    assert [name for number, name in controls.items() if number not in {one for one, _, _ in focused}] == []
    assert [name for _, seen, name in focused if not seen] == []


def _check_dark(page: Page) -> None:
    """Who wants it dark gets it dark."""
    brightness = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
    light = page.evaluate(brightness)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(brightness) < 50 < 200 < light
    page.emulate_media(color_scheme="light")
