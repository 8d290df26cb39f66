"""Whatever a model that is away is asked: no sentence of a message is on the wire, also where a memory repeats it.

What is away is reached through an HTTP proxy, which is a local server: so the bytes are those that would leave.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path

import pytest

from reverie import Agent, MindFailed, Reverie, Settings
from reverie.domain.memory import Memory
from reverie.domain.snippet import Snippet, Unjudged
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.hearing import Hearing
from reverie.services.judging import judgements
from tests.minds.llm.servers import Server, serving
from tests.services.sure import Sure

pytestmark = pytest.mark.slow

SAID = (
    "Never share the wine cellar code with the guests",
    "Always water the orchids of the director on Mondays",
    "The spare keys hang behind the blue kitchen door. Nobody else knows that yet!",
)
RETOLD = "Anna keeps two spare keys"
_WORD = re.compile(r"\w+")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Everything that leaves goes through it."""
    empty: dict[str, list[str]] = {
        name: [] for name in ("new", "reinforce", "update", "contradict", "decay", "connect")
    }
    with serving("openai-chat", json.dumps(empty)) as one:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{one.port}")
        yield one


@pytest.fixture
def mama(tmp_path: Path, server: Server) -> Iterator[Agent]:
    settings = Settings(
        mind="llm", llm_model="openai-chat:test-model", llm_base_url="http://model.example/v1"
    )
    with Reverie.open(
        tmp_path / "a.bank", encrypted=False, embedder=HashingEmbedder.for_tests(), settings=settings
    ) as reverie:
        object.__setattr__(reverie._desk, "judges", Sure())
        agent = reverie.agent("mama")
        told = agent.observe([{"speaker": "Anna", "content": text} for text in SAID], conversation="kitchen")
        assert told.captured, "a pattern keeps a rule word for word"
        agent.remember(
            "The spare keys hang behind the blue kitchen door", source_episodes=told.episode_ids[2:]
        )
        agent.remember(RETOLD, source_episodes=told.episode_ids[2:])
        yield agent


def _known(mama: Agent) -> Sequence[Memory]:
    return mama.memories(deep=True, limit=50)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _sentences() -> list[str]:
    return [_words(part) for text in SAID for part in re.split(r"[.!?]", text) if part.strip()]


def _checked(server: Server, *, shown: bool = True) -> None:
    """That something went, and nothing of what was said."""
    assert bool(server.seen) == shown
    sent = [_words(one.everything) for one in server.seen]
    for sentence in _sentences():
        assert not any(sentence in text for text in sent)
    if shown:
        assert all(seen.target.startswith("http://model.example/") for seen in server.seen)


def test_the_memories_of_this_bank_repeat_what_was_said(mama: Agent) -> None:
    kept = [_words(one.essence) for one in _known(mama)]
    assert sum(any(sentence in text for text in kept) for sentence in _sentences()) >= 2


def test_no_sleep_and_no_portrait_of_it(mama: Agent, server: Server) -> None:
    mama.sleep()
    assert len(server.seen) >= 2, "the night's question, and the portrait's"
    _checked(server)
    assert any(_words(RETOLD) in _words(one.everything) for one in server.seen)


def test_no_portrait(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    by_kind = {
        kind: [one for one in _known(mama) if one.kind is kind] for kind in {one.kind for one in _known(mama)}
    }
    with pytest.raises(MindFailed):
        mind.portray(by_kind, max_tokens=400)
    _checked(server)


def test_no_judgement(mama: Agent, server: Server) -> None:
    judgements(mama._desk, _known(mama))
    _checked(server)


def test_no_narrative(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    with pytest.raises(MindFailed):
        mind.narrate(_known(mama), max_tokens=200)
    _checked(server)


def test_no_extraction_and_no_summary(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    messages = mama.episodes()
    snippet = Snippet(agent_id="mama", messages=tuple(messages), fresh=len(messages), zone=UTC)
    mind.extract(snippet, lambda vectors: [-1.0] * len(vectors))
    mind.compress(messages, so_far=None, max_tokens=60)
    _checked(server, shown=False)


def test_what_is_nothing_but_said_is_judged_on_this_machine(mama: Agent, server: Server) -> None:
    mind = mama._desk.mind
    assert mind is not None
    told = mama.observe("Vue beats React", conversation="web")
    one = Unjudged(essence="Vue beats React", kind=_known(mama)[0].kind, sources=told.episode_ids)
    assert len(mind.judge([one])) == 1
    assert server.seen == []


def test_what_was_said_is_found_whosever_it_is(mama: Agent) -> None:
    hearing = Hearing(mama._desk.store)
    ids = [one.id for one in mama.episodes()]
    assert sorted(hearing([*ids, "nobody's"]).values()) == sorted(SAID)
    assert hearing([]) == {}
    assert hearing(["nobody's"]) == {}
