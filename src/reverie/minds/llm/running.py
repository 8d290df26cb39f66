"""Running: a question through pydantic-ai, up to the checked answer. Imported with the first question."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, cast

import httpx2
import pydantic_ai
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, StructuredDict, ToolOutput
from pydantic_ai.exceptions import AgentRunError, UnexpectedModelBehavior, UserError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from reverie.domain.model_check import Step, Way
from reverie.minds.llm.faults import names_of, unfit
from reverie.minds.llm.metered import TOOL, Metered, Run, Unanswered
from reverie.minds.llm.question import RETRIES, Answer, Question, Tried
from reverie.ports.bill import charge

if TYPE_CHECKING:
    from pydantic_ai.output import OutputSpec

_NO_TEMPERATURE = ("anthropic_disallows_sampling_settings", "openai_supports_reasoning")
_TALKATIVE = ("anthropic", "google_genai", "httpcore", "httpx", "openai", "pydantic_ai")
_asking: ContextVar[bool] = ContextVar("_asking", default=False)


async def tried(
    connection: AbstractAsyncContextManager[Model], run: Run, question: Question[Answer], *, in_words: bool
) -> Tried[Answer]:
    """Return the answer, or why there is none, and the cost, which is charged to the caller's bill in any case. With
    ``in_words`` no structured output is asked of the provider. Raise CapReached.
    """
    failed: Step = "answer"
    try:
        async with connection as model:
            with _quiet():
                answer, way = await _answer(Metered(model, run), question, in_words=in_words)
            return Tried(answer=answer, way=way, spent=run.spent)
    except Unanswered as error:
        why, failed = error.why, error.step
    except UnexpectedModelBehavior as error:
        why = unfit(error, names_of(question))
    except (AgentRunError, UserError, httpx2.HTTPError, OSError) as error:
        why = f"it can't be asked ({type(error).__name__})"
    finally:
        charge(run.spent)
    # Outside of the handlers: what the answer was hangs on no error that anybody logs.
    return Tried(failed=failed, why=why, spent=run.spent)


async def _answer(model: Model, question: Question[Answer], *, in_words: bool) -> tuple[Answer, Way]:
    """Return the answer, in the provider's own mode for structured output where it has one, and how it was asked for. A
    server that refuses the question so is asked in plain words.
    """
    way = "words" if in_words else way_of(model)
    try:
        return await _answer_by(way, model, question), way
    except Unanswered as error:
        if way == "words" or not error.is_refusal:
            raise
    return await _answer_by("words", model, question), "words"


def way_of(model: Model) -> Way:
    """Return how a model is best asked for JSON, as far as its provider is known."""
    if model.profile.get("supports_json_schema_output"):
        return "schema"
    return "tool" if model.profile.get("supports_tools") else "words"


async def _answer_by(way: Way, model: Model, question: Question[Answer]) -> Answer:
    agent: Agent[object, Answer] = Agent(
        model,
        name="reverie",
        output_type=_output(way, question),
        instructions=question.prompt,
        model_settings=_settings(model, question.output),
        retries={"output": RETRIES, "tools": 0},
    )
    pydantic_ai.BANNER_ENABLED = (
        False  # which is for people who write agents, and would land among our own output
    )
    agent.instrument = False  # whoever traces their own agents doesn't trace what is remembered

    @agent.output_validator
    def sound(answer: Answer) -> Answer:
        if question.check is not None:
            try:
                question.check(answer)
            except ValueError as error:
                raise ModelRetry(str(error)) from None
        return answer

    return (await agent.run(question.data)).output


def _output(way: Way, question: Question[Answer]) -> OutputSpec[Answer]:
    schema = question.schema
    if question.shape is not None:
        schema = cast("type[Answer]", StructuredDict({**question.shape}, name="answer"))
    match way:
        case "schema":
            return NativeOutput(schema, name="answer", template=False)
        case "tool":
            return ToolOutput(schema, name=TOOL)
        case "words":
            return PromptedOutput(schema, template=False)


def _settings(model: Model, output: int) -> ModelSettings:
    """As alike from call to call as the model allows: reasoning models draw by themselves."""
    settings = ModelSettings(max_tokens=output, max_retries=0)
    if not any(model.profile.get(name) for name in _NO_TEMPERATURE):
        settings["temperature"] = 0.0
    return settings


class _Silent(logging.Filter):
    """Drops what clients log of our questions: they write out what is sent."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002  # whatever it is
        """Return whether to keep it."""
        return not _asking.get()


_SILENT = _Silent()


@contextmanager
def _quiet() -> Iterator[None]:
    """While we ask, the clients' loggers say nothing of it; of others' questions they say what they did."""
    token = _asking.set(True)
    names = [name for name in logging.root.manager.loggerDict if name.startswith(_TALKATIVE)]
    for name in names:
        logging.getLogger(name).addFilter(_SILENT)
    try:
        yield
    finally:
        _asking.reset(token)
