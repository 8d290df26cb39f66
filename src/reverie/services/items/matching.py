"""Which items pass a filter, and which namespaces a pattern."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reverie.domain.item import Namespace, checked_value
from reverie.errors import InvalidInput
from reverie.errors.showing import undrawn

_ANY = "*"
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip
_OPERATORS = ("$eq", "$ne", *_ORDERS)


def checked_filter(value: object) -> Mapping[str, object]:
    """Return the filter; {} for None. Raise InvalidInput, also for an operator that isn't known."""
    wanted = {} if value is None else checked_value(value, "filter")
    for name, one in wanted.items():
        _check(one, f"filter.{undrawn(name)}"[:80])
    return wanted


def passes(value: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    """Return whether each field of the filter holds of the value's field of that name."""
    return all(_matches(value.get(name), one) for name, one in wanted.items())


def begins(namespace: Namespace, prefix: Sequence[str]) -> bool:
    """Return whether a namespace begins with these labels; "*" is any label."""
    return len(namespace) >= len(prefix) and all(
        want in (_ANY, label) for label, want in zip(namespace, prefix, strict=False)
    )


def _check(wanted: object, path: str) -> None:
    if isinstance(wanted, Mapping):
        compares = any(name.startswith("$") for name in wanted)
        if compares and not wanted.keys() <= set(_OPERATORS):
            raise InvalidInput(path, "its names are not all operators", f"use {', '.join(_OPERATORS)}")
        for one in wanted.values():
            _check(one, path)


def _matches(held: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(_compared(held, name, one) for name, one in wanted.items())
        return isinstance(held, Mapping) and all(
            _matches(held.get(name), one) for name, one in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(held, list) and len(held) == len(wanted) and all(map(_matches, held, wanted))
    return held == wanted


def _compared(held: object, name: str, wanted: object) -> bool:
    if name in _ORDERS:
        numbers = isinstance(held, int | float) and isinstance(wanted, int | float)
        return (numbers or (isinstance(held, str) and isinstance(wanted, str))) and _ORDERS[name](
            held, wanted
        )
    return (held == wanted) is (name == "$eq")
