"""The only reader of the environment: variables and default places."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

from reverie.domain.address import ServerUrl, is_server
from reverie.domain.llm import ModelPlace, Provider
from reverie.domain.settings import Settings, SettingsGroup
from reverie.errors import InvalidInput

BANK_VARIABLE = "REVERIE_BANK"
KEY_VARIABLE = "REVERIE_KEY"
KEY_FILE_VARIABLE = "REVERIE_KEY_FILE"
AGENT_VARIABLE = "REVERIE_AGENT"
MCP_TOKEN_VARIABLE = "REVERIE_MCP_TOKEN"  # noqa: S105  # a variable's name
LLM_KEY_VARIABLE = "REVERIE_LLM_KEY"
EMBED_KEY_VARIABLE = "REVERIE_EMBED_KEY"
EMBED_KEY_FILE_VARIABLE = "REVERIE_EMBED_KEY_FILE"
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
    """Read REVERIE_BANK, REVERIE_KEY, REVERIE_KEY_FILE, REVERIE_AGENT and REVERIE_MCP_TOKEN. Defaults are the user's
    own data and config folders.
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
    """Return the key for a language model: REVERIE_LLM_KEY's, or that of the provider's usual variable. The latter goes
    to the provider's own server alone.
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
    """Read REVERIE_EMBED_KEY, REVERIE_EMBED_KEY_FILE, GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION.

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


def memory_variables(environment: Mapping[str, str] | None = None) -> Sequence[str]:
    """Return the names of the variables that are set and say which memory is meant, or what opens it."""
    env = os.environ if environment is None else environment
    names = (BANK_VARIABLE, AGENT_VARIABLE, KEY_VARIABLE, KEY_FILE_VARIABLE)
    return [name for name in names if env.get(name)]


@dataclass(frozen=True, kw_only=True, slots=True)
class HostFolders:
    """Where a user's coding agents are configured: in ``home``, or in the folders that variables of theirs name (None:
    none is named).
    """

    home: Path
    claude: Path | None = None
    codex: Path | None = None
    config: Path | None = None


def host_folders(environment: Mapping[str, str] | None = None) -> HostFolders:
    """Reads HOME, CLAUDE_CONFIG_DIR, CODEX_HOME and XDG_CONFIG_HOME."""
    env = os.environ if environment is None else environment
    named = {
        name: Path(env[variable]) if env.get(variable) else None
        for name, variable in (
            ("claude", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME"), ("config", "XDG_CONFIG_HOME"),
        )
    }  # fmt: skip
    return HostFolders(home=Path(env["HOME"]) if env.get("HOME") else Path.home(), **named)


def bank_place(where: str, field: str) -> Path | ServerUrl:
    """Return the file that a path or a ``sqlite:///path`` URL names, or the database of a ``postgresql://`` URL.

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
    """Return the settings, with what variables such as REVERIE_SLEEP_EVERY=3600 change.

    Raises InvalidInput for a value that doesn't fit, and for an unknown variable that begins with REVERIE_.
    """
    env = os.environ if environment is None else environment
    chosen, changed = Settings(), dict[str, dict[str, object]]()
    for variable, text in env.items():
        if variable in _SETTINGS:
            group, one = _SETTINGS[variable]
            changed.setdefault(group, {})[one.name] = _parsed(variable, text, one)
        elif variable.startswith(_PREFIX) and variable not in _OTHERS and not _FOREIGN.match(variable):
            raise InvalidInput(variable, "there is no such variable", _closest(variable))
    top: dict[str, Any] = changed.pop("", {})
    groups: dict[str, Any] = {
        group: replace(getattr(chosen, group), **values) for group, values in changed.items()
    }
    return replace(chosen, **groups, **top)


def _known() -> dict[str, tuple[str, Field[Any]]]:
    """Return, by variable, the group ("" for none) and the field that it sets."""
    found = {f"{_PREFIX}MIND": ("", next(one for one in fields(Settings) if one.name == "mind"))}
    for group in fields(Settings):
        if isinstance(group.default, SettingsGroup):
            for one in fields(group.default):
                found[f"{_PREFIX}{group.name}_{one.name}".upper()] = (group.name, one)
    del found[f"{_PREFIX}CAPTURE_PATTERNS"]  # patterns have no form as text
    return found


_PREFIX = "REVERIE_"
_OTHERS = {
    BANK_VARIABLE, KEY_VARIABLE, KEY_FILE_VARIABLE, AGENT_VARIABLE, MCP_TOKEN_VARIABLE, LLM_KEY_VARIABLE,
    EMBED_KEY_VARIABLE, EMBED_KEY_FILE_VARIABLE,
}  # fmt: skip
_FOREIGN = re.compile(r"REVERIE_(TEST_|BENCH_|SERVICE_(HOST|PORT)|PORT(_|$))")
"""Variables of our tests and benches, and those that Kubernetes sets beside a service named reverie."""
_SETTINGS = _known()


def _closest(variable: str) -> str:
    near = difflib.get_close_matches(variable, [*_SETTINGS, *_OTHERS], n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else "see docs/reference.md for the settings"


def _parsed(variable: str, text: str, one: Field[Any]) -> object:
    """Return a setting's value by its type. Nothing is None, where None is a choice."""
    kind = str(one.type)
    if kind.endswith("None") and not text.strip():
        return None
    if kind == "bool":
        if text.strip().lower() not in _SWITCHES:
            raise InvalidInput(variable, "it is neither true nor false", "give true or false")
        return _SWITCHES[text.strip().lower()]
    try:
        if kind.startswith("tuple"):
            return tuple(float(part) for part in text.split(","))
        if kind.startswith("float"):
            return float(text)
        return int(text) if kind.startswith("int") else text
    except ValueError:
        shown = f"such as {one.default}" if one.default is not None else "or nothing at all"
        raise InvalidInput(variable, "it is not a number", f"give one {shown}") from None
