"""import_from: bring in what other programs wrote down, as far as it can be read, each thing once.

Documents are read one after the other and stored as they are read, so memory holds one conversation, or a few hundred
messages, at a time. A kill leaves what was stored; the same import again knows it by its ids and goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.domain.ids import checked_name
from reverie.domain.import_report import ImportKind, ImportReport
from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput
from reverie.services.exchange.foreign.documents import UNKNOWN, Document, Source, documents, size_of
from reverie.services.exchange.foreign.items import Note, Skip, Talk, broken
from reverie.services.exchange.foreign.kinds import checked_kind, detected, reader
from reverie.services.exchange.foreign.storing import Target, owner
from reverie.services.exchange.foreign.tally import Tally
from reverie.services.runtime import Desk, Progress, name_of

_AT_ONCE = 200
_KNOWN = ", ".join(one for one in ImportKind if one is not ImportKind.REVERIE)


def import_from(
    desk: Desk,
    agent_id: str,
    source: Source,
    *,
    kind: ImportKind | str | None = None,
    speaker: str | None = None,
    name: str | None = None,
    untrusted: bool = False,
    dry_run: bool = False,
    actor: str,
    progress: Progress | None = None,
) -> ImportReport:
    """Read a source and store what is new. ``name``: of a chat that has none of its own, instead of its file's.
    ``progress`` counts the bytes that were read of those that there are, as far as that can be told.

    Raises InvalidInput where the source can't be read at all, or nothing in it is of a known kind.
    """
    checked_name(agent_id, "agent")
    for field, given in (("speaker", speaker), ("name", name)):
        if given is not None:
            name_of(desk.settings, given, field)
    tally = Tally(settings=desk.settings)
    target = Target(
        desk=desk, agent_id=agent_id, actor=actor, tally=tally, seen=set(),
        speaker=speaker if speaker is not None else owner(desk, agent_id),
        untrusted=checked_switch(untrusted, "untrusted"), dry_run=checked_switch(dry_run, "dry_run"),
    )  # fmt: skip
    reading = _Reading(
        target=target,
        forced=checked_kind(kind),
        name=name,
        tally=tally,
        progress=progress,
        total=size_of(source),
    )
    for one in documents(source):
        if isinstance(one, Skip):
            tally.skip(one)
        else:
            reading.take(one)
    if not tally.kinds:
        raise reading.nothing()
    return tally.report(agent_id, dry_run=dry_run)


@dataclass(kw_only=True)
class _Reading:
    """Reads documents, each by its kind."""

    target: Target
    forced: ImportKind | None
    name: str | None
    tally: Tally
    progress: Progress | None
    total: int
    documents: int = 0
    done: int = 0

    def take(self, document: Document) -> None:
        """Read one. What is wrong with one of several is reported; alone it is raised."""
        self.documents += 1
        try:
            kind, document = (self.forced, document) if self.forced is not None else detected(document)
            if kind is ImportKind.REVERIE:
                raise InvalidInput("source", "it is an export of Reverie", "import it by itself: import_bank")
            if kind is None:
                self.tally.skip(Skip(reason=UNKNOWN))
                return
            self.tally.kinds.add(kind)
            self._store(document, kind)
        except InvalidInput as error:
            if document.alone:
                raise
            self.tally.skip(broken(document.name, error.problem))
        finally:
            self.done += document.size
            self._tell(0)

    def _tell(self, more: int) -> None:
        if self.progress is not None and self.total:
            self.progress(min(self.done + more, self.total), self.total)

    def _store(self, document: Document, kind: ImportKind) -> None:
        name = "" if document.alone else document.name
        named = document if self.name is None else replace(document, name=self.name)
        notes: list[Note] = []
        for item in reader(kind)(named):
            self._tell(document.position)
            if isinstance(item, Talk):
                self.target.talk(item)
            elif isinstance(item, Skip):
                self.tally.skip(item, name)
            else:
                notes.append(item)
                if len(notes) == _AT_ONCE:
                    self.target.notes(notes, kind)
                    notes = []
        if notes:
            self.target.notes(notes, kind)

    def nothing(self) -> InvalidInput:
        """Return the error for a source that holds nothing to read."""
        if self.tally.problems:
            more = f"; and {self.tally.unreadable - 1:,} more" if self.tally.unreadable > 1 else ""
            return InvalidInput("source", f"{self.tally.problems[0]}{more}", "nothing else could be read")
        if self.documents:
            return InvalidInput("source", "its kind can't be told", f"name the kind, one of {_KNOWN}")
        return InvalidInput("source", "it holds no file of a known kind", "give the export itself")
