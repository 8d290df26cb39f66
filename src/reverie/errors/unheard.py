"""What can go wrong in a room of several agents; see ``reverie.errors``."""

from __future__ import annotations

from collections.abc import Mapping

from reverie.errors.root import ReverieError


class NotHeard(ReverieError):
    """What was said in a room is in the banks of some members, and others could not take it. Attributes: ``room``,
    ``stored`` (what each kept, by member), ``failed`` (why, by member), ``time`` and ``ref`` of the message.
    """

    def __init__(
        self,
        room: str,
        stored: Mapping[str, object],
        failed: Mapping[str, ReverieError],
        time: object,
        ref: str | None,
    ) -> None:
        self.room = room
        self.stored = stored
        self.failed = failed
        self.time = time
        self.ref = ref
        missing = ", ".join(failed)
        where = "with its ref, and who has it keeps it once" if ref else "in a room of these alone"
        super().__init__(
            f"room {room!r}: {', '.join(stored)} heard it, {missing} could not; say it again at {time}, {where}"
        )
