"""The public surface is a tested, sorted list."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import os
import re
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numpy.typing import NDArray

import reverie
from reverie.agent.base import Base


def test_the_list_is_sorted() -> None:
    assert sorted(set(reverie.__all__)) == reverie.__all__


def test_nothing_else_is_public() -> None:
    others = {
        name
        for name, value in vars(reverie).items()
        if not name.startswith("_") and name not in reverie.__all__ and not isinstance(value, ModuleType)
    }
    assert others - {"TYPE_CHECKING"} == set()


@pytest.mark.parametrize("name", [name for name in reverie.__all__ if name != "__version__"])
def test_every_public_name_is_documented(name: str) -> None:
    if inspect.isclass(getattr(reverie, name)):
        assert (inspect.getdoc(getattr(reverie, name)) or "").strip()
    else:  # an alias has no docstring of its own
        reference = (Path(__file__).parent.parent / "docs" / "reference.md").read_text("utf-8")
        assert re.search(rf"^- `{name} = .+`: [A-Z]", reference, re.M)


@pytest.mark.parametrize("kind", [reverie.Reverie, reverie.Agent])
def test_every_public_verb_is_documented(kind: type) -> None:
    silent = [
        name
        for name, value in vars(kind).items()
        if not name.startswith("_") and callable(value) and not inspect.getdoc(value)
    ]
    assert silent == []


def _types(hint: Any) -> Iterator[type]:
    """Our own classes in an annotation, also inside unions, sequences and functions."""
    for inner in typing.get_args(hint):
        yield from (one for each in (inner if isinstance(inner, list) else [inner]) for one in _types(each))
    kind = typing.get_origin(hint) or hint
    if isinstance(kind, type) and kind.__module__.startswith("reverie"):
        yield kind


def _verbs() -> Iterator[tuple[str, Callable[..., object]]]:
    facets = {
        one
        for _, facet in inspect.getmembers(reverie.Agent, _is_property)
        for one in _types(_hints(facet.fget)["return"])
        if issubclass(one, Base)
    }
    for kind in [reverie.Reverie, reverie.Agent, reverie.Room, reverie.Worker, *sorted(facets, key=str)]:
        for name, verb in inspect.getmembers(kind):
            if not name.startswith("_"):
                function: Any = verb.fget if isinstance(verb, property) else verb
                yield f"{kind.__name__}.{name}", function


def _is_property(member: object) -> bool:
    return isinstance(member, property)


def _hints(verb: Callable[..., object]) -> dict[str, Any]:
    return typing.get_type_hints(inspect.unwrap(getattr(verb, "__func__", verb)))


def test_every_type_that_a_verb_takes_or_returns_is_public() -> None:
    public = {getattr(reverie, name) for name in reverie.__all__}
    todo, seen, hidden = [*_verbs()], set[object](), set[str]()
    while todo:
        where, holder = todo.pop()
        for kind in {one for hint in _hints(holder).values() for one in _types(hint)} - seen:
            seen.add(kind)
            if kind not in public:
                hidden.add(f"{kind.__module__}.{kind.__name__} of {where}")
            if dataclasses.is_dataclass(kind):
                todo.append((kind.__name__, kind))
    assert len(seen) > 80
    assert hidden == set()


def _written(kind: type) -> Iterator[tuple[str, str, object]]:
    """Each name in the annotations of a class's public methods, with what it means where it is written."""
    for name, member in inspect.getmembers_static(kind):
        plain = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(plain):
            continue
        for function in {plain, inspect.unwrap(plain)}:
            for annotation in function.__annotations__.values():
                for node in ast.walk(ast.parse(annotation)):
                    if isinstance(node, ast.Name):
                        yield f"{kind.__name__}.{name}", node.id, function.__globals__.get(node.id)


def _is_foreign(meaning: object) -> bool:
    """Whether it is no type of ours: of the standard library or numpy, a variable, or an alias of literals, which
    are written out.
    """
    if meaning is None or isinstance(meaning, ModuleType | typing.TypeVar | typing.ParamSpec):
        return True
    if typing.get_origin(meaning) is typing.Literal or meaning in (typing.Any, typing.Concatenate, NDArray):
        return True
    return isinstance(meaning, type) and not meaning.__module__.startswith("reverie")


def test_every_name_in_a_public_signature_is_public() -> None:
    classes = [kind for name in reverie.__all__ if isinstance(kind := getattr(reverie, name), type)]
    seen = {
        written for kind in classes if kind.__module__.startswith("reverie") for written in _written(kind)
    }
    ours = {(where, name, meaning) for where, name, meaning in seen if not _is_foreign(meaning)}
    assert {name for _, name, _ in ours} >= {
        "Moment",
        "Remembered",
        "AsyncSoul",
        "AsyncRoom",
        "Opening",
        "Clock",
    }
    public = [getattr(reverie, name) for name in reverie.__all__]
    assert {f"{name} of {where}" for where, name, meaning in ours if meaning not in public} == set()


@pytest.mark.parametrize("verb", [*_verbs()], ids=lambda verb: verb[0])
def test_no_verb_takes_keywords_that_have_no_type(verb: tuple[str, Callable[..., object]]) -> None:
    for parameter in inspect.signature(verb[1]).parameters.values():
        assert parameter.kind is not parameter.VAR_KEYWORD


def test_every_error_is_a_reverie_error_and_public() -> None:
    from reverie import errors

    tree = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__.startswith(errors.__name__)
    }
    assert all(issubclass(getattr(errors, name), reverie.ReverieError) for name in tree)
    assert tree <= set(reverie.__all__)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    from reverie import errors

    drawn = errors.__doc__ or ""
    assert [
        name for name, value in vars(errors).items() if isinstance(value, type) and name not in drawn
    ] == []


def test_importing_reverie_loads_no_model_runtime_and_no_door() -> None:
    heavy = ("onnxruntime", "typer", "rich", "keyring", "snowballstemmer")
    program = f"import sys, reverie; print(*[name for name in {heavy!r} if name in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": str(Path(reverie.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == []
