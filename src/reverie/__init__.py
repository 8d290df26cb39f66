"""Reverie: memory for AI agents.

The public names are loaded when they are first asked for. So a command soon heeds signals, and whoever imports
this package for its values alone waits for no numpy, which ``Reverie``, ``Agent`` and ``Worker`` bring.
"""

# Not typing's own: typing and importlib were a third of what a hook takes beside Python's start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from reverie._public import *  # noqa: F403  # they are in its __all__
    from reverie._public import __all__ as __all__


def __getattr__(name: str) -> object:
    from importlib import import_module

    public = import_module("reverie._public")
    if name == "__all__" or name in public.__all__:
        return getattr(public, name)
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")


def __dir__() -> list[str]:
    from importlib import import_module

    return list(import_module("reverie._public").__all__)
