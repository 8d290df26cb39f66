"""Text in, unit vectors out: ``minilm`` is the model inside the package, ``hashing`` is for tests only."""

from __future__ import annotations
