"""What all tests share: emotions without a model, and the way to the data that is too big to ship."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis.internal.conjecture import providers

from reverie.domain.emotion import Emotion, Emotions

ROOT = Path(__file__).resolve().parent.parent

# Constants of all modules that happen to be loaded would change the examples, and take seconds to gather.
pytest.MonkeyPatch().setattr(providers, "is_local_module_file", lambda _path: False)

# A shell that runs us in the background has us ignore an interrupt, and what we start too: then the tests of interrupts
# would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Feeling:
    """Feels something in every text, by its checksum: the built-in model would take a tenth of all tests' time."""

    def emotions(self, texts: Sequence[str]) -> list[Emotions]:
        every = [*Emotion]
        return [(every[crc32(text.encode()) % len(every)],) for text in texts]

    def mood(self, texts: Sequence[str]) -> list[tuple[Emotion, ...]]:
        return [() for _ in texts]


@pytest.fixture(scope="session", autouse=True)
def judging() -> Iterator[Callable[[int], Any]]:
    """Have every text feel the same. Gives what makes the built-in judge."""
    from reverie.wiring import assembly

    real = assembly._own_judge
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "_own_judge", lambda _process: Feeling())
        yield real


@pytest.fixture
def real_feelings(judging: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the built-in model judge emotions and moods, as it does outside of tests."""
    from reverie.wiring import assembly

    monkeypatch.setattr(assembly, "_own_judge", judging)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared data sets' folder: `REVERIE_TEST_DATA` or `../shared/data` of the project; skips if absent."""
    folder = Path(os.environ.get("REVERIE_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no shared data: set REVERIE_TEST_DATA to the folder of data sets")
    return folder
