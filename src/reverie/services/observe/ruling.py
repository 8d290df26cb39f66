"""Decide whether a principal gives the agent a rule in nearly the same words, in any language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from reverie.domain.episode import Episode
from reverie.domain.trust import SourceTrust
from reverie.language import STOP_WORDS, asks, terms, words_of
from reverie.memory.dedupe import NEGATIONS, word_key
from reverie.memory.forgetting import sentences
from reverie.memory.privacy import is_own
from reverie.ports.aggregates import Vector
from reverie.ports.judges import OWN, Heard, Judges
from reverie.services.observe.statement_forms import has_form, reports

STANDING_FLOOR = 0.1
"""The least probability, by the judges, that a sentence of a principal tells the agent how to behave."""
AS_SAID = 0.8
"""The least share of words that a rule and the sentences in which it is given have in common, in the same order."""

_MOST_SENTENCES = 40
_TOGETHER = 3  # sentences that may give one rule
_TURNING = NEGATIONS | frozenset(
    "before after until without unless except only if when while than over under".split()
)
_TURNS = frozenset(map(word_key, _TURNING)) | {"not"}


def may_rule(episode: Episode) -> bool:
    """Return whether a principal says it in his own words."""
    return episode.source_trust is SourceTrust.PRINCIPAL and is_own(episode.content)


def says_rule(rule: str, message: str) -> bool:
    """Return whether a message gives the rule: some sentences of it, no question and no report of what another said,
    have nearly the same words in the same order.
    """
    wanted = _words(rule)
    return bool(wanted) and any(_is_said(wanted, _words(part)) for part in _parts(message))


def gives_rule(judges: Judges, episode: Episode, vector: Vector | None = None) -> bool:
    """Return whether a sentence of an English message reads like a rule that its speaker gives; ``vector``: the
    message's.
    """
    [judged] = judges.judge([Heard(text=episode.content, vector=vector)])
    return any(
        one.own >= OWN and one.standing >= STANDING_FLOOR and _may_tell(one.sentence.text) for one in judged
    )


def _may_tell(sentence: str) -> bool:
    return not reports(sentence) and (not asks(sentence) or has_form(sentence))


def _parts(message: str) -> Iterator[str]:
    """Yield the sentences of a message that may tell something, and up to three that follow each other."""
    told = [one if _may_tell(one) else "" for one in sentences(message)[:_MOST_SENTENCES]]
    for place in range(len(told)):
        for end in range(place + 1, min(place + _TOGETHER, len(told)) + 1):
            if all(told[place:end]):
                yield " ".join(told[place:end])


def _words(text: str) -> Sequence[str]:
    """Return what a rule is compared by: its telling words and those that turn it; of scripts without spaces their
    signs.
    """
    if not text.isascii():
        listed = terms(text)
        if len(listed) > len(text.split()) * 2:
            return listed
    kept = (
        word.replace("'", "") for word in words_of(text)
        if word not in STOP_WORDS or word.replace("'", "") in _TURNING
    )  # fmt: skip
    return ["not" if word in NEGATIONS else word_key(word) for word in kept]


def _is_said(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether both have most words in the same order, and all of those that turn a rule."""
    if [word for word in one if word in _TURNS] != [word for word in other if word in _TURNS]:
        return False
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= AS_SAID * max(len(one), len(other))
