"""Forget for good, everywhere, with a receipt."""

from __future__ import annotations

from reverie.services.forget import backups, forget
from reverie.services.forget.society import mark_of

__all__ = ["backups", "forget", "mark_of"]
