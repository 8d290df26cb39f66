"""all-MiniLM-L6-v2, inside the package: no torch, no network, no key.

The published model (sentence-transformers, Apache-2.0), its weights rounded to int8 by
``tools/make_minilm.py``; onnxruntime does the arithmetic and is imported at the first embedding, not before.
"""

from __future__ import annotations

from reverie.embedders.minilm.model import MiniLM

__all__ = ["MiniLM"]
