"""Scope: which paths a memory's globs cover. Nothing is looked up on disk, so no link is followed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import bracex
from wcmatch import glob

from reverie.domain.text_cache import text_cache

_FLAGS = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX
MAX_EXPANSIONS = 200
MAX_GLOBSTARS = 3
_DRIVE = re.compile("[a-z]:/")
_ROOT = re.compile("(?:[A-Z]:)?/|")
_PROJECT = "/./"
_WILD = re.compile(r"\{[^{}]*\}|\[[^\]]{0,200}\]|[*?]")


def matches(globs: Sequence[str], path: str) -> bool:
    """Return whether a memory with these scope globs holds for ``path``.

    No globs: it holds everywhere. ``**`` crosses folders, ``*`` and ``?`` don't, ``{a,b}`` chooses, a
    leading ``!`` takes away from what the others cover (alone: from everything). A glob without a slash
    also covers that name in any folder, as in a .gitignore. The path is read as ``normal_path`` gives it: one that
    leads out of where it begins (``../a.py``) is covered by no wildcard, an absolute one by globs that are absolute
    or begin with ``**``; by those of a project, too, where ``/./`` says that the project begins there
    (``/srv/shop/./src/a.py``).
    """
    return not globs or _matches(tuple(globs), path)


def normal_path(path: str) -> str:
    """Return the path with slashes, without ``.`` and ``..`` as far as its own folders go, by its text alone.

    A drive's letter is written large, two slashes in front (a server's share) and one at the end (a folder) stay. So
    does the first ``/./`` of an absolute path that leads to something inside that folder.
    """
    posix = _drive_large(path.replace("\\", "/"))
    shared = posix.startswith("//") and posix[2:3] not in ("", "/")
    root = "//" if shared else _ROOT.match(posix)[0]  # type: ignore[index]  # it matches anything
    rest = posix[len(root) :]
    project, _, below = rest.partition(_PROJECT)
    above, inside = _steps(project, rooted=True), _steps(below, rooted=False)
    if root and above and inside and inside[0] != "..":
        kept = [*above, ".", *inside]
    else:
        kept = _steps(rest, rooted=root != "")
    end = "/" if kept and posix.endswith("/") else ""
    return root + "/".join(kept) + end


def _steps(path: str, *, rooted: bool) -> list[str]:
    """Return a path's folders and names, without ``.`` and ``..`` as far as its own folders go."""
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", ".") and (part != ".." or not rooted):  # above a root there is nothing
            kept.append(part)
    return kept


def specificity(globs: Sequence[str], path: str) -> tuple[int, int]:
    """Return how closely globs that cover the path name it: by the best of them, how many of its folders and names are
    written out, and how many characters. ``src/a.py`` names it more closely than ``src/**``, that more than ``*.py``.
    """
    found = [(0, 0)]
    for pattern in globs:
        if not pattern.startswith("!") and _matches((pattern,), path):
            literal = _WILD.sub("*", pattern)
            names = sum("*" not in part and part != "" for part in literal.split("/"))
            found.append((names, len(literal) - literal.count("*")))
    return max(found)


@text_cache(4096)
def _matches(globs: tuple[str, ...], path: str) -> bool:
    project, mark, inside = normal_path(path).partition(_PROJECT)
    names = (f"{project}/{inside}", inside) if mark else (project,)
    patterns = [_anywhere(pattern) for pattern in globs]
    taken = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    given = [pattern for pattern in patterns if not pattern.startswith("!")] or ["**"]
    return _any(names, given, _FLAGS | glob.NEGATE) and not _any(names, taken, _FLAGS)


def _any(names: Sequence[str], patterns: Sequence[str], flags: int) -> bool:
    # wcmatch counts the patterns of all globs, and the one that may have been put in front
    return any(glob.globmatch(name, patterns, flags=flags, limit=MAX_EXPANSIONS + 1) for name in names)


def _anywhere(pattern: str) -> str:
    sign, body = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    if "/" not in body:
        return f"{sign}**/{body}"
    return sign + _drive_large(body.removeprefix("./") or body)


def _drive_large(path: str) -> str:
    return path[0].upper() + path[1:] if _DRIVE.match(path) else path


def problem_of(globs: Sequence[str]) -> str | None:
    """Return what is wrong with a memory's globs, or None if they can be used: together they may expand to 200
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
