"""The judges that ship: what they are given, and that a message has the same verdict alone and among others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.embedders.minilm import MiniLM
from reverie.minds.judges import JudgeNetwork
from reverie.minds.judges.model import MOST_EMBEDDED, Floats
from reverie.ports.judges import Heard

MODEL = MiniLM()
SAID = [
    "Keep your answers short. I moved to Oslo.",
    "hi",
    "",
    "> Tom: I never eat fish\nWhat shall I answer?",
]


class Counting:
    """Embeds, and remembers what."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Floats:
        self.texts += texts
        return MODEL.embed(texts)


def test_a_message_is_judged_alike_alone_and_among_others() -> None:
    judges = JudgeNetwork(MODEL.embed)
    together = judges.judge([Heard(text=text) for text in SAID])
    assert together == [judges.judge([Heard(text=text)])[0] for text in SAID]
    assert [len(some) for some in together] == [2, 1, 0, 2]
    assert all(0 <= one.own <= 1 and 0 <= one.importance <= 1 for some in together for one in some)


def test_vectors_that_are_at_hand_are_used() -> None:
    counting = Counting()
    rows = MODEL.embed(SAID)
    judged = JudgeNetwork(counting.embed).judge([Heard(text=SAID[0], vector=rows[0]), Heard(text=SAID[1])])
    assert counting.texts == [SAID[1], "Keep your answers short.", "I moved to Oslo."]
    assert judged == JudgeNetwork(MODEL.embed).judge([Heard(text=text) for text in SAID[:2]])


def test_another_embedders_vectors_are_not() -> None:
    counting = Counting()
    strange = np.ones(7, np.float32)
    judged = JudgeNetwork(counting.embed, given=False).judge([Heard(text=SAID[0], vector=strange)])
    assert counting.texts[0] == SAID[0]
    assert judged == JudgeNetwork(MODEL.embed).judge([Heard(text=SAID[0])])


def test_only_those_sentences_are_embedded_that_are_to_be() -> None:
    counting = Counting()
    (judged,) = JudgeNetwork(counting.embed).judge(
        [Heard(text=SAID[0], vector=MODEL.embed([SAID[0]])[0], apart={1})]
    )
    assert [one.sentence.text for one in judged] == ["Keep your answers short.", "I moved to Oslo."]
    assert counting.texts == ["I moved to Oslo."]


def test_of_a_long_message_only_the_first_sentences_are_embedded() -> None:
    counting = Counting()
    text = " ".join(f"We walked to hut {number}." for number in range(3 * MOST_EMBEDDED))
    (judged,) = JudgeNetwork(counting.embed).judge([Heard(text=text)])
    assert len(judged) == 3 * MOST_EMBEDDED
    assert len(counting.texts) == 1 + MOST_EMBEDDED


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=400), st.text(max_size=80))
def test_any_text_can_be_judged(text: str, asked: str) -> None:
    judges = JudgeNetwork(lambda texts: np.zeros((len(texts), 384), np.float32))
    (judged,) = judges.judge([Heard(text=text, asked=asked)])
    assert [text[one.sentence.start : one.sentence.end] for one in judged] == [
        one.sentence.text for one in judged
    ]
