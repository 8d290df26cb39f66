"""Values that programs keep in a bank, by namespace and key."""

from __future__ import annotations

from reverie.services.items import items

__all__ = ["items"]
