"""A command: a function that gets a ``Door``, and ends with an exit code and never with a traceback.

``command`` registers it. Its parameters are options and arguments; a dataclass among them stands for one option a
field. The options that say which bank is meant are added to each command.
"""

from __future__ import annotations

import gc
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_type_hints

import typer

from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.output import Output, abandon_stdout, abandon_stdout_if_full
from reverie.doors.cli.watch import Watch
from reverie.doors.cli.words import listed
from reverie.errors import InvalidInput, ReverieError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from reverie.client import Agent, Reverie

    Shown = RenderableType | Callable[[], Sequence[RenderableType]]

Function = TypeVar("Function", bound=Callable[..., Code])
Item = TypeVar("Item")

_CLIENT = "reverie.client"
_SHARED: Mapping[str, object] = {
    "bank": options.Bank, "agent": options.AgentId, "unencrypted": options.Unencrypted, "keyring": options.Keyring,
    "as_json": options.AsJson,
}  # fmt: skip
ALL = tuple(_SHARED)
OF_BANK = tuple(name for name in ALL if name != "agent")
_FLAGS = ("unencrypted", "keyring", "as_json")
_URL = "sqlite:///"
_PLACED = re.compile(r"^(\w+?)(?:\[\d+\])?$")
_FIELDS = {
    "agent": "--agent", "agents": "--agent", "body": "TEXT", "content": "TEXT", "essence": "TEXT", "key": "--keyring",
    "new_key": "--new-key-file",
    "password": "--password-stdin", "path": "--bank", "tokens": "--tokens", "where": "--bank",
}  # fmt: skip
_MOST_ANSWER = 100


@dataclass(frozen=True, kw_only=True)
class Registered:
    """A command as typer takes it. ``name`` has two words for a command of a group."""

    name: str
    function: Callable[..., object]
    help: str


COMMANDS: dict[str, Registered] = {}
"""The commands of the modules that are loaded so far, by name."""


