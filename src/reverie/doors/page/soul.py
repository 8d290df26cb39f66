"""Soul: who the agent is, in entries that only people change, and the portrait that it has of itself."""

from __future__ import annotations

from starlette.responses import Response

from reverie.doors.page.frame import View, slip_of
from reverie.errors import Forgotten, InvalidInput


def index(view: View) -> Response:
    """Show the entries and the portrait."""
    return view.page("soul.html", entries=view.agent.soul.list(), portrait=view.agent.soul.portrait())


def add(view: View) -> Response:
    """Add an entry."""
    try:
        view.agent.soul.add(view.given("text"))
    except InvalidInput as error:
        return view.slip(slip_of(error), "soul")
    except Forgotten as error:
        return view.slip(str(error), "soul")
    return view.done("It stands in every prompt from now on.", "soul")


def remove(view: View) -> Response:
    """Remove an entry."""
    gone = view.agent.soul.remove(view.value("id"))
    return view.done(f"Removed: {gone.text}", "soul")
