"""Urls: addresses within the page. A name may hold anything, a slash too; in a path it is one segment all the same."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

_MEANT_OTHERWISE = re.compile(r"[~/\\%]|^\.+$")
_ESCAPED = re.compile("~([0-9A-F]{2})")


def segment(name: str) -> str:
    """Return a name as one segment of a path: what a server or a browser would take for more is written ``~2F``."""
    plain = _MEANT_OTHERWISE.sub(lambda found: "".join(f"~{ord(letter):02X}" for letter in found[0]), name)
    return quote(plain, safe="~")


def unsegment(text: str) -> str:
    """Return the name of a segment that the server has decoded."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def address(bank: str, agent: str, *parts: str, **query: object) -> str:
    """Return the address of a page of that agent. Parameters that are None, False or empty are left out."""
    path = "/".join(segment(one) for one in (bank, agent, *parts))
    given = [
        (name.rstrip("_"), str(value)) for name, value in query.items() if value not in (None, "", False)
    ]
    return f"/b/{path}" + (f"?{urlencode(given)}" if given else "")
