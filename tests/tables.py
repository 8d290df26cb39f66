"""The tables of a bank, by what they are to a copy of it."""

from __future__ import annotations

from reverie.ports.transfer import Part
from reverie.store.transfer import tables_of

TABLES = tables_of(Part.REVISED)
UNREVISED = tables_of(Part.UNREVISED)
CACHES = tables_of(Part.CACHE)
