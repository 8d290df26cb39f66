"""The worker: what is due in the background, done in the foreground."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

from reverie.domain.attended import NOTHING
from reverie.domain.housekept import Housekept
from reverie.domain.job import HOUSEKEEPING
from reverie.domain.sleep import SleepReport
from reverie.domain.turned import Turned
from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.options import Text, option
from reverie.errors import InvalidInput
from reverie.errors.extras import install

if TYPE_CHECKING:
    from reverie.client import Reverie


@command("worker", shared=OF_BANK)
def worker(
    door: Door,
    database: Annotated[
        Text, option("--database", "Whose agents: the same as --bank.", "FILE or URL")
    ] = None,
    every: Annotated[
        float, option("--every", "The time between two looks for what is due.", "SECONDS")
    ] = 5.0,
    once: Annotated[bool, option("--once", "Do what is due now, and end: for cron.")] = False,
    metrics: Annotated[
        Text,
        option(
            "--metrics", "Serve metrics for Prometheus there; a port alone: to this machine.", "HOST:PORT"
        ),
    ] = None,
    dead: Annotated[bool, option("--dead", "Only list the jobs that failed too often.")] = False,
) -> Code:
    """Run the background jobs in the foreground, for all agents, until stopped.

    For example:
      reverie worker
      reverie worker --once
      reverie worker --database postgresql://db.example/memory --metrics 9464
      reverie worker --dead

    It reads new messages (the memory loop), sleeps where that is due, and does the weekly housekeeping. Any number of
    workers may run at once, on any machine: they share the work, and take over from one that died within a minute.

    End it with Ctrl-C or SIGTERM: it finishes what it is doing first, or gives it back, and its exit code is 0. A
    second signal ends it at once. A job that failed a dozen times is dead: `--dead` lists those (exit code 1 if there
    are none), and `reverie retry --agent ID` has them tried again.
    """
    from reverie.client import dead_jobs

    reverie = door.reverie(actor="worker", bank=database)
    if dead:
        found = dead_jobs(reverie)
        columns = {
            "agent": lambda one: one.agent_id,
            "job": lambda one: one.job,
            "failed": lambda one: f"{one.failures:,} times",
            "because of": lambda one: one.note or "–",
        }
        if not found and not door.out.as_json:
            door.out.say("No job is dead.")
            return Code.NOTHING
        return door.table(found, columns, "")
    with ExitStack() as stack:
        told = _Told(keep=once and door.out.as_json)
        watchers = [told.seen]
        if metrics is not None:
            watchers.append(_metered(door, stack, reverie, metrics))
        ended = stack.enter_context(_until_signal())
        if once:
            _work_once(reverie, watchers, ended)
            return door.tell(told.document(), told.line())
        _work(door, reverie, every, watchers, ended)
    door.out.say("stopped; what is left waits for the next start")
    return Code.DONE


def _work_once(
    reverie: Reverie, watchers: Sequence[Callable[[Turned], None]], ended: threading.Event
) -> None:
    from reverie.client import working

    for done in working(reverie, stop=ended):
        for watcher in watchers:
            watcher(done)


def _work(
    door: Door, reverie: Reverie, every: float, watchers: Sequence[Callable[[Turned], None]], ended: threading.Event
) -> None:  # fmt: skip
    from reverie.worker import Worker

    def tell(done: Turned) -> None:
        for watcher in watchers:
            watcher(done)

    with Worker(reverie, every=every, on_turn=tell):
        door.out.say(f"working for {reverie.info().where}; end with Ctrl-C")
        while not ended.wait(0.5):
            pass


def _metered(door: Door, stack: ExitStack, reverie: Reverie, place: str) -> Callable[[Turned], None]:
    """Serve the metrics until the command ends; return what counts a turn. Raises InvalidInput."""
    if find_spec("prometheus_client") is None:
        raise InvalidInput("--metrics", "the packages of the server are not installed", install("server"))
    from reverie.client import backlog
    from reverie.doors.serving.worker_metrics import WorkerMetrics, served

    counted = WorkerMetrics(lambda: backlog(reverie))
    door.out.say(f"metrics at {stack.enter_context(served(counted, place))}")
    return counted.seen


@contextmanager
def _until_signal() -> Iterator[threading.Event]:
    """Give what the first SIGINT or SIGTERM sets. The next one does what it did before."""
    ended = threading.Event()
    heeded = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.getsignal(one) for one in heeded}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def end(_number: int, _frame: object) -> None:
        ended.set()
        restore()

    for number in heeded:
        signal.signal(number, end)
    try:
        yield ended
    finally:
        restore()


class _Told:
    """What a worker did, summed up; with ``keep`` also each report."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._attended = NOTHING
        self._memories = self._sleeps = self._turns = 0
        self._slept: dict[str, list[SleepReport]] = {}
        self._tended: dict[str, Housekept] = {}
        self._done, self._failed = Counter[str](), Counter[str]()

    def seen(self, done: Turned) -> None:
        """Count a turn."""
        self._turns += 1
        self._memories += len(done.attended.inserted)
        self._sleeps += len(done.slept)
        self._done.update(done.done)
        self._failed.update(done.failed)
        if not self._keep:
            return
        self._attended += done.attended
        if done.slept:
            self._slept.setdefault(done.agent_id, []).extend(done.slept)
        if done.housekept is not None:
            self._tended[done.agent_id] = done.housekept

    def document(self) -> Mapping[str, object]:
        """Return it for --json."""
        return {
            "attended": self._attended, "slept": self._slept, "housekeeping": self._tended, "turns": self._turns,
            "done": dict(self._done), "failed": dict(self._failed),
        }  # fmt: skip

    def line(self) -> str:
        """Return it in words."""
        failed = f", {words.counted(self._failed.total(), 'failure')}" if self._failed else ""
        return (
            f"{words.memories(self._memories)} extracted, {words.counted(self._sleeps, 'sleep')},"
            f" housekeeping of {words.counted(self._done[HOUSEKEEPING], 'agent')}{failed}"
        )
