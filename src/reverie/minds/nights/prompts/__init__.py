"""What a model is told about nights and snippets, one prompt a file (``*.md``); what it is about comes between markers,
as data.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind


@lru_cache(128)
def prompt(name: str, *, package: str = __name__, words: int = 0) -> str:
    """Return a prompt of a package by its name, with our kinds and emotions and how many words may be written."""
    text = files(package).joinpath(f"{name}.md").read_text(encoding="utf-8")
    for key, value in (("kinds", ", ".join(Kind)), ("emotions", ", ".join(Emotion)), ("words", str(words))):
        text = text.replace(f"{{{key}}}", value)
    return text
