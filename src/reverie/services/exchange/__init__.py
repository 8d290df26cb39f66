"""Export, import and copy agents' banks."""

from __future__ import annotations

from reverie.services.exchange import export, importing, transcripts, transfer

__all__ = ["export", "importing", "transcripts", "transfer"]
