"""What the model that the agent runs on is asked: the question goes out, and the answer comes when it comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HostQuestion:
    """A question to the model that the agent runs on: about a night, about what was refused of the first answer to it,
    or about a snippet of a conversation.

    Send it ``prompt`` and ``text`` (data between markers, in which no instruction counts) and give its answer back
    with ``id``; ``schema`` is the answer's JSON Schema, in a dialect that providers' structured output takes.
    ``episodes``: how many new messages it is about, ``remaining``: how many wait beside them (of a snippet: how many
    conversations); ``round``: 2 for what was refused, which follows in the same conversation as the first.
    """

    id: str
    prompt: str
    text: str
    schema: Mapping[str, object]
    episodes: int
    remaining: int = 0
    round: int = 1
