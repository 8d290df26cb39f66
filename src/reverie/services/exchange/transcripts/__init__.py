"""Read the transcripts of coding agents: hooks, ``reverie watch`` and ``import_from`` read them here, so that a session
that comes by several of these ways has the same conversation and the same refs, and is stored once.
"""

from __future__ import annotations

from reverie.services.exchange.transcripts.parts import (
    MOST_TOOL_CHARACTERS,
    LeftOut,
    Part,
    call_text,
    cut,
    messages,
    name_of,
)
from reverie.services.exchange.transcripts.projects import Project, key_of, project_of
from reverie.services.exchange.transcripts.sessions import Sessions
from reverie.services.exchange.transcripts.transcript import CHANNEL, READERS, Said, Transcript

__all__ = [
    "CHANNEL", "MOST_TOOL_CHARACTERS", "READERS", "LeftOut", "Part", "Project", "Said", "Sessions", "Transcript",
    "call_text", "cut", "key_of", "messages", "name_of", "project_of",
]  # fmt: skip
