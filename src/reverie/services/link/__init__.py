"""Share memories between agents by a neural link."""

from __future__ import annotations

from reverie.services.link import link, received
from reverie.services.link.brought import NOTHING_LEFT, Brought

__all__ = ["NOTHING_LEFT", "Brought", "link", "received"]
