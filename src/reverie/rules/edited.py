"""A text that is altered step by step, and where in it stood what is left: what is caught points into what was said."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

Edit = tuple[int, int, str]
"""From where to where a text is replaced, and by what."""


class Edited:
    """``text`` as it is by now."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._steps: list[list[tuple[int, int, int, int]]] = []  # from and to where: now, and before the step

    def put(self, edits: Iterable[Edit]) -> None:
        """Alters the text; the edits are in order and apart."""
        parts, done, length = list[str](), 0, 0
        step: list[tuple[int, int, int, int]] = []
        for start, end, new in edits:
            parts += (self.text[done:start], new)
            length += start - done + len(new)
            step.append((length - len(new), length, start, end))
            done = end
        if step:
            self.text = "".join((*parts, self.text[done:]))
            self._steps.append(step)

    def cut(self, length: int) -> None:
        """Leaves only the beginning."""
        if length < len(self.text):
            self.text = self.text[:length]

    def spelled(self, text: str) -> None:
        """Takes the same text in other letters, each where it stood."""
        assert len(text) == len(self.text), "only letters may differ"
        self.text = text

    def stood(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text as it was given that stood which now is from ``start`` to ``end``."""
        return self._stood(start), self._stood(end - 1) + 1 if end > start else self._stood(start)

    def _stood(self, place: int) -> int:
        for step in reversed(self._steps):
            at = bisect_right(step, place, key=lambda one: one[0]) - 1
            if at < 0:
                continue
            first, last, start, end = step[at]
            place = (
                end + place - last if place >= last else start + min(place - first, max(0, end - start - 1))
            )
        return place
