"""What a server says that a call used is believed as far as it can be true."""

from __future__ import annotations

import json

import pytest

from reverie.domain.change import Spent
from tests.minds.llm.life import Counting, mind, night
from tests.minds.llm.servers import Failure, serving

pytestmark = pytest.mark.slow

EMPTY = json.dumps({name: [] for name in ("new", "reinforce", "update", "contradict", "decay", "connect")})
MOST = 2**15
"""Tokens; no call of these tests can use more."""


def _settled(given: int, made: int) -> tuple[Spent, Spent]:
    """What was booked for a call, and what was counted after a server had claimed this."""
    body = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_790_000_000, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": EMPTY}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made},
    }  # fmt: skip
    meter = Counting()
    with serving("openai-chat", Failure(body=json.dumps(body).encode())) as server:
        mind(model="openai-chat:m", url=server.url, meter=meter).consolidate(night())
    return meter.booked[0], meter.settled[0]


def test_what_can_be_true_is_counted_as_it_is_claimed() -> None:
    assert _settled(1_234, 56)[1] == Spent(calls=1, input_tokens=1_234, output_tokens=56)


@pytest.mark.parametrize(("given", "made"), [(2**63 - 1, 2**62), (2**80, 1), (5, 2**80)])
def test_a_claim_that_cannot_be_true_does_not_use_the_limits_up(given: int, made: int) -> None:
    booked, settled = _settled(given, made)
    assert settled.output_tokens <= booked.output_tokens
    assert settled.tokens <= MOST
    assert settled.calls == 1


@pytest.mark.filterwarnings("ignore")  # the client warns of it
@pytest.mark.parametrize(("given", "made"), [(-(10**9), 10), (10, -(10**9)), (0, 0)])
def test_a_claim_of_less_than_nothing_is_our_estimate(given: int, made: int) -> None:
    booked, settled = _settled(given, made)
    assert settled.input_tokens == booked.input_tokens
    assert 0 < settled.output_tokens < booked.output_tokens
