"""What this process remembers of the texts that it read, and that a forget empties it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from reverie import Agent
from reverie.language import topics
from reverie.services.runtime.text_caches import leave_texts
from tests.services.bench import Clock

WORD = "zanzibarquux"
TEXT = f"I moved to the {WORD} in Hull last week, and my dog Biscuit likes it."
LONG = "I live in Hull.\n" + "We had tea in the garden.\n" * 10_000


def _caches() -> Iterator[Any]:
    """Every cache of a function of the package, wherever it is held."""
    known = type(lru_cache(len))
    gc.unfreeze()  # tests/thrift.py
    every = gc.get_objects()
    gc.freeze()
    for one in every:
        if isinstance(one, known) and one.__module__.partition(".")[0] == "reverie":
            yield one


def _holding(word: str) -> set[str]:
    """Names of the functions whose caches have the word in a key."""
    return {
        cached.__qualname__
        for cached in _caches()
        if any(word in str(part).lower() for part in _keys(cached))
    }


def _keys(cached: Any) -> Iterator[object]:
    """All that the keys of a cache are made of."""
    for held in gc.get_referents(cached):
        if isinstance(held, dict) and held is not vars(cached):
            for key in [*held]:
                yield from key if isinstance(key, list | tuple) else [key]


@pytest.mark.slow
def test_no_cache_holds_a_word_of_what_was_forgotten(mama: Agent, clock: Clock) -> None:
    [said] = mama.observe([{"content": TEXT, "speaker": "Rosa"}]).episode_ids
    clock.wait(hours=12)
    mama.sleep()
    assert mama.recall(f"Where is the {WORD}?").hits
    assert _holding(WORD) >= {"_labels", "_term"}
    mama.forget(said)
    assert _holding(WORD) == set()


def test_a_text_that_is_longer_than_what_is_read_of_one_is_not_remembered() -> None:
    leave_texts()
    assert topics.labels(LONG).entities == ("Hull",)
    assert topics.labels("I live in York.").entities == ("York",)
    longest = max(len(str(part)) for cached in _caches() for part in _keys(cached))
    assert len("I live in York.") <= longest <= 20_000


def test_what_is_of_the_package_itself_stays() -> None:
    from reverie.language import lexical_terms as terms

    terms.terms("running")
    leave_texts()
    assert terms._stemmer.cache_info().currsize == 1
    assert terms._term.cache_info().currsize == 0
