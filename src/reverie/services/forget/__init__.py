"""Forget for good, everywhere, with a receipt."""

from __future__ import annotations

from reverie.services.forget import backups, forget

__all__ = ["backups", "forget"]
