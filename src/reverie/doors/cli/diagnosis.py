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
SERVER_ADVICE = (
    "What to do: copy the agents that are well to another database (`reverie copy`), and the others from a backup."
    " Pages and disks are PostgreSQL's own to verify: see pg_amcheck and pg_checksums."
)
_MOST_SHOWN = 20
_PAGE = re.compile(r"\bpage (\d+)", re.IGNORECASE)
_TITLE = re.compile(r"\*\*\* in database \w+ \*\*\*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """A file or database and its faults, each one line; ``pages`` are those that the faults name, by number from 1."""

    where: str
    faults: tuple[str, ...]
    pages: tuple[int, ...]
    on_server: bool = False

    @property
    def advice(self) -> str:
        """What to do about faults."""
        return SERVER_ADVICE if self.on_server else ADVICE

    def lines(self) -> list[str]:
        """For people: at most 20 faults."""
        if not self.faults:
            return [f"{self.where}: {'all is as it should be' if self.on_server else 'every page verifies'}"]
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
        return {**found, "pages": self.pages, "advice": self.advice if self.faults else None}


def of(where: str, found: Iterable[str], *, on_server: bool = False) -> Diagnosis:
    """From what the store's check yields; a fault of several lines becomes several faults."""
    lines = (line.strip() for fault in found for line in _TITLE.sub("", fault).splitlines())
    faults = tuple(dict.fromkeys(line for line in lines if line))
    pages = {int(number) for fault in faults for number in _PAGE.findall(fault)}
    return Diagnosis(where=where, faults=faults, pages=tuple(sorted(pages)), on_server=on_server)
