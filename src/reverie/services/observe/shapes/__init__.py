"""Read messages as the packages of others have them: docs/messages.md has the table of shapes.

Each family is one module with ``read(fields, at)``, which returns the messages of a value, or None where the value has
another shape. No package of others is imported: a value is a mapping, or an object whose attributes are read as one.
"""

from reverie.services.observe.shapes.blocks import readable_runs, runs_in, said_in
from reverie.services.observe.shapes.reading import is_one, read
from reverie.services.observe.shapes.runs import Run, joined

__all__ = ["Run", "is_one", "joined", "read", "readable_runs", "runs_in", "said_in"]
