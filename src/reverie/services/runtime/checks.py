"""Check the names, labels and reasons that a caller gives. Every verb that stores one asks here.

A name that something else refers to (an agent, a conversation, a ref, a scope) is refused where it holds a secret: with
a placeholder in it, it would name something else. Texts and labels are cleaned (``services.runtime.secrets``).
What comes from a file or from another agent goes through ``services.link.brought``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reverie.domain.draft import Draft
from reverie.domain.ids import checked_name
from reverie.domain.memory import MAX_LESSON_BYTES
from reverie.domain.revision import Revision
from reverie.domain.settings import Settings
from reverie.domain.text import checked_text
from reverie.errors import InvalidInput
from reverie.services.runtime.desk import Desk
from reverie.services.runtime.secrets import clean, cleaned

_LIKE_KEYS = frozenset({"card-number", "generic-api-key", "session-id"})
_LABELS = ("tags", "topics", "entities")


def holds_secret(settings: Settings, name: str) -> bool:
    """Return whether a name holds a secret of a known form. What only looks like one passes ("client: 8f3a…", a number
    that could be a card's), and so does what is personal: names often look like that.
    """
    return bool(
        set(clean(replace(settings, privacy=replace(settings.privacy, redact_pii=False)), name).found)
        - _LIKE_KEYS
    )


def refuse_secret(settings: Settings, name: str, field: str) -> None:
    """Raise InvalidInput if a name holds a secret."""
    if holds_secret(settings, name):
        raise InvalidInput(field, "it holds a secret", "give it another name, without the secret")


def name_of(settings: Settings, value: object, field: str) -> str:
    """Return the value as a name that may be stored. Raise InvalidInput."""
    name = checked_name(value, field)
    refuse_secret(settings, name, field)
    return name


def agent_of(desk: Desk, value: object, field: str) -> str:
    """Return the value as an agent's id. One that holds a secret passes if the store has such an agent already: its
    owner must reach it, to forget it. Raise InvalidInput.
    """
    name = checked_name(value, field)
    if holds_secret(desk.settings, name) and name not in desk.store.agent_ids():
        refuse_secret(desk.settings, name, field)
    return name


def refuse_secrets(settings: Settings, names: Iterable[str], field: str) -> None:
    """Raise InvalidInput if one of the names holds a secret."""
    for name in names:
        refuse_secret(settings, name, field)


def reason_of(settings: Settings, value: object) -> str | None:
    """Return a reason as it may stand in the audit log; None for none. Raise InvalidInput."""
    if value is None:
        return None
    return cleaned(settings, checked_text(value, "reason", most_bytes=MAX_LESSON_BYTES), "reason").text


def labels_of(settings: Settings, told: Draft | Revision) -> tuple[Mapping[str, Any], Counter[str]]:
    """Return the labels as they may be stored, by field, without those of which nothing is left; and count what was
    taken out, by type.
    """
    found = Counter[str]()
    labels: dict[str, tuple[str, ...]] = {}
    for name in _LABELS:
        kept = [clean(settings, label) for label in getattr(told, name) or ()]
        if kept:
            labels[name] = tuple(dict.fromkeys(filter(None, (one.text.strip() for one in kept))))
        for one in kept:
            found.update(one.found)
    return labels, found
