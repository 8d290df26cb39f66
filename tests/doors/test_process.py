"""A command as a process of its own: what a signal makes of it, wherever it falls."""

from __future__ import annotations

import subprocess
import sys

# The signal comes while Python calls back from a weak reference: it drops what is raised there. And it comes while the
# main thread holds the locks that threads of ``threading`` take at their start.
_CHILD = """
import contextlib, signal, threading, time, weakref
from reverie.doors.cli import process

class Thing:
    pass

def main():
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.{name}))
    with contextlib.ExitStack() as held:
        for name, lock in vars(threading).items():
            if name.endswith("_lock") and hasattr(lock, "release"):
                held.enter_context(lock)
        del thing
    for _ in range(600):
        time.sleep(0.05)
    return 0

process.main = main
process.process()
"""


def test_a_signal_that_python_drops_interrupts_all_the_same() -> None:
    for name in ("SIGTERM", "SIGINT"):
        ran = subprocess.run(
            [sys.executable, "-c", _CHILD.format(name=name)],
            capture_output=True,
            text=True,
            timeout=25,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (130, "")
