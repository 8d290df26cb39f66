"""Wire: a verb's parameters and results as JSON has them, from its signature."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    TypeAdapter,
    create_model,
)

from reverie.domain.draft import Draft
from reverie.domain.item import ItemChange
from reverie.domain.room import RoomView

T = TypeVar("T")
_MANY = (Sequence, Iterable, Iterator, list, tuple, frozenset)
_HERE = ("tokens", "on_progress", "stop")
"""Parameters for the caller's own process: functions and events."""
_OURS = ("quoted", "needs_review")
"""Fields of a draft that only capture and minds fill."""
_OBJECTS = (Union, types.UnionType, Mapping)
_PLAIN = {int: StrictInt, float: StrictFloat | StrictInt, bool: StrictBool, str: StrictStr}
_STRICT = ConfigDict(extra="forbid")


class Page(BaseModel, Generic[T]):
    """Some of a list. `next` is what the parameter `after` (`before` or `offset`, where there is that) of the following
    page has; null at the end.
    """

    items: list[T]
    next: str | None = None


class Value(BaseModel, Generic[T]):
    """A result that is a plain value."""

    result: T


class Parameter:
    """A verb's parameter as a client sends it."""

    def __init__(self, name: str, hint: Any, default: Any) -> None:
        self.name = name
        self.hint = given(name, hint)
        self.required = default is inspect.Parameter.empty
        self.default = None if isinstance(default, tuple | None) else default
        self.is_list = any(get_origin(one) is list for one in (self.hint, *get_args(self.hint)))


def parameters(verb: Callable[..., Any], takes: Sequence[str] | None) -> list[Parameter]:
    """Return what a client may send, in order."""
    hints = hints_of(verb)
    return [
        Parameter(name, hints[name], one.default)
        for name, one in inspect.signature(verb).parameters.items()
        if name not in ("self", *_HERE) and (takes is None or name in takes)
    ]


