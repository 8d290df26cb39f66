"""The version, written down once: the build, the command and `reverie.__version__` all read it here."""

from __future__ import annotations

__version__ = "0.1.0"