class Door:
    """What each command gets: whose bank in which file, and where its output goes. Closes what it opened."""

    def __init__(self, before: Mapping[str, object], after: Mapping[str, object]) -> None:
        """Take the shared options that stand before the command's name and after it; the latter win."""
        given = {name: before.get(name) if after.get(name) in (None, False) else after[name] for name in ALL}
        self.options: Mapping[str, object] = given
        self.bank, self.agent = cast("str | None", given["bank"]), cast("str | None", given["agent"])
        self.unencrypted, self.keyring = bool(given["unencrypted"]), bool(given["keyring"])
        self.out = Output(as_json=bool(given["as_json"]))
        self._opened = ExitStack()
        self._reverie: Reverie | None = None

    def check(self) -> None:
        """Raise InvalidInput for an option that was given empty, as from a variable that isn't set: the command must
        not use somebody else's default bank.
        """
        for option, value in (("--bank", self.bank), ("--agent", self.agent)):
            if value is not None and not value.strip():
                raise InvalidInput(option, "it is empty", "name one, or leave the option out for the default")

    @property
    def path(self) -> Path | None:
        """The bank file; None for a URL of another engine."""
        from reverie.client import default_bank

        if self.bank is None:
            return default_bank()
        if self.bank.startswith(_URL):
            return Path(self.bank.removeprefix(_URL))
        return None if "://" in self.bank else Path(self.bank)

    @cached_property
    def agent_id(self) -> str:
        """Whose bank."""
        from reverie.client import default_agent

        return self.agent if self.agent is not None else default_agent()

    def reverie(self, *, make: bool = False, actor: str = "cli", bank: str | None = None) -> Reverie:
        """Open the banks until the command ends. ``actor`` signs the audit log; ``bank`` replaces --bank.

        A file that isn't there is made only where the command writes: a slip in --bank reads nothing. Raises
        StoreError.
        """
        from reverie.client import Reverie

        key = "keyring" if self.keyring else None
        where = self.bank if bank is None else bank
        try:
            opened = Reverie.open(where, key=key, encrypted=not self.unencrypted, create=make, actor=actor)
        except InvalidInput as error:  # a command may have a --path of its own
            field = "--bank" if error.field in ("path", "where") else error.field
            raise InvalidInput(field, error.problem, error.remedy) from None
        self._reverie = self.enter(opened)
        return self._reverie

    def enter(self, reverie: Reverie) -> Reverie:
        """Close that when the command ends."""
        return self._opened.enter_context(reverie)

    def absent(self) -> str | None:
        """Return why nothing is there of an agent that isn't in the opened bank; None for one that is."""
        known = self._reverie.agents() if self._reverie else [self.agent_id]
        if not known:
            return "This bank is empty: `reverie observe` and `reverie remember` put something into it."
        if self.agent_id not in known:
            others = f"in it are: {listed(known)}. Choose with --agent."
            return f"Agent {self.agent_id!r} has nothing in this bank; {others}"
        return None

    def opened(self, *, make: bool = False) -> Agent:
        """Open the agent's bank until the command ends. Raises StoreError, InvalidInput."""
        return self.reverie(make=make).agent(self.agent_id)

    def chosen(self, reverie: Reverie, agents: Sequence[str] | None) -> Sequence[str]:
        """Return the agents that were named, or all. Raises InvalidInput for one that the bank doesn't have."""
        known = reverie.agents()
        named = agents or ([self.agent] if self.agent is not None else None)
        for agent_id in named or ():
            if agent_id not in known:
                raise InvalidInput("agents", f"the bank has no agent {agent_id!r}", "choose from its agents")
        return known if named is None else [*dict.fromkeys(named)]

    def tell(self, value: object, *shown: Shown, code: Code = Code.DONE) -> Code:
        """Print a result: ``value`` with --json, else ``shown``. A part of it may be a call that makes the parts."""
        if self.out.as_json:
            self.out.document(value)
        else:
            for part in shown:
                self.out.show(*part() if callable(part) else (part,))
        return code

    def list(
        self, found: Sequence[Item], line: Callable[[Item], RenderableType], none: str, *, limit: int | None = None,
        more: str | Callable[[Item], str] = lambda last: f"--after {getattr(last, 'id', '')}",
    ) -> Code:  # fmt: skip
        """Print a list, an item after the other. ``none``: what to say where it is empty; ``more``: the options for the
        next page, where there are as many items as ``limit``.
        """
        return self._list(found, lambda: [line(one) for one in found], none, limit, more)

    def table(
        self, found: Sequence[Item], columns: Mapping[str, Callable[[Item], str]], none: str, *,
        limit: int | None = None, more: str | Callable[[Item], str] = "",
    ) -> Code:  # fmt: skip
        """Print a list as a table. ``columns``: each heading with what stands under it. See ``list``."""
        return self._list(found, lambda: self.rows(found, columns), none, limit, more)

    def rows(
        self, found: Sequence[Item], columns: Mapping[str, Callable[[Item], str]]
    ) -> Sequence[Table | str]:
        """Return the parts of a table that fits the terminal."""
        from reverie.doors.cli.tables import fitting

        rows = [tuple(cell(one) for cell in columns.values()) for one in found]
        return fitting(tuple(columns), rows, self.out.width)

    def _list(
        self, found: Sequence[Item], parts: Callable[[], Sequence[RenderableType]], none: str, limit: int | None,
        more: str | Callable[[Item], str],
    ) -> Code:  # fmt: skip
        if not found:
            self.out.say(self.absent() or none)
        if found or self.out.as_json:
            self.tell(found, parts)
        if found and len(found) == limit:
            self.out.say(f"There may be more: {more(found[-1]) if callable(more) else more}")
        return Code.DONE if found else Code.NOTHING

    def agreed(self, question: str, command: str, *, final: bool = True) -> bool:
        """Ask the person at the terminal; ``final`` warns that there is no way back. Raises InvalidInput where there is
        no terminal.
        """
        if not sys.stdin.isatty():
            raise InvalidInput(command, "there is no terminal to ask on", "add --yes if you mean it")
        sys.stderr.write(f"{question}{' This is final.' if final else ''} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline(_MOST_ANSWER).strip().lower() in ("y", "yes")

    def declined(self, what: str) -> Code:
        """Say that nothing was done, since the person said no."""
        self.out.say(f"Nothing was {what}.")
        return Code.NOTHING

    def watch(self, agent: Agent, as_of: str | None = None) -> Watch:
        """Return how times are shown: in the agent's zone."""
        return Watch.of(agent, as_of=as_of)

    def __enter__(self) -> Door:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.out.flush()  # what closing may yet bring must not take the result along
        finally:
            self._opened.__exit__(kind, error, trace)


def command(name: str, *, shared: tuple[str, ...] = ALL) -> Callable[[Function], Function]:
    """Register ``function(door, …)`` as the command of that name, with those of the shared options."""

    def register(function: Function) -> Function:
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        flat = [each for parameter in own for each in _flat(parameter)]
        context = _keyword("context", typer.Context, inspect.Parameter.empty)
        added = [_keyword(key, _SHARED[key], False if key in _FLAGS else None) for key in shared]

        def run(**given: object) -> Code:
            context = cast(typer.Context, given.pop("context"))
            door = Door(context.obj or {}, {key: given.pop(key) for key in shared})
            values = {parameter.name: _gathered(parameter, given) for parameter in own}
            return _guarded(door, lambda: function(door, **values), flat)

        parameters = [context, *flat, *added]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        COMMANDS[name] = Registered(name=name, function=run, help=reflowed(function.__doc__ or ""))
        return function

    return register


def reflowed(text: str) -> str:
    """Return a docstring as help: the lines of a paragraph flow together; indented lines stay."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith(" ") or "\n " in part else part.replace("\n", " ") for part in paragraphs
    )


def given(group: object, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return a group's options that were given, or of them those in ``names``; the client checks the values."""
    assert is_dataclass(group)
    found = {field.name: getattr(group, field.name) for field in fields(group)}
    return {
        name: value for name, value in found.items() if value is not None and (names is None or name in names)
    }


def _load_client() -> None:
    """Import the client, once, without looking for garbage. What an import makes stays until the end of the process, so
    it is left out of all later looks: that saves a sixth of a recall's processor time (``bench cold``).
    """
    if _CLIENT in sys.modules:
        return
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        import_module(_CLIENT)
    finally:
        if was_enabled:
            gc.enable()
    gc.freeze()


def _guarded(door: Door, run: Callable[[], Code], parameters: Sequence[inspect.Parameter]) -> Code:
    """Run a command; what may go wrong for its user becomes a message and an exit code."""
    try:
        with door:
            door.check()
            _load_client()
            return run()
    except ReverieError as error:
        return door.out.refuse(error, lambda field: _option_of(field, parameters))
    except KeyboardInterrupt:
        return _interrupted(door)
    except ImportError as error:  # a C library that was interrupted while it was imported says this instead
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        return _interrupted(door)
    except BrokenPipeError:
        abandon_stdout()
        return Code.DONE
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        abandon_stdout_if_full()
        return door.out.fail(type(error).__name__, f"{error.strerror or error}{place}", Code.NO_BANK)


def _interrupted(door: Door) -> Code:
    return door.out.fail("Interrupted", "interrupted; what was acknowledged is stored", Code.INTERRUPTED)


def _option_of(field: str, parameters: Sequence[inspect.Parameter]) -> str:
    """Return the option or argument of a command that a wrong value came in by, or the field's own name."""
    found = _PLACED.match(field)
    name = found[1] if found else field
    for parameter in parameters:
        if parameter.name.removesuffix("_") == name.removesuffix("_"):
            info = get_args(parameter.annotation)[-1]
            if isinstance(info, typer.models.ArgumentInfo):
                return str(info.metavar).strip("[]…").split("|")[0]
            return str((info.param_decls or (info.default,))[0]).split("/")[0]
    return _FIELDS.get(name, name if found else field)


def _flat(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    group = parameter.annotation
    if not is_dataclass(group):
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    hints = get_type_hints(group, include_extras=True)
    return [_keyword(field.name, hints[field.name], field.default) for field in fields(group)]


def _gathered(parameter: inspect.Parameter, given: Mapping[str, object]) -> object:
    group = parameter.annotation
    if not is_dataclass(group):
        return given[parameter.name]
    assert isinstance(group, type)
    return group(**{field.name: given[field.name] for field in fields(group)})


def _keyword(name: str, annotation: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
