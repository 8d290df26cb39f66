"""Transcripts of coding agents, told by what stands in them, as rooms of messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from reverie.client import transcripts
from reverie.doors.formats import jsonl
from reverie.doors.formats.bounded import lines_of
from reverie.doors.formats.room import Room

_MOST_LOOKED_AT = 50


def rooms(
    transcript: transcripts.Transcript, lines: Iterable[jsonl.NumberedLine], conversation: str | None
) -> Sequence[Room]:
    """Return what the lines say, a room for each message. ``conversation``: where all of it belongs; None: to the
    session's own. Raises InvalidInput naming the line.
    """
    return [
        Room(
            conversation=conversation or one.conversation,
            channel=transcripts.CHANNEL,
            messages=(one.message,),
        )
        for place, value in jsonl.values(lines)
        for one in transcript.said(place, value)
        if isinstance(one, transcripts.Said)
    ]


def host_of(path: Path) -> str | None:
    """Return whose transcript a file is, by its first lines; None where it is no coding agent's. Raises OSError,
    InvalidInput.
    """
    with path.open("rb") as file:
        for _, line in zip(range(_MOST_LOOKED_AT), lines_of(file), strict=False):
            try:
                value = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                continue
            host = next((host for host, reader in transcripts.READERS.items() if reader.is_mine(value)), None)
            if host is not None:
                return host
    return None
