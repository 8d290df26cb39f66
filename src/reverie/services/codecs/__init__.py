"""Read and write rows as JSON, each field checked."""

from __future__ import annotations

from reverie.services.codecs.bank_values import Header, KeptEpisode, KeptMemory, KeptVersion, Profile, Room
from reverie.services.codecs.lines import CORE, END, FORMAT, HEADER, MEMORY, OTHER_FILES, VERSION, line_of
from reverie.services.codecs.shape import Shape, each, one
from reverie.services.codecs.values import (
    BODY,
    COUNT,
    DATE,
    HEX,
    NAME,
    NAMES,
    NUMBER,
    OBJECT,
    SWITCH,
    TEXT,
    TIME,
    TRUST,
    WORDS,
    Codec,
    choice,
    maybe,
)

__all__ = [
    "BODY",
    "CORE",
    "COUNT",
    "DATE",
    "END",
    "FORMAT",
    "HEADER",
    "HEX",
    "MEMORY",
    "NAME",
    "NAMES",
    "NUMBER",
    "OBJECT",
    "OTHER_FILES",
    "SWITCH",
    "TEXT",
    "TIME",
    "TRUST",
    "VERSION",
    "WORDS",
    "Codec",
    "Header",
    "KeptEpisode",
    "KeptMemory",
    "KeptVersion",
    "Profile",
    "Room",
    "Shape",
    "choice",
    "each",
    "line_of",
    "maybe",
    "one",
]
