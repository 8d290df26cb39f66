"""night: sleep with any model there is: a document to paste into a chat, and the answer that comes back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from reverie.domain.host import HostQuestion
from reverie.doors.cli import sleep, words
from reverie.doors.cli.absent import absent
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.formats.bounded import text_of
from reverie.errors import InvalidInput

_MOST_BYTES = 8 << 20

Apply = Annotated[
    str | None,
    typer.Option("--apply", metavar="FILE", help="Apply the answer in this file; - reads it from stdin."),
]
Id = Annotated[
    str | None,
    typer.Option("--id", metavar="ID", help="The night that is answered, where the answer doesn't name it."),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", metavar="N", help="About so much text. Default: 8,000; one conversation at least."
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "night")(night)


def night(door: Door, apply: Apply = None, id: Id = None, max_tokens: MaxTokens = None) -> Code:
    """Sleep with the model of any chat: print the next night as a document, and apply the answer.

    For example:
      reverie night > night.md
      reverie night --apply answer.json
      pbpaste | reverie night --apply -

    The document has instructions, data and the shape of the answer: paste it into a chat with a model, and
    store what that answers. Each change is checked as any sleep's, and `reverie revert` undoes it. What was
    refused is printed as a question: paste it into the same chat, and apply its answer, too. Only the latest
    night can be answered; an answer that comes twice or late changes nothing. What was said leaves this
    machine with the document. Exit code 1 if nothing waits.
    """
    if apply is None:
        if id is not None:
            raise InvalidInput("--id", "there is no answer to apply", "give --apply FILE, too")
        return _asked(door, max_tokens)
    if max_tokens is not None:
        raise InvalidInput("--max-tokens", "an answer is applied as it is", "leave it out")
    answer = _read(door, apply)
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        report = agent.host.apply_night(id, answer)
        if door.out.as_json:
            door.out.document(report)
            return Code.DONE
        sleep.show(door, agent, report)
        if report.refused is not None:
            door.out.say("nothing was changed, and the night is open: ask for an answer with fewer changes")
        if report.question is not None:
            sys.stdout.write(f"\n{_document(report.question)}\n")
    return Code.DONE


def _asked(door: Door, max_tokens: int | None) -> Code:
    with door.opened() as reverie:
        agent = reverie.agent(door.agent_id)
        asked = agent.host.night() if max_tokens is None else agent.host.night(max_tokens=max_tokens)
        if asked is None:
            if door.out.as_json:
                door.out.document(None)
            else:
                door.out.say(absent(reverie, agent.id) or "nothing was said since the last sleep")
            return Code.NOTHING
        if door.out.as_json:
            door.out.document(asked)
            return Code.DONE
        sys.stdout.write(f"{_document(asked)}\n")
        left = f"; {words.counted(asked.remaining, 'message')} left for the next" if asked.remaining else ""
        door.out.say(f"a night of {words.counted(asked.episodes, 'message')}{left}")
    return Code.DONE


def _document(asked: HostQuestion) -> str:
    """Prompt, data and shape of the answer, which names its night."""
    parts = dict(asked.schema)
    properties = parts.get("properties")
    if isinstance(properties, dict):
        required = parts.get("required")
        parts["properties"] = {"night": {"const": asked.id}, **properties}
        parts["required"] = ["night", *(required if isinstance(required, list) else ())]
    schema = json.dumps(parts, ensure_ascii=False)
    named = f'Begin the object with `"night": "{asked.id}"`, so that it can be told which night it answers.'
    shape = f"# The answer's JSON Schema\n\n{named}\n\n```json\n{schema}\n```"
    if asked.round > 1:
        return f"{asked.prompt.strip()}\n\n{named}\n\n{asked.text}"
    return f"{asked.prompt.strip()}\n\n{shape}\n\n# The data\n\n{asked.text}"


def _read(door: Door, file: str) -> str:
    """The answer in that file, or on standard input for ``-``. Raises InvalidInput."""
    if file == "-":
        if sys.stdin.isatty():
            door.out.say("reading the answer; end with Ctrl-D")
        read = text_of(sys.stdin.buffer, _MOST_BYTES)
    else:
        try:
            with Path(file).open("rb") as stream:
                read = text_of(stream, _MOST_BYTES)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no path"
            problem = f"{file!r:.300} can't be read ({reason})"
            raise InvalidInput("FILE", problem, "give a file with the answer, or -") from None
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("FILE", "it is no UTF-8 text", "store the answer as UTF-8") from None
