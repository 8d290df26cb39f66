"""QueuedWrite: what was told while the embedder gave no vectors, and is stored once it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedWrite:
    """A write that waits. ``payload`` holds the verb's arguments as JSON values, secrets taken out already."""

    id: str
    at: datetime
    verb: str
    payload: Mapping[str, object]
