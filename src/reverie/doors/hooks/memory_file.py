"""What the daemon must know after a restart, in one small JSON file: how far transcripts are read, and the projects."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

MOST_SESSIONS = 2_000
PAYLOADS = -1
"""Instead of an offset: the session has no transcript, and its events are what is known of it."""


@dataclass(kw_only=True)
class MemoryFile:
    """``offsets``: by conversation, how much of its transcript is read; ``roots``: the projects' folders by their
    keys.
    """

    offsets: dict[str, int] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> MemoryFile:
        """Return what stands there; of a file that isn't there, or is broken, nothing: transcripts are read again then,
        and their refs are known.
        """
        try:
            given = json.loads(path.read_text("utf-8"))
            offsets = {str(name): int(at) for name, at in given["offsets"].items()}
            roots = {str(key): str(root) for key, root in given["roots"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return cls()
        return cls(offsets=offsets, roots=roots)

    def write(self, path: Path) -> None:
        """Replace the file. Raises OSError."""
        for old in [*self.offsets][:-MOST_SESSIONS]:
            del self.offsets[old]
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
            ) as file:
                json.dump(asdict(self), file)
            draft.replace(path)
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()
