"""Segments: names in paths. A name may hold anything: percent-encoded it is one segment, also with a slash in it."""

from __future__ import annotations

from urllib.parse import quote, unquote, unquote_to_bytes

from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope


def encoded(raw_path: bytes) -> str:
    """Return a path for routes to match. Servers decode it as a whole, and then "a%2Fb" would be two segments."""
    return "/".join(quote(unquote_to_bytes(one), safe="") for one in raw_path.split(b"/"))


class SegmentRoute(APIRoute):
    """A route over an encoded path. It decodes the values."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether it is this route's path and method, and the values in it."""
        match, child = super().matches(scope)
        if match is not Match.NONE:
            values = child["path_params"].items()
            child["path_params"] = {name: unquote(value) for name, value in values}
        return match, child
