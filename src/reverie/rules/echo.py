"""Echoes: text that only repeats what an outside source said is no more trusted than that source."""

from __future__ import annotations

from collections.abc import Iterable

from reverie.rules.forgetting import sentences
from reverie.rules.terms import terms

RUN = 3
"""So many content words in the same order are a quotation's piece."""
COVERED = 0.5
"""A text of which at least this share of content words stands in such pieces repeats."""
HELD = 0.75
"""A text of which one outside sentence has this share of the content words repeats it, in whatever order."""
FEW = 4
"""A text of fewer distinct content words repeats only where they stand in a row: two words meet by chance."""
_MOST_READ = 200_000


class Echo:
    """What outside sources said, read once for many texts.

    At most ``_MOST_READ`` characters of each are compared: nobody repeats more by word.
    """

    def __init__(self, external: Iterable[str]) -> None:
        self._runs: set[tuple[str, ...]] = set()
        self._sentences: list[frozenset[str]] = []
        self._said: list[str] = []
        for text in external:
            read = text[:_MOST_READ]
            listed = terms(read)
            self._runs.update(_runs(listed))
            self._sentences += [frozenset(terms(part)) for part in sentences(read)]
            self._said.append(_joined(listed))

    def repeats(self, text: str) -> bool:
        """Whether the text says what an outside source said: in its words and their order (half of its content words
        in runs of three), or in one of its sentences' words (three quarters of them).
        """
        if not self._said:
            return False
        listed = terms(text)
        words = set(listed)
        if len(words) < FEW:
            return bool(words) and any(_joined(listed) in said for said in self._said)
        if any(len(words & said) >= HELD * len(words) for said in self._sentences):
            return True
        covered = {
            place + step
            for place, run in enumerate(_runs(listed))
            if run in self._runs
            for step in range(RUN)
        }
        return len(covered) >= COVERED * len(listed)


def repeats(text: str, external: Iterable[str]) -> bool:
    """Whether a text repeats one of the outside texts; see ``Echo.repeats``."""
    return Echo(external).repeats(text)


def _runs(listed: list[str]) -> list[tuple[str, ...]]:
    return [tuple(listed[place : place + RUN]) for place in range(len(listed) - RUN + 1)]


def _joined(listed: list[str]) -> str:
    """Terms between single spaces, with a space before and after."""
    return f" {' '.join(listed)} "
