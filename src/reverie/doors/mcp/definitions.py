"""The tools as hosts are told of them. Every word here costs each host a part of its context: a test bounds the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_types import Tool, ToolAnnotations

from reverie.domain.kinds import Kind, Priority
from reverie.doors.mcp.parameters import GLOBS, SHARE, SWITCH, TEXT, TEXTS, WHOLE, Parameter, Schema

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
TEXTS_BY_NAME: Schema = {"type": "object", "additionalProperties": _TEXT}
OBJECT: Schema = {"type": "object"}
NUMBERS_BY_NAME: Schema = {"type": "object", "additionalProperties": _WHOLE}


def object_of(**properties: Schema) -> Schema:
    """Return the schema of an object that has, among others, these."""
    return {"type": "object", "properties": properties}


@dataclass(frozen=True, kw_only=True, slots=True)
class Definition:
    """A tool: what it takes, what it gives back, and what it may do to the bank."""

    name: str
    description: str
    takes: Mapping[str, Parameter] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    gives: Schema
    reads_only: bool = False
    destroys: bool = False
    idempotent: bool = False

    @property
    def tool(self) -> Tool:
        """As the protocol tells it."""
        schema: dict[str, object] = {"type": "object"}
        if self.takes:
            schema["properties"] = {name: dict(one.schema) for name, one in self.takes.items()}
        if self.needs:
            schema["required"] = list(self.needs)
        return Tool(
            name=self.name,
            description=self.description,
            input_schema=schema,
            output_schema=dict(self.gives),
            annotations=ToolAnnotations(
                read_only_hint=self.reads_only,
                destructive_hint=self.destroys,
                idempotent_hint=self.idempotent,
            ),
        )


_KINDS = sorted(Kind, key=lambda kind: kind is not Kind.FACT)
SUPERSEDES, CORRECTS = "supersedes", "corrects"
EPISODE = "episode"

CORE = (
    Definition(
        name="memory_learn",
        description='Keep one lasting insight: "Anna indents Go with tabs". What changed: memory_update.',
        takes={
            "content": TEXT,
            "type": TEXT.one_of(_KINDS),
            "scope": GLOBS.told("src/**"),
            "priority": TEXT.one_of(Priority),
            "lesson": TEXT.told("what to do next time"),
            "emotions": TEXTS,
            "importance": SHARE,
            "until": TEXT,
        },
        needs=("content",),
        gives=OBJECT,
    ),
    Definition(
        name="memory_recall",
        description="Ask memory before you guess. Hits say if they are current.",
        takes={
            "query": TEXT,
            "type": TEXT.told("as learned, or episode"),
            "scope": TEXT.told("a file"),
            "also_past": SWITCH,
            "max_tokens": WHOLE,
        },
        needs=("query",),
        gives=object_of(memories={"type": "array"}),
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="memory_update",
        description="Reword a memory. supersedes: it was true till now. corrects: it never was.",
        takes={
            "id": TEXT,
            "how": TEXT.one_of((SUPERSEDES, CORRECTS)),
            "content": TEXT.told("whole new wording"),
        },
        needs=("id", "how", "content"),
        gives=OBJECT,
    ),
    Definition(
        name="memory_episode",
        description="Record what happened and how it ended.",
        takes={"event": TEXT, "outcome": TEXT, "tags": TEXTS},
        needs=("event",),
        gives=OBJECT,
    ),
    Definition(
        name="memory_procedure",
        description="Keep a procedure's steps, or how following it went. The name alone reads it.",
        takes={
            "name": TEXT,
            "steps": TEXTS,
            "outcome": TEXT.one_of(("success", "failure")),
            "lesson": TEXT,
        },
        needs=("name",),
        gives=object_of(steps={"type": "array"}),
    ),
    Definition(
        name="memory_context",
        description="What to know before a task.",
        takes={"task": TEXT, "max_tokens": WHOLE, "path": TEXT},
        needs=("task",),
        gives=OBJECT,
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="memory_forget",
        description="Delete a memory or episode for good.",
        takes={"id": TEXT},
        needs=("id",),
        gives=OBJECT,
        destroys=True,
        idempotent=True,
    ),
)
"""Toolset ``core``: what any agent needs."""
