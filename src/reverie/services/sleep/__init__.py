"""Turn episodes into knowledge: gather, ask the mind, check, apply in one transaction, revert."""

from __future__ import annotations

from reverie.services.sleep import night, revert, sleep, sleeps
from reverie.services.sleep.sleep import due, sleep_through
from reverie.services.sleep.sourcing import OUTSIDE, quoted_from

__all__ = ["OUTSIDE", "due", "night", "quoted_from", "revert", "sleep", "sleep_through", "sleeps"]
