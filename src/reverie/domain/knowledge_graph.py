"""Knowledge graph: the conversation that holds one, and the form of its messages, whose first tag says what they are.

The MCP toolset ``graph`` writes and reads it; an import of the reference memory server's file writes it as well.
"""

from __future__ import annotations

CONVERSATION = "graph"
"""The conversation that holds the graph. A message names its entity, or a relation's two ends, as its entities."""
ENTITY = "entity"
"""The first tag of an entity. The last one is its type."""
OBSERVATION = "observation"
"""The first tag of an observation."""
RELATION = "relation"
"""The first tag of a relation. The last one is its type."""


def entity_words(name: str, type: str) -> str:  # noqa: A002  # the field's name
    """Return an entity's words."""
    return f"{name} ({type})"


def observation_words(name: str, text: str) -> str:
    """Return an observation's words: the entity's name stands before it."""
    return f"{name}: {text}"


def relation_words(source: str, type: str, target: str) -> str:  # noqa: A002  # see above
    """Return a relation's words."""
    return f"{source} {type.replace('_', ' ')} {target}"
