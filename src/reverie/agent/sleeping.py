"""What an agent makes of its days, and how that is undone."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.agent.base import Base, Progress, told
from reverie.domain.attended import Attended
from reverie.domain.host import HostQuestion
from reverie.domain.sleep import Reverted, SleepRecord, SleepReport
from reverie.services.loop import extraction
from reverie.services.sleep import night, revert, sleep, sleeps


class Sleeping(Base):
    """What an agent makes of its days. See ``reverie.Agent``."""

    def sleep(self, *, dry_run: bool = False) -> SleepReport:
        """Makes knowledge of the next ``Settings.sleep.batch`` episodes that no sleep has read: the mind proposes
        changes, each is checked against the episodes that it rests on, and what stands is applied in one transaction.

        ``dry_run`` changes nothing and shows what would. Falsy where nothing was left to read. Raises Paused,
        JobRunning (here or in another process), MindFailed, CapReached, InvalidInput (no mind); then nothing was
        changed and the next sleep reads the same episodes.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     seen = mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
        ...     report = mama.sleep()
        ...     mama.recall("what does Jonas do?").hits[0].text
        'My partner Jonas is a carpenter in Ghent.'
        """
        return sleep.sleep(self._desk, self.id, actor=self._actor, dry_run=dry_run)

    def sleep_through(self, *, on_progress: Progress | None = None) -> tuple[SleepReport, ...]:
        """Sleeps until no episode is left to read: a report for each ``sleep``. Raises as that does; what was done so
        far stays done.
        """
        return sleep.sleep_through(self._desk, self.id, actor=self._actor, progress=told(on_progress))

    def night(self, *, max_tokens: int = night.TOKENS) -> HostQuestion | None:
        """The next night as a question to the model that the agent runs on: it needs no key and no provider of ours.
        None where no episode waits.

        Whole conversations of the oldest episodes that no sleep has read, as far as ``max_tokens`` reaches, but at
        least one; the others are the next night's. Secrets were redacted when they were stored, else the model sees
        what was said. Only the latest night that was asked for can be answered. Raises Paused, InvalidInput.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     seen = mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
        ...     night = mama.night()
        ...     answer = {"new": [{"category": "fact", "content": "Anna's partner Jonas is a carpenter in Ghent.",
        ...                        "sourceEpisodes": ["e1"], "stated": True, "importance": 0.6}]}
        ...     report = mama.apply_night(night.id, answer)
        ...     [change.text for change in report.changes], report.question
        (["Anna's partner Jonas is a carpenter in Ghent."], None)
        """
        return night.night(self._desk, self.id, max_tokens=max_tokens)

    def apply_night(self, id: str | None, answer: object) -> SleepReport:
        """Applies the model's answer to a night: each change is checked, and what stands is applied in one transaction,
        as ``sleep`` does; ``revert`` undoes it.

        ``answer``: a mapping, or JSON text, also within a Markdown fence. ``id`` None: the answer has it under
        ``night``. Where something was refused, ``question`` of the report asks about it, once: apply its answer under
        the same id. An answer that comes late or twice changes nothing (NotOpen). Raises InvalidInput for one without
        a usable shape, which leaves the night open; Paused, JobRunning.
        """
        return night.apply_night(self._desk, self.id, id, answer, actor=self._actor)

    def extraction(self, conversation: str | None = None) -> HostQuestion | None:
        """The next snippet that no round of the memory loop has read, as a question to the model that the agent runs
        on; None where there is none. ``conversation``: of that one alone. Nothing is stored meanwhile. Raises Paused,
        InvalidInput.
        """
        return extraction.extraction(self._desk, self.id, actor=self._actor, conversation=conversation)

    def apply_extraction(self, id: str, answer: object) -> Attended:
        """Keeps what the model found in a snippet, as ``attend`` does; that conversation's snippet counts as read then.
        An answer that comes late or twice changes nothing (NotOpen). Raises InvalidInput, Paused.
        """
        return extraction.apply_extraction(self._desk, self.id, id, answer, actor=self._actor)

    def sleeps(self, *, limit: int = 100, before: str | None = None) -> Sequence[SleepRecord]:
        """Past sleeps, newest first, a page at a time (``before``: the last id of the page before). Raises
        InvalidInput, NotFound (``before``).
        """
        return sleeps.sleeps(self._desk, self.id, limit=limit, before=before)

    def diff(self, sleep_id: str) -> SleepReport:
        """What one sleep changed, with before and after and the episodes that it rests on. Raises NotFound,
        InvalidInput (it is a self-care's: ``summaries`` and ``expand`` tell what that made, ``audit(job=…)`` the rest).
        """
        return sleeps.report(self._desk, self.id, sleep_id)

    def revert(self, sleep_id: str, *, force: bool = False, dry_run: bool = False) -> Reverted:
        """Undoes one sleep exactly: what it learned goes, what it changed is as it was, its episodes are to be slept on
        again. Of a self-care (whose id is its report's): its summaries go, what they stand for is active, or live,
        again. What was forgotten since is never brought back.

        Raises NotRevertible where later changes depend on it; ``force`` drops these too, and ``dry_run`` shows what
        would be done. Raises NotFound, InvalidInput (it was undone already), JobRunning.
        """
        job = revert.job_of(self._desk, self.id, sleep_id)
        return revert.revert(
            self._desk, self.id, sleep_id, actor=self._actor, force=force, dry_run=dry_run, job=job
        )
