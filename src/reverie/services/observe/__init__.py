"""Store messages as episodes, and capture what is stated for good."""

from __future__ import annotations

from reverie.services.observe import outbox, storing
from reverie.services.observe.history import ROOM, History, TurnMessage, checked_messages, history_of
from reverie.services.observe.ruling import asks, gives_rule, may_rule, says_rule
from reverie.services.observe.storing import observe

__all__ = [
    "ROOM",
    "History",
    "TurnMessage",
    "asks",
    "checked_messages",
    "gives_rule",
    "history_of",
    "may_rule",
    "observe",
    "outbox",
    "says_rule",
    "storing",
]
