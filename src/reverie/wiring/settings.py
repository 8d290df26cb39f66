"""The only reader of the environment: variables and default places."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from reverie.domain.address import ServerUrl, is_server
from reverie.domain.llm import ModelPlace, Provider
from reverie.domain.settings import Settings
from reverie.errors import InvalidInput

BANK_VARIABLE = "REVERIE_BANK"
KEY_VARIABLE = "REVERIE_KEY"
KEY_FILE_VARIABLE = "REVERIE_KEY_FILE"
AGENT_VARIABLE = "REVERIE_AGENT"
MCP_TOKEN_VARIABLE = "REVERIE_MCP_TOKEN"  # noqa: S105  # a variable's name
LLM_KEY_VARIABLE = "REVERIE_LLM_KEY"
EMBED_KEY_VARIABLE = "REVERIE_EMBED_KEY"
EMBED_KEY_FILE_VARIABLE = "REVERIE_EMBED_KEY_FILE"
SETTING_PREFIX = "REVERIE_SET_"
DEFAULT_AGENT = "main"
_MISSPELT = re.compile(r"\s*postgres(ql)?[:/]", re.IGNORECASE)
_SQLITE_URL = "sqlite:///"
_PROVIDER_KEYS: Mapping[Provider, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openai-chat": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": (),
}
_SWITCHES = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What the environment says. ``key_text`` and ``mcp_token`` are secrets: they have no place in a repr, a log or an
    error.
    """

    bank: Path | ServerUrl
    bank_is_default: bool
    key_file: Path
    key_text: str | None
    agent: str
    mcp_token: str | None = None

    def __repr__(self) -> str:
        return f"Surroundings(bank={str(self.bank)!r}, key_file={str(self.key_file)!r}, agent={self.agent!r})"


def surroundings(environment: Mapping[str, str] | None = None) -> Surroundings:
    """Reads REVERIE_BANK, REVERIE_KEY, REVERIE_KEY_FILE, REVERIE_AGENT and REVERIE_MCP_TOKEN; defaults are the
    user's own data and config folders.
    """
    env = os.environ if environment is None else environment
    bank = env.get(BANK_VARIABLE)
    key_file = env.get(KEY_FILE_VARIABLE)
    return Surroundings(
        bank=bank_place(bank, BANK_VARIABLE)
        if bank
        else user_data_path("reverie", appauthor=False) / "reverie.bank",
        bank_is_default=not bank,
        key_file=Path(key_file) if key_file else user_config_path("reverie", appauthor=False) / "key",
        key_text=env.get(KEY_VARIABLE) or None,
        agent=env.get(AGENT_VARIABLE) or DEFAULT_AGENT,
        mcp_token=env.get(MCP_TOKEN_VARIABLE) or None,
    )


def llm_key(place: ModelPlace, environment: Mapping[str, str] | None = None) -> str | None:
    """The key for a language model: REVERIE_LLM_KEY's, or that of the provider's usual variable. The latter goes to the
    provider's own server alone: it is nobody else's business.
    """
    env = os.environ if environment is None else environment
    names = (LLM_KEY_VARIABLE, *(_PROVIDER_KEYS[place.provider] if place.is_own else ()))
    return next((env[name] for name in names if env.get(name)), None)


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbedderKeys:
    """What the environment says of an embedding provider's key: itself, or the file where it stands; and of the Google
    Cloud project. ``key`` has no place in a repr, a log or an error.
    """

    key: str | None = field(repr=False)
    key_file: Path | None
    project: str | None
    location: str | None


def embedder_keys(*, openais_own: bool, environment: Mapping[str, str] | None = None) -> EmbedderKeys:
    """Reads REVERIE_EMBED_KEY, REVERIE_EMBED_KEY_FILE, GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.

    ``openais_own``: it is OpenAI's own server, which alone is given what OPENAI_API_KEY says.
    """
    env = os.environ if environment is None else environment
    file = env.get(EMBED_KEY_FILE_VARIABLE)
    return EmbedderKeys(
        key=env.get(EMBED_KEY_VARIABLE) or (env.get("OPENAI_API_KEY") if openais_own else None) or None,
        key_file=Path(file) if file else None,
        project=env.get("GOOGLE_CLOUD_PROJECT") or None,
        location=env.get("GOOGLE_CLOUD_LOCATION") or None,
    )


def bank_place(where: str, field: str) -> Path | ServerUrl:
    """The file that a path or a ``sqlite:///path`` URL names, or the database of a ``postgresql://`` URL.

    Raises InvalidInput for other URLs and for nothing.
    """
    if not where.strip():
        raise InvalidInput(field, "it is not a path", "give the path of a bank file")
    if is_server(where):
        return ServerUrl(where.strip())
    if where.startswith(_SQLITE_URL):
        return Path(where.removeprefix(_SQLITE_URL) or "/")
    if _MISSPELT.match(where):  # it may hold a password, and must neither be shown nor become a file's name
        raise InvalidInput(
            field, "it is neither a path nor a URL", "begin a server's URL with postgresql:// and two slashes"
        )
    if "://" in where:
        scheme = where.split("://", 1)[0]
        raise InvalidInput(
            field,
            f"there is no engine for {scheme!r:.40} URLs",
            "give the path of a bank file, sqlite:///path or postgresql://user@host/database",
        )
    return Path(where)


def settings_from(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings with the numbers that variables such as REVERIE_SET_DUPLICATE_COSINE=0.95 change. Raises
    InvalidInput.
    """
    env = os.environ if environment is None else environment
    defaults = Settings()
    values: dict[str, object] = {}
    types = {one.name: str(one.type) for one in fields(Settings)}
    known = set(types) - {"channel_trust", "capture_patterns"}
    for variable, text in env.items():
        if not variable.startswith(SETTING_PREFIX):
            continue
        name = variable.removeprefix(SETTING_PREFIX).lower()
        if name not in known:
            raise InvalidInput(
                variable, "there is no such setting", f"choose from {', '.join(sorted(known))}"
            )
        values[name] = _parsed(variable, text, types[name], getattr(defaults, name))
    return Settings(**values)  # type: ignore[arg-type]  # Settings checks each value


def _parsed(variable: str, text: str, kind: str, example: object) -> object:
    """The value of a setting of that type; ``example`` is its default. Nothing is None, where None is a choice."""
    if kind.endswith("None") and not text.strip():
        return None
    if "str" in kind:
        return text
    if kind == "bool":
        if text.strip().lower() not in _SWITCHES:
            raise InvalidInput(variable, "it is neither true nor false", "give true or false")
        return _SWITCHES[text.strip().lower()]
    try:
        if kind.startswith("tuple"):
            return tuple(float(part) for part in text.split(","))
        return float(text) if "float" in kind else int(text)
    except ValueError:
        shown = f"such as {example}" if example is not None else "or nothing at all"
        raise InvalidInput(variable, "it is not a number", f"give one {shown}") from None
