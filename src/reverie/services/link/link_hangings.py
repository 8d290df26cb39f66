"""What hangs on copied memories goes over with them: history, sources, steps and outcomes, achievements, summaries,
edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from reverie.domain.link import NeuralLink
from reverie.ports.store import Unit
from reverie.ports.transfer import RawRow, Value
from reverie.services.link.link_known import Dead

_PAGE = 1_000


def copy_hangings(
    source: Unit, target: Unit, link: NeuralLink, rev: int, new: Sequence[str], memories: Mapping[str, str],
    episodes: Mapping[str, str], rooms: Mapping[str, str], dead: Dead,
    is_clean: Callable[[object], bool],
) -> Counter[str]:  # fmt: skip
    """For the source's memories ``new``; what each of its memories, episodes and conversations is in the target."""
    job = _Hanging(source, target, link, rev, memories, episodes, dead, is_clean)
    counts: Counter[str] = Counter()
    fresh = set(new)
    for start in range(0, len(new), _PAGE):
        page = new[start : start + _PAGE]
        counts["versions"] += job.versions(page)
        job.sources(page)
        counts["procedures"] += job.procedures(page)
        job.plain("achievements", page)
        counts["summaries"] += job.summaries(page, rooms)
    everything = [*memories]
    for start in range(0, len(everything), _PAGE):
        counts["connections"] += job.connections(everything[start : start + _PAGE], fresh)
    return counts


class _Hanging:
    def __init__(
        self, source: Unit, target: Unit, link: NeuralLink, rev: int, memories: Mapping[str, str],
        episodes: Mapping[str, str], dead: Dead, is_clean: Callable[[object], bool],
    ) -> None:  # fmt: skip
        self._source, self._target, self._link, self._rev = source, target, link, rev
        self._memories, self._episodes, self._dead = memories, episodes, dead
        self._is_clean = is_clean

    def versions(self, page: Sequence[str]) -> int:
        """Replaced wordings, without those that were forgotten here."""
        at = self._places("memory_versions")
        rows = self._of("memory_versions", page)
        texts = {
            str(row[at[name]]) for row in rows for name in ("essence", "lesson") if row[at[name]] is not None
        }
        gone = self._dead.texts(texts)
        made = [
            _with(
                row, at, memory_id=self._memories[str(row[at["memory_id"]])], rev=self._rev,
                lesson=None if row[at["lesson"]] in gone else row[at["lesson"]],
            )
            for row in rows
            if row[at["essence"]] not in gone
        ]  # fmt: skip
        self._target.transfer.add("memory_versions", made)
        return len(made)

    def sources(self, page: Sequence[str]) -> None:
        """The messages on which they rest, as far as they are here."""
        made = {
            (self._memories[str(memory)], self._episodes[str(episode)])
            for memory, episode in self._of("memory_sources", page)
            if episode in self._episodes
        }
        self._target.transfer.add("memory_sources", sorted(made))

    def procedures(self, page: Sequence[str]) -> int:
        """Steps with their outcomes. One whose name is taken here is told apart by the other's name."""
        at = self._places("procedures")
        rows = self._of("procedures", page)
        for row in rows:
            name = self._free(str(row[at["name"]]))
            made = _with(
                row, at, memory_id=self._memories[str(row[at["memory_id"]])], name=name, key=name.casefold()
            )
            self._target.transfer.add("procedures", [made])
        self.plain("procedure_runs", [str(row[at["memory_id"]]) for row in rows])
        return len(rows)

    def plain(self, table: str, page: Sequence[str]) -> None:
        """Rows that know nothing but their memory."""
        at = self._places(table)
        made = [
            _with(row, at, memory_id=self._memories[str(row[at["memory_id"]])])
            for row in self._of(table, page)
        ]
        self._target.transfer.add(table, made)

    def summaries(self, page: Sequence[str], rooms: Mapping[str, str]) -> int:
        """What each stands for. Of a conversation of which nothing was copied it closes nothing here."""
        at = self._places("summaries")
        made = []
        for row in self._of("summaries", page):
            room = (
                rooms.get(str(row[at["conversation_id"]])) if row[at["conversation_id"]] is not None else None
            )
            changes: dict[str, Value] = {
                "memory_id": self._memories[str(row[at["memory_id"]])],
                "conversation_id": room,
            }
            if room is None:
                changes |= {"first_position": None, "last_position": None}
            made.append(_with(row, at, **changes))
        self._target.transfer.add("summaries", made)
        return len(made)

    def connections(self, page: Sequence[str], fresh: Collection[str]) -> int:
        """Edges between two that are here now, at least one of which was copied just now."""
        at = self._places("connections")
        names = set()
        made = []
        for row in self._source.transfer.among("connections", "source", page):
            one, other = str(row[at["source"]]), str(row[at["target"]])
            if other not in self._memories or (one not in fresh and other not in fresh):
                continue
            ends = self._memories[one], self._memories[other]
            if ends[0] != ends[1]:
                made.append(_with(row, at, source=ends[0], target=ends[1]))
                names.add(str(row[at["relation"]]))
        gone = self._dead.texts(names)
        gone |= {name for name in names if not self._is_clean(name)}
        made = [row for row in made if row[at["relation"]] not in gone]
        self._target.transfer.add_new("connections", made)
        return len(made)

    def _free(self, name: str) -> str:
        return next(
            one for one in _names(name, self._link.other) if self._target.procedures.named(one) is None
        )

    def _of(self, table: str, page: Sequence[str]) -> Sequence[RawRow]:
        return self._source.transfer.among(table, "memory_id", page)

    def _places(self, table: str) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self._source.transfer.columns(table))}


def _names(name: str, other: str) -> Iterator[str]:
    yield name
    yield f"{name} ({other})"
    number = 2
    while True:
        yield f"{name} ({other} {number})"
        number += 1


def _with(row: RawRow, at: Mapping[str, int], **values: Value) -> RawRow:
    new = list(row)
    for name, value in values.items():
        new[at[name]] = value
    return tuple(new)
