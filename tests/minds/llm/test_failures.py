"""What goes wrong between us and a model: over the real clients against local servers, and with a scripted model."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reverie.domain.change import Spent
from reverie.errors import CapReached, MindFailed
from reverie.minds.llm.connecting import MOST_BYTES
from reverie.minds.llm.metered import MOST_CHARACTERS, TRIES
from reverie.minds.llm.question import RETRIES
from reverie.ports.meter import Booking
from tests.minds.llm.life import NOW, SAID, Counting, Scripted, mind, night
from tests.minds.llm.servers import ANSWERS, WIRES, Answer, Failure, serving

pytestmark = pytest.mark.slow
GOOD = json.dumps(
    {"new": [{"category": "fact", "content": "Anna lives in Berlin.", "sourceEpisodes": ["e1"]}]}
)
STORM = Failure(status=429, body=b'{"error": {"message": "slow down", "type": "rate_limit_error"}}')
KEY = "key-of-the-tests-0123456789"


class Pauses:
    """Instead of waiting: how long it would have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Notes it."""
        self.seconds.append(seconds)


@pytest.mark.parametrize(
    "answer",
    [
        f"Here is what I found:\n\n{GOOD}\n\nLet me know if you need more.",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"\n\n  {GOOD}",
    ],
    ids=["prose", "json fence", "fence", "space"],
)
def test_an_answer_is_found_in_what_a_model_writes_around_it(answer: str) -> None:
    script = Scripted([answer])
    assert len(mind(script).consolidate(night()).changes) == 1
    assert len(script.asked) == 1


BAD = {
    "truncated": (GOOD[: len(GOOD) // 2], ": it is cut off"),
    "prose": ("I can't find anything worth keeping in these conversations.", ": it is no JSON"),
    "empty": ("", ": there is no text in it"),
    "nothing": ("{}", " (the answer has none of the lists new, update"),
    "a list": ("[]", ": it is no JSON object"),
    "another shape": ('{"memories": []}', " (the answer has none of the lists new, update"),
    "a soul": (json.dumps({"soul": ["I obey whoever."]}), " (the answer has none of the lists new, update"),
    "deep": ('{"new": ' + "[" * 5_000, ": it is no JSON"),
}


@pytest.mark.parametrize(("bad", "why"), BAD.values(), ids=BAD)
def test_an_answer_that_never_fits_fails_without_its_contents(bad: str, why: str) -> None:
    script = Scripted([bad])
    with pytest.raises(MindFailed) as failed:
        mind(script).consolidate(night())
    assert len(script.asked) == 1 + RETRIES
    assert f"isn't what was asked for{why}" in failed.value.why
    words = ("Berlin", "obey", "worth keeping", "soul", "memories")
    assert not any(word in str(failed.value) for word in words)
    assert failed.value.__cause__ is None
    assert failed.value.__context__ is None


@pytest.mark.parametrize("bad", [bad for bad, _ in BAD.values()], ids=BAD)
def test_an_answer_that_does_not_fit_is_asked_for_again(bad: str) -> None:
    script = Scripted([bad, GOOD])
    proposal = mind(script).consolidate(night())
    assert len(proposal.changes) == 1
    assert proposal.spent.calls == 2
    assert any("repeated" in note for note in proposal.notes)
    assert not bad or "Your previous response" in script.asked[1]  # of nothing, there is nothing to say


def test_an_answer_of_endless_length_fails() -> None:
    endless = json.dumps({"new": [{"category": "fact", "content": "x" * MOST_CHARACTERS}]})
    with pytest.raises(MindFailed, match="longer than any"):
        mind(Scripted([endless])).consolidate(night())


@pytest.mark.parametrize("wire", WIRES)
def test_what_passes_is_waited_out_over_each_wire(wire: str) -> None:
    pauses = Pauses()
    fenced = f"Sure!\n```json\n{GOOD}\n```"
    with serving(wire, STORM, Failure(status=503), BAD["truncated"][0], fenced) as server:
        proposal = mind(model=f"{wire}:test-model", url=server.url, key=KEY, pause=pauses).consolidate(
            night()
        )
    assert len(proposal.changes) == 1
    assert (len(server.seen), proposal.spent.calls, len(pauses.seconds)) == (4, 4, 2)


@pytest.mark.parametrize("wire", WIRES)
def test_a_storm_of_429_is_given_up_after_growing_pauses(wire: str) -> None:
    pauses, meter = Pauses(), Counting()
    with serving(wire, STORM) as server:
        asking = mind(model=f"{wire}:test-model", url=server.url, key=KEY, pause=pauses, meter=meter)
        with pytest.raises(MindFailed, match="429"):
            asking.consolidate(night())
    assert len(server.seen) == TRIES
    assert pauses.seconds == [0.75, 1.5, 3.0]  # a half of the jitter
    assert [one.calls for one in meter.settled] == [1] * TRIES
    assert sum(one.tokens for one in meter.settled) == 0


@pytest.mark.parametrize("wire", ["anthropic", "openai", "openai-chat", "ollama"])
def test_a_server_that_says_how_long_to_wait_is_waited_for(wire: str) -> None:
    pauses = Pauses()
    asks = Failure(status=429, headers={"retry-after": "7"}, body=STORM.body)
    with serving(wire, asks, GOOD) as server:
        mind(model=f"{wire}:test-model", url=server.url, key=KEY, pause=pauses).consolidate(night())
    assert pauses.seconds == [7.75]


def test_a_server_that_wants_half_a_minute_is_left_alone() -> None:
    pauses = Pauses()
    asks = Failure(status=429, headers={"retry-after": "3600"}, body=STORM.body)
    with serving("anthropic", asks) as server, pytest.raises(MindFailed, match="wait 3600 seconds"):
        mind(model="anthropic:test-model", url=server.url, key=KEY, pause=pauses).consolidate(night())
    assert (len(server.seen), pauses.seconds) == (1, [])


@pytest.mark.parametrize("wire", WIRES)
def test_a_server_that_hangs_is_left_and_its_price_stays_booked(wire: str) -> None:
    meter, failure = Counting(), Failure(drips=True) if wire == "openai" else Failure(hangs=True)
    with serving(wire, failure) as server, pytest.raises(MindFailed, match=r"within 0\.3 seconds"):
        mind(model=f"{wire}:test-model", url=server.url, key=KEY, seconds=0.3, meter=meter).consolidate(
            night()
        )
    assert (len(server.seen), len(meter.booked), meter.settled) == (1, 1, [])


@pytest.mark.parametrize("wire", WIRES)
def test_an_endless_body_is_cut_off(wire: str) -> None:
    good = json.dumps(ANSWERS[wire](GOOD)).encode()
    with serving(wire, Failure(body=good + b" " * MOST_BYTES)) as server, pytest.raises(MindFailed):
        mind(model=f"{wire}:test-model", url=server.url, key=KEY).consolidate(night())
    assert server.seen


def test_a_packed_body_without_end_is_not_unpacked() -> None:
    packed = Failure(headers={"content-encoding": "gzip"}, body=b"\x1f\x8b" + b"\x00" * 100)
    with serving("openai-chat", packed) as server, pytest.raises(MindFailed):
        mind(model="openai-chat:test-model", url=server.url).consolidate(night())
    assert server.seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("status", "why"), [(401, "refuses the key"), (404, "no such model"), (400, "refuses the question")]
)
def test_a_refusal_is_told_in_our_words_and_not_tried_again(wire: str, status: int, why: str) -> None:
    body = json.dumps(
        {"error": {"message": f"Incorrect API key {KEY} for: Anna moved to Berlin", "type": "x"}}
    )
    with (
        serving(wire, Failure(status=status, body=body.encode())) as server,
        pytest.raises(MindFailed) as failed,
    ):
        mind(model=f"{wire}:test-model", url=server.url, key=KEY).consolidate(night())
    in_words_too = status == 400 and wire != "openai-chat"  # which may be what it refuses
    assert len(server.seen) == 1 + in_words_too
    assert why in failed.value.why
    assert KEY not in str(failed.value)
    assert "Berlin" not in str(failed.value)


@pytest.mark.parametrize("wire", WIRES)
def test_a_body_that_is_not_the_wire_format_fails(wire: str) -> None:
    for body in (b"", b"<html>busy</html>", b"null", b'{"choices": []}', b"\xff\xfe"):
        with serving(wire, Failure(body=body)) as server, pytest.raises(MindFailed) as failed:
            mind(model=f"{wire}:test-model", url=server.url, key=KEY).consolidate(night())
        assert "llm.base_url" in failed.value.why or "what was asked for" in failed.value.why
        assert "reached" not in failed.value.why
        assert "busy" not in failed.value.why


def test_a_server_that_is_not_there_is_tried_a_few_times() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        pauses = Pauses()
        with pytest.raises(MindFailed, match="can't be reached"):
            mind(model="ollama:test-model", url=url, pause=pauses).consolidate(night())
    assert len(pauses.seconds) == TRIES - 1


class Full(Counting):
    """A meter that lets so many calls pass."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self._left = calls

    def reserve(self, planned: Spent) -> Booking:
        """Until none is left."""
        if not self._left:
            raise CapReached("llm.calls_hour = 1", NOW.isoformat())
        self._left -= 1
        return super().reserve(planned)


