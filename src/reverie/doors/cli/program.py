"""The program: its commands put together, and what a mistake in the usage looks like."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer

from reverie._version import __version__
from reverie.doors.cli import (
    adopt,
    approve,
    audit,
    backfill,
    backup,
    bank,
    consolidate,
    context,
    copy,
    demo,
    diary,
    episode,
    exporting,
    follow,
    forget,
    goals,
    housekeeping,
    importing,
    learn,
    link,
    listing,
    mcp,
    observe,
    options,
    pause,
    postgres,
    procedure,
    profile,
    recall,
    reembed,
    relate,
    remember,
    retry,
    revise,
    rooms,
    scoped,
    selfcare,
    show,
    sleep,
    soul,
    window,
    worker,
)
from reverie.doors.cli.codes import EXIT_CODES, Code
from reverie.doors.cli.output import Output, abandon_stdout, prepare_streams

# Of typer's errors only BadParameter has a public name; what stands above it is every mistake in the usage.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="reverie",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog=EXIT_CODES,
)


@app.callback(invoke_without_command=True)
def reverie(
    context: typer.Context,
    bank: options.Bank = None,
    agent: options.AgentId = None,
    unencrypted: options.Unencrypted = False,
    keyring: options.Keyring = False,
    as_json: options.AsJson = False,
    version: bool = typer.Option(False, "--version", help="Print the version."),
) -> None:
    """Memory for AI agents: keeps what matters and brings back the right things.

    For example:
      reverie demo
      reverie observe chat.jsonl --agent mama
      reverie remember "Anna is allergic to nuts" --agent mama
      reverie recall "what can Anna eat?" --agent mama

    The options under "Which bank" may stand before or after the command.
    """
    context.obj = {
        "bank": bank,
        "agent": agent,
        "unencrypted": unencrypted,
        "keyring": keyring,
        "as_json": as_json,
    }
    if version:
        if as_json:
            Output(as_json=True).document({"version": __version__})
        else:
            sys.stdout.write(f"reverie {__version__}\n")
        raise typer.Exit(Code.DONE)
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help().rstrip() + "\n")
        raise typer.Exit(Code.DONE)


_ROOMS = (
    bank,
    profile,
    observe,
    follow,
    episode,
    remember,
    learn,
    revise,
    recall,
    show,
    listing,
    forget,
    adopt,
    approve,
    scoped,
    procedure,
    goals,
    soul,
    diary,
    relate,
    rooms,
    link,
    context,
    window,
    sleep,
    selfcare,
    housekeeping,
    consolidate,
    worker,
    pause,
    retry,
    audit,
    backfill,
    reembed,
    copy,
    exporting,
    importing,
    backup,
    mcp,
    postgres,
    demo,
)
for _room in _ROOMS:
    _room.register(app)


@functools.cache
def _command() -> Callable[..., Any]:
    """The app as it is called: reading the signatures of all commands costs more than most commands do."""
    return typer.main.get_command(app)


def run(arguments: Sequence[str] | None) -> Code:
    """One command, from its arguments to its exit code."""
    prepare_streams()
    # While a server is away the pool tells of each try; what comes of it is told by our errors.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    given = sys.argv[1:] if arguments is None else list(arguments)
    out = Output(as_json="--json" in given)
    try:
        code = _command()(given, prog_name="reverie", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()
        return Code.DONE
    except OSError as error:  # only stdout is left to fail here
        abandon_stdout()
        return out.fail(type(error).__name__, f"stdout: {error.strerror or error}", Code.NO_BANK)
    except _UsageError as error:
        return out.fail("Usage", _usage(error), Code.BAD_INPUT)
    except typer.Abort:
        return out.fail("Interrupted", "interrupted", Code.INTERRUPTED)
    return Code(code or 0)


def _usage(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "reverie"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return f"{message} See `{command} --help`."
