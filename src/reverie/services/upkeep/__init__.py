"""Keep a bank in order: housekeeping, self-care, re-embedding, backfill, schedules."""

from __future__ import annotations

from reverie.services.upkeep import backfill, housekeeping, nightly, reembed, retry, selfcare, stats, weekly

__all__ = ["backfill", "housekeeping", "nightly", "reembed", "retry", "selfcare", "stats", "weekly"]
