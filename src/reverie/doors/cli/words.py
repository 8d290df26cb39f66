"""Values in words that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from reverie.domain.memory import Memory

NOT_YET_JUDGED = "not yet judged"
_AGES = (("year", 365 * 86_400), ("month", 30 * 86_400), ("day", 86_400), ("hour", 3600), ("minute", 60))
_HALF = 5


def age(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was, in the largest unit that fits whole; "in 3 days" for the future."""
    seconds = (now - moment).total_seconds()
    for name, length in _AGES:
        count = int(abs(seconds) // length)
        if count:
            text = f"{count} {name}{'s' if count > 1 else ''}"
            return f"{text} ago" if seconds > 0 else f"in {text}"
    return "just now"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return ``1 memory``, ``12,000 memories``."""
    if plural is None:
        plural = f"{noun[:-1]}ies" if noun.endswith(("ory", "ary", "ntry")) else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def memories(count: int) -> str:
    """Return how many memories that is."""
    return counted(count, "memory")


def size(count: int) -> str:
    """Return a number of bytes as B, KiB, MiB or GiB."""
    amount = float(count)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"


def listed(names: Iterable[object]) -> str:
    """Return names with commas; a dash for none."""
    return ", ".join(map(str, names)) or "–"


def tally(counts: Mapping[str, int]) -> str:
    """Return ``fact 12, goal 1``; a dash for none."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "–"


def one_line(text: str, most: int | None = None) -> str:
    """Return a text on one line, cut with an ellipsis where it is longer than ``most`` characters."""
    line = " ".join(text.split())
    return line if most is None or len(line) <= most else f"{line[: most - 1]}…"


def emotions(memory: Memory) -> str:
    """Return its labels, or that none is plain, or that nobody has judged them."""
    return NOT_YET_JUDGED if memory.emotions is None else listed(memory.emotions) or "none plainly"


def lesson(memory: Memory) -> str:
    """Return what to do next time, or that nobody has judged it."""
    return memory.lesson or NOT_YET_JUDGED


def importance(memory: Memory) -> str:
    """Return a number from 0 to 1, or that nobody has judged it."""
    return NOT_YET_JUDGED if memory.importance is None else f"{memory.importance:.2f}"


def trust(value: float) -> str:
    """Return trust as a bar, ``·····|###·· +0.60``: distrust to the left of the middle, trust to the right."""
    filled = min(_HALF, round(abs(value) * _HALF))
    left, right = (filled, 0) if value < 0 else (0, filled)
    return f"{'#' * left:·>{_HALF}}|{'#' * right:·<{_HALF}} {value:+.2f}"


def rounded_to_sum(values: Sequence[float], digits: int) -> tuple[list[float], float]:
    """Return the values rounded, and their rounded sum: what is shown adds up exactly (by largest remainders)."""
    unit = 10**digits
    total = round(sum(values) * unit)
    floors = [int(value * unit // 1) for value in values]
    order = sorted(range(len(values)), key=lambda place: floors[place] - values[place] * unit)
    for place in order[: total - sum(floors)]:
        floors[place] += 1
    return [floor / unit for floor in floors], total / unit
