"""worker: what runs in the background of an open Reverie, in the foreground, for a whole file or database."""

from __future__ import annotations

import signal
import threading
from typing import Annotated

import typer

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

Every = Annotated[float, typer.Option("--every", metavar="SECONDS", help="From one look to the next.")]
Once = Annotated[bool, typer.Option("--once", help="Do what is due now, and end.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "worker", shared=("bank", "unencrypted", "keyring", "as_json"))(worker)


def worker(door: Door, every: Every = 5.0, once: Once = False) -> Code:
    """Do in the foreground what an open Reverie does in the background, for all agents, until stopped.

    For example:
      reverie worker
      reverie worker --once
      reverie --bank postgresql://db.example/memory worker

    It reads new messages (the memory loop), sleeps where that is due, and puts banks in order once a week.
    Any number may run at once: they share the work. End it with Ctrl-C or SIGTERM; what is being done is
    finished first.
    """
    from reverie.worker import Worker

    with door.opened(actor="worker") as reverie:
        if once:
            attended = reverie.attend(everyone=True)
            slept, tended = reverie.sleep(), reverie.housekeeping()
            if door.out.as_json:
                door.out.document({"attended": attended, "slept": slept, "housekeeping": tended})
            else:
                nights = sum(map(len, slept.values()))
                door.out.show(
                    f"{words.memories(len(attended.inserted))} extracted, {words.counted(nights, 'sleep')},"
                    f" {words.counted(len(tended), 'bank')} put in order"
                )
            return Code.DONE
        ended = threading.Event()
        before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
        try:
            with Worker(reverie, every=every):
                door.out.say(f"working for {reverie.info().where}; end with Ctrl-C")
                while not ended.wait(0.5):
                    pass
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
        door.out.say("stopped; what is left waits for the next start")
    return Code.DONE
