"""relate: being written."""

from __future__ import annotations

from typing import Any


def assign(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.assign(self._desk, self._agent_id, other, type=type, trust=trust, tone=tone, rationale=rationale, notes=notes, override=override, actor=self._actor)"""
    raise NotImplementedError


def relationship(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.relationship(self._desk, self._agent_id, other, as_of=as_of)"""
    raise NotImplementedError


def relationships(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.relationships(self._desk, self._agent_id, as_of=as_of)"""
    raise NotImplementedError


def history(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.history(self._desk, self._agent_id, other)"""
    raise NotImplementedError


def remove(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.remove(self._desk, self._agent_id, other, actor=self._actor)"""
    raise NotImplementedError


def graph(*args: Any, **kwargs: Any) -> Any:
    """Being written: relate.graph(self._desk, self.agents() if agents is None else agents, as_of=as_of)"""
    raise NotImplementedError

