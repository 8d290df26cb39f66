"""caring: what the two halves of a self-care share: the job, how a narrative is had, and the memory that it becomes."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.memory import MAX_ESSENCE_BYTES, Memory, Origin
from reverie.domain.text import normalized
from reverie.errors import MindFailed, Paused
from reverie.memory.change import Said, carried
from reverie.memory.forgetting import sentences
from reverie.ports.aggregates import Vector
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.services.remember import judged
from reverie.services.runtime import Desk, Pace, asked, clean, entry, is_paused, plain, to_json

LEAST_TOKENS = 88
"""No summary is asked for that is shorter than that."""
MOST_TOKENS = MAX_ESSENCE_BYTES // 3
"""The longest that a memory may hold."""
TRIES = 3
"""So often what was changed meanwhile is read anew."""
_MOST_LABELS = 8
_HEAD_SHARE = 4
"""The first line of a summary takes at most one part in so many, where that is more than so many tokens."""
_LEAST_HEAD = 24

Head = Callable[[Callable[[str], bool]], str]
"""Makes the first line of a summary, of which it asks whether it is short enough."""

_log = logging.getLogger("reverie.selfcare")


class _Uncarried(MindFailed):
    """A narrative of which nothing may be stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldOf:
    """What a narrative is to tell of, at times of the agent's zone."""

    said: Sequence[Said]
    zone: tzinfo


@dataclass(kw_only=True, slots=True)
class Tally:
    """What came of it so far: summaries of conversations, for so many messages, and of memories, for so many; and
    whether something was ``changed`` by others again and again, or is too ``scattered`` over scopes to be summarized.
    """

    rooms: list[str] = field(default_factory=list)
    closed: int = 0
    batches: list[str] = field(default_factory=list)
    summarized: int = 0
    changed: bool = False
    scattered: bool = False


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Care:
    """One self-care under way. ``advance`` is told of items that are done."""

    desk: Desk
    agent_id: str
    actor: str
    id: str
    pace: Pace
    renew: Callable[[], None]
    advance: Callable[[int], None]
    tally: Tally = field(default_factory=Tally)

    def breathe(self) -> None:
        """Between two batches. Raises Stopped, JobRunning."""
        self.pace.breathe()
        self.renew()

    def check(self, unit: Unit) -> None:
        """At the start of a batch's transaction. Raises Paused."""
        if is_paused(unit):
            raise Paused(self.agent_id)
        self.desk.begin(unit, self.agent_id)

    def entry(
        self, action: Action, target: str, at: datetime, *, before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None, reason: str | None = None,
    ) -> AuditEntry:  # fmt: skip
        """An entry of the log under the job's id."""
        made = entry(
            self.desk, action, target, actor=self.actor, at=at, before=before, after=after, reason=reason
        )
        return replace(made, job=self.id)

    def birth(self, action: Action, memory: Memory, **more: object) -> AuditEntry:
        """That a summary was made."""
        after = {**to_json(memory), "updated_at": plain(memory.updated_at), **more}
        return self.entry(action, memory.id, memory.created_at, after=after)

    def narrative(
        self, mind: Mind, most: int, first: Head, tell: Callable[[Mind, int], object], told_of: ToldOf
    ) -> str:
        """Our first line, and what the mind tells in the tokens that are left; where its answer is of no use, what the
        mind of this machine does. Sentences that aren't carried by what they tell of are left out, and where that is
        all of them, the first line stands alone. Raises MindFailed, CapReached.
        """
        room = min(max(_LEAST_HEAD, most // _HEAD_SHARE), most // 2)
        line = first(lambda text: self.desk.tokens(text, most) <= room)
        line = clean(self.desk.settings, line).text.strip()
        left = most - self.desk.tokens(f"{line}\n", most) if line else most
        try:
            told = self._sound(mind, asked(mind, lambda: tell(mind, left)), left, told_of)
        except MindFailed as failure:
            told = self._at_home(mind, failure, lambda home: tell(home, left), left, told_of)
        if not line and not told:
            raise MindFailed(mind.id, "nothing of its narrative is carried by what it tells of")
        return "\n".join(filter(None, (line, told)))

    def _at_home(
        self, mind: Mind, failure: MindFailed, tell: Callable[[Mind], object], most: int, told_of: ToldOf
    ) -> str:
        """What the mind of this machine tells instead; nothing where an answer was one, but isn't carried. Raises
        MindFailed.
        """
        home = self.desk.home
        if home is None or home is mind:
            if isinstance(failure, _Uncarried):
                return ""
            raise failure
        _log.warning("a batch is told by the mind of this machine: %s", failure)
        try:
            return self._sound(home, asked(home, lambda: tell(home)), most, told_of)
        except _Uncarried:
            return ""

    def _sound(self, mind: Mind, answer: object, most: int, told_of: ToldOf) -> str:
        """The text as it may be stored. Raises MindFailed."""
        text = normalized(answer).strip() if isinstance(answer, str) else ""
        whole = sentences(clean(self.desk.settings, text).text.strip())
        parts = carried(whole, told_of.said, told_of.zone, [self.agent_id])
        if whole and not parts:
            raise _Uncarried(mind.id, "nothing of its narrative is carried by what it tells of")
        while parts and self.desk.tokens("".join(parts).rstrip(), most) > most:
            parts.pop()
        kept = "".join(parts).strip()
        if not kept:
            raise MindFailed(mind.id, "its narrative is empty, or longer than it was asked for")
        return kept

    def born(self, text: str, **given: object) -> tuple[Memory, Memory, Vector]:
        """The summary as given, the same with what is judged of it, and its vector."""
        now = self.desk.clock()
        memory = Memory(
            id=self.desk.ids(now), essence=text, kind=Kind.OBSERVATION, priority=default_priority(Kind.OBSERVATION),
            confidence_at=now, origin=Origin.SELF_CARE, last_reinforced_at=now, created_at=now, updated_at=now,
            believed_from=now, **given,  # type: ignore[arg-type]
        )  # fmt: skip
        vectors = self.desk.embedder.embed([text])
        [filled] = judged(self.desk, [memory], vectors)
        return memory, filled, vectors[0]

    def length(self, tokens: int, share: int) -> int:
        """How long a summary may be of what holds so many tokens: a part of them, else it would relieve of nothing."""
        most = min(self.desk.settings.self_care.summary, MOST_TOKENS)
        return max(min(most, tokens // share), min(LEAST_TOKENS, most))


def mean(values: Iterable[float | None]) -> float | None:
    """Of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 6) if known else None


def most_frequent(labels: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The labels that most have, most frequent first."""
    counts = Counter(label for each in labels for label in dict.fromkeys(each))
    best = sorted(counts, key=lambda label: (-counts[label], label))
    return tuple(best[:_MOST_LABELS])
