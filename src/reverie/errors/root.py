"""The root of the tree of errors; see ``reverie.errors``."""

from __future__ import annotations


class ReverieError(Exception):
    """The root of all errors that Reverie raises on purpose. They can be pickled, as process pools do."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, dict(self.__dict__))


def _restored(
    kind: type[ReverieError], args: tuple[object, ...], attributes: dict[str, object]
) -> ReverieError:
    """An error as it was, without running an __init__ that would write its message anew."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(attributes)
    return error
