"""Copy one agent's rows as they are into another's bank, under new ids, as a neural link does.

Everything happens in one transaction over both banks, a page of rows at a time; nothing of the source changes. Rows go
over raw, vectors and all: nothing is embedded or rewritten, and what holds a secret stays behind. What the receiver has
already maps to its own (``known``), what it forgot on purpose stays out. ``docs/why/neural-link.md`` says what becomes
of each column.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.ids import MAX_NAME
from reverie.domain.link import LINK_CHANNEL, LinkTerms, NeuralLink
from reverie.domain.memory import Origin, State
from reverie.domain.time import micros
from reverie.domain.trust import SourceTrust
from reverie.errors import LinkRefused
from reverie.errors.showing import undrawn
from reverie.ports.store import Unit
from reverie.services.link.attached import Attached
from reverie.services.link.brought import Brought
from reverie.services.link.extras import Extras, Vectors, extras_of
from reverie.services.link.known import Dead, Known, Met, duplicates, item, said_already, told_already
from reverie.services.link.narrowing import wanted
from reverie.services.link.rows import Named, add_rows, pages, rows_among, rows_by_id, texts_in
from reverie.services.loop import JOB as LOOP
from reverie.services.runtime import Desk

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
    """Copy what ``terms`` say, and count it by table. ``link``: the receiver's line. None where ``vectors`` lack a
    text of the extras: nothing was done then.
    """
    extras = extras_of(source, terms, link.other, brought)
    if any(text not in vectors for text in extras.texts):
        return None
    return _Copy(desk, source, target, link, brought, now).run(terms, extras, vectors)


def _nothing(link: NeuralLink, terms: LinkTerms, withheld: int) -> LinkRefused:
    """Return the error where nothing would come over. The request stays open, since a slip in a name is no answer."""
    given = {"kinds": ", ".join(terms.kinds), "scope": terms.scope or "", "tags": ", ".join(terms.tags)}
    narrowed = "; ".join(f"{name}: {undrawn(value)}" for name, value in given.items() if value)
    until = f"{link.expires_at:%H:%M:%S} UTC"
    problem = f"no memory of yours passes {narrowed}"
    if withheld:
        problem = f"what passes {narrowed} is kept back: {withheld} hold a secret or tell more than passes"
    return LinkRefused(link.id, problem, f"share more of it, or decline; it is open until {until}")


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
        self._forgotten: set[str] = set()  # messages of the source that were forgotten here
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
            attached = Attached(
                source=self._source, target=self._target, other=self._link.other, rev=self._rev, memories=self.memories,
                episodes=self.episodes, rooms=self.rooms, dead=self._dead, is_clean=self._brought.is_clean,
            )  # fmt: skip
            self._counts += attached.copy(self.new)
            self._open_rooms()
        self._counts += extras.put(
            self._desk, self._target, self._link, vectors, self._known, self._dead, self._now
        )
        self._target.agents.note_due(self._now)
        return {name: count for name, count in sorted(self._counts.items()) if count}

    def _copy_episodes(self, ids: Sequence[str]) -> None:
        for page in pages(ids):
            known = dict(self._known.met("episodes", page))
            coming = {
                str(row["id"]): row
                for row in rows_by_id(self._source, "episodes", [id for id in page if id not in known])
            }
            said = {id: (row["time"], row["speaker"], row["content"]) for id, row in coming.items()}
            known |= said_already(self._target, said)  # type: ignore[arg-type]  # as the columns hold it
            gone = self._dead.messages({id: self._message(row) for id, row in coming.items()})
            made = {
                id: self._episode(row) for id, row in coming.items() if id not in known and id not in gone
            }
            add_rows(self._target, "episodes", [*made.values()])
            known |= {id: Met(id=str(row["id"]), own=False) for id, row in made.items()}
            self.episodes |= {id: met.id for id, met in known.items()}
            self._forgotten |= gone - known.keys()
            self._note("episodes", known)
            self._counts += Counter(
                episodes=len(made), forgotten=len(gone - known.keys()), duplicates=len(known) - len(made)
            )

    def _message(self, row: Named) -> tuple[Sequence[str], str | None, int, str]:
        room, ref = str(row["conversation_id"]), row["ref"]
        rooms = (room, room_name(self._link.other, room))
        return rooms, None if ref is None else str(ref), int(str(row["time"])), str(row["content"])

    def _episode(self, row: Named) -> Named:
        room = self._room(str(row["conversation_id"]))
        time, position, speaker = int(str(row["time"])), int(str(row["position"])), row["speaker"]
        span = self._spans.setdefault(room, [time, time, 0, 0])
        span[:] = [min(span[0], time), max(span[1], time), span[2] + 1, max(span[3], position + 1)]
        if speaker is not None:
            self._speakers[room, str(speaker)] += 1
        slept = row["consolidated_at"]
        return row | {
            "id": self._desk.ids(self._now), "conversation_id": room, "channel": LINK_CHANNEL, "rev": self._rev,
            "source_trust": str(SourceTrust.EXTERNAL), "consolidated_at": micros(self._now) if slept is None else slept,
        }  # fmt: skip

    def _room(self, conversation: str) -> str:
        """Return its name here: a new one for each link, since positions go over as they are."""
        if conversation not in self.rooms:
            number, name = 1, room_name(self._link.other, conversation)
            while name in self.rooms.values() or self._target.conversations.get(name) is not None:
                number += 1
                name = room_name(self._link.other, f"{conversation}~{number}")
            self.rooms[conversation] = name
        return self.rooms[conversation]

    def _copy_memories(self, ids: Sequence[str]) -> None:
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
            coming = rows_by_id(self._source, "memories", [id for id in page if id not in known])
            gone = self._dead.texts(texts_in(coming, "essence", "lesson"))
            made = {
                str(row["id"]): self._memory(row, gone, hidden)
                for row in coming
                if row["essence"] not in gone and row["id"] not in untold
            }
            add_rows(self._target, "memories", [*made.values()])
            here = {id: known[id] for id in page if id in known}
            here |= {id: Met(id=str(row["id"]), own=False) for id, row in made.items()}
            replaced |= {
                here[id].id: str(by)
                for row in coming
                if (id := str(row["id"])) in made and (by := row["superseded_by"]) is not None
            }
            self.new += made
            self.memories |= {id: met.id for id, met in here.items()}
            self._note("memories", here)
            self._counts += Counter(
                memories=len(made), forgotten=len(coming) - len(made), duplicates=len(here) - len(made)
            )
        self._supersede(replaced)

    def _memory(self, row: Named, gone: Collection[str], hidden: Collection[str]) -> Named:
        made = row | {
            "id": self._desk.ids(self._now), "origin": str(Origin.LINK), "source_trust": str(SourceTrust.EXTERNAL),
            "pinned": 0, "superseded_by": None, "learned_from": self._link.other, "rev": self._rev,
        }  # fmt: skip
        if row["lesson"] in gone:
            made["lesson"] = None
        if row["state"] == State.SUMMARIZED and row["id"] not in hidden:
            made["state"] = str(State.ACTIVE)  # what stands for it isn't here
        if row["quoted"] is not None:
            made["quoted"] = self._quoted(str(row["quoted"]))
        return made

    def _quoted(self, text: str) -> str:
        """Return where the essence stands, by the message's id here; by the one there where that didn't come over."""
        episode, *rest = json.loads(text)
        return json.dumps([self.episodes.get(episode, episode), *rest], ensure_ascii=False)

    def _known_memories(self, ids: Sequence[str]) -> dict[str, Met]:
        """Return those that the two share already, as far as they still say the same."""
        known: dict[str, Met] = {}
        told: dict[str, tuple[int, str, str]] = {}
        for page in pages(ids):
            met = self._known.met("memories", page)
            if met:
                theirs = self._source.memories.get(met)
                ours = self._target.memories.get({one.id for one in met.values()})
                known |= {id: one for id, one in met.items() if theirs[id].essence == ours[one.id].essence}
            rest = [id for id in page if id not in known] if self._known.by_others else ()
            for row in rows_by_id(self._source, "memories", rest):
                words = str(row["kind"]), str(row["essence"])
                told[str(row["id"])] = (int(str(row["created_at"])), *words)
        known |= told_already(self._target, told)
        return known

    def _summaries(self, ids: Sequence[str], known: Collection[str]) -> frozenset[str]:
        """Return those of the memories that are summaries. They are never taken for a duplicate."""
        return frozenset(
            id for page in pages(ids) for id in self._source.summaries.get(page) if id not in known
        )

    def _untold(self, ids: Sequence[str], summaries: Collection[str]) -> frozenset[str]:
        """Return those of the memories that tell what was forgotten here, as ``forget`` would take them: by their
        words, since they rest on such messages alone, and the summaries that stand for anything of it, at any depth.
        """
        if not self._dead.any:
            return frozenset()
        told: set[str] = set()
        for page in pages(ids):
            rows = rows_by_id(self._source, "memories", page)
            essences = {str(row["id"]): str(row["essence"]) for row in rows}
            gone = self._dead.texts(set(essences.values()))
            told |= {id for id, essence in essences.items() if essence in gone}
            rests: dict[str, list[bool]] = {}
            for row in rows_among(self._source, "memory_sources", "memory_id", page):
                rests.setdefault(str(row["memory_id"]), []).append(row["episode_id"] in self._forgotten)
            told |= {id for id, each in rests.items() if (any if id in summaries else all)(each)}
        below = {id: frozenset(self._source.summaries.members(id)) for id in summaries}
        while above := {id for id, members in below.items() if id not in told and members & told}:
            told |= above
        return frozenset(told)

    def _hidden(self, summaries: Collection[str]) -> Collection[str]:
        """Return the memories for which a summary stands that comes too."""
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

    def _note(self, corpus: str, met: Mapping[str, Met]) -> None:
        self._target.links.add_items([item(self._link.id, corpus, id, one) for id, one in met.items()])

    def _open_rooms(self) -> None:
        """Make the rooms of what was copied. The loop has nothing to read in them."""
        spans = [(room, LINK_CHANNEL, *span) for room, span in self._spans.items()]
        self._target.conversations.widen(spans, self._speakers)  # type: ignore[arg-type]
        self._target.transfer.add_new(
            "watermarks", [(LOOP, room, span[3], 0, None) for room, span in self._spans.items()]
        )
        self._counts["conversations"] = len(self._spans)


def room_name(other: str, conversation: str) -> str:
    """Return what a conversation of another agent is called here; one that is too long ends on a digest."""
    name = f"{LINK_CHANNEL}:{other}:{conversation}"
    if len(name) <= MAX_NAME:
        return name
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_CUT]
    return f"{name[: MAX_NAME - _CUT - 1]}~{digest}"
