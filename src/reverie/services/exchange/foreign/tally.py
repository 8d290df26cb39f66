"""Counts of one import, and the report that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.domain.import_report import ImportKind, ImportReport
from reverie.domain.imported import Counted
from reverie.domain.settings import Settings
from reverie.domain.text import normalized
from reverie.services.exchange.foreign.items import Skip
from reverie.services.runtime import clean

_MOST_PROBLEMS = 20


@dataclass(kw_only=True, slots=True)
class Tally:
    """What has become of a source so far."""

    settings: Settings
    kinds: set[ImportKind] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)
    messages: Counter[str] = field(default_factory=Counter)
    memories: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    unreadable: int = 0
    queued: int = 0
    captured: int = 0
    redacted: Counter[str] = field(default_factory=Counter)

    def skip(self, one: Skip, document: str = "") -> None:
        """Count what was left out; ``document`` is named where the source holds several. The names of files and ids may
        hold secrets.
        """
        if not one.is_broken:
            self.skipped[one.reason] += one.count
            return
        self.unreadable += one.count
        if len(self.problems) < _MOST_PROBLEMS:
            place = f"{document}, {one.place}" if document else one.place
            self.problems.append(clean(self.settings, normalized(place)).text)

    def report(self, agent_id: str, *, dry_run: bool) -> ImportReport:
        """Return it as a report."""
        return ImportReport(
            agent_id=agent_id, kinds=tuple(sorted(self.kinds)), conversations=len(self.conversations),
            messages=Counted(**self.messages), memories=Counted(**self.memories), skipped=_sorted(self.skipped),
            problems=tuple(self.problems), unreadable=self.unreadable, queued=self.queued, captured=self.captured,
            redacted=_sorted(self.redacted), dry_run=dry_run,
        )  # fmt: skip


def _sorted(counts: Counter[str]) -> Mapping[str, int]:
    return dict(sorted(counts.items()))
