"""Whether a wording that takes another's place still tells all that this told."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.rules.dedupe import differs
from reverie.rules.dedupe_words import key_of
from reverie.rules.evidence import count_denials
from reverie.rules.forgetting import sentences
from reverie.rules.heard import SAID, bare
from reverie.rules.terms import words_of

_FIRST_PERSON = frozenset(
    "i me my mine myself we us our ours i'm i've i'd i'll we're we've we'd we'll".split()
)
_LIGHT = frozenset("a an the is are was were be been am has have had do does did and".split())
"""Words without which a sentence says as much."""
_TOLD_OTHERWISE = frozenset({"negation", "opposite", "order"})


def keeps_all(wording: str, known: str) -> bool:
    """Whether a wording says all that the known one says: each sentence of that stands in one of the wording's as a run
    of words, but for light ones, in which nothing is told otherwise and as much is denied.
    """
    told = _runs(wording)
    return all(
        any(
            _stands_in(run, other)
            and count_denials(one) == count_denials(another)
            and differs(one, another) not in _TOLD_OTHERWISE
            for another, other in told
        )
        for one, run in _runs(known)
    )


def _runs(text: str) -> list[tuple[str, list[str]]]:
    """The sentences of a text, each with its words in their order, but for light ones; "I" is who said it."""
    said = bare(text)
    speaker = words_of(text[: len(text) - len(said)].removesuffix(SAID)) or ["i"]
    return [(one, _run(one, speaker)) for one in sentences(said)]


def _run(sentence: str, speaker: Sequence[str]) -> list[str]:
    words = (other for word in words_of(sentence) for other in (speaker if word in _FIRST_PERSON else [word]))
    return [key_of(word) for one in words if (word := one.removesuffix("'s")) not in _LIGHT]


def _stands_in(run: Sequence[str], other: Sequence[str]) -> bool:
    size = len(run)
    return any(other[start : start + size] == run for start in range(len(other) - size + 1))