def test_a_limit_is_kept_before_each_call_and_its_repetitions() -> None:
    with serving("openai-chat", STORM) as server, pytest.raises(CapReached):
        mind(model="openai-chat:test-model", url=server.url, meter=Full(2)).consolidate(night())
    assert len(server.seen) == 2
    script = Scripted([BAD["prose"][0]])
    with pytest.raises(CapReached):
        mind(script, meter=Full(1)).consolidate(night())
    assert len(script.asked) == 1


def test_a_night_that_would_pass_a_limit_asks_nothing() -> None:
    class Narrow(Counting):
        def check(self, planned: Spent) -> None:
            if planned.calls > 1:
                raise CapReached("llm.calls_hour = 1", NOW.isoformat())

    script = Scripted([GOOD])
    long = [f"{text} " * 40 for text in SAID] * 8
    with pytest.raises(CapReached):
        mind(script, meter=Narrow(), raw=True).consolidate(night(long, groups=4))
    assert script.asked == []


def test_a_limit_is_a_failure_of_the_mind() -> None:
    asking = mind(Scripted([GOOD]), meter=Full(0), raw=True)
    with pytest.raises(MindFailed, match=r"llm\.calls_hour"):
        asking.compress(night().clusters[0].episodes, so_far=None, max_tokens=50)


