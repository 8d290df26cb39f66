"""What is posted of a text holds all by which it is looked up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.language import STOP_WORDS, keywords
from reverie.store.postgres.lexemes import (
    BAG,
    KEYWORD,
    LABEL,
    keyword_keys,
    label_keys,
    lexeme,
    of_item,
    posted,
)
from tests.contract.search_fixtures import a_memory, an_episode

WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(sorted(STOP_WORDS)),
    st.sampled_from("s' 's harbours 港 ürün".split()),
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join).filter(str.strip)
LABELS = st.lists(TEXTS, max_size=3, unique=True).map(tuple)


@st.composite
def items(draw: st.DrawFn) -> Memory | Episode:
    if draw(st.booleans()):
        return an_episode("e1", draw(TEXTS))
    labels = {name: draw(LABELS) for name in ("tags", "topics", "entities", "scope")}
    return a_memory("m1", draw(TEXTS), lesson=draw(st.none() | TEXTS), **labels)


@given(items())
def test_every_keyword_is_posted_or_known_to_be_none(item: Memory | Episode) -> None:
    made = of_item("mama", item)
    known = {*made.posted, *np.frombuffer(made.bag, BAG)["term"].tolist()}
    looked_up = {one.strip("'") for one in made.words.split()}
    text = (
        item.content
        if isinstance(item, Episode)
        else "\n".join((item.essence, item.lesson or "", *item.tags, *item.scope))
    )
    for word in keywords(text):
        assert lexeme("mama", KEYWORD, word) in looked_up
        keys = keyword_keys("mama", word)
        assert keys is None or known & {*keys}


@given(items())
def test_labels_are_posted_as_they_are_asked_for(item: Memory | Episode) -> None:
    made = of_item("mama", item)
    fields = {name: getattr(item, name, ()) for name in LABEL} if isinstance(item, Memory) else {}
    for field in label_keys("mama", {name: labels for name, labels in fields.items() if labels}):
        assert {*field} <= {*made.posted}
    lexemes = [one.strip("'") for one in made.words.split()]
    assert posted(lexemes, scoped=isinstance(item, Memory) and bool(item.scope)) == made.posted
