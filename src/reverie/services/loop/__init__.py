"""Turn conversations into memories in the background."""

from __future__ import annotations

from reverie.services.loop import extraction, loop
from reverie.services.loop.keeping import JOB
from reverie.services.loop.proposals import Checked, checked, drop_forgotten

__all__ = ["JOB", "Checked", "checked", "drop_forgotten", "extraction", "loop"]
