"""The public surface is a tested, sorted list."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import reverie


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
    assert (inspect.getdoc(getattr(reverie, name)) or "").strip()


@pytest.mark.parametrize("kind", [reverie.Reverie, reverie.Agent])
def test_every_public_verb_is_documented(kind: type) -> None:
    silent = [
        name
        for name, value in vars(kind).items()
        if not name.startswith("_") and callable(value) and not inspect.getdoc(value)
    ]
    assert silent == []


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
