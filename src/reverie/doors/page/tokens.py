"""Tokens: which programs and browsers may ask this server for what."""

from __future__ import annotations

from starlette.responses import Response

from reverie.client import Right
from reverie.doors.page.frame import View, refused


def index(view: View) -> Response:
    """Show the tokens, without their secrets."""
    _check(view)
    return view.page("tokens.html", tokens=view.tokens.list(), rights=[*Right], fresh=None)


def create(view: View) -> Response:
    """Make a token, and show it this once."""
    _check(view)
    name, right = view.given("name"), view.given("right")
    if not name or right not in [*Right]:
        return view.slip("Give it a name, to know it by.", "tokens")
    made, text = view.tokens.create(
        name[:200], Right(right), banks=view.names("banks"), agents=view.names("agents")
    )
    return view.page("tokens.html", tokens=view.tokens.list(), rights=[*Right], fresh=(made, text))


def revoke(view: View) -> Response:
    """Take a token away."""
    _check(view)
    gone = view.tokens.revoke(view.value("id"))
    return view.done(f"Revoked: {gone.name}", "tokens")


def _check(view: View) -> None:
    if not view.rules:
        raise refused("tokens are for whoever may do everything here")
