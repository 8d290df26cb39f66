"""Turn what was proposed for one snippet into memories, and advance the conversation's watermark, in one
transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import Enum, auto

from reverie.domain.attended import Attended
from reverie.domain.outcome import Inserted, Reinforced, Remembered
from reverie.domain.snippet import Snippet
from reverie.domain.watermark import Watermark
from reverie.errors import Forgotten, NotFound
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.loop.proposals import Checked, checked, drop_forgotten, drop_quoted, drop_slept
from reverie.services.loop.snippets import Window, is_unchanged
from reverie.services.remember import remember
from reverie.services.runtime import Desk

JOB = "loop"
SKIPPED = "loop.skipped"
SNIPPETS = "loop.snippets"
REJECTED = "loop.rejected"
UNREAD = "loop.unread"


class Step(Enum):
    """How a try to bring the watermark forward ended."""

    DONE = auto()
    CHANGED = auto()  # messages were forgotten meanwhile, or a sleep read them: to be read anew
    LEFT = auto()  # another process was faster, or the round was stopped


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps what is proposed of one agent's snippets; ``zone`` is the agent's, ``actor`` signs the audit log."""

    desk: Desk
    agent_id: str
    zone: tzinfo
    actor: str

    def snippet(self, window: Window) -> Snippet:
        """Return what a window shows."""
        return Snippet(agent_id=self.agent_id, zone=self.zone, messages=window.messages, fresh=window.fresh)

    def keep(
        self, mark: Watermark, window: Window, propose: Callable[[Snippet], object]
    ) -> tuple[Step, Attended]:
        """Keep one snippet, from its messages to its memories. Raise what ``propose`` and a store raise."""
        found = Checked()
        if window.messages:
            snippet = self.snippet(window)
            with unread_within() as unread:
                proposals = propose(snippet)
            found = checked(proposals, snippet, self.desk.settings, self.desk.clock())
            found.unread.extend(unread)
            drop_forgotten(self.desk, self.agent_id, found)
            drop_slept(self.desk, self.agent_id, snippet, found)
            drop_quoted(self.desk, self.agent_id, found)
        try:
            step, outcomes = self._written(mark, window, found)
        except (Forgotten, NotFound):  # by somebody else, just now
            return Step.CHANGED, Attended()
        if step is not Step.DONE:
            return step, Attended()
        return step, Attended(
            snippets=1 if window.messages else 0,
            inserted=tuple(one.memory.id for one in outcomes if isinstance(one, Inserted)),
            reinforced=tuple(one.memory.id for one in outcomes if isinstance(one, Reinforced)),
            rejected={reason.value: count for reason, count in found.rejected.items()},
            skipped=window.skipped,
            unread=tuple(found.unread),
        )

    def _written(self, mark: Watermark, window: Window, found: Checked) -> tuple[Step, Sequence[Remembered]]:
        """Write memories and watermark in one transaction; neither where the snippet isn't ours to write."""
        step = Step.LEFT

        def within(unit: Unit) -> bool:
            nonlocal step
            step = _advanced(unit, mark, window, found)
            return step is Step.DONE

        if found.drafts:
            outcomes = remember(self.desk, self.agent_id, found.drafts, actor=self.actor, within=within)
            return step, outcomes
        self.desk.store.transact(self.agent_id, within)
        return step, ()


def _advanced(unit: Unit, mark: Watermark, window: Window, found: Checked) -> Step:
    if not is_unchanged(unit, window):
        return Step.CHANGED
    if not unit.watermarks.advance(JOB, mark.conversation, seen=window.seen, position=window.upto):
        return Step.LEFT
    unit.counters.add(
        {
            SNIPPETS: 1 if window.messages else 0,
            SKIPPED: window.skipped,
            REJECTED: found.rejected.total(),
            UNREAD: len(found.unread),
        }
    )
    return Step.DONE
