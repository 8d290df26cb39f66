"""Upkeep: what runs in the background, its controls, who the agent belongs to, and the way out: the export."""

from __future__ import annotations

import json
from collections.abc import Iterator

from starlette.responses import Response, StreamingResponse

from reverie.doors.page.frame import View
from reverie.errors import InvalidInput


def index(view: View) -> Response:
    """Show jobs, what waits, and the agent's profile."""
    return view.page("upkeep.html", stats=view.agent.stats())


def pause(view: View) -> Response:
    """Stop what runs in the background."""
    view.agent.jobs.pause()
    return view.done("Paused: nothing sleeps, is read along or captured until you resume.", "upkeep")


def resume(view: View) -> Response:
    """Let it go on."""
    view.agent.jobs.resume()
    return view.done("It goes on.", "upkeep")


def retry(view: View) -> Response:
    """Let what failed be tried again, and store what waits."""
    count = view.agent.jobs.retry()
    stored = view.agent.jobs.flush().stored
    return view.done(
        f"{count:,} jobs are tried again at the next chance; {stored:,} writes were stored.", "upkeep"
    )


def profile(view: View) -> Response:
    """Change time zone, home, location and principals."""
    known = view.agent.profile
    people = [one.strip() for one in view.given("principals").split(",") if one.strip()]
    try:
        view.agent.set_profile(
            time_zone=view.given("time_zone") or known.time_zone, home=view.given("home"),
            location=view.given("location"), principals=people,
        )  # fmt: skip
    except InvalidInput as error:
        return view.slip(f"{error.field}: {error.problem}; {error.remedy}", "upkeep")
    return view.done("Saved.", "upkeep")


def export(view: View) -> Response:
    """Give the whole bank as a file of JSON lines."""

    def lines() -> Iterator[str]:
        for line in view.agent.export():
            yield json.dumps(line, ensure_ascii=False) + "\n"

    return StreamingResponse(
        lines(),
        media_type="application/x-ndjson",
        headers={"content-disposition": 'attachment; filename="bank.jsonl"'},
    )
