"""Caches of this process: functions of this package remember what they read of late, and a forget empties them."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_MOST_OF_OWN = 8
"""Entries of a cache for what the package itself has: tables, a stemmer, a classifier. No text is in these."""
_Cached: type[Any] = type(lru_cache(lambda: None))


def leave_texts() -> None:
    """Empties every cache that may hold texts or words. Whatever is read again is computed again."""
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] != _PACKAGE:
            continue
        for value in [*vars(module).values()]:
            if isinstance(value, _Cached) and not _is_own(value):
                value.cache_clear()


def _is_own(cached: Any) -> bool:
    most = cached.cache_parameters()["maxsize"]
    return most is not None and most <= _MOST_OF_OWN
