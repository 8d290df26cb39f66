"""What enters a prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reverie.agent.base import Base, Names, listed, waited_for
from reverie.domain.block import ContextBlock
from reverie.domain.memory import Memory
from reverie.domain.working import WorkingMemory
from reverie.services.prompt import context, scoped, window


class Prompting(Base):
    """What enters a prompt. See ``reverie.Agent``."""

    @waited_for
    def context(
        self, task: str | None = None, *, budget: int | None = None, path: str | None = None,
        conversation: str | None = None, with_: Names = None, tokens: Callable[[str], int] | None = None,
    ) -> ContextBlock:  # fmt: skip
        """What should stand in the prompt before this task without having been asked for: who the agent is, standing
        rules, what bears on the task, workflows that fit.

        At most ``budget`` tokens (``Settings.context.tokens``: 800) beside the soul's own 500, whole memories only,
        counted by ``tokens`` or the built-in estimate; the same text for the same bank, so prompt caches survive.
        ``path``: the file at hand; ``conversation``: without a task, its last messages are the task; ``with_``: who
        takes part (None: who has spoken in ``conversation``), so that it says how the agent sees them. What entered
        and what was left out, and why, comes with it. Reads only: nothing is touched. Raises InvalidInput.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     mama = reverie.agent("mama")
        ...     rule = mama.learn("Never commit secrets", type="policy")
        ...     "Never commit secrets" in mama.context("push the release").text
        True
        """
        return context.context(
            self._desk, self.id, task, budget=budget, path=path, conversation=conversation,
            with_=None if with_ is None else listed(with_, "with_"), tokens=tokens,
        )  # fmt: skip

    @waited_for
    def window(
        self, messages: object = None, *, max_tokens: int, system: str | None = None, path: str | None = None,
        conversation: str | None = None, with_: Names = None, channel: str = "api", goals: Iterable[str] | None = None,
        jobs: Iterable[str] = (), reserve: float | None = None, tokens: Callable[[str], int] | None = None,
    ) -> WorkingMemory:  # fmt: skip
        """A whole turn's context: system prompt and soul, relevant memories, a summary of older messages, recent
        messages in full, goals and jobs, what happened in the last 24 hours.

        ``messages``: the conversation so far, as ``observe`` takes it, said on ``channel``; ``conversation``: where
        they are stored, if they are. ``messages`` None: the latest that the bank holds of it, in rooms with their
        speakers' names, behind its summaries of those that are closed. ``with_`` as for ``context``. ``max_tokens``:
        the model's window, of which ``reserve`` (``Settings.window.reserve``: 0.85) stays free for the answer;
        ``goals`` None: those that are kept; ``jobs``: what is scheduled. The oldest messages are summarized first, and
        no history twice. Raises InvalidInput where not even the last message fits, NotFound.
        """
        return window.window(
            self._desk, self.id, messages, max_tokens=max_tokens, system=system, path=path, conversation=conversation,
            with_=None if with_ is None else listed(with_, "with_"), channel=channel, goals=goals, jobs=jobs,
            reserve=reserve, tokens=tokens,
        )  # fmt: skip

    def scoped(self, path: str, *, limit: int = 20) -> Sequence[Memory]:
        """Memories that concern a file: those whose scope globs cover it, the most closely written first, then those
        that name it. Nothing is looked up on disk. Raises InvalidInput.
        """
        return scoped.scoped(self._desk, self.id, path, limit=limit)
