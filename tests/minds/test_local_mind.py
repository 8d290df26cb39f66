"""LocalMind: what it keeps of talk is what was said, word for word, and nobody else's words."""

from __future__ import annotations

import threading
from datetime import UTC

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.change import Contradict, Learn
from reverie.domain.message import Role
from reverie.domain.snippet import Extracted, Snippet
from reverie.domain.trust import SourceTrust
from reverie.minds.local import LocalMind
from reverie.minds.local.superseding import SURE, Told, replaced
from tests.minds.nights import MODEL, changes, episode, memory, night

MIND = LocalMind(MODEL, floor=0.0)
TALK = [
    "Good morning! How are you?",
    "My mother Clara was diagnosed with diabetes yesterday, and I moved to Lisbon to be near her.",
    "Can you shorten this?\n> Dear all,\n> I am allergic to nuts and never work on Mondays.\n> Best, Tom",
    "I work as a nurse at St Mary's.\nIt's nights until June.",
    "lol thanks",
]


def _snippet(*texts: str, asked: str | None = None) -> Snippet:
    said = [episode(text, place / 1_000) for place, text in enumerate(texts)]
    if asked is not None:
        said.insert(0, episode(asked, -0.01, role=Role.AGENT, speaker=None, conversation="day 0"))
    fresh = len(texts)
    return Snippet(agent_id="a", zone=UTC, messages=tuple(said), fresh=fresh)


def _extracted(snippet: Snippet) -> list[Extracted]:
    return [*MIND.extract(snippet, lambda vectors: [0.0] * len(vectors))]


def _check_quoted(found: list[Extracted], snippet: Snippet) -> None:
    said = {one.id: one for one in snippet.messages}
    for one in found:
        [source] = one.sources
        message = said[source]
        assert one.essence in message.content
        assert one.quoted is not None
        assert (one.quoted.episode, one.quoted.speaker, one.quoted.at) == (
            source,
            message.speaker,
            message.time,
        )
        assert message.role is Role.USER


def test_what_is_kept_stands_in_its_message_word_for_word() -> None:
    snippet = _snippet(*TALK)
    found = _extracted(snippet)
    _check_quoted(found, snippet)
    assert any("diagnosed with diabetes yesterday" in one.essence for one in found)
    assert any("I work as a nurse" in one.essence for one in found)
    assert not any("allergic to nuts" in one.essence or "Good morning" in one.essence for one in found)


def test_a_question_states_nothing_and_stands_beside_what_does() -> None:
    asked = "Which database do we use for the orders table, and am I allergic to anything?"
    told = "I'm allergic to walnuts."
    assert _extracted(_snippet(asked)) == []
    assert [one.essence for one in _extracted(_snippet(f"{asked} {told}"))] == [f"{asked} {told}"]
    assert [*MIND.stated([episode(f"{asked} {told}", 0)], UTC).values()] == [[told]]


def test_the_same_is_kept_of_the_same_in_any_thread() -> None:
    want = _extracted(_snippet(*TALK))
    found: list[list[Extracted]] = []
    threads = [threading.Thread(target=lambda: found.append(_extracted(_snippet(*TALK)))) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [want] * 4


def test_an_answer_is_kept_with_the_question_beside_it() -> None:
    found = _extracted(
        _snippet("In Porto, since May, with my brother.", asked="Noted. Where do you live now?")
    )
    assert [(one.essence, one.quoted and one.quoted.answers) for one in found] == [
        ("In Porto, since May, with my brother.", "Noted. Where do you live now?")
    ]


def test_nothing_is_kept_of_agents_tools_and_outsiders() -> None:
    text = TALK[1]
    said = [
        episode(text, 0.001, role=Role.AGENT, speaker=None),
        episode(text, 0.002, role=Role.TOOL, speaker=None, trust=SourceTrust.EXTERNAL),
        episode(text, 0.003, trust=SourceTrust.EXTERNAL),
    ]
    assert _extracted(Snippet(agent_id="a", zone=UTC, messages=tuple(said), fresh=3)) == []


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400)
        | st.sampled_from([*TALK, "Act I's visual language", "World War I's", "¿Qué?", "好的。我住在北京。"]),
        min_size=1,
        max_size=4,
    )
)
def test_no_text_of_any_script_stops_it_or_is_reworded(texts: list[str]) -> None:
    said = [text for text in texts if text.strip()]
    if said:
        snippet = _snippet(*said)
        _check_quoted(_extracted(snippet), snippet)
        MIND.consolidate(night([episode(text, place / 1_000) for place, text in enumerate(said)]))
        MIND.compress(snippet.messages, so_far=None, max_tokens=60)


def test_a_night_learns_quotations_in_the_order_of_time() -> None:
    said = [episode(text, place) for place, text in enumerate(TALK)]
    found = [one for one in changes(said) if isinstance(one, Learn)]
    assert found
    assert [one.quoted.at for one in found if one.quoted] == sorted(
        one.quoted.at for one in found if one.quoted
    )
    by_id = {one.id: one.content for one in said}
    assert all(one.essence in by_id[one.sources[0]] for one in found)


def test_only_what_surely_supersedes_is_linked() -> None:
    old = memory("My dentist appointment is on Tuesday the 3rd at nine.", id="old")
    other = memory("My sister Ida plays the viola in an orchestra.", id="other")
    new = episode("My dentist appointment is now moved from Tuesday the 3rd to Friday the 6th at nine.")
    found = [one for one in changes([new], [old, other]) if isinstance(one, Contradict)]
    assert [(one.memory_id, one.sources) for one in found] == [("old", (new.id,))]
    late = memory(old.essence, day=2, id="late")  # said after it
    assert not [one for one in changes([new], [late, other]) if isinstance(one, Contradict)]


def test_two_about_different_things_are_never_linked() -> None:
    texts = [
        "I now live in Porto.",
        "The build is red since Monday.",
        "I never eat fish.",
        "Ida has two cats.",
    ]
    told = [Told(text=text, vector=row) for text, row in zip(texts, MODEL.embed(texts), strict=True)]
    assert [replaced(one, told[:place]) for place, one in enumerate(told)] == [None] * len(texts)
    assert 0.5 < SURE < 1


def test_what_matters_is_judged_higher_and_gets_no_lesson() -> None:
    from reverie.domain.kinds import Kind
    from reverie.domain.snippet import Unjudged

    texts = [
        "I'm severely allergic to penicillin, never let anybody give it to me.",
        "I had toast this morning.",
    ]
    asked = [Unjudged(essence=text, kind=Kind.FACT) for text in texts]
    grave, trifle = (one for one in MIND.judge(asked) if one is not None)
    assert (grave.lesson, trifle.lesson) == (None, None)
    assert grave.importance > trifle.importance


def test_a_failing_embedder_is_told_and_no_text_is_blamed() -> None:
    class Broken:
        dimensions, id = 384, "broken"

        def embed(self, texts: object) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
            raise RuntimeError("out of order")

        def count_tokens(self, text: str) -> int:
            return len(text)

    with pytest.raises(RuntimeError, match="out of order"):
        LocalMind(Broken()).extract(_snippet(*TALK), lambda vectors: [0.0] * len(vectors))  # type: ignore[arg-type]
