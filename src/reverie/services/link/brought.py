"""brought: clean what comes from a file or from another agent, of whatever shape.

Every text is cleaned, so a field that is added later is too. A name that holds a secret (``NAMES``) gets another name.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from operator import attrgetter, is_
from typing import Any, TypeVar

from reverie.domain.settings import Settings
from reverie.memory.privacy import is_uuid, placeholder
from reverie.services.runtime import clean, holds_secret

Value = TypeVar("Value")
_NO_SECRETS = frozenset({"private", "context-block"})
"""What is taken out of a text and is no secret: its words are anybody's."""
NOTHING_LEFT = "…"
"""What a text becomes of which nothing is left."""
NAMES = frozenset(
    "id ref conversation channel name scope other principals learned_from target source source_id source_episodes"
    " memory_id link_id superseded_by episode episodes job namespace key".split()
)
"""Fields that name something: with placeholders in them, two things could become one."""
_FREE = frozenset({"body", "value"})
"""Fields whose values have fields of a caller's own making."""
_UUID = 36  # characters
_DIGITS = 12
_WORD = re.compile(r"[^\W_]{6,}")  # as a tokenizer cuts
_PART = placeholder("part-of-a-secret")


class Brought:
    """One import or one link. Texts that were found clean before are known by their digests.

    ``found`` counts what was taken out, by type; ``names`` are those that hold a secret.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: set[bytes] = set()
        self.found: Counter[str] = Counter()
        self.names: set[str] = set()

    def is_clean(self, value: object) -> bool:
        """Tell whether no text and no name in a value holds a secret."""
        return self.cleaned(value) is value and self.names.isdisjoint(_texts(value))

    def cleaned(self, value: Value) -> Value:
        """Give a value as it may be stored, but for its names, which ``named`` changes; the value itself if nothing is
        to be cleaned.

        Words with a digit that were taken out of one of its texts are taken out of the others too: a lesson or a topic
        may repeat a part of a secret that nothing recognises by itself, and a word without a digit is anybody's. The
        vector of what changed is dropped.
        """
        if all(map(self._is_clean, _texts(value))):
            return value
        taken: set[str] = set()

        def cleaned(text: str, field: str) -> str:
            if _digest(text) in self._known:
                return text
            if field in NAMES:
                if holds_secret(self._settings, text):
                    self.names.add(text)
                return text
            found = clean(self._settings, text)
            if found.text == text:
                return text
            self.found.update(found.found)
            if not _NO_SECRETS.issuperset(found.found):
                words = set(_WORD.findall(text)) - set(_WORD.findall(found.text))
                taken.update(word for word in words if any(map(str.isdigit, word)))
            return found.text.strip() or NOTHING_LEFT

        made = _changed(value, cleaned, "")
        if taken:
            parts = re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(taken, key=len, reverse=True))})(?![^\W_])")
            made = _changed(made, lambda text, name: text if name in NAMES else parts.sub(_PART, text), "")
        return made  # type: ignore[no-any-return]  # of the same shape

    def named(self, value: Value, key: bytes) -> Value:
        """Give a value that was cleaned with another name for each that holds a secret: the same for the same name. It
        is a keyed digest, so nobody without the key can test guesses of the secret.
        """
        if not self.names:
            return value
        other = {
            name: f"redacted-{hmac.new(key, f'name {name}'.encode(), hashlib.sha256).hexdigest()[:_DIGITS]}"
            for name in self.names
        }
        self.found["name"] = len(other)

        def renamed(text: str, field: str) -> str:
            return other.get(text, text) if field in NAMES else text

        return _changed(value, renamed, "")  # type: ignore[no-any-return]  # of the same shape

    def _is_clean(self, text: str) -> bool:
        if len(text) == _UUID and is_uuid(text):
            return True
        digest = _digest(text)
        if digest not in self._known:
            if clean(self._settings, text).text != text:
                return False
            self._known.add(digest)
        return True


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def _texts(value: object) -> list[str]:
    """Give every text in a value."""
    texts: list[str] = []
    left: list[Any] = [value]
    for one in left:  # which grows meanwhile
        inside = _INSIDE[type(one)]
        if inside is str:
            texts.append(one)
        elif inside is not None:
            left += inside(one)
    return texts


def _changed(value: Any, change: Callable[[str, str], str], field: str) -> Any:
    """Give a value of the same shape with each text changed; the same object if none was. What a mapping holds is in
    the field of its key.
    """
    inside = _INSIDE[type(value)]
    if inside is None:
        return value
    if inside is str:
        return change(value, field)
    if isinstance(value, tuple | list):
        each = [_changed(one, change, field) for one in value]
        return value if all(map(is_, each, value)) else type(value)(each)
    if isinstance(value, Mapping):
        keys = _changed([*value], change, "")
        held = [_changed(one, change, field if field in _FREE else key) for key, one in value.items()]
        is_same = all(map(is_, keys, value)) and all(map(is_, held, value.values()))
        return value if is_same else _apart(keys, held)
    old = {one.name: getattr(value, one.name) for one in fields(value)}
    new = {name: made for name, one in old.items() if (made := _changed(one, change, name)) is not one}
    if new and "vector" in old:
        new["vector"] = None
    return replace(value, **new) if new else value


def _apart(keys: Iterable[str], held: Iterable[Any]) -> Mapping[str, Any]:
    """Give a mapping in which keys that have become one are numbered."""
    made: dict[str, Any] = {}
    for key, one in zip(keys, held, strict=True):
        number, free = 1, key
        while free in made:
            number += 1
            free = f"{key} {number}"
        made[free] = one
    return made


def _inside(kind: type) -> Callable[[Any], Iterable[Any]] | None:
    """Give what lists the parts of a value of a kind: ``str`` for a text, None for what holds no text."""
    if issubclass(kind, Enum):
        return None
    if issubclass(kind, str):
        return str
    if issubclass(kind, tuple | list):
        return iter
    if issubclass(kind, Mapping):
        return lambda value: (*value, *value.values())
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else []
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda value: (getattr(value, names[0]),)) if names else None


class _Kinds(dict[type, Callable[[Any], Iterable[Any]] | None]):
    def __missing__(self, kind: type) -> Callable[[Any], Iterable[Any]] | None:
        self[kind] = _inside(kind)
        return self[kind]


_INSIDE = _Kinds()
"""``_inside`` of each kind that was asked for."""
