"""Metered: a model whose every call is booked before it is made, limited in time, and tried again where that helps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
)
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from reverie.domain.change import Spent
from reverie.domain.model_check import Step
from reverie.ports.meter import Booking, Meter

TOOL = "answer"
"""What the tool is called whose call is the answer, where a provider has nothing better."""
TRIES = 4
"""So often one question is sent at most."""
MOST_CHARACTERS = 200_000
_MOST_TIMES, _MOST_BESIDE = 4, 4_000
"""So far our estimate of a question may be off, and so many tokens may the schema have that is sent with it."""
_FIRST_PAUSE, _MOST_PAUSE = 1.0, 30.0
_HTTP_OVERLOADED = 529
_SERVER_ERRORS = range(500, 600)
_REFUSALS = frozenset({400, 422})

Tokens = Callable[[str], int]


class Unanswered(Exception):
    """A call that gave no answer; ``why`` holds no contents. ``step``: what failed; ``is_refusal``: the server takes no
    such question.
    """

    def __init__(self, why: str, *, step: Step = "answer", is_refusal: bool = False) -> None:
        super().__init__(why)
        self.why, self.step, self.is_refusal = why, step, is_refusal


@dataclass(kw_only=True, slots=True)
class Run:
    """How one question is asked, and what it has cost. ``chance`` draws from [0, 1); ``pause`` waits some seconds;
    ``seconds``: a call's limit; ``output``: the tokens of an answer at most.
    """

    meter: Meter
    tokens: Tokens
    chance: Callable[[], float]
    pause: Callable[[float], Awaitable[None]]
    seconds: float
    output: int
    spent: Spent = field(default_factory=Spent)


class Metered(WrapperModel):
    """Answers as the model that it wraps."""

    def __init__(self, wrapped: Model, run: Run) -> None:
        super().__init__(wrapped)
        self._run = run

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One answer; CapReached before any call that a limit forbids. Raise Unanswered.

        Where the server is overloaded, away, or says that it was asked too often, the question is sent again after a
        pause that doubles (with jitter), or that the server asks for; but not for longer than half a minute.
        """
        asked = ModelMessagesTypeAdapter.dump_json(messages).decode()
        planned = Spent(calls=1, input_tokens=self._run.tokens(asked), output_tokens=self._run.output)
        for tried in range(1, TRIES + 1):
            booking = await asyncio.to_thread(self._run.meter.reserve, planned)
            try:
                async with asyncio.timeout(self._run.seconds):
                    answer = await self.wrapped.request(messages, model_settings, model_request_parameters)
            except ModelAPIError as error:
                await self._settle(booking, Spent(calls=1))
                await self._wait(error, tried)
                continue
            except asyncio.CancelledError:
                self._run.spent += booking.booked
                raise
            except Exception as error:  # noqa: BLE001  # clients raise anything at an answer that is none
                # What it cost, nobody knows: it stays booked.
                self._run.spent += booking.booked
                raise Unanswered(self._lost(error), step="server") from None
            await self._settle(booking, self._used(answer, planned))
            return _plain(answer, model_request_parameters)
        raise Unanswered(f"no answer in {TRIES} tries")

    def _lost(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            late = f"no answer within {self._run.seconds:g} seconds"
            return f"{late}: raise Settings.llm.timeout, or choose a faster model"
        return f"{_ANOTHER} ({type(error).__name__})"

    async def _settle(self, booking: Booking, used: Spent) -> None:
        self._run.spent += await asyncio.to_thread(self._run.meter.settle, booking, used)

    def _used(self, answer: ModelResponse, planned: Spent) -> Spent:
        """Return what the server says, as far as that can be true: no number of its may lift the limits or use them up;
        by our estimate where it says nothing.
        """
        given, made = answer.usage.input_tokens, answer.usage.output_tokens
        if min(given, made) < 0 or not given + made:
            return replace(planned, output_tokens=self._run.tokens(answer.text or ""))
        most = planned.input_tokens * _MOST_TIMES + _MOST_BESIDE
        return Spent(calls=1, input_tokens=min(given, most), output_tokens=min(made, planned.output_tokens))

    async def _wait(self, error: ModelAPIError, tried: int) -> None:
        """Returns when the question may be sent again."""
        if not _passes(error) or tried == TRIES:
            status = error.status_code if isinstance(error, ModelHTTPError) else None
            raise Unanswered(reason(error), step=_step(error), is_refusal=status in _REFUSALS) from None
        asked_for = error.retry_after or 0.0
        if asked_for > _MOST_PAUSE:
            raise Unanswered(f"{reason(error)}, and to wait {asked_for:.0f} seconds") from None
        doubled = _FIRST_PAUSE * 2 ** (tried - 1)
        await self._run.pause(asked_for + doubled * (0.5 + 0.5 * self._run.chance()))


def _passes(error: ModelAPIError) -> bool:
    """Return whether waiting may help."""
    if isinstance(error, ModelQuotaExceededError):
        return False
    if isinstance(error, ModelRateLimitError | ModelConnectionError):
        return True
    return isinstance(error, ModelHTTPError) and error.status_code in _SERVER_ERRORS


_ANOTHER = "what the server sent is no model's answer (a web page, for instance): check Settings.llm.base_url"
_REASONS = {
    400: (
        "the server refuses the question",
        "check that it takes this model's requests at Settings.llm.base_url",
    ),
    401: (
        "the server refuses the key",
        "set REVERIE_LLM_KEY, or the provider's own variable, to one that it knows",
    ),
    403: (
        "the key may not use this model",
        "choose another Settings.llm.model, or allow it where the key was made",
    ),
    404: ("the server knows no such model", "check Settings.llm.model and Settings.llm.base_url"),
    413: ("the question is too long for the server", "lower Settings.sleep.batch"),
    429: ("the server says that it is asked too often", "wait, or raise the limit there"),
    _HTTP_OVERLOADED: ("the server is overloaded", "wait"),
}
_STEPS: Mapping[int, Step] = {401: "key", 403: "model", 404: "model"}


def reason(error: ModelAPIError) -> str:
    """Return what went wrong and what to do, without what was sent or answered."""
    if isinstance(error, ModelQuotaExceededError):
        return "the account's quota is used up: add to it where the key was made"
    if isinstance(error, ModelHTTPError):
        said, remedy = _REASONS.get(error.status_code, ("the server fails", "try again later"))
        return f"{said} (HTTP {error.status_code}): {remedy}"
    if isinstance(error, ModelConnectionError | ModelRequestTimeout):
        return "the server can't be reached: check that it runs, Settings.llm.base_url and the network"
    return _ANOTHER


def _step(error: ModelAPIError) -> Step:
    """Return what failed, as far as it can be told."""
    if isinstance(error, ModelHTTPError):
        return _STEPS.get(error.status_code, "answer")
    return "server"


def _plain(answer: ModelResponse, asked: ModelRequestParameters) -> ModelResponse:
    """Return the answer's text without what stands around its JSON; as the call of the tool where one was asked for and
    the model wrote text instead. Raise Unanswered where it is longer than any that was asked for.
    """
    texts = [part.content for part in answer.parts if isinstance(part, TextPart)]
    calls = [part for part in answer.parts if isinstance(part, ToolCallPart)]
    if sum(map(len, texts)) + sum(len(call.args_as_json_str()) for call in calls) > MOST_CHARACTERS:
        raise Unanswered("its answer is longer than any that was asked for")
    bare = bare_json("".join(texts))
    others = [part for part in answer.parts if not isinstance(part, TextPart)]
    if not texts or calls:
        return replace(answer, parts=others)
    if asked.output_mode == "tool" and bare.startswith("{"):
        return replace(answer, parts=[*others, ToolCallPart(tool_name=TOOL, args=bare)])
    return replace(answer, parts=[*others, TextPart(content=bare)])


def bare_json(text: str) -> str:
    """Return the JSON object in an answer, whatever prose or fences stand around it; the text itself where there is
    none.
    """
    start = text.find("{")
    if start < 0:
        return text
    try:
        found, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return text
    return text[start:end] if isinstance(found, dict) else text
