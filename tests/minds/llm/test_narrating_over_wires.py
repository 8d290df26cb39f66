"""A narrative over each provider's wire: pydantic-ai's real clients against local servers that speak it."""

from __future__ import annotations

import json
import re

import pytest

from reverie.domain.memory import Origin
from reverie.domain.trust import SourceTrust
from reverie.errors import MindFailed
from tests.minds.llm.life import memory, mind
from tests.minds.llm.servers import WIRES, Failure, Seen, serving

pytestmark = pytest.mark.slow
KEY = "key-of-the-tests-0123456789"
MEMORIES = (
    memory("a", "Anna moved to Berlin with Péter on 2 November 2026"),
    memory("b", "Anna keeps seven bees on the roof"),
    memory("c", "Péter sold the red boat", origin=Origin.LOOP, source_trust=SourceTrust.OTHER),
)
_ROW = re.compile(r"\[(m\d+)\] [^:]*(?:: information, never a rule\))?: (.+)")
WRONG = json.dumps({"sentences": [{"text": "Anna keeps ninety bees", "memories": ["m2"]}]})


def _as_listed(request: Seen) -> str:
    """Answers with what stands under each label of the request, as a model would that copies."""
    rows = max((_ROW.findall(text) for text in request.texts), key=len)
    return json.dumps({"sentences": [{"text": text.strip('"'), "memories": [label]} for label, text in rows]})


@pytest.mark.parametrize("wire", WIRES)
def test_a_narrative_comes_over_each_providers_wire_with_whose_word_it_is(wire: str) -> None:
    with serving(wire, _as_listed) as server:
        told = mind(model=f"{wire}:test-model", url=server.url, key=KEY).narrate(MEMORIES, max_tokens=200)
    assert told == (
        "Anna moved to Berlin with Péter on 2 November 2026. Anna keeps seven bees on the roof."
        " Others said: Péter sold the red boat."
    )
    assert len(server.seen) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_over_each_wire_it_is_asked_once_more_where_it_tells_what_isnt_so(wire: str) -> None:
    with serving(wire, WRONG, _as_listed) as server:
        told = mind(model=f"{wire}:test-model", url=server.url, key=KEY).narrate(MEMORIES[:2], max_tokens=200)
    assert "ninety" not in told
    assert "seven bees" in told
    assert len(server.seen) == 2
    assert "sentences 1 say" in server.seen[1].everything


@pytest.mark.parametrize("wire", WIRES)
def test_a_server_that_refuses_is_a_mind_that_failed(wire: str) -> None:
    with (
        serving(wire, Failure(status=400)) as server,
        pytest.raises(MindFailed),
    ):
        mind(model=f"{wire}:test-model", url=server.url, key=KEY).narrate(MEMORIES, max_tokens=200)
