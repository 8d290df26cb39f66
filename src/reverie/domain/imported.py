"""Imported: what became of the lines of a file that was imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class OnConflict(StrEnum):
    """Which of two stays that have one id and differ, the bank's or the file's."""

    REFUSE = "refuse"
    """Neither: the import is refused, and nothing is changed."""
    SKIP = "skip"
    """The bank's."""
    REPLACE = "replace"
    """The file's."""
    NEWER = "newer"
    """Of memories the one that was updated last, else the bank's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """Of the lines of one type how many were ``added``; were there already, equal (``known``); took the place of the
    bank's (``replaced``); gave way to the bank's (``kept``); were forgotten here on purpose and so passed over
    (``forgotten``); and were left out for another reason (``left_out``: an edge without both its ends, what an
    untrusted file may not bring).
    """

    added: int = 0
    known: int = 0
    replaced: int = 0
    kept: int = 0
    forgotten: int = 0
    left_out: int = 0

    @property
    def total(self) -> int:
        """All lines of the type."""
        return self.added + self.known + self.replaced + self.kept + self.forgotten + self.left_out


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """One import, all of it or nothing.

    ``source`` is the agent whose bank the file holds; ``new`` whether ``agent_id`` had never written before;
    ``counts`` are by the lines' type; ``embedded`` is how many texts had to be embedded, for the file had no vectors of
    the bank's embedder; ``redacted`` counts what was taken out of the file's texts, by type, and how many names held a
    secret and got another name (``name``). With ``dry_run`` nothing was changed: this is what would be.
    """

    agent_id: str
    source: str
    new: bool
    counts: Mapping[str, Counted] = field(default_factory=dict)
    embedded: int = 0
    dry_run: bool = False
    redacted: Mapping[str, int] = field(default_factory=dict)

    @property
    def changed(self) -> int:
        """How many lines were added, or took the place of the bank's."""
        return sum(one.added + one.replaced for one in self.counts.values())
