"""Who the agent is to the outside."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.agent.base import Base
from reverie.domain import agent as profiles
from reverie.services.runtime import profiles as profile


class Profiled(Base):
    """Who the agent is to the outside. See ``reverie.Agent``."""

    @property
    def profile(self) -> profiles.Agent:
        """Time zone, principals, home and location as they are known."""
        return profile.profile(self._desk, self.id)

    def set_profile(
        self, *, time_zone: str | None = None, principals: Sequence[str] | None = None, home: str | None = None,
        location: str | None = None,
    ) -> profiles.Agent:  # fmt: skip
        """Changes what is given and leaves the rest (None). ``home`` or ``location`` "" takes it away: it has no home,
        or nobody knows where it is. Raises InvalidInput.
        """
        return profile.change_profile(
            self._desk, self.id, time_zone=time_zone, principals=principals, home=home, location=location,
            actor=self._actor,
        )  # fmt: skip