def test_a_question_can_be_asked_inside_an_event_loop() -> None:
    async def within() -> int:
        return len(mind(Scripted([GOOD])).consolidate(night()).changes)

    assert asyncio.run(within()) == 1


def test_several_threads_ask_one_mind_at_once() -> None:
    with serving("ollama", GOOD) as server:
        asking = mind(model="ollama:test-model", url=server.url)
        with ThreadPoolExecutor(4) as pool:
            proposals = list(pool.map(lambda _place: asking.consolidate(night()), range(8)))
    assert [len(one.changes) for one in proposals] == [1] * 8
    assert len(server.seen) == 8


def test_a_question_leaves_no_thread_and_no_connection_behind() -> None:
    before = {thread.name for thread in threading.enumerate()}
    answers: tuple[Answer, ...] = (STORM, BAD["prose"][0], GOOD)
    with serving("anthropic", *answers) as server:
        mind(model="anthropic:test-model", url=server.url, key=KEY).consolidate(night())
    left: set[str] = set()
    for _ in range(3_000):
        left = {thread.name for thread in threading.enumerate()} - before
        if not left:
            break
        time.sleep(0.02)
    assert left == set()


def test_what_a_scripted_model_raises_itself_is_no_answer() -> None:
    from pydantic_ai.exceptions import ModelHTTPError

    error: Any = ModelHTTPError(status_code=529, model_name="test", body={"text": "Anna"})
    with pytest.raises(MindFailed, match="overloaded") as failed:
        mind(Scripted([error])).consolidate(night())
    assert "Anna" not in str(failed.value)


def test_a_check_says_that_a_server_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        found = mind(model="ollama:test-model", url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1").check()
    assert (found.works, found.failed, found.has("server"), found.has("key")) == (
        False,
        "server",
        False,
        None,
    )
    assert "check that it runs" in str(found.problem)


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
