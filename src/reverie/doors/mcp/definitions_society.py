"""Toolset ``society`` as hosts are told of it: the source's tools for agents that live among others (s4). A test bounds
what it costs a host's context.
"""

from __future__ import annotations

from reverie.domain.kinds import Kind
from reverie.domain.link import Include
from reverie.domain.relationship import RELATIONSHIP_TYPES
from reverie.doors.mcp.definitions import NUMBERS_BY_NAME, TEXTS_BY_NAME, Definition, object_of
from reverie.doors.mcp.parameters import NUMBER, OBJECT, SWITCH, TEXT, TEXTS, WHOLE

SOCIETY = (
    Definition(
        name="add_to_longterm_memory",
        description=(
            "Keep what you saw, heard or concluded, worded to stand alone."
            f" type: {' '.join(sorted(Kind, key=lambda kind: kind is not Kind.OBSERVATION))}."
        ),
        takes={"content": TEXT, "type": TEXT, "importance": NUMBER, "tags": TEXTS},
        needs=("content",),
        gives=TEXTS_BY_NAME,
    ),
    Definition(
        name="retrieve_specific_memories",
        description="Search your memories. by: meaning, keyword, or both (default).",
        takes={"query": TEXT, "by": TEXT, "max_tokens": WHOLE},
        needs=("query",),
        gives=object_of(memories={"type": "array", "items": TEXTS_BY_NAME}),
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="remove_from_memory",
        description="Delete a memory for good; no undo.",
        takes={"id": TEXT},
        needs=("id",),
        gives=NUMBERS_BY_NAME,
        destroys=True,
        idempotent=True,
    ),
    Definition(
        name="add_to_soul",
        description="Add a core belief, value, fear or conviction to who you are. It never fades.",
        takes={"text": TEXT},
        needs=("text",),
        gives=TEXTS_BY_NAME,
    ),
    Definition(
        name="remove_from_soul",
        description="entry: its id or exact text.",
        takes={"entry": TEXT},
        needs=("entry",),
        gives=TEXTS_BY_NAME,
        destroys=True,
        idempotent=True,
    ),
    Definition(
        name="write_diary",
        description="Add to a day's page. details: anything structured. date: YYYY-MM-DD, default today.",
        takes={"text": TEXT, "mood": TEXT, "location": TEXT, "details": OBJECT, "date": TEXT},
        needs=("text",),
        gives=TEXTS_BY_NAME,
    ),
    Definition(
        name="search_diary_for_keywords",
        description="Pages with all these words, newest first. since, until: dates.",
        takes={"keywords": TEXT, "since": TEXT, "until": TEXT, "max_tokens": WHOLE},
        needs=("keywords",),
        gives=object_of(pages={"type": "array"}),
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="show_diary_entries_from_day",
        description="date: default today.",
        takes={"date": TEXT, "max_tokens": WHOLE},
        gives=object_of(notes={"type": "array", "items": TEXTS_BY_NAME}),
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="assign_relationship",
        description=(
            f"How you see somebody from now on, and why; other alone reads it. type: {' '.join(RELATIONSHIP_TYPES)},"
            " or your own. trust: -1 to 1."
        ),
        takes={
            "other": TEXT,
            "type": TEXT,
            "trust": NUMBER,
            "tone": TEXT,
            "rationale": TEXT,
            "notes": TEXT,
        },
        needs=("other",),
        gives=object_of(trust={"type": "number"}, interaction_count={"type": "integer"}),
    ),
    Definition(
        name="self_care",
        description="At home: put old memories under summaries. Nothing is lost.",
        gives=object_of(summarized={"type": "integer"}),
    ),
    Definition(
        name="neural_link_request_memory",
        description="Ask an agent for its whole memory; it has 2 minutes.",
        takes={"agent": TEXT, "message": TEXT},
        needs=("agent",),
        gives=TEXTS_BY_NAME,
    ),
    Definition(
        name="neural_link_share_memory",
        description=f"Answer who asks: share a copy of your memory, or decline. include: {' '.join(Include)}.",
        takes={"agent": TEXT, "decline": SWITCH, "include": TEXTS},
        needs=("agent",),
        gives=object_of(copied=NUMBERS_BY_NAME),
    ),
)
"""Toolset ``society``: what agents need that live among others."""
