"""link: being written."""

from __future__ import annotations

from typing import Any


def request(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.request(self._desk, self._agent_id, to, message=message, actor=self._actor)"""
    raise NotImplementedError


def pending(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.pending(self._desk, self._agent_id)"""
    raise NotImplementedError


def accept(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.accept(self._desk, self._agent_id, id, include=listed(include), kinds=listed(kinds), scope=scope, tags=listed(tags), actor=self._actor)"""
    raise NotImplementedError


def decline(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.decline(self._desk, self._agent_id, id, actor=self._actor)"""
    raise NotImplementedError


def adopt(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.adopt(self._desk, self._agent_id, id, actor=self._actor)"""
    raise NotImplementedError


def revoke(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.revoke(self._desk, self._agent_id, id, actor=self._actor)"""
    raise NotImplementedError


def links(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.links(self._desk, self._agent_id, limit=limit, before=before)"""
    raise NotImplementedError


def block(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.block(self._desk, self._agent_id, other, actor=self._actor)"""
    raise NotImplementedError


def unblock(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.unblock(self._desk, self._agent_id, other, actor=self._actor)"""
    raise NotImplementedError


def blocked(*args: Any, **kwargs: Any) -> Any:
    """Being written: link.blocked(self._desk, self._agent_id)"""
    raise NotImplementedError

