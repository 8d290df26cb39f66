"""Scope globs."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.scope import MAX_EXPANSIONS, MAX_GLOBSTARS, matches, problem_of


@pytest.mark.parametrize(
    ("globs", "path", "covered"),
    [
        ((), "anything/at/all", True),
        (("src/**",), "src/a.py", True),
        (("src/**",), "src/deep/er/a.py", True),
        (("src/**",), "docs/a.py", False),
        (("src/**",), "lib/src/a.py", False),
        (("src/*",), "src/a.py", True),
        (("src/*",), "src/deep/a.py", False),
        (("src/?.py",), "src/a.py", True),
        (("src/?.py",), "src/ab.py", False),
        (("src/?.py",), "src//.py", False),
        (("**/test_*.py",), "a/b/test_x.py", True),
        (("**/test_*.py",), "test_x.py", True),
        (("*.{py,md}",), "docs/why/a.md", True),
        (("*.{py,md}",), "docs/why/a.txt", False),
        (("{src,tests}/**",), "tests/a.py", True),
        (("Makefile",), "Makefile", True),
        (("Makefile",), "deep/er/Makefile", True),
        (("Makefile",), "deep/Makefile/x", False),
        (("src/**", "!src/vendor/**"), "src/a.py", True),
        (("src/**", "!src/vendor/**"), "src/vendor/a.py", False),
        (("!src/vendor/**", "src/**"), "src/vendor/a.py", False),
        (("!docs/**",), "src/a.py", True),
        (("!docs/**",), "docs/a.md", False),
        (("!docs/**", "!*.txt"), "src/a.txt", False),
        (("!docs/**", "!*.txt"), "src/a.py", True),
        (("*.py",), "src\\deep\\a.py", True),
        (("src/**",), "./src/a.py", True),
        (("src/**",), ".\\src\\a.py", True),
        (("*",), ".hidden", True),
        (("**",), "a/.git/config", True),
        (("[ab].py",), "a.py", True),
        (("[!ab].py",), "a.py", False),
        (("Src/**",), "src/a.py", False),
        (("src/**",), "SRC/a.py", False),
        (("été/**",), "été/ő.py", True),
        (("{a,b",), "{a,b", True),
        (("a b.py",), "dir/a b.py", True),
    ],
)
def test_globs_cover_paths_as_documented(globs: Sequence[str], path: str, covered: bool) -> None:
    assert matches(globs, path) is covered


@given(
    st.lists(st.text("ab*?/!{,}[]\\. ", min_size=1, max_size=12), max_size=4), st.text("ab/\\.", max_size=12)
)
def test_any_globs_that_were_accepted_answer_for_any_path(globs: list[str], path: str) -> None:
    if problem_of(globs) is None:
        assert matches(globs, path) in (True, False)


@pytest.mark.parametrize(
    "globs", [("{1..1000}",), ("{1..99999999999}",), ("{a,b}" * 8,), ("{1..150}", "x{1..150}")]
)
def test_braces_that_together_expand_to_too_many_patterns_are_a_problem(globs: Sequence[str]) -> None:
    assert str(MAX_EXPANSIONS) in (problem_of(globs) or "")


@pytest.mark.parametrize(
    "globs", [("s/{1..200}",), ("{1..200}",), ("!s/{1..200}",), ("s/{1..150}", "{1..50}")]
)
def test_as_many_patterns_as_are_allowed_do_match(globs: Sequence[str]) -> None:
    assert problem_of(globs) is None
    assert matches(globs, "s/7") is not globs[0].startswith("!")
    assert matches(globs, "other") is globs[0].startswith("!")


def test_globs_that_would_take_exponential_time_are_a_problem() -> None:
    assert problem_of(["**/a/" * (MAX_GLOBSTARS + 1) + "b"]) is not None
    slowest = ["**/a/" * MAX_GLOBSTARS + "b"]
    assert problem_of(slowest) is None
    started = time.process_time()
    assert not matches(slowest, "a/" * 99 + "c")
    assert time.process_time() - started < 30  # unbounded it takes hours
