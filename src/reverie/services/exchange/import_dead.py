"""What of a file was forgotten in the bank that it is imported into, and must not come back by it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.diary import DiaryNote
from reverie.domain.episode import Episode
from reverie.domain.memory import NEAR, RELATIONS
from reverie.domain.relationship import View
from reverie.domain.sleep import SleepRecord
from reverie.memory.forgetting import tombstone
from reverie.memory.society import told_by
from reverie.ports.store import Unit
from reverie.services.codecs import KeptMemory
from reverie.services.exchange.bank_file import Contents
from reverie.services.forget import mark_of
from reverie.services.runtime import message_digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Dead:
    """The file's texts and messages that the bank's tombstones know."""

    secret: bytes = b""
    trusted: bool = True
    digests: frozenset[bytes] = frozenset()
    anything: bool = False

    @classmethod
    def of(cls, unit: Unit, contents: Contents) -> Dead:
        """Looks all texts of the file up."""
        secret = unit.agents.secret()
        if not secret or not unit.transfer.count("tombstones"):
            return cls()
        digests = {tombstone(secret, text) for text in set(_texts(contents))}
        digests |= {_digest(secret, one.episode) for one in contents.episodes}
        return cls(
            secret=secret, trusted=contents.trusted, digests=unit.tombstones.known(digests), anything=True
        )

    def text(self, text: str | None) -> bool:
        """Whether the text was forgotten."""
        return bool(self.digests) and text is not None and tombstone(self.secret, text) in self.digests

    def message(self, said: Episode) -> bool:
        """Whether the message was; of an untrusted file, whose conversations are others, whether its words were."""
        if not self.trusted:
            return self.text(said.content)
        return bool(self.digests) and _digest(self.secret, said) in self.digests

    def without(self, kept: KeptMemory) -> KeptMemory:
        """The memory without a lesson and past wordings that were."""
        if not self.digests:
            return kept
        lesson = None if self.text(kept.memory.lesson) else kept.memory.lesson
        versions = tuple(
            replace(one, version=replace(one.version, lesson=None)) if self.text(one.version.lesson) else one
            for one in kept.versions
            if not self.text(one.version.essence)
        )
        return replace(kept, memory=replace(kept.memory, lesson=lesson), versions=versions)

    def note(self, date: str, note: DiaryNote) -> bool:
        """Whether a diary's note was forgotten, or anything in it."""
        return bool(self.digests) and any(map(self.text, told_by(date, note.body)))

    def view(self, view: View) -> bool:
        """Whether a view of somebody was, or its words."""
        return any(map(self.text, (mark_of(view), view.rationale, view.notes)))

    def sleep(self, record: SleepRecord) -> SleepRecord:
        """The record as a forget leaves it: what was rejected may say it in other words."""
        if not self.anything:
            return record
        return replace(record, rejected=tuple(replace(one, text=None) for one in record.rejected), notes=())

    def entry(self, entry: AuditEntry, gone: Collection[str]) -> AuditEntry:
        """The audit entry, scrubbed where it tells of what was forgotten."""
        if entry.target in gone or any(self.text(text) for text in _told(entry)):
            return replace(entry, before=None, after=None, reason=None)
        if not self.anything or entry.job is None:
            return entry
        after = entry.after
        if entry.action is Action.CONNECT and after is not None:
            after = {**after, "relation": self.relation(str(after.get("relation")))}
        return replace(entry, after=after, reason=None)  # a mind gave it, in whatever words

    def relation(self, relation: str) -> str:
        """The name of an edge, as a forget leaves it: none that a mind gave."""
        return NEAR if self.anything and relation not in RELATIONS else relation


def _digest(secret: bytes, said: Episode) -> bytes:
    return message_digest(secret, said.conversation, said.ref, said.time, said.content)


def _texts(contents: Contents) -> Iterator[str]:
    for one in contents.memories:
        said = [(one.memory.essence, one.memory.lesson)]
        said += [(past.version.essence, past.version.lesson) for past in one.versions]
        yield from (text for pair in said for text in pair if text is not None)
    yield from (one.text for one in contents.soul)
    yield from (
        text for page in contents.diary for note in page.notes for text in told_by(page.date, note.body)
    )
    for view in contents.relationships:
        yield from (mark_of(view), *(text for text in (view.rationale, view.notes) if text is not None))
    if not contents.trusted:
        yield from (one.episode.content for one in contents.episodes)
    for entry in contents.audit:
        yield from _told(entry)


def _told(entry: AuditEntry) -> Iterator[str]:
    """The texts that an entry's before and after hold."""
    for payload in (entry.before, entry.after):
        for value in (payload or {}).values():
            if isinstance(value, str):
                yield value
    if (
        entry.action is Action.DIARY
        and entry.after is not None
        and isinstance(entry.after.get("body"), Mapping)
    ):
        yield from told_by(entry.target, entry.after["body"])  # type: ignore[arg-type]  # as just looked at
