"""How many dimensions a model's vectors have, and keys as headers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from reverie.domain.ids import checked_name
from reverie.errors import EmbedderFailed, InvalidInput

Token: TypeAlias = str | Callable[[], str] | None
"""A key, or what gives the one that is valid now (asked before each request)."""


def checked_model(model: object) -> str:
    """Return a model's name. Raises InvalidInput."""
    name = checked_name(model, "Settings.embed.model")
    if any(one <= " " for one in name) or ".." in name or name.startswith("/"):
        raise InvalidInput(
            "Settings.embed.model", "it is no name of a model", "give it as the provider writes it"
        )
    return name


def dimensions_of(model: str, given: int | None, own: Mapping[str, int]) -> tuple[int, bool]:
    """Return how many dimensions to expect of a model, and whether they must be asked for: only where the model's own
    number is known and another is wanted; servers refuse the question for models that can't be cut. Raises
    InvalidInput.
    """
    known = own.get(model)
    if given is None and known is None:
        raise InvalidInput(
            "Settings.embed.dimensions",
            "how many dimensions this model's vectors have is not known",
            "give their number",
        )
    if given is None:
        return known or 0, False
    return given, known is not None and given != known


def bearer(name: str, token: Token) -> Callable[[], Mapping[str, str]]:
    """Give the header that carries the key. What it raises names no key."""

    def headers() -> Mapping[str, str]:
        key: object = token() if callable(token) else token
        if not key:
            return {}
        if not isinstance(key, str) or not key.isascii() or not key.isprintable() or " " in key:
            raise EmbedderFailed(name, "its key is malformed")
        return {"authorization": f"Bearer {key}"}

    return headers
