"""Here: a file's name as somebody gives it who works in the current folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import overload


@overload
def from_here(path: str) -> str: ...
@overload
def from_here(path: str | None) -> str | None: ...
def from_here(path: str | None) -> str | None:
    """Return a path as an absolute one that says with ``/./`` that its project begins here: scopes of either kind hold
    for it then. One that lies elsewhere or makes no sense stays as it is, and so does any where this folder is gone.
    """
    if not path or path != path.strip():
        return path
    try:
        here = Path.cwd()
    except OSError:
        return path
    whole = Path(os.path.normpath(here / path))  # resolve() would follow links
    if whole == here or not whole.is_relative_to(here):
        return path
    return f"{here}/./{whole.relative_to(here)}{'/' if path.endswith('/') else ''}"
