"""What models send, and what is made of it."""

from __future__ import annotations

import math

import pytest

from reverie.doors.mcp.parameters import GLOBS, NUMBER, TEXT, TEXTS, WHOLE, Parameter, read_arguments
from reverie.errors import InvalidInput

TAKES = {"content": TEXT, "tags": TEXTS, "scope": GLOBS, "weight": NUMBER, "most": WHOLE}


def read(**given: object) -> dict[str, object]:
    return read_arguments("memory_test", TAKES, ("content",), {"content": "x", **given})


def test_what_the_schema_asks_for_is_taken_as_it_is() -> None:
    given = {"tags": ["a", "b"], "scope": "src/**", "weight": 0.5, "most": 3}
    assert read(**given) == {"content": "x", **given, "tags": ("a", "b"), "scope": ("src/**",)}


@pytest.mark.parametrize(
    ("name", "sent", "meant"),
    [
        ("tags", "a", ("a",)),
        ("scope", ["a", "b"], ("a", "b")),
        ("weight", "0.9", 0.9),
        ("weight", 1, 1.0),
        ("most", "300", 300),
        ("most", 300.0, 300),
    ],
    ids=repr,
)
def test_what_models_send_instead_is_understood(name: str, sent: object, meant: object) -> None:
    assert read(**{name: sent})[name] == meant


def test_null_is_as_good_as_nothing() -> None:
    assert read(tags=None, weight=None) == {"content": "x"}


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("content", 5),
        ("content", ["x"]),
        ("content", {"text": "x"}),
        ("tags", 5),
        ("tags", ["a", 5]),
        ("tags", {"a": 1}),
        ("weight", True),
        ("weight", "much"),
        ("weight", math.nan),
        ("weight", "inf"),
        ("most", 2.5),
        ("most", [1]),
    ],
    ids=repr,
)
def test_what_can_not_be_meant_is_refused_by_the_arguments_name(name: str, sent: object) -> None:
    with pytest.raises(InvalidInput) as raised:
        read(**{name: sent})
    assert (raised.value.field, raised.value.remedy[:4]) == (name, "give")


def test_a_missing_argument_is_asked_for() -> None:
    with pytest.raises(
        InvalidInput, match="content: memory_test needs it; call memory_test again with content"
    ):
        read_arguments("memory_test", TAKES, ("content",), {"content": None})


def test_an_unknown_argument_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="it takes content, tags, scope, weight, most"):
        read(essence="x")


def test_a_tool_without_arguments_says_so() -> None:
    none: dict[str, Parameter] = {}
    with pytest.raises(InvalidInput, match="it takes no arguments"):
        read_arguments("memory_test", none, (), {"verbose": True})


def test_a_long_name_is_cut_and_a_value_never_shown() -> None:
    with pytest.raises(InvalidInput) as raised:
        read(**{"x" * 10_000: "s3cret"})
    assert len(str(raised.value)) < 300
    assert "s3cret" not in str(raised.value)
