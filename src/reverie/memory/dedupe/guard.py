"""When two essences are the same: the guard that makes a cosine threshold safe.

A cosine of 0.92 alone merges "beats 3 to 1" with "beats 1 to 3". So near texts are laid side by side, and what is
left over decides: a number, a name, a denial, a sign, any other word, a tense, an exchange of places. The guard errs
towards keeping both: two near memories cost a line, a wrong merge loses a fact. What it gives and costs:
``docs/why/duplicates.md``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin
from reverie.domain.trust import least_trusted
from reverie.memory.dedupe.alignment import Alignment, align, order_differs
from reverie.memory.dedupe.reading import WordReading, WordRole, WordToken, read_text


def windows_conflict(one: Memory, other: Memory) -> bool:
    """Return whether the two can't be the same truth: they end at different times, or the one had ended before the
    other, which has no end, began or was said last. Symmetric.

    A start alone tells nothing apart: a sleep knows since when something is so, where the loop and most callers don't
    say it; and the second time that it is said isn't when it began.
    """
    if one.valid_to == other.valid_to:
        return False
    if one.valid_to is not None and other.valid_to is not None:
        return True
    ended, going = (one, other) if one.valid_to is not None else (other, one)
    assert ended.valid_to is not None
    said = going.last_reinforced_at
    return ended.valid_to <= max(said, going.valid_from or said)


def with_window_of(memory: Memory, other: Memory) -> Memory:
    """Return the memory with the start and the end that it doesn't have and ``other`` has; its own stay.

    What it said already before ``other`` says that it began was so then: it began when it was said first. What is still
    to begin when ``other`` is said begins as that says.
    """
    begins = other.valid_from
    if begins is not None and memory.created_at < begins <= other.last_reinforced_at:
        begins = memory.created_at
    return replace(memory, valid_from=memory.valid_from or begins, valid_to=memory.valid_to or other.valid_to)


def is_reworded(old: Memory, new: Memory) -> bool:
    """Return whether the new one says something else by its lesson or its window: then the old one goes to the
    history.
    """
    return (old.lesson, old.valid_from, old.valid_to) != (new.lesson, new.valid_from, new.valid_to)


_STATEMENTS = frozenset(
    {
        Kind.FACT,
        Kind.OBSERVATION,
        Kind.PATTERN,
        Kind.RELATIONSHIP,
        Kind.SKILL,
        Kind.ROUTINE,
        Kind.EMOTIONAL,
        Kind.PROJECT,
    }
)


_DOER = "by"
"""Stands before who does it in a passive sentence, and in no other; ``order_differs`` sees who that is."""


def kinds_compatible(one: Kind, other: Kind) -> bool:
    """Return whether memories of these kinds can be the same insight: the same kind, or both plain statements."""
    return one is other or (one in _STATEMENTS and other in _STATEMENTS)


def memories_differ(known: Memory, new: Memory) -> str | None:
    """Return why two near memories are not one, or None if they are: kinds, scope, validity, trust, then the
    wording. A summary stands for others, and is never one with a memory; nor is what a neural link brought with
    what it didn't: whoever shared it may take it back, and the other must stay.

    ``known`` may swallow ``new`` only if it is at least as trusted: a principal's word isn't hidden in
    external text; and less trusted text neither rewrites its lesson nor pins it, nor says when it ends. Nor does what
    waits for approval swallow what doesn't, unless both are the same words.
    """
    if not kinds_compatible(known.kind, new.kind) and not _is_same_quotation(known, new):
        return "kind"
    if Origin.SELF_CARE in (known.origin, new.origin):
        return "summary"
    if known.learned_from != new.learned_from:
        return "learned"
    if set(known.scope) != set(new.scope):
        return "scope"
    if windows_conflict(known, new):
        return "validity"
    if least_trusted((known.source_trust, new.source_trust)) is known.source_trust is not new.source_trust:
        return "trust"
    if new.source_trust is not known.source_trust and (
        (new.lesson and new.lesson != known.lesson)
        or (new.pinned and not known.pinned)
        or new.valid_to != known.valid_to is None
    ):
        return "trust"
    if known.needs_review and not new.needs_review and not _is_same_word(known, new):
        return "review"
    return texts_differ(known.essence, new.essence, ordered=known.kind is Kind.WORKFLOW)


def _is_same_word(known: Memory, new: Memory) -> bool:
    """Return whether both are the same words, as much trusted."""
    return known.essence == new.essence and known.source_trust is new.source_trust


def _is_same_quotation(known: Memory, new: Memory) -> bool:
    """Return whether both are the same words of the same message, which two readers take for different kinds, and the
    new one steers no more than the known one.
    """
    one, other = known.quoted, new.quoted
    if one is None or other is None or new.priority in (Priority.CRITICAL, Priority.HIGH):
        return False
    return one.episode == other.episode and known.essence == new.essence


def texts_differ(one: str, other: str, *, ordered: bool = False) -> str | None:
    """Return what tells two near wordings apart, or None for nothing.

    ``"number"``, ``"negation"``, ``"name"`` (addresses, paths and secrets too), ``"word"`` (a word that the other
    text lacks, a sign or a tense differs), ``"order"`` (who does what to whom, what is preferred to what). With
    ``ordered`` the texts are steps: "test and build" is not "build and test". Symmetric and deterministic; takes
    time n log n in the length of the texts.
    """
    if one == other:
        return None
    ours, theirs = map(read_text, sorted((one, other)))
    if ours.numbers != theirs.numbers:
        return "number"
    if Counter(ours.negated) != Counter(theirs.negated):
        return "negation"
    if not _are_same(ours.identifiers, theirs.identifiers):
        return "name"
    alignment = align(ours.tokens, theirs.tokens)
    over = alignment.over
    if _names(over[0], theirs) or _names(over[1], ours):
        return "name"
    if order_differs(alignment, ordered=ordered):
        return "order"
    if (
        Counter(ours.past) != Counter(theirs.past)
        or Counter(ours.signs) != Counter(theirs.signs)
        or any(token.word != _DOER for side in over for token in side)
        or _tenses_differ(alignment)
    ):
        return "word"
    return None


def _are_same(ours: list[str], theirs: list[str]) -> bool:
    """Return whether both are the same to the letter; but a text may be all in capitals."""
    return len(ours) == len(theirs) and all(
        one == other or one.upper() == other or one == other.upper()
        for one, other in zip(ours, theirs, strict=True)
    )


def _names(over: list[WordToken], other: WordReading) -> bool:
    """Return whether a name is left over; what the other text has in small letters is none."""
    words = {token.word for token in other.tokens}
    return any(token.role is WordRole.NAME and token.word not in words for token in over)


def _tenses_differ(alignment: Alignment) -> bool:
    """Return whether one text tells as past what the other tells as present: worked, works."""
    return any(alignment.left[here].past != alignment.right[there].past for here, there in alignment.pairs)
