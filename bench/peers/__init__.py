"""Peers that Reverie is compared with, each in its own process and environment; `bench peers` itself is ``compare``."""

from __future__ import annotations

from bench.peers.compare import add_arguments, run

__all__ = ["add_arguments", "run"]
