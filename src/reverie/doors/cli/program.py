"""The program: its commands put together, and what a mistake in the usage looks like."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin

import typer

from reverie._version import __version__
from reverie.doors.cli import options
from reverie.doors.cli.codes import EXIT_CODES, Code
from reverie.doors.cli.command import COMMANDS, reflowed
from reverie.doors.cli.output import Output, abandon_stdout, prepare_streams

# Of typer's errors only BadParameter has a public name; what stands above it is every mistake in the usage.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]

PANELS = {
    "Memory": "observe watch recall remember list show scoped revise forget adopt approve goals procedures",
    "Prompt": "context window soul",
    "Sleep": "sleep sleeps revert night self-care summaries housekeeping backfill pause resume retry",
    "Society": "rooms diary relationships link",
    "Bank": "init profile stats check audit backup rekey export import copy reembed demo",
    "Coding agents": "install uninstall daemon",
    "Server": "serve open token mcp worker postgres llm",
}
"""The commands and groups in the order of the help."""
GROUPS = {
    "goals": """What the agent or its people want to reach.

    A goal is a memory of kind goal, open until it is completed. Open goals stand in the agent's window.""",
    "procedures": "Named workflows: their steps, and how following them went.",
    "soul": """Core beliefs, values, fears and convictions of an agent.

    They stand first in every context block. Only these commands and the calls behind them change them.""",
    "sleeps": "Past sleeps, and what each changed.",
    "summaries": "What self-care put under summaries.",
    "rooms": "Conversations with others, and what was said in them.",
    "diary": """The agent's diary: one page a date of its own time zone, with mood, place and text.

    Recall does not read it: read it by date, or search it by words.""",
    "relationships": """How the agent sees others: type, trust, tone, why, and notes.

    How often they spoke, and since when they know each other, comes from conversations by itself.""",
    "link": """Neural links: an agent asks for another's memory, and gets it if the other accepts in two minutes.

    What came by a link is labelled with whose it was and never instructs, until it is adopted. Either end can revoke
    it. Nothing leaves the bank that shares.""",
    "postgres": """Prepare a PostgreSQL database for banks, and look after it.

    Every other command takes the database's URL as its --bank.""",
    "token": "Who may ask `reverie serve` for what (docs/rest.md).",
    "llm": "The language model that the settings name, if any (docs/llm.md).",
}
MODULES = {
    "bank": "init profile stats check audit",
    "caring": "self-care summaries housekeeping backfill pause resume retry",
    "demo": "demo",
    "hosting": "install uninstall daemon",
    "link": "link",
    "moving": "backup rekey export import copy reembed",
    "observing": "observe watch",
    "prompt": "context window soul",
    "recalling": "recall list show scoped",
    "relationships": "relationships",
    "remembering": "remember revise forget adopt approve goals procedures",
    "server": "mcp postgres llm",
    "serving": "serve open token",
    "sleeping": "sleep sleeps revert night",
    "society": "rooms diary",
    "working": "worker",
}
"""The commands and groups that each module of this folder defines."""
_MODULE_OF = {name: module for module, names in MODULES.items() for name in names.split()}


def _reverie(
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
        "bank": bank, "agent": agent, "unencrypted": unencrypted, "keyring": keyring, "as_json": as_json,
    }  # fmt: skip
    if version:
        if as_json:
            Output(as_json=True).document({"version": __version__})
        else:
            sys.stdout.write(f"reverie {__version__}\n")
        raise typer.Exit(Code.DONE)
    _help_alone(context)


def _help_alone(context: typer.Context) -> None:
    """Show the help where no command is named."""
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help().rstrip() + "\n")
        raise typer.Exit(Code.DONE)


def program(names: Collection[str] = ()) -> Any:
    """Return the program as it is called, with all commands or those of these names and groups."""
    chosen = frozenset(name for name in names if name in _MODULE_OF)
    return _program(chosen or frozenset(_MODULE_OF))


@cache
def _program(names: frozenset[str]) -> Any:
    # Only what is called is loaded: all commands together take 0.1 s of a recall's 0.7.
    for module in sorted({_MODULE_OF[name] for name in names}):
        import_module(f"reverie.doors.cli.{module}")
    app = typer.Typer(
        name="reverie", rich_markup_mode="rich", add_completion=False, pretty_exceptions_enable=False,
        epilog=EXIT_CODES,
    )  # fmt: skip
    app.callback(invoke_without_command=True)(_reverie)
    for panel, listed in PANELS.items():
        for name in listed.split():
            if name in GROUPS and name in names:
                group = typer.Typer(name=name, help=reflowed(GROUPS[name]), rich_markup_mode="rich")
                group.callback(invoke_without_command=True)(_help_alone)
                for full, one in COMMANDS.items():
                    if full.startswith(f"{name} "):
                        group.command(full.removeprefix(f"{name} "), help=one.help)(one.function)
                app.add_typer(group, rich_help_panel=panel)
            elif name in names:
                app.command(name, help=COMMANDS[name].help, rich_help_panel=panel)(COMMANDS[name].function)
    made: Any = typer.main.get_command(app)
    made.commands = {
        name: made.commands[name] for listed in PANELS.values() for name in listed.split() if name in names
    }
    _convert_plainly(made)
    return made


class _Plain:
    """Converts the text of an option. typer's own way loads pydantic, which takes a quarter of a recall."""

    def __init__(self, kind: type, info: Any) -> None:
        self._kind, self._least, self._most = kind, getattr(info, "min", None), getattr(info, "max", None)

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value or the values. Raises typer.BadParameter."""
        if param.multiple or param.nargs == -1:
            return [self._one(each, param, ctx) for each in value] if value else ()
        return None if value is None else self._one(value, param, ctx)

    def _one(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            found = self._kind(value)
        except ValueError:
            number = "a whole number" if self._kind is int else "a number"
            raise typer.BadParameter(f"{value!r:.60} is not {number}.", ctx=ctx, param=param) from None
        if self._least is not None and not found >= self._least:
            raise typer.BadParameter(f"{value!r:.60} is less than {self._least:,}.", ctx=ctx, param=param)
        if self._most is not None and not found <= self._most:
            raise typer.BadParameter(f"{value!r:.60} is more than {self._most:,}.", ctx=ctx, param=param)
        return found


def _convert_plainly(made: Any) -> None:
    for sub in getattr(made, "commands", {}).values():
        _convert_plainly(sub)
    for param in made.get_params(typer.Context(made)):  # the option --help, too
        described = getattr(
            param, "type_descriptor", None
        )  # older versions of typer have none, and no pydantic
        if described is None:
            continue
        kind = described.annotation
        if get_origin(kind) is list:
            kind = get_args(kind)[0]
        if kind in (bool, str, int, float, Path):
            param._runtime_param = _Plain(kind, described.parameter_info)  # noqa: SLF001  # there is no public way


def run(arguments: Sequence[str] | None) -> Code:
    """Run one command, and return its exit code."""
    prepare_streams()
    # While a server is away the pool tells of each try; what comes of it is told by our errors.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    given = sys.argv[1:] if arguments is None else list(arguments)
    out = Output(as_json="--json" in given)
    try:
        whole = "--help" in given
        code = program(() if whole else given)(given, prog_name="reverie", standalone_mode=False)
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
