"""Declare each kind of row beside messages and memories once, for export, import, forget and link."""

from __future__ import annotations

from reverie.services.aggregates.aggregate import Aggregate, Incoming, Losing, Told
from reverie.services.aggregates.diary import DIARY, date_of_note
from reverie.services.aggregates.links import every_link, shared_links
from reverie.services.aggregates.log import as_forgotten, audit_log, standing_log
from reverie.services.aggregates.registry import AGGREGATES, SHAPES, line_object
from reverie.services.aggregates.relationships import RELATIONSHIP
from reverie.services.aggregates.work import queued_writes

__all__ = [
    "AGGREGATES",
    "DIARY",
    "RELATIONSHIP",
    "SHAPES",
    "Aggregate",
    "Incoming",
    "Losing",
    "Told",
    "as_forgotten",
    "audit_log",
    "date_of_note",
    "every_link",
    "line_object",
    "queued_writes",
    "shared_links",
    "standing_log",
]
