"""Links: whom the agent shared its memory with, or asked; what came over, and taking it back."""

from __future__ import annotations

from starlette.responses import Response

from reverie.domain.link import LinkState, Side
from reverie.doors.page.frame import PAGE_SIZE, View
from reverie.errors import LinkRefused


def index(view: View) -> Response:
    """Show all links, newest first."""
    found = view.agent.link.list(limit=PAGE_SIZE + 1, before=view.after)
    return view.page("links.html", blocked=view.agent.link.blocked(), **view.pager(found, "links"))


def show(view: View) -> Response:
    """Show one link with what came by it."""
    link = view.agent.link.get(view.value("id"))
    came = link.side is Side.ASKED and link.state is LinkState.ACCEPTED
    items = view.agent.link.items(link.id, limit=PAGE_SIZE + 1, after=view.after) if came else ()
    return view.page(
        "link.html", link=link, came=came, standing=view.agent.link.standing(link.id) if came else (),
        **view.pager(items, "links", link.id),
    )  # fmt: skip


def accept(view: View) -> Response:
    """Share the memory."""
    return _done(view, "accept", "Accepted: what passes was copied.")


def decline(view: View) -> Response:
    """Decline a request."""
    return _done(view, "decline", "Declined.")


def revoke(view: View) -> Response:
    """Take a link back."""
    return _done(view, "revoke", "Revoked: all that came by it is gone again.")


def adopt(view: View) -> Response:
    """Trust all that came by a link."""
    count = view.agent.adopt(view.value("id"))
    return view.done(f"{count:,} memories are trusted from now on.", "links", view.value("id"))


def _done(view: View, verb: str, words: str) -> Response:
    id = view.value("id")
    try:
        getattr(view.agent.link, verb)(id)
    except LinkRefused as error:
        return view.slip(str(error), "links", id)
    return view.done(words, "links", id)
