"""Which language model is asked, where, and what it may cost: what ``Settings`` says of it, checked."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

Provider: TypeAlias = Literal["anthropic", "openai", "openai-chat", "google", "ollama"]
"""``openai`` speaks the Responses API, ``openai-chat`` Chat Completions, as servers compatible with OpenAI's do."""

PROVIDERS: tuple[Provider, ...] = get_args(Provider)
OWN_URLS: dict[Provider, str] = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com/v1",
    "openai-chat": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com",
    "ollama": "http://127.0.0.1:11434/v1",
}
"""Where each is asked unless ``Settings.llm.base_url`` says otherwise."""

_EXAMPLE = 'give one such as "anthropic:claude-sonnet-5-5" or "ollama:qwen3"'
_NAME = re.compile(r"[!-~]{1,200}")
_URL = re.compile(
    r"https?://(?:(?P<login>[^/?#@\s]*)@)?(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?"
    r"(?:/[A-Za-z0-9._~%+:/-]*)?"
)
_LAST_PORT = 65_535
_PRICES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelPlace:
    """A model and the server that is asked for it. ``is_own``: it is the provider's own server."""

    provider: Provider
    name: str
    url: str
    is_own: bool

    @property
    def id(self) -> str:
        """As the settings name it."""
        return f"{self.provider}:{self.name}"

    @property
    def is_here(self) -> bool:
        """Whether the model runs on this machine: the server's address is a loopback one, and it isn't a model that
        Ollama only passes on to its cloud.
        """
        if self.provider == "ollama" and self.name.lower().endswith(("-cloud", ":cloud")):
            return False
        found = _URL.fullmatch(self.url)
        host = found["host"].lower() if found else ""
        if host == "localhost":
            return True
        try:
            return ipaddress.ip_address(host.strip("[]")).is_loopback
        except ValueError:
            return False


def model_place(model: object, base_url: object) -> ModelPlace:
    """Return the place that ``Settings.llm.model`` and ``base_url`` name. Raises InvalidInput, which shows no URL: it
    may hold a password.
    """
    field = "Settings.llm.model"
    if not isinstance(model, str) or not model:
        raise InvalidInput(field, "no model is named", _EXAMPLE)
    provider, _, name = model.partition(":")
    if provider not in PROVIDERS or not _NAME.fullmatch(name):
        raise InvalidInput(field, f"{shown(model)} is no model of {', '.join(PROVIDERS)}", _EXAMPLE)
    if not base_url:
        return ModelPlace(provider=provider, name=name, url=OWN_URLS[provider], is_own=True)
    return ModelPlace(provider=provider, name=name, url=_url(base_url), is_own=False)


def check_model(model: object, base_url: object, *, needed: bool = False) -> None:
    """Raise InvalidInput where they name no place, and with ``needed`` also where nothing is named."""
    for value, name in ((model, "model"), (base_url, "base_url")):
        if not isinstance(value, str):
            raise InvalidInput(f"Settings.llm.{name}", f"{typed(value)} is not text", "give a str")
    if needed or model:
        model_place(model, base_url)
    elif base_url:
        _url(base_url)


def checked_prices(value: object, field: str) -> tuple[float, float] | None:
    """Return dollars for a million tokens: read, and written. Raises InvalidInput."""
    if value is None:
        return None
    fits = isinstance(value, tuple | list) and len(value) == _PRICES
    if not fits or not all(_is_number(one) and 0 <= one < 1e6 for one in cast("tuple[float, float]", value)):
        raise InvalidInput(
            field,
            "it is no pair of prices",
            "give dollars for a million tokens read and written, such as (3.0, 15.0)",
        )
    read, written = cast("tuple[float, float]", value)
    return float(read), float(written)


def checked_limit(value: object, field: str, *, whole: bool) -> float | None:
    """Return a limit of calls, tokens (``whole``) or dollars; None is none. Raises InvalidInput."""
    if value is None:
        return None
    if not _is_number(value) or (whole and not isinstance(value, int)) or not 0 < cast(float, value) < 1e12:
        raise InvalidInput(
            field,
            f"{shown(value)} is out of range",
            f"give a {'whole ' if whole else ''}number above 0, or None for no limit",
        )
    return cast(float, value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _url(value: object) -> str:
    """Return the address without a slash at its end. It is narrow so that every reader reads the same host."""
    field, remedy = "Settings.llm.base_url", "give one such as http://127.0.0.1:8000/v1"
    found = _URL.fullmatch(value) if isinstance(value, str) else None
    if found is None or int(found["port"] or 0) > _LAST_PORT:
        raise InvalidInput(field, "it is no http:// or https:// address of a server", remedy)
    if found["login"] is not None:
        raise InvalidInput(field, "it holds a password", "give the key in REVERIE_LLM_KEY instead")
    return found[0].rstrip("/")
