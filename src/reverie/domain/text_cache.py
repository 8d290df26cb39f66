"""Caches of functions that read people's text. Each is registered where it is made, so that a forget empties all."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, TypeVar

Result = TypeVar("Result")
_CACHES: list[_lru_cache_wrapper[Any]] = []


def text_cache(maxsize: int) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """Cache a function as ``functools.lru_cache`` does, until ``clear_text_caches`` empties the cache."""

    def registered(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        cached = lru_cache(maxsize)(function)
        _CACHES.append(cached)
        return cached

    return registered


def clear_text_caches() -> None:
    """Empty every cache that may hold people's text or words. What is read again is computed again."""
    for cached in _CACHES:
        cached.cache_clear()
