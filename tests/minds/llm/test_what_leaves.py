"""What a model that is away may see, whatever it is asked: chosen sentences without personal marks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Agent, LLMSettings, MindFailed, Reverie, Settings
from reverie.domain.memory import Memory
from reverie.domain.snippet import Snippet
from reverie.embedders.hashing import HashingEmbedder
from reverie.minds.llm.outgoing import MOST_STATED, MOST_WORDS, Outgoing, Retell, without_marks
from reverie.minds.nights import ANSWER
from reverie.minds.nights.lines import quoted, speaker
from reverie.services.remember.judging import judgements
from tests.minds.llm.life import SECRET, episode, memory, retold
from tests.minds.llm.servers import Server, serving
from tests.services.sure import Sure

pytestmark = pytest.mark.slow

LASTING = "I am allergic to peanuts. Reach me at anna@example.com."
PASSING = "It will rain in Berlin tonight. What shall we eat tonight?"
KNOWN = "Anna keeps two spare keys; her mail is anna@example.com"
_WORD = re.compile(r"\w+")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Everything that leaves goes through it."""
    names = ANSWER["properties"]
    assert isinstance(names, dict)
    with serving("openai-chat", json.dumps({name: [] for name in names})) as one:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{one.port}")
        yield one


def _agent(folder: Path, *, raw: bool = False) -> Agent:
    settings = Settings(
        mind="llm",
        llm=LLMSettings(model="openai-chat:test-model", base_url="http://model.example/v1", send_raw=raw),
    )
    reverie = Reverie.open(
        folder / "a.bank", encrypted=False, embedder=HashingEmbedder.for_tests(), settings=settings
    )
    object.__setattr__(reverie._desk.home, "_judges", Sure(passing="tonight"))
    agent = reverie.agent("mama")
    told = agent.observe([{"speaker": "Anna", "content": text} for text in (LASTING, PASSING)])
    agent.remember(KNOWN, source_episodes=told.episode_ids)
    return agent


@pytest.fixture
def mama(tmp_path: Path, server: Server) -> Agent:
    return _agent(tmp_path)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _sent(server: Server) -> str:
    assert all(seen.target.startswith("http://model.example/") for seen in server.seen)
    return "\n".join(_words(one.everything) for one in server.seen)


def _checked(server: Server) -> str:
    """What left, which is nothing that should not."""
    sent = _sent(server)
    assert [part for part in PASSING.split(". ") if _words(part) in sent] == []
    assert "anna example com" not in sent
    return sent


def test_a_night_shows_lasting_sentences_and_redacted_memories(mama: Agent, server: Server) -> None:
    mama.sleep()
    sent = _checked(server)
    assert "i am allergic to peanuts" in sent
    assert "anna keeps two spare keys her mail is redacted email" in sent


def test_where_it_is_allowed_a_night_shows_all_that_was_said(tmp_path: Path, server: Server) -> None:
    _agent(tmp_path, raw=True).sleep()
    assert "what shall we eat tonight" in _sent(server)


def _known(mama: Agent) -> Sequence[Memory]:
    return mama.memories(deep=True, limit=50)


def test_portrait_narrative_and_judgement_show_memories_alone(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    known = _known(mama)
    with pytest.raises(MindFailed):
        mind.portray({known[0].kind: known}, max_tokens=400)
    with pytest.raises(MindFailed):
        mind.narrate(known, max_tokens=200)
    judgements(mama._desk, known)
    assert "anna keeps two spare keys" in _checked(server)


def test_extraction_and_summary_stay_on_this_machine(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    messages = mama.episodes()
    snippet = Snippet(agent_id="mama", messages=tuple(messages), fresh=len(messages), zone=UTC)
    mind.extract(snippet, lambda vectors: [-1.0] * len(vectors))
    mind.compress(messages, so_far=None, max_tokens=60)
    assert server.seen == []


def _outgoing(retell: Retell = retold, *, raw: bool = False, here: bool = False) -> Outgoing:
    return Outgoing(
        clean=lambda text: text.replace(SECRET, "[redacted: key]"), retell=retell, raw=raw, here=here
    )


def _lines(*texts: str, chosen: Sequence[str] = (), **other: Any) -> list[str]:
    told = {f"episode-{place}": [part for part in chosen if part in text] for place, text in enumerate(texts)}
    said = [episode(place, text) for place, text in enumerate(texts)]
    return [line.text for line in _outgoing(lambda *_: told, **other).lines(said, UTC)]


def test_only_the_chosen_sentences_are_shown_as_one_quotation() -> None:
    text = "I moved to Berlin. Nice weather today. My sister Ana lives there too."
    chosen = ("I moved to Berlin.", "My sister Ana lives there too.")
    assert _lines(text, "Well, thanks!", chosen=chosen) == [" \u2026 ".join(chosen)]


@pytest.mark.parametrize("text", ["我搬到柏林了。", "Ich bin nach Berlin gezogen."])
def test_a_sentence_is_shown_in_its_own_language(text: str) -> None:
    assert _lines(text, chosen=(text,)) == [text]


def test_a_memory_is_shown_without_secrets_and_marks() -> None:
    one = memory("m", f"Anna's key is {SECRET}, her mail a.b@example.org")
    assert _outgoing().memories([one]) == ["Anna's key is [redacted: key], her mail [redacted: email]"]


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
def test_personal_marks_are_taken_out_and_dates_are_not(text: str, clean: str) -> None:
    assert without_marks(text) == clean


def test_a_speaker_who_is_called_by_an_address_is_not_named() -> None:
    assert "example.org" not in speaker(episode(0, "Hi", speaker="anna@example.org"), _outgoing())
    assert "Anna" in speaker(episode(0, "Hi"), _outgoing())


def test_to_a_model_on_this_machine_nothing_is_changed() -> None:
    text = f"I moved. My key is {SECRET}, mail a.b@example.org."
    assert [line.text for line in _outgoing(raw=True, here=True).lines([episode(0, text)], UTC)] == [text]


def test_where_what_was_said_may_leave_secrets_still_may_not() -> None:
    (line,) = _outgoing(raw=True).lines([episode(0, f"I moved. My key is {SECRET}.")], UTC)
    assert line.text == "I moved. My key is [redacted: key]."


@given(st.text(max_size=200))
def test_data_is_one_line_that_nothing_in_it_ends(text: str) -> None:
    line = quoted(text)
    assert "\n" not in line
    assert line[0] == line[-1] == '"'
    assert '"' not in line[1:-1].replace("\\\\", "").replace('\\"', "")


def test_the_sentences_of_a_message_are_few_and_not_long() -> None:
    few = " ".join(f"I bought the book number {number} in Paris." for number in range(40))
    (line,) = _outgoing().lines([episode(0, few)], UTC)
    assert line.text.count("Paris") == MOST_STATED
    (line,) = _outgoing().lines([episode(0, "word " * 500)], UTC)
    assert len(line.text.split()) == MOST_WORDS
