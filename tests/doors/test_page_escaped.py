"""Whatever is stored is shown as text: hostile texts give a page no element and no attribute that plain ones don't."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reverie.client import Right
from reverie.doors.page.app import PAGES
from reverie.doors.page.urls import segment
from reverie.errors import ReverieError
from tests.doors.page_site import PageSite, page_site

PARTS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<iframe src=//evil.example>",
    "<a href=javascript:alert(1)>x</a>", "<body onload=alert(1)>", "<details open ontoggle=alert(1)>",
    "<style>*{}</style>", "<form action=//evil.example><input name=x>", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>",
    "<button hx-post=/logout hx-trigger=load>", "<div hx-get=//evil.example hx-trigger=load>",
    "<!-- --><b>", "<math><mi>",
    "{{ 7 * 7 }}", "{% import os %}", "<template><b></template>", "<object data=//evil.example>", "<marquee onstart=x>",
)  # fmt: skip
FRAMES = ("{}", '">{}', "'>{}", "</textarea></title></p>{}", '" autofocus onfocus=alert(1) x="{}')
CORPUS = [frame.replace("{}", part) for frame in FRAMES for part in PARTS]


class Shape(HTMLParser):
    """The elements of a page with their attributes, and where links and scripts lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[tuple[str, tuple[str, ...]]] = set()
        self.leads: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.add((tag, tuple(sorted(name for name, _ in attributes))))
        self.leads |= {value or "" for name, value in attributes if name in LEADING}


LEADING = frozenset({"href", "src", "action", "hx-get", "hx-post", "data", "formaction"})


def filled(site: PageSite, texts: Sequence[str]) -> list[str]:
    """Store these texts wherever the page shows something, and return the addresses of all pages about them."""
    agent, memories, messages = site.mama, list[str](), list[str]()
    for n, text in enumerate(texts):
        name = text[:100]
        said = {"content": f"{text} {n}, said Anna.", "speaker": name, "outcome": name, "tags": [name]}
        seen = agent.observe(said, conversation=name, channel=name)
        memory = site.kept(
            f"{text} number {n}", tags=[name], topics=[name], entities=[name], scope=[name], lesson=f"{text} lesson",
            source_episodes=seen.episode_ids, kind="policy" if n % 2 else "fact",
        )  # fmt: skip
        if n % 5 == 0:
            agent.revise(memory.id, essence=f"{text} revised {n}", reason=text)
        memories.append(memory.id)
        messages += seen.episode_ids
    for text in texts[:10]:
        site.doubted(f"{text} doubted")
        site.kept(f"{text} from outside", source_trust="external", origin="import")
    for n, text in enumerate(texts[:28], 1):
        name = text[:100]
        agent.soul.add(f"{text} soul {n}")
        agent.diary.write({"text": text, name: text}, mood=name, location=name, date=f"2026-02-{n:02}")
        agent.relationships.assign(name, name, (n % 20) / 10 - 1, tone=name, rationale=text, notes=text)
    papa = site.reverie.agent("papa")
    papa.remember_many([{"essence": f"{text} of papa", "kind": "preference"} for text in texts[:10]])
    link = papa_shared(site, texts[0])
    agent.set_profile(home=texts[0][:100], location=texts[0][:100], principals=[texts[0][:100]])
    for text in texts[:10]:
        site.tokens.create(text, Right.READ, agents=[text], banks=[text])
    night = agent.host.night(max_tokens=100_000)
    assert night is not None
    learned = {
        "category": "fact", "content": texts[0], "sourceEpisodes": ["e1"], "stated": True, "importance": 0.5,
    }  # fmt: skip
    report = agent.host.apply_night(night.id, {"new": [learned], "notes": texts[0]})
    browser = site.browser()
    ids = {"memories/{id}": memories, "messages/{message}": messages, "nights/{id}": [report.sleep.id]}
    ids |= {"links/{id}": [link], "relationships/{other}": [segment(text[:100]) for text in texts[:28]]}
    found = [
        re.sub(r"\{\w+\}", id, f"{browser.url()}/{page.path}")
        for page in PAGES
        if page.method == "GET" and page.path != "upkeep/export"
        for id in ids.get("/".join(page.path.split("/")[:2]), [""])
    ]
    found += [browser.url("conversations", text[:100]) for text in texts]
    found += [
        browser.url(where, q=text[:200]) for text in texts[::4] for where in ("memories", "conversations")
    ]
    found += [browser.url("context", task=text, path=text[:50], tokens=text[:9]) for text in texts[::4]]
    found += [browser.url("diary", day=f"2026-02-{n:02}") for n in range(1, 29)]
    found += [browser.url("diary", q=text[:50]) for text in texts[:10]]
    found += [browser.url("audit", actor=text[:50], target=text[:50]) for text in texts[:10]]
    found += [browser.url("relationships", step=str(n)) for n in (0, 5)]
    found += [browser.url("memories", kind=text[:50]) for text in texts[::10]]
    found += [browser.url("conversations", text[:50], at=text[:50]) for text in texts[::10]]
    return found


def papa_shared(site: PageSite, text: str) -> str:
    """Let papa share his memory with mama, and return the link's id."""
    asked = site.mama.link.request("papa", message=text)
    return site.reverie.agent("papa").link.accept(asked.id).id


def shape(site: PageSite, texts: Sequence[str]) -> Shape:
    """The shape of all pages about these texts."""
    browser = site.browser()
    pages = [browser.client.get(path).text for path in filled(site, texts)]
    assert len(pages) > 300
    whole = "\n".join(pages)
    assert all(f" {n}, said Anna" in whole for n in range(len(texts)))
    return Shape(whole)


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[tuple[PageSite, PageSite]]:
    (tmp_path / "plain").mkdir()
    (tmp_path / "hostile").mkdir()
    with page_site(tmp_path / "plain") as plain, page_site(tmp_path / "hostile") as hostile:
        yield plain, hostile


@pytest.mark.slow
def test_hostile_texts_give_a_page_nothing_but_text(sites: tuple[PageSite, PageSite]) -> None:
    assert len(set(CORPUS)) == 100
    plain, hostile = sites
    expected, got = shape(plain, [f"Plain words {n}" for n in range(100)]), shape(hostile, CORPUS)
    assert got.elements - expected.elements == set()
    assert all(one.startswith(("/", "#")) and not one.startswith("//") for one in got.leads)
    assert not any("<" in one or '"' in one for one in got.leads)


def test_an_agents_name_is_shown_as_text(tmp_path: Path) -> None:
    with page_site(tmp_path) as site:
        for n, name in enumerate(one[:100] for one in CORPUS):
            try:
                site.reverie.agent(name).remember(f"Anna likes tea {n}")
            except ReverieError:  # no name: it begins or ends with white space
                continue
            browser = site.browser()
            browser.agent = name
            page = browser.get()
            assert "<script>" not in page
            attributes = {one for _, names in Shape(page).elements for one in names}
            assert not any(one.startswith("on") for one in attributes)
            assert f"/b/main/{segment(name)}" in page
