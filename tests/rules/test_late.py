"""A pattern that is compiled when it is first used is the same pattern."""

from __future__ import annotations

import importlib
import pkgutil
import re
from unittest.mock import patch

import pytest

from reverie import rules
from reverie.rules.late import Late, late

MODULES = sorted(f"{rules.__name__}.{found.name}" for found in pkgutil.iter_modules(rules.__path__))


def test_it_answers_as_the_compiled_one_does() -> None:
    pattern = late(r"(?P<what>TEA)\b", re.IGNORECASE)
    text = "Tea, teapots and tea"
    assert [found["what"] for found in pattern.finditer(text)] == ["Tea", "tea"]
    assert pattern.sub("mate", text) == re.sub(r"tea\b", "mate", text, flags=re.IGNORECASE)
    assert (pattern.search("coffee"), pattern.groups, pattern.pattern) == (None, 1, r"(?P<what>TEA)\b")


def test_it_is_compiled_at_the_first_use_and_at_no_other() -> None:
    with patch("reverie.rules.late.re.compile", wraps=re.compile) as compiled:
        pattern = late("tea")
        assert compiled.call_count == 0
        assert [bool(pattern.search(text)) for text in ("tea", "steam", "coffee")] == [True, True, False]
        assert compiled.call_count == 1


def test_what_no_pattern_has_it_has_not() -> None:
    with pytest.raises(AttributeError, match="replace"):
        late("tea").replace  # type: ignore[attr-defined]  # noqa: B018  asking is the point


@pytest.mark.parametrize("module", MODULES)
def test_every_one_that_is_written_down_can_be_compiled(module: str) -> None:
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, Late):
            assert value.flags is not None
