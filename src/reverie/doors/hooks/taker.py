"""The daemon's one worker: takes events out of the spool in their order, and has the agent attend and sleep."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from reverie.client import Agent, Reverie
from reverie.doors.hooks import spool
from reverie.doors.hooks.events import Kind, read
from reverie.doors.hooks.keeper import Keeper
from reverie.doors.hooks.places import Places
from reverie.doors.hooks.reasons import reason
from reverie.errors import InvalidInput, ReverieError

ATTEND_SECONDS = 5.0
SLEEP_SECONDS = 60.0
HOUSEKEEPING_SECONDS = 3_600.0
LONGEST_PAUSE_SECONDS = 60.0
_LOOK_SECONDS = 1.0

Open = Callable[[], Reverie]


class Taker:
    """Opens the bank and works on it, in a thread of its own. ``keeper`` is None until the bank is open.

    A bank that can't be opened or written now is tried again after growing pauses; the events wait in the spool.
    """

    def __init__(self, places: Places, open_bank: Open, agent_id: str, note: Callable[[str], None]) -> None:
        self._places, self._open, self._agent_id, self._note = places, open_bank, agent_id, note
        self._stop, self._woken = threading.Event(), threading.Event()
        self._loose: list[spool.Raw] = []
        self._held: set[str] = set()
        self._sleep_at = self._attend_at = 0.0
        self._housekeeping_at = time.monotonic() + HOUSEKEEPING_SECONDS
        self._ended = False
        self.keeper: Keeper | None = None
        self.ready = threading.Event()
        """Set once the bank is open and the models are loaded."""
        self.is_idle = False
        """Whether nothing waits."""
        self._thread = threading.Thread(target=self._run, name="reverie-hooks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Look into the spool now."""
        self.is_idle = False
        self._woken.set()

    def put_loose(self, raw: spool.Raw) -> None:
        """Take an event that the spool has no room for."""
        self._loose.append(raw)

    def stop(self) -> None:
        """End after the event that is being taken. What is left waits in the spool."""
        self._stop.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        pause = _LOOK_SECONDS
        while not self._stop.is_set():
            try:
                with self._open() as reverie:
                    agent = reverie.agent(self._agent_id)
                    reverie.warm()
                    self._held.clear()  # an earlier keeper's: this one must be given them again
                    self.keeper = Keeper(agent, Path(self._places.state), self._note)
                    self.ready.set()
                    while not self._stop.is_set():
                        pause = self._round(reverie, agent, pause)
                        self._wait(pause)
            except ReverieError as error:
                self._note(f"the bank can't be opened: {type(error).__name__}: {error}")
            except Exception as error:  # noqa: BLE001  # whatever a bank or an embedder does: the host goes on
                self._note(f"the daemon tries again: {type(error).__name__}")
            finally:
                self.keeper = None
                self.ready.clear()
            self.is_idle = False
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            self._wait(pause)

    def _wait(self, seconds: float) -> None:
        if not self._stop.is_set():
            self._woken.wait(seconds)
            self._woken.clear()

    def _round(self, reverie: Reverie, agent: Agent, pause: float) -> float:
        """Do what there is to do; return how long to wait then: longer where the bank can't be written."""
        assert self.keeper is not None
        try:
            self._take_all(self.keeper)
            self._drop(self.keeper.look_again())
            self._care(reverie, agent, self.keeper)
        except ReverieError as error:
            self._note(f"events wait: {reason(error)}")
            return min(max(pause, _LOOK_SECONDS) * 2, LONGEST_PAUSE_SECONDS)
        self.is_idle = not self._waiting()
        return _LOOK_SECONDS

    def _waiting(self) -> list[str]:
        try:
            return [id for id in spool.waiting(self._places.spool) if id not in self._held]
        except OSError:
            return []

    def _take_all(self, keeper: Keeper) -> None:
        for id in self._waiting():
            if self._stop.is_set():
                return
            try:
                raw = spool.get(self._places.spool, id)
            except (OSError, spool.BadEvent) as error:
                self._note(f"an event was dropped: {error}")
                self._drop([id])
                continue
            self._take(keeper, raw)
        while self._loose:
            self._take(keeper, self._loose[0])
            del self._loose[0]

    def _take(self, keeper: Keeper, raw: spool.Raw) -> None:
        try:
            event = read(raw)
            settled = keeper.take(event)
        except (spool.BadEvent, InvalidInput) as error:
            why = str(error) if isinstance(error, spool.BadEvent) else error.field
            self._note(f"an event of {raw.host} was dropped: {why}")
            self._drop([raw.id])
            return
        if raw.id not in settled:
            self._held.add(raw.id)
        self._drop(settled)
        self._ended = self._ended or event.kind is Kind.END

    def _drop(self, ids: Iterable[str]) -> None:
        for id in ids:
            self._held.discard(id)
            try:
                spool.drop(self._places.spool, id)
            except OSError as error:
                self._note(f"an event can't be removed: {error.strerror}")

    def _care(self, reverie: Reverie, agent: Agent, keeper: Keeper) -> None:
        """Attend and sleep where it is due: at once where a session has ended."""
        now = time.monotonic()
        if self._ended or now >= self._attend_at:
            self._attend_at = now + ATTEND_SECONDS
            reverie.flush(agent.id, stop=self._stop)
            done = reverie.attend(agent.id, stop=self._stop)
            keeper.scope((*done.inserted, *done.reinforced))
        if self._ended or now >= self._sleep_at:
            self._sleep_at = now + SLEEP_SECONDS
            slept = reverie.sleep(agent.id, stop=self._stop).get(agent.id, ())
            keeper.scope(change.target for report in slept for change in report.changes)
        if now >= self._housekeeping_at:
            self._housekeeping_at = now + HOUSEKEEPING_SECONDS
            kept = reverie.housekeeping(agent.id, stop=self._stop).get(agent.id)
            keeper.scope(one.memory_id for one in (kept.promoted if kept else ()))
        self._ended = False
