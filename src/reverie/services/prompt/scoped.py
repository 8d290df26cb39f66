"""Find what is relevant for a file (s2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.memory import Memory, State
from reverie.domain.query import Filter
from reverie.domain.text import checked_text
from reverie.errors import InvalidInput
from reverie.memory.decay import activation_of
from reverie.memory.scope import normal_path, specificity
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, read_again

MAX_PATH_BYTES = 4_096
MAX_FOLDERS = 100
_PAGE = 500
_ACTIVE = frozenset({State.ACTIVE})
_FOLDERS = r"(?<![\w./\\-])((?:[\w.@~-]+[/\\])*)"
_END = r"(?![\w-]|\.\w)"


@read_again
def scoped(desk: Desk, agent_id: str, path: str, *, limit: int = 20) -> Sequence[Memory]:
    """Return the active memories that concern a file, at most ``limit`` (1 to 1,000).

    First those whose scope globs cover the path, the most closely written first; then those without a scope that name
    the file in essence, lesson or tags (with its folders, if they give any). Of equals the higher priority comes first,
    then what is more active. What holds everywhere and doesn't name the file is left out.

    The path is read as text: nothing is looked up on disk, no link is followed. Give it as the globs are written:
    relative to the project where they are, or absolute with ``/./`` where the project begins. Raise InvalidInput.
    """
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    asked = checked_path(path)
    now = desk.clock()
    with desk.reading(agent_id) as unit:
        covered = [*_pages(desk, unit, Filter(states=_ACTIVE, scope=asked, scoped=True))]
        named = [*_naming(desk, unit, asked)]

    def rank(memory: Memory) -> tuple[object, ...]:
        return memory.priority.rank, -activation_of(memory, now), memory.id

    closest = {memory.id: specificity(memory.scope, asked) for memory in covered}
    covered.sort(key=lambda memory: (*(-part for part in closest[memory.id]), *rank(memory)))
    return [*covered, *sorted(named, key=rank)][:limit]


def checked_path(path: object, field: str = "path") -> str:
    """Return a path as it is compared with globs. Raise InvalidInput."""
    asked = normal_path(checked_text(path, field, most_bytes=MAX_PATH_BYTES))
    if asked.count("/") > MAX_FOLDERS:
        raise InvalidInput(field, f"it goes through more than {MAX_FOLDERS} folders", "give a shorter one")
    return asked


def _naming(desk: Desk, unit: Unit, path: str) -> Iterator[Memory]:
    """Yield memories without a scope that name the file."""
    name = path.rstrip("/").rpartition("/")[2]
    if not _telling(name):
        return
    said = re.compile(_FOLDERS + re.escape(name) + _END, 0 if name.isalpha() else re.IGNORECASE)
    for memory in _pages(desk, unit, Filter(states=_ACTIVE), match=name):
        texts = (memory.essence, memory.lesson or "", *memory.tags)
        if not memory.scope and any(
            _is_it(found[1], path) for text in texts for found in said.finditer(text)
        ):
            yield memory


def _telling(name: str) -> bool:
    """Return whether a file's name can be told from an ordinary word: it has an ending, a digit or the like, or a
    capital.
    """
    return any(one.isalnum() for one in name) and not (name.isalpha() and name == name.lower())


def _is_it(folders: str, path: str) -> bool:
    """Return whether the folders before a file's name may be this file's."""
    told = normal_path(folders).casefold()
    return not told or f"/{path}".replace("/./", "/").casefold().rpartition("/")[0].endswith(
        f"/{told}".rstrip("/")
    )


def _pages(desk: Desk, unit: Unit, where: Filter, match: str | None = None) -> Iterator[Memory]:
    after: str | None = None
    while page := unit.memories.list(where, match=match, limit=_PAGE, after=after, now=desk.clock()):
        yield from page
        after = page[-1].id
