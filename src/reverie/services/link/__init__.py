"""Share memories between agents by a neural link."""

from __future__ import annotations

from reverie.services.link import link, link_brought, link_standing
from reverie.services.link.brought import NOTHING_LEFT, Brought
from reverie.services.link.link_known import all_links, every_link

__all__ = ["NOTHING_LEFT", "Brought", "all_links", "every_link", "link", "link_brought", "link_standing"]
