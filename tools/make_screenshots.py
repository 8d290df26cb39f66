"""Make the pictures of the page in docs/: ``python tools/make_screenshots.py``, with Chromium (``sh scripts/browser``).

A bank is filled first: a coding agent lives the two weeks of bench/lives/coding.jsonl with the nights that a model
understood (bench/nights/coding), beside a small society. Look at each picture before you
commit it. ``--into FOLDER`` writes them elsewhere.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from PIL import Image  # noqa: E402  # the path comes first
from playwright.sync_api import Page, sync_playwright  # noqa: E402

from bench import lately, night_cassette  # noqa: E402
from bench.night_mind import ReplayingMind  # noqa: E402
from bench.realmem import Calendar  # noqa: E402
from reverie import Agent, Reverie, Settings  # noqa: E402
from reverie.domain.sleep import Act  # noqa: E402
from reverie.domain.time import zone_of  # noqa: E402
from reverie.doors.page.times import Times  # noqa: E402
from reverie.doors.page.urls import address  # noqa: E402
from reverie.embedders.minilm import MiniLM  # noqa: E402
from tests.browser.browsing import CHROMIUM, site  # noqa: E402

DOCS = ROOT / "docs"
BANK, CODER, SOCIAL = "main", "coder", "nova"
DAYS = 14
NOW = datetime(2026, 4, 20, 8, tzinfo=UTC)
"""The morning after the life of the coding agent."""
_DOUBTED = 5
_WIDTH, _SCALE = 1120, 1.5
_COLOURS = 128
MOST_BYTES = 150_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Shot:
    """A picture: what is visited, how high it is in CSS pixels, and whether it is dark. ``opens``: what is opened;
    ``top``: what stands at the top.
    """

    name: str
    path: str
    height: int = 760
    dark: bool = False
    width: int = _WIDTH
    opens: str = ""
    top: str = ""


def fill(place: Path, calendar: Calendar) -> None:
    """Fill a bank: nights that a model understood, whose doubtful wordings a person approved but for the last few."""
    embedder = MiniLM()
    mind = ReplayingMind(
        night_cassette.read(ROOT / "bench/nights/coding"), embedder, floor=Settings().loop.floor
    )
    with Reverie.open(place, encrypted=False, clock=calendar, embedder=embedder, mind=mind) as reverie:
        mind.agent = reverie.agent(CODER)
        coder = lately.life(reverie, calendar, "coding", ending=NOW, days=DAYS, agent=CODER, every=2)
        for memory in coder.memories(review=True, limit=500)[:-_DOUBTED]:
            coder.approve(memory.id)
        lately.society(reverie, calendar, ending=NOW, agents=9, days=2, turns=8)


def shots(coder: Agent) -> Sequence[Shot]:
    """Return what to picture of that bank."""
    asked = "how do I run the tests?"
    reports = [coder.jobs.diff(one.id) for one in coder.jobs.sleeps(limit=20)]
    night = max(reports, key=lambda one: len(one.of(Act.REVISE)))

    def at(*parts: str, agent: str = CODER, **query: object) -> str:
        return address(BANK, agent, *parts, **query)

    return [
        Shot(name="page-overview", path=at(), height=936),
        Shot(name="page-overview-dark", path=at(), height=936, dark=True),
        Shot(name="page-search", path=at("memories", q=asked), opens="details >> nth=0"),
        Shot(
            name="page-memory",
            path=at("memories", coder.recall(asked, limit=1).hits[0].memory.id),
            height=860,
        ),
        Shot(name="page-night", path=at("nights", night.sleep.id), height=860, top="#act-revise"),
        Shot(name="page-review", path=at("review")),
        Shot(name="page-context", path=at("context", task="write tests for the new endpoint"), height=860),
        Shot(name="page-relationships-dark", path=at("relationships", agent=SOCIAL), dark=True),
        Shot(name="page-narrow", path=at("memories", q=asked), width=390),
    ]


def at_that_time(agent: Agent) -> Times:
    """Return the agent's times as they were when its days ended: no picture says "8 months ago"."""
    return Times(now=NOW, zone=zone_of(agent.profile.time_zone))


def take(page: Page, url: str, shot: Shot) -> bytes:
    """Return the picture, as a PNG of few colours."""
    page.emulate_media(color_scheme="dark" if shot.dark else "light")
    page.set_viewport_size({"width": shot.width, "height": shot.height})
    page.goto(url + shot.path)
    page.locator("[hx-trigger=load]").wait_for(state="detached")
    if shot.opens:
        page.locator(f"main {shot.opens}").click()
        page.mouse.move(0, 0)
    if shot.top:
        page.locator(shot.top).evaluate("one => { one.scrollIntoView(); scrollBy(0, -24); }")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    made = io.BytesIO()
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=DOCS)
    into: Path = parser.parse_args().into
    if CHROMIUM is None:
        raise SystemExit("there is no Chromium: sh scripts/browser installs Debian's")
    calendar = Calendar()
    with tempfile.TemporaryDirectory() as made, patch.object(Times, "of", at_that_time):
        folder = Path(made)
        fill(folder / "a.bank", calendar)
        with (
            Reverie.open(folder / "a.bank", encrypted=False, clock=calendar) as reverie,
            site(folder, {BANK: reverie}, calendar) as served,
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=CHROMIUM) as browser,
            browser.new_context(device_scale_factor=_SCALE) as context,
        ):
            page = context.new_page()
            page.goto(served.link)
            for shot in shots(reverie.agent(CODER)):
                picture = take(page, served.url, shot)
                if len(picture) > MOST_BYTES:
                    raise SystemExit(f"{shot.name} has {len(picture):,} bytes; {MOST_BYTES:,} are the most")
                (into / f"{shot.name}.png").write_bytes(picture)
                print(f"{shot.name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
