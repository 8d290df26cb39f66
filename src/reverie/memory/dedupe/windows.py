"""When what a memory says is true in the world, for the duplicates' guard: which windows exclude each other, what two
of them are together, and whether a wording with its window is another than it was.
"""

from __future__ import annotations

from dataclasses import replace

from reverie.domain.memory import Memory


def windows_exclude(one: Memory, other: Memory) -> bool:
    """Whether the two can't be the same truth: they end at different times, or the one had ended before the other,
    which has no end, began or was said last. Symmetric.

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


def in_window_of(memory: Memory, other: Memory) -> Memory:
    """The memory with the start and the end that it doesn't have and ``other`` has; its own stay.

    What it said already before ``other`` says that it began was so then: it began when it was said first. What is still
    to begin when ``other`` is said begins as that says.
    """
    begins = other.valid_from
    if begins is not None and memory.created_at < begins <= other.last_reinforced_at:
        begins = memory.created_at
    return replace(memory, valid_from=memory.valid_from or begins, valid_to=memory.valid_to or other.valid_to)


def is_reworded(old: Memory, new: Memory) -> bool:
    """Whether the new one says something else by its lesson or its window: then the old one goes to the history."""
    return (old.lesson, old.valid_from, old.valid_to) != (new.lesson, new.valid_from, new.valid_to)
