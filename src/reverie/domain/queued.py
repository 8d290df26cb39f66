"""QueuedWrite: what was told while the embedder gave no vectors, and is stored once it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedWrite:
    """A write that waits. ``payload`` holds the verb's arguments as JSON values, secrets taken out already.

    ``place``: where it stands among the others, whatever clocks said; None where it isn't queued yet, and is to be the
    last. ``failure``: why it is passed over, where the embedder refuses it alone (no contents).
    """

    id: str
    at: datetime
    verb: str
    payload: Mapping[str, object]
    place: int | None = None
    failure: str | None = None
