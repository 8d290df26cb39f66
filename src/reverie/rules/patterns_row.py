"""One row of the capture table; ``patterns_table`` has the rows.

``says`` is matched from the beginning of a clause; ``{adverbs}`` and the like stand for ``patterns_lists``. What
follows the match up to the end of the clause belongs to the statement (where the row has ``{said}``: only that).

``words``, ``heads``, ``opens`` and ``gate`` keep the cost down: one of ``words`` stands in whatever a row can match, in
small letters ("use+not": both do; "my_thing": side by side, and since that is looked for last, the word that tells most
stands before it: "thing+my_thing"); where there are ``heads``, one of them follows "I" or "we", with nothing but
adverbs between, and the word comes soon; where there are ``opens``, one of them opens a clause; and where there is a
``gate``, that pattern is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.domain.kinds import Kind, Priority
from reverie.rules.patterns_lists import LISTS


class Subject(StrEnum):
    """Whom a row's clause is about, which decides what may stand in it and how it is turned into a statement."""

    SPEAKER = "speaker"  # I prefer …
    THEIRS = "theirs"  # my favourite … is …
    ORDER = "order"  # always use …
    THING = "thing"  # all endpoints must …
    TOLD = "told"  # remember that …: what follows is read for itself


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One way of saying something. ``words`` empty: every clause is tried."""

    name: str
    subject: Subject
    words: str
    says: str
    heads: str = ""
    opens: str = ""
    gate: str = ""
    kind: Kind = Kind.PREFERENCE
    priority: Priority | None = None
    importance: float | None = None

    def compiled(self) -> re.Pattern[str]:
        """The row's pattern, with the lists put in."""
        return re.compile(self.says.format_map(LISTS), re.IGNORECASE)
