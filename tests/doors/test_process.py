"""A command as a process of its own: what a signal makes of it, wherever it falls."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


# The signal comes while the first module that a verb needs is looked for.
_EARLY = """
import signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == "reverie.domain":
            signal.raise_signal(signal.{name})

sys.meta_path.insert(0, Finder())
from reverie.doors.cli.process import process
process()
"""


@pytest.mark.parametrize("child", [_CHILD, _EARLY], ids=["in a callback", "while it loads"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_interrupts_wherever_it_falls(child: str, name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", child.format(name=name), "list"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (130, "")


# A thread that outlives the command waits until Python's end waits for it, and then the signal comes.
_LINGERS = """
import os, signal, threading, time
from reverie.doors.cli import process

def linger():
    threading.main_thread().join()
    for _ in range(200):  # one that falls right before Python waits is only heard with the next
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.1)
    os._exit(99)

def main():
    threading.Thread(target=linger).start()
    return {code}

process.main = main
process.process()
"""


def test_a_signal_ends_what_lingers_behind_a_command() -> None:
    for name, code in (("SIGTERM", 0), ("SIGINT", 3)):
        child = _LINGERS.format(name=name, code=code)
        ran = subprocess.run([sys.executable, "-c", child], capture_output=True, timeout=300, check=False)
        assert (ran.returncode, ran.stderr) == (code, b"")
