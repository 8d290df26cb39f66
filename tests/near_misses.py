"""Near-misses: texts that lead a pattern on and let it down, made from the pattern itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

# By name, as they are private: whether a type checker knows them depends on what else it reads.
op: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

_LETTERS = "a1 .-_@:/=\"'Z,\n<\u00e9\u2019!"
_NEVER = "\x00"
_MOST = 48


class NearMiss(NamedTuple):
    """A text that begins in one way and goes on in another, as long as it has to be."""

    begins: str
    repeats: str

    def text(self, size: int) -> str:
        """So many characters, and one that nothing expects."""
        return (self.begins + self.repeats * (size // len(self.repeats) + 1))[:size] + _NEVER


def near_misses(pattern: str, flags: int = 0) -> list[NearMiss]:
    """Give near-misses: each beginning of what the pattern matches, again and again; and the body of each of its
    repetitions, by itself and behind what leads to it.
    """
    tree = parser.parse(_as_python(pattern), flags)
    found = [*(NearMiss("", text) for text in _beginnings(tree)), *_bodies(tree, "")]
    kept = list(dict.fromkeys(one for one in found if one.repeats))
    return kept[: _MOST // 2] + kept[_MOST // 2 :][-_MOST // 2 :]


def _as_python(pattern: str) -> str:
    """A pattern of RE2's as one of Python's: flags in the middle are for samples of no matter."""
    plain = re.sub(r"\(\?-?[imsU]+\)", "", pattern).replace(r"\z", r"\Z").replace("[[:alnum:]]", "[a-z0-9]")
    return re.sub(r"\\x\{([0-9A-Fa-f]+)\}", lambda code: re.escape(chr(int(code[1], 16))), plain)


def _beginnings(tree: Sequence[Any]) -> Iterator[str]:
    """The beginnings of what a sequence matches, as short as they can be."""
    for end in range(1, len(tree) + 1):
        for longer in (False, True):
            yield "".join(_sample(item, longer=longer) for item in tree[:end])
    for kind, argument in tree:
        if kind is op.BRANCH:
            for branch in argument[1]:
                yield from _beginnings(branch)
        elif kind is op.SUBPATTERN:
            yield from _beginnings(argument[3])
        elif kind in {op.ASSERT, op.ASSERT_NOT}:
            yield from _beginnings(argument[1])


def _bodies(tree: Sequence[Any], begins: str) -> Iterator[NearMiss]:
    """What each repetition repeats, by itself and behind what a text begins with in front of it."""
    for item in tree:
        for inner in _inner(item):
            if item[0] in _REPEATS:
                body = "".join(map(_sample, inner))
                yield NearMiss("", body)
                yield NearMiss(begins, body)
            yield from _bodies(inner, begins)
        begins += _sample(item)


def _inner(item: tuple[Any, Any]) -> list[Sequence[Any]]:
    """The sequences that an item holds."""
    kind, argument = item
    if kind in _REPEATS:
        return [argument[2]]
    if kind is op.SUBPATTERN:
        return [argument[3]]
    if kind is op.ATOMIC_GROUP:
        return [argument]
    if kind in {op.ASSERT, op.ASSERT_NOT}:
        return [argument[1]]
    return list(argument[1]) if kind is op.BRANCH else []


_REPEATS = frozenset({op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT})


def _sample(item: tuple[Any, Any], *, longer: bool = False) -> str:
    """A text that an item of a pattern matches, with one turn more of what repeats where it is to be longer."""
    kind, argument = item
    if kind is op.LITERAL:
        return chr(int(argument))
    if kind in {op.NOT_LITERAL, op.IN, op.ANY}:
        return _letter(item)
    if kind in _REPEATS:
        least, most, body = argument
        turns = int(min(least + longer, most, least + 1, 50))
        return "".join(_sample(one, longer=longer) for one in body) * turns
    if kind is op.SUBPATTERN:
        return "".join(_sample(one, longer=longer) for one in argument[3])
    if kind is op.ATOMIC_GROUP:
        return "".join(_sample(one, longer=longer) for one in argument)
    if kind is op.BRANCH:
        return "".join(_sample(one, longer=longer) for one in argument[1][0])
    return ""


def _letter(item: tuple[Any, Any]) -> str:
    """A character of a class: one of a few that texts have, or whatever it names first."""
    compiled = _compiled(item)
    for letter in _LETTERS:
        if compiled.match(letter):
            return letter
    kind, argument = item
    for part, value in argument if kind is op.IN else ():
        if part is op.LITERAL:
            return chr(value)
        if part is op.RANGE:
            return chr(value[0])
    return _NEVER


def _compiled(item: tuple[Any, Any]) -> re.Pattern[str]:
    from re import _compiler  # type: ignore[attr-defined]

    state = parser.State()
    tree = parser.SubPattern(state, [item])
    compiled: re.Pattern[str] = _compiler.compile(tree)
    return compiled
