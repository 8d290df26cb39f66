"""Outgoing: what of the bank a model may see.

A model away from this machine sees of messages only the sentences that were chosen here, as quotations, and of all
texts what is left without secrets and marks that identify a person; never a whole conversation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.snippet import Unjudged
from reverie.memory.privacy import Found, personal, redacted
from reverie.minds.nights import Line

Clean = Callable[[str], str]
"""Takes secrets out of a text."""
Retell = Callable[[Sequence[Episode], tzinfo], Mapping[str, Sequence[str]]]
"""The sentences of messages that are worth keeping, by the message's id; chosen on this machine."""

MOST_STATED = 4
"""Sentences of one message."""
MOST_WORDS = 60
_MOST_RAW = 2_000  # characters of a message that may be read as it was said
_LEFT_OUT = " \u2026 "
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d(?:[\s()./-]{0,2}\d){6,14}(?![\w]|\.\d)")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


class Outgoing:
    """Says what may be seen. ``raw``: messages as they were said; else the sentences that ``retell`` chooses of them.
    ``here``: to a model on this machine, nothing is redacted.
    """

    def __init__(self, *, clean: Clean, retell: Retell, raw: bool, here: bool) -> None:
        self._clean, self._retell = clean, retell
        self._raw, self._here = raw, here

    def lines(self, episodes: Sequence[Episode], zone: tzinfo) -> list[Line]:
        """Return what of messages may be seen, in their order; nothing of one of which no sentence is worth keeping."""
        if self._raw:
            texts = {one.id: one.content[:_MOST_RAW] for one in episodes}
        else:
            told = self._retell(episodes, zone) if episodes else {}
            texts = {id: _LEFT_OUT.join(map(_brief, some[:MOST_STATED])) for id, some in told.items()}
        shown = ((one, self.shown(texts.get(one.id, ""))) for one in episodes)
        return [Line(episode=one, text=text) for one, text in shown if text.strip()]

    def memories(self, memories: Sequence[Memory | Unjudged]) -> list[str]:
        """Return what of each memory may be seen."""
        return [self.shown(one.essence) for one in memories]

    def shown(self, text: str) -> str:
        """Return a text without what must not be sent: secrets, and unless messages may be read as they were said, also
        marks that identify a person.
        """
        if self._here:
            return text
        clean = self._clean(text)
        return clean if self._raw else without_marks(clean)


def _brief(text: str) -> str:
    words = text.split()
    return " ".join(words[:MOST_WORDS]) + ("\u2026" if len(words) > MOST_WORDS else "")


def without_marks(text: str) -> str:
    """Without e-mail addresses, IBANs, IP addresses and telephone numbers."""
    found = [*personal(text)]
    found += (
        Found(start=match.start(), end=match.end(), type="phone", rank=6)
        for match in _PHONE.finditer(text)
        if not _DATE.search(match.group())
    )
    return redacted(text, found).text if found else text
