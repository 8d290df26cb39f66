"""The copy that a neural link makes: one agent's rows as they are into another's bank, under new ids.

Everything happens in one transaction over both banks, a page of rows at a time; nothing of the source changes. Rows go
over raw, vectors and all: nothing is embedded or rewritten, and what holds a secret stays behind. What the receiver has
already maps to its own (``link_known``), what it forgot on purpose stays out. ``docs/why/neural-link.md`` says what
becomes of each column.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.ids import MAX_NAME
from reverie.domain.link import LINK_CHANNEL, LinkItem, LinkTerms, NeuralLink
from reverie.domain.memory import Origin, State
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.errors import LinkRefused
from reverie.ports.store import Unit
from reverie.ports.transfer import RawRow, Value
from reverie.services.link.brought import Brought
from reverie.services.link.link_extras import Extras, Vectors, embedded_texts, extras_of
from reverie.services.link.link_hangings import copy_hangings
from reverie.services.link.link_known import Dead, Known, Met, duplicates, item, said_already, told_already
from reverie.services.link.link_narrow import wanted
from reverie.services.loop import JOB as LOOP
from reverie.services.runtime import Desk

__all__ = ["copied", "embedded_texts"]

_PAGE = 4_000  # rows: one server adds to each word of a page once, whatever its length
_CUT = 16


def copied(
    desk: Desk,
    source: Unit,
    target: Unit,
    link: NeuralLink,
    terms: LinkTerms,
    vectors: Vectors,
    brought: Brought,
    now: datetime,
) -> Mapping[str, int] | None:
    """Copies what ``terms`` say, and counts it by table. ``link``: the receiver's line. None where ``vectors`` lack a
    text of the extras: nothing was done then.
    """
    extras = extras_of(source, terms, link.other, brought)
    if any(text not in vectors for text in extras.texts):
        return None
    return _Copy(desk, source, target, link, brought, now).run(terms, extras, vectors)


def _nothing(link: NeuralLink, terms: LinkTerms, withheld: int) -> LinkRefused:
    """Nothing would come over; the request stays open, since a slip in a name is no answer."""
    given = {"kinds": ", ".join(terms.kinds), "scope": terms.scope or "", "tags": ", ".join(terms.tags)}
    narrowed = "; ".join(f"{name}: {value}" for name, value in given.items() if value)
    until = f"{link.expires_at:%H:%M:%S} UTC"
    problem = f"no memory of yours passes {narrowed}"
    if withheld:
        problem = f"what passes {narrowed} is kept back: {withheld} hold a secret or tell more than passes"
    return LinkRefused(link.id, problem, f"share more of it, or decline; it is open until {until}")


class Rows:
    """A table's rows by the names of their columns."""

    def __init__(self, unit: Unit, table: str) -> None:
        self.place = {name: place for place, name in enumerate(unit.transfer.columns(table))}

    def changed(self, row: RawRow, **values: Value) -> RawRow:
        """The row with other values."""
        new, place = list(row), self.place
        for name, value in values.items():
            new[place[name]] = value
        return tuple(new)


