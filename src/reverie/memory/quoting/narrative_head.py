"""The line that a summary begins with, which says what it stands for: ours, not the mind's. The body is the mind's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from reverie.domain.memory import Origin
from reverie.language.dates import SPAN, span_text

_MOST_NAMED = 5
_OBSERVATIONS, _MESSAGES, _SUMMARIES = "observations", "messages", "summaries"
_COUNT = rf"(?:1 (?:observation|message|summary)|[\d,]+ (?:{_OBSERVATIONS}|{_MESSAGES}|{_SUMMARIES}))"
_HEAD = re.compile(rf"{SPAN}, (?P<counts>{_COUNT}(?: and {_COUNT})?)(?: in {_COUNT})?(?:: [^\n]*)?\.")
_ONE = re.compile(r"(?<![\d,])(?P<number>[\d,]++) (?P<what>[a-z]+)")
_UNSOUND = frozenset("\n:,()[]")


@dataclass(frozen=True, kw_only=True, slots=True)
class StandsFor:
    """How much a narrative stands for, at the bottom of it."""

    none: ClassVar[StandsFor]

    observations: int = 0
    messages: int = 0

    def __add__(self, other: StandsFor) -> StandsFor:
        return StandsFor(
            observations=self.observations + other.observations, messages=self.messages + other.messages
        )

    @property
    def text(self) -> str:
        """In words."""
        parts = [
            _counted(number, what)
            for number, what in ((self.observations, _OBSERVATIONS), (self.messages, _MESSAGES))
            if number
        ]
        return " and ".join(parts)


StandsFor.none = StandsFor()


def narrative_head(
    first: datetime, last: datetime, what: StandsFor, named: Counter[str], fits: Callable[[str], bool], *,
    summaries: int = 0,
) -> str:  # fmt: skip
    """Return the line: from when to when, how much, and who occurs most, with in how many; as many names as fit. Empty
    where not even the count does. ``summaries``: so many narratives lie between.
    """
    between = f" in {_counted(summaries, _SUMMARIES)}" if summaries else ""
    plain = f"{span_text(first, last)}, {what.text or _counted(summaries, _SUMMARIES)}{between if what.text else ''}"
    often = _most(named)
    for many in range(len(often), -1, -1):
        who = _listed([f"{name} ({named[name]:,})" for name in often[:many]])
        line = f"{plain}: {who}." if who else f"{plain}."
        if fits(line):
            return line
    return ""


def narrative_body(text: str) -> str:
    """Return a narrative without that line."""
    found = _HEAD.match(text)
    return text if found is None else text[found.end() :].lstrip()


def stands_for(text: str) -> StandsFor | None:
    """Return how much a narrative's first line says that it stands for; None where it has no such line."""
    found = _HEAD.match(text)
    if found is None:
        return None
    parts = _ONE.finditer(found["counts"])
    counts = {_plural(one["what"]): int(one["number"].replace(",", "")) for one in parts}
    return StandsFor(observations=counts.get(_OBSERVATIONS, 0), messages=counts.get(_MESSAGES, 0))


def may_be_summary(essence: str, origin: Origin) -> bool:
    """Return whether a look at the summaries pays: it is of a self-care, of another agent's too."""
    return origin is Origin.SELF_CARE or (origin is Origin.LINK and _HEAD.match(essence) is not None)


def name_counts(names: Iterable[Iterable[str]]) -> Counter[str]:
    """Count in how many each is named."""
    return Counter(name for each in names for name in dict.fromkeys(each))


def _most(named: Counter[str]) -> Sequence[str]:
    known = [name for name, count in named.items() if count > 1 and not _UNSOUND & set(name)]
    return without_parts(sorted(known, key=lambda name: (-named[name], name)))[:_MOST_NAMED]


def without_parts(names: Sequence[str]) -> Sequence[str]:
    """Return the names without those that are a part of another one: "Tom" beside "Old Tom" is nobody else."""
    whole = [f" {name.casefold()} " for name in names]
    return [
        name
        for name, own in zip(names, whole, strict=True)
        if not any(own != other and own in other for other in whole)
    ]


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what if number != 1 else _singular(what)}"


def _singular(what: str) -> str:
    return "summary" if what == _SUMMARIES else what[:-1]


def _plural(what: str) -> str:
    return _SUMMARIES if what == "summary" else what if what.endswith("s") else f"{what}s"
