"""Refusal: an error in the words of the tools: what was wrong, and what a model does next."""

from __future__ import annotations

from reverie.errors import (
    Busy,
    Closed,
    Forgotten,
    InvalidInput,
    MindFailed,
    NotFound,
    NotOpen,
    Paused,
    ReverieError,
    StoreError,
    TimedOut,
    Unreachable,
)
from reverie.errors.showing import shown

_ARGUMENTS = {
    "kind": "type",
    "kinds": "type",
    "valid_to": "until",
    "essence": "content",
    "body": "text",
    "to": "agent",
}
_INSTEAD = {
    "add_observations": "create_entities makes one, and read_graph has the names of all",
    "remove_from_memory": "retrieve_specific_memories gives the ids of what there is",
    "remove_from_soul": "give an entry's exact text: memory://soul has them, and your context begins with them",
    "show_diary_entries_from_day": "search_diary_for_keywords finds pages by their words, write_diary begins one",
    "memory://diary/{date}": "nothing was written on that day",
    "assign_relationship": "you have never met; assign a type and trust to begin with",
    "neural_link_request_memory": "ask an agent of your own world, by its exact name",
}
_OVERRIDES = {
    "add_to_soul": "soul add", "write_diary": "diary add", "assign_relationship": "relationships add",
    "memory_procedure": "procedures add",
}  # fmt: skip
_NOT_YOURS = "That is for the user to mend, not for you: tell them, and go on without memory."


def refusal(tool: str, error: ReverieError) -> str:
    """Return what the model is told."""
    match error:
        case InvalidInput():
            name = "event" if (tool, error.field) == ("memory_episode", "content") else error.field
            return f"{_ARGUMENTS.get(name, name)}: {error.problem}; {error.remedy}."
        case NotFound() if tool == "memory_procedure":
            return (
                f"There is no procedure {shown(error.id)}; memory_recall finds those that there are. To keep a new one,"
                " call memory_procedure again with its steps."
            )
        case NotFound() if tool in _INSTEAD:
            return f"There is no {error.kind} {shown(error.id)}; {_INSTEAD[tool]}."
        case NotFound():
            return (
                f"There is no {error.kind} {shown(error.id)}; memory_recall gives the ids of what there is."
            )
        case Forgotten():
            return (
                "This was forgotten on purpose and is not learned again. Go on without it;"
                f" only the user may bring it back, with `reverie {_OVERRIDES.get(tool, 'remember')} --override`."
            )
        case Busy() | Unreachable() | TimedOut():
            return f"{error}. Nothing was changed: call {tool} once more in a few seconds."
        case MindFailed():
            return f"{error}. Nothing was changed."
        case NotOpen():
            return (
                f"The {error.kind} {shown(error.id)}: {error.why}. Nothing was changed: call memory_night, and answer"
                " what it gives."
            )
        case Paused():
            return f"{error}. Only the user may do that: go on without."
        case StoreError() | Closed():
            return f"{error}. {_NOT_YOURS}"
        case _:
            return f"{error}."


def breakdown(tool: str, kind: str, place: str) -> str:
    """Return what the model is told where the program itself failed."""
    return (
        f"Reverie failed inside {tool} ({kind} at {place}). It is a fault of the program, not of your call: don't"
        " repeat it, go on without, and tell the user."
    )
