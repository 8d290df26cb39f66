"""The engines that the store's laws are tried on. Another engine adds itself to ENGINES; no law changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.ports.store import Store

BUSY_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True)
class Engine:
    """``open``: a store in a folder of its own, the same one each time, which waits so many seconds for a writer.

    ``left_behind``: what a folder's closed stores still hold open or have left lying about; nothing, if they are sound.
    """

    open: Callable[[Path, float], Store]
    left_behind: Callable[[Path], Sequence[str]]


def _open_sqlite(folder: Path, busy_seconds: float) -> Store:
    from reverie.store.sqlite.engine import SqliteStore

    return SqliteStore(folder / "bank.reverie", key=bytes(range(32)), busy_seconds=busy_seconds)


def _left_by_sqlite(folder: Path) -> Sequence[str]:
    import apsw

    held = [line.filename for line in apsw.connections() if line.filename.startswith(str(folder))]
    return held + [file.name for file in folder.iterdir() if file.name != "bank.reverie"]


ENGINES = {"sqlite": Engine(open=_open_sqlite, left_behind=_left_by_sqlite)}
