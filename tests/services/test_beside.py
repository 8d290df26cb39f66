"""Beside: work that is done while a model embeds."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import DamagedModel, EmbedderMismatch, Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.runtime.helper_thread import Beside
from tests.services.bench import kept
from tests.services.conftest import Open

_SECONDS = 30


def _threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("reverie-beside")]


@pytest.fixture
def beside() -> Iterator[Beside]:
    made = Beside()
    yield made
    made.close()
    assert not _threads()


def _fail() -> None:
    raise KeyError("aside")


def test_both_are_done_at_the_same_time_the_own_part_by_the_caller(beside: Beside) -> None:
    begun = threading.Event()

    def aside() -> int:
        begun.set()
        return threading.get_ident()

    def own() -> int:
        assert begun.wait(_SECONDS)
        return threading.get_ident()

    theirs, mine = beside.both(aside, own)
    assert mine == threading.get_ident() != theirs


def test_no_thread_is_made_before_there_is_work_for_it(beside: Beside) -> None:
    assert not _threads()
    beside.both(lambda: None, lambda: None)
    assert len(_threads()) == 1


def test_the_first_parts_error_is_raised_where_both_fail(beside: Beside) -> None:
    def own() -> None:
        raise ValueError("own")

    with pytest.raises(KeyError, match="aside"):
        beside.both(_fail, lambda: None)
    with pytest.raises(ValueError, match="own"):
        beside.both(lambda: None, own)
    with pytest.raises(KeyError, match="aside"):
        beside.both(_fail, own)
    assert beside.both(lambda: 1, lambda: 2) == (1, 2)


def test_an_error_is_raised_only_once_the_other_part_has_ended(beside: Beside) -> None:
    begun, ended = threading.Event(), threading.Event()
    seen: list[str] = []

    def aside() -> None:
        begun.set()
        ended.wait(0.05)
        seen.append("aside")

    def own() -> None:
        assert begun.wait(_SECONDS)
        raise ValueError("own")

    with pytest.raises(ValueError, match="own"):
        beside.both(aside, own)
    assert seen == ["aside"]


def test_whom_the_thread_cannot_serve_at_once_waits_for_nobody(beside: Beside) -> None:
    busy, free = threading.Event(), threading.Event()

    def long() -> None:
        busy.set()
        assert free.wait(_SECONDS)

    other = threading.Thread(target=beside.both, args=(long, lambda: None))
    other.start()
    assert busy.wait(_SECONDS)
    assert beside.both(threading.get_ident, lambda: 2) == (threading.get_ident(), 2)
    free.set()
    other.join(_SECONDS)
    assert not other.is_alive()


def test_a_closed_one_leaves_all_the_work_to_the_caller() -> None:
    beside = Beside()
    beside.both(lambda: None, lambda: None)
    beside.close()
    beside.close()
    assert not _threads()
    assert beside.both(threading.get_ident, lambda: 2) == (threading.get_ident(), 2)


def test_where_the_system_gives_no_thread_the_caller_does_all_the_work(
    beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert beside.both(threading.get_ident, lambda: 2) == (threading.get_ident(), 2)


def test_one_that_nobody_closes_ends_its_thread_when_it_is_forgotten() -> None:
    beside = Beside()
    beside.both(lambda: None, lambda: None)
    [thread] = [one for one in threading.enumerate() if one.name == "reverie-beside"]
    del beside
    gc.collect()
    thread.join(_SECONDS)
    assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # fork in a process with threads
def test_in_a_fork_the_caller_does_all_the_work(beside: Beside) -> None:
    beside.both(lambda: None, lambda: None)
    child = os.fork()
    if child == 0:
        good = beside.both(threading.get_ident, lambda: 2) == (threading.get_ident(), 2)
        beside.close()
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert beside.both(lambda: 1, lambda: 2) == (1, 2)


class _Broken:
    """Fails at questions."""

    def __init__(self, dimensions: int) -> None:
        self._whole = HashingEmbedder.for_tests(dimensions)

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise DamagedModel("weights", f"can't read {len(text)} characters")


def test_an_embedder_that_fails_fails_the_recall(open_bank: Open) -> None:
    kept(open_bank().agent("mama"), "Anna likes green tea")
    broken = open_bank(embedder=_Broken(384)).agent("mama")
    with pytest.raises(DamagedModel):
        broken.recall("tea")
    with pytest.raises(DamagedModel):
        broken.recall_episodes("tea")
    assert broken.recall("tea", strategy="lexical").hits


def test_a_strange_embedder_is_named_even_where_it_fails(open_bank: Open) -> None:
    kept(open_bank().agent("mama"), "Anna likes green tea")
    with pytest.raises(EmbedderMismatch):
        open_bank(embedder=_Broken(100)).agent("mama").recall("tea")


def test_many_threads_at_once_get_what_one_alone_gets(reverie: Reverie) -> None:
    mama = reverie.agent("mama")
    words = ["tea", "river", "garden", "train", "violin", "winter"]
    for place, word in enumerate(words * 2):
        kept(mama, f"Anna met the {word} number {place} in {words[place % 5]} {place * 7}")
    mama.observe(
        [{"content": f"the {word} was nicer than the {words[n % 4]}"} for n, word in enumerate(words)]
    )

    def answers(word: str) -> list[list[tuple[str, float]]]:
        question = f"which {word} did Anna meet?"
        both = mama.recall(question).hits, mama.recall_episodes(question).hits
        return [[(hit.id, round(hit.score, 6)) for hit in hits] for hits in both]

    alone = {word: answers(word) for word in words}
    wrong: list[str] = []

    def ask(first: int) -> None:
        for turn in range(6):
            word = words[(first + turn) % len(words)]
            if answers(word) != alone[word]:
                wrong.append(word)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_closed_bank_leaves_no_thread(open_bank: Open) -> None:
    reverie = open_bank()
    kept(reverie.agent("mama"), "Anna likes green tea")
    assert reverie.agent("mama").recall("tea").hits
    assert _threads()
    reverie.close()
    assert not _threads()
