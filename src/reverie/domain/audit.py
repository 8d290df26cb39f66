"""AuditEntry: who changed what and when, with before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

UNDONE = "changes"
"""Where a REVERT lists the changes that it undid."""


class Action(StrEnum):
    """What was done."""

    REMEMBER = "remember"
    REINFORCE = "reinforce"
    REVISE = "revise"
    SUPERSEDE = "supersede"
    JUDGE = "judge"
    ADOPT = "adopt"
    APPROVE = "approve"
    MERGE = "merge"
    ARCHIVE = "archive"
    PROMOTE = "promote"
    PROCEDURE = "procedure"
    GOAL = "goal"
    SOUL = "soul"
    FORGET = "forget"
    PROFILE = "profile"
    CONTRADICT = "contradict"
    RETIRE = "retire"
    FADE = "fade"
    CONNECT = "connect"
    SLEEP = "sleep"
    REVERT = "revert"
    PAUSE = "pause"
    RESUME = "resume"
    IMPORT = "import"
    SELF_CARE = "self-care"
    SUMMARIZE = "summarize"
    CLOSE = "close"
    DIARY = "diary"
    ITEM = "item"
    RELATIONSHIP = "relationship"
    LINK = "link"
    BACKUP = "backup"


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    """One change. ``before`` and ``after`` hold the changed fields only (JSON values); None for nothing,
    and for what was forgotten since. ``job``: the id of the sleep that did it, where one did. ``target``: the id of
    what was changed; of a backup, its path. Of a job that was undone there is a REVERT of the job; of a change that was
    undone alone, or along with what it rested on, a REVERT of its target, which tells the change in ``undoes``.
    """

    id: str
    at: datetime
    actor: str
    action: Action
    target: str
    before: Mapping[str, object] | None = None
    after: Mapping[str, object] | None = None
    reason: str | None = None
    job: str | None = None

    @property
    def undoes(self) -> frozenset[str]:
        """Ids of the changes that it undid."""
        listed = (self.after or {}).get(UNDONE) if self.action is Action.REVERT else None
        return frozenset(map(str, listed)) if isinstance(listed, list | tuple) else frozenset()
