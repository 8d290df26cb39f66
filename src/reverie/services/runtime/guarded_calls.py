"""Call what isn't ours (a mind, a caller's embedder) so that its failure ends nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from reverie.errors import Closed, MindFailed, ReverieError
from reverie.ports.mind import Mind

Result = TypeVar("Result")


def asked(mind: Mind, call: Callable[[], Result]) -> Result:
    """Return what a call of the mind gives. It isn't trusted, nor is what it raises: that is MindFailed, by its name
    alone.
    """
    try:
        return call()
    except ReverieError:
        raise
    except Exception as error:
        raise MindFailed(mind.id, type(error).__name__) from error


def tried(call: Callable[[], Result]) -> Result | Exception:
    """Return what a call gives, or what it raised, whatever that is: for work on several agents, of which none may keep
    the others waiting. Raise Closed, since then there are no others.
    """
    try:
        return call()
    except Closed:
        raise
    except Exception as error:  # noqa: BLE001  # an embedder of the caller's own may raise anything
        return error
