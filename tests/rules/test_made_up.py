"""Which messages are made up, and which only have a word of it. Invented, and by another hand than the lives."""

from __future__ import annotations

import pytest

from reverie.rules.made_up import is_made_up, made_up
from reverie.rules.sentences import sentences

EARNEST = [
    "We moved to Veldstraat. Our flat is on the second story and looks onto the canal.",
    "The form of the pension office has a character limit, so I left out that I worked in Basel until 2011.",
    "I suppose I should tell you that Owen and I split up in March.",
    "We keep animals, for example two goats and a blind pony called Biscuit.",
    "I can't imagine living without Lena, we have been married for 31 years.",
    "Long story short, they let me go at Bosch and I start at the bakery on Monday.",
    "My daughter loves to pretend she's a vet, and she turned six on Sunday.",
    "I've always dreamed of a house by the sea, and on Friday we signed for the one in Ostend.",
    "I'm reading a novel by Ferrante for our book club, we meet on Thursdays at Imogen's.",
    "My brother writes poems, and his first book comes out with a publisher in Graz in May.",
    "You can imagine how tired I am: the twins were born on Tuesday, Nils and Mona.",
    "Imagine my surprise when the landlord put the rent up to 1,450.",
    "Our dog is quite a character. He is called Bruno and had his hip done in April.",
    "At the hospital we had a role-play training on Monday, I am a nurse on ward 4 now.",
    "I sing in a band, I wrote the lyrics of our new record and Sven plays the bass.",
    "Let's just say the wedding is off. I moved back in with my mother in Lyon.",
    "The exam is no longer hypothetical: it is on 12 June in Leiden.",
    "Karin works nights now, e.g. from Sunday to Wednesday this week.",
    "I teach at the Montessori school. In the afternoon we wrote a story with the little ones.",
    "Here's a funny story: our cat got stuck in the piano, and the fire brigade of Bruges came.",
    "I write a poem every morning, and on weekdays I drive the school bus in Leiden.",
    "We live in the second story of my aunt's house since April.",
    "Can you write a poem? My wife Ana turns 40 on 3 May.",
    "Please tell me a story. I'm vegan by the way, and I live in Hull.",
    "What if the landlord sells? We moved to Hull in May.",
    "I dreamt I was late. I work at Lidl now.",
    "In my dream I flew. I've got a new job at Lidl, and we moved to Hull.",
    "Imagine being 40 and pregnant. I am! Due in May.",
    "For example, I'm allergic to nuts.",
    "Imagine that! We moved to Hull.",
    "I sold the Kia to Uwe. What if he never pays? Anyway, he still owes me 900.",
]
MADE_UP = [
    "In my novel a nurse called Greta lives in Bergen. She has two sons.",
    "Write me a story about a baker. He lives in Ghent and has a daughter called Rosa.",
    "Here is my short story: Anna moved to Riga. She worked at the harbour and married Pavel.",
    "Imagine you live in Lisbon. You have three dogs and work as a diver.",
    "Suppose I sold the house. We would live in the van.",
    "Let's say I earn 4,000 a month. My rent is 1,200.",
    "Let's pretend I'm a king. My castle is in Bruges and my sister is called Tilda.",
    "Let's role-play. I am Captain Zeno, I live on a boat and my parrot is called Yara.",
    "My character is called Elif. She is an architect in Turin and hates her brother.",
    "Hypothetically, I quit my job at Bosch. I move to Porto in May.",
    "I dreamt that I lived in Oslo. Lena was my sister and we had a bakery.",
    "In an ideal world I live by the sea. I have a boat and two cats.",
    "Chapter 2. Hanno lives in Graz with his mother. He drives a red van.",
    "Once upon a time there was a welder. He lived in Brno and loved a dentist.",
    "What if I moved to Parma? I live with my aunt and work at her shop.",
    "Hi! Can you continue this story? Adrian is a conductor. He lives in Ghent with Imogen.",
    "The protagonist is a plumber. He has lived in Lille since 1998 and has a limp.",
    "Thanks! Now a poem for the site. The poem is about Carla. She lives in Split. She has a cat.",
    "The story is set in Nantes. Inès is a lawyer. She has a dog.",
]


@pytest.mark.parametrize("text", EARNEST)
def test_what_is_told_in_earnest_may_have_a_word_of_it(text: str) -> None:
    assert not is_made_up(text)


@pytest.mark.parametrize("text", MADE_UP)
def test_what_is_made_up_is_seen(text: str) -> None:
    assert is_made_up(text)


def test_what_is_made_up_behind_half_of_it_leaves_it_standing() -> None:
    assert not is_made_up("We live in Ghent. I am a nurse. Owen is a baker. Let's pretend it is summer.")
    assert is_made_up("We live in Ghent. Let's pretend it is summer. We swim in the canal. I own a boat.")


@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("I live in York. What if I quit? I'd live in Wales and own forty sheep. We moved in May.", {1, 2}),
        ("What if she sells? She would get 300,000. I live in York.", {0, 1}),
        ("If only it was May! I'd be in Leiden. I'm a nurse.", {0, 1}),
        ("Write me a story about a baker. He lives in Ghent. My wife is 40.", {0, 1}),
    ],
)
def test_a_supposition_holds_for_what_goes_on_with_would(text: str, which: set[int]) -> None:
    assert made_up(sentences(text)) == which