def hints_of(verb: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the annotations of a verb."""
    return get_type_hints(verb, include_extras=True)


def given(name: str, hint: Any) -> Any:
    """Return the type of what a client sends for a parameter of this annotation."""
    match name:
        case "messages":
            return (
                str
                | dict[str, Any]
                | list[str | dict[str, Any]]
                | (None if _optional(hint) else dict[str, Any])
            )
        case "source":  # no path: it would be a file of the server's
            return dict[str, Any] | list[dict[str, Any]]
        case "lines":
            return list[dict[str, Any]]
        case _:
            return _narrowed(hint)


def exactly(hint: Any) -> Any:
    """Return the type for a body, where "3" is no number; in a query it is one."""
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(exactly(one) for one in get_args(hint))]  # noqa: UP007
    if get_origin(hint) is list:
        return list[exactly(get_args(hint)[0])]  # type: ignore[misc]
    return _PLAIN.get(hint, hint)


def _optional(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _narrowed(hint: Any) -> Any:
    """Return one plain JSON type where the verb takes several for a caller's convenience."""
    if get_origin(hint) in (Union, types.UnionType):
        return _of_union([one for one in get_args(hint) if get_origin(one) is not Callable_])
    origin = get_origin(hint)
    if origin in _MANY or hint in _MANY:
        inner = [one for one in get_args(hint) if one is not Ellipsis] or [Any]
        return list[_narrowed(inner[0])]  # type: ignore[misc]
    if origin in (dict, Mapping) or hint is Mapping:
        return dict[str, Any]
    if hint in (Draft, ItemChange):
        return typed(hint)
    if hint is object:
        return Any
    if hint in (datetime, date):
        return str
    return hint


Callable_ = get_origin(Callable[[], None])


def _of_union(members: list[Any]) -> Any:
    optional = type(None) in members
    some = [one for one in members if one is not type(None)]
    lists = [one for one in some if get_origin(one) in _MANY]
    enums = [one for one in some if isinstance(one, type) and issubclass(one, Enum)]
    if enums and lists:
        some = [list[enums[0]]]  # type: ignore[valid-type]
    elif lists and str in some:
        some = [lists[0]]
    elif enums:
        some = enums
    elif datetime in some or date in some:
        some = [str]
    elif any(one in (Draft, ItemChange) for one in some):
        some = [one for one in some if get_origin(one) is not Mapping]
    found = tuple(dict.fromkeys(_narrowed(one) for one in some))
    if optional:
        found += (type(None),)
    return Union[found]  # noqa: UP007  # made at run time


@cache
def typed(cls: type[Any]) -> type[BaseModel]:
    """Return a model with a dataclass's fields, for clients that send one."""
    hints = get_type_hints(cls, include_extras=True)
    made: dict[str, Any] = {}
    for one in fields(cls):
        if one.name not in _OURS:
            required = one.default is one.default_factory  # both are MISSING
            default = one.default if isinstance(one.default, str | int | float | bool | None) else None
            made[one.name] = (exactly(_narrowed(hints[one.name])), ... if required else default)
    return create_model(cls.__name__, __config__=_STRICT, __doc__=cls.__doc__, **made)


def sent(value: Any) -> Any:
    """Return what a client sent as the verb takes it."""
    match value:
        case BaseModel():
            return {name: sent(getattr(value, name)) for name in value.model_fields_set}
        case list():
            return [sent(one) for one in value]
        case _:
            return value


class Result:
    """A verb's result as JSON."""

    def __init__(self, verb: Callable[..., Any]) -> None:
        hint = hints_of(verb).get("return", type(None))
        names = inspect.signature(verb).parameters
        self._limit: int = names["limit"].default if "limit" in names else 0
        self.cursor = next((name for name in ("after", "before", "offset") if name in names), None)
        self._made: Callable[[Any, Mapping[str, Any]], Any] = lambda value, _: value
        if hint is type(None):
            self.model: Any = None
            return
        if get_origin(hint) in (Sequence, tuple) and (inner := get_args(hint)[0]):
            self.model = Page[_told(inner)]  # type: ignore[misc]
            self._made = self._page
        elif is_dataclass(hint) or is_dataclass(get_origin(hint)) or get_origin(hint) in _OBJECTS:
            self.model = _told(hint)
        else:
            self.model = Value.__class_getitem__(hint)
            self._made = lambda value, _: Value.model_construct(result=value)
        self._adapter = TypeAdapter(self.model)
        self._tags = _is_several(hint) or any(map(_is_several, get_args(hint)))

    def json(self, value: Any, given: Mapping[str, Any] = MappingProxyType({})) -> bytes:
        """Return it as a document. ``given``: the parameters that the verb had."""
        if self.model is None:
            return b""
        return self._adapter.dump_json(self._made(_telling(value) if self._tags else value, given))

    def _page(self, value: Sequence[Any], given: Mapping[str, Any]) -> Any:
        following = None
        if self.cursor is not None and value and len(value) >= given.get("limit", self._limit):
            behind = given.get("offset", 0) + len(value)
            following = str(behind) if self.cursor == "offset" else _id_of(value[-1])
        return Page.model_construct(items=list(value), next=following)


def _id_of(one: Any) -> str:
    """Return what the following page is asked by: a conversation's id, for a room."""
    found: str = one.conversation.id if isinstance(one, RoomView) else one.id
    return found


def _is_several(hint: Any) -> bool:
    """Return whether it is a union of dataclasses."""
    return sum(map(is_dataclass, get_args(hint))) > 1 and get_origin(hint) in (Union, types.UnionType)


def _told(hint: Any) -> Any:
    """Return the type of a result, where a union's members say which they are."""
    if not _is_several(hint):
        return hint
    return Union[tuple(one if one is type(None) else tagged(one) for one in get_args(hint))]  # noqa: UP007


_TAGGED: dict[type[Any], type[BaseModel]] = {}


def tagged(cls: type[Any]) -> type[BaseModel]:
    """Return a model with a dataclass's fields and its name as ``type``."""
    if cls not in _TAGGED:
        name = cls.__name__.lower()
        hints = get_type_hints(cls, include_extras=True)
        made: dict[str, Any] = {one.name: (hints[one.name], ...) for one in fields(cls)}
        made["type"] = (Literal[name], name)
        _TAGGED[cls] = create_model(cls.__name__, __doc__=cls.__doc__, **made)
    return _TAGGED[cls]


def _telling(value: Any) -> Any:
    """Return a union's member as the model that says which it is."""
    if isinstance(value, list | tuple):
        return [_telling(one) for one in value]
    model = _TAGGED.get(type(value))
    if model is None:
        return value
    held = {one.name: getattr(value, one.name) for one in fields(value)}
    return model.model_construct(type=type(value).__name__.lower(), **held)
