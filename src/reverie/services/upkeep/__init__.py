"""Keep a bank in order: housekeeping, self-care, re-embedding, backfill, schedules."""

from __future__ import annotations

from reverie.services.upkeep import backfill, housekeeping, reembed, retry, schedules, selfcare, stats, turns

__all__ = ["backfill", "housekeeping", "reembed", "retry", "schedules", "selfcare", "stats", "turns"]
