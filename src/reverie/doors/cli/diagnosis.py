"""What `check` found, one fault a line, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.doors.cli import words

ADVICE = (
    "What to do: keep a copy of the file as it is, restore the last backup and open that. Without a backup:"
    " what `reverie list --json` and `reverie list --episodes --json` can still read can be stored in a new bank."
)
_MOST_SHOWN = 20
_PAGE = re.compile(r"\bpage (\d+)", re.IGNORECASE)
_TITLE = re.compile(r"\*\*\* in database \w+ \*\*\*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """A file and its faults, each one line; ``pages`` are those that the faults name, by number from 1."""

    where: str
    faults: tuple[str, ...]
    pages: tuple[int, ...]

    def lines(self) -> list[str]:
        """For people: at most 20 faults."""
        if not self.faults:
            return [f"{self.where}: every page verifies"]
        head = f"{self.where} is damaged: {words.counted(len(self.faults), 'fault')}"
        if self.pages:
            numbers = words.listed(self.pages[:_MOST_SHOWN]) + (
                ", …" if len(self.pages) > _MOST_SHOWN else ""
            )
            head = f"{head}, in {'page' if len(self.pages) == 1 else 'pages'} {numbers}"
        rest = len(self.faults) - _MOST_SHOWN
        more = [f"  … and {rest:,} more; --json has them all"] if rest > 0 else []
        return [head, *(f"  {fault}" for fault in self.faults[:_MOST_SHOWN]), *more]

    def document(self) -> dict[str, object]:
        """For programs: all that is known."""
        found: dict[str, object] = {"where": self.where, "ok": not self.faults, "faults": self.faults}
        return {**found, "pages": self.pages, "advice": ADVICE if self.faults else None}


def of(where: str, found: Iterable[str]) -> Diagnosis:
    """From what the store's check yields; a fault of several lines becomes several faults."""
    lines = (line.strip() for fault in found for line in _TITLE.sub("", fault).splitlines())
    faults = tuple(dict.fromkeys(line for line in lines if line))
    pages = {int(number) for fault in faults for number in _PAGE.findall(fault)}
    return Diagnosis(where=where, faults=faults, pages=tuple(sorted(pages)))
