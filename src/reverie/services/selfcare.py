"""selfcare: being written."""

from __future__ import annotations

from typing import Any


def self_care(*args: Any, **kwargs: Any) -> Any:
    """Being written: selfcare.self_care(self._desk, self.id, actor=self._actor, dry_run=dry_run, progress=on_progress)"""
    raise NotImplementedError


def summaries(*args: Any, **kwargs: Any) -> Any:
    """Being written: selfcare.summaries(self._desk, self.id, limit=limit, after=after)"""
    raise NotImplementedError


def expand(*args: Any, **kwargs: Any) -> Any:
    """Being written: selfcare.expand(self._desk, self.id, summary_id)"""
    raise NotImplementedError

