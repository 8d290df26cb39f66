"""Bring in what other programs wrote down: chats, transcripts, and what other memories hold.

A reader a format (``chatgpt``, ``codex``, …) yields talks and notes (``items``) and nothing else; ``storing`` stores
them. docs/importing.md tells what each format proves, and what is lost.
"""

from __future__ import annotations

from reverie.services.exchange.foreign.bringing import import_from
from reverie.services.exchange.foreign.documents import Source
from reverie.services.exchange.foreign.kinds import kind_of

__all__ = ["Source", "import_from", "kind_of"]
