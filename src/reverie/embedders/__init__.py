"""Text in, unit vectors out: ``minilm`` is the model inside the package; ``ollama``, ``vertex`` and ``openai`` ask a
server (``remote`` is what they have in common); ``hashing`` is for tests only.
"""

from __future__ import annotations
