"""Learned judges of what people say: own words, lasting, standing, kind, importance. No network, no key.

Trained by ``python -m tools.judges`` on talks written for it; see ``docs/why/judges.md``.
"""

from __future__ import annotations

from reverie.minds.judges.model import JudgeNetwork

__all__ = ["JudgeNetwork"]
