"""The tree of errors."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from reverie import errors
from reverie.domain.ids import checked_name
from reverie.errors.places import place_of
from reverie.errors.showing import typed

ALL = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.ReverieError)
]


@pytest.mark.parametrize(
    ("value", "told"),
    [(7, "an int"), ([], "a list"), (None, "None"), (KeyError(), "a KeyError"), (OSError(), "an OSError")],
)
def test_a_type_is_named_with_its_article(value: object, told: str) -> None:
    assert typed(value) == told


def an_error(kind: type[errors.ReverieError]) -> errors.ReverieError:
    wanted = [p for p in inspect.signature(kind.__init__).parameters.values() if p.default is p.empty][1:]
    named = [p for p in wanted if p.kind is not p.VAR_POSITIONAL and p.kind is not p.VAR_KEYWORD]
    return kind(*(7 if p.annotation in ("int", "float") else f"a {p.name}" for p in named))


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_an_error_survives_pickling_with_its_text_and_attributes(kind: type[errors.ReverieError]) -> None:
    error = an_error(kind)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert str(back) == str(error)
    assert vars(back) == vars(error)


def test_every_error_stands_in_the_tree_of_the_docstring() -> None:
    assert {kind.__name__ for kind in ALL} == {
        word for line in (errors.__doc__ or "").splitlines() for word in line.split() if word in vars(errors)
    }


def test_an_errors_place_is_in_our_code_and_says_nothing_else() -> None:
    with pytest.raises(errors.InvalidInput) as raised:
        checked_name(5, "agent")
    assert re.fullmatch(r"domain/ids\.py:\d+", place_of(raised.value))
    assert place_of(KeyError("never raised")) == "a library"
