"""Build what goes into a prompt: the context block, and the whole window of a turn."""

from __future__ import annotations

from reverie.services.prompt import context, scoped, window
from reverie.services.prompt.participants import meetings_of
from reverie.services.prompt.scoped import checked_path

__all__ = ["checked_path", "context", "meetings_of", "scoped", "window"]