class _Copy:
    """One transaction. ``episodes`` and ``memories``: what each of the source's is here; ``new``: those of the source's
    memories that were copied, in the order of storing.
    """

    def __init__(
        self, desk: Desk, source: Unit, target: Unit, link: NeuralLink, brought: Brought, now: datetime
    ) -> None:
        self._desk, self._source, self._target, self._link, self._now = desk, source, target, link, now
        self._agent = target.agents.get()
        assert self._agent is not None
        self._known = Known(source, target, link.other, self._agent.id, link.id)
        self._dead = Dead(target)
        self._brought = brought
        self._counts: Counter[str] = Counter()
        self._unheard: set[str] = set()  # messages of the source that were forgotten here
        self.episodes: dict[str, str] = {}
        self.memories: dict[str, str] = {}
        self.new: list[str] = []
        self.rooms: dict[str, str] = {}
        self._spans: dict[str, list[int]] = {}  # first and last time, how many, next position
        self._speakers: Counter[tuple[str, str]] = Counter()

    def run(self, terms: LinkTerms, extras: Extras, vectors: Vectors) -> Mapping[str, int]:
        narrowed = wanted(self._source, terms, self._now, self._brought.is_clean) if terms.is_narrow else None
        if narrowed is not None and not narrowed and not extras.texts:
            raise _nothing(self._link, terms, narrowed.withheld)
        embedder = self._source.agents.embedder()
        if self._target.agents.embedder() is None and (embedder is not None or extras.texts):
            self._target.agents.set_embedder(self._desk.embedder.id, self._desk.embedder.dimensions)
        if embedder is not None:
            self._rev = self._target.transfer.stamp()
            shared = narrowed or wanted(self._source, terms, self._now, self._brought.is_clean)
            self._counts["withheld"] = shared.withheld
            self._copy_episodes(shared.episodes)
            self._copy_memories(shared.memories)
            self._counts += copy_hangings(
                self._source, self._target, self._link, self._rev, self.new, self.memories, self.episodes, self.rooms,
                self._dead, self._brought.is_clean,
            )  # fmt: skip
            self._open_rooms()
        self._counts += extras.put(
            self._desk, self._target, self._link, vectors, self._known, self._dead, self._now
        )
        return {name: count for name, count in sorted(self._counts.items()) if count}

    def _copy_episodes(self, ids: Sequence[str]) -> None:
        rows = Rows(self._source, "episodes")
        at = rows.place
        for page in pages(ids):
            known = dict(self._known.met("episodes", page))
            coming = self._page("episodes", [id for id in page if id not in known])
            said = {
                str(row[at["id"]]): (row[at["time"]], row[at["speaker"]], row[at["content"]])
                for row in coming
            }
            known |= said_already(self._target, said)  # type: ignore[arg-type]
            gone = self._dead.messages({str(row[at["id"]]): self._heard(row, at) for row in coming})
            new = [row for row in coming if (id := str(row[at["id"]])) not in known and id not in gone]
            made = [self._episode(rows, row) for row in new]
            self._target.transfer.add("episodes", made)
            for old, row in zip(new, made, strict=True):
                known[str(old[at["id"]])] = Met(id=str(row[at["id"]]), own=False)
            self.episodes |= {id: met.id for id, met in known.items()}
            self._unheard |= gone - known.keys()
            self._note("episodes", known)
            self._counts += Counter(
                episodes=len(made), forgotten=len(gone - known.keys()), duplicates=len(known) - len(made)
            )

    def _heard(self, row: RawRow, at: Mapping[str, int]) -> tuple[Sequence[str], str | None, int, str]:
        room, ref = str(row[at["conversation_id"]]), row[at["ref"]]
        rooms = (room, room_name(self._link.other, room))
        return rooms, None if ref is None else str(ref), int(str(row[at["time"]])), str(row[at["content"]])

    def _episode(self, rows: Rows, row: RawRow) -> RawRow:
        at = rows.place
        room = self._room(str(row[at["conversation_id"]]))
        time, position, speaker = int(str(row[at["time"]])), int(str(row[at["position"]])), row[at["speaker"]]
        span = self._spans.setdefault(room, [time, time, 0, 0])
        span[:] = [min(span[0], time), max(span[1], time), span[2] + 1, max(span[3], position + 1)]
        if speaker is not None:
            self._speakers[room, str(speaker)] += 1
        consolidated = row[at["consolidated_at"]]
        return rows.changed(
            row, id=self._desk.ids(self._now), conversation_id=room, channel=LINK_CHANNEL, rev=self._rev,
            source_trust=str(SourceTrust.EXTERNAL),
            consolidated_at=micros(self._now) if consolidated is None else consolidated,
        )  # fmt: skip

    def _room(self, conversation: str) -> str:
        """Its name here: a new one for each link, since positions go over as they are."""
        if conversation not in self.rooms:
            number, name = 1, room_name(self._link.other, conversation)
            while name in self.rooms.values() or self._target.conversations.get(name) is not None:
                number += 1
                name = room_name(self._link.other, f"{conversation}~{number}")
            self.rooms[conversation] = name
        return self.rooms[conversation]

    def _copy_memories(self, ids: Sequence[str]) -> None:
        rows = Rows(self._source, "memories")
        at = rows.place
        known = self._known_memories(ids)
        summaries = self._summaries(ids, known)
        untold = self._untold([id for id in ids if id not in known], summaries)
        hidden = self._hidden(summaries - untold)
        rest = [id for id in ids if id not in known and id not in summaries and id not in untold]
        known |= {
            id: Met(id=own, own=True)
            for id, own in duplicates(self._desk, self._source, self._target, rest).items()
        }
        replaced: dict[str, str] = {}
        for page in pages(ids):
            coming = self._page("memories", [id for id in page if id not in known])
            texts = {
                str(row[at[name]])
                for row in coming
                for name in ("essence", "lesson")
                if row[at[name]] is not None
            }
            gone = self._dead.texts(texts)
            new = [row for row in coming if row[at["essence"]] not in gone and row[at["id"]] not in untold]
            made = [self._memory(rows, row, gone, hidden) for row in new]
            self._target.transfer.add("memories", made)
            here = {id: known[id] for id in page if id in known}
            for old, row in zip(new, made, strict=True):
                id = str(old[at["id"]])
                here[id] = Met(id=str(row[at["id"]]), own=False)
                if old[at["superseded_by"]] is not None:
                    replaced[here[id].id] = str(old[at["superseded_by"]])
                self.new.append(id)
            self.memories |= {id: met.id for id, met in here.items()}
            self._note("memories", here)
            self._counts += Counter(
                memories=len(made), forgotten=len(coming) - len(new), duplicates=len(here) - len(made)
            )
        self._supersede(replaced)

    def _memory(self, rows: Rows, row: RawRow, gone: Collection[str], hidden: Collection[str]) -> RawRow:
        at = rows.place
        changes: dict[str, Value] = {}
        if row[at["lesson"]] in gone:
            changes["lesson"] = None
        if row[at["state"]] == State.SUMMARIZED and row[at["id"]] not in hidden:
            changes["state"] = str(State.ACTIVE)  # what stands for it isn't here
        if row[at["quoted"]] is not None:
            changes["quoted"] = self._quoted(str(row[at["quoted"]]))
        return rows.changed(
            row, id=self._desk.ids(self._now), origin=str(Origin.LINK), source_trust=str(SourceTrust.EXTERNAL),
            pinned=0, superseded_by=None, learned_from=self._link.other, rev=self._rev, **changes,
        )  # fmt: skip

    def _quoted(self, text: str) -> str:
        """Where the essence stands, by the message's id here; by the one there where that didn't come over."""
        episode, *rest = json.loads(text)
        return json.dumps([self.episodes.get(episode, episode), *rest], ensure_ascii=False)

    def _known_memories(self, ids: Sequence[str]) -> dict[str, Met]:
        """Those that the two share already, as far as they still say the same."""
        known: dict[str, Met] = {}
        told: dict[str, tuple[int, str, str]] = {}
        at = Rows(self._source, "memories").place
        for page in pages(ids):
            met = self._known.met("memories", page)
            if met:
                theirs = self._source.memories.get(met)
                ours = self._target.memories.get({one.id for one in met.values()})
                known |= {id: one for id, one in met.items() if theirs[id].essence == ours[one.id].essence}
            rest = [id for id in page if id not in known] if self._known.by_others else ()
            for row in self._page("memories", rest):
                words = str(row[at["kind"]]), str(row[at["essence"]])
                told[str(row[at["id"]])] = (int(str(row[at["created_at"]])), *words)
        known |= told_already(self._target, told)
        return known

    def _summaries(self, ids: Sequence[str], known: Collection[str]) -> frozenset[str]:
        """Those of the memories that are summaries. They are never taken for a duplicate."""
        return frozenset(
            id for page in pages(ids) for id in self._source.summaries.get(page) if id not in known
        )

    def _untold(self, ids: Sequence[str], summaries: Collection[str]) -> frozenset[str]:
        """Those of the memories that tell what was forgotten here, as ``forget`` would take them: by their words, since
        they rest on such messages alone, and the summaries that stand for anything of it, at any depth.
        """
        if not self._dead.any:
            return frozenset()
        told: set[str] = set()
        at = Rows(self._source, "memories").place
        for page in pages(ids):
            essences = {str(row[at["id"]]): str(row[at["essence"]]) for row in self._page("memories", page)}
            gone = self._dead.texts(set(essences.values()))
            told |= {id for id, essence in essences.items() if essence in gone}
            rests: dict[str, list[bool]] = {}
            for memory, episode in self._source.transfer.among("memory_sources", "memory_id", page):
                rests.setdefault(str(memory), []).append(episode in self._unheard)
            told |= {id for id, each in rests.items() if (any if id in summaries else all)(each)}
        below = {id: frozenset(self._source.summaries.members(id)) for id in summaries}
        while above := {id for id, members in below.items() if id not in told and members & told}:
            told |= above
        return frozenset(told)

    def _hidden(self, summaries: Collection[str]) -> Collection[str]:
        """The memories for which a summary stands that comes too."""
        told = self._source.memories.get(summaries)
        dead = self._dead.texts({one.essence for one in told.values()})
        return {
            member
            for id, one in told.items()
            if one.essence not in dead
            for member in self._source.summaries.members(id)
        }

    def _supersede(self, replaced: Mapping[str, str]) -> None:
        for page in pages([*replaced]):
            for id, one in self._target.memories.get(page).items():
                by = self.memories.get(replaced[id])
                if by is not None and by != id:
                    self._target.memories.update(replace(one, superseded_by=by))

    def _page(self, table: str, ids: Sequence[str]) -> list[RawRow]:
        rows = {row[0]: row for row in self._source.transfer.among(table, "id", ids)}
        return [rows[id] for id in ids]

    def _note(self, corpus: str, met: Mapping[str, Met]) -> None:
        items: list[LinkItem] = [item(self._link.id, corpus, id, one) for id, one in met.items()]
        self._target.links.add_items(items)

    def _open_rooms(self) -> None:
        """The rooms of what was copied. The loop has nothing to read in them."""
        spans = [(room, LINK_CHANNEL, *span) for room, span in self._spans.items()]
        self._target.conversations.widen(spans, self._speakers)  # type: ignore[arg-type]
        self._target.transfer.add_new(
            "watermarks", [(LOOP, room, span[3], 0, None) for room, span in self._spans.items()]
        )
        self._counts["conversations"] = len(self._spans)


def pages(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """So many at a time as memory and a statement bear."""
    return (ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE))


def room_name(other: str, conversation: str) -> str:
    """What a conversation of another agent is called here; one that is too long ends on a digest."""
    name = f"{LINK_CHANNEL}:{other}:{conversation}"
    if len(name) <= MAX_NAME:
        return name
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_CUT]
    return f"{name[: MAX_NAME - _CUT - 1]}~{digest}"
