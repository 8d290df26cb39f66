"""Said: one statement of a night, as it is weighed against what is known."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie.domain.episode import Episode
from reverie.minds.local.statements import Statement
from reverie.rules import cue_words
from reverie.rules.changing import replaced
from reverie.rules.claim import Claim
from reverie.rules.claims_subject import subjects_of
from reverie.rules.heard import bare
from reverie.rules.salience import words
from reverie.rules.slots import slot_of
from reverie.rules.terms import terms

_TAG = re.compile(
    r",? (?:I guess|I suppose|I think|I reckon)(?: that's (?:the word|the name|what (?:it's|they're|you'd"
    r"|they) \w+(?: it)?))?[\s.!?\u2026]*$",
    re.IGNORECASE,
)

_RIDDLE = re.compile(r"\bguess (?=who|what|where|which)", re.IGNORECASE)
""" "Guess who's driving a Yaris" leaves nothing open."""
_CLAUSES = re.compile(r"[,;:.!?]\s+|\s+(?=if\b)")


TITLES = frozenset(terms("Dr Mr Mrs Ms Miss Prof Professor Doctor Sir Father Sister"))
"""Two who bear one are not the same one."""
_ENDED = frozenset(terms("retired unemployed redundant dead God Lord"))
"""Words that say of what is over only that it is over, or thank for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A statement of the night. ``as_said``: its essence without what ``claims_telling`` puts before it; ``importance``
    in [0, 1] as its words promise; ``marked`` whether it says that something has changed; ``shown``: what leads it is
    a glimpse (``rules.glimpses``). ``around``: all of its message, and what its speaker said right before it;
    ``turned``: something there says that it is otherwise now; ``declared``: as ``rules.declared`` has it.
    """

    statement: Statement
    essence: str
    as_said: str
    speaker: str
    claims: tuple[Claim, ...]
    importance: float
    marked: bool
    shown: bool = False
    around: str = ""
    turned: bool = False
    declared: bool = False

    @property
    def message(self) -> Episode:
        """Who said it, and when."""
        return self.statement.message

    @property
    def sources(self) -> tuple[str, ...]:
        """The episodes that carry it."""
        return self.statement.sources

    @property
    def lead(self) -> str:
        """What stands before it, as a sentence without its full stop; empty where nothing does."""
        if self.essence == self.as_said:
            return self.essence.rstrip(".") if self.shown else ""
        return self.essence.removesuffix(self.as_said).rstrip(" :")

    @property
    def brings(self) -> bool:
        """Whether it gives a value, and doesn't only say that one is over."""
        if any(claim.holds for claim in self.claims) or not replaced(self.as_said):
            return True
        over = frozenset().union(*replaced(self.as_said))
        values = slot_of(self.as_said).values
        held = frozenset(stem for found in values.values() for value in found for stem in terms(value))
        people = frozenset(terms(" ".join(subjects_of(bare(self.as_said)))))
        return bool(held - over - people - frozenset(terms(self.speaker)) - TITLES - _ENDED)

    @property
    def before(self) -> str:
        """What its speaker said right before it, in its message and before that."""
        first = self.statement.said[0].text if self.statement.said else ""
        return self.around.partition(first)[0] if first in self.around else self.around

    @property
    def stated(self) -> bool:
        """Whether it was said without a hedge."""
        text = " ".join(part.text for part in self.statement.said)
        held = frozenset().union(*(claim.value for claim in self.claims[:1]))
        clauses = [one for one in _CLAUSES.split(text) if not held.isdisjoint(terms(one))]
        if self.lead and clauses:
            text = " ".join(
                clauses
            )  # "she lives in Hull now, with a view of the sea if you lean" hedges the view
        return cue_words.HEDGED.isdisjoint(words(_RIDDLE.sub("", without_tag(text))))


def without_tag(text: str) -> str:
    """A text without the "…, I suppose" that ends it, which takes nothing back."""
    return _TAG.sub("", text)
