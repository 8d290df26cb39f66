"""Every compiled pattern of the package, found by itself: what modules hold, however deep, what objects make at their
first use, and what functions compile in passing. Nothing is listed by name, so a new pattern can't be left out.
"""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import BuiltinMethodType, FunctionType, ModuleType

import re2

import reverie

ANCHORED = frozenset({"match", "fullmatch"})
_READS = ANCHORED | {"search", "findall", "finditer", "split", "sub", "subn"}
_Remembering = type(lru_cache(str))
_UNKNOWN = "x"
"""What stands for a value that is known only when a function runs."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A pattern, the module in which it was found, and whether it only ever reads from the beginning of a text."""

    pattern: re.Pattern[str] | re2._Regexp
    module: str
    anchored: bool


def modules() -> list[ModuleType]:
    """Every module of the package, imported, but the one that needs crewai, which no other SDK can stand beside."""
    names = [one.name for one in pkgutil.walk_packages(reverie.__path__, "reverie.")]
    return [
        importlib.import_module(name) for name in names if not name.endswith(("__main__", "adapters.crewai"))
    ]


@cache
def patterns() -> Sequence[Reading]:
    """Every pattern that reads texts, each once."""
    every = modules()
    trees = {module.__name__: _nodes(module) for module in every}
    uses = _uses(trees)
    found: dict[tuple[object, ...], Reading] = {}
    # The namespaces of other modules are looked through as theirs.
    seen: dict[int, object] = {id(vars(module)): module for module in every}
    for module in every:
        for name, value in vars(module).items():
            if isinstance(value, BuiltinMethodType) and isinstance(value.__self__, re.Pattern):
                _keep(found, Reading(value.__self__, module.__name__, value.__name__ in ANCHORED))
            elif isinstance(value, re.Pattern | re2._Regexp):
                anchored = uses.get((module.__name__, name), set()) <= ANCHORED
                _keep(found, Reading(value, module.__name__, anchored))
            else:
                for pattern in _within(value, seen):
                    _keep(found, Reading(pattern, module.__name__, anchored=False))
        for reading in _in_passing(module, trees[module.__name__]):
            _keep(found, reading)
    return list(found.values())


def _nodes(module: ModuleType) -> list[ast.AST]:
    return [*ast.walk(ast.parse(inspect.getsource(module)))]


def _keep(found: dict[tuple[object, ...], Reading], one: Reading) -> None:
    """One that is searched with anywhere counts as such."""
    if not isinstance(one.pattern.pattern, str):
        return
    key = (type(one.pattern), one.pattern.pattern, getattr(one.pattern, "flags", 0))
    if key not in found or found[key].anchored:
        found[key] = one


def _within(value: object, seen: dict[int, object]) -> Iterator[re.Pattern[str] | re2._Regexp]:
    """The patterns that a module's value holds, or makes when it is first asked, and that nobody has seen."""
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, ModuleType | str | bytes | int | float):
            continue
        if isinstance(one, re.Pattern | re2._Regexp):
            yield one
        elif not isinstance(one, type | FunctionType) or (one.__module__ or "").startswith("reverie"):
            seen[id(one)] = one  # kept, so that no other gets its id
            waiting += gc.get_referents(one)
            waiting += _made_late(one)


def _made_late(one: object) -> Iterator[object]:
    """What an object of ours makes at its first use; what a function without arguments remembers of its first call."""
    if type(one).__module__.startswith("reverie"):
        for name, attribute in inspect.getmembers_static(type(one)):
            if isinstance(attribute, cached_property):
                yield getattr(one, name)
    if isinstance(one, _Remembering) and _is_ours_without_arguments(one):
        yield one()


def _is_ours_without_arguments(function: Callable[..., object]) -> bool:
    return function.__module__.startswith("reverie") and not inspect.signature(function).parameters


# How a pattern is used ------------------------------------------------------------------------------------------------
def _uses(trees: Mapping[str, Sequence[ast.AST]]) -> dict[tuple[str, str], set[str]]:
    """By module and name, the methods that are called on it anywhere; "?" where it is handed on."""
    homes: dict[tuple[str, str], tuple[str, str]] = {}
    uses: dict[tuple[str, str], set[str]] = {}
    for name, nodes in trees.items():
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                homes.update({(name, one.asname or one.name): (node.module, one.name) for one in node.names})
    for name, nodes in trees.items():
        called = {
            id(node.value): node.attr
            for node in nodes
            if isinstance(node, ast.Attribute) and node.attr in _READS
        }
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                uses.setdefault(homes.get((name, node.id), (name, node.id)), set()).add(
                    called.get(id(node), "?")
                )
            elif isinstance(node, ast.Attribute) and id(node) in called and isinstance(node.value, ast.Name):
                where = homes.get((name, node.value.id))
                if where is not None:  # module.NAME.search(…)
                    uses.setdefault((".".join(where), node.attr), set()).add(called[id(node)])
    return uses


def _in_passing(module: ModuleType, nodes: Iterable[ast.AST]) -> Iterator[Reading]:
    """The patterns that functions compile as they run; what is known only then is a letter."""
    for function in nodes:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in _READS | {"compile"}
            ):
                flags = re.IGNORECASE if "re.I" in ast.unparse(node) else 0
                with suppress(
                    re.error
                ):  # half a pattern: what it is put together from is found where it stands
                    text = _said(node.args[0], module)
                    if text is not None:
                        yield Reading(re.compile(text, flags), module.__name__, node.func.attr in ANCHORED)


def _said(node: ast.expr, module: ModuleType) -> str | None:
    """A pattern as a function writes it; None for one that it was given: that is found where it was written."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr():
            return "".join(_part(part, module) for part in node.values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = (_said(left, module), _said(right, module))
            return None if None in parts else "".join(part or "" for part in parts)
        case _:
            return None


def _part(node: ast.expr, module: ModuleType) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    try:
        return str(eval(ast.unparse(getattr(node, "value", node)), dict(vars(module))))
    except (NameError, AttributeError):
        return _UNKNOWN
