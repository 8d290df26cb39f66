"""What a sleep leaves behind: its record in the bank, and the report that a person reads in the morning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from reverie.domain.change import NOTHING_SPENT, Spent
from reverie.domain.host import HostQuestion


class Act(StrEnum):
    """What a change does (s3's new, reinforce, update, contradict, decay, connect; and retire)."""

    LEARN = "learn"
    REINFORCE = "reinforce"
    REVISE = "revise"
    RETIRE = "retire"
    CONTRADICT = "contradict"
    FADE = "fade"
    CONNECT = "connect"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejected:
    """A change that the sleep refused, or a lesson that it left out of one, and why. ``text``: what was proposed, None
    once anything was forgotten, since it might tell of it; ``target``: the memory that it named, where it named one;
    ``round``: 1 for what the mind proposed at first, 2 for what it put in place of what was refused.
    """

    act: Act
    reason: str
    target: str | None = None
    text: str | None = None
    round: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Applied:
    """A change that a sleep made, or in a dry run would make.

    ``id`` is its entry's in the audit log, by which it is undone alone (in a dry run it means nothing);
    ``undone_at`` when that was done. ``target`` is the memory that it made or changed (of an edge: its source);
    ``text`` what that said after this change, None once it was forgotten; ``now`` what it says today, which differs
    where it was changed since, and is None where it is gone; ``before`` and ``after`` hold the changed fields (JSON
    values; ``before`` None for what is new), both None for what was forgotten since; ``sources`` are the ids of the
    episodes that carry it.
    """

    id: str
    act: Act
    target: str
    text: str | None
    reason: str | None = None
    before: Mapping[str, object] | None = None
    after: Mapping[str, object] | None = None
    sources: tuple[str, ...] = ()
    now: str | None = None
    undone_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SleepRecord:
    """One sleep, as the bank keeps it; its changes stand in the audit log, under its id as ``job``.

    ``episodes``: ids of those that it read; ``clusters``: of how many conversations they are; ``notes``: what else is
    to be known; ``reverted_at``: when it was undone.
    """

    id: str
    mind: str
    started_at: datetime
    ended_at: datetime
    episodes: tuple[str, ...]
    clusters: int = 0
    rejected: tuple[Rejected, ...] = ()
    spent: Spent = NOTHING_SPENT
    notes: tuple[str, ...] = ()
    reverted_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SleepReport:
    """What one sleep did. Falsy where there was nothing to sleep on.

    ``remaining``: how many episodes wait for the next one; ``refused``: why nothing at all was changed, where the
    proposal as a whole was refused; ``dry_run``: nothing was changed, this is what would be. ``question``: what the
    host's model is asked once about that which was refused of its answer.
    """

    sleep: SleepRecord
    changes: tuple[Applied, ...] = ()
    remaining: int = 0
    refused: str | None = None
    dry_run: bool = False
    question: HostQuestion | None = None

    def __bool__(self) -> bool:
        return bool(self.sleep.episodes or self.changes or self.sleep.rejected)

    @property
    def review(self) -> tuple[str, ...]:
        """Ids of the memories that it made or reworded though our checks doubt the wording."""
        doubted = (one.target for one in self.changes if one.after and one.after.get("needs_review") is True)
        return tuple(dict.fromkeys(doubted))

    def of(self, act: Act) -> tuple[Applied, ...]:
        """Return its changes of one sort."""
        return tuple(change for change in self.changes if change.act is act)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reverted:
    """What undoing a job, or one ``change`` of it, restored, and what of later changes it dropped with ``force`` (one
    line each). ``elsewhere``: files that may tell of it still.
    """

    id: str
    change: str | None = None
    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    edges: int = 0
    episodes: int = 0
    dropped: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    dry_run: bool = False
