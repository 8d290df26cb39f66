"""Credentials: secrets that are known by what stands beside them. A name that says "password", "token" or "key" and its
value: in an assignment, behind a flag or in a sentence.

Every pattern that reads a text is RE2's, which takes linear time whatever the text. What such a pattern can't say is
asked of the name and of the value by themselves (``memory.privacy.randomness``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from reverie.memory.privacy.folding import plain
from reverie.memory.privacy.randomness import is_chosen, is_drawn, is_said, is_uuid
from reverie.memory.privacy.redaction import Found, SecretForm, trimmed

_PASSWORD, _KEY, _SESSION = "password", "api-key", "session-id"
_RANKS = {_PASSWORD: 4, _KEY: 8, _SESSION: 10}
_SHORTEST_TOKEN = 8

# Names ---------------------------------------------------------------------------------------------------------------
_WORDS = (
    r"(?:pass(?:wor[dt]|wd|phrase|code)?s?|pwd|pw|secrets?|tokens?|cred(?:ential)?s?|keys?|auth|sig(?:nature)?"
    r"|sess(?:ion)?(?:[._-]?id)?|sid|cookie)"
)
_HINTS = ("pass", "pw", "secret", "token", "cred", "key", "auth", "sig", "sess", "sid", "cookie")
_LONGEST_NAME = 80
_PART = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[A-Z]")
# The last part of a name says what it is: DB_PASSWORD, userPw, PGPASSWORD; not PASSWORD_MIN_LENGTH
_HEADS = {
    _PASSWORD: re.compile(r"pass(?:wor[dt]|wd|phrase|code)s?$|passwd$|pwd$|(?:^|require|ssh)pass$|^pw$"),
    _KEY: re.compile(r"(?:secret|token|credential|signature|[^n]key)s?$|^(?:key|auth|sig|creds?)$"),
    _SESSION: re.compile(r"^(?:php|j|asp)?(?:session|sess|sid|cookie)(?:id)?$"),
}
# What opens something by itself; other keys are those of tables, caches and keyboards, unless a machine drew them
_OPENER = re.compile(
    r"(?:secret|token|credentials?)$|(?:api|access|secret|private|auth)[ _.-]?key$", re.IGNORECASE
)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*$")
_JOINED = re.compile(r"\w[_-]\w")


def kind_of(name: str) -> str | None:
    """Return what a name says that its value is; None for one that names no secret.

    >>> kind_of("DB_PASSWORD"), kind_of("connect.sid"), kind_of("PASSWORD_MIN_LENGTH"), kind_of("monkey")
    ('password', 'session-id', None, None)
    """
    parts = [part.lower() for part in _PART.findall(name[-_LONGEST_NAME:])]
    if not parts:
        return None
    last = parts[-2] + "id" if parts[-1] == "id" and len(parts) > 1 else parts[-1]
    return next((kind for kind, head in _HEADS.items() if head.search(last)), None)


def _secret(name: str, start: int, value: str, *, is_plain: bool = False) -> Iterator[Found]:
    """Yield a value as a secret if it is one of the kind that the name tells, as it stands or in base64. ``is_plain``:
    were it a word, it could be nothing but a value.
    """
    kind = kind_of(name)
    if kind is None:
        return
    words = value.split()
    if len(words) > 1:  # between quotation marks: a passphrase, or a sentence
        is_secret = any(map(is_chosen, words))
    else:
        hidden = plain(value) or ""
        is_secret = _is_secret(kind, name, value, is_plain=is_plain)
        is_secret = is_secret or (hidden.isascii() and is_chosen(hidden))  # "findings" decodes too
    if is_secret:
        yield Found(start=start, end=start + len(value), type=kind, rank=_RANKS[kind])


def _is_secret(kind: str, name: str, value: str, *, is_plain: bool) -> bool:
    if kind == _PASSWORD:
        return is_said(value) if is_plain else is_chosen(value)
    opens = kind == _KEY and _OPENER.search(name) is not None
    if is_plain and opens and len(value) >= _SHORTEST_TOKEN and is_chosen(value):
        return True
    return is_drawn(value) and (opens or not is_uuid(value))


# Assignments: NAME=value, "name": "value", <name>value</name>, name.value = `value`, | name | value | -------------
_ASSIGNED = re2.compile(
    rf"(?i)([\w.$-]*{_WORDS}[0-9]*)([\"'\x60\])*\\]*)"
    r"([ \t]*(?::=|=>|==?|::?|->|\||>|,)[ \t]*|[ \t]+value[ \t]*=[ \t]*|[ \t]*\n[ \t-]*value:[ \t]*)"
    r"(?:[fbru]?\\?(?:\"([^\"\n]+)\"|'([^'\n]+)'|\x60([^\x60\n]+)\x60)|([^\s\"'\x60<>]+))"
)
_FIRST, _BARE = 4, 7
"""The groups of a value: between quotation marks, and without."""


def _assigned(text: str) -> Iterator[Found]:
    for match in _ASSIGNED.finditer(text):
        name, closed, sign = match.group(1, 2, 3)
        if kind_of(name) is None:
            continue
        group = next(place for place in range(_FIRST, _BARE + 1) if match.start(place) >= 0)
        is_quoted, in_list = group < _BARE, sign.strip() == ","
        in_query = text[match.start() - 1 : match.start()] in {"?", "&"}
        start, value = match.start(group), match.group(group)
        value = value if " " in value else trimmed(value, in_query=in_query)
        end = start + len(value)
        after = text[end : end + 3].lstrip(" ")
        is_type = sign == ": " and after.startswith("=")
        if is_type or (in_list and not (is_quoted and closed)):
            continue
        is_constant = _CONSTANT.match(name) is not None and (sign == "=" or "_" in name)
        is_element = sign == ">" and after.startswith("</")
        is_plain = is_quoted or is_constant or is_element or in_query or name.startswith("--")
        is_plain = is_plain or (kind_of(name) == _KEY and (sign == "=" or _JOINED.search(name) is not None))
        yield from _secret(name, start, value, is_plain=is_plain and not in_list)


# Spaces: --password value, login anna password value, pw value -------------------------------------------------------
_SPACED = re2.compile(
    rf"(?i)([\w.$-]*{_WORDS})[ \t]+(?:\\?(?:\"([^\"\s]+)\"|'([^'\s]+)'|\x60([^\x60\s]+)\x60)|([^\s\"'\x60<>]+))"
)


def _spaced(text: str) -> Iterator[Found]:
    for match in _SPACED.finditer(text):
        name = match.group(1)
        if kind_of(name) in {None, _SESSION} or "$" in name:  # a variable, and not what it holds
            continue
        group = next(place for place in range(2, 6) if match.start(place) >= 0)
        is_plain = name.startswith("--") and kind_of(name) == _KEY
        yield from _secret(name, match.start(group), trimmed(match.group(group)), is_plain=is_plain)


# Sentences: "the password for the router is value", "I changed the token to value" -----------------------------------
_VALUE = r"[^\s\"'\x60]*[0-9!@#$%^&*+=~?][^\s\"'\x60]*"
_SAID = re2.compile(
    rf"(?i)\b((?:\w+[ _-])?{_WORDS})\b[\"'*_\x60)]*"
    r"(?:\s+(?:for|of|to|at|on|in|from)(?:\s+[\w@.'\x{2019}-]+){1,6}?)?"
    r"(?:\s+(is|was|are|to|as|be|been|becomes|remains)\s+"
    r"(?:(?:still|now|currently|just|again|simply|always|set|changed|reset)\s+(?:to\s+)?)?:?"
    r"|['\x{2019}]s\s+|(?:\s+\([^()\n]{1,40}\))?\s*[:=]>?|\s*->|\s+[-\x{2013}\x{2014}]\s)\s*"
    rf"[\"'\x60(*]*({_VALUE})"
)
_VERBS = frozenset({"pass", "auth", "key", "keys", "sig", "cookie"})
"""Names that are other words in front of "to" and "as"."""


def _said(text: str) -> Iterator[Found]:
    for match in _SAID.finditer(text):
        name, verb = match.group(1, 2)
        is_other = verb in {"to", "as"} and name.split()[-1].lower() in _VERBS
        if not is_other and kind_of(name) != _SESSION:
            yield from _secret(name, match.start(3), trimmed(match.group(3)))


# The other way round: "value is my password", "use value as the password" --------------------------------------------
_REVERSED = re2.compile(
    rf"(?i)(?:^|[\s\"'\x60(])({_VALUE})[\"'\x60]?\s+(?:is|was|as|for)\s+"
    rf"(?:(?:my|the|our|his|her|their|your|a|an|its)\s+)((?:\w+\s+){{0,2}}?{_WORDS})\b"
    r"(?:[^\w\s]|\s*$|\s*\n|\s+(?:for|to|of|on|at|in|and|now|here|there|again|please)\b)"
)


def _reversed(text: str) -> Iterator[Found]:
    for match in _REVERSED.finditer(text):
        value, name = match.group(1, 2)
        if kind_of(name) != _SESSION:
            yield from _secret(name, match.start(1), trimmed(value))


CREDENTIAL_FORMS = tuple(SecretForm(_HINTS, find) for find in (_assigned, _spaced, _said, _reversed))
