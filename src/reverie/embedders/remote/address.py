"""Where a provider is asked, and whether text may go there."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput
from reverie.errors.showing import typed

_FIELD = "Settings.embed.base_url"


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """A server's URL without a slash at its end. ``is_local``: it is this machine."""

    url: str
    is_local: bool

    @classmethod
    def of(cls, base_url: object, *, send_text: object, keyed: bool) -> Self:
        """Raise InvalidInput: for what is no plain http(s) URL; for another machine without ``send_text``; and for a
        key (``keyed``) that would go to another machine unencrypted.
        """
        checked_switch(send_text, "Settings.embed.send_text")
        if not isinstance(base_url, str):
            raise InvalidInput(_FIELD, f"{typed(base_url)} is no URL", "give http(s)://host…")
        try:
            parts = urlsplit(base_url.strip())
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise InvalidInput(_FIELD, "it is no URL", "give http(s)://host…") from None
        # It may hold a password, so it isn't shown.
        if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
            raise InvalidInput(
                _FIELD,
                "it has a user, a password or parameters",
                "give the plain URL; keys have variables of their own",
            )
        if parts.scheme not in ("http", "https") or not host or any(one <= " " for one in parts.netloc):
            raise InvalidInput(_FIELD, "it is no http(s) URL", "give http(s)://host…")
        is_local = _is_this_machine(host)
        if not is_local and not send_text:
            raise InvalidInput(
                "Settings.embed.send_text",
                f"embedding by {host} sends what is said and asked to another machine, and that is not allowed",
                "set it to True (REVERIE_EMBED_SEND_TEXT=true) if that is what you want",
            )
        if keyed and not is_local and parts.scheme != "https":
            raise InvalidInput(
                _FIELD, "the key would go to another machine unencrypted", "give an https:// URL"
            )
        return cls(url=parts.geturl().rstrip("/"), is_local=is_local)


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
