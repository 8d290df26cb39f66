"""One Chromium for each module of tests, and banks that a society and a life left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, sync_playwright

from bench import lately
from bench.realmem import Calendar
from tests.browser.browsing import CHROMIUM, Site, bank, site


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "does(*routes): what of the page's routes the test's browser asks for")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; skips where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: `sh scripts/browser` installs Debian's")
    # Not longer than a module: while it runs, asyncio.run refuses to work in this thread.
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM) as browser:
        yield browser


@pytest.fixture(scope="module")
def lived(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of two banks, "society" and "life". Before it: Chromium, without which nobody needs them."""
    folder, calendar, now = tmp_path_factory.mktemp("site"), Calendar(), datetime.now(UTC)
    with ExitStack() as stack:
        banks = {name: stack.enter_context(bank(folder, name, calendar)) for name in ("society", "life")}
        nova, kade, _ = (
            banks["society"].agent(name)
            for name in lately.society(banks["society"], calendar, ending=now, days=1, turns=12)
        )
        kade.link.accept(nova.link.request("kade", message="What do you know of the harbour?").id)
        lately.life(banks["life"], calendar, "one", ending=now, days=3)
        yield stack.enter_context(site(folder, banks, calendar))
