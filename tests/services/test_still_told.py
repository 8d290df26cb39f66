"""The receipt of a forget names messages that are left and tell of it still."""

from __future__ import annotations

import pytest

from reverie import Agent, Reverie, StoreError
from reverie.language.lexical_terms import terms
from reverie.services.forget import still_told as module
from tests.services.bench import kept

DOSE = "I take 50 micrograms of levothyroxine every morning"
ECHO = {"role": "agent", "content": "Noted: 50 micrograms of levothyroxine each morning."}
OTHERS = ("Good morning!", "We walked the dog by the river.", "I take the bus at eight every morning.")


def test_an_assistants_echo_of_a_forgotten_message_is_named(mama: Agent) -> None:
    said, echo, *_ = mama.observe([{"content": DOSE}, ECHO, *OTHERS]).episode_ids
    receipt = mama.forget(said)
    assert receipt.still_told == (echo,)
    assert mama.get(echo).id == echo
    assert mama.forget(echo).still_told == ()
    assert not mama.recall_episodes("levothyroxine").hits


def test_messages_with_a_rare_word_of_it_are_named(mama: Agent) -> None:
    said, echo, asked, *_ = mama.observe(
        [{"content": DOSE}, ECHO, {"content": "Did the levothyroxine help?", "role": "agent"}, *OTHERS]
    ).episode_ids
    memory = kept(mama, "Mara takes 50 micrograms of levothyroxine every morning", source_episodes=[said])
    receipt = mama.forget(memory.id)
    assert (receipt.episodes, receipt.still_told) == ((said,), (echo, asked))


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        ("I go to church every Sunday.", "You go to church every Sunday, noted."),
        ("My son is in hospital.", "I hope your son gets out of hospital soon."),
        ("I quit my job last week.", "Sorry to hear that you quit your job!"),
        ("We met Zsolt. I moved out last month.", "You moved out last month, noted."),
        ("I smoke.", "You smoke, noted."),
    ],
)
def test_an_echo_of_everyday_words_alone_is_named(mama: Agent, said: str, echo: str) -> None:
    first, second, *_ = mama.observe(
        [{"content": said}, {"content": echo, "role": "agent"}, *OTHERS, "It was hot last week.", "Hello!"]
    ).episode_ids
    assert mama.forget(first).still_told == (second,)


def test_everyday_words_and_speakers_alone_tell_nothing(mama: Agent) -> None:
    said, *_ = mama.observe(
        [{"content": "I like tea in the morning, Anna", "speaker": "Mara"},
         {"content": "Good morning Mara, here is your tea", "speaker": "Anna"},
         {"content": "Anna is here, I like that", "speaker": "Mara"}]
    ).episode_ids  # fmt: skip
    assert mama.forget(said).still_told == ()


def test_forgetting_a_room_or_a_time_names_what_others_say(mama: Agent) -> None:
    (first,) = mama.observe([{"content": DOSE, "time": "2026-01-01"}], conversation="a").episode_ids
    (second,) = mama.observe([{**ECHO, "time": "2026-01-02"}], conversation="b").episode_ids
    assert mama.forget(conversation="a").still_told == (second,)
    (third,) = mama.observe([{"content": "Levothyroxine is what I take.", "time": "2026-01-03"}]).episode_ids
    assert mama.forget(since="2026-01-02", until="2026-01-03").still_told == (third,)
    assert first not in {one.id for one in mama.episodes()}


def test_nothing_is_left_to_tell_where_everything_goes(mama: Agent) -> None:
    mama.observe([{"content": DOSE}, ECHO])
    assert mama.forget(everything=True).still_told == ()


def test_others_banks_are_not_looked_at(reverie: Reverie, mama: Agent) -> None:
    said, echo = mama.observe([{"content": DOSE}, ECHO]).episode_ids
    papa = reverie.agent("papa")
    told = papa.observe([{"content": DOSE}, ECHO]).episode_ids
    assert mama.forget(said).still_told == (echo,)
    assert tuple(one.id for one in papa.episodes()) == told


def test_what_cannot_be_looked_up_costs_no_receipt(
    mama: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said, echo = mama.observe([{"content": DOSE}, ECHO]).episode_ids

    def broken(*_: object) -> None:
        raise StoreError("the disk fails")

    for name in ("reverie.services.forget.still_told.still_told", "reverie.services.forget.forget.holders"):
        monkeypatch.setattr(name, broken)
    receipt = mama.forget(said)
    assert (receipt.episodes, receipt.still_told, receipt.searched) == ((said,), (), False)
    assert any("could not be looked up" in one for one in receipt.elsewhere)
    assert [one.id for one in mama.episodes()] == [echo]
    assert "StoreError" in caplog.text
    monkeypatch.undo()
    assert mama.forget(echo).searched


def test_speakers_are_read_once_for_all_that_went(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str) -> list[str]:
        read.append(text)
        return terms(text)

    monkeypatch.setattr(module, "terms", noted)
    mama.observe(
        [{"content": f"{DOSE} {place}", "speaker": "Mara Holm"} for place in range(30)], conversation="a"
    )
    mama.observe([{"content": "Good morning!", "speaker": "Mara Holm"}], conversation="b")
    mama.forget(conversation="a")
    assert read.count("Mara Holm") == 1
