"""Read gitleaks' rules for the secrets of some two hundred providers, which the package maskerlogger ships in a file.

The rules are read by ourselves and run by RE2, the engine that they were written for. Of the package nothing is
imported.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import re2

from reverie.errors import InvalidInput
from reverie.memory.privacy import Found, SecretForm, entropy, is_numbered

_PACKAGE, _FILE = "maskerlogger", "config/gitleaks.toml"
_GENERIC = "generic-api-key"
# A keyword's name with a value beside it: such a value is a secret only if it looks like chance
_ASSIGNED = r"[\w.-]{0,50}?"
# gitleaks reads source code; in prose a secret may be followed by any sign that is no part of it
_CODE_END, _ANY_END = r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"(?:[^A-Za-z0-9_/+-]|$)"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule; its patterns are compiled when a keyword of it first turns up.

    ``allowed`` and ``allowed_around`` say what is none, of the secret and of all that the pattern matched.
    """

    id: str
    regex: str
    entropy: float
    group: int
    allowed: tuple[str, ...]
    allowed_around: tuple[str, ...]

    @cached_property
    def pattern(self) -> Any:
        """The pattern as it was written, but for what may follow the secret."""
        return re2.compile(self.regex.replace(_CODE_END, _ANY_END))

    @cached_property
    def exceptions(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The patterns of ``allowed`` and of ``allowed_around``."""
        secret, around = (tuple(map(re2.compile, each)) for each in (self.allowed, self.allowed_around))
        return secret, around

    def find(self, text: str) -> Iterator[Found]:
        """Yield the secrets in a text."""
        for match in self.pattern.finditer(text):
            group = self.group or _first_group(match)
            secret = match.group(group)
            if entropy(secret) < self.entropy or (self.id == _GENERIC and not is_numbered(secret)):
                continue
            allowed, around = self.exceptions
            if any(one.search(secret) for one in allowed) or any(one.search(match.group()) for one in around):
                continue
            rank = 9 if self.id == _GENERIC else 2
            yield Found(start=match.start(group), end=match.end(group), type=self.id, rank=rank)


def _first_group(match: Any) -> int:
    """Return the first group that matched; 0 where none did."""
    return next((at for at in range(1, match.re.groups + 1) if match.start(at) >= 0), 0)


def forms() -> Iterator[SecretForm]:
    """Read the rules. Those for files of one name alone are not for us. Raise InvalidInput where they are missing."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InvalidInput(
            "Settings.privacy.redact",
            "the package maskerlogger, whose rules find secrets, is missing",
            "install reverie-memory anew",
        )
    path = Path(spec.submodule_search_locations[0]) / _FILE
    for raw in tomllib.loads(path.read_text("utf-8"))["rules"]:
        if "path" in raw or "regex" not in raw:
            continue
        allowed = raw.get("allowlists", ())
        rule = Rule(
            id=raw["id"],
            regex=raw["regex"],
            entropy=float(raw.get("entropy", 0)) if _ASSIGNED in raw["regex"] else 0.0,
            group=int(raw.get("secretGroup", 0)),
            allowed=_patterns(allowed, "secret"),
            allowed_around=_patterns(allowed, "match"),
        )
        yield SecretForm(tuple(word.lower() for word in raw["keywords"]), rule.find)


def _patterns(lists: list[Mapping[str, object]], target: str) -> tuple[str, ...]:
    """Return the patterns of what is none, of one target."""
    regexes = [one.get("regexes", []) for one in lists if one.get("regexTarget", "secret") == target]
    return tuple(regex for several in regexes if isinstance(several, list) for regex in several)
