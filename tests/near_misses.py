"""Near-misses: texts that lead a pattern on and let it down, made from the pattern itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_LETTERS = "a1 .-_@:/=\"'Z,\n<\u00e9\u2019!"
_NEVER = "\x00"
_MOST = 40
_FEW = 3


def near_misses(pattern: str, flags: int = 0) -> list[str]:
    """Give short texts that a hostile one repeats: each beginning of what the pattern matches, and the body of each of
    its repetitions.
    """
    tree = parser.parse(_as_python(pattern), flags)
    found = [*_beginnings(tree), *_bodies(tree)]
    return list(dict.fromkeys(text for text in found if text))[:_MOST]


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


def _bodies(tree: Sequence[Any]) -> Iterator[str]:
    """What each repetition repeats."""
    for kind, argument in tree:
        if kind in _REPEATS:
            body = "".join(_sample(item) for item in argument[2])
            yield body
            yield from _bodies(argument[2])
        elif kind is op.SUBPATTERN:
            yield from _bodies(argument[3])
        elif kind is op.ATOMIC_GROUP:
            yield from _bodies(argument)
        elif kind in {op.ASSERT, op.ASSERT_NOT}:
            yield from _bodies(argument[1])
        elif kind is op.BRANCH:
            for branch in argument[1]:
                yield from _bodies(branch)


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
