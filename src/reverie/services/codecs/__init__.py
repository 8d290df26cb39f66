"""Read and write rows as JSON, each field checked."""

from __future__ import annotations

from reverie.services.codecs.bank_values import (
    Blocked,
    Header,
    KeptEpisode,
    KeptMemory,
    KeptVersion,
    Profile,
    Room,
    Tombstone,
)
from reverie.services.codecs.lines import (
    END,
    FORMAT,
    HEADER,
    MEMORY,
    SHAPES,
    VERSION,
    entry,
    line_of,
)

__all__ = [
    "END",
    "FORMAT",
    "HEADER",
    "MEMORY",
    "SHAPES",
    "VERSION",
    "Blocked",
    "Header",
    "KeptEpisode",
    "KeptMemory",
    "KeptVersion",
    "Profile",
    "Room",
    "Tombstone",
    "entry",
    "line_of",
]
