"""Turned: what a worker did for one agent in its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reverie.domain.attended import NOTHING, Attended
from reverie.domain.housekept import Housekept
from reverie.domain.sleep import SleepReport
from reverie.domain.summary import SelfCareReport


@dataclass(kw_only=True, slots=True)
class Turned:
    """What was done for an agent. ``done`` and ``failed``: the names of the jobs that ended so, one for each time;
    ``stored``: writes that had waited for the embedder; ``is_left``: something is still to be done now.
    """

    agent_id: str
    attended: Attended = NOTHING
    stored: int = 0
    slept: list[SleepReport] = field(default_factory=list)
    cared: SelfCareReport | None = None
    housekept: Housekept | None = None
    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    is_left: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Backlog:
    """What waits for workers. ``due``: agents of which something is due; ``lag``: for how many seconds the one that
    waits longest; ``dead``: jobs and conversations that aren't tried by themselves any more; ``calls``: of models in
    the last 24 hours, by all workers and callers together.
    """

    due: int
    lag: float
    dead: int
    calls: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadJob:
    """A job of an agent that isn't tried by itself any more; ``failures`` and ``note`` of the last one where it is
    known. Of the memory loop it stands for all its conversations.
    """

    agent_id: str
    job: str
    failures: int
    note: str | None


DeadJobs = Sequence[DeadJob]
