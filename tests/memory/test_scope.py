"""Scope globs."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.memory.scope import MAX_EXPANSIONS, MAX_GLOBSTARS, matches, normal_path, problem_of, specificity


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
        (("src/**",), "src//deep/./a.py", True),
        (("src/**",), "docs/../src/a.py", True),
        (("src/**",), "src/../etc/passwd", False),
        (("etc/**",), "src/../etc/passwd", True),
        (("**",), "../a.py", False),
        (("*.py",), "../a.py", False),
        (("!docs/**",), "../a.py", False),
        (("../lib/**",), "../lib/a.py", True),
        (("src/**",), "/src/a.py", False),
        (("src/**",), "/home/anna/src/a.py", False),
        (("*.py",), "/home/anna/a.py", True),
        (("/home/**",), "/home/anna/a.py", True),
        (("/home/**",), "/home/../etc/passwd", False),
        (("C:/projects/**",), "c:\\projects\\a.py", True),
        (("c:/projects/**",), "C:\\projects\\a.py", True),
        (("C:/projects/**",), "D:\\projects\\a.py", False),
        (("//server/share/**",), "\\\\server\\share\\a.py", True),
        (("./src/**",), "src/a.py", True),
        (("./*.py",), "a.py", True),
        (("./*.py",), "src/a.py", False),
        (("src/**",), "src/", True),
        (("src/**",), "src", False),
        (("src/**",), "/srv/shop/./src/a.py", True),
        (("/srv/shop/**",), "/srv/shop/./src/a.py", True),
        (("/srv/blog/**",), "/srv/shop/./src/a.py", False),
        (("src/**",), "/srv/shop/./lib/src/a.py", False),
        (("src/**", "!src/vendor/**"), "/srv/shop/./src/vendor/a.py", False),
        (("*.py", "!src/vendor/**"), "/srv/shop/./src/vendor/a.py", False),
        (("*.py", "!/srv/shop/**"), "/srv/shop/./src/a.py", False),
        (("!src/**",), "/srv/shop/./src/a.py", False),
        (("!src/**",), "/srv/shop/./lib/a.py", True),
        (("shop/**",), "/srv/shop/./../blog/a.py", False),
        (("/srv/blog/**",), "/srv/shop/./../blog/a.py", True),
        (("src/**",), "c:\\shop\\.\\src\\a.py", True),
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
def test_braces_that_expand_too_far_are_a_problem(globs: Sequence[str]) -> None:
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


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("", ""),
        (".", ""),
        ("./a/./b/", "a/b/"),
        ("a//b", "a/b"),
        ("a/..", ""),
        ("a/../..", ".."),
        ("../../a", "../../a"),
        ("/..", "/"),
        ("/../a", "/a"),
        ("///a", "/a"),
        ("//server/../a", "//a"),
        ("c:\\a\\..\\b", "C:/b"),
        ("C:\\..\\b", "C:/b"),
        ("~/a", "~/a"),
        (" a", " a"),
        ("/a/b/./c/./d/", "/a/b/./c/d/"),
        ("/a/./", "/a/"),
        ("/a/./../b", "/b"),
        ("/./a", "/a"),
    ],
)
def test_a_path_is_read_by_its_text_alone(path: str, normal: str) -> None:
    assert normal_path(path) == normal


@given(st.text("ab./\\:C~ ", max_size=20))
def test_reading_a_path_again_changes_nothing(path: str) -> None:
    once = normal_path(path)
    assert normal_path(once) == once


@given(st.text("ab./\\", max_size=20))
def test_no_way_leads_above_a_root_or_back_down_again(path: str) -> None:
    parts = normal_path(path).split("/")
    assert ".." not in parts or set(parts[: parts.count("..")]) == {".."}
    assert ".." not in normal_path(f"/{path}").split("/")


def test_what_names_the_path_most_closely_is_the_most_specific() -> None:
    path = "src/reverie/client.py"
    closest = ["src/**", "client.py", "src/reverie/*", "src/{reverie,tests}/client.py", path]
    order = ["!docs/**", "**", "*.py", *closest]
    found = [specificity([glob], path) for glob in order]
    assert found == sorted(found)
    assert len(set(found)) == len(order) - 1  # what covers everything names nothing, with or without a "!"


def test_of_several_globs_the_closest_counts() -> None:
    path = "src/a.py"
    assert specificity(["src/b.py", "*.py", "src/*"], path) == specificity(["src/*"], path)
