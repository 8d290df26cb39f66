"""Refusal: an error in the words of the tools: what was wrong, and what a model does next."""

from __future__ import annotations

from reverie.errors import (
    Busy,
    Closed,
    Forgotten,
    InvalidInput,
    MindFailed,
    NotFound,
    ReverieError,
    StoreError,
    TimedOut,
    Unreachable,
)

_ARGUMENTS = {"kind": "type", "kinds": "type", "essence": "content", "budget": "max_tokens"}
_NOT_YOURS = "That is for the user to mend, not for you: tell them, and go on without memory."


def refusal(tool: str, error: ReverieError) -> str:
    """What the model is told."""
    match error:
        case InvalidInput():
            name = error.field.removeprefix("memories[0].").removeprefix("messages[0].")
            return f"{_ARGUMENTS.get(name, name)}: {error.problem}; {error.remedy}."
        case NotFound() if tool == "memory_procedure":
            return f"There is no procedure {error.id!r:.100}; call memory_procedure again with its steps to keep one."
        case NotFound():
            return (
                f"There is no {error.kind} {error.id!r:.100}; memory_recall gives the ids of what there is."
            )
        case Forgotten():
            return (
                "This was forgotten on purpose and is not learned again. Go on without it;"
                " only the user may bring it back, with `reverie learn --override`."
            )
        case Busy() | Unreachable() | TimedOut():
            return f"{error}. Nothing was changed: call {tool} once more in a few seconds."
        case MindFailed():
            return f"{error}. Nothing was changed."
        case StoreError() | Closed():
            return f"{error}. {_NOT_YOURS}"
        case _:
            return f"{error}."


def breakdown(tool: str, kind: str, place: str) -> str:
    """What the model is told where the program itself failed."""
    return (
        f"Reverie failed inside {tool} ({kind} at {place}). It is a fault of the program, not of your call: don't"
        " repeat it, go on without, and tell the user."
    )
