"""Live: what happens while a transcript is watched, told as it happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from reverie.domain.attended import Attended
from reverie.domain.memory import Memory
from reverie.domain.outcome import Observed
from reverie.doors.cli import tables, words
from reverie.doors.cli.output import Output
from reverie.doors.cli.watch import Watch
from reverie.errors import NotFound

if TYPE_CHECKING:
    from reverie.client import Agent

_TOTALS = (
    "stored", "known", "forgotten", "captured", "extracted", "confirmed", "skipped", "failures", "unreadable",
)  # fmt: skip


class Live:
    """Lines for people, or with --json one object a line, which has ``event``: observed, memory, attended, unreadable,
    turned, ended. Handed on at once: who reads them may be another program.
    """

    def __init__(self, out: Output, agent: Agent) -> None:
        self._out, self._agent = out, agent
        self.totals = Counter[str](dict.fromkeys(_TOTALS, 0))

    def begin(self, file: str, *, once: bool) -> None:
        """Says what is going on."""
        self._out.say(f"watching {file} for {self._agent.id}" + ("" if once else "; end with Ctrl-C"))

    def observed(self, conversation: str, done: Observed) -> None:
        """What came out of the file."""
        self._add(stored=done.stored, known=done.known, forgotten=done.forgotten, captured=len(done.captured))
        if self._out.as_json:
            self._out.line({"event": "observed", "conversation": conversation, "outcome": done})
        elif done.stored or done.forgotten:
            passed = f", {done.forgotten:,} passed over as forgotten" if done.forgotten else ""
            hidden = f", {words.tally(done.redacted)} hidden" if done.redacted else ""
            self._tell(f"{conversation}: {words.counted(done.stored, 'message')}{passed}{hidden}")
        self._memories("captured", done.captured)

    def attended(self, done: Attended) -> None:
        """What the memory loop made of it."""
        if not done:
            return
        self._add(
            extracted=len(done.inserted), confirmed=len(done.reinforced), skipped=done.skipped,
            failures=done.failures,
        )  # fmt: skip
        if self._out.as_json:
            self._out.line({"event": "attended", "outcome": done})
        self._memories("extracted", done.inserted)
        self._memories("confirmed", done.reinforced)
        if done.skipped and not self._out.as_json:
            messages = words.counted(done.skipped, "message")
            self._tell(f"{messages} came too fast to be read now, and are left to sleep")
        if done.unread and not self._out.as_json:
            self._tell(
                f"{words.counted(len(done.unread), 'message')} could not be read: {', '.join(done.unread)}"
            )
        if done.failures:
            self._out.say("the memory loop failed, and tries again later; `reverie stats` shows where")

    def unreadable(self, problem: str) -> None:
        """A line that is no message."""
        self._add(unreadable=1)
        if self._out.as_json:
            self._out.line({"event": "unreadable", "problem": problem})
        self._out.say(f"passed over: {problem}")

    def turned(self) -> None:
        """The file began anew."""
        if self._out.as_json:
            self._out.line({"event": "turned"})
        self._out.say("the file was cut off or replaced: reading the new one")

    def end(self) -> None:
        """The sum of it."""
        if self._out.as_json:
            self._out.line({"event": "ended", **self.totals})
            return
        counts = [f"{count:,} {name}" for name, count in self.totals.items() if count and name != "stored"]
        self._tell(", ".join([f"{words.counted(self.totals['stored'], 'message')} stored", *counts]))

    def _add(self, **counts: int) -> None:
        self.totals.update(counts)

    def _memories(self, what: str, ids: Iterable[str]) -> None:
        for id in ids:
            try:
                memory = self._agent.get(id)
            except NotFound:  # forgotten again
                continue
            assert isinstance(memory, Memory)
            if self._out.as_json:
                self._out.line({"event": "memory", "what": what, "memory": memory})
            else:
                self._tell(_lines(what, memory, Watch.of(self._agent)))

    def _tell(self, text: str) -> None:
        self._out.show(text)
        self._out.flush()


def _lines(what: str, memory: Memory, watch: Watch) -> str:
    facts = [memory.kind.value, memory.priority.value, f"importance {words.importance(memory)}"]
    return tables.block(
        f"{what}: {memory.essence}",
        " · ".join([*facts, words.emotions(memory), *tables.standing(memory, watch)]),
        f"lesson: {words.lesson(memory)}",
    )
