"""What embedding providers have in common: batches, tries, limits, and checks of what comes back."""

from __future__ import annotations

from reverie.embedders.remote.address import Address
from reverie.embedders.remote.embedder import Dialect, RemoteEmbedder

__all__ = ["Address", "Dialect", "RemoteEmbedder"]
