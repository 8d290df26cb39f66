"""Planted secrets are found, also in carriers that nothing was tuned on, and ordinary talk is left alone."""

from __future__ import annotations

import pytest

from bench import secrets
from bench.secrets_kinds import HALVES, KINDS, Planted, planted
from bench.secrets_ordinary import own
from reverie.domain.settings import PrivacySettings, Settings
from reverie.services.runtime.secrets import clean

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def metrics() -> dict[str, float]:
    return secrets.run()


def test_enough_kinds_are_planted_in_both_halves(metrics: dict[str, float]) -> None:
    assert metrics["kinds"] >= 40
    assert min(metrics["n_development"], metrics["n_held_out"]) >= 150


@pytest.mark.parametrize("half", HALVES)
def test_secrets_are_found(metrics: dict[str, float], half: str) -> None:
    assert metrics[f"found_{half}"] >= 0.95


def test_the_halves_share_no_carrier() -> None:
    assert [kind.name for kind in KINDS if set(kind.development) & set(kind.held_out)] == []


def test_technical_talk_of_the_development_half_is_left_alone(metrics: dict[str, float]) -> None:
    assert metrics["own_changed_development"] <= 0.001


def test_what_is_left_of_a_secret_is_noticed() -> None:
    one = Planted(kind="x", text="pw: abcdefghijklmno", secret="abcdefghijklmno")
    assert secrets.is_found(one, "pw: [redacted: password]")
    assert not secrets.is_found(one, "pw: [redacted: password]klmno")


def test_cleaning_planted_and_ordinary_texts_again_changes_nothing() -> None:
    texts = [one.text for place, half in enumerate(HALVES) for one in planted(half, 11 + place, 2)]
    joined = [" ".join(texts[place : place + 5]) for place in range(0, len(texts), 5)]
    settings = Settings(privacy=PrivacySettings(redact=True))
    for text in (*texts, *joined, *own(0, 3, 100)):
        once = clean(settings, text).text
        assert clean(settings, once).text == once
