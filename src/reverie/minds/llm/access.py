"""Access: which model is asked, where, and with which key."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.domain.llm import ModelPlace, Provider
from reverie.errors import InvalidInput
from reverie.errors.extras import install

_PACKAGES: Mapping[Provider, str] = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai-chat": "openai",
    "google": "google.genai",
    "ollama": "openai",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """``seconds``: how long one call may take. The key is a secret: it has no place in a repr, a log or an error."""

    place: ModelPlace
    key: str | None = field(default=None, repr=False)
    seconds: float = 60.0

    @property
    def mind_id(self) -> str:
        """Names the mind for reports."""
        return f"llm/{self.place.id}"


def check_access(access: Access) -> None:
    """Raise InvalidInput where the packages are missing, or a provider's own server would be asked without a key."""
    for package in ("pydantic_ai", _PACKAGES[access.place.provider]):
        if not _is_there(package):
            raise InvalidInput(
                "Settings.mind",
                "the packages for language models are not installed",
                install("llm"),
            )
    if access.place.is_own and access.place.provider != "ollama" and not access.key:
        raise InvalidInput(
            "Settings.llm.model",
            f"there is no key for {access.place.provider}",
            "set REVERIE_LLM_KEY, or the provider's usual variable (docs/llm.md)",
        )


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # google itself
        return False
