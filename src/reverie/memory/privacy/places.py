"""Places: secrets that are known by where they stand or by how they begin: addresses, headers, cookies, commands, files
of passwords, keys in armour. The patterns are RE2's, as in ``memory.privacy.credentials``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import re2

from reverie.memory.privacy.randomness import is_chosen, is_drawn, is_said
from reverie.memory.privacy.redaction import Found, SecretForm, trimmed

_ANY_SHELL = r"[^\n;|]*?"
_WORD = r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|[\"']?([^\s\"']+))"
"""A word of a command, perhaps between quotation marks."""


def _form(
    name: str,
    rank: int,
    hints: str,
    pattern: str,
    judge: Callable[[str], bool] = lambda _: True,
    *,
    whole: bool = True,
) -> SecretForm:
    """Make the form whose matched group is the secret. Not ``whole``: what ends a sentence isn't part of it."""
    compiled = re2.compile(pattern)

    def find(text: str) -> Iterator[Found]:
        for match in compiled.finditer(text):
            start, value = match.start(match.lastindex), match.group(match.lastindex)
            value = value if whole else trimmed(value)
            if value and judge(value):
                yield Found(start=start, end=start + len(value), type=name, rank=rank)

    return SecretForm(tuple(hints.split()), find)


_COOKIES = re2.compile(r"(?i)cookies?[\"']?[\s:=]+f?[\"']?([^\s=\"';]+=[^\n\"']+)")
_PAIR = re2.compile(r"[^\s=;]+=([^\s;]+)")


def _cookies(text: str) -> Iterator[Found]:
    for line in _COOKIES.finditer(text):
        for pair in _PAIR.finditer(line.group(1)):
            value = trimmed(pair.group(1))
            start = line.start(1) + pair.start(1)
            if is_drawn(value):
                yield Found(start=start, end=start + len(value), type="session-id", rank=10)


PLACE_FORMS = (
    # postgres://anna:hunter2@db.example/app; a scope holds it with one slash
    _form(
        "url-password",
        1,
        ":/",
        r"(?i)[a-z][a-z0-9+.-]*:/{1,2}[^\s/:@\"'<>]*:([^\s/?#\"'<>]+)@[\w\[]",
        is_said,
    ),
    # Authorization: Bearer …
    _form(
        "authorization",
        3,
        "authorization",
        r"(?i)authorization[\"'\x60\])]*\s*[:=,]?\s*f?[\"'\x60]?(?:bearer|basic|token|digest|apikey|key|bot)\s+"
        r"[\"']?([\w.~+/=-]{8,})",
        is_said,
    ),
    _form("authorization", 3, "bearer", r"(?i)\bbearer\s+([\w.~+/=-]{20,})", is_drawn),
    # sk-… : the form of OpenAI's keys, which many providers took over
    _form("api-key", 3, "sk-", r"(?i)\b(sk-[\w-]{20,})", lambda value: any(map(str.isdigit, value))),
    _form("telegram-bot-token", 3, ":aa", r"(?:^|[^\w:])([0-9]{8,10}:AA[\w-]{32,34})(?:[^\w-]|$)"),
    SecretForm(("cookie",), _cookies),
    # curl -u anna:hunter2
    _form(
        "password",
        4,
        "curl wget http",
        rf"(?i)\b(?:curl|wget|https?|httpie|xh)\b{_ANY_SHELL}\s(?:-[a-z]*u|-a|--(?:proxy-|http-)?user|--auth)"
        r"[ =]?\s*(?:\"[^\s:\"']+:([^\"\n]+)\"|'[^\s:\"']+:([^'\n]+)'|[\"']?[^\s:\"']+:([^\s\"']+))",
        is_said,
    ),
    # mysql -phunter2, sshpass -p hunter2
    _form(
        "password",
        4,
        "mysql mariadb",
        rf"(?i)\b(?:mysql|mariadb)[\w-]*\b{_ANY_SHELL}\s-p{_WORD}",
        is_said,
    ),
    _form(
        "password",
        4,
        "sshpass login 7z mongo",
        rf"(?i)\b(?:sshpass|(?:docker|podman|helm|registry|oc|az)\s+login|7z\w?|mongo\w*)\b{_ANY_SHELL}\s-p\s?{_WORD}",
        is_said,
    ),
    # host:5432:database:anna:hunter2
    _form(
        "password",
        4,
        ":",
        r"(?m)^[\"'\x60\s>]*[\w.*-]+:(?:[0-9]{2,5}|\*):[\w.*-]+:[\w.@-]+:([^\s:]+)\s*$",
        is_chosen,
    ),
    # $2b$12$…
    _form("password-hash", 4, "$", r"(\$(?:2[abxy]?|1|5|6|7|y|argon2(?:id|i|d)|scrypt)\$[\w./$,=+-]{20,})"),
    # A private key that is cut off
    _form(
        "private-key",
        3,
        "-----begin",
        r"(?i)(-----BEGIN[ A-Z0-9_-]*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:\s|\\+[nr]|[\"'+>|,])*(?:[A-Z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]+))*"
        r"(?:\s*[A-Z0-9+/=]+\s*\z)?)",
    ),
    # One of which the beginning is cut off
    _form(
        "private-key",
        3,
        "private key-----",
        r"(?i)((?:[A-Z0-9+/=]{16,}(?:\s|\\+[nr]|[\"'+>|,])*)+(?:[A-Z0-9+/=]{1,15}(?:\s|\\+[nr]|[\"'+>|,])*)?"
        r"-----END[ A-Z0-9_-]*PRIVATE KEY(?: BLOCK)?-----)",
    ),
    # The words that a wallet is made of
    _form(
        "seed-phrase",
        3,
        "seed recovery mnemonic backup",
        r"(?i)(?:(?:seed|recovery|backup)[ _-]?(?:phrase|words)|mnemonic)[\"'\x60]*"
        r"\s*(?:\b(?:is|are|was)\b|[:=])[:\s\"'\x60]*((?:[a-z]{3,8}[\s,]+){11,23}[a-z]{3,8})\b",
    ),
)
