"""Banks for the worker as the services' tests have them, on each engine."""

from __future__ import annotations

from tests.services.conftest import clock, engine, open_bank, reverie

__all__ = ["clock", "engine", "open_bank", "reverie"]
