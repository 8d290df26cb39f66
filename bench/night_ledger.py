"""What became of each entry of a recorded answer: whether it landed, and why it was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.night_mind import NOWHERE, Entry, ReplayingMind, Told, plain
from reverie import Act, Memory, SleepReport
from reverie.domain.change import Change, Connect, Contradict, Fade, Learn, Reinforce, Retire, Revise
from reverie.domain.sleep import Rejected
from reverie.memory.prompt.activation import GUARDED_KINDS

_ACTS = {
    "new": Act.LEARN, "reinforce": Act.REINFORCE, "update": Act.REVISE, "retire": Act.RETIRE, "decay": Act.FADE,
    "contradict": Act.CONTRADICT, "supersede": Act.CONTRADICT, "connect": Act.CONNECT,
}  # fmt: skip
_MISSING = "its memory isn't in this bank: "
_LESSON = "lesson"


@dataclass(kw_only=True, slots=True)
class Tally:
    """Of entries of one sort: how many there were, and how many landed."""

    landed: int = 0
    asked: int = 0

    def add(self, landed: bool) -> None:
        """Counts one."""
        self.landed += landed
        self.asked += 1

    @property
    def share(self) -> float:
        """1 where there was none."""
        return self.landed / self.asked if self.asked else 1.0


@dataclass(slots=True)
class Ledger:
    """Counts night by night. ``reasons``: of what was refused, by section and reason; ``lines``: each, to be read."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    review: int = 0
    old: int = 0
    missing: int = 0
    dropped: int = 0

    def tally(self, name: str) -> Tally:
        """That of a section."""
        return self.tallies.setdefault(name, Tally())

    def slept(self, mind: ReplayingMind, reports: Sequence[SleepReport]) -> None:
        """Takes in a night's sleeps. The mind learns what its texts have become."""
        told = mind.nights[-len(reports) :] if reports else []
        for report, night in zip(reports, told, strict=True):
            self.review += len(report.review)
            self.dropped += night.dropped
            found = _Found(report, night, mind)
            for entry in night.entries:
                self._count(entry, found, mind)

    def _count(self, entry: Entry, found: _Found, mind: ReplayingMind) -> None:
        if entry.missing is not None:
            self.missing += 1
            self._refused(entry, _MISSING + entry.missing)
            if entry.missing == NOWHERE:
                return
        elif entry.is_old:
            self.old += 1
            return
        elif entry.again and not found.was_asked_again:
            return
        elif (why := found.refusal(entry)) is not None:
            self._refused(entry, why)
        landed = entry.missing is None and found.refusal(entry) is None
        if entry.again:  # it stands in the place of one that was refused
            self.tally(entry.section).landed += landed
        else:
            self.tally(entry.section).add(landed)
        memory = found.memory(entry)
        if entry.says is not None:
            if memory is not None:
                mind.ids[entry.says] = memory.id
            else:
                mind.lost[entry.says] = f"it was refused: {found.refusal(entry) or entry.missing}"
        if isinstance(entry.change, Learn) and entry.change.kind in GUARDED_KINDS:
            kept = landed and memory is not None and memory.kind is entry.change.kind
            self.tally("policies").add(kept)
        if isinstance(entry.change, Learn | Revise) and entry.change.lesson is not None:
            kept = landed and memory is not None and plain(memory.lesson or "") == plain(entry.change.lesson)
            self.tally("lessons").add(kept)
            if landed and not kept:
                self._refused(entry, found.lesson_refusal(entry), section=_LESSON, told=entry.change.lesson)

    def _refused(
        self, entry: Entry, why: str, *, section: str | None = None, told: str | None = None
    ) -> None:
        section = section or entry.section
        self.reasons[section, why] += 1
        self.lines.append(f"{section}: {why}: {told or entry.told}")


class _Found:
    """What one sleep's report says of the entries of its night."""

    def __init__(self, report: SleepReport, night: Told, mind: ReplayingMind) -> None:
        self._report, self._mind = report, mind
        self.was_asked_again = bool(night.refusals)

    def refusal(self, entry: Entry) -> str | None:
        """Why it was refused; None where it landed."""
        if self._report.refused is not None:
            return f"the whole night was refused: {self._report.refused}"
        if self._applied(entry) is not None:
            return None
        return next(
            (one.reason for one in self._rejected(entry) if not one.reason.startswith("its lesson")), None
        )

    def lesson_refusal(self, entry: Entry) -> str:
        """Why a lesson was left out of what landed."""
        said = (one.reason for one in self._rejected(entry) if _LESSON in one.reason)
        return next(said, "it became part of a memory that had one, or none was kept")

    def memory(self, entry: Entry) -> Memory | None:
        """The memory that it made or changed, or tried to change, as it is now."""
        if self._report.refused is None and (target := self._applied(entry)) is not None:
            return self._mind.now(target)
        if entry.known is not None:
            return self._mind.now(entry.known.id)
        change = entry.change
        if isinstance(change, Learn) and self.refusal(entry) is None:  # it confirmed what is known already
            said = (
                one.target for one in self._report.of(Act.REINFORCE) if {*change.sources} <= {*one.sources}
            )  # fmt: skip
            return next((found for id in said if (found := self._mind.now(id)) is not None), None)
        return None

    def _applied(self, entry: Entry) -> str | None:
        done = self._report.of(_ACTS[entry.section])
        match entry.change:
            case Learn(essence=essence):
                return next((one.target for one in done if plain(one.text or "") == plain(essence)), None)
            case Reinforce(memory_id=id) | Revise(memory_id=id) | Retire(memory_id=id) | Fade(memory_id=id):
                return id if any(one.target == id for one in done) else None
        return None

    def _rejected(self, entry: Entry) -> Iterable[Rejected]:
        act = _ACTS[entry.section]
        return (one for one in self._report.sleep.rejected if one.act is act and _is_of(one, entry.change))


def _is_of(one: Rejected, change: Change | None) -> bool:
    """Whether a refusal is a change's."""
    match change:
        case Learn(essence=essence):
            return one.text is not None and plain(essence).startswith(plain(one.text))
        case Reinforce(memory_id=id) | Revise(memory_id=id) | Retire(memory_id=id) | Fade(memory_id=id):
            return one.target == id
        case Contradict(memory_id=id, resolution=text) | Connect(memory_a=id, relation=text):
            return one.target in (id, None) and one.text == (text or None)
    return False
