"""Asking: what isn't ours may raise anything."""

from __future__ import annotations

import pytest

from reverie.errors import Busy, Closed, MindFailed, ReverieError
from reverie.services.runtime.guarded_calls import asked, tried
from tests.services.scripted import Scripted


def _raising(error: BaseException) -> str:
    raise error


def test_what_a_mind_raises_is_its_failure_by_name_alone() -> None:
    with pytest.raises(MindFailed) as caught:
        asked(Scripted(), lambda: _raising(RuntimeError("Anna likes tea")))
    assert "RuntimeError" in str(caught.value)
    assert "tea" not in str(caught.value)


@pytest.mark.parametrize("error", [MindFailed("m", "down"), Busy("the file", 1)])
def test_an_error_of_ours_stays_as_it_is(error: ReverieError) -> None:
    with pytest.raises(type(error)) as caught:
        asked(Scripted(), lambda: _raising(error))
    assert caught.value is error


def test_what_was_tried_gives_its_result_or_its_error() -> None:
    error = RuntimeError("no")
    assert tried(lambda: "yes") == "yes"
    assert tried(lambda: _raising(error)) is error


@pytest.mark.parametrize("error", [Closed("it was closed"), KeyboardInterrupt()])
def test_a_closed_bank_and_an_interruption_end_the_try(error: BaseException) -> None:
    with pytest.raises(type(error)):
        tried(lambda: _raising(error))
