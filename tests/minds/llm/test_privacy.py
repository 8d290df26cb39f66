"""What a model that is away may see of a text."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.message import Role
from reverie.minds.llm.outgoing import Outgoing, Said, quoted, without_marks
from tests.minds.llm.life import SECRET, episode, memory, nothing_heard, retold

pytestmark = pytest.mark.slow


def _outgoing(*, raw: bool = False, here: bool = False) -> Outgoing:
    return Outgoing(
        clean=lambda text: text.replace(SECRET, "[redacted: key]"),
        retell=retold,
        heard=nothing_heard,
        raw=raw,
        here=here,
    )


def test_a_statement_that_quotes_what_was_said_is_cut_down_to_its_telling_words() -> None:
    said = Said(["The build fails on Friday evenings. Thanks!"])
    assert (
        said.unquoted("Anna said: The build fails on Friday evenings.")
        == "Anna, said, build, fails, Friday, evenings"
    )
    assert said.unquoted("Anna moved to Berlin.") == "Anna moved to Berlin."


def test_a_sentence_is_known_whatever_its_capitals_and_signs() -> None:
    said = Said(["THE BUILD — fails, on fridays"])
    assert said.unquoted("He said the build fails on Fridays!") == "said, build, fails, Fridays"


def test_what_is_nothing_but_telling_words_is_not_shown_at_all() -> None:
    said = Said(["Vue beats React"])
    assert said.unquoted("Anna said: Vue beats React") == ""


@pytest.mark.parametrize("text", ["我搬到柏林了", "ベルリンに引っ越した", "베를린으로 이사했다"])
def test_sentences_of_scripts_without_spaces_are_not_shown(text: str) -> None:
    assert _outgoing().lines([episode(0, text)], UTC) == []


def test_a_language_that_is_not_retold_is_not_shown() -> None:
    assert _outgoing().lines([episode(0, "Ich bin letzte Woche nach Berlin gezogen.")], UTC) == []


def test_the_assistants_words_are_not_shown_as_they_were_either() -> None:
    text = "The landing page is deployed on the second server now."
    said = episode(0, text, role=Role.AGENT, speaker=None)
    assert [line.text for line in _outgoing().lines([said], UTC) if text.rstrip(".") in line.text] == []


def test_a_known_memory_that_repeats_what_was_just_said_is_not_shown_in_those_words() -> None:
    out = _outgoing()
    one = memory("m", "The build fails on Friday evenings")
    said = [episode(0, "The build fails on Friday evenings.")]
    assert out.memories([one], said) == ["build, fails, Friday, evenings"]
    assert out.memories([one]) == [one.essence]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Write to a.b@example.org.", "Write to [redacted: email]."),
        ("Call +36 20 123 4567 now", "Call [redacted: phone] now"),
        ("Call 06-20-123-4567 now", "Call [redacted: phone] now"),
        ("IBAN DE89370400440532013000", "IBAN [redacted: iban]"),
        ("Host 192.168.1.17 is up", "Host [redacted: ip-address] is up"),
        ("On 2026-11-20 at 19:30, 1,500 runs", "On 2026-11-20 at 19:30, 1,500 runs"),
        ("In the week of 9 November 2026", "In the week of 9 November 2026"),
    ],
)
def test_marks_that_identify_a_person_are_taken_out_and_dates_are_not(text: str, clean: str) -> None:
    assert without_marks(text) == clean


def test_a_speaker_who_is_called_by_an_address_is_not_named() -> None:
    assert "example.org" not in _outgoing().source(episode(0, "Hi", speaker="anna@example.org"))
    assert "Anna" in _outgoing().source(episode(0, "Hi"))


def test_to_a_model_on_this_machine_nothing_is_changed() -> None:
    text = f"I moved. My key is {SECRET}, mail a.b@example.org."
    assert [line.text for line in _outgoing(raw=True, here=True).lines([episode(0, text)], UTC)] == [text]


def test_where_what_was_said_may_leave_secrets_still_may_not() -> None:
    (line,) = _outgoing(raw=True).lines([episode(0, f"I moved. My key is {SECRET}.")], UTC)
    assert line.text == "I moved. My key is [redacted: key]."


words = st.text(alphabet="abcdeIimy .,?!'’\nßé我柏", min_size=0, max_size=80)


@given(st.lists(words, max_size=4), words)
def test_what_is_unquoted_holds_no_sentence_of_three_words_that_was_said(
    contents: list[str], text: str
) -> None:
    said = Said(contents)
    shown = said.unquoted(text)
    assert said.unquoted(shown) == shown
    for content in contents:
        for sentence in content.splitlines():
            if len(sentence.split()) >= 3 and any(sign.isalpha() for sign in sentence):
                worded = [part.strip(".,?!'’") for part in sentence.split()]
                if all(part.isalpha() and part.isascii() for part in worded):
                    assert sentence not in shown


@given(st.text(max_size=200))
def test_data_is_one_line_that_nothing_in_it_ends(text: str) -> None:
    line = quoted(text)
    assert "\n" not in line
    assert line[0] == line[-1] == '"'
    assert '"' not in line[1:-1].replace("\\\\", "").replace('\\"', "")


def test_the_statements_of_a_message_are_few() -> None:
    long = " ".join(f"I bought the book number {number} in Paris." for number in range(40))
    assert len(_outgoing().lines([episode(0, long)], UTC)) <= 4
