"""What models are told, one prompt a file (``*.md``); what they are asked about comes between markers, as data."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind


@lru_cache
def prompt(name: str, *, words: int = 0) -> str:
    """A prompt by its name, with what it must know: our kinds and emotions, and how many words may be written."""
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    for key, value in (("kinds", ", ".join(Kind)), ("emotions", ", ".join(Emotion)), ("words", str(words))):
        text = text.replace(f"{{{key}}}", value)
    return text
