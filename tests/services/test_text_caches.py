"""What this process caches of the texts that it read, and that a forget empties it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from reverie import Agent
from reverie.domain.text_cache import clear_text_caches
from reverie.language import topics
from tests.services.bench import Clock

WORD = "zanzibarquux"
TEXT = f"I moved to the {WORD} in Hull last week, and my dog Biscuit likes it."
PACKAGE = Path(__file__).resolve().parents[2] / "src" / "reverie"
PLAIN = {"lru_cache", "cache"}
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


def test_a_cache_holds_no_text_longer_than_is_read_of_one() -> None:
    clear_text_caches()
    assert topics.labels(LONG).entities == ("Hull",)
    assert topics.labels("I live in York.").entities == ("York",)
    longest = max(len(str(part)) for cached in _caches() for part in _keys(cached))
    assert len("I live in York.") <= longest <= 20_000


def test_clearing_keeps_what_is_of_the_package_itself() -> None:
    from reverie.language import lexical_terms as terms

    terms.terms("running")
    clear_text_caches()
    assert terms._stemmer.cache_info().currsize == 1
    assert terms._term.cache_info().currsize == 0


OF_THE_PACKAGE = {
    "program.py: _program",
    "remnants.py: _stemmed",
    "__init__.py: prompt",
    "wire.py: typed",
    "frame.py: asset",
}
"""What takes only names of commands or prompts, word lists, classes or files of the package."""


def _plainly_cached(path: Path) -> Iterator[str]:
    """Names of a file's functions that a plain cache of ``functools`` holds and that take texts."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any(_is_plain(one) for one in node.decorator_list):
            parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            told = [ast.unparse(one.annotation) if one.annotation else "object" for one in parameters]
            if any(name in one for one in told for name in ("str", "object", "Any")):
                yield f"{path.name}: {node.name}"
        elif (
            isinstance(node, ast.Assign)
            and node.col_offset == 0
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Call)  # lru_cache(512)(function)
            and _is_plain(node.value.func)
        ):
            yield f"{path.name}: {ast.unparse(node)}"


def _is_plain(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(called).removeprefix("functools.") in PLAIN


def test_every_cache_of_texts_is_registered(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("@lru_cache(9)\ndef held(text: str | None): ...\nheld = functools.lru_cache(9)(heard)\n")
    assert len([*_plainly_cached(bad)]) == 2
    assert {found for path in PACKAGE.rglob("*.py") for found in _plainly_cached(path)} == OF_THE_PACKAGE
