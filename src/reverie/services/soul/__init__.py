"""Keep the agent's soul and write its self-portrait."""

from __future__ import annotations

from reverie.services.soul import portrait, soul
from reverie.services.soul.portrait import refresh, rewrite

__all__ = ["portrait", "refresh", "rewrite", "soul"]
