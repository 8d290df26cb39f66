"""What an agent needs to live for weeks among others."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.agent.base import Base, Moment, Names, Progress, listed, told
from reverie.agent.facets import Diary, Link, Relationships
from reverie.domain.episode import Episode
from reverie.domain.room import Expanded, RoomView
from reverie.domain.summary import SelfCareReport, Summary
from reverie.services.runtime import profiles as profile
from reverie.services.society import rooms
from reverie.services.upkeep import selfcare


class Living(Base):
    """What an agent needs to live for weeks among others. See ``reverie.Agent``."""

    @property
    def diary(self) -> Diary:
        """The agent's diary."""
        return Diary(self._desk, self.id, actor=self._actor)

    @property
    def relationships(self) -> Relationships:
        """How it sees others."""
        return Relationships(self._desk, self.id, actor=self._actor)

    @property
    def link(self) -> Link:
        """Its neural links."""
        return Link(self._desk, self.id, actor=self._actor)

    @property
    def home(self) -> str | None:
        """Where it is at home, if it has a home; set by ``set_profile``."""
        return profile.profile(self._desk, self.id).home

    @property
    def location(self) -> str | None:
        """Where it is, if that is known; set by ``set_profile``."""
        return profile.profile(self._desk, self.id).location

    def self_care(self, *, dry_run: bool = False, on_progress: Progress | None = None) -> SelfCareReport:
        """Relieves the agent of detail: batches of observations become summaries that stand for them, and conversations
        that are over are closed under summaries. Nothing is lost: ``expand`` brings back what a summary stands for,
        deep recall finds it, and ``revert`` undoes it all.

        Declines (``declined`` says why) with fewer than ``Settings.self_care.min_observations`` observations, or away
        from home where the agent has one. ``dry_run`` changes nothing and shows what would be done. Raises Paused,
        JobRunning, MindFailed, CapReached, InvalidInput (no mind); what was done until then stays done.

        >>> from reverie import Reverie
        >>> with Reverie.open("example.bank") as reverie:
        ...     nova = reverie.agent("nova")
        ...     kept = nova.remember("Kade walks to the harbour every morning", kind="observation")
        ...     nova.self_care().declined is None
        False
        """
        return selfcare.self_care(
            self._desk,
            self.id,
            actor=self._actor,
            dry_run=dry_run,
            progress=told(on_progress),
        )

    def summaries(self, *, limit: int = 100, after: str | None = None) -> Sequence[Summary]:
        """What its summaries stand for, in the order of making, a page at a time (``after``: the last memory id of the
        page before). Raises InvalidInput.
        """
        return selfcare.summaries(self._desk, self.id, limit=limit, after=after)

    def expand(self, summary_id: str) -> Expanded:
        """The memories or messages that a summary stands for, in the order of time; nothing is changed.

        Raises NotFound, InvalidInput (that memory is no summary).
        """
        return selfcare.expand(self._desk, self.id, summary_id)

    def rooms(self, *, with_: Names = None, limit: int = 100, after: str | None = None) -> Sequence[RoomView]:
        """Its conversations with their participants, and how many messages of each are live and closed, in the order of
        their ids, a page at a time. ``with_``: those in which one of these has spoken. Raises InvalidInput.
        """
        return rooms.rooms(self._desk, self.id, with_=listed(with_, "with_"), limit=limit, after=after)

    def history(
        self, *, with_: Names = None, since: Moment | None = None, until: Moment | None = None,
        limit: int = 100, newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """What was said in conversations with somebody (in which one of ``with_`` has spoken; None: in all), live and
        closed, in the order of time. Raises InvalidInput.
        """
        return rooms.history(
            self._desk, self.id, with_=listed(with_, "with_"), since=since, until=until, limit=limit,
            newest_first=newest_first,
        )  # fmt: skip
