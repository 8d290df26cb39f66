"""Copy what hangs on copied memories: history, sources, steps and outcomes, achievements, dues, summaries, edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from reverie.ports.store import Unit
from reverie.services.link.known import Dead
from reverie.services.link.rows import Named, add_rows, pages, rows_among, texts_in


@dataclass(frozen=True, kw_only=True, slots=True)
class Attached:
    """What hangs on the memories that one link copies from ``source`` to ``target``.

    ``memories``, ``episodes`` and ``rooms`` say what each of the source's is in the target.
    """

    source: Unit
    target: Unit
    other: str
    rev: int
    memories: Mapping[str, str]
    episodes: Mapping[str, str]
    rooms: Mapping[str, str]
    dead: Dead
    is_clean: Callable[[object], bool]

    def copy(self, new: Sequence[str]) -> Counter[str]:
        """Copy it for the source's memories that are ``new`` in the target, and count it by table."""
        counts, fresh = Counter[str](), frozenset(new)
        for page in pages(new):
            counts["versions"] += self._versions(page)
            self._sources(page)
            counts["procedures"] += self._procedures(page)
            self._plain("procedure_runs", page)
            self._plain("achievements", page)
            self._plain("dues", page)
            counts["summaries"] += self._summaries(page)
        for page in pages([*self.memories]):
            counts["connections"] += self._connections(page, fresh)
        return counts

    def _of(self, table: str, page: Sequence[str]) -> list[Named]:
        """Return the rows of these memories, under the target's ids."""
        rows = rows_among(self.source, table, "memory_id", page)
        return [row | {"memory_id": self.memories[str(row["memory_id"])]} for row in rows]

    def _plain(self, table: str, page: Sequence[str]) -> None:
        add_rows(self.target, table, self._of(table, page))

    def _versions(self, page: Sequence[str]) -> int:
        """Copy replaced wordings, without those that were forgotten here."""
        rows = self._of("memory_versions", page)
        gone = self.dead.texts(texts_in(rows, "essence", "lesson"))
        made = [
            row | {"rev": self.rev, "lesson": None if row["lesson"] in gone else row["lesson"]}
            for row in rows
            if row["essence"] not in gone
        ]
        add_rows(self.target, "memory_versions", made)
        return len(made)

    def _sources(self, page: Sequence[str]) -> None:
        """Copy which messages the memories rest on, as far as these are here."""
        rows = self._of("memory_sources", page)
        ends = {
            (str(row["memory_id"]), self.episodes[str(row["episode_id"])])
            for row in rows
            if row["episode_id"] in self.episodes
        }
        self.target.transfer.add("memory_sources", sorted(ends))

    def _procedures(self, page: Sequence[str]) -> int:
        """Copy steps. A procedure whose name is taken here is told apart by the other's name."""
        rows = self._of("procedures", page)
        for row in rows:
            names = _names(str(row["name"]), self.other)
            free = next(one for one in names if self.target.procedures.named(one) is None)
            add_rows(self.target, "procedures", [row | {"name": free, "key": free.casefold()}])
        return len(rows)

    def _summaries(self, page: Sequence[str]) -> int:
        """Copy what each stands for. Where nothing of its conversation was copied, it closes nothing here."""
        made = []
        for row in self._of("summaries", page):
            said_in = row["conversation_id"]
            room = None if said_in is None else self.rooms.get(str(said_in))
            open_ended: Named = {} if room is not None else {"first_position": None, "last_position": None}
            made.append(row | {"conversation_id": room} | open_ended)
        add_rows(self.target, "summaries", made)
        return len(made)

    def _connections(self, page: Sequence[str], fresh: Collection[str]) -> int:
        """Copy edges between two memories that are here now, at least one of which was copied just now."""
        rows = [
            row | {"source": self.memories[str(row["source"])], "target": self.memories[str(row["target"])]}
            for row in rows_among(self.source, "connections", "source", page)
            if row["target"] in self.memories and (row["source"] in fresh or row["target"] in fresh)
        ]
        names = texts_in(rows, "relation")
        gone = self.dead.texts(names) | {name for name in names if not self.is_clean(name)}
        made = [row for row in rows if row["source"] != row["target"] and row["relation"] not in gone]
        add_rows(self.target, "connections", made, over=True)
        return len(made)


def _names(name: str, other: str) -> Iterator[str]:
    yield name
    yield f"{name} ({other})"
    yield from (f"{name} ({other} {number})" for number in count(2))
