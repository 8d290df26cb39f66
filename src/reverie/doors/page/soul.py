"""Soul: who the agent is, in entries that only people change, and the portrait that it has of itself."""

from __future__ import annotations

from starlette.responses import Response

from reverie.doors.page.frame import View, slip_of
from reverie.errors import Forgotten, InvalidInput


def index(view: View) -> Response:
    """Show the entries; the portrait comes by itself afterwards (``portrait``)."""
    return view.page("soul.html", entries=view.agent.soul.list())


def portrait(view: View) -> Response:
    """Return the portrait, which takes a while where no sleep has written it."""
    return view.part("soul_portrait.html", portrait=view.agent.soul.portrait())


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
