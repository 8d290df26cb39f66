"""Hostile texts in a real browser: no script of theirs runs, and nothing is asked of anybody else."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bench.realmem import Calendar
from tests.browser.browsing import Site, listening, route, tab
from tests.doors.page_site import page_site
from tests.doors.test_page_escaped import CORPUS, filled

pytestmark = pytest.mark.slow

_EACH = 2
_TOLD = re.compile("status of (404|422)")
"""A browser tells it in its console whenever somebody is asked for who isn't there."""


def test_no_hostile_text_runs_or_reaches_out(chromium: Browser, tmp_path: Path) -> None:
    with page_site(tmp_path) as home, listening(lambda _: home.app) as url:
        site = Site(url=url, sessions=home.sessions, tokens=home.tokens, banks={}, clock=Calendar())
        with tab(chromium, site) as seen, seen.at("main", "mama"):
            page, shown = seen.page, set[str]()
            for path in _some(filled(home, CORPUS)):
                at: str | None = url + path
                while at:
                    page.goto(at)
                    assert page.evaluate("notes.violations") == []
                    assert page.url.startswith(url + path.partition("?")[0].rstrip("/"))
                    shown.update(page.locator("a.text").all_inner_texts())
                    older = page.get_by_role("link", name="Older", exact=True)
                    at = (
                        older.evaluate("one => one.href")
                        if path.endswith("/memories") and older.count()
                        else None
                    )
            told = "\n".join(shown)
            assert [n for n in range(len(CORPUS)) if not re.search(rf" {n}$", told, re.MULTILINE)] == []
            seen.problems = [one for one in seen.problems if not _TOLD.search(one)]


def _some(paths: Sequence[str]) -> Iterator[str]:
    """Return a few pages of each kind, with texts from all over the corpus. All texts stand in the list of memories."""
    kinds = defaultdict[tuple[object, bool], list[str]](list)
    for path in paths:
        kinds[route("GET", path), "?" in path].append(path)
    for alike in kinds.values():
        yield from alike[:: -(-len(alike) // _EACH)]
