"""Emotions of memories: judged when they are kept, judged anew with a new wording, and filled in where none were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import (
    Action,
    Agent,
    Backfilled,
    Emotion,
    InvalidInput,
    RememberSettings,
    Reverie,
    Settings,
    StoreSettings,
)
from reverie.domain.emotion import Emotions
from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions import EmotionClassifier
from tests.services.bench import DAY, Clock, kept, repeated
from tests.services.conftest import Open

GLAD: Emotions = (Emotion.JOY, Emotion.LOVE, Emotion.NEUTRAL)
SAD: Emotions = (Emotion.SADNESS, Emotion.GRIEF, Emotion.NEUTRAL)
CALM: Emotions = (Emotion.NEUTRAL, Emotion.APPROVAL, Emotion.CARING)
GIVEN = ("fear", "pride", "relief")
UNJUDGED = Settings(
    mind="none", remember=RememberSettings(emotions=False), store=StoreSettings(touch_flush_every=1e6)
)
ALONE = Settings(mind="none")  # emotions alone are judged


class Judge:
    """Judges by a word in the text; counts its texts, and breaks off after so many calls."""

    def __init__(self, calls: int = 1000) -> None:
        self.left = calls
        self.texts: list[str] = []
        self.vectors: list[NDArray[np.float32] | None] = []

    def __call__(self, texts: Sequence[str], vectors: NDArray[np.float32] | None) -> list[Emotions]:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        self.texts += texts
        self.vectors.append(vectors)
        return [GLAD if "glad" in text else SAD if "sad" in text else CALM for text in texts]


def judged_by(reverie: Reverie, judge: Judge | None) -> Agent:
    """The agent mama of a bank where this one judges."""
    reverie._desk = replace(reverie._desk, feel=judge, mind=None)
    return reverie.agent("mama")


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def mama(reverie: Reverie, judge: Judge) -> Agent:
    return judged_by(reverie, judge)


def test_a_memory_has_the_emotions_of_its_essence(mama: Agent) -> None:
    memory = kept(mama, "Anna was glad to come", lesson="don't be sad")
    assert memory.emotions == GLAD
    assert mama.get(memory.id) == memory


def test_emotions_that_a_caller_gives_are_kept_and_not_judged(mama: Agent, judge: Judge) -> None:
    assert kept(mama, "Anna was glad to come", emotions=GIVEN).emotions == GIVEN
    assert judge.texts == []


def test_only_those_without_emotions_are_judged(mama: Agent, judge: Judge) -> None:
    drafts: list[Mapping[str, object] | str] = [
        "the dog was sad on Monday", {"essence": "tea is in the left cupboard", "emotions": GIVEN},
        "Anna was glad about the letter", "the printer has no paper",
    ]  # fmt: skip
    outcomes = mama.remember_many(drafts)
    assert [one.memory.emotions for one in outcomes] == [SAD, GIVEN, GLAD, CALM]
    assert len(judge.texts) == 3


def test_the_judge_gets_the_vectors_that_the_memories_get(mama: Agent, judge: Judge) -> None:
    memory = kept(mama, "Anna was glad to come")
    with mama._desk.store.read("mama") as unit:
        (vector,) = unit.memories.vectors([memory.id]).values()
    assert judge.vectors[0] is not None
    np.testing.assert_array_equal(judge.vectors[0], vector[None])


def test_a_duplicate_fills_emotions_that_nobody_had_judged(open_bank: Open, judge: Judge) -> None:
    unjudged = kept(open_bank(settings=UNJUDGED).agent("mama"), "Anna was glad to come")
    assert unjudged.emotions is None
    mama = judged_by(open_bank(settings=ALONE), judge)
    assert repeated(mama, "Anna was glad to come").emotions == GLAD


def test_a_new_wording_is_judged_anew(mama: Agent) -> None:
    memory = kept(mama, "Anna was glad to come")
    revised = mama.revise(memory.id, essence="Anna was sad to come")
    assert revised.emotions == SAD
    after = mama.portrait(memory.id).audit[-1].after
    assert after is not None
    assert after["emotions"] == [*SAD]


def test_a_new_wording_fills_what_nobody_had_judged(open_bank: Open, judge: Judge) -> None:
    unjudged = kept(open_bank(settings=UNJUDGED).agent("mama"), "Anna came on Monday")
    mama = judged_by(open_bank(settings=ALONE), judge)
    assert mama.revise(unjudged.id, essence="Anna was glad to come").emotions == GLAD


def test_emotions_that_a_caller_gave_outlive_a_new_wording(mama: Agent) -> None:
    memory = kept(mama, "Anna was glad to come", emotions=GIVEN)
    assert mama.revise(memory.id, essence="Anna was sad to come").emotions == GIVEN


@pytest.mark.parametrize(
    ("fields", "expected"), [({"emotions": GIVEN}, GIVEN), ({"clear": ["emotions"]}, None)]
)
def test_emotions_of_a_revision_are_final(mama: Agent, fields: dict[str, Any], expected: object) -> None:
    memory = kept(mama, "Anna was glad to come")
    assert mama.revise(memory.id, essence="Anna was sad to come", **fields).emotions == expected


def test_a_revision_of_other_fields_judges_nothing(mama: Agent, judge: Judge) -> None:
    memory = kept(mama, "Anna was glad to come")
    judge.texts.clear()
    assert mama.revise(memory.id, importance=0.5, lesson="be sad").emotions == GLAD
    assert judge.texts == []


def test_where_nobody_judges_emotions_stay_open(open_bank: Open) -> None:
    mama = open_bank(settings=UNJUDGED).agent("mama")
    memory = kept(mama, "Anna was glad to come")
    assert (memory.emotions, mama.revise(memory.id, essence="Anna was sad").emotions) == (None, None)
    with pytest.raises(InvalidInput, match="emotions"):
        mama.jobs.backfill()


def test_a_backfill_judges_only_what_has_none(open_bank: Open, judge: Judge, clock: Clock) -> None:
    first = open_bank(settings=UNJUDGED).agent("mama")
    glad, given = kept(first, "Anna was glad to come"), kept(first, "tea is in the cupboard", emotions=GIVEN)
    first.revise(glad.id, essence="Anna was very glad to come")
    before = first.portrait(glad.id)
    clock.wait(days=40)
    mama = judged_by(open_bank(settings=ALONE), judge)
    assert mama.jobs.backfill() == Backfilled(judged=1, left=0)
    after = mama.portrait(glad.id)
    assert after.memory == replace(before.memory, emotions=GLAD, updated_at=clock.now)
    assert after.versions == before.versions
    assert mama.get(given.id) == given
    assert judge.texts == ["Anna was very glad to come"]


def test_a_backfill_is_audited_memory_by_memory(open_bank: Open, judge: Judge, clock: Clock) -> None:
    memory = kept(open_bank(settings=UNJUDGED).agent("mama"), "Anna was glad to come")
    clock.wait(seconds=1)
    mama = judged_by(open_bank(actor="keeper"), judge)
    mama.jobs.backfill()
    entry = mama.audit(target=memory.id)[-1]
    assert (entry.action, entry.actor, entry.reason) == (Action.JUDGE, "keeper", "backfill")
    assert (entry.before, entry.after) == ({"emotions": None}, {"emotions": [*GLAD]})


def test_an_interrupted_backfill_goes_on_where_it_was(open_bank: Open, judge: Judge) -> None:
    texts = [f"note {number} says {'abcdefghij'[number] * 4} {number * 7}" for number in range(10)]
    open_bank(settings=UNJUDGED).agent("mama").remember_many(texts)
    broken = judged_by(open_bank(settings=Settings(store=StoreSettings(batch=3))), Judge(calls=2))
    with pytest.raises(KeyboardInterrupt):
        broken.jobs.backfill()
    mama = judged_by(open_bank(settings=Settings(store=StoreSettings(batch=3))), judge)
    assert [memory.emotions for memory in mama.memories(limit=10)].count(None) == 4
    seen: list[tuple[int, int]] = []
    assert mama.jobs.backfill(on_progress=lambda done, of: seen.append((done, of))) == Backfilled(
        judged=4, left=0
    )
    assert seen == [(3, 4), (4, 4)]
    assert len(judge.texts) == 4
    assert len([entry for entry in mama.audit(limit=100) if entry.action is Action.JUDGE]) == 10
    assert mama.jobs.backfill() == Backfilled(judged=0, left=0)


def test_a_revision_during_a_backfill_stays(open_bank: Open) -> None:
    memory = kept(open_bank(settings=UNJUDGED).agent("mama"), "Anna was glad to come")
    other = open_bank(settings=UNJUDGED).agent("mama")

    class Racing(Judge):
        def __call__(self, texts: Sequence[str], vectors: NDArray[np.float32] | None) -> list[Emotions]:
            other.revise(memory.id, essence="Anna was sad to come")
            return super().__call__(texts, vectors)

    mama = judged_by(open_bank(settings=ALONE), Racing())
    assert mama.jobs.backfill() == Backfilled(judged=0, left=1)
    assert mama.get(memory.id) == other.get(memory.id)


def test_an_agent_that_has_written_nothing_has_nothing_to_fill(mama: Agent) -> None:
    assert mama.jobs.backfill() == Backfilled(judged=0, left=0)


def test_another_process_finds_what_was_filled(open_bank: Open, judge: Judge) -> None:
    first = open_bank(settings=UNJUDGED).agent("mama")
    kept(first, "Anna was glad to come on Monday")
    asked = {"min_score": 0, "emotions": ["joy"]}
    assert first.recall("Monday", **asked).hits[0].terms["emotion"] == 0  # type: ignore[arg-type]  # two of recall's
    judged_by(open_bank(settings=ALONE), judge).jobs.backfill()
    assert first.recall("Monday", **asked).hits[0].terms["emotion"] > 0  # type: ignore[arg-type]  # parameters


def test_an_old_memory_is_filled_after_days(open_bank: Open, judge: Judge, clock: Clock) -> None:
    memory = kept(open_bank(settings=UNJUDGED).agent("mama"), "Anna was glad", time=clock.now - 5 * DAY)
    judged_by(open_bank(settings=ALONE), judge).jobs.backfill()
    assert open_bank(settings=ALONE).agent("mama").get(memory.id).created_at == memory.created_at  # type: ignore[union-attr]


@pytest.mark.usefixtures("real_feelings")
def test_the_shipped_classifier_works_with_any_embedder(reverie: Reverie) -> None:
    """The tests' embedder knows no meaning; the classifier looks through the built-in model."""
    text = "Thank you so much for the wonderful present!"
    expected = EmotionClassifier(MiniLM().embed).emotions([text])[0]
    assert kept(reverie.agent("mama"), text).emotions == expected
    assert expected[0] is Emotion.GRATITUDE


@pytest.mark.usefixtures("real_feelings")
def test_a_questions_mood_is_judged_where_memories_are(open_bank: Open) -> None:
    sad = "Anna is so sad that she cried all night, I feel so sad for her"
    assert open_bank(settings=ALONE)._desk.mood_of(sad, None) == (Emotion.SADNESS,)
    assert open_bank(settings=UNJUDGED)._desk.mood_of(sad, None) == ()
    builtin = open_bank(embedder=MiniLM())._desk
    assert builtin.mood_of(sad, MiniLM().embed_query(sad)) == (Emotion.SADNESS,)


@pytest.mark.usefixtures("real_feelings")
def test_a_question_that_feels_lifts_what_feels_alike(open_bank: Open) -> None:
    mama = open_bank(settings=ALONE).agent("mama")
    sad = kept(mama, "Anna left on Monday", emotions=["sadness", "grief"])
    glad = kept(mama, "Anna came on Monday", emotions=["joy", "love"])
    found = mama.recall("Anna is so sad that she cried all Monday, I feel so sad for her")
    terms = {hit.id: hit.terms.get("emotion", 0.0) for hit in found.hits}
    assert terms[sad.id] > terms[glad.id] == 0.0
