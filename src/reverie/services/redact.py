"""redact: secrets are found by gitleaks' rules, which the package maskerlogger keeps up to date and ships as a file.

The rules are read by ourselves: each has keywords, so that nearly every text is done with after a look for these, and a
pattern, whose first group is the secret. Nothing is ever verified over the network. See ``docs/why/redaction.md``.
"""

from __future__ import annotations

import importlib.util
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from reverie.domain.settings import Settings
from reverie.errors import InvalidInput
from reverie.rules.fence import stripped
from reverie.rules.redact import Cleaned, Found, cards, personal, placed, redacted, without_private

_COUNTER = "redacted"
_PACKAGE, _FILE = "maskerlogger", "config/gitleaks.toml"
_GENERIC = "generic-api-key"
# Their patterns take quadratic time in Python; what they find, ``rules.redact.placed`` finds too
_LEFT_OUT = frozenset({"curl-auth-header", "curl-auth-user"})
# A keyword's name with a value beside it: such a value is a secret only if it looks like chance
_ASSIGNED = r"[\w.-]{0,50}?"
# gitleaks reads source code; in prose a secret may be followed by any sign that is no part of it
_CODE_END, _ANY_END = r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"(?![A-Za-z0-9_/+-])"
_BEFORE, _AFTER = 200, 8_000
# What holds no digit, no long word and none of these holds no secret that a rule knows
_MAY_HOLD = re.compile(r"[\d:Pp-](?:(?<=\d)|(?<=:)//|(?<=-)----|(?<=[Pp])ass|(?<=P)ASS)")
_LONG_WORD = 20
# Signs and letters, seldom ones in English first: a keyword is looked for only where its seldomest one stands
_SELDOM = "_-.:=/0123456789qzjxkvwbygpfmucdlhrsnioate"


@dataclass(frozen=True, kw_only=True)
class _Rule:
    """One rule of gitleaks; its pattern is compiled when a keyword of it first turns up."""

    id: str
    regex: str
    keywords: tuple[str, ...]
    entropy: float
    allowed: tuple[re.Pattern[str], ...]
    group: int

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern as Python writes it: a flag in the middle holds for all of it, which finds rather more."""
        flags = re.IGNORECASE if "(?i)" in self.regex else 0
        return re.compile(_python(self.regex), flags)

    def find(self, text: str) -> Iterator[Found]:
        """The secrets in a text."""
        for match in self.pattern.finditer(text):
            group = self.group or (1 if match.re.groups and match.start(1) >= 0 else 0)
            secret = match.group(group)
            if _entropy(secret) >= self.entropy and not any(one.search(secret) for one in self.allowed):
                rank = 9 if self.id == _GENERIC else 2
                yield Found(start=match.start(group), end=match.end(group), type=self.id, rank=rank)


def clean(settings: Settings, text: str) -> Cleaned:
    """A text as it may be stored: without our own injected blocks, and without what stands between <private> and
    </private>; unless ``settings.redact`` is off, with typed placeholders for secrets; and with
    ``settings.redact_pii`` also for e-mail addresses, telephone numbers, IBANs and IP addresses. Cleaning it again
    changes nothing.

    Empty where nothing is left. ``found`` counts what was taken out, by type. Raises InvalidInput where a package that
    finds something is not installed.
    """
    bare = stripped(text)
    kept = without_private(text if bare == text else bare.strip())
    found = list(_secrets(kept.text)) if settings.redact else []
    if settings.redact_pii:
        found += [*personal(kept.text), *_telephones(kept.text, settings.phone_region)]
    without = redacted(kept.text, found) if found else Cleaned(text=kept.text)
    if not kept.found:
        return without
    return Cleaned(text=without.text, found={**kept.found, **without.found})


def counted(found: Mapping[str, int]) -> dict[str, int]:
    """What was taken out, by type, under the names of the counters."""
    return {f"{_COUNTER}.{name}": count for name, count in found.items()}


def cleaned(settings: Settings, text: str, field: str) -> Cleaned:
    """``clean`` for a text that must not be empty. Raises InvalidInput where nothing is left of it."""
    kept = clean(settings, text)
    if kept.text.strip():
        return kept
    raise InvalidInput(
        field, "nothing is left of it without secrets and private parts", "say what may be kept, or nothing"
    )


def _secrets(text: str) -> Iterator[Found]:
    if not _MAY_HOLD.search(text) and max(map(len, text.split()), default=0) < _LONG_WORD:
        return
    yield from cards(text)
    yield from placed(text)
    low = text.lower()
    for rule in _worth_a_try(low):
        for start, end in _windows(low, rule.keywords):
            for one in rule.find(text[start:end]):
                yield Found(start=start + one.start, end=start + one.end, type=one.type, rank=one.rank)


def _worth_a_try(low: str) -> Iterable[_Rule]:
    """The rules of which a keyword stands in a text in small letters, each once."""
    said = {word for sign, words in _keywords() if sign in low for word in words if word in low}
    if not said:
        return ()
    rules = _rules()  # in their order: of two that find the same, the first gives it its name
    return {rule.id: rule for word in rules if word in said for rule in rules[word]}.values()


def _windows(low: str, keywords: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where in a long text a rule can match: around its keywords."""
    if len(low) <= _AFTER:
        return [(0, len(low))]
    places = sorted(match.start() for word in keywords for match in re.finditer(re.escape(word), low))
    windows: list[tuple[int, int]] = []
    for place in places:
        if not windows or place >= windows[-1][1] - _AFTER // 2:
            windows.append((max(0, place - _BEFORE), place + _AFTER))
    return windows


