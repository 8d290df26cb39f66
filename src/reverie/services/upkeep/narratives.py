"""Write a summary of self-care: ask a mind for the narrative, check it, and store it in one transaction."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import partial

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.memory import MAX_ESSENCE_BYTES, Memory, Origin
from reverie.domain.text import normalized
from reverie.errors import MindFailed
from reverie.memory.change import Said, carried
from reverie.memory.forgetting import sentences
from reverie.ports.aggregates import Vector
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.services.remember import judged, unforgotten
from reverie.services.runtime import Job, asked, clean, plain, to_json

LEAST_TOKENS = 88
"""No summary is asked for that is shorter than that."""
MOST_TOKENS = MAX_ESSENCE_BYTES // 3
"""The longest that a memory may hold."""
_TRIES = 3
"""How often what others change meanwhile is read again."""
_MOST_LABELS = 8
_HEAD_SHARE = 4
"""The first line of a summary takes at most one part in this many, where that is more than ``_LEAST_HEAD`` tokens."""
_LEAST_HEAD = 24

Head = Callable[[Callable[[str], bool]], str]
"""Makes the first line of a summary, given a test whether a line is short enough."""

_log = logging.getLogger("reverie.selfcare")


class _Unsupported(MindFailed):
    """A narrative of which nothing may be stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What one summary is to tell of. ``most``: tokens that it may have; ``tell`` asks a mind for a narrative of at
    most so many; ``said`` is what the narrative may tell, at times of ``zone``; ``given`` are fields of the summary.

    ``write`` looks in the transaction whether the source is as it was read (None: it isn't), and returns what writes
    the rest once the summary is there.
    """

    most: int
    head: Head
    tell: Callable[[Mind, int], object]
    said: Sequence[Said]
    zone: tzinfo
    given: Mapping[str, object]
    write: Callable[[Unit], Callable[[Memory], None] | None]


@dataclass(kw_only=True, slots=True, eq=False)
class Care:
    """One self-care under way, and what came of it so far: summaries of conversations (``rooms``), for ``closed``
    messages, and of memories (``batches``), for ``summarized`` ones; whether others ``changed`` something again and
    again, and whether memories are too ``scattered`` over scopes to be summarized. ``total``: items to go through.
    """

    job: Job
    total: int
    rooms: list[str] = field(default_factory=list)
    closed: int = 0
    batches: list[str] = field(default_factory=list)
    summarized: int = 0
    changed: bool = False
    scattered: bool = False

    def tries(self) -> Iterator[None]:
        """Yield before each batch, until several tries in a row found that others had changed what was read. Raise
        Stopped, JobRunning.
        """
        left = _TRIES
        while left:
            self.job.checkpoint()
            before = self._made
            yield
            if self._made > before:
                left = _TRIES
                self.told()
            else:
                left -= 1
                self.changed = True

    @property
    def _made(self) -> int:
        return len(self.rooms) + len(self.batches)

    def told(self) -> None:
        """Tell the progress."""
        done = self.closed + self.summarized
        self.job.tell(done, max(done, self.total))

    def summary(self, mind: Mind, read: Callable[[], Source]) -> str | None:
        """Write one summary; return its id, or None where its source was changed meanwhile. Raise Paused, MindFailed,
        CapReached.
        """
        job = self.job
        with job.work():
            source = read()
            born, filled, vector = self._born(self._narrative(mind, source), source.given)

        def within(unit: Unit) -> bool:
            job.begin(unit)
            rest = source.write(unit)
            if rest is None:
                return False
            [memory] = unforgotten(unit, [born], [filled])
            unit.memories.add([memory], vector[None])
            rest(memory)
            return True

        return filled.id if job.desk.store.transact(job.agent_id, within) else None

    def birth(self, action: Action, memory: Memory, **more: object) -> AuditEntry:
        """Return the entry that a summary was made."""
        after = {**to_json(memory), "updated_at": plain(memory.updated_at), **more}
        return self.job.entry(action, memory.id, memory.created_at, after=after)

    def length(self, tokens: int, share: int) -> int:
        """Return how long a summary may be of what holds so many tokens: a part of them, else it relieves nothing."""
        most = min(self.job.desk.settings.self_care.summary, MOST_TOKENS)
        return max(min(most, tokens // share), min(LEAST_TOKENS, most))

    def _narrative(self, mind: Mind, source: Source) -> str:
        """Return our first line, and what the mind tells in the tokens that are left; where its answer is of no use,
        what the mind of this machine does. Sentences that the source doesn't carry are left out, and where that is all
        of them, the first line stands alone. Raise MindFailed, CapReached.
        """
        desk, most = self.job.desk, source.most
        room = min(max(_LEAST_HEAD, most // _HEAD_SHARE), most // 2)
        line = source.head(lambda text: desk.tokens(text, most) <= room)
        line = clean(desk.settings, line).text.strip()
        left = most - desk.tokens(f"{line}\n", most) if line else most
        try:
            told = self._told(mind, source, left)
        except MindFailed as failure:
            told = self._told_at_home(mind, source, left, failure)
        if not line and not told:
            raise _Unsupported(mind.id, _NOTHING_CARRIED)
        return "\n".join(filter(None, (line, told)))

    def _told_at_home(self, mind: Mind, source: Source, most: int, failure: MindFailed) -> str:
        """Return what the mind of this machine tells instead; nothing where an answer was one, but isn't carried.
        Raise MindFailed.
        """
        home = self.job.desk.home
        if home is None or home is mind:
            if isinstance(failure, _Unsupported):
                return ""
            raise failure
        _log.warning("a batch is told by the mind of this machine: %s", failure)
        try:
            return self._told(home, source, most)
        except _Unsupported:
            return ""

    def _told(self, mind: Mind, source: Source, most: int) -> str:
        """Return the narrative as it may be stored. Raise MindFailed."""
        desk = self.job.desk
        answer: object = asked(mind, partial(source.tell, mind, most))
        text = normalized(answer).strip() if isinstance(answer, str) else ""
        whole = sentences(clean(desk.settings, text).text.strip())
        parts = carried(whole, source.said, source.zone, [self.job.agent_id])
        if whole and not parts:
            raise _Unsupported(mind.id, _NOTHING_CARRIED)
        while parts and desk.tokens("".join(parts).rstrip(), most) > most:
            parts.pop()
        kept = "".join(parts).strip()
        if not kept:
            raise MindFailed(mind.id, "its narrative is empty, or longer than it was asked for")
        return kept

    def _born(self, text: str, given: Mapping[str, object]) -> tuple[Memory, Memory, Vector]:
        """Return the summary as given, the same with what is judged of it, and its vector."""
        desk = self.job.desk
        now = desk.clock()
        memory = Memory(
            id=desk.ids(now), essence=text, kind=Kind.OBSERVATION, priority=default_priority(Kind.OBSERVATION),
            confidence_at=now, origin=Origin.SELF_CARE, last_reinforced_at=now, created_at=now, updated_at=now,
            believed_from=now, **given,  # type: ignore[arg-type]
        )  # fmt: skip
        vectors = desk.embedder.embed([text])
        [filled] = judged(desk, [memory], vectors)
        return memory, filled, vectors[0]


_NOTHING_CARRIED = "nothing of its narrative is carried by what it tells of"


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 6) if known else None


def most_frequent(labels: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that most have, most frequent first."""
    counts = Counter(label for each in labels for label in dict.fromkeys(each))
    best = sorted(counts, key=lambda label: (-counts[label], label))
    return tuple(best[:_MOST_LABELS])
