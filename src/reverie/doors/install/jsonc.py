"""Change JSON files that people write: what isn't changed stays as it is, comments and trailing commas too.

A document is read into nodes that know where they stand in the text; a change replaces a piece of the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from reverie.errors import InvalidInput

Path: TypeAlias = tuple[str, ...]

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_INDENT = re.compile(r"\n([ \t]+)\"")
_MOST_DEPTH = 200


@dataclass(kw_only=True)
class _Node:
    """A value: where it stands, and of an object or a list what is in it. ``key_start``: where a member begins."""

    start: int
    end: int
    value: Any
    key: str | None = None
    key_start: int
    children: list[_Node] = field(default_factory=list)


class Document:
    """A JSON text, with comments or without."""

    def __init__(self, text: str) -> None:
        """Raises InvalidInput where it is no JSON object."""
        self.text = text if _BLANK.fullmatch(text) is None else text + "{}"
        self._root = _Reader(self.text).document()
        if not isinstance(self._root.value, dict):
            raise InvalidInput("file", "it holds no JSON object", "repair it first")
        found = _INDENT.search(self.text)
        self._indent = found[1] if found else "  "

    @property
    def value(self) -> dict[str, Any]:
        """What it says, as Python values."""
        return dict(self._root.value)

    def get(self, path: Path) -> Any:
        """Return the value at that path; None where there is none."""
        value: Any = self._root.value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def set(self, path: Path, value: object) -> None:
        """Put a value at that path; objects on the way are made. Raises InvalidInput where something else is there."""
        node = self._root
        for depth, key in enumerate(path):
            if not isinstance(node.value, dict):
                raise _kind(path[:depth], "no object")
            child = next((one for one in node.children if one.key == key), None)
            if child is None:
                for missing in reversed(path[depth + 1 :]):
                    value = {missing: value}
                self._insert(node, depth, f"{json.dumps(key)}: {self._dumped(value, depth + 1)}")
                return
            node = child
        self._replace(node.start, node.end, self._dumped(value, len(path)))

    def append(self, path: Path, value: object) -> None:
        """Add an item to the list at that path, which is made if there is none. Raises InvalidInput."""
        node = self._find(path)
        if node is None:
            self.set(path, [value])
        elif not isinstance(node.value, list):
            raise _kind(path, "no list")
        else:
            self._insert(node, len(path), self._dumped(value, len(path) + 1))

    def remove(self, path: Path, *places: int) -> None:
        """Remove what is at that path, or of the list there the item at that place; deeper places lead on through
        members of the name ``hooks``. Nothing happens where there is nothing.
        """
        node, above = self._find(path), self._find(path[:-1])
        for step, place in enumerate(places):
            if step and node is not None:
                node = next((one for one in node.children if one.key == "hooks"), None)
            if node is None or place >= len(node.children):
                return
            above, node = node, node.children[place]
        if node is None or above is None or node is self._root:
            return
        self._cut(above, above.children.index(node))

    def _cut(self, above: _Node, at: int) -> None:
        """Take a child and its comma away, and leave comments where they are."""
        node, text = above.children[at], self.text
        comma = _BLANK.match(text, node.end)
        end = comma.end() if comma is not None and text[comma.end() : comma.end() + 1] == "," else None
        if end is not None:
            rest = text[end + 1 :]
            gap = rest[: len(rest) - len(rest.lstrip())] if at + 1 < len(above.children) else ""
            head, tail = text[: node.key_start], text[node.end : end] + rest[len(gap) :]
            self._become(head + tail if gap else _joined(head, tail))
        elif at:
            before = above.children[at - 1].end
            between = text[before : node.key_start]
            self._become(text[:before] + _joined(_without_comma(between), text[node.end :]))
        else:
            comments, rest = text[above.start + 1 : node.key_start], text[node.end : above.end - 1]
            inner = comments.rstrip() + rest
            after = text[above.end - 1 :]
            self._become(
                text[: above.start + 1] + (_joined(comments, rest + after) if inner.strip() else after)
            )

    def _find(self, path: Path) -> _Node | None:
        node: _Node | None = self._root
        for key in path:
            node = None if node is None else next((one for one in node.children if one.key == key), None)
        return node

    def _insert(self, node: _Node, depth: int, text: str) -> None:
        """Put a member or an item behind the last one."""
        step = "\n" + self._indent * (depth + 1)
        if not node.children:
            end = "\n" + self._indent * depth
            inner = self.text[node.start + 1 : node.end - 1].rstrip()  # comments alone
            self._replace(node.start + 1, node.end - 1, f"{inner}{step}{text}{end}")
            return
        last = node.children[-1].end
        self._replace(last, last, f",{step}{text}")

    def _dumped(self, value: object, depth: int) -> str:
        lines = json.dumps(value, indent=self._indent, ensure_ascii=False).split("\n")
        return ("\n" + self._indent * depth).join(lines)

    def _replace(self, start: int, end: int, text: str) -> None:
        self._become(self.text[:start] + text + self.text[end:])

    def _become(self, text: str) -> None:
        self.text, self._root = text, _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def document(self) -> _Node:
        node = self._value(0)
        self._blank()
        if self._at != len(self._text):
            raise self._broken("more text follows its end")
        return node

    def _value(self, depth: int) -> _Node:
        if depth > _MOST_DEPTH:
            raise self._broken("it is nested too deeply")
        self._blank()
        start = self._at
        if self._text[start : start + 1] in ("{", "["):
            return self._container(start, depth)
        found = _STRING.match(self._text, start) or _SCALAR.match(self._text, start)
        if found is None:
            raise self._broken("no value")
        self._at = found.end()
        return _Node(start=start, end=self._at, value=self._loaded(found[0]), key_start=start)

    def _container(self, start: int, depth: int) -> _Node:
        is_object = self._text[start] == "{"
        node = _Node(start=start, end=start, value={} if is_object else [], key_start=start)
        self._at += 1
        while True:
            self._blank()
            if self._took("}" if is_object else "]"):
                node.end = self._at
                return node
            if node.children and not self._separated():
                continue
            node.children.append(self._member(node, depth) if is_object else self._item(node, depth))

    def _separated(self) -> bool:
        """Read the comma between two; False where the end follows it."""
        if not self._took(","):
            raise self._broken("a comma is missing")
        self._blank()
        return self._text[self._at : self._at + 1] not in ("}", "]")

    def _member(self, node: _Node, depth: int) -> _Node:
        key_start = self._at
        found = _STRING.match(self._text, key_start)
        if found is None:
            raise self._broken("no name in quotes")
        key = str(self._loaded(found[0]))
        if key in node.value:
            raise self._broken("a name stands twice in one object")
        self._at = found.end()
        self._blank()
        if not self._took(":"):
            raise self._broken("a colon is missing")
        child = self._value(depth + 1)
        child.key, child.key_start = key, key_start
        node.value[key] = child.value
        return child

    def _item(self, node: _Node, depth: int) -> _Node:
        child = self._value(depth + 1)
        node.value.append(child.value)
        return child

    def _loaded(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            raise self._broken("no value") from None

    def _took(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._at += len(sign)
        return True

    def _blank(self) -> None:
        found = _BLANK.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _broken(self, what: str) -> InvalidInput:
        line = self._text.count("\n", 0, self._at) + 1
        return InvalidInput(
            "file", f"it is no JSON: {what} in line {line}", "repair it first; nothing was changed"
        )


def _joined(head: str, tail: str) -> str:
    """Return both without what is blank between them, but for the line's end that a comment needs."""
    short = head.rstrip()
    is_open = "//" in short.rpartition("\n")[2] and tail.lstrip(" \t\r")[:1] != "\n"
    return f"{short}\n{tail}" if is_open else short + tail


def _without_comma(between: str) -> str:
    """Return what stands between two children without the comma, which may stand behind comments."""
    found = _BLANK.match(between)
    at = 0 if found is None else found.end()
    return between[:at] + between[at + 1 :]


def _kind(path: Path, what: str) -> InvalidInput:
    return InvalidInput(".".join(path) or "file", f"there is {what}", "repair it first; nothing was changed")
