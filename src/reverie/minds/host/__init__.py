"""The mind that is the model of the agent itself: it is asked by whoever runs it. No key, no provider, no call."""

from __future__ import annotations

from reverie.minds.host.mind import OwnModel

__all__ = ["OwnModel"]
