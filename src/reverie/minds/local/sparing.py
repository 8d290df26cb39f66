"""Sparing: a text on which the rules fail is left out and named, so that no text stops a job."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from reverie.errors import ReverieError
from reverie.ports.unread import leave_unread


class _Named(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Named)
Result = TypeVar("Result")

_log = logging.getLogger("reverie.mind")


def spared(
    items: Sequence[Item], work: Callable[[Sequence[Item]], Result], *, sound: Callable[[], object]
) -> Result:
    """Return what ``work`` makes of the items, without those on which it fails; these are logged and named by id
    (``ports.unread``).

    ``work`` must manage with no item at all; what it raises then is raised, and so is any error of ours. ``sound`` is
    called before a text is blamed: it raises where something else is broken, such as the embedder.
    """
    rest = list(items)
    while True:
        try:
            return work(rest)
        except (ReverieError, MemoryError):
            raise
        except Exception as error:  # any rule may fail on a text that nobody thought of
            if not rest:
                raise
            sound()
            out = {one.id for one in _unreadable(rest, work)}
            rest = [one for one in rest if one.id not in out]
            _log.warning("%d texts could not be read and are left out: %s", len(out), type(error).__name__)
            leave_unread(sorted(out))


def _unreadable(items: Sequence[Item], work: Callable[[Sequence[Item]], object]) -> Sequence[Item]:
    """Find items to leave out of some on which the work fails, by halves; at least one. Where both halves can be read,
    and only together can't, that is the last item.
    """
    if len(items) == 1:
        return items
    half = len(items) // 2
    found = [
        one for part in (items[:half], items[half:]) if _fails(part, work) for one in _unreadable(part, work)
    ]
    return found or items[-1:]


def _fails(items: Sequence[Item], work: Callable[[Sequence[Item]], object]) -> bool:
    try:
        work(items)
    except (ReverieError, MemoryError):
        raise
    except Exception:  # noqa: BLE001  # as in ``spared``
        return True
    return False
