"""Places: where in our code an error came from, for logs that may hold no contents."""

from __future__ import annotations

import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def place_of(error: BaseException) -> str:
    """Return the file and line of ours where an error came from, such as ``services/recall/recall.py:120``; no
    contents.
    """
    frames = [
        (Path(frame.filename), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_PACKAGE)
    ]
    if not frames:
        return "a library"
    file, line = frames[-1]
    return f"{file.relative_to(_PACKAGE).as_posix()}:{line}"
