"""What all tests share: Hypothesis without chance, and the way to the data that is too big to ship."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

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

Label = TypeVar("Label", bound=Hashable)
_MOST_JUDGED = 20_000


def _kept(judge: Callable[[Sequence[str]], list[Label]]) -> Callable[[Sequence[str]], list[Label]]:
    known: dict[str, Label] = {}

    def judged(texts: Sequence[str]) -> list[Label]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        made = dict(zip(new, judge(new), strict=True)) if new else {}
        if len(known) < _MOST_JUDGED:
            known.update(made)
        return [made[text] if text in made else known[text] for text in texts]

    return judged


@pytest.fixture(scope="session", autouse=True)
def judging() -> Iterator[Callable[[int], Any]]:
    """The emotions of a text are the same each time, bit for bit (``tests/wiring/test_judging.py``); tests say the same
    texts again and again, so each is judged once. Gives what judges every time.
    """
    from reverie.wiring import assembly

    class Judge:
        def __init__(self, process: int) -> None:
            real = make(process)
            self.emotions, self.mood = _kept(real.emotions), _kept(real.mood)

    make = assembly._own_judge
    judges: dict[int, Judge] = {}

    def judge_of(process: int) -> Judge:
        if process not in judges:
            judges[process] = Judge(process)
        return judges[process]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "_own_judge", judge_of)
        yield make


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared data sets' folder: `REVERIE_TEST_DATA` or `../shared/data` of the project; skips if absent."""
    folder = Path(os.environ.get("REVERIE_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no shared data: set REVERIE_TEST_DATA to the folder of data sets")
    return folder
