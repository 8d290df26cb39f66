"""What in a message others wrote or said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.patterns import captures
from reverie.rules.quoting import others, own, speech, unquoted


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("can you proofread: My name is Karl and I am a dentist. I have a boat.", ""),
        ("Translate to French please: I am pregnant and I work at the bank", ""),
        ("Correct the grammar: I lives in Leeds", ""),
        ("Nina wrote me: I'm sorry, I got a job in London", ""),
        ("from the newsletter: I quit my job", ""),
        ("my roommate's ad says: I am a tidy vegan", ""),
        ("my cousin's CV text: I am a pilot", ""),
        ("Poem I like: I live in a house by the side of the road", "Poem I like:"),
        ("read this in the paper: 'I sold my house and I live in a van now'", ""),
        ("Dear Mara, I have moved to Limerick. Love, Auntie Pat", ""),
        ("Hi all,\nI'm moving to Galway.\nBest,\nNiamh", ""),
        ("Subject: leave\nHi Mara, I am on holiday until Monday. Regards, Brid", "Subject: leave"),
        ("From: Brid\nI am on holiday until Monday.", ""),
        ("Pat: I got divorced\nMe: oh no\nPat: I moved in with my mother", ""),
        ("[10:41] Nuala: I'm vegan now\n[10:42] Mara: since when", ""),
        ("Fidelma was like I'm so pregnant I can't see my feet. mad!", "Fidelma was like . mad!"),
        ("the song goes I left my heart in San Francisco", "the song goes"),
        ("'I live in Dubai and I have three sons' - that's from the CV", ""),
    ],
)
def test_what_others_wrote_is_left_out(text: str, left: str) -> None:
    assert own(text, "Mara").strip() == left


@pytest.mark.parametrize(
    "text",
    [
        "update: I moved to Ghent",
        "long story short: I sold my car",
        "my diet: I'm vegan and I don't eat honey",
        "My dating bio: I'm 34, I love dogs",
        "The knee says no: I'm training for a 10k",
        "Reorg: my manager is Paolo now",
        "Strike: Sanjay walked an hour. I gave him the taxi",
        "I wrote to the landlord: I'm moving out in May",
        "Dear landlord, I moved out of the flat on 3 May. Regards, Mara",
        "Hi there, I'm vegan. Thanks, Max",
        "it was like I was invisible",
        "I read 'Dune' and I loved it",
        "Remind me: I have choir on Monday",
    ],
)
def test_what_the_speaker_tells_stays(text: str) -> None:
    assert others(text, "Mara") == []


def test_a_quotation_is_masked_but_no_title() -> None:
    assert unquoted('mam said "I sold the boat"') == 'mam said "\u2026"'
    assert unquoted('I read "Dune" and I loved it') == 'I read "Dune" and I loved it'


@pytest.mark.parametrize(
    "text",
    [
        "quote of the day: I hate Mondays and I love lasagne",
        "Nuala: I never eat meat\nme: nice\nNuala: I hate fish",
    ],
)
def test_nothing_is_captured_of_others(text: str) -> None:
    assert captures(text, "Mara") == ()


@given(st.text(max_size=300), st.text(max_size=12))
def test_any_text_is_read(text: str, speaker: str) -> None:
    found = others(text, speaker)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert len(own(text, speaker)) <= len(text)
    assert all(0 <= start < end <= len(text) for start, end in speech(text))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("My dentist said: no sugar, I told you. Our flat is in Ghent.", "Our flat is in Ghent."),
        ("The vet called and said: I saw Biscuit. We moved to Hull.", "We moved to Hull."),
        (
            "I got an email from HR: I need a badge. We moved to Hull.",
            "I got an email from HR:. We moved to Hull.",
        ),
        ("Please read this: 'Dear all, I am leaving my job at the bank.' I sold the car.", "I sold the car."),
        (
            "pasting Nora's recipe: Bread. I use 500 g flour. I bake it at 240.\n\nI moved to Hull.",
            "I moved to Hull.",
        ),
        ("Nora's recipe: I use 500 g flour. I bake it at 240.", ""),
    ],
)
def test_what_is_introduced_ends_with_its_sentence_and_a_pasted_text_with_its_paragraph(
    text: str, left: str
) -> None:
    assert own(text, "Mara").strip() == left


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("I moved to Hull.\nBest,\nRosa", ""),
        ("I moved to Hull.\nBest,\nRosa", "rosa92"),
        ("I moved to Hull.\nBest,\nRosa", "rl_92"),
        ("I moved to Hull.\nBest,\nRosa", "user"),
        ("I moved to Hull.\nRegards,\nRosa Lima", "Ms Rosa Lima"),
        ("I moved to Hull.\nRegards,\nMs Lima", "Rosa Lima"),
        ("I moved to Hull.\nCheers,\nRob", "Robert"),
        ("I moved to Hull. See you - Tomorrow", "Rosa"),
        ("I moved to Hull. Love - Biscuit", "Rosa"),
        ("From: the garden. I moved to Hull", "Rosa"),
        ("Interview tomorrow: I moved to Hull", "Rosa"),
        ("Quick update for the newsletter: I moved to Hull", "Rosa"),
        ("Reminder: I moved to Hull", "Rosa"),
        ("Fix for my profile: I prefer tea", "Rosa"),
    ],
)
def test_a_message_signed_by_its_own_speaker_and_a_bare_topic_are_his(text: str, speaker: str) -> None:
    assert others(text, speaker) == []


def test_of_a_talk_what_is_vital_of_the_speaker_himself_stays() -> None:
    assert own(
        "Nuala: want some satay?\nMe: I'm allergic to peanuts\nNuala: I hate them", "Mara"
    ).strip() == ("Me: I'm allergic to peanuts")
    assert own("Penicillin: I'm allergic to it\nLatex: I'm allergic to that", "Mara").count("allergic") == 2
