"""Whatever a model that is away is asked: of messages only sentences that this machine holds lasting are on the wire,
redacted, and never a whole conversation.

What is away is reached through an HTTP proxy, which is a local server: so the bytes are those that would leave.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path

import pytest

from reverie import Agent, LLMSettings, MindFailed, Reverie, Settings
from reverie.domain.memory import Memory
from reverie.domain.snippet import Snippet
from reverie.embedders.hashing import HashingEmbedder
from reverie.minds.nights import ANSWER
from reverie.services.remember.judging import judgements
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
