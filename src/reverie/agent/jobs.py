"""Facets for what works on a bank: its jobs, the host's model, and workflows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.agent.base import Base, Names, Progress, listed, told
from reverie.domain.agent import Agent as Profile
from reverie.domain.attended import Attended
from reverie.domain.episode import Episode
from reverie.domain.host import HostQuestion
from reverie.domain.outcome import Backfilled, Flushed, Reembedded
from reverie.domain.procedure import Procedure
from reverie.domain.sleep import SleepRecord, SleepReport
from reverie.services.loop import extraction
from reverie.services.observe import outbox
from reverie.services.recall import look
from reverie.services.remember import procedures
from reverie.services.runtime import pause
from reverie.services.sleep import night, sleep, sleeps
from reverie.services.upkeep import backfill, reembed, retry


class Jobs(Base):
    """What runs in the background for an agent, and its controls: past sleeps, pauses, retries, embedders.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     paused = mama.jobs.pause()
    ...     seen = mama.observe("I always take the night train")
    ...     resumed = mama.jobs.resume()
    ...     seen.captured, resumed.paused_at
    ((), None)
    """

    def pause(self) -> Profile:
        """Stop sleep, housekeeping, self-care, extraction and capture until ``resume``. What you tell the agent is kept
        as it is, and recall goes on. A pause survives restarts.
        """
        return pause.pause(self._desk, self.id, actor=self._actor)

    def resume(self) -> Profile:
        """Lift a pause. The next sleep and round of the memory loop read what was told meanwhile."""
        return pause.resume(self._desk, self.id, actor=self._actor)

    def sleep_through(self, *, on_progress: Progress | None = None) -> tuple[SleepReport, ...]:
        """Sleep until no episode is left to read, and return a report for each ``sleep``. Raises as that does; what was
        done so far stays done.
        """
        return sleep.sleep_through(self._desk, self.id, actor=self._actor, progress=told(on_progress))

    def sleeps(self, *, limit: int = 100, before: str | None = None) -> Sequence[SleepRecord]:
        """Return past sleeps, newest first, a page at a time. ``before``: the last id of the page before. Raises
        InvalidInput, NotFound (``before``).
        """
        return sleeps.sleeps(self._desk, self.id, limit=limit, before=before)

    def diff(self, sleep_id: str) -> SleepReport:
        """Return what one sleep changed, with before and after and the episodes that it rests on. Raises NotFound,
        InvalidInput (it is a self-care's: ``summaries`` tells what that made, ``audit(job=…)`` the rest).
        """
        return sleeps.report(self._desk, self.id, sleep_id)

    def sources(self, ids: Sequence[str]) -> Sequence[Episode]:
        """Return those of these episodes that are there, in the order given: what a change rests on. Raises
        InvalidInput.
        """
        return look.sources(self._desk, self.id, listed(ids, "ids"))

    def retry(self) -> int:
        """Let jobs that failed and were parked (``stats().jobs``, ``stats().parked``) be tried again at the next
        chance, and return how many there were.
        """
        return retry.retry(self._desk, self.id)

    def flush(self) -> Flushed:
        """Store what waits since the embedder failed (``stats().queued``), as the next write and a ``Worker`` do by
        themselves. Raises EmbedderMismatch.
        """
        return outbox.flush(self._desk, self.id)

    def reembed(self, *, on_progress: Progress | None = None) -> Reembedded:
        """Move the bank to this Reverie's embedder: open it with the new one (``Reverie.open(embedder=…)``), then call
        this. If it was interrupted, call it again, and it goes on.

        Until the last new vector is there, whoever opened the bank with the old embedder goes on as before; then the
        bank moves in one step. Raises EmbedderFailed, StoreError.
        """
        return reembed.reembed(self._desk, self.id, progress=told(on_progress))

    def backfill(self, *, on_progress: Progress | None = None) -> Backfilled:
        """Judge emotions, lesson and importance of all memories that lack one: those stored before there was a
        classifier or a mind, imported, or cleared. It works in batches, each a transaction. If it was interrupted, call
        it again, and it goes on.

        Raises InvalidInput where nobody judges (``Settings.remember.emotions`` False and no mind), EmbedderMismatch.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     wedding = mama.remember("Anna is so happy that she cried with joy").memory
        ...     wedding = mama.revise(wedding.id, clear=["emotions"])
        ...     done = mama.jobs.backfill()
        ...     done.judged, mama.get(wedding.id).emotions[0].value
        (1, 'joy')
        """
        return backfill.backfill(self._desk, self.id, actor=self._actor, progress=told(on_progress))


class Host(Base):
    """Sleep and extraction by the model that the agent runs on: it needs no key and no provider of ours
    (docs/host.md).

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     seen = mama.observe({"speaker": "Anna", "content": "My partner Jonas is a carpenter in Ghent."})
    ...     night = mama.host.night()
    ...     answer = {"new": [{"category": "fact", "content": "Anna's partner Jonas is a carpenter in Ghent.",
    ...                        "sourceEpisodes": ["e1"], "stated": True, "importance": 0.6}]}
    ...     report = mama.host.apply_night(night.id, answer)
    ...     [change.text for change in report.changes], report.question
    (["Anna's partner Jonas is a carpenter in Ghent."], None)
    """

    def night(self, *, max_tokens: int = night.TOKENS) -> HostQuestion | None:
        """Return the next night as a question to the model; None where no episode waits.

        It holds whole conversations of the oldest episodes that no sleep has read, as far as ``max_tokens`` reaches,
        but at least one; the next night holds the others. Secrets were redacted when they were stored; otherwise the
        model sees what was said. Only the latest night that you asked for can be answered. Raises Paused, InvalidInput.
        """
        return night.night(self._desk, self.id, max_tokens=max_tokens)

    def apply_night(self, id: str | None, answer: Mapping[str, object] | str) -> SleepReport:
        """Apply the model's answer to a night: each change is checked, and what stands is applied in one transaction,
        as ``sleep`` does; ``revert`` undoes it.

        ``answer``: a mapping, or JSON text, also within a Markdown fence. ``id`` None: the answer has it under
        ``night``. Where something was refused, the report's ``question`` asks about it, once: apply its answer under
        the same id. An answer that comes late or twice changes nothing (NotOpen). Raises InvalidInput for an answer
        without a usable shape, which leaves the night open; Paused, JobRunning.
        """
        return night.apply_night(self._desk, self.id, id, answer, actor=self._actor)

    def extraction(self, conversation: str | None = None) -> HostQuestion | None:
        """Return the next snippet that no round of the memory loop has read, of all conversations or of this one, as a
        question to the model; None where there is none. Nothing is stored meanwhile. Raises Paused, InvalidInput.
        """
        return extraction.extraction(self._desk, self.id, actor=self._actor, conversation=conversation)

    def apply_extraction(self, id: str, answer: Mapping[str, object] | str) -> Attended:
        """Keep what the model found in a snippet, as ``attend`` does; the snippet counts as read then. An answer that
        comes late or twice changes nothing (NotOpen). Raises InvalidInput, Paused.
        """
        return extraction.apply_extraction(self._desk, self.id, id, answer, actor=self._actor)


class Procedures(Base):
    """Named workflows: lists of steps, and how often they succeeded or failed.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     kept = mama.procedures.record("deploy", ["run the tests", "tag", "push"])
    ...     mama.procedures.record("deploy", outcome="success").steps.success_count
    1
    """

    def record(
        self, name: str, steps: Sequence[str] | None = None, *, outcome: str | None = None, note: str | None = None,
        scope: Names = (), tags: Names = (), lesson: str | None = None, override: bool = False,
    ) -> Procedure:  # fmt: skip
        """Keep a named workflow, or how it went.

        ``steps``: what to do, in order; for a known name they replace the old ones, which stay in the history.
        ``outcome``: "success" or "failure", counted, with a ``note``. Raises NotFound (no steps, and no procedure of
        that name), InvalidInput (also for the name alone, which ``get`` reads).
        """
        return procedures.procedure(
            self._desk, self.id, name, steps=steps, outcome=outcome, note=note, scope=listed(scope, "scope"),
            tags=listed(tags, "tags"), lesson=lesson, override=override, actor=self._actor,
        )  # fmt: skip

    def get(self, name: str) -> Procedure:
        """Return the procedure of that name, in any case. Raises NotFound, InvalidInput."""
        return procedures.named(self._desk, self.id, name)

    def list(self) -> Sequence[Procedure]:
        """Return all procedures, in order of name."""
        return procedures.procedures(self._desk, self.id)
