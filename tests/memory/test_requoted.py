"""What an earlier version's wording quotes is found in its message; what it reworded isn't."""

from __future__ import annotations

import pytest

from reverie.memory.quoting.requoted import quoted_in

SAID = 'Hi there! We moved to Porto in May. Do you know it? Our cat is called "Miso".'


@pytest.mark.parametrize(
    ("wording", "quotation"),
    [
        ("Anna said: We moved to Porto in May.", "We moved to Porto in May."),
        ("Anna said: Hi there! We moved to Porto in May.", "Hi there! We moved to Porto in May."),
        (
            "Anna said: We moved to Porto in May. Our cat is called Miso.",  # without the question between
            'We moved to Porto in May. Do you know it? Our cat is called "Miso".',
        ),
        ("Anna lives in Porto: Anna said: We moved to Porto in May.", "We moved to Porto in May."),
        (
            "Anna said: We moved to Porto in May. Before that: Anna lives in Faro.",
            "We moved to Porto in May.",
        ),
        ("our cat is called Miso", 'Our cat is called "Miso".'),
        ("cat is called Miso", 'Our cat is called "Miso".'),  # a whole sentence
        ('Asked "What is it called?", Anna answered: Miso', 'Our cat is called "Miso".'),
        ("Anna moved to Porto in May", None),
        ("Anna said: We moved to Porto on 1 May 2026.", None),
        ("Our cat is called Miso. We moved to Porto in May", None),
        ("cat is call", None),
        ("Miso", None),  # a word alone stands in many messages
        ("Anna said: ", None),
    ],
)
def test_a_quotation_is_the_messages_own_sentences(wording: str, quotation: str | None) -> None:
    found = quoted_in(wording, SAID)
    assert (found and found[0]) == quotation


def test_a_quotation_tells_whether_its_message_begins_with_it() -> None:
    assert quoted_in("Anna said: I sing. I dance", "I sing. I dance.") == ("I sing. I dance.", True)
    assert quoted_in("Anna said: I dance", "I sing.  I dance.") == ("I dance.", False)
