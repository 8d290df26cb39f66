"""The lines that a transcript has grown by."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from reverie.client import transcripts

_AT_ONCE = 4 << 20
_MOST_LINE = 64 << 20
"""A longer line is passed over."""


def size_of(path: str | None) -> int | None:
    """Return the length of a transcript; None where there is no such file, or what is there is no regular file."""
    if not path:
        return None
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def grown(
    path: str, offset: int, transcript: transcripts.Transcript
) -> Iterator[tuple[list[transcripts.Said], int]]:
    """Yield what is said behind an offset, some at a time, each with the offset up to which it was read. A line without
    its end is left; a file that is shorter was replaced, and is read from its beginning. Raises OSError.
    """
    with Path(path).open("rb") as file:
        if offset > os.fstat(file.fileno()).st_size:
            offset = 0
        file.seek(offset)
        before = b""
        while part := file.read(_AT_ONCE):
            lines, end, rest = (before + part).rpartition(b"\n")
            if not end:
                before = rest if len(rest) <= _MOST_LINE else b""
                continue
            offset = file.tell() - len(rest)
            before = rest
            yield [*_said(lines, transcript)], offset


def _said(lines: bytes, transcript: transcripts.Transcript) -> Iterator[transcripts.Said]:
    for line in lines.split(b"\n"):
        with suppress(ValueError, RecursionError):
            value = json.loads(line.decode("utf-8", "replace"))
            yield from (one for one in transcript.said("line", value) if isinstance(one, transcripts.Said))