@lru_cache(1)
def _keywords() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The rules' keywords by their seldomest sign."""
    found: dict[str, list[str]] = {}
    for word in _rules():
        known = [sign for sign in _SELDOM if sign in word] or [word]
        found.setdefault(known[0], []).append(word)
    return tuple((sign, tuple(words)) for sign, words in found.items())


@lru_cache(1)
def _rules() -> dict[str, list[_Rule]]:
    """gitleaks' rules by keyword. Those for files of one name alone are not for us."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InvalidInput(
            "Settings.redact",
            "the package maskerlogger, whose rules find secrets, is missing",
            "install reverie-memory anew",
        )
    path = Path(spec.submodule_search_locations[0]) / _FILE
    by_keyword: dict[str, list[_Rule]] = {}
    for raw in tomllib.loads(path.read_text("utf-8"))["rules"]:
        if "path" in raw or "regex" not in raw or raw["id"] in _LEFT_OUT:
            continue
        assigned = _ASSIGNED in raw["regex"]
        rule = _Rule(
            id=raw["id"],
            regex=raw["regex"],
            keywords=tuple(word.lower() for word in raw.get("keywords", ())),
            entropy=float(raw.get("entropy", 0)) if assigned else 0.0,
            allowed=_allowed(raw) if raw["id"] == _GENERIC else (),
            group=int(raw.get("secretGroup", 0)),
        )
        for word in rule.keywords:
            by_keyword.setdefault(word, []).append(rule)
    return by_keyword


def _allowed(raw: dict[str, list[dict[str, list[str]]]]) -> tuple[re.Pattern[str], ...]:
    """What the rule says is none, of the secret itself."""
    lists = [one for one in raw.get("allowlists", ()) if one.get("regexTarget", "secret") == "secret"]
    return tuple(
        re.compile(_python(regex), re.IGNORECASE) for one in lists for regex in one.get("regexes", ())
    )


def _python(regex: str) -> str:
    """A pattern of Go's as one of Python's, without what only slows it down."""
    plain = regex.replace("(?i)", "").replace(r"\z", r"\Z").replace(_CODE_END, _ANY_END)
    return plain.removeprefix(_ASSIGNED)


def _entropy(text: str) -> float:
    """Shannon's entropy of its characters, in bits."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def _telephones(text: str, region: str) -> Iterator[Found]:
    try:
        import phonenumbers
    except ImportError:
        raise InvalidInput(
            "Settings.redact_pii",
            "the package that finds telephone numbers is not installed",
            "pip install 'reverie-memory[pii]'",
        ) from None
    for match in phonenumbers.PhoneNumberMatcher(text, region.upper()):
        yield Found(start=match.start, end=match.end, type="phone", rank=6)
