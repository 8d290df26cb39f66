"""Say in the log what went wrong with an event."""

from __future__ import annotations

from reverie.errors import InvalidInput, ReverieError


def reason(error: ReverieError) -> str:
    """Return what went wrong, with what to do. Our errors hold no contents and no key, but what can't be used may be
    shown in one: of that the field alone.
    """
    name = type(error).__name__
    return f"{name} ({error.field})" if isinstance(error, InvalidInput) else f"{name}: {error}"
