"""A command as a process of its own, and what SIGINT and SIGTERM do to it."""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import NoReturn

from reverie.doors.cli import main
from reverie.doors.cli.codes import Code

_ENDING = (signal.SIGINT, signal.SIGTERM)
_SOON_SECONDS = 0.02


def process() -> NoReturn:
    """Run the command that the process's arguments name, and end the process with its exit code.

    The first SIGINT or SIGTERM interrupts the command, which releases leases and locks and ends with 130. A second one
    ends the process with 130 at once; what was acknowledged is on disk by then. A signal after the end of the command
    ends what lingers, with the command's code. A signal that was ignored when the process began stays ignored.
    """
    heeded = [number for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    _set(heeded, _interrupt)
    sys.unraisablehook = partial(_again, sys.unraisablehook)
    try:
        code = Code(main())
    except KeyboardInterrupt:
        code = Code.INTERRUPTED
    _set(heeded, lambda *_: _end(code))
    if code == Code.INTERRUPTED:
        _end_at_once()
    # At its very end Python gives up its handlers, and a signal would end it with another code.
    atexit.register(_set, heeded, signal.SIG_IGN)
    sys.exit(code)


def _set(
    numbers: Iterable[signal.Signals], handler: Callable[[int, FrameType | None], object] | signal.Handlers
) -> None:
    for number in numbers:
        signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for number in _ENDING:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, _end_at_once)
    raise KeyboardInterrupt


def _again(usual: Callable[[sys.UnraisableHookArgs], object], told: sys.UnraisableHookArgs) -> None:
    """Repeat an interruption that Python dropped, since it fell into a callback of a weak reference.

    The interpreter may hold a lock of ``threading`` here, so the thread is one that ``threading`` knows nothing of.
    """
    if not isinstance(told.exc_value, KeyboardInterrupt):
        usual(told)
        return
    for number in _ENDING:
        if signal.getsignal(number) is _end_at_once:
            signal.signal(number, _interrupt)
            _thread.start_new_thread(_interrupt_soon, (number,))
            return


def _interrupt_soon(number: signal.Signals) -> None:
    time.sleep(_SOON_SECONDS)
    _thread.interrupt_main(number)


def _end_at_once(_number: int = 0, _frame: FrameType | None = None) -> NoReturn:
    _end(Code.INTERRUPTED)


def _end(code: Code) -> NoReturn:
    """End without Python's own end: that waits for threads, and one that is inside a C++ library would abort it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError):  # nobody reads it, or the signal came in the middle of a write
            stream.flush()
    os._exit(code)
