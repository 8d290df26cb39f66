"""Redaction: what must never be stored, taken out of a text before anybody embeds or stores it.

Here stand what is done with what was found, private parts, and the marks that identify a person. Secrets are found by
``credentials``, ``places``, ``accounts`` and the rules that ``services.runtime.secrets`` loads.
"""

from __future__ import annotations

import ipaddress
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

PRIVATE = "private"
PLACEHOLDER = "[redacted"
"""How every placeholder begins."""
_PLACEHOLDER = re.compile(r"\[redacted: [a-z0-9-]{1,60}\]")
_PRIVATE = re.compile(r"<\s*+(?P<close>/?)\s*+private\s*+>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"(?<![ \t])[ \t]++(?=\n)|\n{3,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A piece of a text that must not be kept, and what it is. Of pieces that overlap, the one of the lower ``rank``
    gives its name.
    """

    start: int
    end: int
    type: str
    rank: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Cleaned:
    """A text without what must not be kept. ``found`` counts what was taken out, by type."""

    text: str
    found: Mapping[str, int] = field(default_factory=dict)


def placeholder(name: str) -> str:
    """Return what stands in the place of something of that type."""
    return f"{PLACEHOLDER}: {name}]"


def redacted(text: str, found: Iterable[Found]) -> Cleaned:
    """Return the text with a typed placeholder for each piece; pieces that overlap become one."""
    merged: list[Found] = []
    for one in sorted(found, key=lambda piece: (piece.start, -piece.end)):
        last = merged[-1] if merged else None
        if last is None or one.start >= last.end:
            merged.append(one)
            continue
        best = min(last, one, key=lambda piece: piece.rank)
        merged[-1] = Found(start=last.start, end=max(last.end, one.end), type=best.type, rank=best.rank)
    counts: dict[str, int] = {}
    kept: list[str] = []
    at = 0
    for one in merged:
        kept += (text[at : one.start], placeholder(one.type))
        counts[one.type] = counts.get(one.type, 0) + 1
        at = one.end
    return Cleaned(text="".join((*kept, text[at:])), found=counts) if merged else Cleaned(text=text)


def outside_placeholders(text: str, found: Iterable[Found]) -> list[Found]:
    """Return the pieces that no placeholder in the text has a part in."""
    marks = [match.span() for match in _PLACEHOLDER.finditer(text)]
    starts = [start for start, _ in marks]
    return [one for one in found if not _meets(marks, starts, one)]


def _meets(marks: list[tuple[int, int]], starts: list[int], one: Found) -> bool:
    last = bisect_left(starts, one.end) - 1  # the last that begins in front of its end
    return last >= 0 and marks[last][1] > one.start


def without_private(text: str) -> Cleaned:
    """Return the text without what stands between <private> and </private>; to the end where that is missing. They may
    be nested. Empty where nothing else was said.
    """
    if "<" not in text or not _PRIVATE.search(text):
        return Cleaned(text=text)
    kept: list[str] = []
    at = depth = dropped = 0
    for match in _PRIVATE.finditer(text):
        if match["close"]:
            if depth:
                depth -= 1
                at = match.end()
            continue
        if not depth:
            kept.append(text[at : match.start()])
            dropped += 1
        depth += 1
    if not depth:
        kept.append(text[at:])
    if not dropped:
        return Cleaned(text=text)
    return Cleaned(text=_BLANK_LINES.sub(_tidied, "".join(kept)).strip(), found={PRIVATE: dropped})


def _tidied(match: re.Match[str]) -> str:
    return "\n\n" if match.group().startswith("\n") else ""


# What identifies a person (opt-in) -----------------------------------------------------------------------------------
_EMAIL = re.compile(
    r"(?<![\w.+-])[a-z0-9][\w.+-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![\w-])",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Z0-9])")
_IP = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_SHORTEST_IBAN = 15
_SHORTEST_IPV6 = 8


def personal(text: str) -> Iterator[Found]:
    """Yield e-mail addresses, IBANs whose check digits are right (ISO 13616, modulo 97) and IP addresses."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield Found(start=match.start(), end=match.end(), type="email", rank=5)
    for match in _IBAN.finditer(text):
        if is_iban(match.group()):
            yield Found(start=match.start(), end=match.end(), type="iban", rank=5)
    for match in _IP.finditer(text):
        if _is_address(match.group()):
            yield Found(start=match.start(), end=match.end(), type="ip-address", rank=5)


def is_iban(text: str) -> bool:
    """Return whether the check digits of an IBAN are right."""
    plain = text.replace(" ", "")
    if len(plain) < _SHORTEST_IBAN:
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _is_address(text: str) -> bool:
    if ":" in text and len(text) < _SHORTEST_IPV6:  # a::b is one too, but mostly something else
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


_CLOSERS = ".,;:!?)]}>\"'*_\\"
_QUERY_END = re.compile(r"[&#]")
_END = re.compile(r";(?:$|[A-Za-z][\w ]{0,40}=)|,[\"'{]|\\[nr]|</")


@dataclass(frozen=True, slots=True)
class SecretForm:
    """One of ``hints`` is in every text in which ``find`` finds something."""

    hints: tuple[str, ...]
    find: Callable[[str], Iterator[Found]]


def trimmed(value: str, *, in_query: bool = False) -> str:
    """Return a value without what follows it in a sentence, in an address or in a list of settings."""
    for end in (_QUERY_END, _END) if in_query else (_END,):
        found = end.search(value)
        value = value[: found.start()] if found else value
    return value.rstrip(_CLOSERS)
