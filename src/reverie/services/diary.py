"""diary: being written."""

from __future__ import annotations

from typing import Any


def write(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.write(self._desk, self._agent_id, body, mood=mood, location=location, date=date, override=override, actor=self._actor)"""
    raise NotImplementedError


def page(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.page(self._desk, self._agent_id, date)"""
    raise NotImplementedError


def pages(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.pages(self._desk, self._agent_id, since=since, until=until, limit=limit, newest_first=newest_first)"""
    raise NotImplementedError


def search(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.search(self._desk, self._agent_id, keywords, since=since, until=until, limit=limit)"""
    raise NotImplementedError


def month(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.month(self._desk, self._agent_id, month)"""
    raise NotImplementedError


def remove(*args: Any, **kwargs: Any) -> Any:
    """Being written: diary.remove(self._desk, self._agent_id, date, actor=self._actor)"""
    raise NotImplementedError

