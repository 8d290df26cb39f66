"""Ask: one recall, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from reverie.domain.emotion import Emotion, checked_label
from reverie.domain.ids import checked_name
from reverie.domain.kinds import checked_kind
from reverie.domain.memory import State
from reverie.domain.message import checked_labels, checked_role
from reverie.domain.query import Filter, Strategy
from reverie.domain.text import checked_call, checked_share, checked_switch, checked_text, member
from reverie.domain.time import to_utc
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

MAX_QUERY_BYTES = 1 << 20
MAX_LIMIT = 1000
MAX_BUDGET = 10**9
"""Tokens that a budget may have."""
MAX_MATCH_BYTES = 1000
TokenCounter = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """What to recall and how much of it.

    ``query`` None asks with the situation of ``conversation`` where that is given, else for the latest.
    ``limit`` counts hits, ``max_tokens`` their texts together (by ``tokens`` or the built-in estimate);
    ``min_score`` is compared with ``relevance``. ``emotions`` None: the query's own are judged; an empty
    sequence: none count.
    """

    query: str | None
    filter: Filter
    strategy: Strategy = Strategy.HYBRID
    limit: int | None = None
    max_tokens: int | None = None
    min_score: float | None = None
    deep: bool = False
    explain: bool = False
    as_of: datetime | None = None
    emotions: Sequence[Emotion] | None = None
    conversation: str | None = None
    tokens: TokenCounter | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.query is not None:
            put(self, "query", checked_text(self.query, "query", most_bytes=MAX_QUERY_BYTES))
        put(self, "strategy", member(Strategy, self.strategy, "strategy"))
        if self.limit is not None:
            checked_whole(self.limit, "limit", 1, MAX_LIMIT)
        if self.max_tokens is not None:
            checked_whole(self.max_tokens, "max_tokens", 0, MAX_BUDGET)
        if self.min_score is not None:
            put(self, "min_score", checked_share(self.min_score, "min_score"))
        if self.emotions is not None:
            put(self, "emotions", tuple(dict.fromkeys(map(checked_label, _listed(self.emotions)))))
        checked_switch(self.deep, "deep")
        checked_switch(self.explain, "explain")
        if self.conversation is not None:
            checked_name(self.conversation, "conversation")
        checked_call(self.tokens, "tokens", "give a function of a text")
        asks = self.query is not None or self.conversation is not None
        if self.min_score is not None and (not asks or self.strategy in (Strategy.TEMPORAL, Strategy.TOPIC)):
            raise InvalidInput(
                "min_score", "without a question, by time or by topic nothing has a relevance", "leave it out"
            )
        if (
            self.query is None
            and self.strategy in (Strategy.SEMANTIC, Strategy.LEXICAL, Strategy.TOPIC)
            and not self.conversation
        ):
            raise InvalidInput(
                "query", f"strategy {self.strategy} needs one", "give a query, or use strategy temporal"
            )


def filter_of(given: Mapping[str, object], *, zone: tzinfo, memories: bool) -> Filter:
    """Return a Filter from a caller's keyword arguments; None and empty mean any. Raise InvalidInput naming the
    argument.
    """
    values: dict[str, object] = {}
    for name in ("tags", "topics", "entities", "channels", "speakers", "conversations"):
        values[name] = frozenset(checked_labels(_listed(given.get(name)), name))
    values["kinds"] = frozenset(checked_kind(kind, "kinds") for kind in _listed(given.get("kinds")))
    values["roles"] = frozenset(checked_role(role) for role in _listed(given.get("roles")))
    for name in ("since", "until"):
        if given.get(name) is not None:
            values[name] = to_utc(given[name], zone=zone, field=name)
    for name in ("min_importance", "min_confidence"):
        if given.get(name) is not None:
            values[name] = checked_share(given[name], name)
    if given.get("scope") is not None:
        values["scope"] = checked_name(given["scope"], "scope")
    if given.get("review") is not None:
        values["review"] = checked_switch(given["review"], "review")
    trusts = (member(SourceTrust, one, "source_trust") for one in _listed(given.get("source_trust")))
    values["trusts"] = frozenset(trusts)
    if memories:
        states = frozenset(member(State, one, "states") for one in _listed(given.get("states")))
        values["states"] = states or frozenset({State.ACTIVE, State.ARCHIVED})
        values["include_superseded"] = bool(states)
    return Filter(**values)  # type: ignore[arg-type]  # each value was checked above


def _listed(value: object) -> Iterable[object]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) or not isinstance(value, Iterable) else value


def checked_whole(value: object, field: str, least: int, most: int) -> None:
    """Raise InvalidInput for what is no whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        problem = f"{shown(value)} is not a whole number from {least} to {most:,}"
        raise InvalidInput(field, problem, "give a number of that range")
