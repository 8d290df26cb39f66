"""Which messages may be read by rules and weights that were made for English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.english import is_english
from reverie.rules.telling import tells

OTHERS = (
    "Ich wohne in Leipzig",
    "Ich bin nach Hamburg gezogen!",
    "Meine Frau heißt Anna, wir haben zwei Kinder.",
    "Hab jetzt einen Job bei Bosch",
    "Ik woon in Utrecht.",
    "J'habite à Lyon.",
    "Je travaille chez Renault depuis mars.",
    "Vivo en Berlín",
    "Soy alérgico a los cacahuetes.",
    "Abito a Roma con mia sorella.",
    "Mudei para o Porto na semana passada.",
    "Jag har flyttat till Lund.",
    "Mieszkam w Krakowie.",
    "Przeprowadziłem się do Gdańska.",
    "Olen muuttanut Turkuun.",
    "Tegnap Szegedre költöztem.",
    "Yeni bir evim var, Bursa'da.",
    "Saya tinggal di Jakarta.",
    "Я живу в Москве.",
    "東京に住んでいます。",
    "أعيش في القاهرة",
    "मैं दिल्ली में रहता हूँ",
)
ENGLISH = (
    "Biscuit died",
    "Biscuit died on sunday",
    "I am in Berlin",
    "moved to Hamburg!",
    "MY DOG DIED",
    "Vegan now",
    "Peanut allergy here",
    "i quit smoking",
    "mum has lupus",
    "new job!! Siemens, Berlin",
    "Started chemo Tuesday, feeling rough",
    "my fiancé loves the café",
    "We eat crème brûlée at Café du Monde",
    "We moved to San José in Costa Rica",
    "Took the job at Škoda in Mladá Boleslav",
    "I speak Deutsch and français",
    "Señor Gómez is my landlord",
    "I’m off sugar, it’s been a week",
    "Prescribed levothyroxine, metformin, atorvastatin",
    "Blood pressure medication: ramipril, amlodipine",
    "Allergic: penicillin, sulfa drugs, latex",
    "Rented apartment, Lisbon, Alfama",
)


@pytest.mark.parametrize("text", OTHERS)
def test_another_language_is_not_english_and_no_message_in_it_is_kept_whole(text: str) -> None:
    assert not is_english(text)
    assert tells(text) == 0


@pytest.mark.parametrize("text", ENGLISH)
def test_short_and_telegraphic_english_is_english_whatever_names_and_loans_it_has(text: str) -> None:
    assert is_english(text)
    assert tells(text) > 0


@pytest.mark.parametrize("text", ["", "42", ":-)", "12/03/2026"])
def test_what_has_no_words_is_of_no_language(text: str) -> None:
    assert is_english(text)


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert is_english(text) in (True, False)
