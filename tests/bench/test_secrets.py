"""Planted secrets are found, also in carriers that nothing was tuned on, and ordinary talk is left alone."""

from __future__ import annotations

import pytest

from bench import secrets
from bench.secrets_kinds import HALVES, KINDS, planted
from bench.secrets_ordinary import own
from reverie.domain.settings import PrivacySettings, Settings
from reverie.services.runtime.secrets import clean

pytestmark = pytest.mark.slow


def test_secrets_are_found_and_ordinary_talk_is_left_alone() -> None:
    figures = secrets.run()
    assert figures["kinds"] >= 40
    assert min(figures["n_development"], figures["n_held_out"]) >= 150
    assert min(figures["found_development"], figures["found_held_out"]) >= 0.95
    assert figures["own_changed_development"] <= 0.001
    assert [kind.name for kind in KINDS if set(kind.development) & set(kind.held_out)] == []


def test_cleaning_a_clean_text_again_changes_nothing() -> None:
    texts = [one.text for place, half in enumerate(HALVES) for one in planted(half, 11 + place, 1)]
    joined = [" ".join(texts[place : place + 5]) for place in range(0, len(texts), 5)]
    settings = Settings(privacy=PrivacySettings(redact=True))
    for text in (*texts, *joined, *own(0, 3, 50)):
        once = clean(settings, text).text
        assert clean(settings, once).text == once
