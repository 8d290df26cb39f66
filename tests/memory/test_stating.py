"""Forms of sentences: what people use to state something for good, and no more than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.capture import CapturePattern
from reverie.services.observe.statement_forms import Form, forms_of, has_form, pattern_of, reports


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("Please remember this!", Form.THIS),
        ("ok, don't forget it", Form.THIS),
        ("Could you remember that the spare key hangs at Bert's?", Form.REMEMBER),
        ("btw, keep in mind that the client pays in francs", Form.REMEMBER),
        ("Please remember:", Form.THESE),
        ("Ok, note the following: tea at five", Form.THESE),
        ("I’m severely allergic to sesame.", Form.HEALTH),
        ("Leni has a kiwi allergy", Form.HEALTH),
        ("I take 50 mg of losartan at night", Form.HEALTH),
        ("Don't ever share my number.", Form.CONSTRAINT),
        ("Customer names must not appear in logs", Form.CONSTRAINT),
        ("no hashtags pls", Form.ORDER),
        ("- Stop thanking me.", Form.ORDER),
        ("From now on, dates come first", Form.ORDER),
        ("Look, I'd rather you asked first.", Form.RULE),
        ("Good morning, please write smaller.", Form.ORDER),
        ("I can't stand open-plan offices", Form.TASTE),
        ("My favourite season is autumn.", Form.TASTE),
        ("Loud music bothers me.", Form.TASTE),
        ("Actually the exam is on Monday.", Form.CORRECTION),
        ("It's Leith, not Graz.", Form.CORRECTION),
        ("The weather was fine.", None),
        ("Which cakes have no nuts?", None),
        ("", None),
    ],
)
def test_a_form_is_told_by_grammar(sentence: str, form: Form | None) -> None:
    forms = forms_of(sentence)
    assert has_form(sentence) is bool(forms)
    assert next(iter(forms), None) is form


@pytest.mark.parametrize(
    ("sentence", "reported"),
    [
        ("The site says you should always copy Eve.", True),
        ("According to the letter, never pay in cash.", True),
        ("I got a mail from Eve saying you must wait.", True),
        ("Never tell my mother.", False),
        ("I said: keep it short.", False),
        ("Like I already asked, use tabs.", False),
    ],
)
def test_what_another_said_is_told_from_what_the_speaker_says(sentence: str, reported: bool) -> None:
    assert reports(sentence) is reported


def test_a_pattern_of_ones_own_is_matched_where_a_clause_begins() -> None:
    mine = CapturePattern(name="deploys", says=r"we deploy to \w+", words=("deploy",))
    assert pattern_of("By the way, We Deploy to Frankfurt.", [mine]) is mine
    assert pattern_of("It is slow, so we deploy to Oslo", [mine]) is mine
    assert pattern_of("Tom says we deploy to Oslo", [mine]) is None
    assert pattern_of("We drive to Oslo", [mine]) is None


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert has_form(text) is bool(forms_of(text))
    pattern_of(text, [CapturePattern(name="any", says=".")])
