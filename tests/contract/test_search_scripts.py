"""Scripts without spaces between words are searched by words as others are, on every engine."""

# ruff: noqa: RUF001  # the scripts are meant

from __future__ import annotations

import pytest

from reverie.language.lexical_terms import query_terms
from tests.contract.search_fixtures import Searched, a_memory, an_episode
from tests.contract.search_fixtures import searched as searched

TEXTS = {
    "zh": "我妹妹上个月搬到了上海，她养了一只猫。",
    "zh2": "他下周要去北京参加一个会议。",
    "ja": "昨日、柴犬のポチを歯医者に連れて行きました。",
    "ja2": "来週の土曜日に新しい冷蔵庫が届きます。",
    "th": "น้องสาวของฉันย้ายไปเชียงใหม่เมื่อเดือนที่แล้ว",
    "th2": "พรุ่งนี้ฉันต้องไปหาหมอฟันตอนเช้า",
    "ko": "아침마다 물을 두 잔 마십니다.",
    "mixed": "東京の店でiPhone 17を買った。Garantieは2年。",
    "en": "Anna keeps the spare key under the flower pot.",
}
QUESTIONS = [
    ("谁搬到上海了？", "zh"),
    ("北京的会议是什么时候？", "zh2"),
    ("柴犬はどこに行きましたか", "ja"),
    ("冷蔵庫はいつ届く？", "ja2"),
    ("ใครย้ายไปเชียงใหม่", "th"),
    ("หมอฟัน", "th2"),
    ("猫", "zh"),  # a character alone, which stands within a run there
    ("犬", "ja"),
    ("물", "ko"),
    ("猫?", "zh"),
    ("iphone 東京", "mixed"),
    ("ｉＰｈｏｎｅ", "mixed"),  # full width
    ("Garantie 店", "mixed"),
    ("where is Anna's 鍵 (key)?", "en"),
]


@pytest.mark.parametrize(("question", "wanted"), QUESTIONS)
def test_words_find_texts_in_any_script(searched: Searched, question: str, wanted: str) -> None:
    searched.say(*(an_episode(id, text) for id, text in TEXTS.items()))
    searched.keep(*(a_memory(id, text) for id, text in TEXTS.items()))
    terms = tuple(query_terms(question))
    for found in (searched.episodes(terms=terms), searched.memories(terms=terms)):
        assert found.ids[int(found.lexical.argmax())] == wanted


def test_a_sign_within_a_label_finds_its_memory(searched: Searched) -> None:
    searched.keep(a_memory("m1", "Pochi is a good dog", tags=("秋田犬",)), a_memory("m2"))
    assert list(searched.memories(terms=("犬",)).ids) == ["m1"]
