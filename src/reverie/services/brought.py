"""brought: clean what comes from a file or from another agent, of whatever shape.

Every text is cleaned, so a field that is added later is too. Only the fields in ``NAMES`` are refused instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from operator import attrgetter, is_
from typing import Any, TypeVar

from reverie.domain.settings import Settings
from reverie.rules.chance import is_uuid
from reverie.rules.redact import placeholder
from reverie.services.given import refuse_secret
from reverie.services.redact import clean

Value = TypeVar("Value")
_NO_SECRETS = frozenset({"private", "context-block"})
"""What is taken out of a text and is no secret: its words are anybody's."""
NOTHING_LEFT = "…"
"""What a text becomes of which nothing is left."""
NAMES = frozenset({"id", "ref", "conversation", "channel", "name", "scope", "other", "principals"})
"""Fields that name something: with placeholders in them, two things could become one."""
_APART = "\n<>\n"
"""Stands between texts that are read as one; no pattern for the value of a secret reads across it."""
_UUID = 36  # characters
_WORD = re.compile(r"[^\W_]{6,}")  # as a tokenizer cuts
_PART = placeholder("part-of-a-secret")


class Brought:
    """One import or one link. Texts that were found clean before are known by their words."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: set[str] = set()

    def is_clean(self, value: object) -> bool:
        """Tell whether nothing in a value is to be cleaned. Its texts are read as one: cleaning each by itself made an
        import take four times as long.
        """
        texts = [
            text
            for text in _texts(value)
            if text not in self._known and (len(text) != _UUID or not is_uuid(text))
        ]
        if not texts:
            return True
        joined = _APART.join(texts)
        if clean(self._settings, joined).text != joined:
            return False
        self._known.update(texts)
        return True

    def cleaned(self, value: Value) -> Value:
        """Give a value as it may be stored; the value itself if it is clean.

        Words that were taken out of one of its texts are taken out of the others too: a lesson or a topic may repeat a
        part of a secret that nothing recognises by itself. The vector of what changed is dropped. Raises InvalidInput
        if a name (``NAMES``) holds a secret.
        """
        if self.is_clean(value):
            return value
        taken: set[str] = set()

        def cleaned(text: str, field: str) -> str:
            if field in NAMES:
                refuse_secret(self._settings, text, field)
                return text
            found = clean(self._settings, text)
            if found.text == text:
                return text
            if not _NO_SECRETS.issuperset(found.found):
                taken.update(set(_WORD.findall(text)) - set(_WORD.findall(found.text)))
            return found.text.strip() or NOTHING_LEFT

        made = _changed(value, cleaned, "")
        if taken:
            parts = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(taken, key=len, reverse=True))})(?!\w)")
            made = _changed(made, lambda text, name: text if name in NAMES else parts.sub(_PART, text), "")
        return made  # type: ignore[no-any-return]  # of the same shape


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
    """Give a value of the same shape with each text changed; the same object if none was. What a mapping holds is in no
    field.
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
        keys, held = (_changed([*each], change, "") for each in (value, value.values()))
        is_same = all(map(is_, keys, value)) and all(map(is_, held, value.values()))
        return value if is_same else dict(zip(keys, held, strict=True))
    old = {one.name: getattr(value, one.name) for one in fields(value)}
    new = {name: made for name, one in old.items() if (made := _changed(one, change, name)) is not one}
    if new and "vector" in old:
        new["vector"] = None
    return replace(value, **new) if new else value


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
