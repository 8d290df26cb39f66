"""The mind inside the package: it extracts, judges and compresses without a language model, offline and free."""

from __future__ import annotations

from reverie.minds.local.mind import LocalMind

__all__ = ["LocalMind"]
