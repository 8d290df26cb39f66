"""A diary note's body as lines that people and models read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from reverie.domain.diary_body import TEXT


def note_lines(body: Mapping[str, object]) -> Sequence[str]:
    """Return the text, then whatever else the body holds, a line each; what isn't text as JSON."""
    text = body.get(TEXT)
    said = [text] if isinstance(text, str) else []
    return said + [
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in body.items()
        if name != TEXT or not said
    ]
