"""ImportReport: what became of conversations and memories that another program had written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.domain.imported import Counted


class ImportKind(StrEnum):
    """Formats that ``import_from`` reads; docs/importing.md tells what each proves and loses."""

    REVERIE = "reverie"
    """An export of Reverie itself, for ``import_bank``."""
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    WHATSAPP = "whatsapp"
    MEM0 = "mem0"
    LETTA = "letta"
    MCP_MEMORY = "mcp-memory"
    ZEP = "zep"
    LANGGRAPH = "langgraph"
    MARKDOWN = "markdown"
    JSONL = "jsonl"
    CHAT_TEXT = "chat-text"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """One ``import_from``. ``kinds`` are the formats that were found, ``conversations`` how many of them had messages.

    ``messages`` and ``memories`` count what the source holds: ``added``, ``known`` already (by the source's own id, or
    since a memory says the same), ``forgotten`` here on purpose, and ``left_out`` for what can't be stored. ``skipped``
    counts by reason what was left out of the source on purpose ("thinking", "media", "on another branch");
    ``unknown_files`` names the first 5 files of no known kind. ``problems`` are the first 20 places that could not be
    read, each with why; ``unreadable`` counts all. ``queued``: messages and notes that wait for the embedder; the same
    import again finishes them. ``captured``: how many memories were made of messages at once. ``redacted`` counts what
    was taken out of texts, by type. With ``dry_run`` nothing was changed: this is what would be, but for what was
    forgotten, which isn't looked up.
    """

    agent_id: str
    kinds: tuple[ImportKind, ...] = ()
    conversations: int = 0
    messages: Counted = field(default_factory=Counted)
    memories: Counted = field(default_factory=Counted)
    skipped: Mapping[str, int] = field(default_factory=dict)
    unknown_files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    unreadable: int = 0
    queued: int = 0
    captured: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    dry_run: bool = False
