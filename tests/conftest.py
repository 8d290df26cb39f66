"""What all tests share: Hypothesis without chance, and the way to the data that is too big to ship."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run, on every machine; no deadline, since a busy machine is no bug.
settings.register_profile("reverie", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("reverie")

# A shell that runs us in the background has us ignore an interrupt, and what we start too: then the tests of interrupts
# would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared data sets' folder: `REVERIE_DATA` or `../shared/data` of the project; skips if absent."""
    folder = Path(os.environ.get("REVERIE_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no shared data: set REVERIE_DATA to the folder of data sets")
    return folder
