"""rooms: being written."""

from __future__ import annotations

from typing import Any


def say(*args: Any, **kwargs: Any) -> Any:
    """Being written: rooms.say(self._desk, self.id, self.members, speaker, content, time=time, ref=ref, tags=listed(tags))"""
    raise NotImplementedError


def rooms(*args: Any, **kwargs: Any) -> Any:
    """Being written: rooms.rooms(self._desk, self.id, with_=listed(with_), limit=limit, after=after)"""
    raise NotImplementedError


def history(*args: Any, **kwargs: Any) -> Any:
    """Being written: rooms.history(self._desk, self.id, with_=listed(with_), since=since, until=until, limit=limit, newest_first=newest_first)"""
    raise NotImplementedError


def checked_members(*args: Any, **kwargs: Any) -> Any:
    """Being written: rooms.checked_members(self._desk, members)"""
    raise NotImplementedError

