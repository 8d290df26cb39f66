"""Upkeep: what runs in the background, its controls, who the agent belongs to, and the way out: the export."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from starlette.responses import Response, StreamingResponse

from reverie.doors.cli import words
from reverie.doors.page.frame import View, refused, slip_of
from reverie.errors import InvalidInput, KeyProblem, StoreError


def index(view: View) -> Response:
    """Show the controls and the agent's profile; the rest comes by itself afterwards (``state``)."""
    return view.page("upkeep.html", profile=view.agent.profile)


def state(view: View) -> Response:
    """Return jobs, and what waits."""
    return view.part("upkeep_state.html", stats=view.agent.stats())


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
    try:
        view.agent.set_profile(
            time_zone=view.given("time_zone") or known.time_zone, home=view.given("home"),
            location=view.given("location"), principals=view.names("principals"),
        )  # fmt: skip
    except InvalidInput as error:
        return view.slip(slip_of(error), "upkeep")
    return view.done("Saved.", "upkeep")


def backup(view: View) -> Response:
    """Copy every agent's bank into a new file, on the machine where the server runs."""
    if not view.owns:
        raise refused("only whoever started the server may let it write files")
    try:
        made = view.reveries[view.bank].backup(Path(view.given("to")).expanduser())
    except (
        InvalidInput,
        KeyProblem,
        StoreError,
        RuntimeError,
    ) as error:  # RuntimeError: of a "~" that isn't there
        return view.slip(str(error), "upkeep")
    agents = words.counted(made.agents, "agent")
    return view.done(
        f"{agents} backed up to {made.where}, {words.size(made.bytes)}, and read back.", "upkeep"
    )


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
