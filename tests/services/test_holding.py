"""Names of holders: which process is surely gone, and of which nobody can tell."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from reverie import Agent
from reverie.domain.job import LEASE, SLEEP
from reverie.errors import JobRunning
from reverie.services.runtime.holders import holder_name, is_gone, process_here
from tests.services.bench import Clock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells which processes live")


def _split(name: str) -> tuple[str, str, str]:
    place, pid, began = name.rpartition("~")[2].split(".")
    return place, pid, began


def test_a_process_that_runs_is_not_gone() -> None:
    name = holder_name("an-id")
    assert name.startswith("an-id~")
    assert _split(name)[1] == str(os.getpid())
    assert not is_gone(name)


def test_a_process_that_ended_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    place, _, began = _split(holder_name("x"))
    child.wait()
    assert is_gone(f"x~{place}.{child.pid}.{began}")


def test_a_process_whose_number_another_has_by_now_is_gone() -> None:
    place, pid, began = _split(holder_name("x"))
    assert is_gone(f"x~{place}.{pid}.{int(began) - 1}")


@pytest.mark.parametrize(
    "name", ["", "x", "x~", "x~y.1.2", "~0000000000000000.1.2", "x~0000000000000000.99999999.1"]
)
def test_a_holder_elsewhere_is_never_called_gone(name: str) -> None:
    assert not is_gone(name)


def test_a_number_that_no_process_can_have_is_not_looked_for() -> None:
    place, _, began = _split(holder_name("x"))
    assert not is_gone(f"x~{place}.9999999999.{began}")


def test_a_name_holds_no_name_of_the_machine() -> None:
    assert os.uname().nodename not in holder_name("x")


def test_a_holders_process_is_told_if_it_lives_here() -> None:
    assert process_here(holder_name("x")) == os.getpid()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    place, _, began = _split(holder_name("x"))
    child.kill()
    child.wait()
    assert process_here(f"x~{place}.{child.pid}.{began}") is None
    assert process_here("x") is None
    assert process_here(f"x~{'0' * 16}.{os.getpid()}.{began}") is None


def test_a_running_job_is_told_with_its_process(mama: Agent, clock: Clock) -> None:
    mama.observe("Anna keeps bees")
    desk, until = mama._desk, clock() + LEASE
    for holder, told in (
        (holder_name("x"), f"in process {os.getpid()} of this machine"),
        ("x", f"should it have died, it is free at {until.isoformat()}"),
    ):
        with desk.store.write(mama.id) as unit:
            assert unit.jobs.take(SLEEP, holder, now=clock(), until=until)
        with pytest.raises(JobRunning, match=re.escape(told)):
            mama.sleep()
        with desk.store.write(mama.id) as unit:
            unit.jobs.release(SLEEP, holder)
