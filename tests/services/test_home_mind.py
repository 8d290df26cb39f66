"""Where the mind is away, what must not leave this machine is done by the mind of this machine."""

from __future__ import annotations

from dataclasses import replace

from reverie import Agent, LLMSettings, Reverie, Settings
from tests.services.conftest import Open
from tests.services.scripted import Scripted


def _away() -> Scripted:
    mind = Scripted()
    mind.is_local = False
    return mind


def _minded(reverie: Reverie, mind: Scripted, home: Scripted) -> Agent:
    return Reverie(replace(reverie._desk, mind=mind, home=home), actor="test").agent("mama")


def test_messages_are_read_by_the_mind_of_this_machine(reverie: Reverie) -> None:
    away, home = _away(), Scripted()
    mama = _minded(reverie, away, home)
    (message,) = mama.observe("Anna moved to Lisbon").episode_ids
    assert mama.attend().snippets == 1
    assert (len(home.seen), away.seen) == (1, [])
    assert mama.episodes()[0].metadata.importance == 0.5
    assert mama.memories()[0].source_episodes == (message,)


def test_a_mind_that_may_read_what_was_said_does(open_bank: Open) -> None:
    away, home = _away(), Scripted()
    mama = _minded(open_bank(settings=Settings(llm=LLMSettings(send_raw=True))), away, home)
    mama.observe("Anna moved to Lisbon")
    assert mama.attend().snippets == 1
    assert (len(away.seen), home.seen) == (1, [])


def test_what_is_written_is_judged_here_at_once(reverie: Reverie) -> None:
    for mind in (_away(), Scripted()):
        mind.judge = None  # type: ignore[method-assign,assignment]  # to be asked would fail
        mama = _minded(reverie, mind, Scripted())
        kept = mama.remember(f"Anna drinks tea at {'home' if mind.is_local else 'work'}").memory
        assert (kept.lesson, kept.importance) == ("Judged", 0.5)
