"""Wrap a client of OpenAI's or Anthropic's package, so that each call remembers: docs/wrapping.md.

The packages are not imported. A client is known by its base class's name, and its answers are read as ``observe`` reads
them.
"""

from reverie.agent.wrapping.client import Client, wrapped

__all__ = ["Client", "wrapped"]
