"""From a Filter to SQL: one list of clauses for what is asked (``:x IS NULL OR …`` is 200 times slower).

What SQL can't say portably (labels in JSON compared casefolded, globs, the fade of confidence, very long
lists) is said by ``passes``, a test in Python over extra columns that the caller selects behind its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from reverie.domain.query import Filter
from reverie.domain.time import from_micros, micros
from reverie.errors import InvalidInput
from reverie.memory.decay import faded_confidence
from reverie.memory.scope import matches
from reverie.store.executor import CHUNK, Corpus, Row, padded
from reverie.store.rows import names

Test = Callable[[Row], bool]

_ANY = Filter()
_LACKING: dict[Corpus, tuple[str, ...]] = {
    "memories": ("conversations", "channels", "roles", "speakers"),
    "episodes": ("kinds", "scope", "scoped", "min_confidence", "review", "trusts"),
}


@dataclass(slots=True)
class Clauses:
    """A growing condition: SQL joined by AND, its parameters, and tests over extra ``columns``."""

    agent_id: str
    conditions: list[str] = field(default_factory=lambda: ["agent_id = ?"])
    params: list[object] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    tests: list[tuple[int, int, Test]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.params.append(self.agent_id)

    @property
    def sql(self) -> str:
        """The whole condition."""
        return " AND ".join(self.conditions)

    def add(self, condition: str, *params: object) -> None:
        """One more condition."""
        self.conditions.append(condition)
        self.params.extend(params)

    def also(self, condition: str, *params: object) -> Clauses:
        """Return these with one more condition."""
        other = Clauses(
            self.agent_id, conditions=[*self.conditions], columns=[*self.columns], tests=[*self.tests]
        )
        other.params = [*self.params]
        other.add(condition, *params)
        return other

    def among(self, column: str, values: Collection[str]) -> None:
        """The column holds one of the values; a list too long for a statement is looked through in Python."""
        if not values:
            self.add("1 = 0")
        elif len(values) <= CHUNK:
            marks, params = padded(sorted(values))
            self.add(f"{column} IN ({marks})", *params)
        else:
            kept = frozenset(values)
            self.test((column,), lambda row: row[0] in kept)

    def test(self, columns: Sequence[str], test: Test) -> None:
        """One more test, which is given the values of these columns."""
        self.tests.append((len(self.columns), len(self.columns) + len(columns), test))
        self.columns.extend(columns)

    def passes(self, extra: Row) -> bool:
        """Return whether a row passes all tests, by the values of ``columns``."""
        return all(test(extra[start:end]) for start, end, test in self.tests)


def where(agent_id: str, filter: Filter, corpus: Corpus, now: datetime | None = None) -> Clauses:
    """Return the filter as clauses over one table. ``now`` is needed for ``min_confidence`` alone.

    Raise InvalidInput for a field that the corpus lacks: to ignore it would return what was not asked for.
    States are no field of an episode and are passed over, since EVERYTHING names them all.
    """
    for name in _LACKING[corpus]:
        if getattr(filter, name) != getattr(_ANY, name):
            raise InvalidInput(f"Filter.{name}", f"{corpus} have none", "leave it out")
    clauses = Clauses(agent_id)
    if filter.ids is not None:
        clauses.among("id", filter.ids)
    time = "created_at" if corpus == "memories" else "time"
    if filter.since is not None:
        clauses.add(f"{time} >= ?", micros(filter.since))
    if filter.until is not None:
        clauses.add(f"{time} < ?", micros(filter.until))
    if filter.min_importance is not None:
        clauses.add("importance >= ?", filter.min_importance)
    if corpus == "memories":
        _memories(clauses, filter, now)
    else:
        _episodes(clauses, filter)
    for name in ("tags", "topics", "entities"):
        _labels(clauses, name, getattr(filter, name))
    return clauses


def check_searched(filter: Filter) -> None:
    """Raise InvalidInput for what only lists know."""
    if filter.trusts:
        raise InvalidInput("Filter.trusts", "searches don't know it", "leave it out")


def _episodes(clauses: Clauses, filter: Filter) -> None:
    for column, values in (
        ("conversation_id", filter.conversations),
        ("channel", filter.channels),
        ("role", filter.roles),
        ("speaker", filter.speakers),
    ):
        if values:
            clauses.among(column, values)


def _memories(clauses: Clauses, filter: Filter, now: datetime | None) -> None:
    if filter.kinds:
        clauses.among("kind", filter.kinds)
    if filter.states:
        clauses.among("state", filter.states)
    if not filter.include_superseded:
        clauses.add("superseded_by IS NULL")
    if filter.review is not None:  # as the partial indexes say it, which no parameter matches
        clauses.add(f"needs_review = {int(filter.review)}")
    if filter.trusts:
        told = ", ".join(f"'{one.value}'" for one in sorted(filter.trusts))
        clauses.add(f"source_trust IN ({told})")
    if filter.scoped:
        clauses.add("scope <> ?", "[]")
    if filter.scope is not None:
        path = filter.scope
        clauses.test(("scope",), lambda row: matches(names(row[0]), path))
    if filter.min_confidence is not None:
        least = filter.min_confidence
        # Fading only lowers, so SQL may narrow by what was written.
        clauses.add("confidence >= ?", least)
        if now is None:
            raise InvalidInput("now", "min_confidence was asked without it", "give the time now")
        moment = now
        clauses.test(
            ("confidence", "confidence_at", "last_reinforced_at"),
            lambda row: _faded(row, moment) >= least,
        )


def _faded(row: Row, now: datetime) -> float:
    confidence, written, reinforced = row
    return faded_confidence(confidence, from_micros(max(written, reinforced)), now)


def _labels(clauses: Clauses, column: str, wanted: frozenset[str]) -> None:
    if wanted:
        folded = {label.casefold() for label in wanted}
        clauses.add(f"{column} <> ?", "[]")
        clauses.test((column,), lambda row: any(label.casefold() in folded for label in names(row[0])))


def between(column: str, since: datetime | None, until: datetime | None) -> tuple[str, tuple[int, ...]]:
    """Return what to add to a condition for times from ``since`` to before ``until``, and its parameters."""
    ends = [
        (f" AND {column} {sign} ?", micros(end))
        for sign, end in ((">=", since), ("<", until))
        if end is not None
    ]
    return "".join(text for text, _ in ends), tuple(end for _, end in ends)
