"""Scope: which paths a memory's globs cover."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import bracex
from wcmatch import glob

_FLAGS = glob.GLOBSTAR | glob.BRACE | glob.NEGATE | glob.DOTGLOB | glob.FORCEUNIX
MAX_EXPANSIONS = 200
MAX_GLOBSTARS = 3


def matches(globs: Sequence[str], path: str) -> bool:
    """Whether a memory with these scope globs holds for ``path``.

    No globs: it holds everywhere. ``**`` crosses folders, ``*`` and ``?`` don't, ``{a,b}`` chooses, a
    leading ``!`` takes away from what the others cover (alone: from everything). A glob without a slash
    also covers that name in any folder, as in a .gitignore. Backslashes in ``path`` count as slashes.
    Nothing is looked up on disk.
    """
    return not globs or _matches(tuple(globs), path)


@lru_cache(maxsize=4096)
def _matches(globs: tuple[str, ...], path: str) -> bool:
    posix = path.replace("\\", "/")
    while posix.startswith("./"):
        posix = posix[2:]
    patterns = [_anywhere(pattern) for pattern in globs]
    if all(pattern.startswith("!") for pattern in patterns):
        patterns.insert(0, "**")
    # wcmatch counts the patterns of all globs, and the one that may have been put in front
    return bool(glob.globmatch(posix, patterns, flags=_FLAGS, limit=MAX_EXPANSIONS + 1))


def _anywhere(pattern: str) -> str:
    sign, body = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    return f"{sign}{body}" if "/" in body else f"{sign}**/{body}"


def problem_of(globs: Sequence[str]) -> str | None:
    """What is wrong with a memory's globs, or None if they can be used: together they may expand to 200
    patterns, and each may cross folders 3 times (matching takes exponential time in the number of ``**``).
    """
    patterns = 0
    for pattern in globs:
        if pattern.count("**") > MAX_GLOBSTARS:
            return f"a glob has more than {MAX_GLOBSTARS} **"
        try:
            patterns += len(bracex.expand(_anywhere(pattern), keep_escapes=True, limit=MAX_EXPANSIONS))
        except bracex.ExpansionLimitException:
            patterns = MAX_EXPANSIONS + 1
        if patterns > MAX_EXPANSIONS:
            return f"the globs expand to more than {MAX_EXPANSIONS} patterns"
    return None
