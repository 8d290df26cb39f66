"""Change Codex's TOML, with everything else in it as it was, comments too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from reverie.errors import InvalidInput


def changed(text: str | None, change: Callable[[Any], None]) -> str | None:
    """Return the text after a change of its document; None for a file that isn't there and stays empty. Raises
    InvalidInput.
    """
    try:
        document = tomlkit.parse(text or "")
    except (TOMLKitError, RecursionError) as error:
        where = f" in line {line}" if (line := getattr(error, "line", None)) else ""
        raise InvalidInput("file", f"it is no TOML{where}", "repair it first; nothing was changed") from None
    change(document)
    made = tomlkit.dumps(document)
    return None if not made.strip() and text is None else made
