"""What LocalMind makes of lives that are told in another language: nothing that would stand half read."""

from __future__ import annotations

import pytest

from tests.minds.nights import changes, episode

LIVES = {
    "German": ("Ich wohne in Leipzig", "Ich bin nach Hamburg gezogen!"),
    "Spanish": ("Vivo en Sevilla con mi hermana.", "Me he mudado a Madrid este mes."),
    "French": ("J'habite à Lyon depuis mars.", "J'ai déménagé à Paris !"),
    "Italian": ("Abito a Roma con mia sorella.", "Mi sono trasferita a Milano."),
    "Dutch": ("Ik woon in Utrecht.", "Ik ben verhuisd naar Leiden."),
    "Polish": ("Mieszkam w Krakowie.", "Przeprowadziłem się do Gdańska."),
    "Russian": ("Я живу в Москве.", "Я переехал в Казань."),
    "Japanese": ("東京に住んでいます。", "大阪に引っ越しました。"),
}


@pytest.mark.parametrize("language", LIVES)
def test_neither_the_old_nor_the_new_becomes_a_memory_so_none_stands_stale(language: str) -> None:
    old, new = LIVES[language]
    assert changes([episode(old, 20)]) == ()
    assert changes([episode(new, 40)]) == ()
    assert changes([episode(old, 20), episode(new, 40)]) == ()


def test_an_english_message_among_them_is_kept() -> None:
    said = [episode("Ich wohne in Leipzig", 20), episode("My sister Lena lives in Bergen.", 20.1)]
    assert ["Lena" in getattr(one, "essence", "") for one in changes(said)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leipzig now.",
        "We moved to Ghent.",
        "My dog Biscuit died on Sunday.",
        "I sold the car and bought a Škoda.",
        "Our son Zoltán was born in March.",
    ],
)
def test_short_english_messages_are_kept_whatever_names_they_have(text: str) -> None:
    assert changes([episode(text, 20)])


@pytest.mark.parametrize(
    "text",
    [
        "Mein Geburtstag ist am 3. Mai.",
        "Gestern habe ich bei Bosch unterschrieben, ich fange am 1. Oktober als Ingenieurin in Stuttgart an.",
        "Mi hija Lucía cumple ocho años el 3 de mayo. Vivimos en la Calle Mayor 12, Valencia.",
        "Je suis allergique aux arachides et ma sœur Claire habite à Bordeaux avec ses deux enfants.",
    ],
)
def test_no_sentence_of_a_longer_message_becomes_one_either(text: str) -> None:
    assert changes([episode(text, 20)]) == ()
