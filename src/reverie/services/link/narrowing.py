"""What an agent shares: memories and messages that hold no secret; where its terms are narrow, the memories that pass
them, and the messages on which those rest.

A summary passes only where all that it stands for does, else its narrative would hand over what the terms keep back;
what of its originals passes comes over by itself. Messages pass no terms of their own, so a summary of messages never
comes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.kinds import Kind
from reverie.domain.link import LinkTerms
from reverie.domain.query import EVERYTHING
from reverie.ports.store import Unit
from reverie.services.link.brought import Brought
from reverie.services.link.rows import Named, pages, rows_among
from reverie.services.runtime import Desk, read_again

_OF_MEMORIES = (
    ("memories", "id"),
    ("memory_versions", "memory_id"),
    ("procedures", "memory_id"),
    ("procedure_runs", "memory_id"),
    ("achievements", "memory_id"),
)
"""The tables that hold a memory's texts, and the column of its id."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Ids of what is shared, in the order of storing; ``withheld``: how many pass the terms and are kept back, for a
    secret that they hold or, summaries, for what they stand for.
    """

    memories: Sequence[str]
    episodes: Sequence[str]
    withheld: int = 0

    def __bool__(self) -> bool:
        return bool(self.memories or self.episodes)


@read_again
def look_through(desk: Desk, agent_id: str, terms: LinkTerms, brought: Brought) -> None:
    """Read what an agent shares as it is now, so that a transaction with the same ``brought`` reads only new texts."""
    with desk.reading(agent_id) as unit:
        wanted(unit, terms, desk.clock(), brought.is_clean)


def wanted(source: Unit, terms: LinkTerms, now: datetime, is_clean: Callable[[object], bool]) -> Wanted:
    """Give what of the source's memories and messages is shared. ``is_clean`` tells it of a row."""
    passing = _passing(source, terms, now)
    memories, episodes = _clean(source, passing, is_clean)
    held = len(passing.memories) + len(passing.episodes) - len(memories) - len(episodes)
    return Wanted(memories=memories, episodes=episodes, withheld=passing.withheld + held)


def _clean(
    source: Unit, passing: Wanted, is_clean: Callable[[object], bool]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the ids of the memories and messages of which no row holds a secret. Rows go over as they are: their
    vectors and words can't be changed here.
    """

    def dirty(table: str, column: str, ids: Sequence[str]) -> set[str]:
        rows = (row for page in pages(ids) for row in rows_among(source, table, column, page))
        return {str(row[column]) for row in rows if not is_clean(_told(row))}

    held = set[str]().union(*(dirty(table, column, passing.memories) for table, column in _OF_MEMORIES))
    said = dirty("episodes", "id", passing.episodes)
    return [id for id in passing.memories if id not in held], [
        id for id in passing.episodes if id not in said
    ]


def _told(row: Named) -> Mapping[str, object]:
    """Return what a row holds, by field. The key of a procedure is its name once more."""
    return {name.removesuffix("_id"): _parsed(value) for name, value in row.items() if name != "key"}


def _parsed(value: object) -> object:
    """Give what a column holds; lists lie in it as JSON."""
    if isinstance(value, str) and value.startswith("["):
        with suppress(ValueError):
            return json.loads(value)
    return value


def _passing(source: Unit, terms: LinkTerms, now: datetime) -> Wanted:
    memories, episodes = (source.transfer.order(table) for table in ("memories", "episodes"))
    if not terms.is_narrow:
        return Wanted(memories=memories, episodes=episodes)
    where = replace(
        EVERYTHING, kinds=frozenset(map(Kind, terms.kinds)), scope=terms.scope, tags=frozenset(terms.tags)
    )
    passing = set(source.memories.ids(where, now=now))
    telling = _telling_more(source, passing)
    memories = [id for id in memories if id in passing and id not in telling]
    sources = {
        str(row["episode_id"])
        for page in pages(memories)
        for row in rows_among(source, "memory_sources", "memory_id", page)
    }
    return Wanted(memories=memories, episodes=[id for id in episodes if id in sources], withheld=len(telling))


def _telling_more(source: Unit, passing: Collection[str]) -> Collection[str]:
    """Return the passing memories that are summaries and stand, at any depth, for something that doesn't pass."""
    below: dict[str, frozenset[str]] = {}
    telling, known = set[str](), frozenset(passing)
    for page in pages(sorted(passing)):
        for id, summary in source.summaries.get(page).items():
            below[id] = frozenset(source.summaries.members(id))
            is_whole = summary.conversation is None and len(below[id]) == summary.items
            if not is_whole or not below[id] <= known:
                telling.add(id)
    return _with_above(telling, below)


def _with_above(telling: set[str], below: Mapping[str, frozenset[str]]) -> Collection[str]:
    while above := {id for id, members in below.items() if id not in telling and members & telling}:
        telling |= above
    return telling
