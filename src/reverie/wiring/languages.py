"""Stop words of the multilingual model's languages, out of the package ``stop-words``, which holds them as files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from reverie.language import words_of

_LANGUAGES = ("ar", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr")
"""Those of the model that are written with spaces, but English, whose stop words the terms know themselves."""


@lru_cache(1)
def stop_words() -> Mapping[str, Collection[str]]:
    """Return stop words by language, folded as words are. Needs the extra ``multilingual``."""
    from stop_words import get_stop_words  # an extra

    return {
        language: frozenset(part for word in get_stop_words(language) for part in words_of(word))
        for language in _LANGUAGES
    }
