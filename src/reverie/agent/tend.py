"""What keeps a bank in order, and workflows."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.agent.base import Base, Names, Progress, listed, told
from reverie.domain import agent as profiles
from reverie.domain.housekept import Housekept
from reverie.domain.outcome import Flushed, Reembedded
from reverie.domain.procedure import Procedure
from reverie.services.observe import outbox
from reverie.services.remember import procedures
from reverie.services.runtime import pause
from reverie.services.upkeep import housekeeping, reembed, retry


class Tending(Base):
    """What keeps a bank in order, and workflows. See ``reverie.Agent``."""

    def procedure(
        self, name: str, steps: Sequence[str] | None = None, *, outcome: str | None = None, note: str | None = None,
        scope: Names = (), tags: Names = (), lesson: str | None = None,
        override: bool = False,
    ) -> Procedure:  # fmt: skip
        """Keeps a named workflow, or how it went (``memory_procedure``).

        ``steps``: what to do, in order; of a known name they replace the old ones, which stay in the history.
        ``outcome``: "success" or "failure", counted, with a ``note``. Raises InvalidInput, NotFound (neither steps
        nor a procedure of that name).

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     kept = mama.procedure("deploy", ["run the tests", "tag", "push"])
        ...     mama.procedure("deploy", outcome="success").steps.success_count
        1
        """
        return procedures.procedure(
            self._desk, self.id, name, steps=steps, outcome=outcome, note=note, scope=listed(scope, "scope"),
            tags=listed(tags, "tags"), lesson=lesson, override=override, actor=self._actor,
        )  # fmt: skip

    def procedures(self) -> Sequence[Procedure]:
        """All procedures, in order of name."""
        return procedures.procedures(self._desk, self.id)

    def housekeeping(self, *, on_progress: Progress | None = None) -> Housekept:
        """Merges duplicates, archives what is stale, and makes memories of what recurs. Audited; run it weekly;
        running it twice is running it once.
        """
        return housekeeping.housekeeping(self._desk, self.id, actor=self._actor, progress=told(on_progress))

    def pause(self) -> profiles.Agent:
        """From now on nothing is slept on, put in order, summarized, extracted or captured, until ``resume``; what is
        told is kept as it is, and recall goes on. Survives restarts.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     still = mama.pause()
        ...     seen = mama.observe("I always take the night train")
        ...     awake = mama.resume()
        ...     seen.captured, awake.paused_at
        ((), None)
        """
        return pause.pause(self._desk, self.id, actor=self._actor)

    def resume(self) -> profiles.Agent:
        """Lifts a pause. What was told meanwhile is read by the next sleep and round of the memory loop."""
        return pause.resume(self._desk, self.id, actor=self._actor)

    def retry(self) -> int:
        """Lets what failed and was parked (``stats().jobs``, ``stats().parked``) be tried again at the next chance; how
        many there were.
        """
        return retry.retry(self._desk, self.id)

    def reembed(self, *, on_progress: Progress | None = None) -> Reembedded:
        """Moves the bank to this Reverie's embedder: ``Reverie.open(embedder=…)`` with the new one, then this. When it
        was interrupted, call it again, and it goes on.

        Until the last new vector is there, whoever opened the bank with the old embedder goes on as before; then it
        moves in one step. Raises EmbedderFailed, StoreError.
        """
        return reembed.reembed(self._desk, self.id, progress=told(on_progress))

    def flush(self) -> Flushed:
        """Stores what waits since the embedder failed (``stats().queued``), as the next write and a ``Worker`` do by
        themselves. Raises EmbedderMismatch.
        """
        return outbox.flush(self._desk, self.id)

    def consolidate(self) -> Housekept:
        """``housekeeping`` in the words of agents' tools (``memory_consolidate``)."""
        return self.housekeeping()
