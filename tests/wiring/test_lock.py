"""The user's lock: one holder at a time, and none for ever."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from platformdirs import user_config_path

from reverie.errors import KeyProblem
from reverie.wiring.lock import STALE_SECONDS, alone


def _place() -> Path:
    return user_config_path("reverie", appauthor=False) / "test.lock"


def test_only_one_holds_it_at_a_time() -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        with alone("test"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 5


def test_nothing_is_left_behind() -> None:
    with pytest.raises(ZeroDivisionError), alone("test"):
        raise ZeroDivisionError
    assert [*_place().parent.iterdir()] == []


def test_what_a_killed_process_left_behind_is_taken_over() -> None:
    _place().parent.mkdir(parents=True)
    _place().write_text("left behind")
    long_ago = time.time() - STALE_SECONDS - 1
    os.utime(_place(), (long_ago, long_ago))
    with alone("test"):
        assert _place().read_text() != "left behind"
    assert [*_place().parent.iterdir()] == []


def test_a_lock_that_was_taken_over_stays_with_its_new_holder() -> None:
    with alone("test"):
        _place().write_text("somebody else")
    assert _place().read_text() == "somebody else"


@pytest.mark.skipif(sys.platform == "win32", reason="a file in the way is told otherwise there")
def test_a_folder_that_can_not_be_made_is_a_key_problem() -> None:
    _place().parent.parent.mkdir(parents=True)
    _place().parent.write_text("in the way")
    with pytest.raises(KeyProblem, match="can't be made"), alone("test"):
        pass
