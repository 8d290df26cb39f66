"""Redaction: what must never be stored, taken out of a text before anybody embeds or stores it.

What secrets look like is known by the detector that a service loads (``services.redact``); here stand the arithmetic
around it, and the few kinds that no list of providers' keys has: card numbers, passwords in addresses and headers, and,
where they are asked for, marks that identify a person.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

PRIVATE = "private"
PLACEHOLDER = "[redacted"
"""How every placeholder begins."""
_PRIVATE = re.compile(r"<\s*(?P<close>/?)\s*private\s*>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"[ \t]+(?=\n)|\n{3,}")


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
    """What stands in the place of something of that type."""
    return f"{PLACEHOLDER}: {name}]"


def redacted(text: str, found: Iterable[Found]) -> Cleaned:
    """The text with a typed placeholder for each piece; pieces that overlap become one."""
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


def without_private(text: str) -> Cleaned:
    """The text without what stands between <private> and </private>; to the end where that is missing. They may be
    nested. Empty where nothing else was said.
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


# Cards ---------------------------------------------------------------------------------------------------------------
_DIGITS = re.compile(r"\d(?<![\w.,+-]\d)(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)")
# First digits and lengths as issuers have them: Visa, Mastercard, American Express, Discover, UnionPay, JCB, Diners
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d{2})\d{12}(?:\d{3})?|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
)


def cards(text: str) -> Iterator[Found]:
    """Payment cards' numbers: an issuer's digits, and the check digit is right (Luhn, ISO/IEC 7812-1)."""
    for match in _DIGITS.finditer(text):
        digits = match.group().replace(" ", "").replace("-", "")
        if _ISSUED.fullmatch(digits) and is_luhn(digits):
            yield Found(start=match.start(), end=match.end(), type="card-number", rank=1)


def is_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


# Passwords and keys that are known by where they stand ---------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Place:
    """Where a secret stands: the group "secret" of a pattern. One of ``hints`` is in every text that has it."""

    type: str
    rank: int
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _place(name: str, rank: int, hints: str, *says: str) -> _Place:
    return _Place(name, rank, tuple(hints.split()), re.compile("".join(says), re.IGNORECASE))


_SAYS = r"\s*(?:is\s*:?|[:=]|was)\s*[\"'`]?"
_PLACES = (
    # postgres://anna:hunter2@db.example/app
    _place(
        "url-password",
        1,
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:(?P<secret>[^\s/@\"'<>]{1,200})@",
    ),
    # Authorization: Bearer …
    _place(
        "authorization",
        3,
        "authorization",
        r"\bauthorization\b[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+(?P<secret>[\w.~+/=-]{8,2000})",
    ),
    _place("authorization", 3, "bearer", r"\bbearer\s+(?P<secret>(?=[\w.~+/-]*\d)[\w.~+/-]{20,2000}=*)"),
    # sk-… : the form of OpenAI's keys, which many providers took over
    _place(
        "api-key",
        3,
        "sk-",
        r"\b(?P<secret>sk-(?:[a-z]{2,12}-)?(?:[a-z0-9]{1,8}-)?(?=[\w-]*\d)[A-Za-z0-9_-]{20,200})(?![\w-])",
    ),
    # my API key is …
    _place(
        "api-key",
        8,
        "key token secret",
        r"\b(?:(?:api|access|secret|private|auth)[ _-]?(?:key|token)|token|secret)\b[\"']?",
        _SAYS,
        r"(?P<secret>(?=[^\s\"'`]*\d)(?=[^\s\"'`]*[A-Za-z])[\w.+/=-]{16,500})(?![\w+/-])",
    ),
    # my password is hunter2
    _place(
        "password",
        4,
        "passw passp passc pwd",
        r"\b(?:password|passwort|passwd|passphrase|pwd|passcode)\b[\"']?",
        _SAYS,
        r"(?P<secret>(?=[^\s\"'`]*[\d!@#$%^&*+=])(?=[^\s\"'`]*[A-Za-z])[^\s\"'`,;]{5,100}[^\s\"'`,;.!?)])",
    ),
    _place("telegram-bot-token", 3, ":aa", r"(?<![\w:])(?P<secret>\d{8,10}:AA[A-Za-z0-9_-]{32,34})(?![\w-])"),
    # A private key that is cut off
    _place(
        "private-key",
        3,
        "-----begin",
        r"(?P<secret>-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:\s*[A-Za-z0-9+/=:,-]{16,})*)",
    ),
)


_HINTED = tuple((hint, place) for place in _PLACES for hint in place.hints)


def placed(text: str) -> Iterator[Found]:
    """Passwords and tokens that stand where such things stand: in an address, a header, after "password is"."""
    low = text.lower()
    for place in dict.fromkeys(place for hint, place in _HINTED if hint in low):
        for match in place.pattern.finditer(text):
            start, end = match.span("secret")
            yield Found(start=start, end=end, type=place.type, rank=place.rank)


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
    """E-mail addresses, IBANs whose check digits are right (ISO 13616, modulo 97) and IP addresses."""
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
    """Whether the check digits of an IBAN are right."""
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
