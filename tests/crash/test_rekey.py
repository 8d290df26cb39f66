"""A change of a bank's key that is killed, interrupted, or fails: the bank opens with a key that is on the disk."""

from __future__ import annotations

import gc
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import reverie.wiring
from reverie import Agent, Reverie, WrongKey
from reverie.wiring import care, lock
from tests.crash import ring, story
from tests.crash.aim import WAYS
from tests.crash.fleet import PATIENCE, ROOT, Fleet, Place
from tests.crash.kills import Range, Shot, kill_inside, on, prepared, shots
from tests.crash.proof import EMBEDDER, prove_whole
from tests.crash.story import Content, Step

Base = tuple[Place, Content]

_INTERRUPTIONS = 20

FILE: Step = ("rekey", "file")
KEYRING: Step = ("rekey", "keyring")


@pytest.fixture(autouse=True)
def _own_keyring(fresh: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in ring.modules(fresh.key.with_name("ring")).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(fresh.folder))
    monkeypatch.setattr(lock, "STALE_SECONDS", 0.0)  # nobody waits for those that were killed


def _new_key(place: Place, step: Step) -> Path | str:
    return "keyring" if step == KEYRING else place.key.with_name("new")


@contextmanager
def _opened(place: Place, key: Path | str | None = None) -> Iterator[tuple[Reverie, Agent]]:
    with Reverie.open(
        place.bank, key=key, create=False, embedder=EMBEDDER, settings=story.settings()
    ) as bank:
        yield bank, bank.agent(story.AGENT)


def _holds(place: Place, content: Content, key: Path | str | None = None) -> None:
    with _opened(place, key) as (bank, agent):
        assert prove_whole(bank, agent) == content


def _prove(place: Place, content: Content, step: Step) -> None:
    """The bank opens, by itself, with all that it held; and the change is made by the same call again."""
    state = Path(f"{place.bank}-rekey")
    new = _new_key(place, step)
    try:
        _holds(place, content)
        care.rekey(place.bank, key=None, new_key=new)
    except WrongKey:
        assert not state.exists()  # else it would have been opened: the change was over already
    _holds(place, content, new)
    with pytest.raises(WrongKey), _opened(place):
        pass
    assert {one.name for one in place.folder.iterdir() if one.is_file()} <= {place.bank.name, "keyring.lock"}


@pytest.mark.parametrize("step", [FILE, KEYRING], ids=["file", "keyring"])
@shots(10, ways=WAYS)
def test_a_kill_in_a_rekey_leaves_a_bank_that_opens(
    fleet: Fleet, base: Base, targets: Range, shot: Shot, step: Step
) -> None:
    place, content = base
    at = shot.point(targets.points((), step, "rekey"))
    kill_inside(prepared(fleet, place, (), "rekey"), place, step, at=at, way=shot.way)
    _prove(place, content, step)


@pytest.mark.parametrize("way", ["full", "flipped"])
@shots(8, ways=("",))
def test_a_disk_failing_in_a_rekey_leaves_a_bank_that_opens(
    fleet: Fleet, base: Base, targets: Range, shot: Shot, way: str
) -> None:
    place, content = base
    at = shot.point(targets.points((), FILE, "rekey", way))
    child = prepared(fleet, place, (), "rekey")
    child.ask("aim", at, way)
    child.try_to(*on(place, FILE))
    assert len(child.ask("passed")["passed"]) >= at
    child.end()
    _prove(place, content, FILE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_a_rekey_leaves_a_bank_that_opens(base: Base, number: signal.Signals) -> None:
    place, content = base
    new, journal = place.key.with_name("new"), Path(f"{place.bank}-journal")
    command = [
        sys.executable,
        "-m",
        "reverie",
        "--bank",
        str(place.bank),
        "rekey",
        "--new-key-file",
        str(new),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        while process.poll() is None and not (new.exists() and journal.exists()):
            time.sleep(0.001)
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 or (process.returncode == 130 and "interrupted" in said)
    _prove(place, content, FILE)


class _Breaker:
    """Raises KeyboardInterrupt, as the handlers of SIGTERM and SIGINT do, before the n-th instruction of our own code
    that belongs to a change of keys. Python runs its handlers between two instructions, and nowhere else.
    """

    def __init__(self, at: int) -> None:
        self.passed, self._at = 0, at

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> Callable[..., Any] | None:
        if not frame.f_code.co_filename.startswith(_WIRING) and frame.f_code.co_name not in _ENGINE:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.passed += 1
            if self.passed == self._at:
                raise KeyboardInterrupt
        return self


_WIRING = str(Path(reverie.wiring.__file__).parent)
_ENGINE = {"rekey", "_alone", "_close", "_refuse_faults"}


def _interrupted(place: Place, at: int) -> int:
    """Changes the key, is interrupted there, and gives how many instructions there were."""
    breaker, tracing = _Breaker(at), sys.gettrace()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of a file that was open just then
        sys.settrace(breaker)
        try:
            care.rekey(place.bank, key=None, new_key=_new_key(place, FILE))
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        gc.collect()
    return breaker.passed


@pytest.fixture(scope="session")
def instructions(aged: Base, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many there are in a change of keys."""
    place = Place(folder=tmp_path_factory.mktemp("instructions"))
    shutil.copytree(aged[0].folder, place.folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REVERIE_KEY_FILE", str(place.key))
        return _interrupted(place, 0)


@pytest.mark.parametrize("number", range(_INTERRUPTIONS))
def test_an_interrupted_rekey_leaves_a_bank_that_opens(base: Base, instructions: int, number: int) -> None:
    place, content = base
    _interrupted(place, 1 + number * (instructions - 1) // (_INTERRUPTIONS - 1))
    _prove(place, content, FILE)
