"""Toolset ``graph`` as hosts are told of it: the requests and answers of MCP's reference memory server, so that its
users can switch. A test bounds what it costs a host's context.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from reverie.doors.mcp.definitions import OBJECT, Definition, object_of
from reverie.doors.mcp.parameters import TEXT, TEXTS, Parameter, Schema
from reverie.errors import InvalidInput


def records(**fields: Parameter) -> Parameter:
    """Return an array of objects that have all these fields. Others are left out. A field that is refused is named by
    its path: ``entities[0].name``.
    """

    def read(name: str, value: object) -> tuple[Mapping[str, object], ...]:
        if isinstance(value, str):
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
        if not isinstance(value, list):
            raise InvalidInput(name, "it is no array of objects", f"give objects with {', '.join(fields)}")
        return tuple(one(f"{name}[{place}]", each) for place, each in enumerate(value))

    def one(path: str, value: object) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise InvalidInput(path, "it is no object", f"give one with {', '.join(fields)}")
        missing = next((field for field in fields if value.get(field) is None), None)
        if missing is not None:
            raise InvalidInput(f"{path}.{missing}", "it is missing", f"give {', '.join(fields)}")
        return {field: each.read(f"{path}.{field}", value[field]) for field, each in fields.items()}

    shape: dict[str, object] = {
        "type": "object",
        "properties": {field: dict(each.schema) for field, each in fields.items()},
        "required": list(fields),
    }
    return Parameter(schema={"type": "array", "items": shape}, read=read)


_RELATIONS = records(**{"from": TEXT, "to": TEXT, "relationType": TEXT})
_LIST: Schema = {"type": "array", "items": OBJECT}
_GRAPH = object_of(entities=_LIST, relations=_LIST)
_DONE = object_of(success={"type": "boolean"}, message={"type": "string"})

GRAPH = (
    Definition(
        name="create_entities",
        description="Create entities in the knowledge graph. A name that exists is skipped.",
        takes={"entities": records(name=TEXT, entityType=TEXT, observations=TEXTS)},
        needs=("entities",),
        gives=object_of(entities=_LIST),
        idempotent=True,
    ),
    Definition(
        name="create_relations",
        description="Create relations between entities, in active voice: from Anna, to Acme, works_at.",
        takes={"relations": _RELATIONS},
        needs=("relations",),
        gives=object_of(relations=_LIST),
        idempotent=True,
    ),
    Definition(
        name="add_observations",
        description="Add facts to entities that exist.",
        takes={"observations": records(entityName=TEXT, contents=TEXTS)},
        needs=("observations",),
        gives=object_of(results=_LIST),
        idempotent=True,
    ),
    Definition(
        name="delete_entities",
        description="Delete entities with their observations and relations, for good.",
        takes={"entityNames": TEXTS},
        needs=("entityNames",),
        gives=_DONE,
        destroys=True,
        idempotent=True,
    ),
    Definition(
        name="delete_observations",
        description="Delete observations of entities, for good; each by its exact text.",
        takes={"deletions": records(entityName=TEXT, observations=TEXTS)},
        needs=("deletions",),
        gives=_DONE,
        destroys=True,
        idempotent=True,
    ),
    Definition(
        name="delete_relations",
        description="Delete relations, for good.",
        takes={"relations": _RELATIONS},
        needs=("relations",),
        gives=_DONE,
        destroys=True,
        idempotent=True,
    ),
    Definition(
        name="read_graph",
        description="Read the whole knowledge graph.",
        gives=_GRAPH,
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="search_nodes",
        description="Find entities by words of their name, type or observations.",
        takes={"query": TEXT},
        needs=("query",),
        gives=_GRAPH,
        reads_only=True,
        idempotent=True,
    ),
    Definition(
        name="open_nodes",
        description="Read entities by their exact names, with their relations.",
        takes={"names": TEXTS},
        needs=("names",),
        gives=_GRAPH,
        reads_only=True,
        idempotent=True,
    ),
)
"""Toolset ``graph``."""
