"""Store messages as episodes, and capture what is stated for good."""

from __future__ import annotations

from reverie.services.observe import outbox, shapes, storing
from reverie.services.observe.intake import checked_messages, messages_of, signed
from reverie.services.observe.ruling import gives_rule, may_rule, says_rule
from reverie.services.observe.storing import observe

__all__ = [
    "checked_messages",
    "gives_rule",
    "may_rule",
    "messages_of",
    "observe",
    "outbox",
    "says_rule",
    "shapes",
    "signed",
    "storing",
]
