"""Transcripts of coding agents: JSON Lines of Claude Code in ``~/.claude/projects``, and of Codex in
``~/.codex/sessions``. Hooks and ``reverie watch`` read the lines in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.import_report import ImportKind
from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run
from reverie.services.exchange.transcripts import CHANNEL, READERS, LeftOut, Transcript


class Transcripts:
    """The reader of one host's transcripts."""

    def __init__(self, kind: ImportKind) -> None:
        self._host = str(kind)

    def is_mine(self, value: object) -> bool:
        """Return whether a value is a line of a transcript."""
        return bool(READERS[self._host].is_mine(value))

    def read(self, document: Document) -> Iterator[Item]:
        """Yield what the person, the model and the tools said, each session a conversation."""
        run = Run(CHANNEL)
        transcript = Transcript(self._host, run.unnamed(document.name))
        for one in document.values():
            if isinstance(one, Skip):
                yield one
                continue
            place, value = one
            for said in transcript.said(place, value):
                if isinstance(said, LeftOut):
                    yield _skip(place, said)
                else:
                    yield from run.add(said.conversation, said.message)
        yield from run.rest()


def _skip(place: str, left_out: LeftOut) -> Skip:
    if not left_out.problem:
        return Skip(reason=left_out.reason)
    return broken(f"{place}, {left_out.field}" if left_out.field else place, left_out.problem)
