"""Values in words that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from reverie.domain.memory import Memory

NOT_YET_JUDGED = "not yet judged"
_AGES = (("year", 365 * 86_400), ("month", 30 * 86_400), ("day", 86_400), ("hour", 3600), ("minute", 60))


def age(moment: datetime, now: datetime) -> str:
    """How long ago, in the largest unit that fits whole; "in 3 days" for what lies ahead."""
    seconds = (now - moment).total_seconds()
    for name, length in _AGES:
        count = int(abs(seconds) // length)
        if count:
            text = f"{count} {name}{'s' if count > 1 else ''}"
            return f"{text} ago" if seconds > 0 else f"in {text}"
    return "just now"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """``1 memory``, ``12,000 memories``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def memories(count: int) -> str:
    """So many memories."""
    return counted(count, "memory", "memories")


def size(count: int) -> str:
    """Bytes as B, KiB, MiB or GiB."""
    amount = float(count)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"


def listed(names: Iterable[object]) -> str:
    """Names with commas; a dash for none."""
    return ", ".join(map(str, names)) or "–"


def tally(counts: Mapping[str, int]) -> str:
    """``fact 12, goal 1``; a dash for none."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "–"


def emotions(memory: Memory) -> str:
    """Its labels, or that nothing is plainly felt, or that nobody has judged them."""
    return NOT_YET_JUDGED if memory.emotions is None else listed(memory.emotions) or "none plainly"


def lesson(memory: Memory) -> str:
    """What to do next time, or that nobody has judged it."""
    return memory.lesson or NOT_YET_JUDGED


def importance(memory: Memory) -> str:
    """A number from 0 to 1, or that nobody has judged it."""
    return NOT_YET_JUDGED if memory.importance is None else f"{memory.importance:.2f}"


def rounded_to_sum(values: Sequence[float], digits: int) -> tuple[list[float], float]:
    """The values rounded, and their rounded sum: what is shown adds up exactly (by largest remainders)."""
    unit = 10**digits
    total = round(sum(values) * unit)
    floors = [int(value * unit // 1) for value in values]
    order = sorted(range(len(values)), key=lambda place: floors[place] - values[place] * unit)
    for place in order[: total - sum(floors)]:
        floors[place] += 1
    return [floor / unit for floor in floors], total / unit
